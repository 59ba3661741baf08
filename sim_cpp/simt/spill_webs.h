// Variables of a kernel and their lives in the streams of its warps, for the spill model (spill.h).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simt/capture.h"
#include "simt/warp_trace.h"

namespace warpsieve::simt {

/// Which sites belong to one variable, and what is known of it. A variable is named by one of its sites.
class Webs {
 public:
  struct Facts {
    std::uint64_t uses = 0, live = 0;  ///< live: words times instructions
    std::uint64_t values = 0, generic = 0;
    bool spilled = false;
    std::vector<std::uint32_t> slots;  ///< it has used so far
    bool mostly_generic() const { return 2 * generic > values; }
    /// Fewer uses per live step.
    bool cheaper_than(const Facts& o) const { return uses * o.live < o.uses * live; }
  };
  std::uint32_t find(std::uint32_t site);
  void join(std::uint32_t a, std::uint32_t b);
  Facts& operator[](std::uint32_t site) { return facts_[find(site)]; }
  /// Variables that were ever live.
  std::uint32_t variables(bool spilled_only) const;

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<Facts> facts_;
};

/// One register value of one warp, from the result that makes it over those that change some of its lanes to its
/// last use.
struct Life {
  std::uint32_t site = 0;
  std::uint32_t first = 0, last = 0;  ///< instructions; it occupies registers before first + 1 ... last
  std::uint8_t words = 0;
  std::vector<std::uint32_t> slots;  ///< when spilled
  bool used() const { return last > first; }
};

/// The lives in one warp's stream.
struct WarpLives {
  static constexpr std::uint32_t kNone = Capture::kNone;
  std::vector<std::uint32_t> of;  ///< per instruction: index of the life its result belongs to, kNone without
  std::vector<Life> lives;
  std::vector<std::uint32_t> last_read;  ///< per result; 0: never

  /// Also joins webs and adds to their facts. `readers` remembers the site that an operand of a site reads.
  WarpLives(const WarpTrace& trace, const Capture& capture, Webs& webs,
            std::unordered_map<std::uint64_t, std::uint32_t>& readers);
  /// Words live before each instruction, without spilled variables unless `all`.
  std::vector<std::int32_t> pressure(Webs& webs, bool all = false) const;
};

/// Does instruction `i` need the value of result `source`, or only keep some lanes of it?
inline bool reads(const Capture& capture, std::uint32_t i, std::uint32_t source) {
  const Capture::Result& r = capture.results[i];
  return capture.results[source].words != 0 && !(r.keeps_only && r.updates == source);
}

}  // namespace warpsieve::simt
