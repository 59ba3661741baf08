// Bandwidths in GB/s (1e9 bytes) over the bytes of the arrays.
//
//   read, write, copy   16 bytes per lane, coalesced, arrays larger than the L2; copy counts both directions
//   read_again          the same array read until 1 GB has moved, past the L1: the L2, then DRAM
//   random_sectors      one word of a random 32-byte sector per lane; counts 32 bytes per load
//   random_fetch_32     the same, where the L2 is asked to fetch single sectors
#include "device.h"
#include "loads.h"
#include "random_words.h"

namespace warpsieve::hardware {
namespace {

constexpr std::uint64_t kMega = 1 << 20, kSector = 32;
constexpr unsigned kThreads = 256, kLoadsPerThread = 64;

__global__ void read_all(const uint4* in, std::uint64_t count, unsigned passes, std::uint32_t* sink) {
  std::uint32_t sum = 0;
  for (unsigned p = 0; p < passes; ++p)
    for (std::uint64_t i = grid_thread(); i < count; i += grid_threads()) {
      const uint4 v = load_l2(in + i);
      sum += v.x ^ v.y ^ v.z ^ v.w;
    }
  if (sum == 1) *sink = sum;  // the arrays hold zeros
}

__global__ void write_all(uint4* out, std::uint64_t count, std::uint32_t value) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_threads())
    out[i] = make_uint4(value, value, value, value);
}

__global__ void copy_all(uint4* out, const uint4* in, std::uint64_t count) {
  for (std::uint64_t i = grid_thread(); i < count; i += grid_threads()) out[i] = in[i];
}

__global__ void read_random(const std::uint32_t* in, std::uint64_t sectors, std::uint64_t seed, std::uint32_t* sink) {
  std::uint32_t sum = 0;
  for (unsigned k = 0; k < kLoadsPerThread; ++k) {
    const std::uint64_t word = random_word(seed + k * grid_threads() + grid_thread());
    sum += load_l2(in + (((word >> 32) * sectors) >> 32) * (kSector / 4));
  }
  if (sum == 1) *sink = sum;
}

std::vector<Curve> measure(Context& c) {
  const auto blocks = static_cast<unsigned>(8 * c.machine.sms);
  const int runs = c.options.runs;
  const std::uint64_t room = power_of_two(std::min<std::uint64_t>(c.room() / 2, std::uint64_t{1} << 30));
  Curve read{"read", "array", "B", "GB/s", {}}, write = read, copy = read, again = read, random = read;
  write.name = "write";
  copy.name = "copy";
  again.name = "read_again";
  random.name = "random_sectors";
  Curve single = random;
  single.name = "random_fetch_32";

  DeviceArray<uint4> a(room / sizeof(uint4)), b(room / sizeof(uint4));
  DeviceArray<std::uint32_t> sink(1);
  a.clear();
  b.clear();
  for (std::uint64_t bytes = 64 * kMega; bytes <= room; bytes *= 4) {
    if (bytes < 4 * c.machine.l2_bytes) continue;
    const std::uint64_t n = bytes / sizeof(uint4);
    const auto x = static_cast<double>(bytes);
    read.add(x, giga_per_second(runs, x, [&] { read_all<<<blocks, kThreads>>>(a.data(), n, 1, sink.data()); }));
    write.add(x, giga_per_second(runs, x, [&] { write_all<<<blocks, kThreads>>>(b.data(), n, 0); }));
    copy.add(x, giga_per_second(runs, 2 * x, [&] { copy_all<<<blocks, kThreads>>>(b.data(), a.data(), n); }));
  }
  for (const std::uint64_t bytes : half_octaves(kMega, room)) {
    const auto passes = static_cast<unsigned>((room + bytes - 1) / bytes);
    again.add(static_cast<double>(bytes), giga_per_second(runs, static_cast<double>(bytes) * passes, [&] {
                read_all<<<blocks, kThreads>>>(a.data(), bytes / sizeof(uint4), passes, sink.data());
              }));
  }
  const double loads = static_cast<double>(blocks) * kThreads * kLoadsPerThread;
  std::uint64_t seed = 0;
  const auto at_random = [&](Curve& curve, std::uint64_t bytes) {
    curve.add(static_cast<double>(bytes), giga_per_second(runs, loads * kSector, [&] {
                seed += static_cast<std::uint64_t>(loads);  // other sectors in every launch
                read_random<<<blocks, kThreads>>>(reinterpret_cast<const std::uint32_t*>(a.data()), bytes / kSector,
                                                  seed, sink.data());
              }));
  };
  for (std::uint64_t bytes = kMega; bytes <= room; bytes *= 2) at_random(random, bytes);
  const FetchGranularity sectors(kSector);
  for (std::uint64_t bytes = kMega; bytes <= room; bytes *= 2) at_random(single, bytes);
  return {read, write, copy, again, random, single};
}

}  // namespace
}  // namespace warpsieve::hardware

int main(int argc, char** argv) {
  return warpsieve::hardware::run_curves("bandwidth", argc, argv, warpsieve::hardware::measure);
}
