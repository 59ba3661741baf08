// kernelslist.g of Accel-Sim traces.
#include "target.h"
#include "trace/accelsim/kernel_reader.h"
#include "trace/format.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  return fuzz::refuses<trace::TraceError>([&] {
    trace::accelsim::LineReader in("kernelslist.g", fuzz::text(data, size));
    trace::accelsim::read_command_list(in, "/nowhere/kernelslist.g");
  });
}
