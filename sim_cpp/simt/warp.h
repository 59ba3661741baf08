// One warp as a kernel sees it: identity, structured divergence, global, shared and constant memory.
//
//   simt::Task kernel(Warp& w, Buffer<float> a, int n) {      // or void, when there is no barrier
//     Vec<int> i = w.global_thread();
//     w.exit_if(i >= n);
//     w.if_(w.load(flag, i) != 0, [&] { w.store(a, i, w.load(a, i) + 1.0f); });
//     co_await w.barrier();
//   }
//
// Divergence is structured: if_, if_else_, while_, loop_, break_if, continue_if, exit_if keep a mask
// stack; a path that no lane takes is skipped. Conditions that all threads share are ordinary C++.
// An access outside of its array throws DeviceFault with kernel, block, warp, lane, index and address.
// Two lanes that store to one address: the higher lane wins; atomics are performed in lane order.
#pragma once

#include <coroutine>
#include <cstring>
#include <map>
#include <span>
#include <utility>

#include "simt/memory.h"
#include "simt/shared_banks.h"
#include "simt/vec.h"

namespace warpsieve::simt {

/// Longest stream one warp may produce per block; a longer one is taken for an endless loop.
inline constexpr std::size_t kMaxWarpStream = std::size_t{1} << 22;

/// A typed piece of the block's shared memory, `offset` in bytes.
template <class T>
struct Shared {
  std::uint32_t offset = 0;
  std::uint32_t count = 0;
};

/// A table in constant memory. The host vector behind it must outlive the launch.
template <class T>
struct Constant {
  std::span<const T> values;
  const char* name = "constant";
};

class Warp : public Recorder {
 public:
  Warp(DeviceMemory& memory, const LaunchShape& shape, std::uint32_t block, std::uint32_t index,
       std::span<std::uint8_t> shared);

  std::uint32_t block() const { return block_; }  ///< index in the grid
  std::uint32_t index() const { return index_; }  ///< of this warp in its block
  std::uint32_t threads() const { return shape_.threads; }
  /// Thread number in the block; a special register, costs nothing.
  Vec<int> thread() {
    return identity(0, [this](int l) { return static_cast<int>(index_) * 32 + l; });
  }
  /// Coordinates in a block that is `width` threads wide, x fastest.
  Vec<int> thread_x(int width) {
    return identity(2 * width, [=, this](int l) { return (static_cast<int>(index_) * 32 + l) % width; });
  }
  Vec<int> thread_y(int width) {
    return identity(2 * width + 1, [=, this](int l) { return (static_cast<int>(index_) * 32 + l) / width; });
  }
  /// block * threads + thread: one alu.
  Vec<int> global_thread() {
    Vec<int> v = lanes([this](int l) { return static_cast<int>(block_ * shape_.threads + index_ * 32) + l; });
    return Vec<int>(v.lanes(), arithmetic(Op::alu, 1));
  }

  // --- divergence ---
  template <class Then>
  void if_(const Mask& c, Then&& then) {
    if_else_(c, then, [] {});
  }
  template <class Then, class Else>
  void if_else_(const Mask& c, Then&& then, Else&& otherwise) {
    branch(c);
    const std::uint32_t saved = active_;
    active_ = saved & c.bits();
    if (active_) in_scope(Sites::Scope::then, then);
    active_ = saved & ~c.bits();
    if (active_) in_scope(Sites::Scope::otherwise, otherwise);
    active_ = saved & ~gone();
  }
  template <class Cond, class Body>
  void while_(Cond&& cond, Body&& body) {
    const std::uint32_t entry = active_, outer_broken = broken_, outer_continued = continued_;
    broken_ = 0;
    continued_ = 0;
    if (capture_) capture_->enter(Sites::Scope::loop);
    while (active_) {
      if (capture_) capture_->next_iteration();
      const Mask c = cond();
      branch(c);
      active_ &= c.bits();
      const std::uint32_t iteration = active_;
      if (!iteration) break;
      body();
      continued_ = 0;
      active_ = iteration & ~gone();
      check_length();
    }
    if (capture_) capture_->leave();
    broken_ = outer_broken;
    continued_ = outer_continued;
    active_ = entry & ~gone();
  }
  /// Runs until every lane has left by break_if or exit_if; one alu per iteration.
  template <class Body>
  void loop_(Body&& body) {
    while_([] { return Mask(kAllLanes); }, body);
  }
  /// Uniform counted loop: for (int k : w.range(0, n)); one alu per iteration.
  class Range;
  Range range(int first, int end, int step = 1);

