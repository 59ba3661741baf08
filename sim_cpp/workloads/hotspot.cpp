// hotspot (Rodinia): temperature of a chip from its power map. Each block of 16 x 16 threads (or 32 x 32,
// `block`) reads a tile, makes `pyramid` time steps in shared memory and writes the 16 - 2 * pyramid cells
// in its middle that are still right; tiles overlap by the halo. Temperatures ping-pong between two arrays.
#include <filesystem>

#include "inputs/natural.h"
#include "inputs/rodinia_files.h"
#include "workloads/block_shape.h"
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr float kAmbient = 80.0f;

/// The physical constants of the benchmark: a chip of 16 x 16 mm, 0.5 mm thick.
struct Coefficients {
  explicit Coefficients(int n) {
    const float width = 0.016f / static_cast<float>(n), thickness = 0.0005f, conductivity = 100, heat = 1.75e6f,
                max_power = 3.0e6f, factor = 0.5f, precision = 0.001f;
    const float capacity = factor * heat * thickness * width * width;
    across = 2.0f * conductivity * thickness;  // 1 / Rx = 1 / Ry on square cells
    down = conductivity * width * width / thickness;
    step = precision / (max_power / (factor * thickness * heat)) / capacity;
  }
  float across, down, step;
};

class Hotspot final : public Program {
 public:
  explicit Hotspot(const Settings& s)
      : Program("hotspot"), maps_(read_maps(s)), n_(maps_.empty() ? s.count("side") : maps_[0].side),
        pyramid_(s.count("pyramid")), launches_(s.count("launches")), side_(side_of_block(s)),
        inner_(side_ - 2 * pyramid_), constants_(n_) {
    if (!maps_.empty()) {
      start_ = std::move(maps_[0].values);
      power_values_ = std::move(maps_[1].values);
      return;
    }
    start_ = inputs::temperature_map(n_, s.seed()).values;
    power_values_ = inputs::power_map(n_, s.seed() + 1).values;
  }

 private:
  /// Temperature and power of an input file and the one beside it, whichever of the two was named; none without one.
  static std::vector<inputs::Map> read_maps(const Settings& s) {
    if (s.input().empty()) return {};
    std::string heat = s.input(), power = inputs::other_map(heat);
    if (std::filesystem::path(heat).filename().string().find("temp") == std::string::npos) std::swap(heat, power);
    std::vector<inputs::Map> maps = {inputs::read_map(heat), inputs::read_map(power)};
    if (maps[0].side != maps[1].side)
      throw WorkloadError(fmt::format("{}: {} x {} values as in {} are expected, found {} x {}", power, maps[0].side,
                                      maps[0].side, heat, maps[1].side, maps[1].side));
    return maps;
  }

  void build() override {
    power_ = memory_.allocate("power", power_values_);
    temperature_[0] = memory_.allocate("temperature", start_);
    temperature_[1] = memory_.allocate<float>("next_temperature", start_.size());
  }

  HostCode host() override {
    for (int i = 0; i < launches_; ++i) co_yield step(temperature_[i % 2], temperature_[(i + 1) % 2]);
  }

