// The number of the mutant that is switched on (WARPSIEVE_MUTANT, 0 or unset: none), asked for once by every
// model of a mutated netlist when it starts. WARPSIEVE_MUTANT_LOG=1 prints which model asks, so that
// scripts/mutate learns which tests use it.
#include <cstdio>
#include <cstdlib>

extern "C" int warpsieve_mutant(const char* model) {
  static const bool log = std::getenv("WARPSIEVE_MUTANT_LOG") != nullptr;
  static const char* const number = std::getenv("WARPSIEVE_MUTANT");
  if (log) {
    std::printf("[ mutated  ] %s\n", model);
    std::fflush(stdout);
  }
  return number ? std::atoi(number) : 0;
}
