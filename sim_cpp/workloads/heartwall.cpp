// heartwall (Rodinia): tracks points of an ultrasound recording. One block of 256 threads per point, on
// global arrays of its own: copies a search window from the frame, convolves it with the rotated
// template, normalises by box sums (cumulative sums down columns and along rows) and looks for the
// best match near the point's last place. Images are column-major.
#include "workloads/common.h"
#include "workloads/heartwall_data.h"
#include "workloads/heartwall_kernels.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;
using namespace heartwall;

/// Large enough for a point, or padded.
inputs::Image frame_image(const Settings& s, int least) {
  if (s.input().empty()) return inputs::made_up_image(s.count("side"), s.count("side"), 1, s.seed());
  const inputs::Image file = inputs::padded(s.input(), inputs::read_image(s.input()), 1, least);
  return inputs::converted(file, file.width, file.height, 1);
}

class Heartwall final : public Program {
 public:
  explicit Heartwall(const Settings& s)
      : Program("heartwall"), z_{s.count("search"), s.count("template"), s.count("move")}, points_(s.count("points")),
        recording_(frame_image(s, 2 * z_.margin() + 2), s.seed() + 1), rows_(recording_.rows) {
    const int margin = z_.margin(), columns = recording_.columns;
    if (z_.half >= z_.search || std::min(rows_, columns) < 2 * margin + 2)
      throw WorkloadError(
          fmt::format("heartwall: template radius {} and search radius {} on a frame of {} x {}: "
                      "template < search and a frame of at least {} pixels are expected",
                      z_.half, z_.search, columns, rows_, 2 * margin + 2));
    inputs::Random random(s.seed() + 2);
    for (int p = 0; p < points_; ++p)
      places_.push_back({margin + static_cast<int>(random.below(static_cast<std::uint32_t>(rows_ - 2 * margin))),
                         margin + static_cast<int>(random.below(static_cast<std::uint32_t>(columns - 2 * margin)))});
  }

 private:
  void build() override {
    const auto each = [this](const char* name, int count) {
      return memory_.allocate<float>(name, static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(points_));
    };
    frame_ = memory_.allocate("frame", recording_.frames[0]);
    place_ = memory_.allocate("places", places_);
    template_ = each("templates", square(z_.patch));
    window_ = each("windows", square(z_.window));
    convolution_ = each("convolution", square(z_.full));
    for (auto& b : padded_) b = each("padded", square(z_.padded));
    for (auto& b : strips_) b = each("strips", z_.full * z_.padded);
    for (auto& b : boxes_) b = each("boxes", square(z_.full));
    spot_ = each("spot", square(z_.full));
    match_ = each("match", square(z_.full));
    found_ = memory_.allocate<Int2>("found", static_cast<std::uint64_t>(points_));
  }

  HostCode host() override {
    co_yield cut_templates();
    memory_.write(frame_, 0, std::span<const float>(recording_.frames[1]));
    co_yield track();
  }

  std::unique_ptr<KernelLaunch> cut_templates() {
    return launch(
        "heartwall_template", static_cast<std::uint32_t>(points_), kThreads,
        [z = z_, rows = rows_, frame = frame_, place = place_, out = template_](Warp& w) {
          const int point = static_cast<int>(w.block());
          const Vec<Int2> at = w.load(place, point);
          const Vec<int> corner = (member(at, &Int2::y) - z.half) * rows + member(at, &Int2::x) - z.half;
          strided(w, square(z.patch), z.patch, [&](const Vec<int>& i, const Vec<int>& r, const Vec<int>& c) {
            w.store(out, i + point * square(z.patch), w.load(frame, corner + c * rows + r));
          });
        },
        14);
  }

  std::unique_ptr<KernelLaunch> track() {
    const auto shared = static_cast<std::uint32_t>(4 * (square(z_.patch) + 2 * kThreads));
    return launch(
        "heartwall_track", static_cast<std::uint32_t>(points_), kThreads,
        [this](Warp& w) -> Task {
          const Sizes z = z_;
          const int point = static_cast<int>(w.block());
          const auto patch_size = static_cast<std::uint32_t>(square(z.patch));
          const Shared<float> rotated{0, patch_size}, sums{4 * patch_size, 2 * kThreads};
          copy_window(w, point);
          const int own = point * square(z.patch);
          strided(w, square(z.patch), z.patch, [&](const Vec<int>& i, const Vec<int>&, const Vec<int>&) {
            w.store(rotated, i, w.load(template_, Vec<int>(own + square(z.patch) - 1) - i));
          });
          co_await w.barrier();
          template_sums(w, rotated, sums);
          co_await w.barrier();
          for (int reach = kThreads / 2; reach > 0; reach /= 2) {
            w.if_(w.thread() < reach, [&] {
              for (const int half : {0, kThreads}) {
                const Vec<int> at = w.thread() + half;
                w.store(sums, at, w.load(sums, at) + w.load(sums, at + reach));
              }
            });
            co_await w.barrier();
          }
          convolve(w, point, rotated);
          pad(w, point);
          co_await w.barrier();
          for (const auto& b : padded_) running_sums(w, b, point * square(z.padded), z.padded, 1, z.padded, z.padded);
          co_await w.barrier();
          for (std::size_t k = 0; k < 2; ++k) {
            const int from = point * square(z.padded), to = point * z.full * z.padded;
            strided(w, z.full * z.padded, z.full, [&](const Vec<int>& i, const Vec<int>& r, const Vec<int>& c) {
              const Vec<int> at = c * z.padded + r + from;
              w.store(strips_[k], i + to, w.load(padded_[k], at + z.patch) - w.load(padded_[k], at));
            });
          }
          co_await w.barrier();
          for (const auto& b : strips_) running_sums(w, b, point * z.full * z.padded, 1, z.full, z.padded, z.full);
          co_await w.barrier();
          for (std::size_t k = 0; k < 2; ++k) {
            const int from = point * z.full * z.padded, to = point * square(z.full);
            strided(w, square(z.full), z.full, [&](const Vec<int>& i, const Vec<int>&, const Vec<int>&) {
              w.store(boxes_[k], i + to,
                      w.load(strips_[k], i + (from + z.patch * z.full)) - w.load(strips_[k], i + from));
            });
          }
          mark_last_place(w, point);
          co_await w.barrier();
          score(w, point, sums);
          co_await w.barrier();
          best_of_columns(w, point, sums);
          co_await w.barrier();
          best_of_all(w, point, sums);
        },
        25, shared);
  }

