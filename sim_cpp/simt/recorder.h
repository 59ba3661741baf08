// Records the instruction stream of one warp while its kernel runs: active mask, mask stack, def-use.
//
//   kernel ──▶ Vec operators, loads, stores ──▶ Recorder ──▶ WarpTrace
//
// Rules (what counts as an instruction):
//   - every overloaded operator on Vec or Mask is one alu instruction; division, square root, exp and
//     log are one sfu instruction; integer division is 8 dependent alu instructions; an operator on floats or
//     doubles needs the unit of that precision (conversions, conditions and addresses the integer unit);
//   - a global access is one alu (base + index * size) and the access itself;
//   - lane-wise if: one alu (branch); lane-wise loop: one alu per iteration; uniform loop: one alu per
//     iteration; constants and plain copies are free;
//   - an alu that reads the result of the instruction right before it, under the same mask, is folded
//     into it (WarpInstr::count) as long as the group reads at most three earlier results;
//   - with no lane active nothing is recorded.
// With a Capture (for the spill model, spill.h) nothing is folded, and a masked assignment is a move of its own
// unless it takes the result of the instruction right before it.
// A control dependence needs no source of its own: the branch reads the condition, and a warp issues
// in order.
#pragma once

#include <cstdint>

#include "simt/capture.h"
#include "simt/warp_trace.h"

namespace warpsieve::simt {

inline constexpr std::uint32_t kNoProducer = ~std::uint32_t{0};
inline constexpr std::uint32_t kAllLanes = ~std::uint32_t{0};
inline constexpr std::uint16_t kMaxFold = 64;  ///< most alu instructions in one folded group

class Recorder {
 public:
  std::uint32_t active() const { return active_; }
  const WarpTrace& trace() const { return trace_; }

  /// Records `count` dependent arithmetic instructions; returns the number of the result's producer.
  std::uint32_t arithmetic(Op op, std::uint16_t count, std::uint32_t a = kNoProducer, std::uint32_t b = kNoProducer,
                           std::uint32_t c = kNoProducer, Unit unit = Unit::integer) {
    if (active_ == 0) return kNoProducer;
    if (op == Op::alu && !capture_ && fold(count, a, b, c, unit)) return last();
    WarpInstr& i = push(op, a, b, c);
    i.count = count;
    i.set_unit(unit);
    return last();
  }

  /// A register that some lanes keep: `fresh` was produced under the present mask, `old` holds the rest.
  /// The later writer waits for the earlier one, as a scoreboard does for two writes of a register.
  std::uint32_t merge(std::uint32_t fresh, std::uint32_t old) {
    if (fresh != kNoProducer && (old == kNoProducer || old == fresh)) return fresh;
    if (fresh != kNoProducer && fresh > old && add_source(trace_.instrs[fresh], old)) return fresh;
    return arithmetic(Op::alu, 1, fresh, old);
  }

  /// merge() for a variable whose lanes are now `lanes`, of which `defined` have ever been set.
  template <class T>
  std::uint32_t assign(std::uint32_t fresh, std::uint32_t old, const std::array<T, kLanes>& lanes,
                       std::uint32_t defined) {
    if (!capture_) return merge(fresh, old);
    if (fresh != kNoProducer && fresh == old) return fresh;
    bool keeps_only = true;
    if (fresh != kNoProducer && fresh == last() && trace_.instrs[fresh].mask == active_ &&
        capture_->can_update<T>(fresh)) {
      WarpInstr& i = trace_.instrs[fresh];
      const std::uint8_t before = i.sources;
      if (old != kNoProducer && !add_source(i, old))
        fresh = arithmetic(Op::alu, 1, fresh, old);
      else
        keeps_only = i.sources > before;
    } else {
      fresh = arithmetic(Op::alu, 1, fresh, old);
    }
    capture_->update(fresh, old, keeps_only, lanes, defined | active_);
    return fresh;
  }

  /// From here on, keeps results for the spill model in `capture`.
  void keep_results(Capture& capture) { capture_ = &capture; }
  /// Returns the result that holds `lanes`: this one, or a move when they are not (part of) what it is known to hold,
  /// as in a record packed from several vectors.
  template <class T>
  std::uint32_t keep_result(std::uint32_t result, const std::array<T, kLanes>& lanes) {
    if (!capture_ || result == kNoProducer) return result;
    if (!capture_->matches(result, lanes, active_)) result = arithmetic(Op::alu, 1, result);
    if (result != kNoProducer) capture_->keep(result, lanes, active_);
    return result;
  }
  template <class T>
  void check_operand(std::uint32_t producer, const std::array<T, kLanes>& lanes) const {
    if (capture_ && producer != kNoProducer && !capture_->matches(producer, lanes, active_)) wrong_operand(producer);
  }

  /// The recorder of the warp that runs on this thread now; nullptr outside of kernels.
  static Recorder* current();

 protected:
  WarpInstr& push(Op op, std::uint32_t a, std::uint32_t b = kNoProducer, std::uint32_t c = kNoProducer) {
    WarpInstr& i = trace_.instrs.emplace_back();
    i.op = op;
    i.mask = active_;
    if (a != kNoProducer) i.source[i.sources++] = a;
    if (b != kNoProducer && b != a) i.source[i.sources++] = b;
    if (c != kNoProducer && c != a && c != b) i.source[i.sources++] = c;
    if (capture_) capture_->instruction();
    return i;
  }
  std::uint32_t last() const { return static_cast<std::uint32_t>(trace_.instrs.size() - 1); }

  WarpTrace trace_;
  std::uint32_t active_ = kAllLanes;
  Capture* capture_ = nullptr;

 private:
  [[noreturn]] static void wrong_operand(std::uint32_t producer);
  static bool add_source(WarpInstr& i, std::uint32_t s) {
    for (unsigned k = 0; k < i.sources; ++k)
      if (i.source[k] == s) return true;
    if (i.sources == 3) return false;
    i.source[i.sources++] = s;
    return true;
  }

  bool fold(std::uint16_t count, std::uint32_t a, std::uint32_t b, std::uint32_t c, Unit unit) {
    if (trace_.instrs.empty()) return false;
    WarpInstr& i = trace_.instrs.back();
    const std::uint32_t self = last();
    if (i.op != Op::alu || i.mask != active_ || i.count + count > kMaxFold) return false;
    if (a != self && b != self && c != self) return false;
    WarpInstr joined = i;
    for (const std::uint32_t s : {a, b, c})
      if (s != kNoProducer && s != self && !add_source(joined, s)) return false;
    joined.count = static_cast<std::uint16_t>(joined.count + count);
    if (unit == Unit::single_precision) joined.detail[0] = static_cast<std::uint8_t>(joined.detail[0] + count);
    if (unit == Unit::double_precision) joined.detail[1] = static_cast<std::uint8_t>(joined.detail[1] + count);
    i = joined;
    return true;
  }
};

namespace detail {
inline constinit thread_local Recorder* current_recorder = nullptr;
}

inline Recorder* Recorder::current() { return detail::current_recorder; }

}  // namespace warpsieve::simt
