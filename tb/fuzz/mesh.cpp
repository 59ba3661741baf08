// MEDIT and Rodinia cfd meshes.
#include "inputs/mesh.h"

#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  return fuzz::refuses<inputs::InputError>([&] { inputs::parse_mesh("x", fuzz::text(data, size)); });
}
