#include <bit>

#include "blocks/dpc/dpc.h"

namespace warpsieve::dpc {

namespace {

constexpr DpcParams kLine{};

/// The mask that counts.
unsigned mask_of(const DpcParams& params, unsigned mask) {
  constexpr unsigned all = (1u << kSubBlocks) - 1;
  return params.truncate ? mask & all : all;
}

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

class Writer {
 public:
  void put(bool bit) {
    if (bit)
      out_.bits[out_.length / 8] = static_cast<std::uint8_t>(out_.bits[out_.length / 8] | 1u << out_.length % 8);
    ++out_.length;
  }
  Encoded take() const { return out_; }

 private:
  Encoded out_;
};

class Reader {
 public:
  Reader(const DpcParams& params, const Bits& bits) : bits_(bits), end_(params.max_bits()) {}
  std::uint32_t get() {
    const unsigned at = next_++;
    return at < end_ ? bits_[at / 8] >> (at % 8) & 1u : 0;
  }

 private:
  const Bits& bits_;
  unsigned next_ = 0, end_;
};

}  // namespace

EncodeRsp encode(const DpcParams& params, const EncodeReq& req) {
  const Joined joined = join(params, req.words, mask_of(params, req.mask));
  const std::uint32_t es = compressible(params, joined);
  bool compress = false;
  stream_length(params, es, joined.count, compress);
  Writer writer;
  writer.put(compress);
  if (!compress) {
    for (unsigned i = 0; i < joined.count; ++i) {
      for (unsigned b = 0; b < params.planes; ++b) writer.put(joined.words[i] >> b & 1);
    }
    return writer.take();
  }
  for (unsigned p = params.planes; p-- > 0;) writer.put(es >> p & 1);
  for (unsigned p = params.planes; p-- > 0;) {
    const unsigned width = es >> p & 1 ? 1 : joined.count;
    for (unsigned i = 0; i < width; ++i) writer.put(joined.words[i] >> p & 1);
  }
  return writer.take();
}

DecodeRsp decode(const DpcParams& params, const DecodeReq& req) {
  Reader reader(params, req.bits);
  const bool compressed = reader.get();
  const unsigned mask = mask_of(params, req.mask);
  const unsigned count = static_cast<unsigned>(std::popcount(mask)) * params.sub_words;
  Words joined{};
  if (!compressed) {
    for (unsigned i = 0; i < count; ++i) {
      for (unsigned b = 0; b < params.planes; ++b) joined[i] |= reader.get() << b;
    }
  } else {
    std::uint32_t es = 0;
    for (unsigned p = params.planes; p-- > 0;) es |= reader.get() << p;
    for (unsigned p = params.planes; p-- > 0;) {
      if (es >> p & 1) {
        const std::uint32_t value = reader.get();
        for (unsigned i = 0; i < count; ++i) joined[i] |= value << p;
      } else {
        for (unsigned i = 0; i < count; ++i) joined[i] |= reader.get() << p;
      }
    }
  }
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
