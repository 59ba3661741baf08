// DIMACS shortest paths.
#include "inputs/graph.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  return fuzz::refuses<inputs::InputError>([&] { inputs::parse_graph("x.gr", fuzz::text(data, size)); });
}
