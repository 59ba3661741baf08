// Sweep files: TOML, expanded to points.
#include "core/params.h"
#include "sweep/sweep_file.h"
#include "target.h"
#include "workloads/registry.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  return fuzz::refuses<std::exception>([&] {
    try {
      sweep::parse_sweep(fuzz::text(data, size), "x.toml");
    } catch (const std::logic_error& error) {
      // std::invalid_argument is a refusal; no other logic error may come out.
      if (!dynamic_cast<const std::invalid_argument*>(&error)) std::abort();
      throw;
    }
  });
}
