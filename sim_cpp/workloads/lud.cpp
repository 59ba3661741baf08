// lud (Rodinia): LU decomposition of an n x n matrix in place, in tiles of 16 x 16. Each step factors
// the diagonal tile, then the tiles of its row and column (two divergent halves of one warp), then
// updates the rest; row and column tiles are read by a whole column and row of blocks.
#include "inputs/matrix.h"
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kLudTile = 16, kCells = kLudTile * kLudTile;

inputs::Matrix dominant_matrix(int n, std::uint64_t seed) {
  inputs::Matrix m{n, uniform_floats(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), seed), {}};
  for (int i = 0; i < n; ++i) m.at(i, i) += static_cast<float>(n);
  return m;
}

class Lud final : public Program {
 public:
  explicit Lud(const Settings& s)
      : Program("lud"),
        input_(s.input().empty() ? dominant_matrix(s.count("order"), s.seed()) : inputs::read_matrix(s.input())),
        n_(input_.order) {
    if (n_ % kLudTile != 0)
      throw WorkloadError(fmt::format("lud.order = '{}': a multiple of {} is expected", n_, kLudTile));
    if (s.input().empty()) return;
    expected_ = decomposed_in_tiles();
    if (const std::string wrong = not_finite("cell", expected_); !wrong.empty())
      throw WorkloadError("lud: a matrix that floats decompose without an exchange of rows is expected: in floats " +
                          wrong);
  }

 private:
  void build() override { matrix_ = memory_.allocate("matrix", input_.values); }

  HostCode host() override {
    for (int offset = 0; offset < n_; offset += kLudTile) {
      co_yield diagonal(offset);
      const int rest = (n_ - offset) / kLudTile - 1;
      if (rest == 0) break;
      co_yield perimeter(offset, rest);
      co_yield internal(offset, rest);
    }
  }

  std::unique_ptr<KernelLaunch> diagonal(int offset) {
    return launch(
        "lud_diagonal", 1, kLudTile,
        [offset, n = n_, m = matrix_](Warp& w) -> Task {
          const Shared<float> tile{0, kCells};
          const Vec<int> x = w.thread();
          const Vec<int> first = x + (offset * n + offset);
          Vec<int> at = first;
          for (const int i : w.range(0, kLudTile)) {
            w.store(tile, x + i * kLudTile, w.load(m, at));
            at += n;
          }
          co_await w.barrier();
          for (const int i : w.range(0, kLudTile - 1)) {
            w.if_(x > i, [&] {
              Vec<float> v = w.load(tile, x * kLudTile + i);
              for (const int j : w.range(0, i)) v -= w.load(tile, x * kLudTile + j) * w.load(tile, j * kLudTile + i);
              w.store(tile, x * kLudTile + i, v / w.load(tile, i * kLudTile + i));
            });
            co_await w.barrier();
            w.if_(x > i, [&] {
              Vec<float> v = w.load(tile, x + (i + 1) * kLudTile);
              for (const int j : w.range(0, i + 1))
                v -= w.load(tile, (i + 1) * kLudTile + j) * w.load(tile, x + j * kLudTile);
              w.store(tile, x + (i + 1) * kLudTile, v);
            });
            co_await w.barrier();
          }
          at = first + n;
          for (const int i : w.range(1, kLudTile)) {
            w.store(m, at, w.load(tile, x + i * kLudTile));
            at += n;
          }
        },
        20, 4 * kCells);
  }

  /// Lanes 0 to 15 solve a row tile, lanes 16 to 31 a column tile.
  std::unique_ptr<KernelLaunch> perimeter(int offset, int tiles) {
    return launch(
        "lud_perimeter", static_cast<std::uint32_t>(tiles), 2 * kLudTile,
        [offset, n = n_, m = matrix_](Warp& w) -> Task {
          const Shared<float> dia{0, kCells}, row{4 * kCells, kCells}, col{8 * kCells, kCells};
          const int other = offset + (static_cast<int>(w.block()) + 1) * kLudTile;
          const Vec<int> x = w.thread_x(kLudTile);
          const Mask first_half = w.thread() < kLudTile;
          // Copies `count` rows of 16 words between the matrix (from row `y`, column `left`) and a tile.
          const auto fetch = [&](const Shared<float>& tile, int y, int left, int from, int count) {
            Vec<int> at = x + ((y + from) * n + left);
            for (const int i : w.range(from, from + count)) {
              w.store(tile, x + i * kLudTile, w.load(m, at));
              at += n;
            }
          };
          const auto write_back = [&](const Shared<float>& tile, int y, int left, int from) {
            Vec<int> at = x + ((y + from) * n + left);
            for (const int i : w.range(from, kLudTile)) {
              w.store(m, at, w.load(tile, x + i * kLudTile));
              at += n;
            }
          };
          w.if_else_(
              first_half,
              [&] {
                fetch(dia, offset, offset, 0, kLudTile / 2);
                fetch(row, offset, other, 0, kLudTile);
              },
              [&] {
                fetch(dia, offset, offset, kLudTile / 2, kLudTile / 2);
                fetch(col, other, offset, 0, kLudTile);
              });
          co_await w.barrier();
          w.if_else_(
              first_half,
              [&] {
                for (const int i : w.range(1, kLudTile)) {
                  Vec<float> v = w.load(row, x + i * kLudTile);
                  for (const int j : w.range(0, i))
                    v -= w.load(dia, i * kLudTile + j) * w.load(row, x + j * kLudTile);
                  w.store(row, x + i * kLudTile, v);
                }
              },
              [&] {
                for (const int i : w.range(0, kLudTile)) {
                  Vec<float> v = w.load(col, x * kLudTile + i);
                  for (const int j : w.range(0, i))
                    v -= w.load(col, x * kLudTile + j) * w.load(dia, j * kLudTile + i);
                  w.store(col, x * kLudTile + i, v / w.load(dia, i * kLudTile + i));
                }
              });
          co_await w.barrier();
          w.if_else_(
              first_half, [&] { write_back(row, offset, other, 1); }, [&] { write_back(col, other, offset, 0); });
        },
        24, 12 * kCells);
  }

