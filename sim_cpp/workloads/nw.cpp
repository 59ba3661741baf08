// nw (Rodinia): Needleman-Wunsch alignment score of two random sequences of length n. Tiles of 16 x 16
// cells, one launch per anti-diagonal of tiles, 16 threads per block (half a warp); a block reads its
// reference tile, the row above and the column to its left (16 separate sectors).
#include <string_view>
#include <utility>

#include "inputs/note.h"
#include "inputs/rodinia_files.h"
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kNwTile = 16, kBorder = kNwTile + 1, kNwMaxLength = 16384;

/// BLOSUM62. The benchmark draws its letters 1 to 10: R N D C Q E G H I L.
constexpr std::string_view kAcids = "ARNDCQEGHILKMFPSTWYVBZX*";
constexpr std::uint32_t kFirstLetter = 1, kLetters = 10;
constexpr int kScores[24][24] = {
    {4, -1, -2, -2, 0, -1, -1, 0, -2, -1, -1, -1, -1, -2, -1, 1, 0, -3, -2, 0, -2, -1, 0, -4},
    {-1, 5, 0, -2, -3, 1, 0, -2, 0, -3, -2, 2, -1, -3, -2, -1, -1, -3, -2, -3, -1, 0, -1, -4},
    {-2, 0, 6, 1, -3, 0, 0, 0, 1, -3, -3, 0, -2, -3, -2, 1, 0, -4, -2, -3, 3, 0, -1, -4},
    {-2, -2, 1, 6, -3, 0, 2, -1, -1, -3, -4, -1, -3, -3, -1, 0, -1, -4, -3, -3, 4, 1, -1, -4},
    {0, -3, -3, -3, 9, -3, -4, -3, -3, -1, -1, -3, -1, -2, -3, -1, -1, -2, -2, -1, -3, -3, -2, -4},
    {-1, 1, 0, 0, -3, 5, 2, -2, 0, -3, -2, 1, 0, -3, -1, 0, -1, -2, -1, -2, 0, 3, -1, -4},
    {-1, 0, 0, 2, -4, 2, 5, -2, 0, -3, -3, 1, -2, -3, -1, 0, -1, -3, -2, -2, 1, 4, -1, -4},
    {0, -2, 0, -1, -3, -2, -2, 6, -2, -4, -4, -2, -3, -3, -2, 0, -2, -2, -3, -3, -1, -2, -1, -4},
    {-2, 0, 1, -1, -3, 0, 0, -2, 8, -3, -3, -1, -2, -1, -2, -1, -2, -2, 2, -3, 0, 0, -1, -4},
    {-1, -3, -3, -3, -1, -3, -3, -4, -3, 4, 2, -3, 1, 0, -3, -2, -1, -3, -1, 3, -3, -3, -1, -4},
    {-1, -2, -3, -4, -1, -2, -3, -4, -3, 2, 4, -2, 2, 0, -3, -2, -1, -2, -1, 1, -4, -3, -1, -4},
    {-1, 2, 0, -1, -3, 1, 1, -2, -1, -3, -2, 5, -1, -3, -1, 0, -1, -3, -2, -2, 0, 1, -1, -4},
    {-1, -1, -2, -3, -1, 0, -2, -3, -2, 1, 2, -1, 5, 0, -2, -1, -1, -1, -1, 1, -3, -1, -1, -4},
    {-2, -3, -3, -3, -2, -3, -3, -3, -1, 0, 0, -3, 0, 6, -4, -2, -2, 1, 3, -1, -3, -3, -1, -4},
    {-1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4, 7, -1, -1, -4, -3, -2, -2, -1, -2, -4},
    {1, -1, 1, 0, -1, 0, 0, 0, -1, -2, -2, 0, -1, -2, -1, 4, 1, -3, -2, -2, 0, 0, 0, -4},
    {0, -1, 0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1, 1, 5, -2, -2, 0, -1, -1, 0, -4},
    {-3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1, 1, -4, -3, -2, 11, 2, -3, -4, -3, -2, -4},
    {-2, -2, -2, -3, -2, -1, -2, -3, 2, -1, -1, -2, -1, 3, -3, -2, -2, 2, 7, -1, -3, -2, -1, -4},
    {0, -3, -3, -3, -1, -2, -2, -3, -3, 3, 1, -2, 1, -1, -2, -2, 0, -3, -1, 4, -3, -2, -1, -4},
    {-2, -1, 3, 4, -3, 0, 1, -1, 0, -3, -4, 0, -3, -3, -2, 0, -1, -4, -3, -3, 4, 1, -1, -4},
    {-1, 0, 0, 1, -3, 3, 4, -2, 0, -3, -3, 1, -1, -3, -1, 0, -1, -3, -2, -2, 1, 4, -1, -4},
    {0, -1, -1, -1, -2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -2, 0, 0, -2, -1, -1, -1, -1, -1, -4},
    {-4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, 1}};

