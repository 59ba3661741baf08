#include "world.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpsieve::dedup {

namespace {
constexpr std::uint64_t kPatience = 60000;  // cycles without a request taken, a reply or a write done
void put(LineData& to, const LineData& from, unsigned mask, const ByteMask& bytes = kAllBytes) {
  for (unsigned b = 0; b < 128; ++b) {
    if ((mask >> (b / 32) & 1) && (bytes[b / 32] >> b % 32 & 1)) to[b] = from[b];
  }
}
ByteMask others(const ByteMask& bytes) { return {~bytes[0], ~bytes[1], ~bytes[2], ~bytes[3]}; }
}  // namespace

LineData host_data(std::uint32_t line) {
  LineData data;
  for (unsigned b = 0; b < 128; ++b) data[b] = static_cast<std::uint8_t>(line * 7 + b + 0x80);
  return data;
}

LineData flat(std::uint32_t word) {
  LineData data;
  for (unsigned b = 0; b < 128; ++b) data[b] = static_cast<std::uint8_t>(word >> (8 * (b % 4)));
  return data;
}

LineData pattern(unsigned k) {
  LineData data;
  for (unsigned b = 0; b < 128; ++b) data[b] = static_cast<std::uint8_t>(37 * k + 11 * (b / 32) + b % 32 + 1);
  return data;
}

DedupUnitParams quick_unit() {
  DedupUnitParams p = tiny_unit();
  p.hash_cycles_per_chunk = 0;
  p.metadata_cycles = 0;
  p.hasher.steps_per_cycle = 4;
  return p;
}

DedupUnitParams odd_unit() {
  DedupUnitParams params = tiny_unit();
  params.dedup = odd_dedup;
  params.config.total_lines = 45;
  params.config.spare_lines = 3;
  params.store = {.sets = 2,
                  .ways = 3,
                  .hash_bits = 128,
                  .ref_bits = 10,
                  .count_bits = 4,
                  .domain_bits = 1,
                  .ref_sets = 4,
                  .ref_ways = 3};
  for (auto& cache : params.caches) cache.index_bits = 10;
  return params;
}

DedupUnitBackends control_in_shadow() {
  DedupUnitBackends backends;
  backends.dedup = Backend::shadow;
  return backends;
}

std::uint64_t lookups(const World& world) {
  std::uint64_t sum = 0;
  for (const std::uint64_t requests : world.stats().requests) sum += requests;
  return sum;
}

void wait(World& world, unsigned cycles) {
  for (unsigned k = 0; k < cycles; ++k) world.step();
}

World::World(const DedupUnitParams& params, const DedupUnitBackends& backends, const Knobs& knobs,
             const DedupFaults& faults)
    : params_(params), knobs_(knobs), unit_(params, backends, "dedup_unit", faults), random_(knobs.seed),
      lines_(params.config.total_lines - params.config.spare_lines) {}

void World::fail(std::string text) {
  if (errors.size() < 20) errors.push_back(fmt::format("cycle {}: {}", cycle_, text));
}

void World::reply(std::uint32_t tag, unsigned mask, const LineData& data, const char* from) {
  last_progress_ = cycle_;
  const auto it = reads_.find(tag);
  if (it == reads_.end()) return fail(fmt::format("{} for tag {} nobody waits for", from, tag));
  Outstanding& read = it->second;
  if ((mask & ~read.left) != 0 || mask == 0) {
    return fail(fmt::format("{} line {} sectors {:x}, waiting for {:x}", from, read.line, mask, read.left));
  }
  if (masked(data, mask) != masked(read.expected, mask)) {
    fail(fmt::format("{} line {} sectors {:x}: data differ from the oracle", from, read.line, mask));
  }
  put(read.got, data, mask);
  read.left &= ~mask;
  if (read.left) return;
  last_read_ = read.got;
  if (read.install) {
    L2Line& line = l2_[read.line];
    const unsigned evicting = wr_offer_ && wr_offer_->line == read.line ? wr_offer_->mask : 0u;
    const unsigned fill = read.wanted & ~read.stale & ~evicting & ~line.valid & 0xf;
    put(line.data, read.expected, fill, others(line.bytes));  // errors are reported above, not spread
    line.valid |= fill;
  }
  reads_.erase(it);
}

