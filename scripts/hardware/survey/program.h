// A workload of the survey: arrays, kernels, and the host code between the launches. Its arrays, inputs, launches and
// the order of its arithmetic are those of sim_cpp/workloads, so that device memory is the same after every launch.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "inputs/random.h"
#include "memory.h"

namespace warpsieve::hardware {

enum class Scale { full, quarter, small };

struct Setup {
  Scale scale = Scale::full;
  std::uint64_t seed = 1;
  std::string input = {};  ///< a file instead of the generator, where the workload takes one
  int pick(int full, int quarter, int small) const {
    return scale == Scale::full ? full : scale == Scale::quarter ? quarter : small;
  }
};

class Program {
 public:
  virtual ~Program() = default;
  /// Called after each launch.
  using Observer = std::function<void(const std::string& kernel, Memory& memory)>;
  /// Once per object.
  void run(const Observer& observer) {
    observer_ = &observer;
    build();
    memory_.to_device();
    host();
  }

 protected:
  virtual void build() = 0;
  virtual void host() = 0;

  template <class... P>
  void launch(const char* name, std::size_t blocks, int threads, void (*kernel)(P...),
              std::type_identity_t<P>... arguments) {
    run_grid(kernel, static_cast<unsigned>(blocks), static_cast<unsigned>(threads), arguments...);
    (*observer_)(name, memory_);
  }
  static std::size_t blocks_for(std::size_t threads, std::size_t per_block) {
    return (threads + per_block - 1) / per_block;
  }
  static std::vector<float> uniform_floats(std::size_t count, std::uint64_t seed) {
    inputs::Random random(seed);
    std::vector<float> v(count);
    for (float& x : v) x = static_cast<float>(random.real());
    return v;
  }

  Memory memory_;

 private:
  const Observer* observer_ = nullptr;
};

/// Number of this thread in the grid.
__device__ int grid_index() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

}  // namespace warpsieve::hardware
