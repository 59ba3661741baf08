// graphcut: minimum cut of a pixel grid by push-relabel, for the separation of an image into bright and dark.
// A block covers 32 x 8 pixels, one per thread; capacities are four planes (right, left, down, up), so that
// the accesses of a warp to a neighbour are the row beside its own: coalesced, and misaligned to the left and right.
// A round is a push kernel and a relabel kernel; from time to time the host replaces the heights by the true
// distances to the sink (as hybrid implementations do), which stops pixels from climbing one step at a time.
#include <algorithm>
#include <array>

#include "inputs/image.h"
#include "inputs/natural.h"
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;
using Byte = std::uint8_t;

constexpr int kWidth = 32, kHeight = 8;  ///< of a block
constexpr unsigned kDirections = 4;      ///< right, left, down, up: direction d ^ 1 is the way back
constexpr int kSmoothness = 60;          ///< capacity between two pixels of the same grey

class GraphCut final : public Program {
 public:
  explicit GraphCut(const Settings& s)
      : Program("graphcut"), width_(s.count("width")), height_(s.count("height")), period_(s.count("period")) {
    if (width_ % kWidth != 0)
      throw WorkloadError(fmt::format("graphcut.width = '{}': a multiple of {} is expected", width_, kWidth));
    if (height_ % kHeight != 0)
      throw WorkloadError(fmt::format("graphcut.height = '{}': a multiple of {} is expected", height_, kHeight));
    const inputs::Image image = s.input().empty()
                                    ? inputs::photograph(width_, height_, 1, s.seed())
                                    : inputs::scaled(s.input(), inputs::read_image(s.input()), width_, height_, 1);
    pixels_ = width_ * height_;
    terminal_.resize(size());
    for (auto& plane : capacity_) plane.assign(size(), 0);
    const int middle = median(image.pixels);
    for (int u = 0; u < pixels_; ++u) {
      const auto at = static_cast<std::size_t>(u);
      terminal_[at] = int{image.pixels[at]} - middle;
      for (unsigned d = 0; d < kDirections; ++d) {
        if (!has_neighbour(u, d)) continue;
        const int difference = image.pixels[at] - image.pixels[static_cast<std::size_t>(u + step(d))];
        capacity_[d][at] = 1 + kSmoothness * 64 / (64 + difference * difference);
      }
    }
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(pixels_); }
  int step(unsigned d) const { return std::array<int, kDirections>{1, -1, width_, -width_}[d]; }
  bool has_neighbour(int u, unsigned d) const {
    const int x = u % width_, y = u / width_;
    return std::array<bool, kDirections>{x + 1 < width_, x > 0, y + 1 < height_, y > 0}[d];
  }
  static int median(std::vector<Byte> pixels) {
    const auto middle = pixels.begin() + static_cast<std::ptrdiff_t>(pixels.size() / 2);
    std::nth_element(pixels.begin(), middle, pixels.end());
    return *middle;
  }

  void build() override {
    static constexpr std::array<const char*, kDirections> kNames{"right", "left", "down", "up"};
    for (unsigned d = 0; d < kDirections; ++d) arc_[d] = memory_.allocate(kNames[d], capacity_[d]);
    std::vector<int> excess(size()), sink(size());
    for (std::size_t u = 0; u < size(); ++u) {
      excess[u] = std::max(terminal_[u], 0);
      sink[u] = std::max(-terminal_[u], 0);
    }
    excess_ = memory_.allocate("excess", excess);
    sink_ = memory_.allocate("sink", sink);
    for (auto& h : heights_) h = memory_.allocate<int>("height", size());
    label_ = memory_.allocate<Byte>("label", size());
  }

  HostCode host() override {
    while (measure_heights() > 0)
      for (int round = 0; round < period_; ++round) {
        co_yield push();
        co_yield relabel();
        std::swap(heights_[0], heights_[1]);
      }
    co_yield label();
  }