  void copy_window(Warp& w, int point) {
    const Vec<Int2> at = w.load(place_, point);
    const Vec<int> corner = (member(at, &Int2::y) - z_.search) * rows_ + member(at, &Int2::x) - z_.search;
    strided(w, square(z_.window), z_.window, [&](const Vec<int>& i, const Vec<int>& r, const Vec<int>& c) {
      w.store(window_, i + point * square(z_.window), w.load(frame_, corner + c * rows_ + r));
    });
  }

  /// Each thread's part of the sum and the sum of squares of the template.
  void template_sums(Warp& w, const Shared<float>& rotated, const Shared<float>& sums) {
    Vec<float> sum = 0.0f, squares = 0.0f;
    strided(w, square(z_.patch), z_.patch, [&](const Vec<int>& i, const Vec<int>&, const Vec<int>&) {
      const Vec<float> v = w.load(rotated, i);
      sum += v;
      squares = mad(v, v, squares);
    });
    w.store(sums, w.thread(), sum);
    w.store(sums, w.thread() + kThreads, squares);
  }

  /// Full convolution: per output a loop over the part of the template that overlaps the window.
  void convolve(Warp& w, int point, const Shared<float>& rotated) {
    const int from = point * square(z_.window);
    strided(w, square(z_.full), z_.full, [&](const Vec<int>& i, const Vec<int>& r, const Vec<int>& c) {
      Vec<float> sum = 0.0f;
      for (const int dc : w.range(0, z_.patch))
        w.if_(within(c - dc, 0, z_.window - 1), [&] {
          const Vec<int> column = (c - dc) * z_.window + r + from;
          for (const int dr : w.range(0, z_.patch))
            w.if_(within(r - dr, 0, z_.window - 1),
                  [&] { sum = mad(w.load(window_, column - dr), w.load(rotated, dc * z_.patch + dr), sum); });
        });
      w.store(convolution_, i + point * square(z_.full), sum);
    });
  }

  /// The window and its squares in a border of zeros.
  void pad(Warp& w, int point) {
    const int from = point * square(z_.window), to = point * square(z_.padded);
    strided(w, square(z_.padded), z_.padded, [&](const Vec<int>& i, const Vec<int>& r, const Vec<int>& c) {
      Vec<float> v = 0.0f;
      const Vec<int> y = r - z_.patch, x = c - z_.patch;
      w.if_(within(y, 0, z_.window - 1) & within(x, 0, z_.window - 1),
            [&] { v = w.load(window_, x * z_.window + y + from); });
      w.store(padded_[0], i + to, v);
      w.store(padded_[1], i + to, v * v);
    });
  }

  /// A single 1 where the point would be had it not moved.
  void mark_last_place(Warp& w, int point) {
    strided(w, square(z_.full), z_.full, [&](const Vec<int>& i, const Vec<int>& r, const Vec<int>& c) {
      const int centre = z_.full / 2;
      w.store(spot_, i + point * square(z_.full),
              select((r == centre) & (c == centre), Vec<float>(1.0f), Vec<float>(0.0f)));
    });
  }

