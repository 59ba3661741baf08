#include "memsys/sm/sm.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/prefetch.h"

namespace warpsieve::memsys {

using simt::Op;

namespace {
bool fits(const simt::LaunchShape& shape, std::uint32_t threads, std::uint32_t registers,
          std::uint32_t shared_bytes) {
  const std::uint32_t needed = (shape.threads + simt::kLanes - 1) / simt::kLanes * simt::kLanes;
  return needed <= threads && std::uint64_t{needed} * shape.registers <= registers &&
         shape.shared_bytes <= shared_bytes;
}
}  // namespace

SmStats::SmStats(Stats& s)
    : warp_instructions(s.add("sm.warp_instructions", "warp instructions", "issued")),
      thread_instructions(s.add("sm.thread_instructions", "thread instructions", "issued, active lanes only")),
      memory_instructions(s.add("sm.memory_instructions", "warp instructions", "global loads, stores and atomics")),
      loads(s.add("sm.loads", "warp instructions", "global loads")),
      stores(s.add("sm.stores", "warp instructions", "global stores")),
      atomics(s.add("sm.atomics", "warp instructions", "global atomics")),
      line_requests(s.add("sm.line_requests", "line requests", "after coalescing")),
      barriers(s.add("sm.barriers", "barriers", "barriers opened, per block")),
      blocks(s.add("sm.blocks", "blocks", "thread blocks run")),
      active_cycles(s.add("sm.issue_cycles", "SM cycles", "cycles in which an SM issued at least one instruction")),
      lsu_busy(s.add("sm.lsu_stalls", "tries", "line requests the L1 did not take when offered")) {}

Sm::Sm(Context& context, SmStats& stats, L1Stats& l1, LocalStats& local, std::uint32_t number, std::uint32_t wake_id,
       Network& requests, Network& replies, Scheme& scheme)
    : context_(context), stats_(stats), p_(context.profile.sm), number_(number), id_(wake_id), requests_(requests),
      replies_(replies), arrival_(replies.outlets().head(number)), l1_(context, l1, number, requests, scheme),
      local_(context, local, number, (p_.threads / simt::kLanes + p_.schedulers - 1) / p_.schedulers * p_.schedulers,
             l1_, requests, scheme),
      coalescer_(context.map), decoder_(scheme.make_reply_decoder(number, context.profile, context.stats)),
      units_(p_), plain_(p_.scheduler == kGreedyThenOldest && !p_.lsu_fair && units_.simple()),
      last_(p_.schedulers, kNone), blocks_(p_.blocks), free_threads_(p_.threads), free_registers_(p_.registers),
      free_shared_(p_.shared_bytes) {
  const std::uint32_t warps = p_.threads / simt::kLanes;
  per_scheduler_ = (warps + p_.schedulers - 1) / p_.schedulers;
  warps_.resize(warps);
  // Slot order is by scheduler (ready_ of one scheduler is contiguous): warp slot w -> row w % schedulers.
  ready_.assign(std::size_t{per_scheduler_} * p_.schedulers, kNever);
  gate_.assign(ready_.size(), Units::kOpen);
  runnable_ = lsu_waiting_ = BitSet(ready_.size());
  warps_.resize(ready_.size());
  for (std::uint32_t w = warps; w-- > 0;)
    free_warps_.push_back(w % p_.schedulers * per_scheduler_ + w / p_.schedulers);
}

bool Sm::has_room(const simt::LaunchShape& shape) const {
  return resident_ < p_.blocks && fits(shape, free_threads_, free_registers_, free_shared_);
}

bool Sm::can_hold(const simt::LaunchShape& shape) const {
  return fits(shape, p_.threads, p_.registers, p_.shared_bytes);
}

std::uint32_t Sm::spare_shared_bytes(const simt::LaunchShape& shape) const {
  std::uint32_t blocks = p_.blocks;
  const std::uint32_t threads = (shape.threads + simt::kLanes - 1) / simt::kLanes * simt::kLanes;
  if (threads) blocks = std::min(blocks, p_.threads / threads);
  if (threads && shape.registers) blocks = std::min(blocks, p_.registers / (threads * shape.registers));
  if (shape.shared_bytes) blocks = std::min(blocks, p_.shared_bytes / shape.shared_bytes);
  return p_.shared_bytes - blocks * shape.shared_bytes;
}

void Sm::start(Cycle now, const simt::LaunchShape& shape, simt::BlockTrace&& trace) {
  std::uint32_t b = 0;
  while (blocks_[b].used) ++b;
  Block& block = blocks_[b];
  block.used = true;
  block.trace = std::move(trace);
  block.warps = block.running = block.live = static_cast<std::uint32_t>(block.trace.warps.size());
  block.waiting = 0;
  block.threads = (shape.threads + simt::kLanes - 1) / simt::kLanes * simt::kLanes;
  block.registers = block.threads * shape.registers;
  block.shared = shape.shared_bytes;
  block.end = 0;
  if (block.warps > block.threads / simt::kLanes)
    throw std::logic_error(
        fmt::format("kernel {}: block {} has more warps than its shape says", shape.kernel, block.trace.block));
  free_threads_ -= block.threads;
  free_registers_ -= block.registers;
  free_shared_ -= block.shared;
  local_.start_block(block.trace.spill_slots);
  ++resident_;
  ++stats_.blocks;
  context_.wakes.wake(id_, now + 1);
  if (block.warps == 0) next_release_ = block.end = now + 1;
  for (const simt::WarpTrace& t : block.trace.warps) {
    const std::uint32_t w = free_warps_.back();
    free_warps_.pop_back();
    Warp& warp = warps_[w];
    warp.trace = &t;
    warp.pc = 0;
    warp.repeat = 0;
    warp.block = b;
    warp.outstanding = 0;
    warp.at_barrier = false;
    warp.last_done = now + 1;
    warp.age = age_++;
    warp.done.assign(t.instrs.size(), kNever);
    if (t.instrs.empty())
      leave(now, w);
    else
      find_ready(now, w);
  }
}

/// Sets ready_[w] for the instruction at pc; kNever while a source is under way.
void Sm::find_ready(Cycle now, std::uint32_t w) {
  const Warp& warp = warps_[w];
  const simt::WarpInstr& instr = warp.trace->instrs[warp.pc];
  if (instr.op == Op::load || instr.op == Op::store || instr.op == Op::atomic || is_local(instr.op)) {
    gate_[w] = kLsuGate;
    if (!is_local(instr.op)) Coalescer::expect(*warp.trace, instr);
  } else {
    gate_[w] = units_.simple() || instr.op == Op::barrier ? Units::kOpen : units_.gate(instr, 0);
  }
  Cycle at = now + 1;
  for (unsigned i = 0; i < instr.sources; ++i) at = std::max(at, warp.done[instr.source[i]]);
  set_ready(w, at);
}

Cycle Sm::tick(Cycle now) {
  if (arrival_.at <= now) take_replies(now);
  if (local_.on()) {
    if (local_.begin(now)) lsu_stalled_ = false;
    for (const auto& [slot, done] : local_.completed()) complete(now, slot, done);
    local_.completed().clear();
  }
  if (l1_.has_replay())
    replay_step(now);
  else if (lsu_busy_)
    lsu_step(now);
  Cycle next = !runnable_.any() ? kNever : plain_ ? schedule<true>(now) : schedule<false>(now);
  // Memory instructions that are ready wait for the LSU; it makes the next step in the next cycle.
  if (!lsu_stalled_ && (lsu_busy_ || l1_.has_replay())) next = now + 1;
  if (next_release_ <= now) release_blocks(now);
  next = std::min({next, next_release_, arrival_.at});
  if (local_.on()) next = std::min(next, local_.clock(now));
  return next == kNever ? kNever : std::max(next, now + 1);
}

/// Between two warps that scheduler `s` could issue from; `w` is the later slot.
template <bool kPlain>
inline bool Sm::goes_before(std::uint32_t s, std::uint32_t w, std::uint32_t chosen) const {
  const std::uint32_t last = last_[s];
  if (!kPlain && p_.scheduler == kLooseRoundRobin) return chosen <= last && w > last;
  return w == last || (chosen != last && warps_[w].age < warps_[chosen].age);
}

/// Each scheduler issues an instruction if it can. Returns when one is ready next, among those that are in sight.
template <bool kPlain>
Cycle Sm::schedule(Cycle now) {
  Cycle next = kNever;
  bool issued = false;
  for (std::uint32_t k = 0, turn = kPlain ? 0 : lsu_turn_; k < p_.schedulers; ++k) {
    const std::uint32_t s = kPlain ? k : (k + turn) % p_.schedulers;
    const std::uint32_t first = s * per_scheduler_;
    std::uint32_t chosen = kNone;
    bool more = false;
    for (std::size_t slot = runnable_.from(first); slot < first + per_scheduler_; slot = runnable_.from(slot + 1)) {
      const auto w = static_cast<std::uint32_t>(slot);
      if (ready_[w] > now) {
        next = std::min(next, ready_[w]);
        continue;
      }
      if (gate_[w] != Units::kOpen && lsu_busy_ && (kPlain || gate_[w] == kLsuGate)) {
        runnable_.reset(w);
        lsu_waiting_.set(w);
        continue;
      }
      if (!kPlain && gate_[w] != Units::kOpen && gate_[w] != kLsuGate) {
        if (const Cycle free = units_.free_at(s, gate_[w]); free > now) {
          ready_[w] = free;
          next = std::min(next, free);
          continue;
        }
      }
      more = more || chosen != kNone;
      if (chosen == kNone || goes_before<kPlain>(s, w, chosen)) chosen = w;
    }
    if (chosen == kNone) continue;
    last_[s] = chosen;
    issue(now, chosen);
    issued = true;
    if (more) next = now + 1;
    next = std::min(next, ready_[chosen]);
  }
  if (issued) {
    ++stats_.active_cycles;
    ++context_.progress;
  }
  return next;
}

void Sm::expect(Ahead step, Cycle now, Cycle end) const {
  replies_.outlets().each_from(number_, now, end, [&](std::uint32_t handle) {
    const Packet& p = context_.packets[handle];
    if (step == Ahead::packets) {
      prefetch(&p);
      prefetch(&p.data);
    } else if (p.kind == PacketKind::read && !local_.owns(p.global_line)) {
      l1_.expect_fill(step, p);
    }
  });
}

inline void Sm::take_replies(Cycle now) {
  while (arrival_.at <= now) {
    const std::uint32_t handle = arrival_.packet;
    replies_.pop(number_, now);
    Packet& p = context_.packets[handle];
    l1_.returned(handle);
    ++context_.progress;
    if (p.kind == PacketKind::read && p.wired) decode(now, p);
    const Cycle there = now + 1 + (p.wired ? decoder_->cycles() : 0);
    if (p.kind == PacketKind::read && local_.owns(p.global_line)) {
      local_.reply(now, p, there);
    } else if (p.kind == PacketKind::read) {
      completed_.clear();
      l1_.fill(now, p, completed_);
      for (const std::uint32_t slot : completed_) complete(now, slot, there);
    } else if (p.kind == PacketKind::atomic) {
      complete(now, p.token, there);
    }
    if (p.global_line == lsu_no_room_) lsu_no_room_ = kNone;
    context_.packets.give(handle);
    lsu_stalled_ = false;
  }
}

/// The SM goes on with what came out of the decoder, which must be what the L2 sent.
void Sm::decode(Cycle now, Packet& p) {
  if (!decoder_) throw std::logic_error(fmt::format("SM {}: no decoder for the scheme's replies", number_));
  LineData decoded;
  decoder_->decode(now, p, decoded);
  for (unsigned s = 0; s < kSectors; ++s)
    if (p.mask >> s & 1)
      context_.golden.check_copy(now, p.global_line, s, p.data.sector(s), decoded.sector(s), 0,
                                 Source::reply_decoder);
  p.data = decoded;
}

void Sm::complete(Cycle now, std::uint32_t index, Cycle done) {
  Slot& slot = slots_[index];
  slot.done = std::max(slot.done, done);
  if (--slot.remaining) return;
  Warp& warp = warps_[slot.warp];
  warp.done[slot.instr] = slot.done;
  warp.last_done = std::max(warp.last_done, slot.done);
  --warp.outstanding;
  const std::uint32_t w = slot.warp;
  slots_.give(index);
  if (warp.pc == warp.trace->instrs.size()) {
    if (warp.outstanding == 0 && !warp.at_barrier) retire(now, w);
  } else if (ready_[w] == kNever && !warp.at_barrier) {
    find_ready(now, w);
  }
}

inline L1Cache::Answer Sm::lsu_offer(Cycle now) {
  switch (lsu_op_) {
    case Op::load: return l1_.load(now, coalescer_[lsu_next_], lsu_slot_);
    case Op::store: return {l1_.store(now, coalescer_[lsu_next_]), kNever};
    case Op::local_load: return local_.load(now, lsu_next_, lsu_slot_);
    case Op::local_store: return {local_.store(now, lsu_next_), kNever};
    default: return {l1_.atomic(now, coalescer_[lsu_next_], lsu_atomic_, lsu_slot_), kNever};
  }
}

/// By a peer's load: the next try is in the next cycle, whatever the last one waited for.
bool Sm::l1_taken(Cycle now) {
  if (!l1_.port_taken(now)) return false;
  lsu_stalled_ = false;
  ++stats_.lsu_busy;
  return true;
}

/// Nothing has come that what was refused may wait for.
inline bool Sm::lsu_waits() { return lsu_stalled_ && !(lsu_for_room_ && requests_.can_push(number_)); }

/// A reply, or room in the network if there is none, wakes the SM.
inline void Sm::lsu_refused() {
  lsu_stalled_ = true;
  lsu_for_room_ = !requests_.can_push(number_);
  ++stats_.lsu_busy;
}

inline void Sm::lsu_step(Cycle now) {
  if (lsu_waits() || l1_taken(now)) return;
  if (lsu_no_room_ != kNone && !requests_.can_push(number_)) {
    l1_.refused();
    lsu_refused();
    return;
  }
  const auto [taken, done] = lsu_offer(now);
  lsu_no_room_ = kNone;
  if (!taken) {
    // Lines of private memory take MSHRs: with them it may lack one the next time.
    if (lsu_op_ == Op::load && !local_.on() && l1_.lacked_room()) lsu_no_room_ = coalescer_[lsu_next_].line;
    lsu_refused();
    return;
  }
  lsu_stalled_ = false;
  ++context_.progress;
  ++lsu_next_;
  lsu_busy_ = lsu_next_ < lsu_count_;
  if (!lsu_busy_) {
    runnable_.absorb(lsu_waiting_);
  } else if (lsu_op_ == Op::load) {
    l1_.expect(coalescer_.number(lsu_next_));
    prefetch(&coalescer_[lsu_next_]);
  }
  if (done != kNever) complete(now, lsu_slot_, done);
}

/// Loads that waited in the L1 go before new ones.
void Sm::replay_step(Cycle now) {
  if (lsu_waits() || l1_taken(now)) return;
  std::uint32_t slot = kNone;
  const L1Cache::Answer answer = l1_.replay(now, slot);
  if (!answer.taken) return lsu_refused();
  lsu_stalled_ = false;
  ++context_.progress;
  if (answer.done != kNever) complete(now, slot, answer.done);
}

void Sm::issue(Cycle now, std::uint32_t w) {
  Warp& warp = warps_[w];
  Block& block = blocks_[warp.block];
  const std::uint32_t pc = warp.pc;
  const simt::WarpInstr& instr = warp.trace->instrs[pc];
  ++stats_.warp_instructions;
  stats_.thread_instructions += simt::count_lanes(instr.mask);
  Cycle done = now + 1;
  switch (instr.op) {
    case Op::alu:
    case Op::sfu:
    case Op::shared:
    case Op::constant: {
      if (!units_.simple()) {
        if (issue_to_unit(now, w, instr, done)) break;
        return;
      }
      done = now + units_.latency(instr.op);
      if (++warp.repeat < instr.count) {  // the next of `count` dependent instructions
        set_ready(w, done);
        return;
      }
      warp.repeat = 0;
      break;
    }
    case Op::barrier:
      warp.done[pc] = now + 1;
      ++warp.pc;
      set_ready(w, kNever);
      warp.at_barrier = true;
      ++block.waiting;
      if (block.waiting == block.live) open_barrier(now, block, warp.block);
      return;
    default: {
      if (is_local(instr.op)) {
        local_.issue(*warp.trace, instr, w);
        lsu_count_ = local_.size();
      } else {
        ++stats_.memory_instructions;
        Counter& kind = instr.op == Op::load ? stats_.loads : instr.op == Op::store ? stats_.stores : stats_.atomics;
        ++kind;
        coalescer_.split(*warp.trace, instr);
        lsu_count_ = coalescer_.size();
        stats_.line_requests += lsu_count_;
      }
      const std::uint32_t lines = lsu_count_;
      if (lines == 0) break;  // no active lane
      lsu_busy_ = true;
      if (p_.lsu_fair) lsu_turn_ = (w / per_scheduler_ + 1) % p_.schedulers;
      lsu_stalled_ = false;
      lsu_op_ = instr.op;
      lsu_atomic_ = instr.atomic;
      lsu_next_ = 0;
      if (instr.op == Op::store || instr.op == Op::local_store) break;
      lsu_slot_ = slots_.take();
      slots_[lsu_slot_] = {w, pc, lines, 0};
      ++warp.outstanding;
      done = kNever;
    }
  }
  warp.done[pc] = done;
  if (done != kNever) warp.last_done = std::max(warp.last_done, done);
  ++warp.pc;
  if (warp.pc < warp.trace->instrs.size()) {
    find_ready(now, w);
  } else {
    leave(now, w);
  }
}

/// False while more of the instruction's group is to come; `done`: when the group's result is there.
bool Sm::issue_to_unit(Cycle now, std::uint32_t w, const simt::WarpInstr& instr, Cycle& done) {
  Warp& warp = warps_[w];
  const Cycle result = units_.issue(now, w / per_scheduler_, instr, warp.repeat);
  warp.group_done = warp.repeat ? std::max(warp.group_done, result) : result;
  if (++warp.repeat < instr.count) {
    // The share that waits is spread evenly over the group.
    const std::uint32_t r = warp.repeat;
    const bool waits = r * p_.alu_chain / 100 != (r - 1) * p_.alu_chain / 100;
    set_ready(w, waits ? result : now + 1);
    gate_[w] = units_.gate(instr, r);
    return false;
  }
  warp.repeat = 0;
  done = warp.group_done;
  return true;
}

void Sm::open_barrier(Cycle now, Block& block, std::uint32_t index) {
  block.waiting = 0;
  ++stats_.barriers;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    Warp& warp = warps_[w];
    if (!warp.trace || warp.block != index || !warp.at_barrier) continue;
    warp.at_barrier = false;
    if (warp.pc < warp.trace->instrs.size())
      find_ready(now, w);
    else
      leave(now, w);
    context_.wakes.wake(id_, now + 1);
  }
}

