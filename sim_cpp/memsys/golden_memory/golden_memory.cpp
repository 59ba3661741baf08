#include "memsys/golden_memory/golden_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace warpsieve::memsys {

namespace {

/// Without a call: this is the most frequent comparison of a simulation.
bool same_sector(const std::uint8_t* a, const std::uint8_t* b) {
  std::uint64_t difference = 0;
  for (unsigned i = 0; i < kSectorBytes; i += 8) {
    std::uint64_t x, y;
    std::memcpy(&x, a + i, 8);
    std::memcpy(&y, b + i, 8);
    difference |= x ^ y;
  }
  return difference == 0;
}

}  // namespace

std::string Corruption::describe() const {
  if (!broken.empty())
    return fmt::format("cycle {}: line at {:#x} from {}: {}", cycle, address, name(source), broken);
  return fmt::format("cycle {}: address {:#x} from {}: expected {:#04x}, found {:#04x}", cycle, address, name(source),
                     expected, found);
}

void GoldenMemory::load(Addr base, std::span<const std::uint8_t> image, std::uint64_t size, bool blank) {
  base_ = base;
  size_ = image.size();
  blank_ = blank;
  bytes_ = ZeroedBytes((size + kLineBytes - 1) / kLineBytes * kLineBytes);
  data_ = bytes_.data();
  lines_ = static_cast<std::uint32_t>(bytes_.size() / kLineBytes);
  versions_.assign(lines(), 0);
  version_ = versions_.data();
  if (!image.empty() && !blank) std::memcpy(bytes_.data(), image.data(), image.size());
}

GoldenMemory::GoldenMemory(Part, GoldenMemory& whole)
    : whole_(&whole), data_(whole.data_), version_(whole.version_), lines_(whole.lines_), base_(whole.base_),
      size_(whole.size_), blank_(whole.blank_) {
  whole.parts_.push_back(this);
}

void GoldenMemory::keep_line(Cycle now, GlobalLine global_line) {
  Kept& kept = kept_.emplace_back(Kept{now, global_line, {}});
  std::memcpy(kept.bytes.bytes.data(), line(global_line), kLineBytes);
  if (whole_ == this) show_kept();
}

void GoldenMemory::show_kept() {
  for (; shown_ < kept_.size(); ++shown_) whole_->kept_at_[slot(kept_[shown_].line)] = true;
  for (GoldenMemory* part : parts_) part->show_kept();
}

void GoldenMemory::reached(Cycle now) {
  reached_ = now;
  const auto forget = [this](GoldenMemory& of) {
    for (const Kept& kept : of.kept_) kept_at_[slot(kept.line)] = false;
    of.kept_.clear();
    of.shown_ = 0;
  };
  forget(*this);
  for (GoldenMemory* part : parts_) forget(*part);
}

const std::uint8_t* GoldenMemory::line_at(Cycle now, GlobalLine global_line) const {
  for (const Kept& kept : kept_)
    if (kept.line == global_line && kept.until > now) return kept.bytes.bytes.data();
  if (whole_ != this) return whole_->line_at(now, global_line);
  for (const GoldenMemory* part : parts_)
    for (const Kept& kept : part->kept_)
      if (kept.line == global_line && kept.until > now) return kept.bytes.bytes.data();
  return line(global_line);
}

void GoldenMemory::record(Corruption corruption) {
  if (first_.size() == kFirst && !(corruption < first_.back())) return;
  first_.insert(std::upper_bound(first_.begin(), first_.end(), corruption), std::move(corruption));
  if (first_.size() > kFirst) first_.pop_back();
}

void GoldenMemory::gather() {
  for (GoldenMemory* part : parts_) {
    for (unsigned s = 0; s < kSources; ++s) {
      checks_[s] += std::exchange(part->checks_[s], 0);
      mismatch_by_source_[s] += std::exchange(part->mismatch_by_source_[s], 0);
    }
    mismatched_sectors_ += std::exchange(part->mismatched_sectors_, 0);
    for (Corruption& corruption : part->first_) record(std::move(corruption));
    part->first_.clear();
  }
}

void GoldenMemory::check(Cycle now, GlobalLine global_line, unsigned sector, const std::uint8_t* data,
                         std::uint32_t newer, Source source) {
  check_copy(now, global_line, sector, line(global_line) + sector * kSectorBytes, data, newer, source);
}

void GoldenMemory::violation(Cycle now, GlobalLine global_line, Source source, std::string rule) {
  ++mismatched_sectors_;
  ++mismatch_by_source_[static_cast<unsigned>(source)];
  record({now, base_ + Addr{global_line} * kLineBytes, source, 0, 0, std::move(rule)});
}

void GoldenMemory::check_copy(Cycle now, GlobalLine global_line, unsigned sector, const std::uint8_t* want,
                              const std::uint8_t* data, std::uint32_t except, Source source) {
  ++checks_[static_cast<unsigned>(source)];
  if (same_sector(want, data)) return;
  for (unsigned i = 0; i < kSectorBytes; ++i) {
    if (want[i] == data[i] || ((except >> i) & 1)) continue;
    mismatch(now, base_ + Addr{global_line} * kLineBytes + sector * kSectorBytes + i, source, want[i], data[i]);
    return;
  }
}