  /// Normalised correlation, times the convolution of the mark with the square of allowed moves.
  void score(Warp& w, int point, const Shared<float>& sums) {
    const int own = point * square(z_.full);
    const auto n = static_cast<float>(square(z_.patch));
    const Vec<float> total = w.load(sums, 0);
    const Vec<float> contrast = w.load(sums, kThreads) - total * total / n;
    strided(w, square(z_.full), z_.full, [&](const Vec<int>& i, const Vec<int>& r, const Vec<int>& c) {
      const Vec<int> at = i + own;
      const Vec<float> box = w.load(boxes_[0], at), energy = w.load(boxes_[1], at) - box * box / n;
      const Vec<float> product = max(energy, Vec<float>(0.0f)) * contrast;
      const Vec<float> ratio = (w.load(convolution_, at) - box * total / n) / sqrt(max(product, Vec<float>(kFlat)));
      Vec<float> allowed = 0.0f;
      for (int dc = -z_.move; dc <= z_.move; ++dc)
        for (int dr = -z_.move; dr <= z_.move; ++dr)
          w.if_(within(r + dr, 0, z_.full - 1) & within(c + dc, 0, z_.full - 1),
                [&] { allowed += w.load(spot_, at + (dc * z_.full + dr)); });
      w.store(match_, at, select(product > kFlat, ratio, Vec<float>(0.0f)) * allowed);
    });
  }

  void best_of_columns(Warp& w, int point, const Shared<float>& sums) {
    const Shared<int> rows{sums.offset + 4 * kThreads, kThreads};
    w.if_(w.thread() < z_.full, [&] {
      Vec<int> at = w.thread() * z_.full + point * square(z_.full), best_row = 0;
      Vec<float> best = -2.0f;
      for (const int r : w.range(0, z_.full)) {
        const Vec<float> v = w.load(match_, at);
        const Mask better = v > best;
        best = select(better, v, best);
        best_row = select(better, Vec<int>(r), best_row);
        at += 1;
      }
      w.store(sums, w.thread(), best);
      w.store(rows, w.thread(), best_row);
    });
  }

  void best_of_all(Warp& w, int point, const Shared<float>& sums) {
    const Shared<int> rows{sums.offset + 4 * kThreads, kThreads};
    w.if_(w.thread() == 0, [&] {
      Vec<float> best = -2.0f;
      Vec<int> column = 0;
      for (const int c : w.range(0, z_.full)) {
        const Vec<float> v = w.load(sums, c);
        const Mask better = v > best;
        best = select(better, v, best);
        column = select(better, Vec<int>(c), column);
      }
      const Vec<int> row = w.load(rows, column);
      Vec<Int2> result;
      for (unsigned l = 0; l < kLanes; ++l) result[l] = {row[l] - z_.full / 2, column[l] - z_.full / 2};
      w.store(found_, Vec<int>(point), Vec<Int2>(result.lanes(), row.producer()));
    });
  }

  std::string verify() override {
    const std::vector<Int2> found = memory_.read(found_);
    for (int p = 0; p < points_; ++p) {
      const Scores want = reference(z_, recording_, places_[static_cast<std::size_t>(p)]);
      const auto differs = [&](const char* what, const Buffer<float>& all, const std::vector<double>& expected) {
        const std::vector<float> got = memory_.read(all);
        const auto first = got.begin() + static_cast<std::ptrdiff_t>(p) * square(z_.full);
        return mismatch(what, std::vector<float>(first, first + square(z_.full)), expected, 0, 0.01);
      };
      std::string wrong = differs("convolution", convolution_, want.products);
      if (wrong.empty()) wrong = differs("sum of box", boxes_[0], want.boxes);
      if (wrong.empty()) wrong = differs("squares of box", boxes_[1], want.energies);
      if (wrong.empty()) wrong = differs("score", match_, want.scores);
      if (!wrong.empty()) return fmt::format("point {}: {}", p, wrong);
      const Int2 got = found[static_cast<std::size_t>(p)];
      const int centre = z_.full / 2;
      if (std::max(std::abs(got.x), std::abs(got.y)) > centre ||
          want.scores[static_cast<std::size_t>((got.y + centre) * z_.full + got.x + centre)] < want.best - 0.01)
        return fmt::format("point {} moved by ({}, {}), which is not the best match", p, got.x, got.y);
    }
    return "";
  }

  Sizes z_;
  int points_;
  Recording recording_;
  int rows_;
  std::vector<Int2> places_;
  Buffer<float> frame_, template_, window_, convolution_, spot_, match_;
  std::array<Buffer<float>, 2> padded_, strips_, boxes_;  ///< of the values, of their squares
  Buffer<Int2> place_, found_;
};

}  // namespace

WorkloadEntry heartwall_entry() {
  return entry_of<Heartwall>(
      {"heartwall",
       "Rodinia",
       "tracking of points by normalised correlation, one block and private arrays per point",
       inputs::kImageFiles,
       {size_parameter("points", 16, 16, 2, 256, "points", "tracked points, one block each (51 in the original)"),
        integer_parameter("search", 20, 14, 8, 2, 40, "pixels", "search radius (40 in the original)"),
        integer_parameter("template", 12, 8, 4, 1, 30, "pixels", "template radius (25 in the original)"),
        integer_parameter("move", 2, 2, 2, 1, 10, "pixels", "largest displacement between two frames"),
        integer_parameter("side", 256, 192, 96, 32, 2048, "pixels", "width and height of the generated frames")},
       "0.6 M WMI; private arrays per point, lane pitch of a column in the running sums"},
      {"609 x 590 pixels, 51 points, search 40, template 25",
       {{"points", "51"}, {"search", "40"}, {"template", "25"}, {"side", "608"}}});
}

}  // namespace warpsieve::workloads
