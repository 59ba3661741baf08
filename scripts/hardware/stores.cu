// Stores, GB/s of the bytes that the lanes write, into an array larger than the L2.
//
//   coalesced   4 bytes per lane, a warp fills a line; over the bytes of the array
//   own_lines   every lane fills a line of its own, word after word; over the bytes of the array
//   own_lines_open   the same for the largest array, over the lines that all lanes fill at a time
//   scattered   4 bytes of a random sector per lane; over the bytes of the array
//   partial     x of the 32 bytes of every sector, sectors in order; over x
#include "device.h"
#include "duplicates.h"
#include "loads.h"
#include "random_words.h"

namespace warpsieve::hardware {
namespace {

constexpr unsigned kThreads = 256, kLineWords = kLineBytes / 4, kStoresPerThread = 64;
constexpr std::uint64_t kSector = 32;

__global__ void coalesced(std::uint32_t* out, std::uint64_t words) {
  for (std::uint64_t i = grid_thread(); i < words; i += grid_threads()) out[i] = static_cast<std::uint32_t>(i);
}

__global__ void own_lines(std::uint32_t* out, std::uint64_t lines) {
  for (std::uint64_t l = grid_thread(); l < lines; l += grid_threads())
    for (unsigned w = 0; w < kLineWords; ++w)
      // Volatile, so that the words are not merged into wider stores.
      asm volatile("st.global.u32 [%0], %1;" ::"l"(out + l * kLineWords + w), "r"(w) : "memory");
}

__global__ void scattered(std::uint32_t* out, std::uint64_t sectors, std::uint64_t seed) {
  for (unsigned k = 0; k < kStoresPerThread; ++k) {
    const std::uint64_t word = random_word(seed + k * grid_threads() + grid_thread());
    out[(((word >> 32) * sectors) >> 32) * (kSector / 4)] = k;
  }
}

/// One T at the beginning of each sector; `whole`: a second one behind it.
template <class T, bool whole = false>
__global__ void partial(unsigned char* out, std::uint64_t sectors, T value) {
  for (std::uint64_t s = grid_thread(); s < sectors; s += grid_threads()) {
    *reinterpret_cast<T*>(out + s * kSector) = value;
    if constexpr (whole) *reinterpret_cast<T*>(out + s * kSector + sizeof(T)) = value;
  }
}

std::vector<Curve> measure(Context& c) {
  const auto blocks = static_cast<unsigned>(8 * c.machine.sms);
  const int runs = c.options.runs;
  const std::uint64_t room = power_of_two(std::min<std::uint64_t>(c.room(), std::uint64_t{1} << 30));
  DeviceArray<std::uint32_t> out(room / 4);
  Curve line{"coalesced", "array", "B", "GB/s", {}}, own{"own_lines", "array", "B", "GB/s", {}},
      open{"own_lines_open", "lines", "1", "GB/s", {}},
      random{"scattered", "array", "B", "GB/s", {}}, part{"partial", "written", "B", "GB/s", {}};
  std::uint64_t seed = 0;
  for (std::uint64_t bytes = 64u << 20; bytes <= room; bytes *= 4) {
    if (bytes < 4 * c.machine.l2_bytes) continue;
    const auto x = static_cast<double>(bytes);
    line.add(x, giga_per_second(runs, x, [&] { coalesced<<<blocks, kThreads>>>(out.data(), bytes / 4); }));
    own.add(x, giga_per_second(runs, x, [&] { own_lines<<<blocks, kThreads>>>(out.data(), bytes / kLineBytes); }));
    const double stores = static_cast<double>(blocks) * kThreads * kStoresPerThread;
    random.add(x, giga_per_second(runs, 4 * stores, [&] {
                 seed += static_cast<std::uint64_t>(stores);
                 scattered<<<blocks, kThreads>>>(out.data(), bytes / kSector, seed);
               }));
  }
  for (unsigned per_sm = 1; per_sm <= 8; ++per_sm) {
    const auto grid = static_cast<unsigned>(c.machine.sms) * per_sm;
    open.add(grid * kThreads, giga_per_second(runs, static_cast<double>(room),
                                              [&] { own_lines<<<grid, kThreads>>>(out.data(), room / kLineBytes); }));
  }
  auto* const bytes = reinterpret_cast<unsigned char*>(out.data());
  const std::uint64_t sectors = room / kSector;
  const auto written = [&](double x, auto&& launch) {
    part.add(x, giga_per_second(runs, x * static_cast<double>(sectors), launch));
  };
  const uint4 wide = make_uint4(1, 2, 3, 4);
  written(1, [&] { partial<std::uint8_t><<<blocks, kThreads>>>(bytes, sectors, 1); });
  written(2, [&] { partial<std::uint16_t><<<blocks, kThreads>>>(bytes, sectors, 1); });
  written(4, [&] { partial<std::uint32_t><<<blocks, kThreads>>>(bytes, sectors, 1); });
  written(8, [&] { partial<std::uint64_t><<<blocks, kThreads>>>(bytes, sectors, 1); });
  written(16, [&] { partial<uint4><<<blocks, kThreads>>>(bytes, sectors, wide); });
  written(32, [&] { partial<uint4, true><<<blocks, kThreads>>>(bytes, sectors, wide); });
  return {line, own, open, random, part};
}

}  // namespace
}  // namespace warpsieve::hardware

int main(int argc, char** argv) {
  return warpsieve::hardware::run_curves("stores", argc, argv, warpsieve::hardware::measure);
}
