// bloom_predictor: JUSTIT's 1-1 predictor: where a request that touches one sector of a line is to be kept
// (JUSTIT paper, section 2; decisions J1, J3 to J7, J10, J13).
//
//   latency     2 cycles: the response is on offer after the second tick, the one that took it included
//   throughput  1 request per cycle, responses in order
//   choice      two or more sectors (or none): L1. One sector: bypass when it was not seen, shared memory when it
//   was;
//               L1 instead where that choice is not enabled
//   seen        the sector was among the requests recorded lately: certainly, if it was among the last `period`
//               one-sector requests; possibly, up to 2 x period + clear_cycles() back; otherwise with the
//               false-positive rate of the filter
//   ready       less than three requests unanswered, and not clearing after reset or flush()
//
// Every one-sector request is recorded, hit or miss in the caches; ask beside the tag lookups (J7).
// Two arrays take the inserts, one is tested. When the other holds `period` inserts the two change roles, and
// the array that was tested is cleared in the background while requests go on; it takes no inserts for
// clear_cycles(). reset() and flush() clear both: not ready for clear_cycles().
// Storage: 2 x counters x counter_bits bits.
// RTL: rtl/bloom_predictor/bloom_predictor.sv. Compiled RTL points: rtl/bloom_predictor/points.txt.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cosim/ports.h"

namespace warpsieve::bloom_predictor {

struct PredictorParams {
  unsigned counters = 4096;   ///< per array; power of two, 8 and up
  unsigned counter_bits = 2;  ///< 1..8
  unsigned lanes = 16;        ///< counters per memory word; power of two, at least two words per bank of counters/4
  unsigned line_bits = 33;    ///< line address; 1..60
  unsigned threshold = 1;     ///< seen: all counters above this after the insertion; below the greatest count
  unsigned period = 512;      ///< inserts
  std::uint32_t seed = 2;     ///< of the hashes
  bool operator==(const PredictorParams&) const = default;
  unsigned words() const { return counters / 4 / lanes; }
  unsigned clear_cycles() const { return words() + 1; }
  unsigned storage_bits() const { return 2 * counters * counter_bits; }
};

inline constexpr PredictorParams paper_predictor{};  ///< J4, J6
inline constexpr PredictorParams small_predictor{.counters = 1024, .lanes = 8, .period = 128};
inline constexpr PredictorParams large_predictor{.counters = 16384, .counter_bits = 4, .period = 2048};
inline constexpr PredictorParams odd_predictor{
    .counters = 32, .counter_bits = 3, .lanes = 1, .line_bits = 6, .threshold = 2, .period = 11, .seed = 7};
inline constexpr PredictorParams zero_predictor{
    .counters = 32, .counter_bits = 2, .lanes = 1, .line_bits = 6, .threshold = 0, .period = 11, .seed = 7};

struct PredictReq {
  std::uint64_t line = 0;    ///< line address
  std::uint8_t sectors = 0;  ///< bit s: the request touches sector s of the line
  bool operator==(const PredictReq&) const = default;
};

enum class Choice : std::uint8_t { l1, bypass, shared_memory };

struct PredictRsp {
  Choice choice = Choice::l1;
  bool operator==(const PredictRsp&) const = default;
};

std::string describe(const PredictReq& req);
std::string describe(const PredictRsp& rsp);

class BloomPredictor : public Clocked {
 public:
  In<"req", PredictReq> req;
  Out<"rsp", PredictRsp> rsp;
  auto visit_ports(auto&& visit) { return visit(req, rsp); }
  /// Which choices may be made, from now on; both after construction. A request uses what is set in the cycle
  /// after it was taken.
  virtual void enable(bool bypass, bool shared_memory) = 0;
  /// Forgets everything at this edge; a request taken in this cycle is still answered from the old contents.
  virtual void flush() = 0;
};

/// Throws std::invalid_argument when the parameters are out of range, or when `backend` needs RTL and no
/// compiled point has these parameters (the model takes any).
std::unique_ptr<BloomPredictor> make_bloom_predictor(const PredictorParams& params, Backend backend,
                                                     std::string name = "bloom_predictor");

}  // namespace warpsieve::bloom_predictor
