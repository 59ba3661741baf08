// heartwall (Rodinia): tracks points of an ultrasound recording. One block of 256 threads per point, on
// global arrays of its own: copies a search window from the frame, convolves it with the rotated
// template, normalises by box sums (cumulative sums down columns and along rows) and looks for the
// best match near the point's last place. Images are column-major.
#include "inputs/image.h"
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr int kThreads = 256;
constexpr float kFlat = 1e-4f;  ///< below: no contrast, nothing to match

/// Sides of a point's arrays.
struct Sizes {
  int search, half, move;           ///< radii: search window, template, allowed displacement
  int window = 2 * search + 1;      ///< search window
  int patch = 2 * half + 1;         ///< template
  int full = window + patch - 1;    ///< full convolution
  int padded = window + 2 * patch;  ///< window with a border of zeros for the box sums
  int square(int side) const { return side * side; }
};

class Heartwall final : public Program {
 public:
  explicit Heartwall(const Settings& s)
      : Program("heartwall"), z_{s.count("search"), s.count("template"), s.count("move")},
        points_(s.count("points")) {
    const int side = s.count("side");
    const inputs::Image file =
        s.input().empty() ? inputs::made_up_image(side, side, 1, s.seed()) : inputs::read_image(s.input());
    const inputs::Image image = inputs::converted(file, file.width, file.height, 1);
    rows_ = image.height;
    columns_ = image.width;
    const int margin = std::max(z_.search, z_.half) + 2;
    if (z_.half >= z_.search || std::min(rows_, columns_) < 2 * margin + 2)
      throw WorkloadError(
          fmt::format("heartwall: template radius {} and search radius {} on a frame of {} x {}: "
                      "template < search and a frame of at least {} pixels are expected",
                      z_.half, z_.search, columns_, rows_, 2 * margin + 2));
    // The recording: the tissue moves by (2, 1) pixels between the first frame and the second.
    inputs::Random noise(s.seed() + 1);
    for (const int step : {0, 1}) {
      std::vector<float>& frame = frames_[static_cast<std::size_t>(step)];
      for (int x = 0; x < columns_; ++x)
        for (int y = 0; y < rows_; ++y)
          frame.push_back(static_cast<float>(
              image.at(std::clamp(x - step, 0, columns_ - 1), std::clamp(y - 2 * step, 0, rows_ - 1)) / 255.0 +
              0.01 * noise.real()));
    }
    for (int p = 0; p < points_; ++p)
      places_.push_back({margin + static_cast<int>(noise.below(static_cast<std::uint32_t>(rows_ - 2 * margin))),
                         margin + static_cast<int>(noise.below(static_cast<std::uint32_t>(columns_ - 2 * margin)))});
  }

 private:
  void build() override {
    const auto each = [this](const char* name, int count) {
      return memory_.allocate<float>(name, static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(points_));
    };
    frame_ = memory_.allocate("frame", frames_[0]);
    place_ = memory_.allocate("places", places_);
    template_ = each("templates", z_.square(z_.patch));
    window_ = each("windows", z_.square(z_.window));
    convolution_ = each("convolution", z_.square(z_.full));
    for (auto& b : padded_) b = each("padded", z_.square(z_.padded));
    for (auto& b : strips_) b = each("strips", z_.full * z_.padded);
    for (auto& b : boxes_) b = each("boxes", z_.square(z_.full));
    spot_ = each("spot", z_.square(z_.full));
    match_ = each("match", z_.square(z_.full));
    found_ = memory_.allocate<Int2>("found", static_cast<std::uint64_t>(points_));
  }

  HostCode host() override {
    co_yield cut_templates();
    memory_.write(frame_, 0, std::span<const float>(frames_[1]));
    co_yield track();
  }

  std::unique_ptr<KernelLaunch> cut_templates() {
    return launch(
        "heartwall_template", static_cast<std::uint32_t>(points_), kThreads,
        [z = z_, rows = rows_, frame = frame_, place = place_, out = template_](Warp& w) {
          const int point = static_cast<int>(w.block());
          const Vec<Int2> at = w.load(place, point);
          const Vec<int> corner = (member(at, &Int2::y) - z.half) * rows + member(at, &Int2::x) - z.half;
          strided(w, z.square(z.patch), z.patch, [&](const Vec<int>& i, const Vec<int>& r, const Vec<int>& c) {
            w.store(out, i + point * z.square(z.patch), w.load(frame, corner + c * rows + r));
          });
        },
        14);
  }

