#include "trace/accelsim/kernel_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "trace/accelsim/fields.h"

namespace warpsieve::trace::accelsim {
namespace {

constexpr unsigned kMaxResults = 8;

}  // namespace

KernelReader::KernelReader(const std::string& path) : in_(path) { read_header(); }
KernelReader::KernelReader(std::string name, std::string_view bytes) : in_(std::move(name), bytes) { read_header(); }

/// The next line that is not empty; false at the end of the file.
bool KernelReader::meaningful() {
  while (in_.next(line_)) {
    while (line_.ends_with(' ') || line_.ends_with('\t')) line_.remove_suffix(1);
    if (!line_.empty()) return true;
  }
  return false;
}

void KernelReader::expect(std::string_view what) {
  if (!meaningful()) in_.fail(what, "the end of the file");
}

void KernelReader::read_header() {
  for (;;) {
    expect("a header line or #BEGIN_TB");
    if (line_ == "#BEGIN_TB") break;
    if (line_.starts_with('#')) continue;
    if (!line_.starts_with('-')) in_.fail("a header line that starts with -", quoted(line_));
    header_line();
  }
  if (header_.tracer_version == 0) in_.fail("-accelsim tracer version = 3 to 5 above", "none");
  if (header_.blocks() == 0) in_.fail("-grid dim = (x,y,z) above", "none");
  if (header_.threads() == 0) in_.fail("-block dim = (x,y,z) above", "none");
}

void KernelReader::header_line() {
  Fields f(in_, line_);
  const auto dimensions = [&](std::array<std::uint32_t, 3>& out, std::uint64_t max, const std::string& what) {
    std::uint64_t product = 1;
    for (unsigned k = 0; k < 3; ++k) {
      if (k) f.literal(",");
      out[k] = static_cast<std::uint32_t>(f.number(what, 1, max));
      product *= out[k];
      if (product > max) in_.fail(fmt::format("{}, a product of at most {}", what, max), quoted(line_));
    }
    f.literal(")");
    f.end();
  };
  if (f.starts("-kernel name =")) {
    header_.name = f.rest();
  } else if (f.starts("-grid dim = (")) {
    dimensions(header_.grid, 0x7fffffff, "thread blocks in x, y and z");
  } else if (f.starts("-block dim = (")) {
    dimensions(header_.block, 1024, "threads in x, y and z");
  } else if (f.starts("-shmem =")) {
    header_.shared_bytes = static_cast<std::uint32_t>(f.last("bytes of shared memory", 0, 1 << 20));
  } else if (f.starts("-nregs =")) {
    header_.registers = static_cast<std::uint32_t>(f.last("registers per thread", 0, 256));
  } else if (f.starts("-binary version =")) {
    header_.binary_version = static_cast<std::uint32_t>(f.last("the machine's version", 0, 1000));
  } else if (f.starts("-accelsim tracer version =")) {
    header_.tracer_version = static_cast<std::uint32_t>(f.last("a tracer version", 3, 5));
  } else if (f.starts("-enable lineinfo =")) {
    header_.line_info = f.last("0 or 1", 0, 1) != 0;
  } else if (f.starts("-shmem base_addr =")) {
    header_.shared_base = f.hex("the address of shared memory");
    f.end();
  } else if (f.starts("-local mem base_addr =")) {
    header_.local_base = f.hex("the address of local memory");
    f.end();
  }
}

bool KernelReader::next_thread_block(const Each& each) {
  if (next_ == header_.blocks()) {
    if (meaningful()) in_.fail(fmt::format("the end of the file after {} thread blocks", next_), quoted(line_));
    return false;
  }
  if (next_ != 0) {
    const std::string missing = fmt::format("#BEGIN_TB of thread block {} of {}", next_, header_.blocks());
    expect(missing);
    if (line_ != "#BEGIN_TB") in_.fail(missing, quoted(line_));
  }
  const std::array<std::uint32_t, 3> at = {next_ % header_.grid[0], next_ / header_.grid[0] % header_.grid[1],
                                           next_ / header_.grid[0] / header_.grid[1]};
  const std::string title = fmt::format("thread block = {},{},{}", at[0], at[1], at[2]);
  expect(title);
  if (line_ != title) in_.fail(title, quoted(line_));
  for (std::uint32_t warp = 0; warp < header_.warps(); ++warp) {
    const std::string begin = fmt::format("warp = {}", warp);
    do expect(begin);
    while (warp == 0 && line_.starts_with("cluster "));  // of Hopper's thread block clusters
    if (line_ != begin) in_.fail(begin, quoted(line_));
    expect("insts = the number of instructions");
    Fields f(in_, line_);
    if (!f.starts("insts =")) in_.fail("insts = the number of instructions", quoted(line_));
    const std::uint64_t count = f.last("a number of instructions", 0, 0xffffffff);
    Instruction i;
    for (std::uint64_t k = 0; k < count; ++k) {
      expect(fmt::format("instruction {} of {} of the warp", k + 1, count));
      instruction(i);
      each(warp, i);
    }
  }
  expect("#END_TB");
  if (line_ != "#END_TB") in_.fail("#END_TB after the last warp's instructions", quoted(line_));
  ++next_;
  return true;
}

void KernelReader::instruction(Instruction& out) {
  out = {};
  Fields f(in_, line_);
  if (header_.line_info) f.number("a line number", 0, 0xffffffff);
  f.hex("the PC of an instruction");
  const std::uint64_t mask = f.hex("a mask of lanes");
  if (mask > 0xffffffff) in_.fail("a mask of 32 lanes", quoted(line_));
  out.mask = static_cast<std::uint32_t>(mask);
  const auto registers = [&](unsigned max, const char* what, auto&& each) {
    const std::uint64_t n = f.number(what, 0, max);
    for (std::uint64_t k = 0; k < n; ++k) each(f.number_after("R", "a register R0 to R255", 255));
  };
  registers(kMaxResults, "a number of destinations", [&](std::uint64_t r) {
    if (out.result < 0 && r != kZeroRegister) out.result = static_cast<int>(r);
  });
  const std::string_view opcode = f.word("an opcode");
  out.opcode = decode_opcode(opcode);
  if (out.opcode.kind == OpClass::unknown) in_.fail("a known opcode", quoted(opcode));
  registers(static_cast<unsigned>(out.source.size()), "a number of sources", [&](std::uint64_t r) {
    if (r != kZeroRegister) out.source[out.sources++] = static_cast<std::uint16_t>(r);
  });
  const std::uint64_t width = f.number("the bytes per lane", 0, 1024);
  if (width != 0) addresses(f, out);
  if (!f.at_end()) out.immediate = f.immediate();
  f.end();
  if (out.mask == 0 || !has_addresses(out.opcode.kind)) return;
  if (width == 0) in_.fail(fmt::format("addresses of {}", opcode), quoted(line_));
  out.space = space_of(out);
}

/// The addresses of the active lanes.
void KernelReader::addresses(Fields& f, Instruction& out) {
  const auto lanes = static_cast<unsigned>(std::popcount(out.mask));
  switch (f.number("0, 1 or 2 for the way of the addresses", 0, 2)) {
    case 0:
      for (unsigned k = 0; k < lanes; ++k) out.address[k] = f.hex("the address of a lane");
      break;
    case 1: {
      std::uint64_t at = f.hex("the address of the first lane");
      const std::int64_t stride = f.signed_number("a stride");
      const std::uint32_t shifted = out.mask >> (out.mask ? std::countr_zero(out.mask) : 0);
      if (shifted & (shifted + 1)) in_.fail("active lanes side by side for base and stride", quoted(line_));
      for (unsigned k = 0; k < lanes; ++k, at += static_cast<std::uint64_t>(stride)) out.address[k] = at;
      break;
    }
    default: {
      std::uint64_t at = f.hex("the address of the first lane");
      for (unsigned k = 0; k < lanes; ++k) {
        if (k) at += static_cast<std::uint64_t>(f.signed_number("the step from the lane before"));
        out.address[k] = at;
      }
    }
  }
}

/// Generic addresses belong to shared or local memory where they are in its window; local ones are given relative to
/// their window by some tracers and not by others.
Space KernelReader::space_of(const Instruction& i) const {
  const auto within = [&](std::uint64_t base) { return base != 0 && i.address[0] - base < kWindow; };
  switch (i.opcode.kind) {
    case OpClass::local_load:
    case OpClass::local_store: return Space::local;
    case OpClass::generic_load:
    case OpClass::generic_store:
    case OpClass::generic_atomic:
      if (within(header_.shared_base)) return Space::shared;
      return within(header_.local_base) ? Space::local : Space::global;
    default: return Space::global;
  }
}

CommandList read_command_list(const std::string& path) {
  LineReader in(path);
  return read_command_list(in, path);
}

CommandList read_command_list(LineReader& in, const std::string& path) {
  namespace fs = std::filesystem;
  static constexpr const char* kExpected = "MemcpyHtoD,ADDRESS,BYTES or the file name of a kernel";
  CommandList out;
  for (std::string_view line; in.next(line);) {
    while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (!line.starts_with("MemcpyHtoD") && !line.starts_with("kernel")) {
      const bool text =
          std::all_of(line.begin(), line.end(), [](char c) { return c == '\t' || (c >= ' ' && c <= '~'); });
      if (!text || line.find(".traceg") != line.npos) in.fail(kExpected, quoted(line));
      if (out.skipped++ == 0) out.first_skipped = fmt::format("line {}: {}", in.line(), quoted(line));
      continue;
    }
    Command& command = out.commands.emplace_back();
    command.line = in.line();
    Fields f(in, line);
    if (f.starts("MemcpyHtoD")) {
      f.literal(",");
      command.kind = Command::Kind::copy_to_device;
      command.address = f.hex("an address");
      f.literal(",");
      command.bytes = f.last("a number of bytes", 0, std::uint64_t{1} << 40);
      continue;
    }
    fs::path file = fs::path(path).parent_path() / std::string(line);
    std::error_code ignored;
    if (!fs::exists(file, ignored))
      for (const char* ending : {".xz", ".gz"})
        if (fs::path packed = file; fs::exists(packed += ending, ignored)) {
          file = packed;
          break;
        }
    if (!fs::exists(file, ignored)) in.fail("the file of a kernel", fmt::format("no file {}", file.string()));
    command.kernel = file.string();
  }
  if (out.commands.empty())
    in.fail("at least one command", out.skipped ? "only others, the first in " + out.first_skipped : "an empty list");
  return out;
}

}  // namespace warpsieve::trace::accelsim
