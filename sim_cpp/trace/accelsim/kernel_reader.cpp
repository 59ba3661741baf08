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

KernelReader::KernelReader(const std::string& path, UnknownOpcodes* unknown) : in_(path), unknown_(unknown) {
  read_header();
}
KernelReader::KernelReader(std::string name, std::string_view bytes, UnknownOpcodes* unknown)
    : in_(std::move(name), bytes), unknown_(unknown) {
  read_header();
}

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

std::string KernelReader::block_name(std::uint32_t number) const {
  return fmt::format("thread block {},{},{}", number % header_.grid[0], number / header_.grid[0] % header_.grid[1],
                     number / header_.grid[0] / header_.grid[1]);
}

/// To the #BEGIN_TB of the next block.
void KernelReader::begin_thread_block() {
  if (!places_.empty()) {
    in_.seek(places_[next_].offset, places_[next_].line);
  } else if (next_ == 0) {
    return;  // the header ended with it
  }
  if (!meaningful()) {
    std::uint32_t missing = in_order_ ? next_ : prefix_;
    while (!in_order_ && (seen_.data()[missing / 8] >> missing % 8 & 1)) ++missing;
    in_.fail(fmt::format("#BEGIN_TB of {}, of {} thread blocks", block_name(missing), header_.blocks()),
             "the end of the file");
  }
  if (line_ != "#BEGIN_TB")
    in_.fail(fmt::format("#BEGIN_TB of the next of {} thread blocks", header_.blocks()), quoted(line_));
}

/// Reads which block begins; x counts fastest.
std::uint32_t KernelReader::block_number() {
  static constexpr std::string_view kWhat = "thread block = x,y,z";
  expect(kWhat);
  Fields f(in_, line_);
  if (!f.starts("thread block =")) in_.fail(kWhat, quoted(line_));
  std::array<std::uint64_t, 3> at = {};
  for (unsigned k = 0; k < 3; ++k) {
    if (k) f.literal(",");
    at[k] = f.number("a thread block of the grid", 0, header_.grid[k] - 1);
  }
  f.end();
  return static_cast<std::uint32_t>((at[2] * header_.grid[1] + at[1]) * header_.grid[0] + at[0]);
}

/// Refuses a block that was there before. Blocks in order need no memory.
void KernelReader::note(std::uint32_t number) {
  if (in_order_ && number == prefix_) {
    ++prefix_;
    return;
  }
  if (in_order_) seen_ = ZeroedBytes(header_.blocks() / 8 + 1);
  in_order_ = false;
  std::uint8_t& bits = seen_.data()[number / 8];
  const auto bit = static_cast<std::uint8_t>(1u << number % 8);
  if (number < prefix_ || (bits & bit)) in_.fail("each thread block once", block_name(number) + " again");
  bits |= bit;
}

void KernelReader::sort(const std::string& folder, const std::function<void()>& progress) {
  in_.restart_plain(folder);
  places_.assign(header_.blocks(), {});
  while (meaningful()) {
    if (line_ != "#BEGIN_TB") continue;
    const Place place = {in_.offset(), in_.line()};
    places_[block_number()] = place;
    if (progress) progress();
  }
  for (std::uint32_t b = 0; b < header_.blocks(); ++b)
    if (places_[b].line == 0) in_.fail(block_name(b), "a file that has changed");
  next_ = prefix_ = 0;
  in_order_ = true;
  seen_ = {};
}

bool KernelReader::next_thread_block(const Each& each) {
  if (next_ == header_.blocks()) {
    if (places_.empty() && meaningful())
      in_.fail(fmt::format("the end of the file after {} thread blocks", next_), quoted(line_));
    return false;
  }
  begin_thread_block();
  note(block_number());
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
  const bool known = out.opcode.kind != OpClass::unknown;
  if (!known) {
    if (!unknown_ || !is_opcode(opcode)) in_.fail("a known opcode", quoted(opcode));
    out.opcode = unknown_->add(opcode, in_);
  }
  registers(static_cast<unsigned>(out.source.size()), "a number of sources", [&](std::uint64_t r) {
    if (r != kZeroRegister) out.source[out.sources++] = static_cast<std::uint16_t>(r);
  });
  const std::uint64_t width = f.number("the bytes per lane", 0, 1024);
  if (width != 0) addresses(f, out);
  if (width != 0 && !known) unknown_->add_access();
  if (!f.at_end()) out.immediate = f.immediate();
  f.end();
  if (out.mask == 0 || !has_addresses(out.opcode.kind)) return;
  if (width == 0) in_.fail(fmt::format("addresses of {}", opcode), quoted(line_));
  out.space = space_of(out);
  for (unsigned k = 0; k < static_cast<unsigned>(std::popcount(out.mask)); ++k)
    check_address(out, k, out.address[k], out.opcode.bytes - 1);
}

/// Refuses `step` from the address of active lane `k` where it leaves the 64-bit address space.
void KernelReader::check_address(const Instruction& i, unsigned k, std::uint64_t at, std::uint64_t step) const {
  const bool down = static_cast<std::int64_t>(step) < 0;
  if (down ? at + step < at : at + step >= at) return;
  std::uint32_t lanes = i.mask;
  while (k-- > 0) lanes &= lanes - 1;
  in_.fail("addresses from 0 to 2^64 - 1", fmt::format("{:#x} {} {} in lane {}", at, down ? "-" : "+",
                                                       down ? ~step + 1 : step, std::countr_zero(lanes)));
}

/// The addresses of the active lanes.
void KernelReader::addresses(Fields& f, Instruction& out) {
  const auto lanes = static_cast<unsigned>(std::popcount(out.mask));
  const auto step = [this](const Instruction& i, unsigned k, std::uint64_t& at, std::int64_t by) {
    check_address(i, k, at, static_cast<std::uint64_t>(by));
    at += static_cast<std::uint64_t>(by);
  };
  switch (f.number("0, 1 or 2 for the way of the addresses", 0, 2)) {
    case 0:
      for (unsigned k = 0; k < lanes; ++k) out.address[k] = f.hex("the address of a lane");
      break;
    case 1: {
      std::uint64_t at = f.hex("the address of the first lane");
      const std::int64_t stride = f.signed_number("a stride");
      const std::uint32_t shifted = out.mask >> (out.mask ? std::countr_zero(out.mask) : 0);
      if (shifted & (shifted + 1)) in_.fail("active lanes side by side for base and stride", quoted(line_));
      for (unsigned k = 0; k < lanes; ++k) {
        if (k) step(out, k, at, stride);
        out.address[k] = at;
      }
      break;
    }
    default: {
      std::uint64_t at = f.hex("the address of the first lane");
      for (unsigned k = 0; k < lanes; ++k) {
        if (k) step(out, k, at, f.signed_number("the step from the lane before"));
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
    // Some lists hold whole paths: ./kernel-1.traceg, /traces/kernel-1.traceg.
    const bool kernel = line.substr(line.rfind('/') + 1).starts_with("kernel") && line[0] != ' ' && line[0] != '\t';
    if (!line.starts_with("MemcpyHtoD") && !kernel) {
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
