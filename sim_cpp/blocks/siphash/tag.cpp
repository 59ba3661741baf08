// SipHash as its paper writes it (J.-P. Aumasson, D. J. Bernstein, SipHash: a fast short-input PRF, 2012), with the
// 128-bit tag of the authors' reference code. The tests compare it with OpenSSL's.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "blocks/siphash/siphash_core.h"

namespace warpsieve::siphash {

namespace {

std::uint64_t word_of(std::span<const std::uint8_t> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 8; ++i) word |= std::uint64_t{bytes[i]} << (8 * i);
  return word;
}

struct State {
  std::uint64_t v0, v1, v2, v3;
  void round() {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }
  std::uint64_t finish() {
    for (int i = 0; i < 4; ++i) round();
    return v0 ^ v1 ^ v2 ^ v3;
  }
};

}  // namespace

std::vector<std::uint64_t> siphash_words(std::span<const std::uint8_t> message) {
  std::vector<std::uint64_t> words;
  std::size_t at = 0;
  for (; at + 8 <= message.size(); at += 8) words.push_back(word_of(message.subspan(at, 8)));
  words.push_back(word_of(message.subspan(at)) | std::uint64_t{message.size() & 0xff} << 56);
  return words;
}

Tag siphash_tag(const Key& key, std::span<const std::uint8_t> message) {
  const std::span<const std::uint8_t> bytes(key);
  const std::uint64_t k0 = word_of(bytes.first(8)), k1 = word_of(bytes.subspan(8));
  // "somepseudorandomlygeneratedbytes"; the 128-bit tag has its own initial value.
  State s{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d ^ 0xee, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573};
  for (const std::uint64_t word : siphash_words(message)) {
    s.v3 ^= word;
    s.round();
    s.round();
    s.v0 ^= word;
  }
  s.v2 ^= 0xee;
  const std::uint64_t first = s.finish();
  s.v1 ^= 0xdd;
  const std::uint64_t second = s.finish();
  Tag tag;
  for (unsigned i = 0; i < 8; ++i) {
    tag[i] = static_cast<std::uint8_t>(first >> (8 * i));
    tag[8 + i] = static_cast<std::uint8_t>(second >> (8 * i));
  }
  return tag;
}

Tag line_tag(const Key& key, std::uint8_t mask, const std::array<std::uint8_t, kLineBytes>& data) {
  std::array<std::uint8_t, kLineBytes + 1> message;
  std::size_t length = 0;
  for (unsigned sector = 0; sector < kSectors; ++sector) {
    if (mask >> sector & 1) {
      std::copy_n(data.begin() + sector * kSectorBytes, kSectorBytes, message.begin() + length);
      length += kSectorBytes;
    }
  }
  message[length++] = mask & 0xf;
  return siphash_tag(key, {message.data(), length});
}

unsigned siphash_latency(unsigned half_rounds_per_cycle, std::size_t words) {
  if (half_rounds_per_cycle != 1 && half_rounds_per_cycle != 2) {
    throw std::invalid_argument(
        fmt::format("siphash: {} half rounds per cycle: expected 1 or 2", half_rounds_per_cycle));
  }
  const auto rounds = static_cast<unsigned>(2 * words + 8);  // 2 per word, 4 for each half of the tag
  return rounds * 2 / half_rounds_per_cycle;
}

unsigned line_hash_latency(const LineHasherParams& params, std::uint8_t mask) {
  const unsigned words = 4 * static_cast<unsigned>(std::popcount(static_cast<unsigned>(mask & 0xf))) + 1;
  return 1 + siphash_latency(params.half_rounds_per_cycle, words);
}

std::string describe(const SiphashMessage& message) {
  return fmt::format("bytes {:02x}", fmt::join(message.bytes, ""));
}

}  // namespace warpsieve::siphash
