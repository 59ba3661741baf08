// Loads in flight per SM against bandwidth (Little's law): GB/s of all SMs over 128-byte lines in flight per SM.
//
// One block per SM of 1 to 32 warps. Each warp issues 1, 2, 4 or 8 loads of a line each, waits for all, and goes on:
// x = warps * loads. One curve per number of loads. Lines come in order, from an array larger than the L2.
#include "device.h"
#include "duplicates.h"
#include "loads.h"

namespace warpsieve::hardware {
namespace {

constexpr unsigned kLinesPerWarp = 16384, kLineWords = kLineBytes / 4;

template <unsigned loads>
__global__ void stream(const std::uint32_t* in, std::uint64_t line_mask, std::uint32_t* sink) {
  const std::uint64_t warps = grid_threads() / 32, lane = threadIdx.x % 32;
  std::uint64_t line = grid_thread() / 32;
  std::uint32_t sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < kLinesPerWarp; i += loads) {
    std::uint32_t v[loads];
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) {
      v[k] = load_l2(in + (line & line_mask) * kLineWords + lane);
      line += warps;
    }
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) sum += v[k];
    // The next round begins when this one is complete: its addresses need the sum, which is 0.
    line += sum;
  }
  if (sum == 1) *sink = sum;
}

template <unsigned loads>
Curve curve(Context& c, const DeviceArray<std::uint32_t>& data, std::uint32_t* sink) {
  Curve found{"loads_" + std::to_string(loads), "in_flight", "lines/SM", "GB/s", {}};
  const auto blocks = static_cast<unsigned>(c.machine.sms);
  const std::uint64_t mask = data.count() / kLineWords - 1;
  for (unsigned warps = 1; warps <= 32; warps *= 2) {
    const double bytes = static_cast<double>(blocks) * warps * kLinesPerWarp * kLineBytes;
    found.add(warps * loads, giga_per_second(c.options.runs, bytes, [&] {
                stream<loads><<<blocks, 32 * warps>>>(data.data(), mask, sink);
              }));
  }
  return found;
}

std::vector<Curve> measure(Context& c) {
  const std::uint64_t room = power_of_two(std::min<std::uint64_t>(c.room(), std::uint64_t{1} << 30));
  DeviceArray<std::uint32_t> data(room / 4), sink(1);
  data.clear();
  return {curve<1>(c, data, sink.data()), curve<2>(c, data, sink.data()), curve<4>(c, data, sink.data()),
          curve<8>(c, data, sink.data())};
}

}  // namespace
}  // namespace warpsieve::hardware

int main(int argc, char** argv) {
  return warpsieve::hardware::run_curves("in_flight", argc, argv, warpsieve::hardware::measure);
}
