// SharedPool: objects by index, as Pool (ring.h), that several owners take and give, each with a free list of its
// own.
//
//   SharedPool<Packet> pool;             // the whole: one owner is enough
//   SharedPool<Packet> part(kPart, pool);  // a further owner, which may be another thread at the same time
// An index is good for all owners; how it is handed over is theirs to order. No result may depend on an index: with
// several threads it differs from run to run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "core/part.h"

namespace warpsieve {

template <class T>
class SharedPool {
 public:
  SharedPool() : whole_(this), from_(this) {
    chunks_ = static_cast<T**>(std::calloc(kMostChunks, sizeof(T*)));  // takes memory where it is touched
    if (!chunks_) throw std::bad_alloc();
  }
  /// `whole` must outlive it.
  SharedPool(Part, SharedPool& whole) : whole_(&whole), from_(this), chunks_(whole.chunks_) {
    whole.parts_.push_back(this);
  }
  ~SharedPool() {
    if (whole_ != this) return;
    for (std::uint32_t i = 0; i < made_.load(); ++i) delete[] chunks_[i];
    std::free(chunks_);
  }
  SharedPool(const SharedPool&) = delete;
  SharedPool& operator=(const SharedPool&) = delete;

  std::uint32_t take() {
    ++used_;
    return from_->take_free();
  }
  void give(std::uint32_t i) {
    from_->free_.push_back(i);
    --used_;
  }
  /// For the whole: whether all owners, which are one thread for a while, take from and give to it, so that what was
  /// given last, and is in the cache, is taken first.
  void together(bool on) {
    for (SharedPool* part : parts_) part->from_ = on ? this : part;
  }
  T& operator[](std::uint32_t i) { return chunks_[i / kChunk][i % kChunk]; }
  const T& operator[](std::uint32_t i) const { return chunks_[i / kChunk][i % kChunk]; }

  /// Of all owners; for the whole, while no other thread takes or gives.
  std::size_t used() const {
    std::int64_t sum = used_;
    for (const SharedPool* part : parts_) sum += part->used_;
    return static_cast<std::size_t>(sum);
  }
  /// Moves what is free here to `to`; no other thread takes or gives.
  void move_free(SharedPool& to) {
    to.free_.insert(to.free_.end(), free_.begin(), free_.end());
    free_.clear();
  }
  /// Whether this owner would take memory for one more.
  bool none_free() const { return free_.empty(); }

 private:
  static constexpr std::uint32_t kChunk = 64, kMostChunks = 1u << 18;

  std::uint32_t take_free() {
    if (free_.empty()) {
      if (next_ % kChunk == 0) next_ = whole_->add_chunk();
      return next_++;
    }
    const std::uint32_t i = free_.back();
    free_.pop_back();
    return i;
  }
  /// The first index of a new chunk.
  std::uint32_t add_chunk() {
    const std::uint32_t number = made_.fetch_add(1, std::memory_order_relaxed);
    if (number >= kMostChunks) throw std::bad_alloc();
    chunks_[number] = new T[kChunk]{};
    return number * kChunk;
  }

  SharedPool* whole_;
  SharedPool* from_;  ///< whose free list is used
  T** chunks_;        ///< addresses stay valid while it grows
  std::vector<std::uint32_t> free_;
  std::uint32_t next_ = 0;  ///< of the owner's last chunk; a multiple of kChunk: it is used up
  std::int64_t used_ = 0;   ///< taken less given by this owner
  std::vector<SharedPool*> parts_;
  std::atomic<std::uint32_t> made_{0};  ///< chunks, of the whole
};

}  // namespace warpsieve
