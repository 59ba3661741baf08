// dwt2d (Rodinia): forward 5/3 wavelet transform of a colour picture, three levels. The bytes are split
// into three planes of ints; per plane and level, blocks slide a window of 8 rows down a strip of
// columns, transform rows and columns in shared memory and store low and high halves; the low quarter
// is copied back for the next level. Everything is read once: a first-in first-out buffer cannot help.
#include "inputs/image.h"
#include "inputs/natural.h"
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;
using Byte = std::uint8_t;

constexpr int kSideStep = 32, kLevels = 3, kDwt2dWindow = 8, kBoundary = 3, kPixels = 256;

/// Whole-sample symmetric extension.
int reflected(int i, int n) { return i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i; }

class Wavelet final : public Program {
 public:
  explicit Wavelet(const Settings& s) : Program("dwt2d") {
    image_ = s.input().empty() ? inputs::picture(s.count("side"), s.count("side"), 3, s.seed())
                               : inputs::padded(s.input(), inputs::read_image(s.input()), kSideStep, kSideStep);
    image_ = inputs::converted(image_, image_.width, image_.height, 3);
    if (image_.width % kSideStep != 0 || image_.height % kSideStep != 0)
      throw WorkloadError(fmt::format("dwt2d: a picture of {} x {} pixels: multiples of 32 are expected",
                                      image_.width, image_.height));
  }

 private:
  void build() override {
    std::vector<std::uint32_t> words(image_.pixels.size() / 4);
    std::memcpy(words.data(), image_.pixels.data(), image_.pixels.size());
    const std::uint64_t pixels = image_.pixels.size() / 3;
    rgb_ = memory_.allocate("rgb", words);
    for (auto& p : plane_) p = memory_.allocate<int>("plane", pixels);
    for (auto& p : out_) p = memory_.allocate<int>("coefficients", pixels);
  }

  HostCode host() override {
    co_yield split();
    for (std::size_t c = 0; c < 3; ++c) {
      int width = image_.width, height = image_.height;
      for (int level = 0; level < kLevels; ++level) {
        co_yield transform(plane_[c], out_[c], width, height);
        width /= 2;
        height /= 2;
        if (level + 1 < kLevels) co_yield copy_low(plane_[c], out_[c], width, height);
      }
    }
  }

  /// 192 threads fetch the bytes of 256 pixels; all of them write the three levels, centred on 0.
  std::unique_ptr<KernelLaunch> split() {
    return launch(
        "dwt2d_split", static_cast<std::uint32_t>(plane_[0].count / kPixels), kPixels,
        [rgb = rgb_, plane = plane_](Warp& w) -> Task {
          constexpr int kWords = 3 * kPixels / 4;
          const Shared<std::uint32_t> words{0, kWords};
          const Shared<Byte> bytes{0, 4 * kWords};
          const Vec<int> t = w.thread(), i = w.global_thread();
          w.if_(t < kWords, [&] { w.store(words, t, w.load(rgb, t + static_cast<int>(w.block()) * kWords)); });
          co_await w.barrier();
          for (int c = 0; c < 3; ++c)
            w.store(plane[static_cast<std::size_t>(c)], i, to<int>(w.load(bytes, t * 3 + c)) - 128);
        },
        12, 3 * kPixels);
  }

  /// The low quarter of the coefficients, back into a dense plane.
  std::unique_ptr<KernelLaunch> copy_low(const Buffer<int>& dense, const Buffer<int>& out, int width, int height) {
    const int n = width * height;
    return launch(
        "dwt2d_copy", blocks_for(static_cast<std::uint64_t>(n), 256), 256,
        [=, pitch = image_.width](Warp& w) {
          const Vec<int> i = w.global_thread();
          w.exit_if(i >= n);
          const Vec<int> row = i / width;
          w.store(dense, i, w.load(out, row * (pitch - width) + i));
        },
        10);
  }

