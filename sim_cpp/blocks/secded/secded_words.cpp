#include "blocks/secded/secded_words.h"

#include <fmt/format.h>

#include <stdexcept>

#include "cosim/verilated.h"
#include "rtl_points/secded/secded_words.h"

namespace warpsieve::secded {

namespace {

WordsShape checked(const WordsShape& shape) {
  if (shape.lanes == 0 || shape.width == 0 || shape.width % shape.lanes != 0) {
    throw std::invalid_argument(
        fmt::format("secded_words: width {} is not a multiple of lanes {}", shape.width, shape.lanes));
  }
  return shape;
}

std::uint64_t get(const Bits& bits, unsigned at, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= std::uint64_t{bits[at + i]} << i;
  return value;
}
void put(Bits& bits, unsigned at, unsigned count, std::uint64_t value) {
  for (unsigned i = 0; i < count; ++i) bits[at + i] = (value >> i & 1) != 0;
}

std::vector<std::uint8_t> to_bytes(const Bits& bits) {
  std::vector<std::uint8_t> bytes((bits.size() + 7) / 8);
  for (std::size_t i = 0; i < bits.size(); ++i) bytes[i / 8] |= static_cast<std::uint8_t>(bits[i] << i % 8);
  return bytes;
}
Bits from_port(const auto& port, unsigned count) {
  std::vector<std::uint8_t> bytes((count + 7) / 8);
  port_to_bytes(port, bytes);
  Bits bits(count);
  for (unsigned i = 0; i < count; ++i) bits[i] = (bytes[i / 8] >> i % 8 & 1) != 0;
  return bits;
}

template <class V>
class SecdedWordsRtlAt final : public SecdedWordsRtl {
 public:
  SecdedWordsRtlAt(const WordsShape& shape, const std::string& name)
      : shape_(shape), stored_(WordsCode(shape).stored_bits()), top_(&context_, name.c_str()) {}
  ~SecdedWordsRtlAt() override { top_.final(); }
  Pins eval(const Bits& word, const Bits& read, std::uint32_t flip) override {
    port_from_bytes(top_.data_i, to_bytes(word));
    port_from_bytes(top_.read_i, to_bytes(read));
    top_.flip_i = flip;
    top_.eval();
    return {from_port(top_.stored_o, stored_),
            {from_port(top_.data_o, shape_.width), from_port(top_.single_o, shape_.lanes),
             from_port(top_.fatal_o, shape_.lanes)}};
  }

 private:
  WordsShape shape_;
  unsigned stored_;
  VerilatedContext context_;
  V top_;
};

}  // namespace

WordsCode::WordsCode(const WordsShape& shape) : shape_(checked(shape)), code_(shape.part_bits()) {}

unsigned WordsCode::stored_bits() const {
  return shape_.width + (shape_.secded ? shape_.lanes * shape_.parts() * code_.check_bits() : 0);
}

unsigned WordsCode::bits_of(unsigned part) const {
  return part + 1 < shape_.parts() ? shape_.part_bits() : shape_.lane_bits() - part * shape_.part_bits();
}

unsigned WordsCode::part_of(unsigned stored_bit) const {
  const unsigned lane = stored_bit / lane_stored(), bit = stored_bit % lane_stored();
  const unsigned part =
      bit < shape_.lane_bits() ? bit / shape_.part_bits() : (bit - shape_.lane_bits()) / code_.check_bits();
  return lane * shape_.parts() + part;
}

Bits WordsCode::encode(const Bits& word) const {
  if (!shape_.secded) return word;
  Bits stored(stored_bits());
  for (unsigned lane = 0; lane < shape_.lanes; ++lane) {
    const unsigned to = lane * lane_stored();
    for (unsigned part = 0; part < shape_.parts(); ++part) {
      const unsigned at = part * shape_.part_bits();
      const std::uint64_t data = get(word, lane * shape_.lane_bits() + at, bits_of(part));
      put(stored, to + at, bits_of(part), data);
      put(stored, to + shape_.lane_bits() + part * code_.check_bits(), code_.check_bits(), code_.check(data));
    }
  }
  return stored;
}

DecodedWord WordsCode::decode(const Bits& stored) const {
  DecodedWord made{Bits(shape_.width), Bits(shape_.lanes), Bits(shape_.lanes)};
  if (!shape_.secded) {
    made.data = stored;
    return made;
  }
  for (unsigned lane = 0; lane < shape_.lanes; ++lane) {
    const unsigned from = lane * lane_stored();
    bool single = false, fatal = false;
    for (unsigned part = 0; part < shape_.parts(); ++part) {
      const unsigned at = part * shape_.part_bits();
      const auto check = get(stored, from + shape_.lane_bits() + part * code_.check_bits(), code_.check_bits());
      const Decoded decoded = code_.decode(get(stored, from + at, bits_of(part)), static_cast<std::uint8_t>(check));
      put(made.data, lane * shape_.lane_bits() + at, bits_of(part), decoded.data);
      single |= decoded.single;
      fatal |= decoded.fatal;
    }
    made.single[lane] = single && !fatal;
    made.fatal[lane] = fatal;
  }
  return made;
}

std::unique_ptr<SecdedWordsRtl> make_secded_words_rtl(const WordsShape& shape, const std::string& name) {
  return make_at_point<rtl_points::secded_words, SecdedWordsRtl>(
      {{"Width", shape.width},
       {"Lanes", shape.lanes},
       {"Secded", shape.secded ? 1u : 0u},
       {"Stored", WordsCode(shape).stored_bits()}},
      [&]<class V>() { return std::make_unique<SecdedWordsRtlAt<V>>(shape, name); });
}

}  // namespace warpsieve::secded
