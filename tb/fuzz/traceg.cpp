// Kernels of Accel-Sim traces, plain, gzip and xz.
#include "target.h"
#include "trace/accelsim/kernel_reader.h"
#include "trace/format.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  return fuzz::refuses<trace::TraceError>([&] {
    trace::accelsim::KernelReader in("x.traceg", fuzz::text(data, size));
    // A grid of 2^31 thread blocks without instructions is as long as the file is.
    while (in.next_thread_block([](std::uint32_t, const trace::accelsim::Instruction&) {})) {
    }
  });
}
