#include "blocks/hash_store/wrong_bits.h"

#include <algorithm>
#include <optional>

#include "blocks/hash_store/hash_store_backends.h"

namespace warpsieve::hash_store {

WrongBits::Shape WrongBits::shape(const HashStoreParams& p, HashStoreTable table) {
  const auto of = [](unsigned words, unsigned lanes, unsigned lane_bits) {
    const secded::WordsShape word{lanes * lane_bits, lanes};
    return Shape{words, lanes, word.parts(), secded::WordsCode(word)};
  };
  switch (table) {
    case HashStoreTable::rows: return of(p.sets, 1, p.ways + p.ways * std::max(1u, clog2(p.ways)));
    case HashStoreTable::tags: return of(p.sets, p.ways, p.hash_bits + p.domain_bits + p.ref_bits);
    case HashStoreTable::counts: return of(p.sets, p.ways, p.count_bits);
    default: return of(p.ref_sets, p.ref_ways, 1 + p.ref_bits - clog2(p.ref_sets) + p.index_bits());
  }
}

WrongBits::WrongBits(const HashStoreParams& params) : on_(params.secded) {
  for (unsigned t = 0; t < found_.size() && on_; ++t)
    shapes_.push_back(shape(params, static_cast<HashStoreTable>(t)));
}

void WrongBits::reset() {
  flips_ = 0;
  for (unsigned t = 0; t < shapes_.size(); ++t)
    found_[t].assign(std::size_t{shapes_[t].words} * shapes_[t].lanes, Found{});
}

void WrongBits::write(HashStoreTable table, unsigned word, unsigned lane) {
  if (!on_) return;
  const auto t = static_cast<unsigned>(table);
  const Shape& shape = shapes_[t];
  // The bit of this lane that a half of the flips names.
  const auto place = [&](std::uint32_t half) -> std::optional<unsigned> {
    const unsigned number = (half & 0x3fff) - 1;
    if ((half & 0x3fff) == 0 || (half >> 14 & 3) != t) return {};
    if (number >= shape.stored_bits() || shape.lane_of(number) != lane) return {};
    return number;
  };
  const std::optional<unsigned> low = place(flips_), high = place(flips_ >> 16);
  Found& found = found_[t][std::size_t{word} * shape.lanes + lane];
  found.fatal = low && high && *low != *high && shape.code.part_of(*low) == shape.code.part_of(*high);
  found.single = (low || high) && !found.fatal;
}

WrongBits::Found WrongBits::lane(HashStoreTable table, unsigned word, unsigned lane) const {
  if (!on_) return {};
  const auto t = static_cast<unsigned>(table);
  return found_[t][std::size_t{word} * shapes_[t].lanes + lane];
}

WrongBits::Found WrongBits::word(HashStoreTable table, unsigned word) const {
  Found found;
  if (!on_) return found;
  for (unsigned way = 0; way < shapes_[static_cast<unsigned>(table)].lanes; ++way) found |= lane(table, word, way);
  return found;
}

}  // namespace warpsieve::hash_store
