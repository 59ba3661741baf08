#include "validate/dram_traces.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <stdexcept>

namespace warpsieve::validate {
namespace {

using memsys::DramAccess;

/// Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998) with seeding by an array of one word, as in the `random`
/// module of Python: recorded figures were measured with traces made by it, and mix64 varies by 6 % between seeds.
class Twister {
 public:
  explicit Twister(std::uint32_t seed) {
    state_[0] = 19650218;
    for (std::uint32_t i = 1; i < kWords; ++i) state_[i] = 1812433253u * spread(i) + i;
    std::uint32_t i = 1;
    const auto next = [&] {
      if (++i < kWords) return;
      state_[0] = state_[kWords - 1];
      i = 1;
    };
    for (std::uint32_t k = 0; k < kWords; ++k, next()) state_[i] = (state_[i] ^ (spread(i) * 1664525u)) + seed;
    for (std::uint32_t k = 1; k < kWords; ++k, next()) state_[i] = (state_[i] ^ (spread(i) * 1566083941u)) - i;
    state_[0] = 0x80000000u;
  }
  /// The upper `count` bits of the next word, 1 to 32.
  std::uint32_t bits(unsigned count) { return word() >> (32 - count); }
  /// 0 <= result < bound.
  std::uint32_t below(std::uint32_t bound) {
    const auto count = static_cast<unsigned>(std::bit_width(bound));
    std::uint32_t drawn = bits(count);
    while (drawn >= bound) drawn = bits(count);
    return drawn;
  }
  /// 0 <= result < 1, 53 bits.
  double real() {
    const std::uint64_t high = bits(27), low = bits(26);
    return static_cast<double>(high << 26 | low) * 0x1p-53;
  }

 private:
  static constexpr std::uint32_t kWords = 624, kShift = 397;
  std::uint32_t spread(std::uint32_t i) const { return state_[i - 1] ^ state_[i - 1] >> 30; }
  std::uint32_t word() {
    const std::uint32_t i = at_, after = (i + 1) % kWords;
    const std::uint32_t y = (state_[i] & 0x80000000u) | (state_[after] & 0x7fffffffu);
    std::uint32_t z = state_[i] = state_[(i + kShift) % kWords] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    at_ = after;
    z ^= z >> 11;
    z ^= z << 7 & 0x9d2c5680u;
    z ^= z << 15 & 0xefc60000u;
    return z ^ z >> 18;
  }
  std::array<std::uint32_t, kWords> state_;
  std::uint32_t at_ = 0;
};

constexpr std::uint64_t kSpace = std::uint64_t{1} << 30, kHalf = kSpace / 2;
constexpr std::uint64_t kSector = memsys::kSectorBytes;
constexpr std::uint64_t kRowColumns = 64;  // of a 2 KiB row

std::uint64_t place(std::uint64_t row, std::uint64_t bank, std::uint64_t group, std::uint64_t column) {
  return ((row % 32768 * 4 + bank % 4) * 4 + group % 4) * 2048 + column % kRowColumns * kSector;
}

/// One generator for all patterns: what an access depends on is its number, chance, and the streams' positions.
class Generator {
 public:
  Generator(std::uint32_t seed, bool streams) : random_(seed) {
    for (std::uint64_t s = 0; streams && s < starts_.size(); ++s) starts_[s] = (s * 16 + random_.below(16)) << 20;
  }

  DramAccess stream(std::uint64_t i) { return pages(i / kRowColumns % 4 == 3); }
  DramAccess wstream(std::uint64_t i) { return pages(i / kRowColumns % 4 != 3); }
  DramAccess ronly(std::uint64_t i) { return {0, i * kSector % kSpace, false}; }
  DramAccess wonly(std::uint64_t i) { return {0, i * kSector % kSpace, true}; }
  DramAccess alt(std::uint64_t i) {
    const std::uint64_t at = i / 2 * kSector;
    if (i % 2) return {0, kHalf + 2 * 2048 + at % (kHalf / 2), true};  // two bank groups further
    return {0, at % kHalf, false};
  }
  DramAccess bgi(std::uint64_t i) {
    const std::uint64_t k = i / 256;  // rows of one bank in all groups
    return {0, place(k / 4, k, i, i % 256 / 4), false};
  }
  DramAccess mix64(std::uint64_t) {
    const std::uint32_t s = random_.below(64);
    const std::uint64_t at = starts_[s];
    starts_[s] += kSector;
    return {0, at % kSpace, s % 4 == 3};
  }
  DramAccess random(std::uint64_t) { return anywhere(0, 0.25); }
  DramAccess rw50(std::uint64_t) { return anywhere(0, 0.5); }
  DramAccess conflict(std::uint64_t i) {
    const std::uint64_t at = place(i, 0, 0, random_.bits(6));
    return {0, at, random_.real() < 0.25};
  }
  DramAccess idle(std::uint64_t i) { return anywhere(i * 200, 0.25); }
  DramAccess load40(std::uint64_t i) { return anywhere(i * 40, 0.25); }
  DramAccess load20(std::uint64_t i) { return anywhere(i * 20, 0.25); }

 private:
  DramAccess pages(bool write) {
    const std::uint64_t at = sent_[write]++ * kSector % kHalf;
    return {0, write ? kHalf + at : at, write};
  }
  DramAccess anywhere(std::uint64_t cycle, double writes) {
    const std::uint64_t at = random_.bits(25) * kSector;
    return {cycle, at, random_.real() < writes};
  }

  Twister random_;
  std::array<std::uint64_t, 64> starts_{};  ///< where each stream of mix64 is
  std::uint64_t sent_[2] = {0, 0};
};

struct Pattern {
  std::string_view name;
  DramAccess (Generator::*access)(std::uint64_t);
  bool draws_streams = true;  ///< the start of each stream of mix64 comes from the generator first
};
constexpr Pattern kPatterns[] = {{"stream", &Generator::stream, false},
                                 {"wstream", &Generator::wstream},
                                 {"ronly", &Generator::ronly},
                                 {"wonly", &Generator::wonly},
                                 {"alt", &Generator::alt},
                                 {"bgi", &Generator::bgi},
                                 {"mix64", &Generator::mix64},
                                 {"random", &Generator::random, false},
                                 {"rw50", &Generator::rw50},
                                 {"conflict", &Generator::conflict, false},
                                 {"idle", &Generator::idle, false},
                                 {"load40", &Generator::load40},
                                 {"load20", &Generator::load20}};

}  // namespace

std::span<const std::string_view> dram_patterns() {
  static const auto names = [] {
    std::array<std::string_view, std::size(kPatterns)> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = kPatterns[i].name;
    return all;
  }();
  return names;
}

std::vector<DramAccess> dram_trace(std::string_view pattern, std::size_t count, std::uint32_t seed) {
  for (const Pattern& p : kPatterns) {
    if (p.name != pattern) continue;
    Generator generator(seed, p.draws_streams);
    std::vector<DramAccess> out;
    out.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) out.push_back((generator.*p.access)(i));
    return out;
  }
  throw std::invalid_argument(fmt::format("no DRAM access pattern '{}'", pattern));
}

}  // namespace warpsieve::validate
