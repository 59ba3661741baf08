#include "memsys/sm/load_store_unit.h"

#include "memsys/host_prefetch.h"

namespace warpsieve::memsys {

using simt::Op;

LoadStoreUnit::LoadStoreUnit(Context& context, SmStats& stats, std::uint32_t sm, Network& requests, L1Cache& l1,
                             LocalSpace& local)
    : context_(context), stats_(stats), sm_(sm), requests_(requests), l1_(l1), local_(local),
      coalescer_(context.map) {}

std::uint32_t LoadStoreUnit::issue(const simt::WarpTrace& trace, const simt::WarpInstr& instr, std::uint32_t warp) {
  if (is_local(instr.op)) {
    local_.issue(trace, instr, warp);
    count_ = local_.size();
  } else {
    ++stats_.memory_instructions;
    Counter& kind = instr.op == Op::load ? stats_.loads : instr.op == Op::store ? stats_.stores : stats_.atomics;
    ++kind;
    coalescer_.split(trace, instr);
    count_ = coalescer_.size();
    stats_.line_requests += count_;
  }
  if (count_ == 0) return 0;
  busy_ = true;
  stalled_ = false;
  op_ = instr.op;
  atomic_ = instr.atomic;
  next_ = 0;
  return count_;
}

inline L1Cache::Answer LoadStoreUnit::offer(Cycle now) {
  switch (op_) {
    case Op::load: return l1_.load(now, coalescer_[next_], slot_);
    case Op::store: return {l1_.store(now, coalescer_[next_]), kNever};
    case Op::local_load: return local_.load(now, next_, slot_);
    case Op::local_store: return {local_.store(now, next_), kNever};
    default: return {l1_.atomic(now, coalescer_[next_], atomic_, slot_), kNever};
  }
}

/// By a peer's load: the next try is in the next cycle, whatever the last one waited for.
bool LoadStoreUnit::l1_taken(Cycle now) {
  if (!l1_.port_taken(now)) return false;
  stalled_ = false;
  ++stats_.lsu_busy;
  return true;
}

/// A reply, or room in the network if there is none, wakes the SM.
void LoadStoreUnit::refused() {
  stalled_ = true;
  for_room_ = !requests_.can_push(sm_);
  ++stats_.lsu_busy;
}

LoadStoreUnit::Done LoadStoreUnit::step(Cycle now) {
  constexpr Done kNothing{kNone, kNever};
  if (has_replay()) return replay(now);
  if (!busy_ || waits() || l1_taken(now)) return kNothing;
  if (no_room_ != kNone && !requests_.can_push(sm_)) {
    l1_.refused();
    refused();
    return kNothing;
  }
  const auto [taken, done] = offer(now);
  no_room_ = kNone;
  if (!taken) {
    // Lines of private memory take MSHRs: with them it may lack one the next time.
    if (op_ == Op::load && !local_.on() && l1_.lacked_room()) no_room_ = coalescer_[next_].line;
    refused();
    return kNothing;
  }
  stalled_ = false;
  ++context_.progress;
  ++next_;
  busy_ = next_ < count_;
  if (busy_ && op_ == Op::load) {
    prefetch_load(l1_, coalescer_.number(next_));
    prefetch(&coalescer_[next_]);
  }
  return {slot_, done};
}

LoadStoreUnit::Done LoadStoreUnit::replay(Cycle now) {
  std::uint32_t slot = kNone;
  if (waits() || l1_taken(now)) return {slot, kNever};
  const L1Cache::Answer answer = l1_.replay(now, slot);
  if (!answer.taken) {
    refused();
    return {slot, kNever};
  }
  stalled_ = false;
  ++context_.progress;
  return {slot, answer.done};
}

}  // namespace warpsieve::memsys