ProbeRsp World::look(std::uint32_t id, std::uint32_t line, unsigned mask) {
  ProbeRsp rsp{id, 0, {}};
  if (line >= lines_) return rsp;
  const L2Line& l = l2_[line];
  dirty_probes += (mask & l.dirty) != 0;
  rsp.mask = mask & l.valid & ~l.dirty & 0xf;
  rsp.data = masked(l.data, rsp.mask);
  return rsp;
}

void World::take_outputs() {
  if (const L2Rsp* rsp = unit_.l2().front(); rsp && chance(knobs_.accept_percent)) {
    static constexpr const char* names[] = {"forward", "intra reply", "copy"};
    sources_.push_back(rsp->source);
    (rsp->source == Source::copy ? copies : rsp->source == Source::intra ? intras : forwards) += 1;
    reply(rsp->tag, rsp->mask, rsp->data, names[static_cast<unsigned>(rsp->source)]);
    unit_.l2().pop();
  }
  if (const DramReq* req = unit_.dram().front(); req && !hold_dram && chance(knobs_.accept_percent)) {
    dram_log_.push_back(*req);
    last_progress_ = cycle_;
    if (req->line >= params_.config.total_lines || req->mask == 0) {
      fail(fmt::format("bad DRAM request: {}", describe(*req)));
    } else if (req->kind == DramKind::write) {
      put(dram(req->line), req->data, req->mask, req->bytes);
    } else if (req->kind == DramKind::dedup_read || req->kind == DramKind::verify_read) {
      unit_answers_.push_back({later(), req->tag, req->mask, masked(dram(req->line), req->mask)});
    } else {
      slot_reads += req->kind == DramKind::slot_read;
      dram_answers_.push_back({later(), req->tag, req->mask, dram(req->line)});
    }
    unit_.dram().pop();
  }
  for (unsigned k = 0; k < kMetas; ++k) {
    const auto* req = unit_.meta_mem_req(k).front();
    if (!req || !chance(knobs_.accept_percent)) continue;
    auto [it, fresh] = meta_[k].try_emplace(req->sector);
    if (fresh) it->second = unit_.initial_metadata(k, req->sector);
    if (req->write)
      it->second = req->data;
    else
      meta_answers_[k].push_back({later(), {req->sector, it->second}});
    unit_.meta_mem_req(k).pop();
  }
  if (const ProbeReq* req = unit_.probe().front(); req && chance(knobs_.accept_percent)) {
    const bool late = chance(50);
    probes_.push_back({later(), look(req->id, req->line, req->mask), req->line, req->mask, late});
    unit_.probe().pop();
  }
  done_.reset();
  if (const DoneEvent* event = unit_.done().front()) {
    done_ = *event;
    last_progress_ = cycle_;
  }
}