/// The first two sequences of the file, cut to the shorter one's whole tiles.
std::pair<std::string, std::string> cut_sequences(const std::string& path) {
  const std::vector<std::string> all = inputs::read_proteins(path);
  const std::size_t shorter = std::min(all[0].size(), all[1].size()), length = shorter / kNwTile * kNwTile;
  if (length == 0)
    throw WorkloadError(fmt::format("nw: two sequences of at least {} letters are expected, found {} and {}", kNwTile,
                                    all[0].size(), all[1].size()));
  if (length != all[0].size() || length != all[1].size() || all.size() > 2)
    inputs::note(
        path, fmt::format("the first {} letters of the first two sequences are aligned (they have {} and {})", length,
                          all[0].size(), all[1].size()));
  return {all[0].substr(0, length), all[1].substr(0, length)};
}

class NeedlemanWunsch final : public Program {
 public:
  explicit NeedlemanWunsch(const Settings& s)
      : Program("nw"), n_(s.input().empty() ? s.count("length") : 0), penalty_(s.count("penalty")), pitch_(n_ + 1) {
    if (!s.input().empty()) {
      const auto [down, across] = cut_sequences(s.input());
      for (const char c : down) down_.push_back(kAcids.find(c));
      for (const char c : across) across_.push_back(kAcids.find(c));
      n_ = static_cast<int>(down.size());
      if (n_ > kNwMaxLength)
        throw WorkloadError(fmt::format("nw: at most {} letters are expected, found {}", kNwMaxLength, n_));
      pitch_ = n_ + 1;
      return;
    }
    if (n_ % kNwTile != 0)
      throw WorkloadError(fmt::format("nw.length = '{}': a multiple of {} is expected", n_, kNwTile));
    inputs::Random random(s.seed());
    for (std::vector<std::size_t>* sequence : {&down_, &across_})
      for (int i = 0; i < n_; ++i) sequence->push_back(kFirstLetter + random.below(kLetters));
  }

 private:
  std::size_t index(std::size_t row, std::size_t column) const {
    return row * static_cast<std::size_t>(pitch_) + column;
  }

  void build() override {
    const auto n = static_cast<std::size_t>(n_);
    std::vector<int> reference((n + 1) * (n + 1), 0), start(reference.size(), 0);
    for (std::size_t i = 1; i <= n; ++i) {
      for (std::size_t j = 1; j <= n; ++j) reference[index(i, j)] = kScores[down_[i - 1]][across_[j - 1]];
      start[index(i, 0)] = start[index(0, i)] = -static_cast<int>(i) * penalty_;
    }
    reference_ = memory_.allocate("reference", reference);
    score_ = memory_.allocate("score", start);
  }

  HostCode host() override {
    const int tiles = n_ / kNwTile;
    for (int i = 1; i <= tiles; ++i) co_yield wavefront("nw_upper", i, 0, i - 1);
    for (int i = tiles - 1; i >= 1; --i) co_yield wavefront("nw_lower", i, tiles - i, tiles - 1);
  }

