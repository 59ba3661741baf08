#include "validate/gpu_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/name_lookup.h"
#include "core/params.h"
#include "validate/bench.h"
#include "validate/python_random.h"

namespace warpsieve::validate {

namespace gpu {
namespace {

using Lanes = WarpWriter::Lanes;

constexpr std::uint32_t kParts = 4;                    ///< the part of the machine that bandwidths are measured on
constexpr std::uint32_t kBlocksPerSm = 8, kWarps = 8;  ///< of the programs that fill the GPU
constexpr std::uint64_t kSector = 32, kGiB = std::uint64_t{1} << 30;

/// A quarter of a GPU, full of blocks of 256 threads.
struct Quarter {
  Bench bench;

  explicit Quarter(const Bench& whole)
      : bench(whole.with({fmt::format("gpu.sms={}", whole.profile.sms / kParts),
                          fmt::format("gpu.controllers={}", whole.profile.controllers / kParts)})) {}
  /// The array that stands for one of 1 GB, in an L2 that is smaller by the same factor.
  static constexpr std::uint64_t kArray = 64 << 20;
  Quarter for_large_arrays() const {
    const std::uint64_t ways = std::max<std::uint64_t>(1, bench.profile.l2.ways * kArray * kParts / kGiB);
    Quarter out = *this;
    out.bench = bench.with({fmt::format("l2.ways={}", ways)});
    return out;
  }
  std::uint32_t blocks() const { return bench.profile.sms * kBlocksPerSm; }
  std::uint64_t warps() const { return std::uint64_t{blocks()} * kWarps; }
  double seconds(double cycles) const { return cycles / (bench.profile.dram.core_mhz * 1e6); }

