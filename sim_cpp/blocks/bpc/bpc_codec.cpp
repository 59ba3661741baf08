#include <bit>

#include "blocks/bpc/bpc.h"

namespace warpsieve::bpc {

namespace {

constexpr unsigned kPlanes = 33;
constexpr BpcParams kLine{};

/// What follows from the number of words: differences, a plane of ones, bits of a place.
struct Shape {
  explicit Shape(const BpcParams& params) : words(params.words) {}
  unsigned words;
  unsigned differences() const { return words - 1; }
  std::uint32_t ones() const { return (1u << differences()) - 1; }
  unsigned place_bits() const { return static_cast<unsigned>(std::bit_width(differences() - 1)); }
};

using Planes = std::array<std::uint32_t, kPlanes>;  ///< DBP

Planes planes_of(const Shape& shape, const Words& words) {
  Planes planes{};
  for (unsigned i = 0; i < shape.differences(); ++i) {
    const std::uint64_t difference = std::uint64_t{words[i + 1]} - words[i];
    for (unsigned j = 0; j < kPlanes; ++j) planes[j] |= static_cast<std::uint32_t>(difference >> j & 1) << i;
  }
  return planes;
}

bool fits(std::uint32_t value, unsigned bits) {
  const std::uint32_t high = value >> (bits - 1);
  return high == 0 || high == 0xffffffffu >> (bits - 1);
}

/// Collects bits, or only counts them.
class Writer {
 public:
  explicit Writer(Encoded* out) : out_(out) {}
  void put(std::uint32_t value, unsigned bits) {
    for (unsigned i = 0; i < bits; ++i, ++length_) {
      if (out_ && length_ < kMaxBits && (value >> i & 1)) {
        out_->bits[length_ / 8] = static_cast<std::uint8_t>(out_->bits[length_ / 8] | 1u << length_ % 8);
      }
    }
  }
  /// A prefix as printed: first bit first.
  void code(const char* prefix) {
    for (; *prefix; ++prefix) put(*prefix == '1', 1);
  }
  unsigned length() const { return length_; }

 private:
  Encoded* out_;
  unsigned length_ = 0;
};

void put_base(Writer& out, std::uint32_t base) {
  if (base == 0) {
    out.code("000");
  } else if (fits(base, 4)) {
    out.code("001");
    out.put(base, 4);
  } else if (fits(base, 8)) {
    out.code("010");
    out.put(base, 8);
  } else if (fits(base, 16)) {
    out.code("011");
    out.put(base, 16);
  } else {
    out.code("1");
    out.put(base, 32);
  }
}

void put_run(Writer& out, unsigned run) {
  if (run == 1) out.code("001");
  if (run > 1) {
    out.code("01");
    out.put(run - 2, 5);
  }
}

void put_plane(Writer& out, const Shape& shape, std::uint32_t dbx, std::uint32_t dbp) {
  const std::uint32_t low = dbx & (~dbx + 1);
  const auto place = static_cast<unsigned>(std::countr_zero(dbx));
  if (dbx == shape.ones()) {
    out.code("00011");
  } else if (dbp == 0) {
    out.code("00010");
  } else if (dbx == low) {
    out.code("00000");
    out.put(place, shape.place_bits());
  } else if (dbx == (low | low << 1)) {
    out.code("00001");
    out.put(place, shape.place_bits());
  } else {
    out.code("1");
    out.put(dbx, shape.differences());
  }
}

void put_line(Writer& out, const Shape& shape, const Words& words) {
  const Planes planes = planes_of(shape, words);
  put_base(out, words[0]);
  unsigned run = 0;
  std::uint32_t above = 0;
  for (unsigned j = kPlanes; j-- > 0;) {
    const std::uint32_t dbx = planes[j] ^ above;
    above = planes[j];
    if (dbx == 0) {
      ++run;
      continue;
    }
    put_run(out, run);
    run = 0;
    put_plane(out, shape, dbx, planes[j]);
  }
  put_run(out, run);
}

class Reader {
 public:
  Reader(const Bits& bits, unsigned end) : bits_(bits), end_(end) {}
  std::uint32_t get(unsigned bits) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bits; ++i, ++next_) {
      if (next_ < end_) value |= (bits_[next_ / 8] >> (next_ % 8) & 1u) << i;
    }
    return value;
  }

 private:
  const Bits& bits_;
  unsigned next_ = 0, end_;
};

std::uint32_t get_base(Reader& in) {
  const auto extend = [](std::uint32_t value, unsigned bits) {
    return value >> (bits - 1) ? value | ~((1u << bits) - 1) : value;
  };
  if (in.get(1)) return in.get(32);
  const unsigned second = in.get(1), third = in.get(1);
  if (!second) return third ? extend(in.get(4), 4) : 0;
  return third ? extend(in.get(16), 16) : extend(in.get(8), 8);
}

Words get_line(Reader& in, const Shape& shape) {
  Words words{};
  words[0] = get_base(in);
  Planes planes{};
  std::uint32_t above = 0;
  unsigned run = 0;
  for (unsigned j = kPlanes; j-- > 0;) {
    std::uint32_t dbx = 0;
    if (run > 0) {
      --run;
    } else if (in.get(1)) {
      dbx = in.get(shape.differences());
    } else if (in.get(1)) {
      run = in.get(5) + 1;  // this plane and `run` more
    } else if (!in.get(1)) {
      const unsigned fourth = in.get(1), kind = 2 * fourth + in.get(1);
      if (kind == 0) dbx = 1u << in.get(shape.place_bits());
      if (kind == 1) dbx = 3u << in.get(shape.place_bits());
      if (kind == 2) dbx = above;
      if (kind == 3) dbx = shape.ones();
    }
    above = planes[j] = (above ^ dbx) & shape.ones();
  }
  for (unsigned i = 0; i < shape.differences(); ++i) {
    std::uint32_t difference = 0;
    for (unsigned j = 0; j < 32; ++j) difference |= (planes[j] >> i & 1) << j;
    words[i + 1] = words[i] + difference;
  }
  return words;
}

}  // namespace

EncodeRsp encode(const BpcParams& params, const EncodeReq& req) {
  Encoded out;
  Writer coded(&out);
  coded.code("1");
  put_line(coded, Shape(params), req.words);
  out.length = coded.length();
  if (out.length - 1 < params.raw_bits()) return out;
  out = {};
  Writer raw(&out);
  raw.code("0");
  for (unsigned i = 0; i < params.words; ++i) raw.put(req.words[i], 32);
  out.length = raw.length();
  return out;
}

DecodeRsp decode(const BpcParams& params, const DecodeReq& req) {
  Reader in(req.bits, params.raw_bits() + 1);
  if (in.get(1)) return {get_line(in, Shape(params))};
  DecodeRsp rsp;
  for (unsigned i = 0; i < params.words; ++i) rsp.words[i] = in.get(32);
  return rsp;
}

unsigned encoded_bits(const Line& line) {
  Writer count(nullptr);
  put_line(count, Shape(kLine), to_words(line));
  return count.length() < kRawBits ? count.length() : kRawBits;
}

Encoded encode(const Line& line) { return encode(kLine, EncodeReq{to_words(line)}); }
Line decode(const Bits& bits) { return to_line(decode(kLine, DecodeReq{bits}).words); }

}  // namespace warpsieve::bpc
