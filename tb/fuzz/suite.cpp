// Suites: TOML.
#include "target.h"
#include "workloads/suites.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  return fuzz::refuses<workloads::WorkloadError>(
      [&] { workloads::parse_suite("x", "x.toml", fuzz::text(data, size)); });
}
