// The members of SafeWorld; for safe_world.h only.
#pragma once

#include "safe_world.h"

namespace warpsieve::dedup_safe {

template <class V>
SafeWorld<V>::SafeWorld(std::uint32_t seed, const SafeKnobs& knobs)
    : knobs_(knobs), random_(seed), rtl_("dedup_safe") {
  auto& t = top();
  t.cfg_car_i = t.cfg_hash_i = 1;
  t.cfg_verify_i = t.cfg_region_i = knobs.verify;
  t.cfg_pass_i = knobs.bytes;
  t.cfg_sleep_i = knobs.sleep;
  t.power_good_i = 0;
  t.cfg_bypass_level_i = 0;
  t.cfg_total_lines_i = static_cast<decltype(t.cfg_total_lines_i + 0)>(knobs.total);
  t.cfg_spare_lines_i = static_cast<decltype(t.cfg_spare_lines_i + 0)>(knobs.spare);
  for (unsigned word = 0; word < 4; ++word) t.cfg_hash_key_i[word] = 0x9e3779b9u * (word + 1);
  t.psel_i = t.penable_i = t.pwrite_i = 0;
  t.drain_i = t.warm_i = 0;
  t.flip_table_i = 0;
  t.flip_i = 0;
  cold_reset(true);
}

template <class V>
LineData& SafeWorld<V>::at(Lines& lines, unsigned line) {
  const auto [place, fresh] = lines.try_emplace(line);
  if (fresh)
    for (unsigned b = 0; b < 128; ++b) place->second[b] = static_cast<std::uint8_t>(line * 7 + b + 0x80);
  return place->second;
}

template <class V>
void SafeWorld<V>::cold_reset(bool noise) {
  l2_resets();
  to_unit_.clear();
  brought_.reset();
  for (Memory& memory : memory_) memory.fetches.clear();
  if (noise) {
    for (Memory& memory : memory_)
      for (unsigned sector = 0; sector < 128; ++sector)
        for (auto& byte : memory.sectors[sector]) byte = static_cast<std::uint8_t>(random_());
  }
  oracle_ = dram_;  // each line at home
  lower();
  drain = warm = false;
  top().drain_i = top().warm_i = top().power_good_i = 0;
  powered_ = 0;
  rtl_.reset();
  reads = writes = commits = l2_replies = intra = duplicates = unique = 0;
  flags.fill(0);
  drops_ = read_on_offer_ = false;
}

template <class V>
void SafeWorld<V>::l2_resets() {
  rd_.reset();
  wr_.reset();
  outstanding_.clear();
  to_l2_.clear();
  probes_.clear();
  held_.clear();
}

template <class V>
void SafeWorld<V>::put(LineData& to, const LineData& from, unsigned mask, const ByteMask& bytes) {
  for (unsigned b = 0; b < 128; ++b)
    if ((mask >> b / 32 & 1) && (bytes[b / 32] >> b % 32 & 1)) to[b] = from[b];
}

template <class V>
LineData SafeWorld<V>::content() {
  LineData data;
  const unsigned what = static_cast<unsigned>(random_() % 8);
  if (what < 2) {  // all words alike
    const auto word = static_cast<std::uint32_t>(what ? random_() : 0x3f800000u);
    for (unsigned b = 0; b < 128; ++b) data[b] = static_cast<std::uint8_t>(word >> 8 * (b % 4));
  } else {  // one of three that repeat, or a new one
    const unsigned seed = what < 7 ? what % 3 : ++fresh_ + 100;
    for (unsigned b = 0; b < 128; ++b)
      data[b] = static_cast<std::uint8_t>(37 * seed + (seed >> 8) + 11 * (b / 32) + b);
  }
  return data;
}

template <class V>
void SafeWorld<V>::lower() {
  auto& t = top();
  t.rd_valid_i = t.wr_valid_i = t.dram_rsp_valid_i = t.probe_rsp_valid_i = 0;
  t.l2_ready_i = t.dram_ready_i = t.probe_ready_i = 0;
  // What stands beside a low valid means nothing.
  t.probe_rsp_mask_i = 15;
  t.probe_rsp_id_i = static_cast<std::uint8_t>(random_() % 2);
  port_from_bytes(t.probe_rsp_data_i, LineData{});
  t.type_mem_req_ready_i = t.mask_mem_req_ready_i = t.addr_mem_req_ready_i = t.lent_mem_req_ready_i = 0;
  t.type_mem_rsp_valid_i = t.mask_mem_rsp_valid_i = t.addr_mem_rsp_valid_i = t.lent_mem_rsp_valid_i = 0;
}

template <class V>
void SafeWorld<V>::reply(unsigned tag, unsigned mask, const LineData& data, const char* from) {
  const auto it = outstanding_.find(tag);
  if (it == outstanding_.end()) return fail(fmt::format("{} for tag {}, which no read has", from, tag));
  Outstanding& read = it->second;
  if (mask == 0 || (mask & ~read.left))
    return fail(fmt::format("{} with sectors {:x} of {:x}", from, mask, read.left));
  if (dedup::masked(data, mask) != dedup::masked(read.expected, mask))
    fail(fmt::format("{} of line {} sectors {:x} differs from the oracle", from, read.line, mask));
  read.left &= ~mask;
  if (read.left) return;
  if (read.fresh) held_[read.line] |= read.wanted;
  outstanding_.erase(it);
}

template <class V>
void SafeWorld<V>::offer(bool reads_asked, bool writes_asked) {
  auto& t = top();
  if (writes_asked && !wr_ && chance(knobs_.write)) {
    dedup::WriteReq write{any_line(), static_cast<std::uint8_t>(random_() % 2 ? 15 : 1 + random_() % 15), content(),
                          0};
    if (knobs_.bytes && random_() % 3 == 0)
      for (auto& bytes : write.bytes) bytes = random_() % 2 ? ~0u : static_cast<std::uint32_t>(random_() | 1);
    held_[write.line] = 0;  // it leaves the L2
    for (auto& [tag, read] : outstanding_) read.fresh = read.fresh && read.line != write.line;
    if (!rd_ || rd_->line != write.line) wr_ = write;
  }
  if (reads_asked && !rd_ && chance(knobs_.read)) {
    const dedup::ReadReq read{any_line(), static_cast<std::uint8_t>(1 + random_() % 15), next_tag_};
    if (!outstanding_.contains(next_tag_) && !(wr_ && wr_->line == read.line)) {
      rd_ = read;
      next_tag_ = (next_tag_ + 1) % 1024;
    }
  }
  if (rd_) {
    t.rd_valid_i = 1;
    t.rd_line_i = rd_->line;
    t.rd_mask_i = rd_->mask;
    t.rd_tag_i = rd_->tag;
    if (t.rd_ready_o) {
      outstanding_[rd_->tag] = {rd_->line, rd_->mask, rd_->mask, at(oracle_, rd_->line)};
      rd_.reset();
      ++reads;
    }
  }
  if (wr_) {
    t.wr_valid_i = 1;
    t.wr_line_i = wr_->line;
    t.wr_mask_i = wr_->mask;
    for (unsigned s = 0; s < 4; ++s) t.wr_bytes_i[s] = wr_->bytes[s];
    port_from_bytes(t.wr_data_i, wr_->data);
    t.wr_domain_i = wr_->domain;
    if (t.wr_ready_o) {
      put(at(oracle_, wr_->line), wr_->data, wr_->mask, wr_->bytes);
      wr_.reset();
      ++writes;
    }
  }
}

template <class V>
void SafeWorld<V>::take_l2_and_dram() {
  auto& t = top();
  if (!t.power_o && (t.l2_valid_o || t.probe_valid_o || t.done_valid_o || (t.dram_valid_o && t.dram_kind_o)))
    fail("a unit that is off does something");
  if (t.l2_valid_o && drops_) fail("a reply for an L2 in reset");
  if (t.l2_valid_o && !warm && chance(knobs_.accept)) {
    LineData data;
    port_to_bytes(t.l2_data_o, data);
    reply(t.l2_tag_o, t.l2_mask_o, data, "reply");
    copies += t.l2_source_o == 2;
    ++l2_replies;
    t.l2_ready_i = 1;
  }
  const bool for_l2 = t.dram_kind_o < 2;
  if (drops_ && t.dram_valid_o && for_l2 && !read_on_offer_) fail("a read of DRAM for an L2 in reset");
  if (!t.dram_valid_o && read_on_offer_) fail("a read of DRAM that was on offer is gone");
  read_on_offer_ = t.dram_valid_o && for_l2;
  if (!t.dram_valid_o || !dram_ticks() || !chance(knobs_.accept)) return;
  requests_while_dropping += drops_;
  read_on_offer_ = false;
  t.dram_ready_i = 1;
  if (t.dram_line_o >= knobs_.total || t.dram_mask_o == 0) return fail("a bad request to DRAM");
  LineData& line = at(dram_, t.dram_line_o);
  if (t.dram_kind_o == static_cast<unsigned>(DramKind::write)) {
    ByteMask bytes;
    for (unsigned s = 0; s < 4; ++s) bytes[s] = t.dram_bytes_o[s];
    LineData data;
    port_to_bytes(t.dram_data_o, data);
    put(line, data, t.dram_mask_o, bytes);
  } else if (for_l2) {
    if (!drops_ && !warm) to_l2_.push_back({later(), {t.dram_tag_o, t.dram_mask_o, line}});
  } else {
    to_unit_.push_back({later(), {t.dram_tag_o, t.dram_mask_o, line}});
  }
}

template <class V>
void SafeWorld<V>::take_probe() {
  auto& t = top();
  if (t.probe_valid_o && drops_) fail("a probe of an L2 in reset");
  if (!t.probe_valid_o || warm || !chance(knobs_.accept)) return;
  t.probe_ready_i = 1;
  const unsigned line = t.probe_line_o;
  const unsigned have = held_[line] & t.probe_mask_o;
  probes_.push_back({later(), {t.probe_id_o, line, t.probe_mask_o, chance(50), have}});
}

template <class V>
void SafeWorld<V>::answer() {
  auto& t = top();
  for (std::size_t k = 0; k < to_l2_.size();) {
    if (to_l2_[k].at > cycle) {
      ++k;
      continue;
    }
    const Read read = to_l2_[k].item;
    to_l2_.erase(to_l2_.begin() + static_cast<std::ptrdiff_t>(k));
    reply(read.tag, read.mask, read.data, "DRAM");
  }
  if (!brought_ && !to_unit_.empty() && dram_ticks() && chance(knobs_.accept)) {  // in any order
    const auto k = to_unit_.begin() + static_cast<std::ptrdiff_t>(random_() % to_unit_.size());
    if (k->at <= cycle) {
      brought_ = k->item;
      to_unit_.erase(k);
    }
  }
  if (brought_) {  // on offer until it is taken
    t.dram_rsp_valid_i = 1;
    t.dram_rsp_tag_i = brought_->tag;
    port_from_bytes(t.dram_rsp_data_i, brought_->data);
    if (t.dram_rsp_ready_o) brought_.reset();
  }
  if (!probes_.empty() && probes_.front().at <= cycle && chance(knobs_.accept)) {
    const Probe& probe = probes_.front().item;
    // What it had is what it has, unless the line has left since.
    const unsigned now = held_[probe.line] & probe.mask;
    t.probe_rsp_valid_i = 1;
    t.probe_rsp_id_i = probe.id;
    t.probe_rsp_mask_i = probe.late ? now : probe.have & now;
    port_from_bytes(t.probe_rsp_data_i, at(oracle_, probe.line));
    if (t.probe_rsp_ready_o) probes_.pop_front();
  }
}

template <class V>
void SafeWorld<V>::memory(unsigned k, unsigned valid, auto& ready, unsigned write, unsigned sector, auto& data,
                          auto& rsp_valid, unsigned rsp_ready, auto& rsp_sector, auto& rsp_data) {
  Memory& memory = memory_[k];
  if (valid && dram_ticks() && chance(knobs_.accept)) {
    ready = 1;
    images += !top().open_o && !top().drained_o;
    if (write)
      port_to_bytes(data, memory.sectors[sector]);
    else
      memory.fetches.push_back({later(), sector});
  }
  if (memory.fetches.empty() || memory.fetches.front().at > cycle || !dram_ticks() || !chance(knobs_.accept)) return;
  rsp_valid = 1;
  rsp_sector = static_cast<std::remove_reference_t<decltype(rsp_sector)>>(memory.fetches.front().item);
  port_from_bytes(rsp_data, memory.sectors[memory.fetches.front().item]);
  if (rsp_ready) memory.fetches.pop_front();
}

template <class V>
void SafeWorld<V>::memories() {
  auto& t = top();
  memory(0, t.type_mem_req_valid_o, t.type_mem_req_ready_i, t.type_mem_req_write_o, t.type_mem_req_sector_o,
         t.type_mem_req_data_o, t.type_mem_rsp_valid_i, t.type_mem_rsp_ready_o, t.type_mem_rsp_sector_i,
         t.type_mem_rsp_data_i);
  memory(1, t.mask_mem_req_valid_o, t.mask_mem_req_ready_i, t.mask_mem_req_write_o, t.mask_mem_req_sector_o,
         t.mask_mem_req_data_o, t.mask_mem_rsp_valid_i, t.mask_mem_rsp_ready_o, t.mask_mem_rsp_sector_i,
         t.mask_mem_rsp_data_i);
  memory(2, t.addr_mem_req_valid_o, t.addr_mem_req_ready_i, t.addr_mem_req_write_o, t.addr_mem_req_sector_o,
         t.addr_mem_req_data_o, t.addr_mem_rsp_valid_i, t.addr_mem_rsp_ready_o, t.addr_mem_rsp_sector_i,
         t.addr_mem_rsp_data_i);
  memory(3, t.lent_mem_req_valid_o, t.lent_mem_req_ready_i, t.lent_mem_req_write_o, t.lent_mem_req_sector_o,
         t.lent_mem_req_data_o, t.lent_mem_rsp_valid_i, t.lent_mem_rsp_ready_o, t.lent_mem_rsp_sector_i,
         t.lent_mem_rsp_data_i);
}

template <class V>
void SafeWorld<V>::step(bool reads_asked, bool writes_asked) {
  auto& t = top();
  lower();
  t.drain_i = drain;
  t.warm_i = warm;
  t.power_good_i = t.power_o && powered_ >= knobs_.supply;
  powered_ = t.power_o ? powered_ + 1 : 0;
  offer(reads_asked, writes_asked);
  take_l2_and_dram();
  take_probe();
  answer();
  memories();
  if (t.done_valid_o) {
    const unsigned outcome = t.done_outcome_o;
    ++commits;
    ++outcomes[outcome];
    for (unsigned k = 0; k < 8; ++k) flags[k] += t.done_flags_o >> k & 1;
    intra += outcome == 0;
    duplicates += outcome == 1 || outcome == 6;
    unique += outcome >= 2 && outcome < 6;
  }
  if (watch) watch();
  rtl_.tick();
  drops_ = warm || (drops_ && !t.open_o);
  ++cycle;
}

template <class V>
bool SafeWorld<V>::until_open() {
  for (unsigned k = 0; k < 200000; ++k) {  // the image of two million lines takes 32,768 sectors
    if (top().open_o) return true;
    step(false);
  }
  fail("it does not open");
  return false;
}

template <class V>
bool SafeWorld<V>::until_rest() {
  for (unsigned k = 0; k < 20000; ++k) {
    if (!top().busy_o && outstanding_.empty() && !rd_ && !wr_) return true;
    step(false);
  }
  fail("it does not come to rest");
  return false;
}

template <class V>
void SafeWorld<V>::offer_read(unsigned line) {
  rd_ = dedup::ReadReq{line, 15, next_tag_};
  next_tag_ = (next_tag_ + 1) % 1024;
}

template <class V>
void SafeWorld<V>::check_line(unsigned line) {
  offer_read(line);
  for (unsigned k = 0; k < 5000 && (rd_ || !outstanding_.empty()); ++k) step(false);
  if (rd_ || !outstanding_.empty()) fail(fmt::format("line {} is not answered", line));
}

template <class V>
void SafeWorld<V>::check_all() {
  if (!until_rest()) return;
  held_.clear();
  for (unsigned k = 0; k < knobs_.used && errors.empty(); ++k) check_line(k * knobs_.stride);
}

/// What is read, and whether it is refused.
template <class V>
std::pair<unsigned, bool> SafeWorld<V>::access(unsigned address, bool write, unsigned value) {
  auto& t = top();
  t.psel_i = 1;
  t.penable_i = 0;
  t.pwrite_i = write;
  t.paddr_i = static_cast<std::uint8_t>(address);
  t.pwdata_i = value;
  step(false);
  t.penable_i = 1;
  if (!t.pready_o) fail("a register that is not ready");
  const std::pair<unsigned, bool> got{t.prdata_o, t.pslverr_o != 0};
  step(false);
  t.psel_i = t.penable_i = t.pwrite_i = 0;
  return got;
}

template <class V>
unsigned SafeWorld<V>::register_at(unsigned word) {
  const auto [value, refused] = access(4 * word, false, 0);
  if (refused) fail(fmt::format("register {} is refused", word));
  return value;
}

template <class V>
void SafeWorld<V>::write_register(unsigned word, unsigned value) {
  if (access(4 * word, true, value).second) fail(fmt::format("a write of register {} is refused", word));
}

template <class V>
bool SafeWorld<V>::refuses(unsigned address, bool write) {
  return access(address, write, 1).second;
}

}  // namespace warpsieve::dedup_safe