void World::give_answers() {
  for (std::size_t k = 0; k < dram_answers_.size() && !hold_reads;) {
    if (dram_answers_[k].due <= cycle_) {
      const Answer a = dram_answers_[k];
      dram_answers_.erase(dram_answers_.begin() + static_cast<std::ptrdiff_t>(k));
      reply(a.tag, a.mask, a.data, "DRAM read");
    } else {
      ++k;
    }
  }
  if (!unit_answers_.empty() && chance(knobs_.accept_percent)) {  // in any order
    const std::size_t at = random_() % unit_answers_.size();
    const Answer& a = unit_answers_[at];
    if (a.due <= cycle_ && unit_.dram_rsp().push({a.data, a.tag}))
      unit_answers_.erase(unit_answers_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  for (unsigned k = 0; k < kMetas; ++k) {
    if (meta_answers_[k].empty() || (k == meta_lent && hold_lent)) continue;
    const std::size_t at = random_() % meta_answers_[k].size();
    if (meta_answers_[k][at].due > cycle_ || !unit_.meta_mem_rsp(k).push(meta_answers_[k][at].rsp)) continue;
    meta_answers_[k].erase(meta_answers_[k].begin() + static_cast<std::ptrdiff_t>(at));
  }
  if (!probes_.empty() && !hold_probe) {
    const std::size_t at = random_() % probes_.size();
    Probe& probe = probes_[at];
    if (probe.due <= cycle_ && chance(knobs_.accept_percent)) {
      if (probe.late) probe.rsp = look(probe.rsp.id, probe.line, probe.mask);
      if (unit_.probe_rsp().push(probe.rsp)) probes_.erase(probes_.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
}

void World::offer_requests() {
  // A write taken in the same cycle is not seen by the read.
  if (rd_offer_) {
    while (reads_.contains(next_tag_)) next_tag_ = (next_tag_ + 1) % 1024;
    rd_offer_->tag = next_tag_;
    if (unit_.rd().push(*rd_offer_)) {
      reads_[next_tag_] = {
          rd_offer_->line, rd_offer_->mask, rd_offer_->mask, oracle(rd_offer_->line), install_, 0, {}};
      next_tag_ = (next_tag_ + 1) % 1024;
      rd_offer_.reset();
      last_progress_ = cycle_;
    }
  }
  if (wr_offer_ && unit_.wr().push(*wr_offer_)) {
    put(oracle(wr_offer_->line), wr_offer_->data, wr_offer_->mask, wr_offer_->bytes);
    some_writes += partly(wr_offer_->mask, wr_offer_->bytes) != 0;
    domain_[wr_offer_->line] = wr_offer_->domain;
    for (auto& [tag, read] : reads_) {
      if (read.line == wr_offer_->line) read.stale |= wr_offer_->mask;
    }
    wr_offer_.reset();
    last_progress_ = cycle_;
  }
}

void World::step() {
  take_outputs();
  give_answers();
  offer_requests();
  unit_.tick();
  ++cycle_;
  if (cycle_ - last_progress_ > kPatience && !stuck) {
    stuck = true;
    fail("no progress");
  }
}

void World::until_taken() {
  for (unsigned k = 0; k < 20000 && (rd_offer_ || wr_offer_); ++k) step();
  if (rd_offer_ || wr_offer_) fail("offer never taken");
}

bool World::outstanding() const {
  const auto any = [](const auto& answers) { return !answers.empty(); };
  return rd_offer_ || wr_offer_ || any(reads_) || any(dram_answers_) || any(unit_answers_) || any(probes_) ||
         std::ranges::any_of(meta_answers_, any) || !unit_.idle();
}

void World::drain() {
  // Silence proves nothing: a scan for a free slot goes through hundreds of lines without a word to the outside.
  last_progress_ = cycle_;
  while (!stuck && outstanding()) step();
}

DoneEvent World::write(std::uint32_t line, unsigned mask, const LineData& data, unsigned domain,
                       const ByteMask& bytes) {
  offer_write(line, mask, data, domain, bytes);
  std::optional<DoneEvent> event;
  for (unsigned k = 0; k < 20000 && !event; ++k) {
    step();
    event = done_;
  }
  if (!event) fail("write without end");
  return event.value_or(DoneEvent{});
}

LineData World::read(std::uint32_t line, unsigned mask) {
  sources_.clear();
  offer_read(line, mask);
  for (unsigned k = 0; k < 20000 && (rd_offer_ || !reads_.empty()); ++k) step();
  if (!reads_.empty()) fail("read without end");
  return last_read_;
}

std::vector<DramReq> World::take_dram_log() { return std::exchange(dram_log_, {}); }

void World::l2_hold(std::uint32_t line, unsigned mask) {
  L2Line& l = l2_[line];
  put(l.data, oracle(line), mask);
  l.valid |= mask;
  l.dirty &= ~mask;
  for (unsigned s = 0; s < 4; ++s)
    if (mask >> s & 1) l.bytes[s] = 0;
}

void World::store(L2Line& l, std::uint32_t number, unsigned mask) {
  const LineData data = random_content(number);
  const bool some = chance(knobs_.some_percent);
  for (unsigned s = 0; s < 4; ++s) {
    if (!(mask >> s & 1)) continue;
    ByteMask bytes = kAllBytes;
    if (some && random_() % 8) bytes[s] = 0xffu << random_() % 32;
    if (some && random_() % 4 == 0) bytes[s] = static_cast<std::uint32_t>(random_() | 1);
    put(l.data, data, 1u << s, bytes);
    l.dirty |= 1u << s;
    l.bytes[s] |= bytes[s];
    if (l.bytes[s] == ~0u) l.valid |= 1u << s;
  }
}

void World::evict(L2Line& l, std::uint32_t number) {
  ByteMask bytes = kAllBytes;
  LineData data = l.data;
  for (unsigned b = 0; b < 128; ++b) {
    if (l.valid >> b / 32 & 1) continue;
    bytes[b / 32] = l.bytes[b / 32];
    if (!(bytes[b / 32] >> b % 32 & 1)) data[b] = static_cast<std::uint8_t>(0xa5 ^ b);
  }
  offer_write(number, l.dirty, data, knobs_.domains > 1 ? random_() % knobs_.domains : 0, bytes);
}

LineData World::random_content(std::uint32_t line) {
  if (chance(knobs_.flat_percent)) {
    // Zero and 1.0 as programs have them; the others so that no bit of the value goes unseen.
    const auto word = static_cast<std::uint32_t>(random_());
    return flat(word % 3 == 0 ? 0 : word % 7 < 4 ? 0x3f800000 : word);
  }
  if (chance(5)) return oracle(line);  // often silent
  if (!chance(knobs_.fresh_percent)) return pattern(random_() % knobs_.patterns);
  LineData data = pattern(100);
  const std::uint64_t stamp = ++unique_;
  for (unsigned b = 0; b < 128; b += 8)
    std::copy_n(reinterpret_cast<const std::uint8_t*>(&stamp), 8, data.begin() + b);
  data[random_() % 128] ^= 0x55;
  return data;
}

void World::random_operation() {
  install_ = true;
  dram_log_.clear();
  sources_.clear();
  if (chance(2)) hot_ = random_line();
  std::uint32_t line = random_line();
  if (chance(knobs_.hot_percent)) {
    line = hot_ + random_() % 3 * knobs_.stride;
    if (line >= lines_) line -= 3 * knobs_.stride;
  }
  L2Line& l = l2_[line];
  const unsigned some = random_() & knobs_.sectors;
  const unsigned mask = chance(knobs_.full_percent) || !some ? knobs_.sectors : some;
  const bool reading = chance(knobs_.read_percent);
  const unsigned what = random_() % 100;
  const bool evicting = wr_offer_ && wr_offer_->line == line;
  if (reading) {  // read what the L2 does not hold; wait while an eviction of the line is on offer
    const unsigned missing = mask & ~l.valid & 0xf;
    if (!rd_offer_ && missing && !evicting) {
      offer_read(line, missing);
      ++operations;
    }
  } else if (what < 50) {  // store to the L2: newer than anything below
    if (!evicting) {
      store(l, line, mask);
    }
  } else if (what < 90) {  // evict the line: dirty sectors go down
    if (!wr_offer_ && (l.valid | l.dirty) && !(rd_offer_ && rd_offer_->line == line)) {
      if (l.dirty) {
        evict(l, line);
        ++operations;
      }
      l = {};
    }
  } else if (l.valid & ~l.dirty & 0xf) {  // clean sectors may leave at any time
    const unsigned gone = mask & ~l.dirty & 0xf;
    l.valid &= ~gone;
  }
  const unsigned cycles = 1 + (knobs_.gap ? random_() % knobs_.gap : 0);
  for (unsigned k = 0; k < cycles; ++k) step();
}

void World::check_all() {
  install_ = false;
  l2_.clear();
  std::map<std::pair<std::uint32_t, unsigned>, std::uint32_t> users;  // sector in DRAM -> a line whose data it is
  for (std::uint32_t line = 0; line < lines_ && !stuck; line += knobs_.stride) {
    dram_log_.clear();
    if (read(line, 0xf) != oracle(line)) fail(fmt::format("line {} at the end", line));
    for (const DramReq& req : dram_log_) {
      for (unsigned s = 0; s < 4; ++s) {
        if (!(req.mask >> s & 1)) continue;
        const auto [user, first] = users.try_emplace({req.line, s}, line);
        if (first) continue;
        ++shared;
        if (params_.dedup.domain_bits && domain_[user->second] != domain_[line])
          fail(fmt::format("lines {} and {} of two domains share sector {} of {}", user->second, line, s, req.line));
      }
    }
  }
}

void stress(World& world, unsigned operations) {
  while (world.operations < operations && world.errors.empty()) world.random_operation();
  world.drain();
  if (!world.stuck) world.check_all();
}

}  // namespace warpsieve::dedup
