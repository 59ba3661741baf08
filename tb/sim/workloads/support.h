// Runs a workload launch by launch and looks at what its warps store.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "simt/program.h"
#include "workloads/registry.h"

namespace warpsieve::workloads::test {

using simt::BlockTrace;
using simt::WarpInstr;
using simt::WarpTrace;

/// Calls `see` for every warp of every launch, in order.
using SeeWarp = std::function<void(const simt::LaunchShape&, std::uint64_t launch, const WarpTrace&)>;

inline void run_warps(simt::Workload& w, const SeeWarp& see) {
  std::uint64_t n = 0;
  for (; const auto l = w.next_launch(); ++n)
    for (std::uint32_t b = 0; b < l->shape().blocks; ++b)
      for (const WarpTrace& t : l->run_block(b).warps) see(l->shape(), n, t);
}

/// A folder of files that goes away with the test.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("inputs_{}", ::getpid())) {
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

inline bool is_memory(const WarpInstr& i) {
  return i.op == simt::Op::load || i.op == simt::Op::store || i.op == simt::Op::atomic;
}

inline std::uint64_t memory_instructions(const WarpTrace& t) {
  std::uint64_t n = 0;
  for (const WarpInstr& i : t.instrs) n += is_memory(i);
  return n;
}

/// A full-warp store of 32 equal words: an intra-duplicate line.
inline bool equal_words(const WarpTrace& t, const WarpInstr& i) {
  for (std::size_t k = i.bytes; k < 32u * i.bytes; ++k)
    if (t.data[i.values + k] != t.data[i.values + k % i.bytes]) return false;
  return true;
}

/// Full-warp coalesced stores of a kernel, per launch: lines written and intra-duplicate ones.
struct StoredLines {
  std::uint64_t lines = 0, intra = 0;
  double share() const { return lines ? static_cast<double>(intra) / static_cast<double>(lines) : 0.0; }
};

/// Per launch of `kernel`, in order.
inline std::vector<StoredLines> stored_lines(simt::Workload& w, const std::string& kernel) {
  std::map<std::uint64_t, StoredLines> found;
  run_warps(w, [&](const simt::LaunchShape& s, std::uint64_t launch, const WarpTrace& t) {
    if (s.kernel != kernel) return;
    for (const WarpInstr& i : t.instrs) {
      if (i.op != simt::Op::store || i.mask != simt::kAllLanes) continue;
      ++found[launch].lines;
      found[launch].intra += equal_words(t, i);
    }
  });
  std::vector<StoredLines> out;
  for (const auto& [launch, lines] : found) out.push_back(lines);
  return out;
}

}  // namespace warpsieve::workloads::test
