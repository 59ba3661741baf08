// METIS; without its ending also Rodinia bfs.
#include "inputs/graph.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  return fuzz::refuses<inputs::InputError>(
      [&] { inputs::parse_graph(size % 2 ? "x.graph" : "x.txt", fuzz::text(data, size)); });
}
