// Traces of this project, byte by byte: what the checksums are for.
#include "target.h"
#include "trace/replay.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  const fuzz::File file(fuzz::text(data, size));
  return fuzz::refuses<trace::TraceError>([&] { trace::check_file(file.path()); });
}
