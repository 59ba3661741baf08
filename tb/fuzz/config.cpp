// Machines: TOML.
#include "core/params.h"
#include "memsys/profile.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  return fuzz::refuses<ConfigError>([&] {
    memsys::Profile profile;
    ParamSet set;
    profile.declare(set);
    set.load(fuzz::text(data, size), "x.toml");
    profile.check();
  });
}
