// Parts of the model: write buffer, free slots, region filter (rtl/dedup/dedup_write_buffer.sv, slot_alloc.sv,
// dedup_region.sv).
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "blocks/dedup/dedup_model.h"

namespace warpsieve::dedup {

namespace {
void copy_sectors(LineData& to, const LineData& from, unsigned mask) {
  for (unsigned s = 0; s < 4; ++s) {
    if (mask >> s & 1) std::copy_n(from.begin() + 32 * s, 32, to.begin() + 32 * s);
  }
}
void copy_bytes(LineData& to, const LineData& from, unsigned mask, const ByteMask& bytes) {
  for (unsigned b = 0; b < to.size(); ++b)
    if ((mask >> b / 32 & 1) && (bytes[b / 32] >> b % 32 & 1)) to[b] = from[b];
}
}  // namespace

LineData masked(const LineData& data, unsigned mask) {
  LineData out{};
  copy_sectors(out, data, mask);
  return out;
}

LineData masked(const LineData& data, unsigned mask, const ByteMask& bytes) {
  LineData out{};
  copy_bytes(out, data, mask, bytes);
  return out;
}

std::uint8_t partly(unsigned mask, const ByteMask& bytes) {
  unsigned some = 0;
  for (unsigned s = 0; s < 4; ++s) some |= unsigned{bytes[s] != ~0u} << s;
  return static_cast<std::uint8_t>(mask & some);
}

// ---- write buffer -------------------------------------------------------------------------------

void WriteBuffer::reset() {
  for (Entry& entry : entries_) entry.valid = entry.in_process = false;
  near_ = {};
  head_ = tail_ = next_ = count_ = 0;
}

bool WriteBuffer::holds(std::uint32_t line) const {
  if (surely_not(line)) return false;
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.valid && e.line == line; });
}

std::optional<unsigned> WriteBuffer::pending_entry(std::uint32_t line) const {
  if (surely_not(line)) return std::nullopt;
  for (unsigned e = 0; e < entries_.size(); ++e) {
    if (pending(entries_[e]) && entries_[e].line == line) return e;
  }
  return std::nullopt;
}

std::optional<unsigned> WriteBuffer::in_process_entry(std::uint32_t line) const {
  if (surely_not(line)) return std::nullopt;
  for (unsigned e = 0; e < entries_.size(); ++e) {
    if (entries_[e].in_process && entries_[e].line == line) return e;
  }
  return std::nullopt;
}

std::pair<unsigned, std::uint8_t> WriteBuffer::forward(std::uint32_t line, std::uint8_t mask, bool some) const {
  const auto has = [&](unsigned e) { return mask & entries_[e].mask & ~(some ? 0 : entries_[e].some); };
  if (const auto e = pending_entry(line)) return {*e, has(*e)};
  if (const auto e = in_process_entry(line)) return {*e, has(*e)};
  return {0, 0};
}

bool WriteBuffer::pending_some(std::uint32_t line, std::uint8_t mask) const {
  const auto e = pending_entry(line);
  return e && (entries_[*e].some & mask);
}

void WriteBuffer::fill(unsigned entry, const LineData& data, std::uint8_t sectors) {
  copy_sectors(entries_[entry].data, data, sectors);
}

void WriteBuffer::tick(const WriteReq* write, bool take, bool drop) {
  if (write) {
    const auto merge = pending_entry(write->line);
    Entry& entry = entries_[merge ? *merge : tail_];
    const std::uint8_t some = partly(write->mask, write->bytes), whole = merge ? entry.mask & ~entry.some : 0;
    for (unsigned s = 0; s < 4; ++s) {
      if (!(write->mask >> s & 1)) continue;
      const bool fresh = !merge || !(entry.mask >> s & 1);
      entry.bytes[s] = write->bytes[s] | (fresh ? 0 : entry.bytes[s]);
    }
    if (some)
      copy_bytes(entry.data, write->data, write->mask, write->bytes);
    else
      copy_sectors(entry.data, write->data, write->mask);
    entry.some = static_cast<std::uint8_t>(
        ((merge ? entry.some & ~write->mask : 0) | some | (merge ? entry.some & some : 0)) & ~whole);
    entry.domain = write->domain;
    if (merge) {
      entry.mask |= write->mask;
    } else {
      entry.valid = true;
      entry.line = write->line;
      entry.mask = write->mask;
      ++near(entry.line);
      tail_ = (tail_ + 1) % entries_.size();
      ++count_;
    }
  }
  if (take) {
    entries_[next_].in_process = true;
    next_ = (next_ + 1) % entries_.size();
  }
  if (drop) {
    entries_[head_].valid = entries_[head_].in_process = false;
    --near(entries_[head_].line);
    head_ = (head_ + 1) % entries_.size();
    --count_;
  }
}

