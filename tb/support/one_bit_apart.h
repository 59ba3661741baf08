// OneBitApart: keys that differ in one bit from one of them. A comparison that ignores a bit takes two of these for
// one; keys drawn at random almost never do that to it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace warpsieve::tb {

template <class Word>
Word flip_bit(Word key, unsigned bit) {
  return key ^ Word { 1 } << bit;
}
template <std::size_t Bytes>
std::array<std::uint8_t, Bytes> flip_bit(std::array<std::uint8_t, Bytes> key, unsigned bit) {
  key[bit / 8] = static_cast<std::uint8_t>(key[bit / 8] ^ 1u << bit % 8);
  return key;
}

template <class Key>
class OneBitApart {
 public:
  /// Key 0 is the base, key n the base with bit (first + n - 1) modulo `bits` flipped; without bits all are the base.
  OneBitApart(Key base, unsigned bits, std::uint64_t first) : base_(std::move(base)), bits_(bits), first_(first) {}
  Key operator()(std::uint64_t number) const {
    return number == 0 || bits_ == 0 ? base_ : flip_bit(base_, static_cast<unsigned>((first_ + number - 1) % bits_));
  }

 private:
  Key base_;
  unsigned bits_;
  std::uint64_t first_;
};

}  // namespace warpsieve::tb
