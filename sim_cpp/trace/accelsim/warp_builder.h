// Instructions of one warp of an Accel-Sim trace as warp instructions of the simulator, with def-use from registers.
#pragma once

#include <array>
#include <vector>

#include "simt/warp_trace.h"
#include "trace/accelsim/kernel_reader.h"
#include "trace/accelsim/memory_map.h"
#include "trace/accelsim/values.h"

namespace warpsieve::trace::accelsim {

/// Private memory of a kernel's threads: the words it touches, in device memory as GPUs lay it out, a word of all
/// lanes side by side. Thread blocks far apart share the same place, as they do on a machine.
struct LocalMemory {
  static constexpr std::uint64_t kMaxBytesPerThread = 512 * 1024;  // CUDA's limit
  static constexpr std::uint64_t kBudget = std::uint64_t{256} << 20;
  static constexpr std::uint32_t kMaxBlocks = 4096;

  std::uint64_t first = ~std::uint64_t{0}, last = 0;  ///< words
  std::uint32_t warps = 0, blocks = 0;                ///< warps of a thread block, thread blocks with a place

  bool used() const { return last >= first; }
  std::uint64_t words() const { return last - first + 1; }
  void lay_out(const KernelHeader& header);
  std::uint64_t bytes() const { return std::uint64_t{blocks} * warps * words() * 128; }
  std::uint64_t offset(std::uint32_t block, std::uint32_t warp, std::uint64_t word, unsigned lane) const {
    return ((std::uint64_t{block % blocks} * warps + warp) * words() + (word - first)) * 128 + lane * 4;
  }
};

/// The local word that lane `k` of the active ones touches first; tracers give addresses with or without their
/// window.
std::uint64_t local_word(const KernelHeader& header, const Instruction& i, unsigned k);

/// Device memory under way.
struct DeviceMemory {
  const MemoryMap& map;
  const ValueRule& rule;
  std::uint64_t epoch = 0;
  std::vector<std::uint8_t> image;  ///< empty where all data are zero

  /// Writes what the rule says, and appends it to `data`.
  void write(simt::Addr at, unsigned bytes, std::vector<std::uint8_t>& data);
};

class WarpBuilder {
 public:
  WarpBuilder(DeviceMemory& memory, const KernelHeader& header, const LocalMemory& local)
      : memory_(memory), header_(header), local_(local) {}

  void start(std::uint32_t block, std::uint32_t warp);
  void add(const Instruction& i);
  simt::WarpTrace take() { return std::move(trace_); }

 private:
  void depend(simt::WarpInstr& out, std::uint32_t record) const;
  void read_registers(simt::WarpInstr& out, const Instruction& i) const;
  void wait_for_copies(simt::WarpInstr& out, std::int64_t groups_left);
  void access(simt::Op op, const Instruction& i);
  void access_local(simt::Op op, const Instruction& i);
  void push(simt::WarpInstr instr) { trace_.instrs.push_back(instr); }

  DeviceMemory& memory_;
  const KernelHeader& header_;
  const LocalMemory& local_;
  std::uint32_t block_ = 0, warp_ = 0;
  simt::WarpTrace trace_;
  std::array<std::uint32_t, 256> writer_ = {};  ///< record + 1 that made a register's value, 0: none
  std::vector<std::uint32_t> copies_;           ///< records of copies to shared memory, in order
  std::vector<std::size_t> groups_;             ///< copies up to the end of each group
};

}  // namespace warpsieve::trace::accelsim
