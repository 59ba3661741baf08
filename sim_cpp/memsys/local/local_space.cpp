#include "memsys/local/local_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "core/line_words.h"
#include "simt/lane_pattern.h"

namespace warpsieve::memsys {

using simt::LanePattern;
using simt::Op;

LocalSpace::LocalSpace(Context& context, LocalStats& stats, std::uint32_t sm, std::uint32_t warps, L1Cache& l1,
                       Network& requests, Scheme& scheme)
    : context_(context), stats_(stats), sm_(sm),
      first_(context.map.local_first + sm * LocalLayout::lines(context.profile)),
      lines_(LocalLayout::lines(context.profile)), latency_(context.profile.l1.latency),
      write_back_at_end_(context.profile.local.flush != 0), l1_(l1), in_l1_(l1.private_lines()), requests_(requests),
      port_(lines_ ? scheme.make_local_port(sm, context.stats) : nullptr), layout_(context.profile.local, warps),
      judge_(context, first_, lines_) {
  if (lines_) in_l1_.enable(*this);
}

void LocalSpace::count(const Access& access) {
  if (!access.mask) return;
  const LanePattern pattern = simt::lane_pattern(access.words, access.mask);
  switch (pattern) {
    case LanePattern::zero: ++stats_.zero; break;
    case LanePattern::uniform: ++stats_.uniform; break;
    case LanePattern::affine: ++stats_.affine; break;
    case LanePattern::unaligned: ++stats_.unaligned; [[fallthrough]];
    case LanePattern::generic: ++stats_.generic; break;
  }
  if (!simt::has_no_code(pattern) && sparse(access.mask)) ++stats_.sparse_affine;
}

void LocalSpace::issue(const simt::WarpTrace& trace, const simt::WarpInstr& instr, std::uint32_t warp) {
  accesses_.clear();
  const std::uint8_t* data = trace.data.data() + instr.values;
  const bool is_store = instr.op == Op::local_store;
  for (unsigned w = 0; w < instr.bytes / 4u; ++w) {
    Access& a = accesses_.emplace_back();
    a.line = layout_.line(warp, static_cast<std::uint32_t>(trace.addresses[instr.payload + w]));
    a.mask = instr.mask;
    if (is_store) {
      for (std::uint32_t m = instr.mask; m; m &= m - 1, data += 4)
        std::memcpy(&a.words[static_cast<unsigned>(std::countr_zero(m))], data, 4);
      judge_.store(a.line, a.mask, a.words);
    } else {
      a.words = judge_.content(a.line);
    }
    ++(is_store ? stats_.stores : stats_.loads);
    count(a);
  }
}

void LocalSpace::evicted(Cycle, GlobalLine line, std::uint32_t dirty, const LineData& data) {
  ++stats_.l1_evictions;
  stats_.l1_written_back += sectors_in(dirty);
  write_back(line - first_, dirty, data);
}

void LocalSpace::write_back(std::uint32_t line, std::uint32_t mask, const LineData& data) {
  Transaction& t = transactions_.emplace_back();
  t.write = true;
  t.access.line = global(line);
  t.access.bytes = bytes_of(mask);
  t.access.mask = sectors_of(t.access.bytes);
  t.access.data = data;
}

/// Words of a store just taken are newer than any line under way.
void LocalSpace::overtake(std::uint32_t line, std::uint32_t mask) {
  for (Fetch& f : fetches_)
    if (f.line == line) f.fresh &= ~mask;
}

void LocalSpace::write_l1(Cycle now, const Access& access, std::uint32_t mask, bool dirty) {
  if (!mask) return;
  std::uint32_t way = in_l1_.find(global(access.line));
  if (way == L1Cache::kNone) way = l1_.claim(now, global(access.line));
  in_l1_.touch(way);
  stats_.l1_writes += sectors_in(mask);
  LaneWords words = to_words(in_l1_.data(way).bytes);
  merge(words, access.words, mask);
  in_l1_.data(way).bytes = to_line(words);
  L1PrivateLines::Words& state = in_l1_.words(way);
  state.valid |= mask;
  if (dirty) state.dirty |= mask;
}

void LocalSpace::clear_l1(std::uint32_t line, std::uint32_t mask) {
  const std::uint32_t way = in_l1_.find(global(line));
  if (way == L1Cache::kNone) return;
  L1PrivateLines::Words& state = in_l1_.words(way);
  state.valid &= ~mask;
  state.dirty &= ~mask;
  if (!state.valid) in_l1_.drop(way);
}

/// The part of a load that is not in the port: L1, then a fetch under way, then memory.
LocalSpace::Rest LocalSpace::look_up(Cycle now, const Access& access, std::uint32_t mask, std::uint32_t in_port,
                                     std::uint32_t slot) {
  const std::uint32_t way = in_l1_.find(global(access.line));
  const std::uint32_t valid = way == L1Cache::kNone ? 0 : in_l1_.words(way).valid;
  if (valid & in_port)
    throw std::logic_error(fmt::format("SM {}: private line {}: words {:#x} are valid in the port and in the L1", sm_,
                                       access.line, valid & in_port));
  const std::uint32_t missing = mask & ~valid;
  Fetch* fetch = nullptr;
  if (missing) {
    for (Fetch& f : fetches_) {
      if (f.line != access.line || f.in_port) continue;
      if ((missing & ~f.fresh) || (!f.arrived && f.waiting.size() >= context_.profile.l1.merges)) {
        if (f.arrived) continue;
        return Rest::held_up;  // reads memory again once this one is back
      }
      fetch = &f;
    }
    if (!fetch && (transactions_.size() >= kTransactions || l1_.mshrs().full())) return Rest::held_up;
  }
  stats_.l1_reads += sectors_in(mask);
  if (mask & valid) {
    in_l1_.touch(way);
    judge_.check(now, access.line, mask & valid, access.words, to_words(in_l1_.data(way).bytes));
  }
  if (!missing) return Rest::here;
  if (fetch) {
    ++stats_.merged;
    fetch->wanted |= missing;
    if (fetch->arrived) {
      judge_.check(now, access.line, missing, access.words, fetch->words);
      return Rest::here;
    }
  } else {
    fetch = &fetches_.emplace_back();
    fetch->line = access.line;
    fetch->mshr = l1_.mshrs().take_unlinked();
    fetch->wanted = missing;
    fetch->fresh = ~in_port & ~valid;
    fetch->full = port_ && port_->fill_full();
    for (const Sent& s : sent_)  // those behind this load
      if (s.op == LocalOp::store && s.access.line == access.line) fetch->fresh &= ~s.access.mask;
    Transaction& t = transactions_.emplace_back();
    t.access.line = global(access.line);
    t.access.mask = kAllSectors;
    t.mshr = fetch->mshr;
  }
  fetch->waiting.push_back({slot, access});
  fetch->waiting.back().access.mask = missing;
  return Rest::waits;
}

L1Cache::Answer LocalSpace::load(Cycle now, std::uint32_t i, std::uint32_t slot) {
  const Access& access = accesses_[i];
  if (port_) {
    if (pushed_ || !port_->ready() || sent_.size() >= kRequests) {
      ++stats_.stalls;
      return {};
    }
    push({LocalOp::load, access, slot, nullptr});
    return {true, kNever};
  }
  const Rest rest = look_up(now, access, access.mask, 0, slot);
  if (rest == Rest::held_up) {
    ++stats_.stalls;
    return {};
  }
  if (rest == Rest::here) ++stats_.hits;
  return {true, rest == Rest::here ? now + latency_ : kNever};
}

bool LocalSpace::store(Cycle now, std::uint32_t i) {
  const Access& access = accesses_[i];
  const bool room =
      port_ ? !pushed_ && port_->ready() && sent_.size() < kRequests : transactions_.size() < kTransactions;
  if (!room) {
    ++stats_.stalls;
    return false;
  }
  overtake(access.line, access.mask);
  if (port_)
    push({LocalOp::store, access, 0, nullptr});
  else
    write_l1(now, access, access.mask, true);
  return true;
}

void LocalSpace::push(const Sent& sent) {
  port_->push({sent.op, sent.access.line, sent.access.mask, sent.access.words});
  sent_.push_back(sent);
  pushed_ = true;
}

/// A line that has arrived is offered to the port; its mask is settled only now.
void LocalSpace::push_fill() {
  if (!port_->ready()) return;
  for (Fetch& f : fetches_) {
    if (!f.arrived || f.in_port) continue;
    const std::uint32_t mask = f.full ? f.fresh : f.fresh & f.wanted;
    if (!mask) {
      erase(f);
      return;
    }
    f.in_port = true;
    ++stats_.fills;
    push({LocalOp::fill, {f.line, mask, f.words}, 0, &f});
    return;
  }
}

void LocalSpace::erase(const Fetch& fetch) {
  fetches_.remove_if([&](const Fetch& f) { return &f == &fetch; });
}

void LocalSpace::reply(Cycle now, const Packet& reply, Cycle there) {
  const auto it = std::find_if(fetches_.begin(), fetches_.end(),
                               [&](const Fetch& f) { return !f.arrived && f.mshr == reply.token; });
  if (it == fetches_.end() || global(it->line) != reply.global_line || reply.mask != kAllSectors)
    throw std::logic_error(fmt::format("private memory of SM {}: reply without a request", sm_));
  Fetch& f = *it;
  l1_.mshrs().give_unlinked(f.mshr);
  f.arrived = true;
  f.words = to_words(reply.data.bytes);
  for (const Waiting& w : f.waiting) {
    judge_.check(now, f.line, w.access.mask, w.access.words, f.words);
    completed_.emplace_back(w.slot, there);
  }
  f.waiting.clear();
  if (port_) return;
  const std::uint32_t way = in_l1_.find(reply.global_line);
  const std::uint32_t valid = way == L1Cache::kNone ? 0 : in_l1_.words(way).valid;
  write_l1(now, {f.line, 0, f.words}, f.fresh & ~valid, false);
  erase(f);
}

bool LocalSpace::handle(Cycle now, const LocalAnswer& answer) {
  if (transactions_.size() >= kTransactions) return false;
  if (answer.write_back) {
    const std::uint32_t way = in_l1_.find(global(answer.line));
    LaneWords words = answer.words;
    std::uint32_t mask = answer.mask;
    if (way != L1Cache::kNone) {
      const L1PrivateLines::Words& state = in_l1_.words(way);
      if (state.valid & mask)
        throw std::logic_error(
            fmt::format("SM {}: private line {}: words {:#x} leave the port and are valid in the L1", sm_,
                        answer.line, state.valid & mask));
      merge(words, to_words(in_l1_.data(way).bytes), state.dirty);
      stats_.l1_written_back += sectors_in(state.dirty);
      mask |= state.dirty;
      in_l1_.drop(way);
    }
    if (!sent_.empty() && sent_.front().op != LocalOp::flush)
      ++(sent_.front().access.line == answer.line ? stats_.conflicts : stats_.vectors_evicted);
    LineData data;
    data.bytes = to_line(words);
    write_back(answer.line, mask, data);
    return true;
  }
  if (sent_.empty()) throw std::logic_error("private memory: an answer too many from the port");
  const Sent sent = sent_.front();
  sent_.pop_front();
  switch (sent.op) {
    case LocalOp::load: {
      const std::uint32_t hit = sent.access.mask & answer.mask;
      const std::uint32_t rest = sent.access.mask & ~hit;
      const Rest result = rest ? look_up(now, sent.access, rest, answer.mask, sent.slot) : Rest::here;
      if (result == Rest::held_up) {
        sent_.push_front(sent);
        ++stats_.stalls;
        return false;
      }
      judge_.check(now, sent.access.line, hit, sent.access.words, answer.words);
      if (!rest) ++stats_.port_hits;
      if (rest && hit) ++stats_.partial_hits;
      if (result == Rest::here) {
        ++stats_.hits;
        completed_.emplace_back(sent.slot, now + latency_ - 1);
      }
      return true;
    }
    case LocalOp::store:
      if (answer.kept) {
        ++stats_.stores_kept;
        clear_l1(sent.access.line, answer.mask);
      } else {
        write_l1(now, sent.access, sent.access.mask, true);
      }
      return true;
    case LocalOp::fill: return filled(now, sent, answer);
    case LocalOp::flush: flush_l1(); return true;
  }
  return true;
}

bool LocalSpace::filled(Cycle now, const Sent& sent, const LocalAnswer& answer) {
  Fetch& f = *sent.fetch;
  f.in_port = false;
  const bool again = !answer.kept && std::exchange(f.full, false) && (f.fresh & f.wanted) != sent.access.mask;
  if (again) return true;  // the words asked for alone are offered next
  if (answer.kept) {
    ++stats_.fills_kept;
    clear_l1(f.line, answer.mask);
  } else {
    const std::uint32_t way = in_l1_.find(global(f.line));
    const std::uint32_t valid = way == L1Cache::kNone ? 0 : in_l1_.words(way).valid;
    write_l1(now, {f.line, 0, f.words}, answer.mask & f.fresh & ~valid, false);
  }
  erase(f);
  return true;
}

/// The head of the queue may go. A write-back waits for a fetch of its line that is under way: the L2 could merge the
/// newer words into the reply of the older read.
bool LocalSpace::can_send() const {
  if (transactions_.empty()) return false;
  const Transaction& t = transactions_.front();
  return !t.write || std::none_of(fetches_.begin(), fetches_.end(), [&](const Fetch& f) {
    return global(f.line) == t.access.line && f.sent && !f.arrived;
  });
}

bool LocalSpace::begin(Cycle now) {
  bool moved = std::exchange(clocked_, false);
  if (can_send() && requests_.can_push(sm_)) {
    const Transaction& t = transactions_.front();
    const std::uint32_t packet =
        l1_.send(now, t.write ? PacketKind::write : PacketKind::read, t.access, t.access.mask);
    if (!t.write) {
      context_.packets[packet].token = t.mshr;
      for (Fetch& f : fetches_)
        if (!f.arrived && f.mshr == t.mshr) f.sent = true;
    }
    ++(t.write ? stats_.write_backs : stats_.fetches);
    transactions_.pop_front();
    ++context_.progress;
    moved = true;
  }
  if (!port_) return moved;
  if (const LocalAnswer* answer = port_->front(); answer && handle(now, *answer)) {
    port_->pop();
    ++context_.progress;
  }
  if (flush_wanted_ && port_->ready() && sent_.empty()) {
    flush_wanted_ = false;
    push({LocalOp::flush, {}, 0, nullptr});
  }
  if (!pushed_) push_fill();
  return moved;
}

Cycle LocalSpace::clock(Cycle now) {
  bool busy = can_send() && requests_.can_push(sm_);
  if (port_) {
    if (pushed_ || !port_->idle()) {
      port_->tick();
      pushed_ = false;
      busy = clocked_ = true;
    }
    busy = busy || flush_wanted_;
    for (const Fetch& f : fetches_) busy = busy || (f.arrived && !f.in_port);
  }
  return busy ? now + 1 : kNever;
}

void LocalSpace::flush_l1() {
  in_l1_.each([this](GlobalLine line, const L1PrivateLines::Words& words, const LineData& data) {
    if (!words.dirty) return;
    stats_.l1_written_back += sectors_in(words.dirty);
    write_back(line - first_, words.dirty, data);
  });
  in_l1_.drop_all();
}

/// Empties port and L1 outside of time; what was dirty must be what was last written.
void LocalSpace::drop_all(Cycle now) {
  const auto drop = [&](std::uint32_t line, std::uint32_t mask, const LaneWords& words) {
    stats_.dropped_words += static_cast<unsigned>(std::popcount(mask));
    judge_.check(now, line, mask, judge_.content(line), words);
  };
  if (port_) {
    port_->push({.op = LocalOp::flush});
    for (bool answered = false; !answered;) {
      port_->tick();
      if (const LocalAnswer* a = port_->front()) {
        answered = !a->write_back;
        if (a->write_back) drop(a->line, a->mask, a->words);
        port_->pop();
      }
    }
    port_->tick();
  }
  in_l1_.each([&](GlobalLine line, const L1PrivateLines::Words& words, const LineData& data) {
    drop(line - first_, words.dirty, to_words(data.bytes));
  });
  in_l1_.drop_all();
}

void LocalSpace::flush(Cycle now) {
  if (!lines_) return;
  if (!write_back_at_end_)
    drop_all(now);
  else if (port_)
    flush_wanted_ = true;
  else
    flush_l1();
}

bool LocalSpace::idle() const {
  return fetches_.empty() && sent_.empty() && transactions_.empty() && !flush_wanted_ && (!port_ || port_->idle());
}

std::string LocalSpace::describe() const {
  return fmt::format(", private memory: {} requests in the port, {} lines on their way, {} transactions to send",
                     sent_.size(), fetches_.size(), transactions_.size());
}

}  // namespace warpsieve::memsys
