// Hand-made traces for the schemes: one launch per step on one SM and one controller whose slices hold one
// line each, so that a reader can follow every eviction. Even lines live in slice 0, odd lines in slice 1.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "schemes/registry.h"
#include "sim/memsys/toy.h"

namespace warpsieve::tb {

using Pattern = std::function<std::uint8_t(unsigned)>;  ///< byte of the line -> value

/// All 32-bit words equal: what the paper calls an intra-duplicate.
inline Pattern words(std::uint8_t b) {
  return [b](unsigned i) { return static_cast<std::uint8_t>(b + i % 4); };
}
inline Pattern ramp(unsigned step, unsigned start = 0) {
  return [=](unsigned i) { return static_cast<std::uint8_t>(start + i * step + i / 4); };
}

/// Lanes over the 32-bit words of the sectors in `mask` of a line.
inline WarpBuilder::Lanes word_lanes(unsigned line, unsigned mask) {
  WarpBuilder::Lanes lanes;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (mask >> lane / 8 & 1) lanes.emplace_back(lane, line * 128u + lane * 4u);
  return lanes;
}

class Steps {
 public:
  static constexpr std::size_t kBytes = 1 << 16;  ///< 512 lines
  Steps& store(unsigned line, const Pattern& pattern, unsigned mask = 0xf) {
    WarpBuilder warp;
    warp.store(word_lanes(line, mask), 4, [&](unsigned lane, unsigned byte) { return pattern(lane * 4 + byte); });
    warps_.push_back({warp});
    return *this;
  }
  Steps& load(unsigned line, unsigned mask = 0xf) {
    WarpBuilder warp;
    warp.load(word_lanes(line, mask), 4);
    warps_.push_back({warp});
    return *this;
  }
  ToyWorkload workload() const {
    ToyWorkload w(kBytes);
    for (const auto& step : warps_) w.add(step).before = {{kBase, {}}};  // everything of the step before is finished
    return w;
  }

 private:
  std::vector<std::vector<WarpBuilder>> warps_;
};

/// One line per L2 slice.
inline memsys::Profile one_line_slices() { return tiny({"l2.sets=1", "l2.ways=1"}); }

inline std::unique_ptr<memsys::Scheme> scheme_of(const std::string& name, std::vector<std::string> set = {},
                                                 Backend backend = Backend::model) {
  return schemes::make_scheme(name, {.set = std::move(set), .backend = backend, .backends = {}});
}

struct SchemeRun {
  SchemeRun(std::unique_ptr<memsys::Scheme> plugged, ToyWorkload workload,
            const memsys::Profile& profile = one_line_slices())
      : program(std::move(workload)), scheme(std::move(plugged)), gpu(profile, *scheme, program), result(gpu.run()) {}
  std::uint64_t stat(const std::string& name) { return gpu.stats().value(name); }
  /// Requests of 32 bytes by kind: write, data_read, read_only, metadata_read, metadata_write, dedup_read,
  /// verify_read.
  std::vector<std::uint64_t> requests() {
    std::vector<std::uint64_t> out(memsys::request_kinds());
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = stat(std::string("dram.requests_") + memsys::name(static_cast<memsys::RequestKind>(k)));
    return out;
  }
  ToyWorkload program;
  std::unique_ptr<memsys::Scheme> scheme;
  memsys::Gpu gpu;
  memsys::Result result;
};

}  // namespace warpsieve::tb
