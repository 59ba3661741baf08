// Ring: FIFO queue of fixed capacity, in one allocation unless it may grow up to its capacity. Pool: objects by
// index, reused through a free list. It grows while the simulation warms up, and allocates nothing afterwards.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace warpsieve {

template <class T>
class Ring {
 public:
  explicit Ring(std::size_t capacity = 0) : Ring(capacity, capacity) {}
  /// Places for `first` items to begin with, and more when they are needed: a long queue that is mostly short does
  /// not go round through all of its memory.
  Ring(std::size_t capacity, std::size_t first)
      : items_(std::min(capacity, first)), places_(static_cast<std::uint32_t>(items_.size())),
        capacity_(static_cast<std::uint32_t>(capacity)) {}
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  T& front() { return items_[head_]; }
  const T& front() const { return items_[head_]; }
  T& back() { return (*this)[std::size_t{size_} - 1]; }
  T& operator[](std::size_t i) { return items_[wrap(head_ + i)]; }
  const T& operator[](std::size_t i) const { return items_[wrap(head_ + i)]; }
  /// A full ring here is a broken flow-control rule of the caller, never a normal event.
  T& push(const T& item) {
    T& slot = next();
    slot = item;
    return slot;
  }
  /// Appends without copying: the returned slot still holds an old item.
  T& next() {
    if (size_ == places_) grow();
    T& slot = items_[wrap(std::size_t{head_} + size_)];
    ++size_;
    return slot;
  }
  /// The slot that next() would append; there must be one, and the ring must not have to grow for it.
  T& coming() { return items_[wrap(std::size_t{head_} + size_)]; }
  void pop() {
    head_ = static_cast<std::uint32_t>(wrap(head_ + 1));
    --size_;
  }

 private:
  std::size_t wrap(std::size_t i) const { return i >= places_ ? i - places_ : i; }
  [[gnu::noinline, gnu::cold]] void grow() {
    if (full()) throw std::logic_error("Ring: push into a full queue");
    std::vector<T> more(std::min<std::size_t>(capacity_, std::max<std::size_t>(std::size_t{2} * places_, 4)));
    for (std::size_t i = 0; i < size_; ++i) more[i] = std::move((*this)[i]);
    items_ = std::move(more);
    places_ = static_cast<std::uint32_t>(items_.size());
    head_ = 0;
  }
  std::vector<T> items_;
  std::uint32_t places_;  ///< of the vector it would cost a division
  std::uint32_t capacity_;
  std::uint32_t head_ = 0, size_ = 0;
};

template <class T>
class Pool {
 public:
  std::uint32_t take() {
    ++used_;
    if (free_.empty()) {
      if (made_ % kChunk == 0) chunks_.push_back(std::make_unique<T[]>(kChunk));
      return made_++;
    }
    const std::uint32_t i = free_.back();
    free_.pop_back();
    return i;
  }
  void give(std::uint32_t i) {
    free_.push_back(i);
    --used_;
  }
  T& operator[](std::uint32_t i) { return chunks_[i / kChunk][i % kChunk]; }
  const T& operator[](std::uint32_t i) const { return chunks_[i / kChunk][i % kChunk]; }
  std::size_t used() const { return used_; }

 private:
  static constexpr std::uint32_t kChunk = 64;
  std::vector<std::unique_ptr<T[]>> chunks_;  // addresses stay valid while it grows
  std::uint32_t made_ = 0;
  std::vector<std::uint32_t> free_;
  std::size_t used_ = 0;
};

/// Set of small integers with ordered and round-robin search.
class BitSet {
 public:
  explicit BitSet(std::size_t size = 0) : words_((size + 63) / 64) {}
  void set(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void reset(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool test(std::size_t i) const { return (words_[i / 64] >> (i % 64)) & 1; }
  bool any() const {
    for (const auto w : words_)
      if (w) return true;
    return false;
  }
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  /// Smallest member >= i, or npos.
  std::size_t from(std::size_t i) const {
    std::size_t word = i / 64;
    if (word >= words_.size()) return npos;
    std::uint64_t bits = words_[word] & (~std::uint64_t{0} << (i % 64));
    for (;;) {
      if (bits) return word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
      if (++word == words_.size()) return npos;
      bits = words_[word];
    }
  }
  /// The same among the members that another set of the same size has, too.
  std::size_t from(std::size_t i, const BitSet& other) const {
    std::uint64_t mask = ~std::uint64_t{0} << (i % 64);
    for (std::size_t word = i / 64; word < words_.size(); ++word) {
      if (const std::uint64_t bits = words_[word] & other.words_[word] & mask)
        return word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
      mask = ~std::uint64_t{0};
    }
    return npos;
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace warpsieve