  std::unique_ptr<KernelLaunch> internal(int offset, int tiles) {
    return launch(
        "lud_internal", static_cast<std::uint32_t>(tiles * tiles), kCells,
        [offset, tiles, n = n_, m = matrix_](Warp& w) -> Task {
          const Shared<float> row{0, kCells}, col{4 * kCells, kCells};
          const GridPlace block(w, tiles);
          const int top = offset + (block.y + 1) * kLudTile, left = offset + (block.x + 1) * kLudTile;
          const Vec<int> x = w.thread_x(kLudTile), y = w.thread_y(kLudTile), cell = w.thread();
          w.store(row, cell, w.load(m, (y + offset) * n + (x + left)));
          w.store(col, cell, w.load(m, (y + top) * n + (x + offset)));
          co_await w.barrier();
          Vec<float> sum = 0.0f;
          for (const int i : w.range(0, kLudTile))
            sum = mad(w.load(col, y * kLudTile + i), w.load(row, x + i * kLudTile), sum);
          const Vec<int> at = (y + top) * n + (x + left);
          w.store(m, at, w.load(m, at) - sum);
        },
        16, 8 * kCells);
  }

  /// Doolittle's algorithm with double precision, row by row.
  std::vector<double> decomposed() const {
    const auto n = static_cast<std::size_t>(n_);
    std::vector<double> a(input_.values.begin(), input_.values.end());
    for (std::size_t i = 1; i < n; ++i)
      for (std::size_t k = 0; k < i; ++k) {
        const double factor = a[i * n + k] /= a[k * n + k];
        for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      }
    return a;
  }

  /// The same with floats, every operation in the kernels' order: the result of any matrix, also of one that floats
  /// decompose badly.
  std::vector<float> decomposed_in_tiles() const {
    const auto n = static_cast<std::size_t>(n_);
    std::vector<float> a = input_.values, sum(n);
    for (std::size_t first = 0; first < n; first += kLudTile) {
      const std::size_t rest = first + kLudTile;
      for (std::size_t d = first; d < rest; ++d) {
        for (std::size_t j = d; j < n; ++j)
          for (std::size_t k = first; k < d; ++k) a[d * n + j] -= a[d * n + k] * a[k * n + j];
        for (std::size_t i = d + 1; i < n; ++i) {
          for (std::size_t k = first; k < d; ++k) a[i * n + d] -= a[i * n + k] * a[k * n + d];
          a[i * n + d] /= a[d * n + d];
        }
      }
      for (std::size_t i = rest; i < n; ++i) {
        std::fill(sum.begin(), sum.end(), 0.0f);
        for (std::size_t k = first; k < rest; ++k)
          for (std::size_t j = rest; j < n; ++j) sum[j] += a[i * n + k] * a[k * n + j];
        for (std::size_t j = rest; j < n; ++j) a[i * n + j] -= sum[j];
      }
    }
    return a;
  }

  std::string verify() override {
    const std::vector<float> got = memory_.read(matrix_);
    if (!expected_.empty())  // the same operations: a compiler that fuses some of them may round them differently
      return mismatch("cell", got, expected_, kFloatTolerance, 1e-6 * largest(expected_));
    const std::vector<double> want = decomposed();
    return mismatch("cell", got, want, 1e-3, 1e-6 * largest(want));
  }

  inputs::Matrix input_;
  int n_;
  std::vector<float> expected_;  ///< of an input file
  Buffer<float> matrix_;
};

}  // namespace

WorkloadEntry lud_entry() {
  return entry_of<Lud>(
      {"lud",
       "Rodinia",
       "LU decomposition in 16 x 16 tiles: row and column tiles shared by many blocks",
       inputs::kMatrixFiles,
       {size_parameter("order", 512, 256, 64, 4096, "rows", "order of the matrix, a multiple of 16")},
       "0.37 M WMI; replication of pivot row and column tiles; half-warp vectors"},
      {"512 x 512 (1 MB); 2048 here: three times an L2 of 4 MB", {{"order", "2048"}}});
}

}  // namespace warpsieve::workloads
