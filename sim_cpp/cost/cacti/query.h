// Memory arrays as CACTI 7 sees them: one query, one result, two sources behind one interface.
//
//   Query ──▶ Source ──▶ Result          Source = RealCacti (the user's binary) or Recorded (a built-in sweep)
//
// Both answer for nodes of 22 to 90 nm; evaluate() adds nodes below 22 nm by the scaling rule. Units: bytes, bits,
// nanometres, kelvin, mm2, ns, nJ per access, mW.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/errors.h"

namespace warpsieve::cost {

/// One line: what was asked and why there is no answer.
class CactiError : public BadInput {
 public:
  using BadInput::BadInput;
};

enum class Kind { ram, cache, cam };  ///< CACTI's names: plain memory, tags + data, associative search only
enum class Ports { rw1, r1w1, rw2 };  ///< 1RW, 1R1W, 2RW
enum class Access { normal, sequential, fast };

std::string_view to_string(Kind kind);
std::string_view to_string(Ports ports);
std::string_view to_string(Access access);

struct Query {
  Kind kind = Kind::ram;
  std::uint64_t bytes = 0;       ///< capacity of the data array; of a CAM: entries x word_bits / 8
  std::uint32_t word_bits = 64;  ///< width of the data bus; of a CAM: the key
  std::uint32_t line_bytes = 0;  ///< line or word in the array; 0: word_bits / 8, at least 1
  std::uint32_t ways = 1;        ///< 0: fully associative (a cache) or a CAM
  Ports ports = Ports::rw1;
  std::uint32_t node_nm = 22;
  std::uint32_t temperature_k = 350;
  Access access = Access::normal;
  std::uint32_t tag_bits = 0;      ///< 0: CACTI's own 42-bit address rule (a CAM: word_bits)
  std::string device = "itrs-hp";  ///< also itrs-lstp, itrs-lop

  std::uint32_t line() const { return line_bytes ? line_bytes : std::max<std::uint32_t>(1, word_bits / 8); }
  bool searched() const { return ways == 0 || kind == Kind::cam; }
  std::string describe() const;
  bool operator==(const Query&) const = default;
};

/// Relative error of leave-one-out interpolation, as a fraction.
struct InterpolationError {
  double median = 0, p90 = 0;
  std::size_t samples = 0;
};

struct Result {
  std::string source;               ///< "CACTI 7 recorded sweep" or the binary's path
  std::optional<double> access_ns;  ///< of a CAM: with the match delay
  std::optional<double> cycle_ns;   ///< empty when interpolated: the cycle time is not a smooth function
  std::optional<double> search_nj;  ///< CAM and fully associative only
  double read_nj = 0, write_nj = 0;
  double leakage_mw = 0;             ///< sub-threshold + gate leakage
  double data_mm2 = 0, tag_mm2 = 0;  ///< without the dead space of the bounding box
  double box_mm2 = 0;                ///< CACTI's height x width
  double area_mm2() const { return data_mm2 + tag_mm2; }

  bool interpolated = false;  ///< between the two capacities below
  std::uint64_t lower_bytes = 0, upper_bytes = 0;
  InterpolationError area_error, access_error, read_error, write_error, leakage_error;  ///< when interpolated
  std::uint32_t scaled_from_nm = 0;                                                     ///< 0: not scaled
  /// "recorded", "interpolated 4096..8192 B (area error 2.7 % median, 9.1 % p90)", "... scaled from 22 nm"
  std::string basis() const;
};

class Source {
 public:
  virtual ~Source() = default;
  /// Nodes of 22 nm and more. Throws CactiError.
  virtual Result at(const Query& query) = 0;
  virtual std::string name() const = 0;
};

/// Any node: below 22 nm the result at 22 nm is scaled and says so. Throws CactiError.
Result evaluate(Source& source, const Query& query);

/// The rule below 22 nm: X(F) = X(22) (F / 22)^n, n from the sweep's own node dependence (README).
struct Scaling {
  static constexpr std::uint32_t kFrom = 22, kLowest = 7;
  static constexpr double kArea = 2.0, kRead = 1.74, kWrite = 1.87, kTime = 1.0;
  static constexpr double kLeakage = 1.9;  ///< placeholder: leakage follows process options, not a power law
  static double factor(double node_nm, double from_nm, double exponent);
};

/// `choice`: "recorded"; "real" (CACTI= or `cacti` on PATH must be there); "auto": real when there is one, else
/// recorded; or the path of a binary. Throws CactiError.
std::unique_ptr<Source> make_source(const std::string& choice);

}  // namespace warpsieve::cost
