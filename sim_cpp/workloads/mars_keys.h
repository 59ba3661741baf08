// What the Mars workloads with byte keys share: emitting pairs byte by byte, sorting descriptors
// {first byte of the key, its length, hash, number} by hash, length and bytes, and finding runs of equal keys.
#pragma once

#include <array>
#include <limits>

#include "workloads/mars.h"

namespace warpsieve::workloads {

class MarsKeys : public Mars {
 protected:
  using Byte = std::uint8_t;
  using Int4 = simt::Int4;
  template <class T>
  using Vec = simt::Vec<T>;
  using Mars::Mars;

  static constexpr int kLast = std::numeric_limits<int>::max();  ///< hash of the entries that fill the array up

  static std::uint64_t power_of_2(std::uint64_t count) {
    std::uint64_t capacity = 2;
    while (capacity < count) capacity *= 2;
    return capacity;
  }
  static Vec<int> hashed(const Vec<int>& hash, const Vec<Byte>& c) { return hash * 31 + simt::to<int>(c); }
  static Vec<int> final_hash(const Vec<int>& hash) { return hash & 0x3fffffff; }

  // --- emitting: a first pass counts what each record emits, prefix sums make places of the counts ---

  /// What a record has emitted so far, or its totals.
  struct Emitted {
    Vec<int> pairs = 0, key_bytes = 0;
  };
  /// Room for what the host has found that the records will emit.
  void make_output(std::size_t records, std::size_t pairs, std::size_t key_bytes) {
    key_bytes_ = make_scan("key_bytes", records);
    value_bytes_ = make_scan("value_bytes", records);
    pairs_ = make_scan("pairs", records);
    keys_ = memory_.allocate<Byte>("keys", std::max<std::size_t>(key_bytes, 1));
    values_ = memory_.allocate<Byte>("values", 4 * std::max<std::size_t>(pairs, 1));
  }
  std::array<const Scan*, 3> output_scans() const { return {&key_bytes_, &value_bytes_, &pairs_}; }
  void count(simt::Warp& w, const Vec<int>& record, const Emitted& totals) const {
    w.store(key_bytes_.in, record, totals.key_bytes);
    w.store(value_bytes_.in, record, totals.pairs * 4);
    w.store(pairs_.in, record, totals.pairs);
  }
  struct Pair {
    Vec<int> key_at, value_at, number;
  };
  /// Copies the key, bytes of `text` from `from` on, and an int as its value; `e` is what came before.
  Pair emit(simt::Warp& w, const Vec<int>& record, Emitted& e, const simt::Buffer<Byte>& text, const Vec<int>& from,
            const Vec<int>& length, const Vec<int>& value) const {
    const Vec<int> key_at = w.load(key_bytes_.out, record) + e.key_bytes,
                   value_at = w.load(value_bytes_.out, record) + e.pairs * 4;
    Vec<int> k = 0;
    w.while_([&] { return k < length; },
             [&] {
               w.store(keys_, key_at + k, w.load(text, from + k));
               k += 1;
             });
    for (const int byte : w.range(0, 4))
      w.store(values_, value_at + byte, simt::to<Byte>((value >> static_cast<unsigned>(8 * byte)) & 255));
    const Vec<int> number = w.load(pairs_.out, record) + e.pairs;
    e.key_bytes += length;
    e.pairs += 1;
    return {key_at, value_at, number};
  }
  /// The emitted values as ints.
  simt::Buffer<int> values_as_ints() const { return {values_.base, values_.count / 4, values_.name}; }

  // --- sorting and grouping ---

  /// A descriptor in registers.
  struct Key {
    explicit Key(const Vec<Int4>& v)
        : at(member(v, &Int4::x)), size(member(v, &Int4::y)), hash(member(v, &Int4::z)) {}
    Vec<int> at, size, hash;
  };

  /// Of two descriptors, lanes where a's key comes before b's.
  simt::Mask before(simt::Warp& w, const Key& a, const Key& b) const {
    Vec<int> order = 0;  // of the first bytes that differ
    w.if_((a.hash == b.hash) & (a.size == b.size) & (a.at != b.at), [&] {
      Vec<int> k = 0;
      w.while_([&] { return k < a.size; },
               [&] {
                 order = simt::to<int>(w.load(keys_, a.at + k)) - simt::to<int>(w.load(keys_, b.at + k));
                 w.break_if(order != 0);
                 k += 1;
               });
    });
    const simt::Mask same_hash = a.hash == b.hash;
    return (a.hash < b.hash) | (same_hash & (a.size < b.size)) | (same_hash & (a.size == b.size) & (order < 0));
  }
  simt::Mask differ(simt::Warp& w, const Key& a, const Key& b) const { return before(w, a, b) | before(w, b, a); }

  /// One step of the sort by hash, then length, then the bytes themselves.
  std::unique_ptr<simt::KernelLaunch> sort(const std::string& name, const simt::Buffer<Int4>& index, int k, int j) {
    return sort_step(name, index, k, j, [this](simt::Warp& w, const Vec<Int4>& a, const Vec<Int4>& b) {
      return before(w, Key(a), Key(b));
    });
  }

  /// Entries from `from` on that come after all keys.
  std::unique_ptr<simt::KernelLaunch> fill_up(const std::string& name, const simt::Buffer<Int4>& index, int from) {
    return each(name, index.count, [=](simt::Warp& w, const Vec<int>& i) {
      w.if_(i >= from, [&] { w.store(index, i, quad(Vec<int>(0), Vec<int>(0), Vec<int>(kLast), i)); });
    });
  }

  /// 1 where a key is not the one before it.
  std::unique_ptr<simt::KernelLaunch> mark_first(const std::string& name, const simt::Buffer<Int4>& index,
                                                 const simt::Buffer<int>& flag) {
    return each(name, flag.count, [=, this](simt::Warp& w, const Vec<int>& i) {
      const Vec<Int4> own = w.load(index, i), previous = w.load(index, max(i - 1, Vec<int>(0)));
      const simt::Mask first = (i == 0) | differ(w, Key(previous), Key(own));
      w.store(flag, i, select(first, Vec<int>(1), Vec<int>(0)));
    });
  }

  /// In the first `count` entries: `finish(w, number of the run, its first entry, its end)` for each run of equal
  /// keys.
  template <class F>
  std::unique_ptr<simt::KernelLaunch> each_run(const std::string& name, const Scan& flags, int count, F finish) {
    return each(name, flags.in.count, [=](simt::Warp& w, const Vec<int>& i) {
      w.if_((i < count) & (w.load(flags.in, i) != 0), [&] {
        Vec<int> end = i + 1;
        w.while_([&] { return end < count; },
                 [&] {
                   w.break_if(w.load(flags.in, end) != 0);
                   end += 1;
                 });
        finish(w, w.load(flags.out, i), i, end);
      });
    });
  }

  /// How many of the first `count` flags are set.
  int flagged(const Scan& flags, int count) const {
    const auto last = static_cast<std::uint64_t>(count) - 1;
    return memory_.read(flags.out, last) + memory_.read(flags.in, last);
  }

  /// The key of a result's descriptor; empty when it lies outside of the keys.
  static std::string key_of(const std::vector<Byte>& keys, const Int4& r) {
    if (r.x < 0 || r.y < 0 || static_cast<std::size_t>(r.x) + static_cast<std::size_t>(r.y) > keys.size()) return "";
    return std::string(keys.begin() + r.x, keys.begin() + r.x + r.y);
  }

  simt::Buffer<Byte> keys_, values_;
  Scan key_bytes_, value_bytes_, pairs_;
};

}  // namespace warpsieve::workloads
