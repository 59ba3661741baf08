// counting_bloom: counting Bloom filter in flip-flops with an insert, a remove and a lookup port.
//
//   latency     1 cycle: the response is on offer after the tick that took the lookup
//   throughput  one insert, one remove and one lookup per cycle
//   order       a lookup sees the inserts and removes of earlier cycles, not those of its own cycle
//   counters    a key adds 1 to (takes 1 from) its three counters; +1 and -1 in one cycle cancel. A counter at
//               its greatest value stays there until clear() or reset; none goes below 0
// No key that is inside is reported absent if only keys that are inside are removed.
// RTL: rtl/bloom_predictor/counting_bloom.sv. Compiled RTL points: rtl/bloom_predictor/points.txt.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cosim/ports.h"

namespace warpsieve::bloom_predictor {

struct CountingBloomParams {
  unsigned counters = 64;     ///< power of two, 8 and up
  unsigned counter_bits = 4;  ///< 1..8
  unsigned key_bits = 32;     ///< 2..64, at least log2(counters) - 2
  std::uint32_t seed = 1;     ///< of the hashes
  bool operator==(const CountingBloomParams&) const = default;
};

inline constexpr CountingBloomParams cell_filter{};
inline constexpr CountingBloomParams odd_filter{.counters = 32, .counter_bits = 3, .key_bits = 11, .seed = 3};
inline constexpr CountingBloomParams min_filter{.counters = 8, .counter_bits = 1, .key_bits = 2, .seed = 1};

struct BloomLookup {
  std::uint64_t key = 0;
};
struct BloomFound {
  bool found = false;
  bool operator==(const BloomFound&) const = default;
};
std::string describe(const BloomFound& found);

class CountingBloom : public Clocked {
 public:
  virtual void insert(std::uint64_t key) = 0;  ///< at most one per cycle, always taken
  virtual void remove(std::uint64_t key) = 0;  ///< at most one per cycle, always taken
  virtual void clear() = 0;                    ///< empties the filter; insert and remove of this cycle are lost
  In<"lookup", BloomLookup> lookup;
  Out<"rsp", BloomFound> rsp;
  auto visit_ports(auto&& visit) { return visit(lookup, rsp); }
};

/// Throws std::invalid_argument when the parameters are out of range, or when `backend` needs RTL and no
/// compiled point has these parameters (the model takes any).
std::unique_ptr<CountingBloom> make_counting_bloom(const CountingBloomParams& params, Backend backend,
                                                   std::string name = "counting_bloom");

}  // namespace warpsieve::bloom_predictor
