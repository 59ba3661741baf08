// Dense matrices of lud and gaussian.
#include "inputs/matrix.h"

#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  return fuzz::refuses<inputs::InputError>([&] { inputs::parse_matrix("x", fuzz::text(data, size)); });
}
