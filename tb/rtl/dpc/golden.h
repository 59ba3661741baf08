// The DPC format as the decisions say it (D2 to D4), written to be obviously right: vectors of bits, one plane
// after another, no packing tricks and nothing shared with the model.
#pragma once

#include <stdexcept>
#include <vector>

#include "blocks/dpc/dpc.h"

namespace warpsieve::dpc::golden {

using BitVector = std::vector<bool>;

/// The critical words, in order.
inline std::vector<std::uint32_t> critical(const DpcParams& params, const Words& words, unsigned mask) {
  std::vector<std::uint32_t> out;
  for (unsigned sub = 0; sub < 4; ++sub) {
    for (unsigned w = 0; w < params.sub_words; ++w) {
      if ((mask & (1u << sub)) != 0 || !params.truncate) out.push_back(words[sub * params.sub_words + w]);
    }
  }
  return out;
}

inline BitVector encode(const DpcParams& params, const EncodeReq& req) {
  const auto words = critical(params, req.words, req.mask);
  BitVector es, ed, raw{false};
  for (int p = static_cast<int>(params.planes) - 1; p >= 0; --p) {
    BitVector plane;
    for (const std::uint32_t word : words) plane.push_back((word / (std::uint32_t{1} << p)) % 2 == 1);
    bool same = true;
    for (const bool bit : plane) same = same && bit == plane.front();
    es.push_back(same);
    raw.insert(raw.end(), plane.begin(), plane.end());
    if (same && !plane.empty()) plane.resize(1);
    ed.insert(ed.end(), plane.begin(), plane.end());
  }
  BitVector out{true};
  out.insert(out.end(), es.begin(), es.end());
  out.insert(out.end(), ed.begin(), ed.end());
  return out.size() + 1 < raw.size() ? out : raw;
}

/// Bits that a decoder reads of a stream that begins with `bits`.
inline unsigned length(const DpcParams& params, const BitVector& bits, unsigned mask) {
  const auto words = static_cast<unsigned>(critical(params, Words{}, mask).size());
  if (!bits[0]) return 1 + words * params.planes;
  unsigned sum = 1 + params.planes;
  for (unsigned g = 0; g < params.planes; ++g) sum += words && bits[1 + g] ? 1 : words;
  return sum;
}

inline Words decode(const DpcParams& params, BitVector bits, unsigned mask) {
  unsigned count = 0;
  for (unsigned sub = 0; sub < 4; ++sub) count += ((mask >> sub) % 2 == 1 || !params.truncate) ? params.sub_words : 0;
  bits.resize(params.max_bits() + 2 * params.planes, false);  // what the stream does not have reads as 0
  std::size_t next = 0;
  std::vector<std::uint32_t> words(count, 0);
  BitVector es(params.planes, false);
  if (bits[next++]) {
    es.assign(bits.begin() + 1, bits.begin() + 1 + params.planes);
    next += params.planes;
  }
  for (unsigned g = 0; g < params.planes; ++g) {
    const unsigned p = params.planes - 1 - g;
    for (auto& word : words) word += std::uint32_t{bits[es[g] ? next : next++]} << p;
    if (es[g]) ++next;
  }
  Words out{};
  std::size_t taken = 0;
  for (unsigned sub = 0; sub < 4; ++sub) {
    for (unsigned w = 0; w < params.sub_words; ++w) {
      if ((mask & (1u << sub)) != 0 || !params.truncate) out[sub * params.sub_words + w] = words[taken++];
    }
  }
  return out;
}

inline Encoded packed(const BitVector& bits) {
  Encoded out;
  out.length = static_cast<unsigned>(bits.size());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) out.bits.at(i / 8) = static_cast<std::uint8_t>(out.bits.at(i / 8) + (1u << (i % 8)));
  }
  return out;
}

inline BitVector unpacked(const DpcParams& params, const Bits& bytes) {
  BitVector bits;
  for (unsigned i = 0; i < params.max_bits() + params.planes; ++i)
    bits.push_back(bytes[i / 8] / (1u << (i % 8)) % 2 == 1);
  return bits;
}

}  // namespace warpsieve::dpc::golden
