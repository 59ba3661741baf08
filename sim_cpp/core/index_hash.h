// IndexHash: spreads addresses over controllers, slices or sets by their high bits. Without it, all accesses of a
// power-of-two stride fall into one of them.
//
//   index(x) = low bits of x  XOR  h(high bits of x)
//
// h is linear and the map is one to one: index and high bits give back the low bits. Cost here: four table look-ups.
// Cost in hardware: a tree of XOR gates per index bit, no clock cycle.
#pragma once

#include <array>
#include <cstdint>

namespace warpsieve {

/// Values of the parameters that choose one.
enum class HashKind : std::uint32_t {
  none = 0,      ///< plain low bits
  xor_fold = 1,  ///< high bits in groups as wide as the index, XORed
  ipoly = 2,     ///< remainder of a division by an irreducible polynomial (Rau, ISCA 1991; GPGPU-Sim: IPOLY)
  fermi = 3,     ///< address bits 13, 14, 15, 17, 19 over bits 7 to 11 (Nugteren et al., HPCA 2014); 32 or 64 sets
};
inline constexpr std::uint32_t kLastHashKind = 3;

class IndexHash {
 public:
  IndexHash() = default;
  /// For indices of `bits` (at most 16) bits. Kind fermi: 5 or 6, and x is a number of 128-byte lines.
  IndexHash(HashKind kind, unsigned bits);
  /// Returns what is XORed with the low bits of an address; `high` are the bits above them.
  std::uint32_t operator()(std::uint32_t high) const {
    if (!tables_) return 0;
    const Tables& t = *tables_;
    return t[0][high & 0xff] ^ t[1][high >> 8 & 0xff] ^ t[2][high >> 16 & 0xff] ^ t[3][high >> 24];
  }
  bool on() const { return tables_ != nullptr; }

 private:
  using Tables = std::array<std::array<std::uint16_t, 256>, 4>;  ///< h() of each byte of the high bits
  static const Tables* make(HashKind kind, unsigned bits);
  const Tables* tables_ = nullptr;  ///< shared by all with the same kind and width; null: no hash
};

}  // namespace warpsieve
