#include "cosim/verilated.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>

namespace warpsieve {

std::string next_waveform_path(const std::string& block) {
  const char* stem = std::getenv("WARPSIEVE_FST");
  if (!stem || !*stem) return {};
  static std::atomic<int> count{0};
  return fmt::format("{}.{}.{}.fst", stem, block, count++);
}

int random_reset_seed() {
  const char* seed = std::getenv("WARPSIEVE_RESET_SEED");
  return seed ? std::atoi(seed) : 1;
}

}  // namespace warpsieve
