// Rules of claims: TOML.
#include "claims/rules.h"
#include "core/params.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  return fuzz::refuses<ConfigError>([&] { claims::parse_rules(fuzz::text(data, size), "x.toml", "cmd"); });
}
