// One kernel of an Accel-Sim trace (.traceg, tracer versions 3 to 5), thread block by thread block.
//
//   KernelReader in("kernel-1.traceg.xz");
//   while (in.next_thread_block(each)) ...            // each(warp, instruction)
//
// The text, as the tracer and its post-processing write it:
//
//   -kernel name = vecadd                             header; further lines of this kind are allowed
//   -grid dim = (2,1,1)
//   -block dim = (64,1,1)
//   -shmem = 0
//   -nregs = 16
//   -binary version = 70
//   -shmem base_addr = 0x00007f0000000000             windows of generic addresses
//   -local mem base_addr = 0x00007f0001000000
//   -accelsim tracer version = 4
//   -enable lineinfo = 0                              1: a line number in front of every instruction
//   #traces format = ...                              a comment
//   #BEGIN_TB
//   thread block = 0,0,0                              in any order, each once
//   warp = 0                                          in order
//   insts = 2
//   0010 ffffffff 1 R2 LDG.E.SYS 1 R4 4 1 0x7f4000000000 4
//   0020 ffffffff 0 EXIT 0 0
//   warp = 1 ...
//   #END_TB
//
// An instruction: PC, mask, number of destinations, these, opcode, number of sources, these, bytes per lane (0: no
// memory access), then for a memory access the way of the addresses and the addresses of the active lanes:
// 0 all of them, 1 base and stride (active lanes side by side), 2 base and the differences to the lane before; at the
// end maybe an immediate.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "core/zeroed_bytes.h"
#include "simt/warp_trace.h"
#include "trace/accelsim/line_reader.h"
#include "trace/accelsim/opcodes.h"
#include "trace/accelsim/unknown_opcodes.h"

namespace warpsieve::trace::accelsim {

struct KernelHeader {
  std::string name;
  std::array<std::uint32_t, 3> grid = {}, block = {};
  std::uint32_t shared_bytes = 0, registers = 0, binary_version = 0, tracer_version = 0;
  bool line_info = false;
  std::uint64_t shared_base = 0, local_base = 0;

  std::uint32_t blocks() const { return grid[0] * grid[1] * grid[2]; }
  std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
  std::uint32_t warps() const { return (threads() + simt::kLanes - 1) / simt::kLanes; }
};

/// Where a memory operation goes.
enum class Space : std::uint8_t { none, global, local, shared };

struct Instruction {
  Opcode opcode;
  Space space = Space::none;
  std::uint32_t mask = 0;
  int result = -1;  ///< first register, -1: none
  unsigned sources = 0;
  std::array<std::uint16_t, 8> source = {};
  std::int64_t immediate = 0;
  std::array<std::uint64_t, simt::kLanes> address = {};  ///< of the active lanes, lowest first; local: in the window
};

inline constexpr unsigned kZeroRegister = 255;
inline constexpr std::uint64_t kWindow = std::uint64_t{1} << 24;  ///< generic addresses of shared and of local memory

class KernelReader {
 public:
  /// Reads the header. All errors are TraceError "FILE:LINE: expected X, found Y". `unknown` takes the opcodes that
  /// are not known; without it they are errors.
  explicit KernelReader(const std::string& path, UnknownOpcodes* unknown = nullptr);
  KernelReader(std::string name, std::string_view bytes, UnknownOpcodes* unknown = nullptr);

  const KernelHeader& header() const { return header_; }
  using Each = std::function<void(std::uint32_t warp, const Instruction&)>;
  /// Calls `each` for the instructions of the next thread block, warp by warp; false behind the last of the grid. All
  /// blocks of the grid must be there, once each; they come in the order of the file.
  bool next_thread_block(const Each& each);
  /// Every block that was read stood behind the one with the next lower number (x counts fastest).
  bool in_order() const { return in_order_; }
  /// Reads again, by ascending number. Tracers write blocks as SMs finish them. Only the places of the blocks are
  /// kept in memory; a compressed file is unpacked into a file without a name in `folder`. `progress` is called once
  /// per block and may throw.
  void sort(const std::string& folder, const std::function<void()>& progress = {});
  /// For errors in what the instruction under way says.
  [[noreturn]] void fail(std::string_view expected, std::string_view found) const { in_.fail(expected, found); }

 private:
  bool meaningful();
  void expect(std::string_view what);
  void read_header();
  void header_line();
  std::uint64_t setting(std::string_view prefix, std::uint64_t max, const std::string& what);
  void instruction(Instruction& out);
  void addresses(class Fields& fields, Instruction& out);
  Space space_of(const Instruction& i) const;
  void begin_thread_block();
  std::uint32_t block_number();
  void note(std::uint32_t number);
  std::string block_name(std::uint32_t number) const;
  void check_address(const Instruction& i, unsigned k, std::uint64_t at, std::uint64_t step) const;

  struct Place {
    std::uint64_t offset = 0, line = 0;  ///< of #BEGIN_TB; line 0: not there
  };

  LineReader in_;
  UnknownOpcodes* unknown_ = nullptr;
  KernelHeader header_;
  std::string_view line_;
  std::uint32_t next_ = 0;  ///< blocks read
  bool in_order_ = true;
  std::uint32_t prefix_ = 0;   ///< blocks that stand in order at the start of the file
  ZeroedBytes seen_;           ///< a bit per block, from the first that is not in order on
  std::vector<Place> places_;  ///< by number, after sort()
};

/// One line of kernelslist.g that says something to us.
struct Command {
  enum class Kind : std::uint8_t { copy_to_device, launch } kind = Kind::launch;
  std::string kernel;  ///< path
  std::uint64_t address = 0, bytes = 0;
  std::uint64_t line = 0;
};
struct CommandList {
  std::vector<Command> commands;
  std::uint64_t skipped = 0;  ///< lines of other kinds: MemcpyDtoH, MemcpyDtoD, nccl..., as Accel-Sim skips them
  std::string first_skipped;  ///< "line 2: 'MemcpyDtoD,...'"
};
/// The list, its kernels as paths beside it (with .gz or .xz where only that is there). Refused: what is no text, a
/// kernel's file in a line that does not start with it (skipped, it would be missing), a list without any command.
CommandList read_command_list(const std::string& path);
CommandList read_command_list(LineReader& in, const std::string& path);

}  // namespace warpsieve::trace::accelsim
