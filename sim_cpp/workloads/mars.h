// What the Mars (map-reduce) workloads share: records of a text, prefix sums over per-thread counts, sorting.
#pragma once

#include <utility>

#include "inputs/text_reader.h"
#include "workloads/common.h"
#include "workloads/records.h"

namespace warpsieve::workloads {

/// A descriptor from its four numbers.
inline simt::Vec<simt::Int4> quad(const simt::Vec<int>& x, const simt::Vec<int>& y, const simt::Vec<int>& z,
                                  const simt::Vec<int>& w) {
  return packed<simt::Int4>(x, y, z, w);
}

inline bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Records {0, 0, first byte, bytes} of a text that ends with a byte that may end a record: each ends at the first
/// such byte at or behind `bytes`.
template <class F>
std::vector<simt::Int4> cut_records(const std::string& text, std::size_t bytes, F may_end) {
  std::vector<simt::Int4> records;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(at + bytes, text.size());
    while (!may_end(text[end - 1])) ++end;
    records.push_back({0, 0, static_cast<int>(at), static_cast<int>(end - at)});
    at = end;
  }
  return records;
}

class Mars : public simt::Program {
 protected:
  using simt::Program::Program;

  /// Exclusive prefix sums of `in` in `out`, in blocks of 256 whose totals are in `sums`.
  struct Scan {
    simt::Buffer<int> in, out, sums;
  };
  static constexpr int kScanSteps = 3;
  static constexpr std::uint32_t kScanThreads = 256, kMaxScanBlocks = 1024;

  Scan make_scan(const std::string& name, std::uint64_t count) {
    const std::uint32_t blocks = simt::blocks_for(count, kScanThreads);
    if (blocks > kMaxScanBlocks)
      throw WorkloadError(
          fmt::format("{}: {} records: at most {} are expected", this->name(), count, kMaxScanBlocks * kScanThreads));
    return {memory_.allocate<int>(name, count), memory_.allocate<int>(name + "_before", count),
            memory_.allocate<int>(name + "_sums", blocks)};
  }

  /// A kernel with one thread for each of `count` items.
  template <class F>
  std::unique_ptr<simt::KernelLaunch> each(const std::string& name, std::uint64_t count, F body,
                                           std::uint32_t registers = 20) {
    return launch(name, simt::blocks_for(count, 256), 256, per_item(count, body), registers);
  }

  /// Step 0: each block on its own; 1: the totals of the blocks; 2: totals added to every element.
  std::unique_ptr<simt::KernelLaunch> scan(const Scan& s, int step) {
    const auto blocks = static_cast<std::uint32_t>(s.sums.count);
    if (step == 0) return scan_blocks("mars_scan", s.in, s.out, s.sums, blocks, kScanThreads);
    if (step == 1) return scan_blocks("mars_scan_sums", s.sums, s.sums, {}, 1, kMaxScanBlocks);
    const int n = static_cast<int>(s.in.count);
    return launch(
        "mars_scan_add", blocks, kScanThreads,
        [=](simt::Warp& w) {
          const simt::Vec<int> i = w.global_thread();
          w.exit_if(i >= n);
          w.store(s.out, i, w.load(s.out, i) + w.load(s.sums, static_cast<int>(w.block())));
        },
        8);
  }

  /// The (k, j) of all steps of a bitonic sort.
  static std::vector<std::pair<int, int>> sort_steps(std::uint64_t count) {
    std::vector<std::pair<int, int>> steps;
    for (int k = 2; k <= static_cast<int>(count); k *= 2)
      for (int j = k / 2; j > 0; j /= 2) steps.emplace_back(k, j);
    return steps;
  }

  /// One step of a bitonic sort of a power of 2 of descriptors: elements whose numbers differ in bit j,
  /// runs of k. `before(w, a, b)` tells in which lanes a comes before b.
  template <class F>
  std::unique_ptr<simt::KernelLaunch> sort_step(const std::string& name, const simt::Buffer<simt::Int4>& index, int k,
                                                int j, F before) {
    return launch(name, simt::blocks_for(index.count / 2, 256), 256,
                  per_item(index.count / 2,
                           [=](simt::Warp& w, const simt::Vec<int>& t) {
                             using simt::Int4, simt::Mask, simt::Vec;
                             const Vec<int> low = t & (j - 1), first = ((t - low) << 1) + low, second = first + j;
                             const Vec<Int4> a = w.load(index, first), b = w.load(index, second);
                             const Mask rising = (first & k) == 0, wrong = before(w, b, a), right = before(w, a, b);
                             w.if_((rising & wrong) | (!rising & right), [&] {
                               w.store(index, first, b);
                               w.store(index, second, a);
                             });
                           }),
                  20);
  }

 private:
  std::unique_ptr<simt::KernelLaunch> scan_blocks(const char* name, const simt::Buffer<int>& in,
                                                  const simt::Buffer<int>& out, const simt::Buffer<int>& sums,
                                                  std::uint32_t blocks, std::uint32_t threads) {
    const int n = static_cast<int>(in.count);
    return launch(
        name, blocks, threads,
        [=](simt::Warp& w) -> simt::Task {
          using simt::Vec;
          const simt::Shared<int> part[2] = {{0, threads}, {4 * threads, threads}};
          const Vec<int> t = w.thread(), i = w.global_thread();
          Vec<int> own = 0;
          w.if_(i < n, [&] { own = w.load(in, i); });
          Vec<int> sum = own;
          unsigned now = 0;
          w.store(part[0], t, sum);
          co_await w.barrier();
          for (int reach = 1; reach < static_cast<int>(threads); reach *= 2) {
            w.if_(t >= reach, [&] { sum += w.load(part[now], t - reach); });
            now ^= 1;
            w.store(part[now], t, sum);
            co_await w.barrier();
          }
          w.if_(i < n, [&] { w.store(out, i, sum - own); });
          if (sums.count > 0)
            w.if_(t == static_cast<int>(threads) - 1,
                  [&] { w.store(sums, Vec<int>(static_cast<int>(w.block())), sum); });
        },
        12, 8 * threads);
  }
};

}  // namespace warpsieve::workloads
