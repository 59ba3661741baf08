// CUDA side of the measuring programs: error checks, device memory, timing, and the frame of main().
//
// A program without a GPU prints one line and ends with exit code 77; a wrong option, with 2; a CUDA error, with 1.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "options.h"
#include "report.h"

namespace warpsieve::hardware {

class CudaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void check(cudaError_t code, const char* call, const char* file, int line) {
  if (code == cudaSuccess) return;
  throw CudaError(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " + cudaGetErrorString(code));
}
#define HW_CHECK(call) ::warpsieve::hardware::check((call), #call, __FILE__, __LINE__)

/// Device memory of `count` elements, freed at the end of its life.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::uint64_t count) : count_(count) {
    HW_CHECK(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  T* data() const { return data_; }
  std::uint64_t count() const { return count_; }
  void clear(int byte = 0) { HW_CHECK(cudaMemset(data_, byte, count_ * sizeof(T))); }
  std::vector<T> read(std::uint64_t count) const {
    std::vector<T> v(count);
    HW_CHECK(cudaMemcpy(v.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }

 private:
  T* data_ = nullptr;
  std::uint64_t count_;
};

/// Waits for the device and reports what went wrong in a launch.
inline void finish() {
  HW_CHECK(cudaGetLastError());
  HW_CHECK(cudaDeviceSynchronize());
}

/// Seconds of device time that `work` takes, by events around it.
template <class F>
double seconds(F&& work) {
  struct Event {
    Event() { HW_CHECK(cudaEventCreate(&e)); }
    ~Event() { cudaEventDestroy(e); }
    cudaEvent_t e = nullptr;
  } first, last;
  HW_CHECK(cudaEventRecord(first.e));
  work();
  HW_CHECK(cudaGetLastError());
  HW_CHECK(cudaEventRecord(last.e));
  HW_CHECK(cudaEventSynchronize(last.e));
  float ms = 0;
  HW_CHECK(cudaEventElapsedTime(&ms, first.e, last.e));
  return ms * 1e-3;
}

/// `runs` times: once to warm up, then timed. `amount` is what one call moves or does; the samples are 1e9 per
/// second.
template <class F>
std::vector<double> giga_per_second(int runs, double amount, F&& work) {
  std::vector<double> samples;
  for (int r = 0; r < runs; ++r) {
    work();
    samples.push_back(amount / seconds(work) * 1e-9);
  }
  return samples;
}

inline std::string version_text(int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); }

inline Machine machine_of(int device) {
  const auto attribute = [&](cudaDeviceAttr a) {
    int v = 0;
    HW_CHECK(cudaDeviceGetAttribute(&v, a, device));
    return v;
  };
  cudaDeviceProp properties{};
  HW_CHECK(cudaGetDeviceProperties(&properties, device));
  int driver = 0, runtime = 0;
  HW_CHECK(cudaDriverGetVersion(&driver));
  HW_CHECK(cudaRuntimeGetVersion(&runtime));
  Machine m;
  m.name = properties.name;
  m.compute = std::to_string(properties.major) + "." + std::to_string(properties.minor);
  m.driver = version_text(driver);
  m.runtime = version_text(runtime);
  m.sms = properties.multiProcessorCount;
  m.core_mhz = attribute(cudaDevAttrClockRate) / 1000.0;
  m.memory_mhz = attribute(cudaDevAttrMemoryClockRate) / 1000.0;
  m.bus_bits = properties.memoryBusWidth;
  m.l2_bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
  m.memory_bytes = properties.totalGlobalMem;
  m.shared_bytes_per_sm = properties.sharedMemPerMultiprocessor;
  return m;
}

/// What an experiment works with.
struct Context {
  Options options;
  Machine machine;
  /// Device memory that one experiment may take: at most half of what is free.
  std::uint64_t room() const {
    std::size_t free = 0, total = 0;
    HW_CHECK(cudaMemGetInfo(&free, &total));
    return std::min<std::uint64_t>(options.max_bytes, free / 2);
  }
};

/// What the L2 fetches of a line that misses, at most; as the GPU sets it by itself without this. A hint.
class FetchGranularity {
 public:
  explicit FetchGranularity(std::size_t bytes) {
    HW_CHECK(cudaDeviceGetLimit(&before_, cudaLimitMaxL2FetchGranularity));
    HW_CHECK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, bytes));
  }
  FetchGranularity(const FetchGranularity&) = delete;
  FetchGranularity& operator=(const FetchGranularity&) = delete;
  ~FetchGranularity() { cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, before_); }

 private:
  std::size_t before_ = 0;
};

/// main() of a program: `body` writes the members behind the head into the open object.
inline int run_program(const char* name, int argc, char** argv,
                       const std::function<void(Context&, JsonWriter&)>& body, bool survey = false) {
  try {
    Context c;
    c.options = parse_options({argv + 1, argv + argc}, survey);
    int devices = 0;
    const cudaError_t found = cudaGetDeviceCount(&devices);
    if (found != cudaSuccess || devices == 0) {
      std::fprintf(stderr, "%s: no GPU to measure: %s\n", name,
                   found != cudaSuccess ? cudaGetErrorString(found) : "the driver lists no device");
      return kNoGpu;
    }
    HW_CHECK(cudaSetDevice(0));
    c.machine = machine_of(0);
    JsonWriter json;
    write_head(json, name, c.machine, std::time(nullptr), c.options.runs);
    body(c, json);
    json.end();
    std::printf("%s\n", json.text().c_str());
    if (std::fflush(stdout) != 0) throw OptionError("cannot write to standard output");
    return 0;
  } catch (const CudaError& e) {
    std::fprintf(stderr, "%s: error: %s\n", name, e.what());
    return 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: error: %s\n", name, e.what());
    return kBadInput;
  }
}

/// The same for a program that measures curves.
inline int run_curves(const char* name, int argc, char** argv,
                      const std::function<std::vector<Curve>(Context&)>& measure) {
  return run_program(name, argc, argv, [&](Context& c, JsonWriter& json) { write_curves(json, measure(c)); });
}

}  // namespace warpsieve::hardware