/// The warp has issued its last instruction: it no longer counts for barriers.
void Sm::leave(Cycle now, std::uint32_t w) {
  Warp& warp = warps_[w];
  Block& block = blocks_[warp.block];
  set_ready(w, kNever);
  --block.live;
  if (block.waiting && block.waiting == block.live) open_barrier(now, block, warp.block);
  if (warp.outstanding == 0) retire(now, w);
}

/// The warp has issued everything and all its loads are back.
void Sm::retire(Cycle now, std::uint32_t w) {
  Warp& warp = warps_[w];
  Block& block = blocks_[warp.block];
  warp.trace = nullptr;
  free_warps_.push_back(w);
  block.end = std::max(block.end, warp.last_done);
  if (--block.running) return;
  block.end = std::max(block.end, now + 1);
  next_release_ = std::min(next_release_, block.end);
  context_.wakes.wake(id_, block.end);
}

void Sm::release_blocks(Cycle now) {
  next_release_ = kNever;
  for (Block& block : blocks_) {
    if (!block.used || block.running) continue;
    if (block.end > now) {
      next_release_ = std::min(next_release_, block.end);
      continue;
    }
    block.used = false;
    free_threads_ += block.threads;
    free_registers_ += block.registers;
    free_shared_ += block.shared;
    --resident_;
    ++finished_;
  }
}

void Sm::flush_private(Cycle now) {
  local_.flush(now);
  if (!local_.idle()) context_.wakes.wake(id_, now + 1);
}

std::string Sm::describe() const {
  if (idle()) return "";
  return fmt::format("SM {}: {} blocks, {} packets under way, {}{}\n", number_, resident_, l1_.under_way(),
                     l1_.describe() + local_.describe(), lsu_stalled_ ? ", LSU held up by the L1" : "");
}

}  // namespace warpsieve::memsys
