// Hand-made Accel-Sim traces.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "support.h"
#include "trace/accelsim/import.h"

namespace warpsieve::tb {

/// The header as tracers of that version write it.
inline std::string kernel_header(unsigned version, const std::string& grid, const std::string& block,
                                 bool line_info = false) {
  std::string out = fmt::format(
      "-kernel name = _Z3addPfS_\n-kernel id = 1\n-grid dim = ({})\n-block dim = ({})\n-shmem = 256\n-nregs = 18\n"
      "-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x00007f2000000000\n"
      "-local mem base_addr = 0x00007f2002000000\n-nvbit version = 1.5.5\n-accelsim tracer version = {}\n",
      grid, block, version);
  if (version > 3) out += fmt::format("-enable lineinfo = {}\n", line_info ? 1 : 0);
  return out +
         "\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
         "[adrrescompress?] [mem_addresses] immediate\n\n";
}

/// One thread block; each warp is its instructions.
inline std::string thread_block(const std::string& number, const std::vector<std::vector<std::string>>& warps) {
  std::string out = fmt::format("\n#BEGIN_TB\n\nthread block = {}\n", number);
  for (std::size_t w = 0; w < warps.size(); ++w) {
    out += fmt::format("\nwarp = {}\ninsts = {}\n", w, warps[w].size());
    for (const std::string& line : warps[w]) out += line + "\n";
  }
  return out + "\n#END_TB\n";
}

/// kernelslist.g and what it names, in a folder.
class AccelSimTrace {
 public:
  void add(const std::string& name, const std::string& text) { scratch_.write(name, text); }
  void list(const std::string& text) { scratch_.write("kernelslist.g", text); }
  std::string path(const std::string& name) const { return scratch_.path(name); }
  std::string output() const { return scratch_.path("out.wst"); }

  trace::accelsim::ImportReport import(trace::accelsim::Values values = trace::accelsim::Values::none) const {
    return trace::accelsim::import_trace({path("kernelslist.g"), output(), "made", values, 1, "test"});
  }
  /// One kernel, and what becomes of it.
  TraceContent imported(const std::string& kernel, trace::accelsim::Values values = trace::accelsim::Values::none) {
    add("kernel-1.traceg", kernel);
    list("kernel-1.traceg\n");
    import(values);
    return read_trace(output());
  }
  /// The error, without the folder; empty when there is none. Nothing may be left then.
  std::string refused() const {
    std::filesystem::remove(output());
    try {
      import();
    } catch (const trace::TraceError& error) {
      EXPECT_FALSE(std::filesystem::exists(output()));
      std::string what = error.what();
      EXPECT_EQ(what.find('\n'), what.npos) << what;
      const std::string folder = scratch_.path("");
      for (std::size_t at; (at = what.find(folder)) != what.npos;) what.erase(at, folder.size());
      return what;
    }
    return "";
  }

 private:
  Scratch scratch_;
};

}  // namespace warpsieve::tb