  void break_if(const Mask& c) { drop(c, broken_); }        ///< lanes leave the innermost lane-wise loop
  void continue_if(const Mask& c) { drop(c, continued_); }  ///< lanes rest until its next iteration
  void exit_if(const Mask& c) { drop(c, exited_); }         ///< lanes leave the kernel

  // --- global memory; T is 1, 4, 8 or 16 bytes wide ---
  template <class T>
  Vec<T> load(const Buffer<T>& b, const Vec<int>& i) {
    if (!active_) return Vec<T>();
    open(Op::load, b, i, kNoProducer);
    Addr* a = addresses();
    std::array<T, kLanes> out{};
    each([&](unsigned l) {
      const Addr at = *a++ = locate(b, i[l], l, "load");
      std::memcpy(&out[l], memory_.at(at), sizeof(T));
    });
    trace_.pack(count_lanes(active_));
    return Vec<T>(out, last());
  }
  template <class T>
  void store(const Buffer<T>& b, const Vec<int>& i, const Vec<T>& v) {
    if (!active_) return;
    open(Op::store, b, i, v.read());
    Addr* a = addresses();
    std::uint8_t* d = operands(sizeof(T));
    each([&](unsigned l) {
      const Addr at = *a++ = locate(b, i[l], l, "store");
      std::memcpy(memory_.at(at), &v[l], sizeof(T));
      std::memcpy(d, &v[l], sizeof(T));
      d += sizeof(T);
    });
    trace_.pack(count_lanes(active_));
  }
  /// Read-modify-write at the L2; returns the old values.
  template <class T>
  Vec<T> atomic_add(const Buffer<T>& b, const Vec<int>& i, const Vec<T>& v) {
    constexpr AtomicOp op = std::is_same_v<T, float> ? AtomicOp::add_f32 : AtomicOp::add_u32;
    return atomic(op, b, i, v, [](T old, T x) { return detail::wrap_add(old, x); });
  }
  Vec<std::uint32_t> atomic_min(const Buffer<std::uint32_t>& b, const Vec<int>& i, const Vec<std::uint32_t>& v) {
    return atomic(AtomicOp::min_u32, b, i, v, [](std::uint32_t old, std::uint32_t x) { return std::min(old, x); });
  }
  Vec<std::uint32_t> atomic_max(const Buffer<std::uint32_t>& b, const Vec<int>& i, const Vec<std::uint32_t>& v) {
    return atomic(AtomicOp::max_u32, b, i, v, [](std::uint32_t old, std::uint32_t x) { return std::max(old, x); });
  }
  template <class T>
  Vec<T> atomic_exchange(const Buffer<T>& b, const Vec<int>& i, const Vec<T>& v) {
    return atomic(AtomicOp::exch_u32, b, i, v, [](T, T x) { return x; });
  }

  // --- shared memory and barriers ---
  template <class T>
  Vec<T> load(const Shared<T>& s, const Vec<int>& i) {
    if (!active_) return Vec<T>();
    push(Op::shared, i.read()).bytes = sizeof(T);
    std::array<T, kLanes> out{};
    each([&](unsigned l) { std::memcpy(&out[l], &shared_[shared_at(s, i[l], l)], sizeof(T)); });
    if (count_passes_) set_passes(s, i);
    return Vec<T>(out, last());
  }
  template <class T>
  void store(const Shared<T>& s, const Vec<int>& i, const Vec<T>& v) {
    if (!active_) return;
    push(Op::shared, i.read(), v.read()).bytes = sizeof(T);
    each([&](unsigned l) { std::memcpy(&shared_[shared_at(s, i[l], l)], &v[l], sizeof(T)); });
    if (count_passes_) set_passes(s, i);
  }
  /// co_await w.barrier(): all warps of the block, none of them inside divergent code.
  [[nodiscard]] std::suspend_always barrier();