  /// `count` tiles of an anti-diagonal, from column `left` and row `bottom` upwards.
  std::unique_ptr<KernelLaunch> wavefront(const char* name, int count, int left, int bottom) {
    return launch(
        name, static_cast<std::uint32_t>(count), kNwTile,
        [left, bottom, reference = reference_, score = score_, pitch = pitch_, penalty = penalty_](Warp& w) -> Task {
          const Shared<int> cells{0, kBorder * kBorder}, scores{4 * kBorder * kBorder, kNwTile * kNwTile};
          const int step = static_cast<int>(w.block());
          const int corner = pitch * kNwTile * (bottom - step) + kNwTile * (left + step);
          const Vec<int> x = w.thread();
          w.if_(x == 0, [&] { w.store(cells, x, w.load(score, x + corner)); });
          const Vec<int> first = x + (corner + pitch + 1);
          Vec<int> at = first;
          for (const int y : w.range(0, kNwTile)) {
            w.store(scores, x + y * kNwTile, w.load(reference, at));
            at += pitch;
          }
          co_await w.barrier();
          w.store(cells, (x + 1) * kBorder, w.load(score, x * pitch + (corner + pitch)));
          co_await w.barrier();
          w.store(cells, x + 1, w.load(score, x + (corner + 1)));
          co_await w.barrier();
          // One cell per lane on each anti-diagonal of the tile.
          const auto relax = [&](const Vec<int>& cx, const Vec<int>& cy) {
            const Vec<int> cell = cy * kBorder + cx;
            const Vec<int> diagonal =
                w.load(cells, cell - (kBorder + 1)) + w.load(scores, (cy - 1) * kNwTile + (cx - 1));
            const Vec<int> gap = max(w.load(cells, cell - 1), w.load(cells, cell - kBorder)) - penalty;
            w.store(cells, cell, max(diagonal, gap));
          };
          for (const int m : w.range(0, kNwTile)) {
            w.if_(x <= m, [&] { relax(x + 1, Vec<int>(m + 1) - x); });
            co_await w.barrier();
          }
          for (const int m : w.range(kNwTile - 2, -1, -1)) {
            w.if_(x <= m, [&] { relax(x + (kNwTile - m), Vec<int>(kNwTile) - x); });
            co_await w.barrier();
          }
          at = first;
          for (const int y : w.range(0, kNwTile)) {
            w.store(score, at, w.load(cells, x + ((y + 1) * kBorder + 1)));
            at += pitch;
          }
        },
        24, 4 * (kBorder * kBorder + kNwTile * kNwTile));
  }

  std::string verify() override {
    const auto n = static_cast<std::size_t>(n_);
    std::vector<int> want((n + 1) * (n + 1), 0);
    for (std::size_t i = 1; i <= n; ++i) want[index(i, 0)] = want[index(0, i)] = -static_cast<int>(i) * penalty_;
    for (std::size_t i = 1; i <= n; ++i)
      for (std::size_t j = 1; j <= n; ++j)
        want[index(i, j)] = std::max({want[index(i - 1, j - 1)] + kScores[down_[i - 1]][across_[j - 1]],
                                      want[index(i, j - 1)] - penalty_, want[index(i - 1, j)] - penalty_});
    return mismatch("score", memory_.read(score_), want);
  }

  int n_, penalty_, pitch_;
  std::vector<std::size_t> down_, across_;
  Buffer<int> reference_, score_;
};

}  // namespace

WorkloadEntry nw_entry() {
  return entry_of<NeedlemanWunsch>(
      {"nw",
       "Rodinia",
       "sequence alignment by wavefronts of tiles: half-warps, columns of 16 sectors, small integers",
       "sequences: FASTA, two of amino acids",
       {size_parameter("length", 2048, 1024, 128, kNwMaxLength, "letters",
                       "length of both sequences, a multiple of 16"),
        integer_parameter("penalty", 10, 10, 10, 0, 1000, "points", "gap penalty")},
       "0.57 M WMI (35 per block of 16 threads); column loads of 16 one-sector requests"},
      {"2048 x 2048, penalty 10", {}});
}

}  // namespace warpsieve::workloads