  /// Distances to the sink along arcs with capacity left; returns how many pixels can still bring their excess there.
  int measure_heights() {
    std::array<std::vector<int>, kDirections> arcs;
    for (unsigned d = 0; d < kDirections; ++d) arcs[d] = memory_.read(arc_[d]);
    const std::vector<int> sink = memory_.read(sink_), excess = memory_.read(excess_);
    std::vector<int> distance(size(), pixels_), reached;
    for (int u = 0; u < pixels_; ++u)
      if (sink[static_cast<std::size_t>(u)] > 0) {
        distance[static_cast<std::size_t>(u)] = 1;
        reached.push_back(u);
      }
    for (std::size_t next = 0; next < reached.size(); ++next)
      for (unsigned d = 0; d < kDirections; ++d) {
        const int u = reached[next], v = u + step(d);
        if (!has_neighbour(u, d) || distance[static_cast<std::size_t>(v)] < pixels_) continue;
        if (arcs[d ^ 1][static_cast<std::size_t>(v)] == 0) continue;
        distance[static_cast<std::size_t>(v)] = distance[static_cast<std::size_t>(u)] + 1;
        reached.push_back(v);
      }
    memory_.write(heights_[0], 0, std::span<const int>(distance));
    int active = 0;
    for (std::size_t u = 0; u < size(); ++u) active += excess[u] > 0 && distance[u] < pixels_;
    return active;
  }

  template <class F>
  std::unique_ptr<KernelLaunch> each_pixel(const char* name, F body) {
    return launch(
        name, static_cast<std::uint32_t>(pixels_ / (kWidth * kHeight)), kWidth * kHeight,
        [=, width = width_](Warp& w) {
          const GridPlace block(w, width / kWidth);
          const Vec<int> x = w.thread_x(kWidth) + block.x * kWidth, y = w.thread_y(kWidth) + block.y * kHeight;
          body(w, mad(y, Vec<int>(width), x));
        },
        24);
  }

  /// Pixels with excess send it to the sink and to neighbours one step lower. Only one end of an arc can be the
  /// higher one, so only one thread changes its two capacities; excess comes from several sides.
  std::unique_ptr<KernelLaunch> push() {
    return each_pixel("graphcut_push", [=, this](Warp& w, const Vec<int>& u) {
      const Vec<int> excess = w.load(excess_, u);
      w.exit_if(excess <= 0);
      const Vec<int> own = w.load(heights_[0], u);
      w.exit_if(own >= pixels_);
      Vec<int> left = excess;
      w.if_(own == 1, [&] {
        const Vec<int> room = w.load(sink_, u), sent = min(left, room);
        w.if_(sent > 0, [&] {
          w.store(sink_, u, room - sent);
          left -= sent;
        });
      });
      for (unsigned d = 0; d < kDirections; ++d)
        w.if_(left > 0, [&] {
          const Vec<int> room = w.load(arc_[d], u);
          w.if_(room > 0, [&] {
            const Vec<int> v = u + step(d);
            w.if_(w.load(heights_[0], v) + 1 == own, [&] {
              const Vec<int> sent = min(left, room);
              w.store(arc_[d], u, room - sent);
              w.store(arc_[d ^ 1], v, w.load(arc_[d ^ 1], v) + sent);
              w.atomic_add(excess_, v, sent);
              left -= sent;
            });
          });
        });
      w.if_(left < excess, [&] { w.atomic_add(excess_, u, left - excess); });
    });
  }

  /// New heights from the old ones: one more than the lowest neighbour that can still be reached.
  std::unique_ptr<KernelLaunch> relabel() {
    return each_pixel("graphcut_relabel", [=, this](Warp& w, const Vec<int>& u) {
      const Vec<int> own = w.load(heights_[0], u), excess = w.load(excess_, u);
      Vec<int> fresh = own;
      w.if_((excess > 0) & (own < pixels_), [&] {
        fresh = pixels_;
        w.if_(w.load(sink_, u) > 0, [&] { fresh = 1; });
        for (unsigned d = 0; d < kDirections; ++d)
          w.if_(w.load(arc_[d], u) > 0, [&] { fresh = min(fresh, w.load(heights_[0], u + step(d)) + 1); });
      });
      w.store(heights_[1], u, fresh);
    });
  }