  // --- constant memory, same element for all lanes ---
  template <class T>
  Vec<T> load(const Constant<T>& c, std::size_t i) {
    if (!active_) return Vec<T>();
    if (i >= c.values.size()) constant_fault(c.name, i, c.values.size());
    push(Op::constant, kNoProducer).bytes = sizeof(T);
    std::array<T, kLanes> out;
    out.fill(c.values[i]);
    return Vec<T>(out, last());
  }

  WarpTrace take_trace() { return std::move(trace_); }
  /// Passes of shared-memory accesses are not counted.
  void skip_shared_passes() { count_passes_ = false; }
  void reserve(std::size_t instrs, std::size_t addresses, std::size_t data);
  std::uint32_t barriers() const { return barriers_; }

 private:
  template <class F>
  void in_scope(Sites::Scope kind, F&& body) {
    if (capture_) capture_->enter(kind);
    body();
    if (capture_) capture_->leave();
  }
  template <class F>
  static Vec<int> lanes(F&& f) {
    std::array<int, kLanes> v;
    for (unsigned l = 0; l < kLanes; ++l) v[l] = f(static_cast<int>(l));
    return Vec<int>(v, kNoProducer);
  }
  template <class F>
  void each(F&& f) {
    if (active_ == kAllLanes) {
      for (unsigned l = 0; l < kLanes; ++l) f(l);
    } else {
      for (std::uint32_t m = active_; m; m &= m - 1) f(static_cast<unsigned>(std::countr_zero(m)));
    }
  }
  std::uint32_t gone() const { return broken_ | continued_ | exited_; }
  void branch(const Mask& c) { arithmetic(Op::alu, 1, c.producer()); }
  void drop(const Mask& c, std::uint32_t& set) {
    branch(c);
    set |= active_ & c.bits();
    active_ &= ~c.bits();
  }
  void check_length() const {
    if (trace_.instrs.size() > kMaxWarpStream) endless_loop();
  }

  /// A thread number, `which` of them. With the spill model it is a register, filled where it is first asked for.
  template <class F>
  Vec<int> identity(int which, F&& f) {
    const Vec<int> v = lanes(f);
    if (!capture_ || !capture_->address_words() || !active_) return v;
    return Vec<int>(v.lanes(), known_register(identities_[which], kNoProducer));
  }
  /// The address computation and the access itself; the trace pointers follow.
  template <class T>
  void open(Op op, const Buffer<T>& b, const Vec<int>& index, std::uint32_t value) {
    const std::uint32_t producer = index.read();
    const bool kept = capture_ && capture_->address_words();
    const std::uint32_t address =
        kept ? address_register(b.base, sizeof(T), index) : arithmetic(Op::alu, 1, producer);
    WarpInstr& i = push(op, address, value);
    i.bytes = sizeof(T);
    i.payload = static_cast<std::uint32_t>(trace_.addresses.size());
  }
  Addr* addresses() {
    const std::size_t n = trace_.addresses.size();
    trace_.addresses.resize(n + count_lanes(active_));
    return trace_.addresses.data() + n;
  }
  std::uint8_t* operands(unsigned bytes) {
    const std::size_t n = trace_.data.size();
    trace_.instrs.back().values = static_cast<std::uint32_t>(n);
    trace_.data.resize(n + bytes * count_lanes(active_));
    return trace_.data.data() + n;
  }
  template <class T>
  Addr locate(const Buffer<T>& b, int i, unsigned lane, const char* what) const {
    if (i < 0 || static_cast<std::uint64_t>(i) >= b.count)
      array_fault(what, sizeof(T), b.name, b.base, b.count, i, lane);
    return b.base + static_cast<std::uint64_t>(i) * sizeof(T);
  }
  /// Of the shared-memory access recorded last, to these elements.
  template <class T>
  void set_passes(const Shared<T>& s, const Vec<int>& i) {
    std::array<std::uint32_t, kLanes> at;
    unsigned n = 0;
    each([&](unsigned l) { at[n++] = s.offset + static_cast<std::uint32_t>(i[l]) * std::uint32_t{sizeof(T)}; });
    trace_.instrs.back().detail[0] = static_cast<std::uint8_t>(shared_passes({at.data(), n}, sizeof(T)) - 1);
  }
  template <class T>
  std::uint32_t shared_at(const Shared<T>& s, int i, unsigned lane) const {
    const std::size_t at = s.offset + static_cast<std::size_t>(i) * sizeof(T);
    if (i < 0 || static_cast<std::uint32_t>(i) >= s.count || at + sizeof(T) > shared_.size())
      array_fault("shared access", sizeof(T), "shared memory", s.offset, s.count, i, lane);
    return static_cast<std::uint32_t>(at);
  }
  template <class T, class F>
  Vec<T> atomic(AtomicOp op, const Buffer<T>& b, const Vec<int>& i, const Vec<T>& v, F&& f) {
    static_assert(sizeof(T) == 4);
    if (!active_) return Vec<T>();
    open(Op::atomic, b, i, v.read());
    trace_.instrs.back().atomic = op;
    Addr* a = addresses();
    std::uint8_t* d = operands(sizeof(T));
    std::array<T, kLanes> old{};
    each([&](unsigned l) {
      const Addr at = *a++ = locate(b, i[l], l, "atomic");
      std::memcpy(&old[l], memory_.at(at), sizeof(T));
      const T fresh = f(old[l], v[l]);
      std::memcpy(memory_.at(at), &fresh, sizeof(T));
      std::memcpy(d, &v[l], sizeof(T));
      d += sizeof(T);
    });
    trace_.pack(count_lanes(active_));
    return Vec<T>(old, last());
  }