  std::unique_ptr<KernelLaunch> step(const Buffer<float>& from, const Buffer<float>& to) {
    const int grid = ceil_div(n_, inner_);
    const auto cells = static_cast<std::uint32_t>(side_ * side_);
    return launch(
        "hotspot", static_cast<std::uint32_t>(grid * grid), cells,
        [from, to, grid, cells, power = power_, n = n_, steps = pyramid_, side = side_, inner = inner_,
         c = constants_](Warp& w) -> Task {
          const Shared<float> heat{0, cells}, source{4 * cells, cells}, next{8 * cells, cells};
          const GridPlace block(w, grid);
          const int top = inner * block.y - steps, left = inner * block.x - steps;
          const Vec<int> tx = w.thread_x(side), ty = w.thread_y(side), cell = w.thread();
          const Vec<int> at = (ty + top) * n + (tx + left);
          // The part of the tile that lies on the chip; beyond its edge the edge cell repeats.
          const int y0 = std::max(0, -top), y1 = std::min(side - 1, n - 1 - top), x0 = std::max(0, -left),
                    x1 = std::min(side - 1, n - 1 - left);
          const Mask on_chip = within(ty, y0, y1) & within(tx, x0, x1);
          w.if_(on_chip, [&] {
            w.store(heat, cell, w.load(from, at));
            w.store(source, cell, w.load(power, at));
          });
          co_await w.barrier();
          const Vec<int> north = max(ty - 1, Vec<int>(y0)) * side + tx, south = min(ty + 1, Vec<int>(y1)) * side + tx,
                         west = ty * side + max(tx - 1, Vec<int>(x0)), east = ty * side + min(tx + 1, Vec<int>(x1));
          for (int i = 0; i < steps; ++i) {
            const Mask inside = on_chip & within(tx, i + 1, side - 2 - i) & within(ty, i + 1, side - 2 - i);
            w.if_(inside, [&] {
              const Vec<float> t = w.load(heat, cell), twice = t + t;
              const Vec<float> vertical = w.load(heat, south) + w.load(heat, north) - twice,
                               horizontal = w.load(heat, east) + w.load(heat, west) - twice;
              const Vec<float> flow = w.load(source, cell) + vertical * c.across + horizontal * c.across +
                                      (Vec<float>(kAmbient) - t) * c.down;
              w.store(next, cell, mad(flow, Vec<float>(c.step), t));
            });
            co_await w.barrier();
            if (i + 1 < steps) {
              w.if_(inside, [&] { w.store(heat, cell, w.load(next, cell)); });
              co_await w.barrier();
            } else {
              w.if_(inside, [&] { w.store(to, at, w.load(next, cell)); });
            }
          }
        },
        27, 12 * cells);
  }

  /// The whole chip, one time step after the other.
  std::string verify() override {
    const int n = n_;
    std::vector<double> heat(start_.begin(), start_.end()), next(heat.size());
    const auto index = [n](int y, int x) {
      return static_cast<std::size_t>(std::clamp(y, 0, n - 1)) * static_cast<std::size_t>(n) +
             static_cast<std::size_t>(std::clamp(x, 0, n - 1));
    };
    for (int i = 0; i < launches_ * pyramid_; ++i) {
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
          const double t = heat[index(y, x)];
          const double neighbours =
              heat[index(y - 1, x)] + heat[index(y + 1, x)] + heat[index(y, x - 1)] + heat[index(y, x + 1)];
          next[index(y, x)] =
              t + constants_.step * (power_values_[index(y, x)] + constants_.across * (neighbours - 4 * t) +
                                     constants_.down * (kAmbient - t));
        }
      heat.swap(next);
    }
    return mismatch("temperature of cell", memory_.read(temperature_[launches_ % 2]), heat, 1e-5);
  }

  std::vector<inputs::Map> maps_;
  int n_, pyramid_, launches_, side_, inner_;
  Coefficients constants_;
  std::vector<float> start_, power_values_;
  Buffer<float> power_, temperature_[2];
};

}  // namespace

WorkloadEntry hotspot_entry() {
  return entry_of<Hotspot>(
      {"hotspot",
       "Rodinia",
       "chip temperature: overlapping 16-wide tiles, repetitive power map read in every launch",
       "maps: Rodinia's temp_N or power_N, the other one beside it",
       {integer_parameter("side", 512, 256, 64, 16, 8192, "cells", "width and height of the chip"),
        integer_parameter("pyramid", 2, 2, 2, 1, 7, "steps", "time steps per launch"),
        size_parameter("launches", 10, 10, 2, 100000, "launches", "kernel launches"), side_of_blocks()},
       "0.44 M WMI; halo overlap between blocks, half-warp rows at any alignment"},
      {"temp_512 or temp_1024, 2 iterations", {{"side", "1024"}}});
}

}  // namespace warpsieve::workloads