  /// The threads of a block go through `count` elements of a column-major array: element, row, column.
  template <class F>
  static void strided(Warp& w, int count, int rows, F body) {
    for (const int first : w.range(0, count, kThreads)) {
      const Vec<int> i = w.thread() + first;
      w.if_(i < count, [&] {
        const Vec<int> column = i / rows;
        body(i, i - column * rows, column);
      });
    }
  }

  std::unique_ptr<KernelLaunch> track() {
    const auto shared = static_cast<std::uint32_t>(4 * (z_.square(z_.patch) + 2 * kThreads));
    return launch(
        "heartwall_track", static_cast<std::uint32_t>(points_), kThreads,
        [this](Warp& w) -> Task {
          const Sizes z = z_;
          const int point = static_cast<int>(w.block());
          const auto patch_size = static_cast<std::uint32_t>(z.square(z.patch));
          const Shared<float> rotated{0, patch_size}, sums{4 * patch_size, 2 * kThreads};
          copy_window(w, point);
          const int own = point * z.square(z.patch);
          strided(w, z.square(z.patch), z.patch, [&](const Vec<int>& i, const Vec<int>&, const Vec<int>&) {
            w.store(rotated, i, w.load(template_, Vec<int>(own + z.square(z.patch) - 1) - i));
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
          for (const auto& b : padded_) accumulate(w, b, point * z.square(z.padded), z.padded, 1, z.padded, z.padded);
          co_await w.barrier();
          for (std::size_t k = 0; k < 2; ++k) {
            const int from = point * z.square(z.padded), to = point * z.full * z.padded;
            strided(w, z.full * z.padded, z.full, [&](const Vec<int>& i, const Vec<int>& r, const Vec<int>& c) {
              const Vec<int> at = c * z.padded + r + from;
              w.store(strips_[k], i + to, w.load(padded_[k], at + z.patch) - w.load(padded_[k], at));
            });
          }
          co_await w.barrier();
          for (const auto& b : strips_) accumulate(w, b, point * z.full * z.padded, 1, z.full, z.padded, z.full);
          co_await w.barrier();
          for (std::size_t k = 0; k < 2; ++k) {
            const int from = point * z.full * z.padded, to = point * z.square(z.full);
            strided(w, z.square(z.full), z.full, [&](const Vec<int>& i, const Vec<int>&, const Vec<int>&) {
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
    strided(w, z_.square(z_.window), z_.window, [&](const Vec<int>& i, const Vec<int>& r, const Vec<int>& c) {
      w.store(window_, i + point * z_.square(z_.window), w.load(frame_, corner + c * rows_ + r));
    });
  }

  /// Each thread's part of the sum and the sum of squares of the template.
  void template_sums(Warp& w, const Shared<float>& rotated, const Shared<float>& sums) {
    Vec<float> sum = 0.0f, squares = 0.0f;
    strided(w, z_.square(z_.patch), z_.patch, [&](const Vec<int>& i, const Vec<int>&, const Vec<int>&) {
      const Vec<float> v = w.load(rotated, i);
      sum += v;
      squares = mad(v, v, squares);
    });
    w.store(sums, w.thread(), sum);
    w.store(sums, w.thread() + kThreads, squares);
  }

  /// Full convolution: per output a loop over the part of the template that overlaps the window.
  void convolve(Warp& w, int point, const Shared<float>& rotated) {
    const int from = point * z_.square(z_.window);
    strided(w, z_.square(z_.full), z_.full, [&](const Vec<int>& i, const Vec<int>& r, const Vec<int>& c) {
      Vec<float> sum = 0.0f;
      for (const int dc : w.range(0, z_.patch))
        w.if_(within(c - dc, 0, z_.window - 1), [&] {
          const Vec<int> column = (c - dc) * z_.window + r + from;
          for (const int dr : w.range(0, z_.patch))
            w.if_(within(r - dr, 0, z_.window - 1),
                  [&] { sum = mad(w.load(window_, column - dr), w.load(rotated, dc * z_.patch + dr), sum); });
        });
      w.store(convolution_, i + point * z_.square(z_.full), sum);
    });
  }

  /// The window and its squares in a border of zeros.
  void pad(Warp& w, int point) {
    const int from = point * z_.square(z_.window), to = point * z_.square(z_.padded);
    strided(w, z_.square(z_.padded), z_.padded, [&](const Vec<int>& i, const Vec<int>& r, const Vec<int>& c) {
      Vec<float> v = 0.0f;
      const Vec<int> y = r - z_.patch, x = c - z_.patch;
      w.if_(within(y, 0, z_.window - 1) & within(x, 0, z_.window - 1),
            [&] { v = w.load(window_, x * z_.window + y + from); });
      w.store(padded_[0], i + to, v);
      w.store(padded_[1], i + to, v * v);
    });
  }

  /// Running sums in place: thread t of `lines` starts at t * `pitch` and makes `count` steps of `step`.
  static void accumulate(Warp& w, const Buffer<float>& b, int first, int pitch, int step, int count, int lines) {
    w.if_(w.thread() < lines, [&] {
      Vec<int> at = w.thread() * pitch + first;
      Vec<float> sum = 0.0f;
      for ([[maybe_unused]] const int k : w.range(0, count)) {
        sum += w.load(b, at);
        w.store(b, at, sum);
        at += step;
      }
    });
  }

  /// A single 1 where the point would be had it not moved.
  void mark_last_place(Warp& w, int point) {
    strided(w, z_.square(z_.full), z_.full, [&](const Vec<int>& i, const Vec<int>& r, const Vec<int>& c) {
      const int centre = z_.full / 2;
      w.store(spot_, i + point * z_.square(z_.full),
              select((r == centre) & (c == centre), Vec<float>(1.0f), Vec<float>(0.0f)));
    });
  }

  /// Normalised correlation, times the convolution of the mark with the square of allowed moves.
  void score(Warp& w, int point, const Shared<float>& sums) {
    const int own = point * z_.square(z_.full);
    const auto n = static_cast<float>(z_.square(z_.patch));
    const Vec<float> total = w.load(sums, 0);
    const Vec<float> contrast = w.load(sums, kThreads) - total * total / n;
    strided(w, z_.square(z_.full), z_.full, [&](const Vec<int>& i, const Vec<int>& r, const Vec<int>& c) {
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
      Vec<int> at = w.thread() * z_.full + point * z_.square(z_.full), best_row = 0;
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

  /// Sums over the template at every place by their definition, on the window continued by zeros.
  std::string verify() override {
    const std::vector<Int2> found = memory_.read(found_);
    const int n = z_.square(z_.patch), centre = z_.full / 2;
    for (int p = 0; p < points_; ++p) {
      const Int2 place = places_[static_cast<std::size_t>(p)];
      const auto pixel = [&](std::size_t frame, int r, int c) {
        return static_cast<double>(frames_[frame][static_cast<std::size_t>((place.y + c) * rows_ + place.x + r)]);
      };
      double best = -2;
      std::vector<double> products, boxes, energies, scores;
      for (int c = 0; c < z_.full; ++c)
        for (int r = 0; r < z_.full; ++r) {
          double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
          for (int tc = -z_.half; tc <= z_.half; ++tc)
            for (int tr = -z_.half; tr <= z_.half; ++tr) {
              const int y = r - centre + tr, x = c - centre + tc;
              const bool inside = std::abs(y) <= z_.search && std::abs(x) <= z_.search;
              const double t = pixel(0, tr, tc), v = inside ? pixel(1, y, x) : 0.0;
              a += t, b += v, aa += t * t, bb += v * v, ab += t * v;
            }
          const double product = (bb - b * b / n) * (aa - a * a / n);
          const bool allowed = std::max(std::abs(r - centre), std::abs(c - centre)) <= z_.move;
          const double score = allowed && product > kFlat ? (ab - a * b / n) / std::sqrt(product) : 0.0;
          if (allowed) best = std::max(best, score);
          products.push_back(ab);
          boxes.push_back(b);
          energies.push_back(bb);
          scores.push_back(score);
        }
      const auto differs = [&](const char* what, const Buffer<float>& all, const std::vector<double>& want) {
        const std::vector<float> got = memory_.read(all);
        const auto first = got.begin() + static_cast<std::ptrdiff_t>(p) * z_.square(z_.full);
        return mismatch(what, std::vector<float>(first, first + z_.square(z_.full)), want, 0, 0.01);
      };
      std::string wrong = differs("convolution", convolution_, products);
      if (wrong.empty()) wrong = differs("sum of box", boxes_[0], boxes);
      if (wrong.empty()) wrong = differs("squares of box", boxes_[1], energies);
      if (wrong.empty()) wrong = differs("score", match_, scores);
      if (!wrong.empty()) return fmt::format("point {}: {}", p, wrong);
      const Int2 got = found[static_cast<std::size_t>(p)];
      if (std::max(std::abs(got.x), std::abs(got.y)) > centre ||
          scores[static_cast<std::size_t>((got.y + centre) * z_.full + got.x + centre)] < best - 0.01)
        return fmt::format("point {} moved by ({}, {}), which is not the best match", p, got.x, got.y);
    }
    return "";
  }

  Sizes z_;
  int points_, rows_ = 0, columns_ = 0;
  std::array<std::vector<float>, 2> frames_;
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
       "0.6 M WMI; private arrays per point, lane pitch of a column in the running sums"});
}

}  // namespace warpsieve::workloads
