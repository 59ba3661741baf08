// Mars workloads that look for keys in text records byte by byte, one record per thread: a pass that counts, prefix
// sums, a pass that emits, a sort of the descriptors, and a reduction over the runs of equal keys.
#pragma once

#include "workloads/mars_keys.h"

namespace warpsieve::workloads {

class MarsGrouped : public MarsKeys {
 protected:
  using Warp = simt::Warp;

  /// Where a thread is in its record.
  struct Walk {
    Vec<int> record, at, start;  ///< `start`: first byte of the key that may begin here
    Vec<int> state = 0, hash = 0;
    Emitted emitted;
    bool emits;
  };

  /// `file`: where the text comes from, for errors; empty when it is made up.
  MarsGrouped(std::string name, const std::string& file, std::string text, std::vector<Int4> records)
      : MarsKeys(std::move(name)), source_(file.empty() ? this->name() : file), text_(std::move(text)),
        records_(std::move(records)) {}

  /// One byte of a record, at walk.at; calls found() at the end of a key.
  virtual void step(Warp& w, Walk& walk, const Vec<Byte>& c) const = 0;
  /// The value of a key of this record.
  virtual Vec<int> value(const Walk& walk) const = 0;
  virtual std::unique_ptr<simt::KernelLaunch> reduce(const std::string& kernel) = 0;
  /// The keys of a record, by plain C++ from the text; called once per record.
  virtual std::vector<std::string> keys_in(std::string_view record) const = 0;

  /// A key from walk.start to before walk.at. The map step ends it with a 0 in the text, as Mars does.
  void found(Warp& w, Walk& walk) const {
    const Vec<int> length = walk.at - walk.start;
    if (!walk.emits) {
      walk.emitted.pairs += 1;
      walk.emitted.key_bytes += length;
      return;
    }
    const Pair p = emit(w, walk.record, walk.emitted, data_, walk.start, length, value(walk));
    w.store(index_, p.number, quad(p.key_at, length, final_hash(walk.hash), p.number));
  }
  void terminate(Warp& w, const Walk& walk) const {
    if (walk.emits) w.store(data_, walk.at, Vec<Byte>(0));
  }

  void build() override {
    std::size_t bytes = 0;
    for (std::size_t r = 0; r < records_.size(); ++r)
      for (std::string& key : keys_in(std::string_view(text_).substr(static_cast<std::size_t>(records_[r].z),
                                                                     static_cast<std::size_t>(records_[r].w)))) {
        bytes += key.size();
        expected_.emplace_back(std::move(key), static_cast<int>(r));
      }
    if (expected_.empty())
      throw WorkloadError(fmt::format("{}: the text has none of the keys {} looks for", source_, name()));
    data_ = memory_.allocate("text", std::vector<Byte>(text_.begin(), text_.end()));
    input_ = memory_.allocate("records", records_);
    make_output(records_.size(), expected_.size(), bytes);
    index_ = memory_.allocate<Int4>("index", power_of_2(expected_.size()));
    flags_ = make_scan("flags", expected_.size());
    result_ = memory_.allocate<Int4>("result", expected_.size());
  }

  simt::HostCode host() override {
    co_yield pass(name() + "_count", false);
    for (const Scan* s : output_scans())
      for (int step = 0; step < kScanSteps; ++step) co_yield scan(*s, step);
    co_yield pass(name() + "_map", true);
    co_yield fill_up(name() + "_fill", index_, pairs());
    for (const auto& [k, j] : sort_steps(index_.count)) co_yield sort(name() + "_sort", index_, k, j);
    co_yield mark_first(name() + "_mark", index_, flags_.in);
    for (int step = 0; step < kScanSteps; ++step) co_yield scan(flags_, step);
    co_yield reduce(name() + "_reduce");
    groups_ = flagged(flags_, pairs());
  }

  int pairs() const { return static_cast<int>(expected_.size()); }

  /// For each group of the result: `check(key, descriptor)` returns what is wrong with it; no key may come twice.
  template <class Want, class F>
  std::string check_groups(Want want, F check) const {
    if (groups_ != static_cast<int>(want.size()))
      return fmt::format("{} distinct keys, expected {}", groups_, want.size());
    const std::vector<Byte> keys = memory_.read(keys_);
    for (int g = 0; g < groups_; ++g) {
      const Int4 r = memory_.read(result_, static_cast<std::uint64_t>(g));
      const std::string key = key_of(keys, r);
      const auto place = want.find(key);
      if (place == want.end()) return fmt::format("key {} is '{}', which is not in the text or came before", g, key);
      if (const std::string wrong = check(place->second, r); !wrong.empty())
        return fmt::format("key '{}' {}", key, wrong);
      want.erase(place);
    }
    return "";
  }

  std::vector<std::pair<std::string, int>> expected_;  ///< keys and their records
  simt::Buffer<Byte> data_;
  simt::Buffer<Int4> input_, index_, result_;
  Scan flags_;

 private:
  std::unique_ptr<simt::KernelLaunch> pass(const std::string& kernel, bool emits) {
    return each(
        kernel, records_.size(),
        [=, this](Warp& w, const Vec<int>& record) {
          const Vec<Int4> its = w.load(input_, record);
          const Vec<int> first = member(its, &Int4::z), end = first + member(its, &Int4::w);
          Walk walk{.record = record, .at = first, .start = first, .emitted = {}, .emits = emits};
          w.while_([&] { return walk.at < end; },
                   [&] {
                     step(w, walk, w.load(data_, walk.at));
                     walk.at += 1;
                   });
          if (!emits) count(w, record, walk.emitted);
        },
        24);
  }

  std::string source_, text_;
  std::vector<Int4> records_;
  int groups_ = -1;
};

}  // namespace warpsieve::workloads