void GoldenMemory::check_words(Cycle now, GlobalLine global_line, std::uint32_t mask, const std::uint32_t* expected,
                               const std::uint32_t* found, Source source) {
  ++checks_[static_cast<unsigned>(source)];
  for (; mask; mask &= mask - 1) {
    const auto word = static_cast<unsigned>(__builtin_ctz(mask));
    if (expected[word] == found[word]) continue;
    const auto byte = static_cast<unsigned>(__builtin_ctz(expected[word] ^ found[word])) / 8;
    mismatch(now, base_ + Addr{global_line} * kLineBytes + word * 4 + byte, source,
             static_cast<std::uint8_t>(expected[word] >> (8 * byte)),
             static_cast<std::uint8_t>(found[word] >> (8 * byte)));
    return;
  }
}

void GoldenMemory::mismatch(Cycle now, Addr address, Source source, std::uint8_t expected, std::uint8_t found) {
  ++mismatched_sectors_;
  ++mismatch_by_source_[static_cast<unsigned>(source)];
  record({now, address, source, expected, found, {}});
}

void GoldenMemory::differs(std::size_t at) {
  if (image_differences_++ == 0) first_image_difference_ = base_ + at;
}

void GoldenMemory::compare_floats(std::span<const std::uint8_t> image, std::size_t from, std::size_t to,
                                  double tolerance) {
  const auto at = [](const std::uint8_t* bytes) {
    float value;
    std::memcpy(&value, bytes, sizeof value);
    return double{value};
  };
  double largest = 0;
  for (std::size_t i = from; i < to; i += 4) largest = std::max(largest, std::abs(at(image.data() + i)));
  for (std::size_t i = from; i < to; i += 4) {
    if (std::memcmp(data_ + i, image.data() + i, 4) == 0) continue;
    const double theirs = at(image.data() + i);
    const double error = std::abs(at(data_ + i) - theirs) / std::max(std::abs(theirs), largest / 1000);
    if (!(error <= tolerance)) {
      differs(i);
      continue;
    }
    ++tolerated_;
    worst_error_ = std::max(worst_error_, error);
  }
}

void GoldenMemory::compare_image(std::span<const std::uint8_t> image,
                                 const std::vector<std::pair<Addr, std::uint64_t>>& ranges, double tolerance) {
  constexpr std::size_t kBlock = 4096;
  std::vector<bool> loose((size_ + 3) / 4);
  for (const auto& [address, length] : ranges) {
    // Whole words of the image; what is outside is compared as it is.
    const Addr from = std::max(address, base_) - base_;
    const Addr to = std::min<Addr>(std::max(address + length, base_) - base_, size_ / 4 * 4);
    if (from >= to) continue;
    for (Addr i = from; i < to; i += 4) loose[i / 4] = true;
    compare_floats(image, from, to, tolerance);
  }
  const auto unwritten = [this](std::size_t from, std::size_t to) {
    for (std::size_t at = from; at < to; at += kLineBytes)
      if (!untouched(GlobalLine{static_cast<std::uint32_t>(at / kLineBytes)})) return false;
    return true;
  };
  for (std::size_t block = 0; block < size_; block += kBlock) {
    const std::size_t end = std::min(block + kBlock, size_);
    if (blank_ && unwritten(block, end)) continue;                                     // zeros here and there
    if (std::memcmp(data_ + block, image.data() + block, end - block) == 0) continue;  // as a rule
    for (std::size_t i = block; i < end; i += 4) {
      const std::size_t n = std::min<std::size_t>(4, end - i);
      if (!loose[i / 4] && std::memcmp(data_ + i, image.data() + i, n) != 0) differs(i);
    }
  }
}

nlohmann::ordered_json GoldenMemory::report() const {
  nlohmann::ordered_json out;
  out["clean"] = clean();
  auto& checks = out["checked_sectors"] = nlohmann::ordered_json::object();
  for (unsigned s = 0; s < kSources; ++s) checks[name(static_cast<Source>(s))] = checks_[s];
  out["mismatched_sectors"] = mismatched_sectors_;
  auto& bad = out["mismatched_by_source"] = nlohmann::ordered_json::object();
  for (unsigned s = 0; s < kSources; ++s)
    if (mismatch_by_source_[s]) bad[name(static_cast<Source>(s))] = mismatch_by_source_[s];
  auto& first = out["first"] = nlohmann::ordered_json::array();
  for (const Corruption& c : first_) first.push_back(c.describe());
  out["words_differing_from_functional_image"] = image_differences_;
  if (image_differences_) out["first_difference_at"] = fmt::format("{:#x}", first_image_difference_);
  out["words_within_tolerance"] = tolerated_;
  out["worst_relative_error"] = worst_error_;
  return out;
}

}  // namespace warpsieve::memsys