  /// 1e9 per second of the whole GPU: each iteration of the grid does `amount`. `body(out, i, w)` writes iteration i
  /// of warp w.
  template <class Body>
  double rate(double amount, std::uint64_t from, std::uint64_t to, std::uint64_t bytes, Body&& body,
              std::uint32_t blocks_per_sm = kBlocksPerSm, std::uint32_t warps_per_block = kWarps) const {
    const auto cycles = [&](std::uint64_t iterations) {
      const auto write = [&](WarpWriter& out, std::uint32_t block, std::uint32_t warp) {
        for (std::uint64_t i = 0; i < iterations; ++i) body(out, i, std::uint64_t{block} * warps_per_block + warp);
      };
      return bench.run("gpu", bench.profile.sms * blocks_per_sm, warps_per_block, bytes, write).cycles;
    };
    return kParts * amount * static_cast<double>(to - from) / seconds(steady(cycles, from, to)) * 1e-9;
  }
};

Lanes lanes(std::uint64_t first, std::uint64_t stride) {
  Lanes at;
  for (unsigned l = 0; l < kLanes; ++l) at[l] = first + l * stride;
  return at;
}

double l1_cached(const Bench& b, double x) { return chase(b, static_cast<std::uint64_t>(x)); }

/// Past the L1: one of a single line.
double l2_only(const Bench& b, double x) {
  const Bench past = b.with({"l1.sets=1", "l1.ways=1"});
  // Of 1 GB no line is in the L2: here 64 MB, and an L2 of one way.
  if (x >= static_cast<double>(kGiB)) return chase(past.with({"l2.ways=1"}), 64 << 20);
  return chase(past, static_cast<std::uint64_t>(x));
}

// --- bandwidth.cu

/// 16 bytes per lane. Of a read, the next four begin when the last of the four before is there.
double stream(const Bench& b, bool read, bool write) {
  const Quarter q = Quarter(b).for_large_arrays();
  constexpr std::uint64_t kChunk = 16 * kLanes, kUnroll = 4, kFrom = 2, kTo = 6;
  const std::uint64_t warps = q.warps(), half = kTo * kUnroll * warps * kChunk;
  std::vector<std::uint32_t> last(warps);
  const auto body = [&](WarpWriter& out, std::uint64_t i, std::uint64_t w) {
    std::uint32_t after = i == 0 ? kNone : last[w];
    std::array<std::uint32_t, kUnroll> loaded;
    for (std::uint64_t u = 0; u < kUnroll; ++u)
      if (read) last[w] = loaded[u] = out.load(((i * kUnroll + u) * warps + w) * kChunk, 16, after);
    for (std::uint64_t u = 0; u < kUnroll; ++u)
      for (std::uint64_t line = 0; write && line < kChunk; line += kLine)
        out.store((read ? half : 0) + ((i * kUnroll + u) * warps + w) * kChunk + line, read ? loaded[u] : kNone);
  };
  const double bytes = static_cast<double>(warps * kUnroll * kChunk) * (read && write ? 2 : 1);
  return q.rate(bytes, kFrom, kTo, read && write ? 2 * half : half, body);
}

/// Reads an array that the L2 holds again and again; every SM reads another part of it in each pass.
double read_again(const Bench& b, double x) {
  const Quarter q(b);
  constexpr std::uint64_t kChunk = 16 * kLanes;
  const std::uint64_t chunks = static_cast<std::uint64_t>(x) / kParts / kChunk, warps = q.warps();
  const std::uint64_t per_pass = (chunks + warps - 1) / warps;
  std::vector<std::uint32_t> last(warps);
  const auto body = [&](WarpWriter& out, std::uint64_t pass, std::uint64_t w) {
    const std::uint32_t after = pass == 0 ? kNone : last[w];
    for (std::uint64_t i = 0; i < per_pass; ++i)
      last[w] = out.load((i * warps + w + pass * kWarps * kBlocksPerSm) % chunks * kChunk, 16, after);
  };
  return q.rate(static_cast<double>(warps * per_pass * kChunk), 2, 5, chunks * kChunk, body);
}

Lanes random_lanes(PythonRandom& random) {
  Lanes at;
  for (std::uint64_t& lane : at)
    lane = std::uint64_t{random.below(static_cast<std::uint32_t>(Quarter::kArray / kSector))} * kSector;
  return at;
}

double random_sectors(const Bench& b, bool store) {
  const Quarter q = Quarter(b).for_large_arrays();
  constexpr std::uint64_t kUnroll = 4;
  std::vector<std::uint32_t> last(q.warps());
  const auto body = [&](WarpWriter& out, std::uint64_t i, std::uint64_t w) {
    PythonRandom random(static_cast<std::uint32_t>(i * q.warps() + w + 1));
    const std::uint32_t after = i == 0 ? kNone : last[w];
    for (std::uint64_t u = 0; u < kUnroll; ++u)
      if (store)
        out.store(random_lanes(random), 4);
      else
        last[w] = out.load(random_lanes(random), after);
  };
  const double bytes = store ? 4 : kSector;
  return q.rate(bytes * static_cast<double>(q.warps() * kLanes * kUnroll), 1, 3, Quarter::kArray, body);
}

// --- stores.cu

double coalesced(const Bench& b, double) {
  const Quarter q = Quarter(b).for_large_arrays();
  constexpr std::uint64_t kFrom = 16, kTo = 48;
  const auto body = [&](WarpWriter& out, std::uint64_t i, std::uint64_t w) {
    out.store((i * q.warps() + w) * kLine);
  };
  return q.rate(static_cast<double>(q.warps() * kLine), kFrom, kTo, kTo * q.warps() * kLine, body);
}

/// Word after word of a line per lane, then the lane's next line.
double own_lines(const Bench& b, double) {
  const Quarter q(b);
  constexpr std::uint64_t kFrom = 2, kTo = 3;
  const auto body = [&](WarpWriter& out, std::uint64_t i, std::uint64_t w) {
    for (std::uint64_t word = 0; word < kLine / 4; ++word)
      out.store(lanes((i * q.warps() + w) * kLanes * kLine + word * 4, kLine), 4);
  };
  const double bytes = static_cast<double>(q.warps() * kLanes * kLine);
  return q.rate(bytes, kFrom, kTo, kTo * q.warps() * kLanes * kLine, body);
}

/// x of the bytes of every sector; 32 as twice 16.
double partial(const Bench& b, double x) {
  const Quarter q = Quarter(b).for_large_arrays();
  constexpr std::uint64_t kFrom = 4, kTo = 10;
  const auto bytes = static_cast<std::uint8_t>(std::min(x, 16.0));
  const auto body = [&](WarpWriter& out, std::uint64_t i, std::uint64_t w) {
    const std::uint64_t first = (i * q.warps() + w) * kLanes * kSector;
    out.store(lanes(first, kSector), bytes);
    if (x > 16) out.store(lanes(first + 16, kSector), bytes);
  };
  return q.rate(x * static_cast<double>(q.warps() * kLanes), kFrom, kTo, kTo * q.warps() * kLanes * kSector, body);
}

// --- pitch.cu

/// A row per thread, sector after sector, each load after the one before, at most 32 of them.
double pitch(const Bench& b, double x) {
  const Quarter q(b);
  const auto bytes = static_cast<std::uint64_t>(x);
  if (bytes > 5000) throw ConfigError(fmt::format("pitch: expected at most 5000 bytes, found {}", bytes));
  const std::uint64_t sectors = std::min<std::uint64_t>(32, bytes / kSector), rows = q.warps() * kLanes;
  const std::uint64_t waves = std::max<std::uint64_t>(1, 1024 / bytes);
  const auto write = [&](WarpWriter& out, std::uint32_t block, std::uint32_t warp) {
    std::uint32_t last = kNone;
    const std::uint64_t row = (std::uint64_t{block} * kWarps + warp) * kLanes;
    for (std::uint64_t s = 0; s < sectors; ++s) last = out.load(row * bytes + s * kSector, bytes, last);
  };
  const auto blocks = static_cast<std::uint32_t>(q.blocks() * waves);
  const double cycles = q.bench.run("pitch", blocks, kWarps, rows * waves * bytes, write).cycles;
  return kParts * static_cast<double>(rows * waves * sectors * kSector) / q.seconds(cycles) * 1e-9;
}

// --- in_flight.cu

/// `loads` lines per warp, then the instructions that the next addresses need.
double in_flight(const Bench& b, std::uint32_t loads, double x) {
  // Sum, two halves of the line's number, mask, address; one more sum for each further load.
  const std::uint32_t chain = 4 + loads;
  const Quarter q = Quarter(b).for_large_arrays();
  const auto warps_per_block = static_cast<std::uint32_t>(x) / loads;
  const std::uint64_t warps = std::uint64_t{q.bench.profile.sms} * warps_per_block;
  const std::uint64_t from = std::max<std::uint64_t>(4, 64 / static_cast<std::uint64_t>(x)), to = 3 * from;
  std::vector<std::uint32_t> last(warps);
  const auto body = [&](WarpWriter& out, std::uint64_t i, std::uint64_t w) {
    const std::uint32_t after = i == 0 ? kNone : last[w];
    for (std::uint32_t k = 0; k < loads; ++k) last[w] = out.load(((i * loads + k) * warps + w) * kLine, 4, after);
    for (std::uint32_t k = 0; k < chain; ++k) last[w] = out.alu(last[w]);
  };
  return q.rate(static_cast<double>(warps * loads * kLine), from, to, to * warps * loads * kLine, body, 1,
                warps_per_block);
}

// --- atomics.cu, without a result

/// Lane g of the grid adds to word (g >> shift) % words, `stride` bytes apart.
double additions(const Bench& b, std::uint64_t words, unsigned shift, std::uint64_t stride) {
  const Quarter q(b);
  // One word is in one slice, on the whole GPU, too.
  const std::uint64_t part = std::max<std::uint64_t>(1, words / kParts), scale = words > 1 ? 1 : kParts;
  constexpr std::uint64_t kFrom = 2, kTo = 5;
  const auto body = [&](WarpWriter& out, std::uint64_t, std::uint64_t w) {
    Lanes at;
    for (unsigned l = 0; l < kLanes; ++l) at[l] = ((w * kLanes + l) >> shift) % part * stride;
    out.add(at);
  };
  return q.rate(static_cast<double>(q.warps() * kLanes), kFrom, kTo, std::max(part * stride, kLine), body) /
         static_cast<double>(scale);
}

// --- shared.cu

/// `dependent`: each access after the one before.
double shared(const Bench& b, std::uint32_t warps, bool dependent, double x) {
  const Bench one = b.with({"gpu.sms=1"});
  constexpr std::uint64_t kFrom = 16, kTo = 80;
  const auto cycles = [&](std::uint64_t accesses) {
    const auto write = [&](WarpWriter& out, std::uint32_t, std::uint32_t) {
      std::uint32_t last = kNone;
      for (std::uint64_t i = 0; i < accesses; ++i)
        last = out.shared(static_cast<unsigned>(x), dependent ? last : kNone);
    };
    return one.run("shared", 1, warps, kLine, write).cycles;
  };
  return steady(cycles, kFrom, kTo) / static_cast<double>((kTo - kFrom) * warps);
}

using Measure = double (*)(const Bench&, double x);
constexpr std::pair<const char*, Measure> kCurves[] = {
    {"latency.l1_cached", l1_cached},
    {"latency.l2_only", l2_only},
    {"bandwidth.read", [](const Bench& b, double) { return stream(b, true, false); }},
    {"bandwidth.write", [](const Bench& b, double) { return stream(b, false, true); }},
    {"bandwidth.copy", [](const Bench& b, double) { return stream(b, true, true); }},
    {"bandwidth.read_again", read_again},
    {"bandwidth.random_sectors", [](const Bench& b, double) { return random_sectors(b, false); }},
    {"bandwidth.random_fetch_32",
     [](const Bench& b, double) { return random_sectors(b.with({"l2.fetch_sectors=1"}), false); }},
    {"pitch.power_of_two", pitch},
    {"pitch.plus_128", pitch},
    {"pitch.fetch_32", [](const Bench& b, double x) { return pitch(b.with({"l2.fetch_sectors=1"}), x); }},
    {"atomics.red_packed",
     [](const Bench& b, double x) { return additions(b, static_cast<std::uint64_t>(x), 0, 4); }},
    {"atomics.red_lines",
     [](const Bench& b, double x) { return additions(b, static_cast<std::uint64_t>(x), 0, kLine); }},
    {"atomics.red_one_per_warp",
     [](const Bench& b, double x) { return additions(b, static_cast<std::uint64_t>(x), 5, kLine); }},
    {"shared.dependent", [](const Bench& b, double x) { return shared(b, 1, true, x); }},
    {"shared.independent", [](const Bench& b, double x) { return shared(b, 1, false, x); }},
    {"shared.all_warps", [](const Bench& b, double x) { return shared(b, 32, false, x); }},
    {"stores.coalesced", coalesced},
    {"stores.own_lines", own_lines},
    {"stores.scattered", [](const Bench& b, double) { return random_sectors(b, true); }},
    {"stores.partial", partial},
    {"in_flight.loads_1", [](const Bench& b, double x) { return in_flight(b, 1, x); }},
    {"in_flight.loads_2", [](const Bench& b, double x) { return in_flight(b, 2, x); }},
    {"in_flight.loads_4", [](const Bench& b, double x) { return in_flight(b, 4, x); }},
    {"in_flight.loads_8", [](const Bench& b, double x) { return in_flight(b, 8, x); }},
};

}  // namespace
}  // namespace gpu

std::vector<std::string> gpu_curve_names() {
  std::vector<std::string> out;
  for (const auto& [name, measure] : gpu::kCurves) out.emplace_back(name);
  return out;
}

double measure_gpu_point(const std::string& curve, double x, const MachineSpec& machine) {
  const auto* const found = std::find_if(std::begin(gpu::kCurves), std::end(gpu::kCurves),
                                         [&](const auto& entry) { return curve == entry.first; });
  if (found == std::end(gpu::kCurves))
    throw ConfigError(fmt::format("curve: {}", expected_one_of(curve, gpu_curve_names())));
  return found->second({machine, memsys::load_profile(machine.profile, machine.set)}, x);
}

}  // namespace warpsieve::validate
