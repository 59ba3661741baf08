// Rows at a pitch of 128 bytes to 64 KB: GB/s of 32-byte sectors.
//
// Every thread walks its own row sector by sector, at most kSectors of them, as a kernel with a row per thread does:
// the loads of a warp are a pitch apart. Pitches of 2^k and 2^k + 128 bytes show what address hashing does. fetch_32:
// pitches of 2^k, where the L2 is asked to fetch single sectors.
#include "device.h"
#include "loads.h"

namespace warpsieve::hardware {
namespace {

constexpr std::uint64_t kSector = 32, kSectors = 32, kMostRows = 1 << 20;
constexpr unsigned kThreads = 256;

__global__ void walk_rows(const std::uint32_t* in, std::uint64_t rows, std::uint64_t pitch, std::uint64_t sectors,
                          std::uint32_t* sink) {
  const std::uint64_t row = grid_thread();
  if (row >= rows) return;
  std::uint32_t sum = 0;
#pragma unroll 1
  for (std::uint64_t s = 0; s < sectors; ++s) sum += load_l2(in + (row * pitch + s * kSector) / 4);
  if (sum == 1) *sink = sum;  // the array holds zeros
}

std::vector<Curve> measure(Context& c) {
  const std::uint64_t room = power_of_two(c.room());
  DeviceArray<std::uint32_t> data(room / 4), sink(1);
  data.clear();
  Curve power{"power_of_two", "pitch", "B", "GB/s", {}}, odd{"plus_128", "pitch", "B", "GB/s", {}},
      single{"fetch_32", "pitch", "B", "GB/s", {}};
  const auto at = [&](Curve& curve, std::uint64_t pitch) {
    const std::uint64_t rows = std::min(kMostRows, room / pitch), sectors = std::min(kSectors, pitch / kSector);
    const auto blocks = static_cast<unsigned>((rows + kThreads - 1) / kThreads);
    const double bytes = static_cast<double>(rows) * static_cast<double>(sectors) * kSector;
    curve.add(static_cast<double>(pitch), giga_per_second(c.options.runs, bytes, [&] {
                walk_rows<<<blocks, kThreads>>>(data.data(), rows, pitch, sectors, sink.data());
              }));
  };
  for (std::uint64_t pitch = 128; pitch <= 65536; pitch *= 2) {
    at(power, pitch);
    at(odd, pitch + 128);
  }
  const FetchGranularity sectors(kSector);
  for (std::uint64_t pitch = 128; pitch <= 65536; pitch *= 2) at(single, pitch);
  return {power, odd, single};
}

}  // namespace
}  // namespace warpsieve::hardware

int main(int argc, char** argv) {
  return warpsieve::hardware::run_curves("pitch", argc, argv, warpsieve::hardware::measure);
}
