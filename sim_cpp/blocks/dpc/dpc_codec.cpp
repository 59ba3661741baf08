#include <bit>

#include "blocks/dpc/dpc_backends.h"

namespace warpsieve::dpc {

namespace {

constexpr DpcParams kLine{};

/// The critical sub-blocks' words, joined in address order.
struct Joined {
  Words words{};
  unsigned count = 0;
};

/// The hook (decision D1).
Words transformed(const DpcParams& params, Words (*Transform::*direction)(const Words&, unsigned), const Words& words,
                  unsigned count) {
  if (!params.transform) return words;
  const Words result = (params.transform->*direction)(words, count);
  Words kept{};
  for (unsigned i = 0; i < count; ++i) kept[i] = result[i] & params.word_mask();
  return kept;
}

Joined join(const DpcParams& params, const Words& words, unsigned mask) {
  Joined joined;
  for (unsigned i = 0; i < params.words(); ++i) {
    if (mask >> (i / params.sub_words) & 1) joined.words[joined.count++] = words[i] & params.word_mask();
  }
  joined.words = transformed(params, &Transform::apply, joined.words, joined.count);
  return joined;
}

/// Bit p: plane p is all zeros or all ones.
std::uint32_t compressible(const DpcParams& params, const Joined& joined) {
  std::uint32_t all = params.word_mask(), any = 0;
  for (unsigned i = 0; i < joined.count; ++i) {
    all &= joined.words[i];
    any |= joined.words[i];
  }
  return (all | ~any) & params.word_mask();
}

unsigned encoded_length(const DpcParams& params, std::uint32_t es, unsigned count) {
  const unsigned n = static_cast<unsigned>(std::popcount(es));
  return 1 + params.planes + n + (params.planes - n) * count;
}

/// The stream's length: compressed only when smaller than the raw data (D3).
unsigned stream_length(const DpcParams& params, std::uint32_t es, unsigned count, bool& compress) {
  const unsigned raw = count * params.planes, encoded = encoded_length(params, es, count);
  compress = encoded < raw;
  return compress ? encoded : 1 + raw;
}

/// Bit i of row p becomes bit p of row i: 32 x 32 bits, by swaps of halves, quarters, ..., single bits.
void transpose(Words& rows) {
  std::uint32_t mask = 0x0000ffff;
  for (unsigned step = 16; step; step /= 2, mask ^= mask << step) {
    for (unsigned i = 0; i < rows.size(); i = (i + step + 1) & ~step) {
      const std::uint32_t swapped = (rows[i] >> step ^ rows[i + step]) & mask;
      rows[i] ^= swapped << step;
      rows[i + step] ^= swapped;
    }
  }
}

/// Bit i becomes bit planes - 1 - i: the topmost plane comes first in a stream.
std::uint32_t reversed(std::uint32_t bits, unsigned planes) {
  std::uint32_t out = 0;
  for (unsigned i = 0; i < planes; ++i, bits >>= 1) out = out << 1 | (bits & 1);
  return out;
}

class Writer {
 public:
  /// The low `count` bits of `bits`, whose others are 0; at most 32.
  void put(std::uint32_t bits, unsigned count) {
    pending_ |= std::uint64_t{bits} << pending_bits_;
    pending_bits_ += count;
    out_.length += count;
    for (; pending_bits_ >= 8; pending_bits_ -= 8, pending_ >>= 8)
      out_.bits[at_++] = static_cast<std::uint8_t>(pending_);
  }
  Encoded take() {
    if (pending_bits_) out_.bits[at_] = static_cast<std::uint8_t>(pending_);
    return out_;
  }

 private:
  Encoded out_;
  std::uint64_t pending_ = 0;
  unsigned pending_bits_ = 0;
  std::size_t at_ = 0;
};

/// Bits behind the longest readable stream read as 0.
class Reader {
 public:
  explicit Reader(const Bits& bits) : bits_(bits) {}
  /// At most 32.
  std::uint32_t get(unsigned count) {
    for (; pending_bits_ < count; pending_bits_ += 8) pending_ |= std::uint64_t{byte()} << pending_bits_;
    const auto out = static_cast<std::uint32_t>(pending_ & ((std::uint64_t{1} << count) - 1));
    pending_ >>= count;
    pending_bits_ -= count;
    return out;
  }

 private:
  std::uint8_t byte() { return at_ < bits_.size() ? bits_[at_++] : std::uint8_t{0}; }
  const Bits& bits_;
  std::uint64_t pending_ = 0;
  unsigned pending_bits_ = 0;
  std::size_t at_ = 0;
};

}  // namespace

EncodeRsp encode(const DpcParams& params, const EncodeReq& req) {
  Joined joined = join(params, req.words, mask_of(params, req.mask));
  const std::uint32_t es = compressible(params, joined);
  bool compress = false;
  stream_length(params, es, joined.count, compress);
  Writer writer;
  writer.put(compress, 1);
  if (compress) writer.put(reversed(es, params.planes), params.planes);
  transpose(joined.words);
  for (unsigned p = params.planes; p-- > 0;) {
    const bool one = compress && (es >> p & 1);
    writer.put(one ? joined.words[p] & 1 : joined.words[p], one ? 1 : joined.count);
  }
  return writer.take();
}

DecodeRsp decode(const DpcParams& params, const DecodeReq& req) {
  Reader reader(req.bits);
  const bool compressed = reader.get(1);
  const unsigned mask = mask_of(params, req.mask);
  const unsigned count = static_cast<unsigned>(std::popcount(mask)) * params.sub_words;
  Words joined{};
  const std::uint32_t es = compressed ? reversed(reader.get(params.planes), params.planes) : 0;
  const auto all = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
  for (unsigned p = params.planes; p-- > 0;) {
    if (es >> p & 1)
      joined[p] = reader.get(1) ? all : 0;
    else
      joined[p] = reader.get(count);
  }
  transpose(joined);
  joined = transformed(params, &Transform::undo, joined, count);
  DecodeRsp rsp;
  unsigned next = 0;
  for (unsigned i = 0; i < params.words(); ++i) {
    if (mask >> (i / params.sub_words) & 1) rsp.words[i] = joined[next++];
  }
  return rsp;
}

Encoded encode(const Line& line, unsigned mask) { return encode(kLine, EncodeReq{to_words(line), mask}); }

unsigned encoded_bits(const Line& line, unsigned mask) {
  const Joined joined = join(kLine, to_words(line), mask);
  bool compress = false;
  return stream_length(kLine, compressible(kLine, joined), joined.count, compress);
}

Line decode(const Bits& bits, unsigned mask) { return to_line(decode(kLine, DecodeReq{bits, mask}).words); }

Line zero_filled(const Line& line, unsigned mask) {
  Line filled = line;
  for (unsigned i = 0; i < line.size(); ++i) {
    if (!(mask >> (i / 32) & 1)) filled[i] = 0;
  }
  return filled;
}

ManipulatedChoice choose_manipulated(const Line& line, unsigned mask) {
  const unsigned original = encoded_bits(line, 0xf), filled = encoded_bits(zero_filled(line, mask), 0xf);
  if (filled < original) return {mask & 0xf, true, filled};
  return {0xf, false, original};
}

}  // namespace warpsieve::dpc
