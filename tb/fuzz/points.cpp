// Points for kmeans.
#include "inputs/mesh.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  return fuzz::refuses<inputs::InputError>([&] { inputs::parse_points("x", fuzz::text(data, size)); });
}
