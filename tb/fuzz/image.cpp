// PGM, PPM and BMP.
#include "inputs/image.h"

#include "target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  return fuzz::refuses<inputs::InputError>([&] { inputs::parse_image("x", fuzz::text(data, size)); });
}