  /// A value that the kernel does not name and a compiler keeps.
  struct Known {
    std::uint32_t result = kNoProducer, mask = 0;
    std::array<int, kLanes> index{};  ///< an address: of these elements
  };
  std::uint32_t known_register(Known& known, std::uint32_t source);
  std::uint32_t address_register(Addr base, unsigned bytes, const Vec<int>& index);

  [[noreturn]] void array_fault(const char* what, std::size_t bytes, const char* array, Addr base,
                                std::uint64_t count, int index, unsigned lane) const;
  [[noreturn]] void constant_fault(const char* name, std::size_t i, std::size_t count) const;
  [[noreturn]] void endless_loop() const;

  DeviceMemory& memory_;
  const LaunchShape& shape_;
  std::span<std::uint8_t> shared_;
  std::uint32_t block_, index_;
  std::uint32_t present_;  ///< lanes that hold a thread
  std::uint32_t broken_ = 0, continued_ = 0, exited_ = 0;
  std::uint32_t barriers_ = 0;
  bool count_passes_ = true;
  std::map<int, Known> identities_;
  std::map<std::pair<Addr, std::uint32_t>, Known> addresses_;  ///< by array and the result that is the index
};

class Warp::Range {
 public:
  Range(Warp* warp, int first, int end, int step) : warp_(warp), first_(first), last_(end), step_(step) {
    if (warp_->capture_) warp_->capture_->enter(Sites::Scope::loop);
  }
  ~Range() {
    if (warp_->capture_) warp_->capture_->leave();
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

  struct Iterator {
    Range* range;
    int value;
    int operator*() const { return value; }
    Iterator& operator++() {
      value += range->step_;
      return *this;
    }
    bool operator!=(const Iterator& end) const {
      const bool more = range->step_ > 0 ? value < end.value : value > end.value;
      if (more) range->iterate(value);
      return more;
    }
  };
  Iterator begin() { return {this, first_}; }
  Iterator end() { return {this, last_}; }

 private:
  /// The counter lives in a register: each iteration makes it from the last one's.
  void iterate(int value) {
    if (!warp_->capture_) {
      warp_->arithmetic(Op::alu, 1);
      return;
    }
    warp_->capture_->next_iteration();
    const std::uint32_t counter = warp_->arithmetic(Op::alu, 1, counter_);
    if (counter == kNoProducer) return;
    counter_ = counter;
    std::array<int, kLanes> lanes;
    lanes.fill(value);
    warp_->keep_result(counter, lanes);
  }

  Warp* warp_;
  int first_, last_, step_;
  std::uint32_t counter_ = kNoProducer;
};

inline Warp::Range Warp::range(int first, int end, int step) { return Range(this, first, end, step); }

}  // namespace warpsieve::simt
