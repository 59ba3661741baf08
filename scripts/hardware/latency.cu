// Dependent-load staircase: cycles per load over the footprint, 4 KB to 1 GB.
//
// One warp follows a random cyclic chain through all 128-byte lines of the footprint; all lanes load the same word.
// A kernel on all SMs brings the lines into the L2 first, then the warp walks the chain once (at most kWarm lines).
//   l1_cached   ld.global.ca: L1, L2, DRAM and TLB misses
//   l2_only     ld.global.cg: past the L1
//   spread_l2, spread_dram   of single loads past the L1, of 1 MB and of 1 GB: cycles that x % of them do not exceed
#include <algorithm>
#include <iterator>
#include <numeric>

#include "device.h"
#include "duplicates.h"
#include "loads.h"
#include "random_words.h"

namespace warpsieve::hardware {
namespace {

constexpr std::uint64_t kWords = kLineBytes / sizeof(std::uint64_t);
constexpr unsigned kUnroll = 16, kSteps = 256 * kUnroll, kWarm = 4096;

__global__ void write_chain(std::uint64_t* words, const std::uint32_t* next, std::uint64_t lines) {
  const std::uint64_t i = grid_thread();
  if (i < lines) words[i * kWords] = reinterpret_cast<std::uint64_t>(words + next[i] * kWords);
}

__global__ void touch(const std::uint64_t* words, std::uint64_t lines, std::uint64_t* sink) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = grid_thread(); i < lines; i += grid_threads())
    sum += load_word64<Level::l2>(reinterpret_cast<std::uint64_t>(words + i * kWords));
  if (sum == 1) *sink = sum;
}

/// found: cycles of the timed loads, then the address that the chain has led to.
template <Level level>
__global__ void chase(std::uint64_t address, unsigned warm, std::uint64_t* found) {
  for (unsigned i = 0; i < warm; ++i) address = load_word64<level>(address);
  const long long first = cycles_now();
#pragma unroll 1
  for (unsigned i = 0; i < kSteps; i += kUnroll) {
#pragma unroll
    for (unsigned k = 0; k < kUnroll; ++k) address = load_word64<level>(address);
  }
  // The store needs the last address, so that the clock is read behind the last load.
  asm volatile("st.global.u64 [%0], %1;" ::"l"(found + 1), "l"(address) : "memory");
  const long long last = cycles_now();
  if (threadIdx.x == 0) found[0] = static_cast<std::uint64_t>(last - first);
}

/// found[i]: cycles of the i-th load, with the clock read behind each.
__global__ void chase_each(std::uint64_t address, unsigned warm, std::uint64_t* found) {
  for (unsigned i = 0; i < warm; ++i) address = load_word64<Level::l2>(address);
  for (unsigned i = 0; i < kSteps; ++i) {
    const long long first = cycles_now();
    address = load_word64<Level::l2>(address);
    // As above: the next clock is read behind the load.
    asm volatile("st.global.u64 [%0], %1;" ::"l"(found + i), "l"(address) : "memory");
    const long long last = cycles_now();
    if (threadIdx.x == 0) found[i] = static_cast<std::uint64_t>(last - first);
  }
}

/// A random permutation with a single cycle (Sattolo's algorithm).
std::vector<std::uint32_t> random_cycle(std::uint64_t lines, std::uint64_t seed) {
  std::vector<std::uint32_t> next(lines);
  std::iota(next.begin(), next.end(), 0u);
  for (std::uint64_t i = lines - 1; i > 0; --i) std::swap(next[i], next[random_word(seed + i) % i]);
  return next;
}

struct Chain {
  Chain(std::uint64_t bytes, std::uint64_t seed)
      : lines(bytes / kLineBytes), next(random_cycle(lines, seed)), words(lines * kWords), found(kSteps) {
    DeviceArray<std::uint32_t> order(lines);
    HW_CHECK(cudaMemcpy(order.data(), next.data(), lines * 4, cudaMemcpyHostToDevice));
    write_chain<<<static_cast<unsigned>((lines + 255) / 256), 256>>>(words.data(), order.data(), lines);
    finish();
  }
  std::uint64_t start() const { return reinterpret_cast<std::uint64_t>(words.data()); }

  /// Cycles per load. Throws when the chain did not lead where the host's copy of it leads.
  double measure(Level level, int sms) {
    touch<<<static_cast<unsigned>(8 * sms), 256>>>(words.data(), lines, found.data());
    const auto warm = static_cast<unsigned>(std::min<std::uint64_t>(lines, kWarm));
    if (level == Level::l1)
      chase<Level::l1><<<1, 32>>>(start(), warm, found.data());
    else
      chase<Level::l2><<<1, 32>>>(start(), warm, found.data());
    finish();
    const std::vector<std::uint64_t> result = found.read(2);
    std::uint64_t at = 0;
    for (unsigned i = 0; i < warm + kSteps; ++i) at = next[at];
    if (result[1] != start() + at * kLineBytes) throw CudaError("latency: the chain led to a wrong line");
    return static_cast<double>(result[0]) / kSteps;
  }

  std::vector<std::uint64_t> measure_each(int sms) {
    touch<<<static_cast<unsigned>(8 * sms), 256>>>(words.data(), lines, found.data());
    chase_each<<<1, 32>>>(start(), static_cast<unsigned>(std::min<std::uint64_t>(lines, kWarm)), found.data());
    finish();
    return found.read(kSteps);
  }

  std::uint64_t lines;
  std::vector<std::uint32_t> next;
  DeviceArray<std::uint64_t> words, found;
};

Curve spread(Context& c, const char* name, std::uint64_t bytes) {
  constexpr unsigned kPercent[] = {1, 10, 25, 50, 75, 90, 99};
  std::vector<double> samples[std::size(kPercent)];
  for (int r = 0; r < c.options.runs; ++r) {
    Chain chain(bytes, bytes * static_cast<std::uint64_t>(r + 1));
    std::vector<std::uint64_t> each = chain.measure_each(c.machine.sms);
    std::sort(each.begin(), each.end());
    for (unsigned i = 0; i < std::size(kPercent); ++i)
      samples[i].push_back(static_cast<double>(each[each.size() * kPercent[i] / 100]));
  }
  Curve curve{name, "loads", "%", "cycles", {}};
  for (unsigned i = 0; i < std::size(kPercent); ++i) curve.add(kPercent[i], samples[i]);
  return curve;
}

std::vector<Curve> measure(Context& c) {
  Curve l1{"l1_cached", "footprint", "B", "cycles", {}}, l2{"l2_only", "footprint", "B", "cycles", {}};
  for (const std::uint64_t bytes : half_octaves(4096, std::min<std::uint64_t>(c.room(), std::uint64_t{1} << 30))) {
    std::vector<double> cached, past;
    for (int r = 0; r < c.options.runs; ++r) {
      Chain chain(bytes, bytes * static_cast<std::uint64_t>(r + 1));
      cached.push_back(chain.measure(Level::l1, c.machine.sms));
      past.push_back(chain.measure(Level::l2, c.machine.sms));
    }
    l1.add(static_cast<double>(bytes), cached);
    l2.add(static_cast<double>(bytes), past);
  }
  return {l1, l2, spread(c, "spread_l2", 1 << 20),
          spread(c, "spread_dram", std::min<std::uint64_t>(power_of_two(c.room()), std::uint64_t{1} << 30))};
}

}  // namespace
}  // namespace warpsieve::hardware

int main(int argc, char** argv) {
  return warpsieve::hardware::run_curves("latency", argc, argv, warpsieve::hardware::measure);
}
