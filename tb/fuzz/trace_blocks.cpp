// Traces of this project with right checksums and any content. The input is a list of blocks: section, number of
// columns, and for each its width, its length (two bytes) and its bytes.
#include "target.h"
#include "trace/replay.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpsieve;
  const fuzz::File file;
  {
    trace::BlockWriter out(file.path());
    for (fuzz::Bytes in(data, size); !in.empty();) {
      const auto section = static_cast<trace::Section>(in.byte());
      std::vector<trace::Column> columns(in.byte() % (trace::kMaxColumns + 1));
      for (trace::Column& c : columns) {
        c.width = 1u + in.byte() % 8u;
        const std::size_t length = in.byte() | std::size_t{in.byte()} << 8;
        const std::string_view bytes = in.take(length / c.width * c.width);
        c.planes.assign(bytes.begin(), bytes.end());
        c.planes.resize(c.planes.size() / c.width * c.width);
      }
      out.write(section, columns);
    }
    out.finish();
  }
  return fuzz::refuses<trace::TraceError>([&] {
    trace::check_file(file.path());
    // What is accepted is also replayed. Memory without an image takes address space only, but libFuzzer counts it.
    if (trace::TraceReader(file.path()).program().bytes > std::uint64_t{1} << 30) return;
    trace::TraceWorkload program(file.path());
    program.setup();
    while (const auto launch = program.next_launch()) {
      for (std::uint32_t b = 0; b < launch->shape().blocks; ++b) launch->run_block(b);
      program.take_host_writes();
    }
  });
}
