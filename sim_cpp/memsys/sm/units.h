// Execution units of an SM: latency and initiation interval of each class of instructions.
//
//   class              latency                            interval (initiation)
//   integer            sm.int_latency, 0: alu_latency     sm.int_interval        moves, conversions, control too
//   single, half       sm.fp_latency, 0: alu_latency      sm.fp_interval
//   double             sm.dp_latency, 0: alu_latency, in  sm.dp_interval
//                      imported traces sfu_latency
//   special function   sm.sfu_latency                     sm.sfu_interval
//   matrix             sm.tensor_latency, 0: sfu_latency  sm.tensor_interval
//   constant           sm.constant_latency                sm.constant_interval
//   shared             sm.shared_latency                  sm.shared_interval per pass, of the whole SM
//
// Every scheduler has one unit of each class (a sub-core). Two instructions of a class are an interval apart.
// Shared memory has one port. An access occupies it for its passes (simt/shared_banks.h), in order of issue.
// The result is there one latency after the last pass has begun. At most one access per scheduler waits for the
// port. The scheduler issues the next one in the cycle after that access has begun. With sm.shared_interval = 0
// passes cost nothing.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "memsys/profile.h"
#include "memsys/types.h"
#include "simt/warp_trace.h"

namespace warpsieve::memsys {

class Units {
 public:
  explicit Units(const SmParams& p);

  /// True if each Op has one latency and can issue in every cycle; then latency(Op) is complete.
  bool simple() const { return simple_; }
  std::uint32_t latency(simt::Op op) const { return op_latency_[static_cast<unsigned>(op)]; }

  /// The unit that an instruction waits for; kOpen: none.
  using Gate = std::uint8_t;
  static constexpr Gate kOpen = 0;
  /// Of the `index`-th instruction of `instr`, which needs a unit.
  Gate gate(const simt::WarpInstr& instr, unsigned index) const { return rows_[row(instr, index)].gate; }
  /// First cycle in which `scheduler` can issue through the gate, as far as it is known now.
  Cycle free_at(std::uint32_t scheduler, Gate gate) const { return free_[scheduler * kGates + gate]; }
  /// Issues; returns when the result is there.
  Cycle issue(Cycle now, std::uint32_t scheduler, const simt::WarpInstr& instr, unsigned index);

 private:
  enum Row : std::uint8_t { kInteger, kSingle, kDouble, kSpecial, kSfuDouble, kMatrix, kShared, kConstant, kRows };
  static constexpr std::array<Row, 8> kFirstRow = {kInteger, kSpecial, kRows,     kRows,
                                                   kRows,    kShared,  kConstant, kRows};
  static constexpr unsigned kGates = kRows + 1;
  struct Timing {
    std::uint32_t latency = 0, interval = 0;
    Gate gate = kOpen;
  };
  static Row row(const simt::WarpInstr& instr, unsigned index);

  std::array<Timing, kRows> rows_;
  std::array<std::uint32_t, kFirstRow.size()> op_latency_{};
  bool simple_ = false;
  std::vector<Cycle> free_;  ///< per scheduler and gate
  Cycle shared_free_ = 0;    ///< when the port has served all that was issued
};

}  // namespace warpsieve::memsys
