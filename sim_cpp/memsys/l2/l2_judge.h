// L2Judge: compares what an L2 slice does with the golden memory. It models nothing and costs no cycle.
//
//   stores, atomics   change the golden line when the slice performs them
//   hits, fills       every sector equals the golden one, except for bytes that are newer in the slice
//   waiting reads     bring what the golden line held at their place in the order of requests: a copy of it is kept
//                     when a younger store or atomic changes the line before the read is answered
#pragma once

#include <cstdint>

#include "memsys/context.h"
#include "memsys/l2/l2_mshrs.h"

namespace warpsieve::memsys {

class L2Judge {
 public:
  explicit L2Judge(Context& context) : context_(context) {}

  /// A read or atomic is answered at once, with these sectors.
  void answer(Cycle now, Packet& p);
  /// A read or atomic starts to wait.
  void wait(Packet& p) { p.check.expected = kNone; }
  /// The slice has given a waiting read what it holds of these sectors.
  void copy(Packet& p, SectorMask sectors);
  /// A waiting read is answered.
  void answer_waiting(Cycle now, Packet& p);
  /// A store is performed. `waiting`: packets that wait for the line, or nullptr.
  void store(Cycle now, Packet& p, const L2Mshrs::Entry* waiting);
  /// An atomic is performed. `end`: the first waiting packet that is younger.
  void atomic(Cycle now, const Packet& p, const L2Mshrs::Entry* waiting, std::uint32_t end);
  /// Bytes of `newer` are not compared.
  void check(Cycle now, GlobalLine global_line, unsigned sector, const std::uint8_t* data, std::uint32_t newer,
             Source source) {
    context_.golden.check(now, global_line, sector, data, newer, source);
  }
  /// No copy of a golden line is kept.
  bool idle() const { return expected_.used() == 0; }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  void keep(const L2Mshrs::Entry* waiting, std::uint32_t end);
  void copy_golden(const Packet& p, SectorMask sectors);

  Context& context_;
  Pool<LineData> expected_;  ///< for waiting reads whose line has changed since
};

}  // namespace warpsieve::memsys
