// secded: Hsiao's code for one word, the C++ twin of rtl/secded/secded.sv (same columns), and the RTL for comparison.
//
//   check(data)          check bits of a word, 3 to 8 for 1 to 64 data bits; combinational
//   decode(data, check)  one wrong bit corrected, two reported
//
//   wrong bits   0      1                            2      3 and more
//   data         same   corrected                    same   may be wrong
//   single       0      1                            0      may be 1
//   fatal        0      0, also in a check bit       1      may be 0
//
// Source: Hsiao, "A Class of Optimal Minimum Odd-weight-column SEC-DED Codes" (1970).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace warpsieve::secded {

struct Decoded {
  std::uint64_t data = 0;
  bool single = false;  ///< one bit was wrong, of the data or of the check bits
  bool fatal = false;   ///< more than one was: data is not to be used
  bool operator==(const Decoded&) const = default;
};

class Code {
 public:
  /// Throws std::invalid_argument for other widths than 1 to 64 data bits.
  explicit Code(unsigned width);
  unsigned width() const { return width_; }
  unsigned check_bits() const { return check_bits_; }
  /// Check bits that bit 0 to width - 1 is part of: an odd number, at least three.
  std::uint8_t column(unsigned bit) const { return columns_[bit]; }
  std::uint8_t check(std::uint64_t data) const;
  Decoded decode(std::uint64_t data, std::uint8_t check) const;

 private:
  unsigned width_, check_bits_;
  std::array<std::uint8_t, 64> columns_{};
};

/// The combinational RTL: one evaluation encodes and decodes.
struct SecdedRtl {
  struct Pins {
    std::uint8_t check = 0;  ///< of the data given
    Decoded decoded;
  };
  virtual ~SecdedRtl() = default;
  virtual Pins eval(std::uint64_t data, std::uint8_t check) = 0;
};

/// Throws std::invalid_argument when no compiled point has this width.
std::unique_ptr<SecdedRtl> make_secded_rtl(unsigned width, const std::string& name = "secded");

}  // namespace warpsieve::secded
