#include "cosim/verilated.h"

#include <cstdlib>

namespace warpsieve {

int random_reset_seed() {
  const char* seed = std::getenv("WARPSIEVE_RESET_SEED");
  return seed ? std::atoi(seed) : 1;
}

}  // namespace warpsieve