  std::unique_ptr<KernelLaunch> transform(const Buffer<int>& in, const Buffer<int>& out, int width, int height) {
    const int strip = width >= 960 ? 192 : width >= 480 ? 128 : 64;
    const int steps = ceil_div(height, 15 * kDwt2dWindow), rows = steps * kDwt2dWindow, grid = ceil_div(width, strip);
    const int pitch = strip + kBoundary;
    return launch(
        "dwt2d_forward", static_cast<std::uint32_t>(grid * ceil_div(height, rows)), static_cast<std::uint32_t>(strip),
        [=, out_pitch = image_.width](Warp& w) -> Task {
          const Shared<int> raw{0, static_cast<std::uint32_t>(kDwt2dWindow * pitch)};
          const Shared<int> rows_done{static_cast<std::uint32_t>(4 * kDwt2dWindow * pitch),
                                      static_cast<std::uint32_t>(kDwt2dWindow * strip)};
          const GridPlace block(w, grid);
          const int left = block.x * strip, top = block.y * rows;
          const int columns = std::min(strip, width - left), pairs = columns / 2;
          const Vec<int> t = w.thread();
          // Shared columns: two to the left of the strip, the strip, one to its right.
          const auto fetch = [&](int first, int count) {
            for (const int r : w.range(0, count)) {
              const int line = reflected(first + r, height) * width;
              w.if_(t < columns, [&] { w.store(raw, t + (r * pitch + 2), w.load(in, t + (line + left))); });
              w.if_(t < kBoundary, [&] {
                const Vec<int> side = select(t < 2, t + (left - 2), Vec<int>(reflected(left + columns, width)));
                const Vec<int> at = select(side < 0, -side, side);
                w.store(raw, select(t < 2, t, Vec<int>(columns + 2)) + r * pitch, w.load(in, at + line));
              });
            }
          };
          // Two rows at a time; a lane makes one low and one high coefficient.
          const auto transform_rows = [&](int count) {
            const Vec<int> half = t / (strip / 2), pair = t - half * (strip / 2);
            for (const int r : w.range(0, count, 2))
              w.if_((pair < pairs) & (half + r < count), [&] {
                const Vec<int> at = (half + r) * pitch + pair * 2;
                const Vec<int> even = w.load(raw, at + 2);
                const Vec<int> before = w.load(raw, at + 1) - ((w.load(raw, at) + even) >> 1),
                               after = w.load(raw, at + 3) - ((even + w.load(raw, at + 4)) >> 1);
                const Vec<int> to = (half + r) * strip + pair;
                w.store(rows_done, to, even + ((before + after + 2) >> 2));
                w.store(rows_done, to + pairs, after);
              });
          };
          fetch(top - 2, kBoundary);
          co_await w.barrier();
          transform_rows(kBoundary);
          co_await w.barrier();
          Vec<int> even, before;
          const Mask mine = t < columns;
          w.if_(mine, [&] {
            even = w.load(rows_done, t + 2 * strip);
            before = w.load(rows_done, t + strip) - ((w.load(rows_done, t) + even) >> 1);
          });
          const Vec<int> column = select(t < pairs, t + left / 2, t + (width / 2 + left / 2 - pairs));
          for (int y = top; y < std::min(top + rows, height); y += kDwt2dWindow) {
            fetch(y + 1, kDwt2dWindow);
            co_await w.barrier();
            transform_rows(kDwt2dWindow);
            co_await w.barrier();
            w.if_(mine, [&] {
              for (const int r : w.range(0, kDwt2dWindow, 2)) {
                const Vec<int> odd = w.load(rows_done, t + r * strip), next = w.load(rows_done, t + (r + 1) * strip);
                const Vec<int> high = odd - ((even + next) >> 1);
                w.store(out, column + (y + r) / 2 * out_pitch, even + ((before + high + 2) >> 2));
                w.store(out, column + (height + y + r) / 2 * out_pitch, high);
                even = next;
                before = high;
              }
            });
          }
        },
        28, static_cast<std::uint32_t>(4 * kDwt2dWindow * (pitch + strip)));
  }

  /// Lifting of one line in place, then low values first.
  static void lift(std::vector<int>& line) {
    const int n = static_cast<int>(line.size());
    const auto at = [&](int i) -> int& { return line[static_cast<std::size_t>(reflected(i, n))]; };
    const auto half = [](int v) { return static_cast<int>(std::floor(v / 2.0)); };
    for (int i = 1; i < n; i += 2) at(i) -= half(at(i - 1) + at(i + 1));
    for (int i = 0; i < n; i += 2) at(i) += half(half(at(i - 1) + at(i + 1) + 2));
    std::vector<int> sorted;
    for (int first : {0, 1})
      for (int i = first; i < n; i += 2) sorted.push_back(at(i));
    line = sorted;
  }

  std::string verify() override {
    const int pitch = image_.width;
    for (int c = 0; c < 3; ++c) {
      std::vector<int> want;
      for (int y = 0; y < image_.height; ++y)
        for (int x = 0; x < image_.width; ++x) want.push_back(image_.at(x, y, c) - 128);
      const auto at = [&](int x, int y) -> int& { return want[static_cast<std::size_t>(y * pitch + x)]; };
      for (int level = 0; level < kLevels; ++level) {
        const int width = image_.width >> level, height = image_.height >> level;
        for (int y = 0; y < height; ++y) {
          std::vector<int> line;
          for (int x = 0; x < width; ++x) line.push_back(at(x, y));
          lift(line);
          for (int x = 0; x < width; ++x) at(x, y) = line[static_cast<std::size_t>(x)];
        }
        for (int x = 0; x < width; ++x) {
          std::vector<int> line;
          for (int y = 0; y < height; ++y) line.push_back(at(x, y));
          lift(line);
          for (int y = 0; y < height; ++y) at(x, y) = line[static_cast<std::size_t>(y)];
        }
      }
      const std::string wrong = mismatch("coefficient", memory_.read(out_[static_cast<std::size_t>(c)]), want);
      if (!wrong.empty()) return fmt::format("component {}: {}", c, wrong);
    }
    return "";
  }

  inputs::Image image_;
  Buffer<std::uint32_t> rgb_;
  std::array<Buffer<int>, 3> plane_, out_;
};

}  // namespace

WorkloadEntry dwt2d_entry() {
  return entry_of<Wavelet>(
      {"dwt2d",
       "Rodinia",
       "5/3 wavelet transform of a picture: data read once, small integers",
       inputs::kImageFiles,
       {integer_parameter("side", 1024, 512, 128, 64, 8192, "pixels", "width and height, a multiple of 32")},
       "0.5 M WMI; streaming, small integers"},
      {"1024 x 1024 pixels", {}});
}

}  // namespace warpsieve::workloads