// ---- groups of slots ----------------------------------------------------------------------------

SlotGroups::SlotGroups(unsigned line_bits, const DedupConfig& config)
    : bits_(line_bits > 10 ? 8 : line_bits / 2), lanes_(1u << std::min(3u, line_bits - bits_)), config_(config),
      counts_(std::size_t{1} << (line_bits - bits_)), lends_(std::size_t{1} << line_bits) {}

void SlotGroups::reset() {
  std::fill(counts_.begin(), counts_.end(), 0);
  lends_.assign(lends_.size(), false);
  for (std::uint32_t line = config_.total_lines - config_.spare_lines; line < config_.total_lines; ++line)
    change(line, true);
  clear_ = counts_.size() / lanes_;
}

void SlotGroups::change(std::uint32_t line, bool up) {
  counts_[group(line)] += up ? 1 : -1;
  lends_[line] = up;
}

std::pair<unsigned, unsigned> SlotGroups::find(unsigned from) const {
  const auto groups = static_cast<unsigned>(counts_.size()), words = groups / lanes_;
  unsigned at = from;
  for (unsigned cycles = 1; cycles <= words + 1; ++cycles) {  // a word per cycle, that of `from` at both ends
    const unsigned end = (at / lanes_ + 1) * lanes_;
    for (; at < end; ++at)
      if (counts_[at] != 0) return {at, cycles};
    at = end % groups;
  }
  throw std::logic_error("dedup: no line can lend its slot");
}

// ---- slot allocator -----------------------------------------------------------------------------

void SlotAlloc::reset() {
  groups_.reset();
  head_ = tail_ = count_ = search_ = 0;
  started_ = tried_ = walking_ = false;
}

void SlotAlloc::lends(std::uint32_t line, bool can) {
  groups_.change(line, can);
  if (!can) tried_ = walking_ = false;
}

void SlotAlloc::check(bool can) const {
  if (config_.fresh && groups_.lends(candidate_) != can)
    throw std::logic_error(fmt::format("dedup: line {:#x} {} lend its slot, its reports say otherwise", candidate_,
                                       can ? "can" : "cannot"));
}

void SlotAlloc::tick() {
  if (groups_.clearing()) groups_.tick();
  if (search_ == 0 || --search_ != 0) return;
  visit(found_ == groups_.group(here()) ? here() : groups_.first(found_), true);
  walking_ = true;
}

void SlotAlloc::visit(std::uint32_t line, bool in_group) {
  candidate_ = line;
  const bool last = line + 1 >= config_.total_lines;
  const bool ends = in_group && (last || groups_.group(line + 1) != groups_.group(line));
  scan_ = ends ? groups_.first(groups_.group(line)) : last ? 0 : line + 1;
}

void SlotAlloc::push(std::uint32_t line) {
  if (count_ == ring_.size()) return;
  ring_[tail_] = line;
  tail_ = (tail_ + 1) % ring_.size();
  ++count_;
}

void SlotAlloc::next() {
  scanned_ = count_ == 0;
  if (scanned_ && tried_ && !walking_ && config_.fresh) {
    std::tie(found_, search_) = groups_.find(groups_.group(here()));
  } else if (scanned_) {
    visit(here(), walking_);
    started_ = tried_ = true;
  } else {
    candidate_ = ring_[head_];
    head_ = (head_ + 1) % ring_.size();
    --count_;
  }
}

// ---- region filter ------------------------------------------------------------------------------

void RegionFilter::reset(bool fresh) {
  bits_.assign(bits_.size(), !fresh);
  clear_ = (bits_.size() + 63) / 64;
  setting_ = writing_ = false;
}

void RegionFilter::set(std::uint32_t line) {
  setting_ = true;
  line_ = line;
}

void RegionFilter::tick() {
  if (clear_) {
    --clear_;
  } else if (writing_) {
    bits_[line_ >> region_bits_] = true;
    setting_ = writing_ = false;
  } else {
    writing_ = setting_;
  }
}

}  // namespace warpsieve::dedup
