// SuiteSparse Matrix Market.
#include "inputs/graph.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  return fuzz::refuses<inputs::InputError>([&] { inputs::parse_graph("x.mtx", fuzz::text(data, size)); });
}
