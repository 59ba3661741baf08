#include "memsys/sm/sm.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "memsys/host_prefetch.h"

namespace warpsieve::memsys {

using simt::Op;

Sm::Sm(Context& context, SmStats& stats, L1Stats& l1, LocalStats& local, std::uint32_t number, std::uint32_t wake_id,
       Network& requests, Network& replies, Scheme& scheme)
    : context_(context), stats_(stats), p_(context.profile.sm), number_(number), id_(wake_id), requests_(requests),
      replies_(replies), arrival_(replies.outlets().head(number)), units_(p_), scheduler_(p_, units_),
      l1_(context, l1, number, requests, scheme),
      local_(context, local, number, scheduler_.slots(), l1_, requests, scheme),
      lsu_(context, stats, number, requests, l1_, local_),
      decoder_(scheme.make_reply_decoder(number, context.profile, context.stats)), occupancy_(p_),
      warps_(scheduler_.slots()), blocks_(p_.blocks) {
  for (std::uint32_t w = p_.threads / simt::kLanes; w-- > 0;) free_warps_.push_back(scheduler_.slot(w));
}

void Sm::start(Cycle now, const simt::LaunchShape& shape, simt::BlockTrace&& trace) {
  std::uint32_t b = 0;
  while (blocks_[b].used) ++b;
  Block& block = blocks_[b];
  block.used = true;
  block.trace = std::move(trace);
  block.warps = block.running = block.live = static_cast<std::uint32_t>(block.trace.warps.size());
  block.waiting = 0;
  block.share = Occupancy::share(shape);
  block.end = 0;
  if (block.warps > block.share.threads / simt::kLanes)
    throw std::logic_error(
        fmt::format("kernel {}: block {} has more warps than its shape says", shape.kernel, block.trace.block));
  occupancy_.take(block.share);
  local_.start_block(block.trace.spill_slots);
  was_idle_ = false;
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
    scheduler_.start(w);
    warp.instrs = t.stream();
    warp.results.start();
    if (warp.instrs.empty())
      leave(now, w);
    else
      find_ready(now, w);
  }
}

/// Sets when the warp's instruction at pc can issue; kNever while a source is under way.
void Sm::find_ready(Cycle now, std::uint32_t w) {
  const Warp& warp = warps_[w];
  const simt::WarpInstr& instr = warp.instrs[warp.pc];
  if (instr.op == Op::load || instr.op == Op::store || instr.op == Op::atomic || is_local(instr.op)) {
    scheduler_.set_gate(w, WarpScheduler::kLsuGate);
    if (!is_local(instr.op)) prefetch_addresses(*warp.trace, instr);
  } else {
    const bool open = units_.simple() || instr.op == Op::barrier;
    scheduler_.set_gate(w, open ? Units::kOpen : units_.gate(instr, 0));
  }
  Cycle at = now + 1;
  for (unsigned i = 0; i < instr.sources; ++i) at = std::max(at, warp.results.at(instr.source[i]));
  scheduler_.set_ready(w, at);
}

Sm::Stop Sm::run(Cycle exact, Cycle end, const simt::LaunchShape* blocks) {
  const WakeTimes::Own due = context_.wakes.own(id_);
  for (Cycle now; (now = due.at()) < end;) {
    if (now > exact && requests_.room(number_) < kPlaces) return Stop::network;
    context_.now = ran_ = now;
    due.take(now);
    due.wake(tick(now));
    note_idle(now);
    if (blocks && has_room(*blocks)) return Stop::room;
  }
  return requests_.room(number_) < kPlaces ? Stop::network : Stop::end;
}

