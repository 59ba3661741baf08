#include "validate/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/name_lookup.h"
#include "core/params.h"
#include "validate/bench.h"
#include "validate/python_random.h"

namespace warpsieve::validate {

namespace {

using memsys::Profile;

constexpr std::uint64_t kMiB = 1 << 20;

// --- latency

Curve staircase(const Bench& b) {
  Curve out{"staircase", "KiB", "cycles", {}};
  for (std::uint64_t kib = 4; kib <= 64 * 1024; kib *= 2) {
    if (b.quick && kib != 16 && kib != 2048 && kib != 64 * 1024) continue;
    out.points.push_back({fmt::format("{}", kib), chase(b, kib * 1024)});
  }
  return out;
}

// --- DRAM bandwidth

struct Stream {
  bool read = true, write = false;
  std::uint32_t blocks_per_sm = 2, warps = 8, unroll = 4;
  std::uint64_t total_bytes = 4 * kMiB;  ///< of the short run, per stream
  std::uint64_t least = 2;               ///< iterations of the short run
};

/// Share of the peak, in percent. A warp's loads of an iteration wait for the last one of the iteration before.
double stream(const Bench& b, const Stream& s) {
  const std::uint32_t blocks = b.profile.sms * s.blocks_per_sm;
  const std::uint64_t warps = std::uint64_t{blocks} * s.warps;
  const std::uint64_t step = warps * s.unroll * kLine;  // bytes of an iteration
  const std::uint64_t first = std::max(s.least, (s.total_bytes + step - 1) / step), then = first * 3;
  const std::uint64_t half = then * step;
  const auto cycles = [&](std::uint64_t iterations) {
    const auto write = [&](WarpWriter& out, std::uint32_t block, std::uint32_t warp) {
      std::uint32_t before = kNone;
      for (std::uint64_t i = 0; i < iterations; ++i) {
        std::uint32_t last = kNone;
        for (std::uint32_t u = 0; u < s.unroll; ++u) {
          const std::uint64_t at = i * step + (u * warps + std::uint64_t{block} * s.warps + warp) * kLine;
          if (s.read) last = out.load(at, 4, before);
          if (s.write) out.store(s.read ? half + at : at, last);
        }
        before = last;
      }
    };
    return b.run("stream", blocks, s.warps, s.read && s.write ? 2 * half : half, write).cycles;
  };
  const double bytes = static_cast<double>((then - first) * step) * (s.read && s.write ? 2 : 1);
  return 100.0 * bytes / steady(cycles, first, then) / b.peak_bytes_per_cycle();
}

Curve bandwidth(const Bench& b) {
  // What is written reaches the DRAM once the L2 is full.
  const std::uint64_t full = std::max(4 * kMiB, b.l2_bytes() * 3 / 2);
  return {"bandwidth",
          "",
          "% of peak",
          {{"read", stream(b, {})},
           {"write", stream(b, {.read = false, .write = true, .total_bytes = full})},
           {"copy", stream(b, {.read = true, .write = true, .total_bytes = full})}}};
}

Curve in_flight(const Bench& b) {
  Curve out{"in_flight", "lines per SM", "% of peak", {}};
  for (std::uint32_t lines = 1; lines <= 128; lines *= 2) {
    const std::uint32_t warps = std::min(lines, 32u);
    out.points.push_back(
        {fmt::format("{}", lines),
         stream(b,
                {.blocks_per_sm = 1, .warps = warps, .unroll = lines / warps, .total_bytes = kMiB / 2, .least = 4})});
  }
  return out;
}

Curve random_sectors(const Bench& b) {
  constexpr std::uint64_t kBytes = 64 * kMiB;
  const std::uint32_t blocks = b.profile.sms * 2, warps = 8;
  const auto cycles = [&](std::uint64_t iterations) {
    const auto write = [&](WarpWriter& out, std::uint32_t block, std::uint32_t warp) {
      PythonRandom random(block * warps + warp + 1);
      std::uint32_t last = kNone;
      for (std::uint64_t i = 0; i < iterations; ++i) {
        WarpWriter::Lanes at;
        for (std::uint64_t& lane : at) lane = std::uint64_t{random.below(kBytes / 32)} * 32;
        last = out.load(at, last);
      }
    };
    return b.run("random", blocks, warps, kBytes, write).cycles;
  };
  const double bytes = 4.0 * blocks * warps * kLanes * 32;
  return {"random", "", "% of peak", {{"sector", 100.0 * bytes / steady(cycles, 2, 6) / b.peak_bytes_per_cycle()}}};
}

// --- caches and shared memory

/// Every SM reads lines that it has not read before, and that others have: all of them are in the L2.
Curve l2(const Bench& b) {
  const std::uint64_t lines = std::min<std::uint64_t>(2 * kMiB, b.l2_bytes() / 2) / kLine;
  constexpr std::uint32_t kWarps = 16, kUnroll = 4;
  const std::uint64_t cover = (lines + b.profile.sms - 1) / b.profile.sms;
  const std::uint64_t per_iteration = kWarps * kUnroll;
  const std::uint64_t from = std::max<std::uint64_t>(4, 2 * cover / per_iteration);
  const std::uint64_t to = std::max(from * 2, std::min<std::uint64_t>(from * 4, lines / per_iteration));
  const auto cycles = [&](std::uint64_t iterations) {
    const auto write = [&](WarpWriter& out, std::uint32_t block, std::uint32_t warp) {
      std::uint32_t before = kNone;
      for (std::uint64_t i = 0; i < iterations; ++i) {
        std::uint32_t last = kNone;
        for (std::uint32_t u = 0; u < kUnroll; ++u)
          last = out.load((block * cover + i * per_iteration + u * kWarps + warp) % lines * kLine, 4, before);
        before = last;
      }
    };
    return b.run("l2", b.profile.sms, kWarps, lines * kLine, write).cycles;
  };
  const double bytes = static_cast<double>(b.profile.sms * (to - from) * per_iteration * kLine);
  return {"l2", "", "B/cycle", {{"read", bytes / steady(cycles, from, to)}}};
}

Curve shared(const Bench& all) {
  const Bench b = all.with({"gpu.sms=1"});
  constexpr std::uint32_t kWarps = 16;
  Curve out{"shared", "words in the busiest bank", "cycles", {}};
  for (unsigned conflicts = 1; conflicts <= 32; conflicts *= 2) {
    const auto cycles = [&](std::uint64_t accesses) {
      const auto write = [&](WarpWriter& w, std::uint32_t, std::uint32_t) {
        for (std::uint64_t i = 0; i < accesses; ++i) w.shared(conflicts);
      };
      return b.run("shared", 1, kWarps, kLine, write).cycles;
    };
    out.points.push_back({fmt::format("{}", conflicts), steady(cycles, 16, 80) / (64 * kWarps)});
  }
  return out;
}

Curve atomics(const Bench& b) {
  Curve out{"atomics", "words", "lanes/cycle", {}};
  const std::uint32_t blocks = b.profile.sms, warps = 8;
  for (std::uint64_t words = 1; words <= 32 * 1024; words *= 32) {
    const auto cycles = [&](std::uint64_t iterations) {
      const auto write = [&](WarpWriter& w, std::uint32_t block, std::uint32_t warp) {
        for (std::uint64_t i = 0; i < iterations; ++i) {
          WarpWriter::Lanes at;
          const std::uint64_t first = ((i * blocks + block) * warps + warp) * kLanes;
          for (std::uint32_t l = 0; l < kLanes; ++l) at[l] = (first + l) % words * 4;
          w.add(at);
        }
      };
      return b.run("atomics", blocks, warps, std::max(words * 4, kLine), write).cycles;
    };
    const double done = 4.0 * blocks * warps * kLanes;
    out.points.push_back({fmt::format("{}", words), done / steady(cycles, 2, 6)});
  }
  return out;
}

/// Lane i of all lanes reads line i * pitch of 64 MiB; where the memory ends it goes on one line further. Start and
/// end of the run count: the part of a run says little where lines that camp on one channel hold all warps up.
Curve pitch(const Bench& b) {
  constexpr std::uint64_t kBytes = 64 * kMiB, kIterations = 3;
  const std::uint32_t blocks = b.profile.sms, warps = 8;
  Curve out{"pitch", "bytes", "lines/cycle", {}};
  for (std::uint64_t bytes = 128; bytes <= 64 * 1024; bytes *= 2) {
    const auto write = [&](WarpWriter& w, std::uint32_t block, std::uint32_t warp) {
      std::uint32_t last = kNone;
      for (std::uint64_t i = 0; i < kIterations; ++i) {
        WarpWriter::Lanes at;
        const std::uint64_t first = ((i * blocks + block) * warps + warp) * kLanes;
        for (std::uint32_t l = 0; l < kLanes; ++l) {
          const std::uint64_t place = (first + l) * bytes;
          at[l] = (place + place / kBytes * kLine) % kBytes;
        }
        last = w.load(at, last);
      }
    };
    const double lines = 1.0 * kIterations * blocks * warps * kLanes;
    out.points.push_back({fmt::format("{}", bytes), lines / b.run("pitch", blocks, warps, kBytes, write).cycles});
  }
  return out;
}

/// Blocks that wait for memory only: twice the blocks take the longer, the fewer are resident.
Curve occupancy(const Bench& all) {
  const Bench b = all.with({"gpu.sms=1"});
  constexpr std::uint32_t kWarps = 8, kBlocks = 64, kLoads = 16;
  Curve out{"occupancy", "registers per thread", "warps", {}};
  for (const std::uint32_t registers : {16u, 32u, 64u, 128u, 256u}) {
    if (registers * kWarps * kLanes > b.profile.sm.registers) continue;  // not even one block fits
    const auto cycles = [&](std::uint64_t blocks) {
      const auto write = [&](WarpWriter& w, std::uint32_t block, std::uint32_t warp) {
        std::uint32_t last = kNone;
        for (std::uint64_t i = 0; i < kLoads; ++i)
          last = w.load_one(((std::uint64_t{block} * kWarps + warp) * kLoads + i) * kLine, last);
      };
      return b
          .run("occupancy", static_cast<std::uint32_t>(blocks), kWarps, 2ull * kBlocks * kWarps * kLoads * kLine,
               write, registers)
          .cycles;
    };
    out.points.push_back(
        {fmt::format("{}", registers), kWarps * kBlocks * cycles(1) / steady(cycles, kBlocks, 2 * kBlocks)});
  }
  return out;
}

using Measure = Curve (*)(const Bench&);
constexpr std::array<std::pair<const char*, Measure>, 9> kCurves{{{"staircase", staircase},
                                                                  {"bandwidth", bandwidth},
                                                                  {"in_flight", in_flight},
                                                                  {"random", random_sectors},
                                                                  {"l2", l2},
                                                                  {"shared", shared},
                                                                  {"atomics", atomics},
                                                                  {"pitch", pitch},
                                                                  {"occupancy", occupancy}}};

double activate_limit(const Profile& p) {
  const memsys::DramParams& d = p.dram;
  const double activates = std::min({1.0 / d.tRRD, 4.0 / d.tFAW, static_cast<double>(d.banks()) / d.tRC});
  return std::min(100.0, 100.0 * activates * d.burst);
}

constexpr std::array<std::pair<const char*, double (*)(const Profile&)>, 1> kLimits{{{"activate", activate_limit}}};

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> out;
  for (const auto& entry : list) out.emplace_back(entry.first);
  return out;
}
template <class List>
auto find(const List& list, const std::string& name, const char* what) {
  for (const auto& entry : list)
    if (name == entry.first) return entry.second;
  throw ConfigError(fmt::format("{}: {}", what, expected_one_of(name, names_of(list))));
}

}  // namespace

std::vector<std::string> curve_names() { return names_of(kCurves); }
std::vector<std::string> limit_names() { return names_of(kLimits); }

Curve measure_curve(const std::string& name, const MachineSpec& machine, bool quick) {
  const Measure measure = find(kCurves, name, "curve");
  return measure({machine, memsys::load_profile(machine.profile, machine.set), quick});
}

double limit_value(const std::string& name, const MachineSpec& machine) {
  return find(kLimits, name, "limit")(memsys::load_profile(machine.profile, machine.set));
}

}  // namespace warpsieve::validate
