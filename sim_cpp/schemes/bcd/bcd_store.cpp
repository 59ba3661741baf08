#include "schemes/bcd/bcd_store.h"

#include <cstring>

namespace warpsieve::schemes::bcd {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a + 0x9e3779b97f4a7c15ull * (b + 1);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

std::size_t CountedStore::first_of(const Key& key) const {
  std::uint64_t words[2];
  std::memcpy(words, key.bytes.data(), sizeof words);
  return mix(mix(key.kind, words[0]), words[1]) % (entries_.size() / ways_) * ways_;
}

std::optional<std::uint32_t> CountedStore::find(const Key& key) {
  const std::size_t first = first_of(key);
  for (std::size_t i = first; i < first + ways_; ++i) {
    if (!entries_[i].valid || entries_[i].key != key) continue;
    entries_[i].used = ++clock_;
    return static_cast<std::uint32_t>(i);
  }
  return std::nullopt;
}

std::optional<std::uint32_t> CountedStore::add(const Key& key) {
  const std::size_t first = first_of(key);
  std::optional<std::size_t> victim;
  for (std::size_t i = first; i < first + ways_; ++i) {
    const Entry& e = entries_[i];
    if (e.valid && e.count) continue;
    const auto age = [](const Entry& entry) { return entry.valid ? entry.used : 0; };
    if (!victim || age(e) < age(entries_[*victim])) victim = i;
  }
  if (!victim) return std::nullopt;
  ++clock_;
  entries_[*victim] = {key, true, false, 0, clock_, clock_};
  return static_cast<std::uint32_t>(*victim);
}

const BaseCache::Content* BaseCache::find(std::uint32_t base) {
  const std::size_t first = first_of(base);
  for (std::size_t i = first; i < first + ways_; ++i) {
    if (!lines_[i].valid || lines_[i].base != base) continue;
    lines_[i].used = ++clock_;
    return &lines_[i].content;
  }
  return nullptr;
}

void BaseCache::put(std::uint32_t base, const Content& content) {
  const std::size_t first = first_of(base);
  std::size_t victim = first;
  for (std::size_t i = first; i < first + ways_; ++i) {
    const Line& line = lines_[i];
    if (line.valid && line.base == base) {
      victim = i;
      break;
    }
    const auto age = [](const Line& l) { return l.valid ? l.used : 0; };
    if (age(line) < age(lines_[victim])) victim = i;
  }
  lines_[victim] = {true, base, ++clock_, content};
}

}  // namespace warpsieve::schemes::bcd