Cycle Sm::tick(Cycle now) {
  scheduler_.advance(now);
  if (arrival_.at <= now) take_replies(now);
  if (local_.on()) {
    if (local_.begin(now)) lsu_.retry();
    for (const auto& [load, done] : local_.completed()) complete(now, load, done);
    local_.completed().clear();
  }
  if (lsu_.busy() || lsu_.has_replay()) {
    const LoadStoreUnit::Done step = lsu_.step(now);
    if (step.done != kNever) complete(now, step.slot, step.done);
  }
  const auto [ready, issued] = scheduler_.run(now, lsu_.busy(), [&](std::uint32_t w) { issue(now, w); });
  if (issued) {
    ++stats_.active_cycles;
    ++context_.progress;
  }
  // Memory instructions that are ready wait for the LSU; it makes the next step in the next cycle.
  Cycle next = ready;
  if (!lsu_.stalled() && (lsu_.busy() || lsu_.has_replay())) next = now + 1;
  if (next_release_ <= now) release_blocks(now);
  next = std::min({next, next_release_, arrival_.at});
  if (local_.on()) next = std::min(next, local_.clock(now));
  return next == kNever ? kNever : std::max(next, now + 1);
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
      for (const std::uint32_t load : completed_) complete(now, load, there);
    } else if (p.kind == PacketKind::atomic) {
      complete(now, p.token, there);
    }
    lsu_.retry(p.global_line);
    context_.packets.give(handle);
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
  Load& load = loads_[index];
  load.done = std::max(load.done, done);
  if (--load.remaining) return;
  Warp& warp = warps_[load.warp];
  warp.results.arrive(load.instr, load.done);
  warp.last_done = std::max(warp.last_done, load.done);
  --warp.outstanding;
  const std::uint32_t w = load.warp;
  loads_.give(index);
  if (warp.pc == warp.instrs.size()) {
    if (warp.outstanding == 0 && !warp.at_barrier) retire(now, w);
  } else if (scheduler_.ready(w) == kNever && !warp.at_barrier) {
    find_ready(now, w);
  }
}

void Sm::issue(Cycle now, std::uint32_t w) {
  Warp& warp = warps_[w];
  Block& block = blocks_[warp.block];
  const std::uint32_t pc = warp.pc;
  const simt::WarpInstr& instr = warp.instrs[pc];
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
        scheduler_.set_ready(w, done);
        return;
      }
      warp.repeat = 0;
      break;
    }
    case Op::barrier:
      warp.results.issued(now, now + 1);
      ++warp.pc;
      scheduler_.set_ready(w, kNever);
      warp.at_barrier = true;
      ++block.waiting;
      if (block.waiting == block.live) open_barrier(now, block, warp.block);
      return;
    default: {
      const std::uint32_t accesses = lsu_.issue(*warp.trace, instr, w);
      if (accesses == 0) break;  // no active lane
      scheduler_.took_lsu(w);
      if (instr.op == Op::store || instr.op == Op::local_store) break;
      const std::uint32_t load = loads_.take();
      loads_[load] = {w, pc, accesses, 0};
      lsu_.answer_to(load);
      ++warp.outstanding;
      done = kNever;
    }
  }
  warp.results.issued(now, done);
  if (done != kNever) warp.last_done = std::max(warp.last_done, done);
  ++warp.pc;
  if (warp.pc < warp.instrs.size()) {
    find_ready(now, w);
  } else {
    leave(now, w);
  }
}

/// False while more of the instruction's group is to come; `done`: when the group's result is there.
bool Sm::issue_to_unit(Cycle now, std::uint32_t w, const simt::WarpInstr& instr, Cycle& done) {
  Warp& warp = warps_[w];
  const Cycle result = units_.issue(now, scheduler_.scheduler(w), instr, warp.repeat);
  warp.group_done = warp.repeat ? std::max(warp.group_done, result) : result;
  if (++warp.repeat < instr.count) {
    // The share that waits is spread evenly over the group.
    const std::uint32_t r = warp.repeat;
    const bool waits = r * p_.alu_chain / 100 != (r - 1) * p_.alu_chain / 100;
    scheduler_.set_ready(w, waits ? result : now + 1);
    scheduler_.set_gate(w, units_.gate(instr, r));
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
    if (warp.pc < warp.instrs.size())
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
  scheduler_.set_ready(w, kNever);
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
    block.trace = {};  // here, where SMs run side by side
    occupancy_.give(block.share);
    ++finished_;
  }
}

void Sm::flush_private(Cycle now) {
  local_.flush(now);
  was_idle_ = idle();
  if (!local_.idle()) context_.wakes.wake(id_, now + 1);
}

std::string Sm::describe() const {
  if (idle()) return "";
  return fmt::format("SM {}: {} blocks, {} packets under way, {}{}\n", number_, occupancy_.resident(),
                     l1_.under_way(), l1_.describe() + local_.describe(),
                     lsu_.stalled() ? ", LSU held up by the L1" : "");
}

}  // namespace warpsieve::memsys