  /// Pixels that cannot reach the sink any more are on the source's side of the cut.
  std::unique_ptr<KernelLaunch> label() {
    return each_pixel("graphcut_label", [=, this](Warp& w, const Vec<int>& u) {
      w.store(label_, u, select(w.load(heights_[0], u) >= pixels_, Vec<Byte>(1), Vec<Byte>(0)));
    });
  }

  /// The flow keeps every capacity and balance, and the labels are a cut of the same value: both are then optimal.
  std::string verify() override {
    std::array<std::vector<int>, kDirections> arcs;
    for (unsigned d = 0; d < kDirections; ++d) arcs[d] = memory_.read(arc_[d]);
    const std::vector<int> sink = memory_.read(sink_), excess = memory_.read(excess_);
    const std::vector<Byte> label = memory_.read(label_);
    using Sum = std::int64_t;
    Sum flow = 0, cut = 0;
    for (int u = 0; u < pixels_; ++u) {
      const auto at = static_cast<std::size_t>(u);
      const Sum to_sink = Sum{std::max(-terminal_[at], 0)} - sink[at];
      Sum balance = Sum{std::max(terminal_[at], 0)} - to_sink - excess[at];
      for (unsigned d = 0; d < kDirections; ++d) {
        balance -= Sum{capacity_[d][at]} - arcs[d][at];
        if (!has_neighbour(u, d)) continue;
        const auto other = static_cast<std::size_t>(u + step(d));
        if (arcs[d][at] < 0 || Sum{arcs[d][at]} + arcs[d ^ 1][other] != capacity_[d][at] + capacity_[d ^ 1][other])
          return fmt::format("pixel {}, direction {}: capacity {} is left, which cannot be", u, d, arcs[d][at]);
        if (label[at] && !label[other]) cut += capacity_[d][at];
      }
      if (to_sink < 0 || sink[at] < 0 || excess[at] < 0 || balance != 0)
        return fmt::format("pixel {}: what comes and what goes differ by {}", u, balance);
      flow += to_sink;
      cut += std::max(label[at] ? -terminal_[at] : terminal_[at], 0);
    }
    return flow == cut ? "" : fmt::format("the flow is {}, the cut is {}", flow, cut);
  }

  int width_, height_, period_, pixels_ = 0;
  std::vector<int> terminal_;  ///< capacity from the source (positive) or to the sink (negative)
  std::array<std::vector<int>, kDirections> capacity_;
  std::array<Buffer<int>, kDirections> arc_;  ///< capacity left
  std::array<Buffer<int>, 2> heights_;        ///< of this round, of the next
  Buffer<int> excess_, sink_;
  Buffer<Byte> label_;
};

}  // namespace

WorkloadEntry graphcut_entry() {
  return entry_of<GraphCut>(
      {"graphcut",
       "graphs",
       "minimum cut of a pixel grid by push-relabel: capacity planes, neighbours' rows, few active pixels",
       inputs::kImageFiles,
       {size_parameter("width", 256, 128, 64, 4096, "pixels", "of the image, a multiple of 32"),
        size_parameter("height", 256, 128, 32, 4096, "pixels", "of the image, a multiple of 8"),
        integer_parameter("period", 8, 8, 8, 1, 1000, "rounds", "until the host measures the heights again")},
       "10 to 13 coalesced neighbour loads and 4 to 6 stores or atomics per thread and pass"},
      {"not known: 512 x 512 pixels", {{"width", "512"}, {"height", "512"}}});
}

}  // namespace warpsieve::workloads
