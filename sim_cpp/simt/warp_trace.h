// What the SIMT front end hands to the timing model: one thread block, executed functionally, as the
// instruction streams of its warps, with masks, addresses, real data and def-use.
//
// Blocks of a launch are always executed in block order, so functional results and streams never
// depend on the timing model, the scheme or the backend. The timing model replays the streams.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warpsieve::simt {

using Addr = std::uint64_t;  ///< byte address in the 40-bit device address space
inline constexpr unsigned kAddressBits = 40;

inline constexpr unsigned kLanes = 32;
/// Of a mask. Portable x86-64 has no instruction for this, and the library's function is a call.
inline unsigned count_lanes(std::uint32_t mask) {
  return mask == 0xffffffffu ? kLanes : static_cast<unsigned>(std::popcount(mask));
}

enum class Op : std::uint8_t {
  alu,          ///< integer, single- or double-precision arithmetic; `count` dependent instructions back to back
  sfu,          ///< division, square root, exp, log; of imported traces also double precision and matrix units
  load,         ///< global load
  store,        ///< global store
  atomic,       ///< global atomic, performed at the L2
  shared,       ///< shared-memory access (issue slot, latency and passes only)
  constant,     ///< constant-memory access (issue slot and latency only)
  barrier,      ///< waits for all warps of the block
  local_load,   ///< reload of a spilled register from the thread's private memory (spill.h)
  local_store,  ///< spill of a register
};
inline bool is_local(Op op) { return op == Op::local_load || op == Op::local_store; }

enum class AtomicOp : std::uint8_t { add_u32, add_f32, min_u32, max_u32, exch_u32, cas_u32 };

/// Execution unit of an arithmetic instruction.
enum class Unit : std::uint8_t { integer, single_precision, double_precision, special, matrix };

/// One warp instruction. A warp's instructions are numbered from 0 in program order.
struct WarpInstr {
  Op op = Op::alu;
  AtomicOp atomic = AtomicOp::add_u32;
  std::uint8_t bytes = 0;        ///< per lane: 1, 2, 4, 8 or 16 (memory operations)
  std::uint8_t sources = 0;      ///< how many entries of `source` are used
  std::uint16_t count = 1;       ///< alu: instructions represented, each depending on the one before
  std::uint8_t detail[2] = {};   ///< alu: how many of `count` are in single and in double precision, the rest is
                                 ///< integer; sfu: unit() other than special; shared: passes behind the first
  std::uint32_t mask = 0;        ///< active lanes, bit = lane
  std::uint32_t source[3] = {};  ///< numbers of the instructions whose results this one reads
  std::uint32_t payload = 0;     ///< memory operations: offset into WarpTrace::addresses / values
                                 ///< local: there is the spill slot of each 4-byte word
  std::uint32_t values = 0;      ///< store, atomic: byte offset into WarpTrace::data

  unsigned singles() const { return detail[0]; }  ///< alu
  unsigned doubles() const { return detail[1]; }  ///< alu
  /// Passes of a shared-memory access, 1 without bank conflicts (shared_banks.h).
  unsigned passes() const { return detail[0] + 1u; }
  /// Unit of the `index`-th instruction of an alu (integer, then single, then double precision), or of an sfu.
  Unit unit(unsigned index = 0) const {
    if (op == Op::sfu) return detail[0] ? static_cast<Unit>(detail[0]) : Unit::special;
    if (index + singles() + doubles() < count) return Unit::integer;
    return index + doubles() < count ? Unit::single_precision : Unit::double_precision;
  }
  /// All `count` instructions of an alu, or an sfu, need this unit.
  void set_unit(Unit u) {
    const auto all = static_cast<std::uint8_t>(count < 255 ? count : 255);
    if (op == Op::sfu)
      detail[0] = u == Unit::double_precision || u == Unit::matrix ? static_cast<std::uint8_t>(u) : std::uint8_t{0};
    else if (op == Op::alu && u == Unit::single_precision)
      detail[0] = all;
    else if (op == Op::alu && u == Unit::double_precision)
      detail[1] = all;
  }
  /// What `detail` may hold: any other value is damage.
  bool detail_fits() const {
    switch (op) {
      case Op::alu: return singles() + doubles() <= count;
      case Op::sfu:
        return detail[1] == 0 && (detail[0] == 0 || detail[0] == static_cast<std::uint8_t>(Unit::double_precision) ||
                                  detail[0] == static_cast<std::uint8_t>(Unit::matrix));
      case Op::shared: return detail[1] == 0 && passes() <= kLanes;
      default: return detail[0] == 0 && detail[1] == 0;
    }
  }
};

/// Addresses of lanes that lie `step` bytes apart, in one word: bit 63, 23 bits of step, 40 bits of the first
/// address. Most accesses are such rows, and long kernels would need gigabytes for lists of them.
class AddressRow {
 public:
  static constexpr unsigned kStepBits = 63 - kAddressBits;
  static constexpr std::int64_t kMostStep = (std::int64_t{1} << (kStepBits - 1)) - 1;

  /// Whether a word of WarpTrace::addresses is a row, not an address.
  static bool is(Addr word) { return word >> 63; }
  explicit AddressRow(Addr word) : word_(word) {}
  AddressRow(Addr first, std::int64_t step)
      : word_(Addr{1} << 63 | (static_cast<Addr>(step) << kAddressBits) | first) {}
  Addr word() const { return word_; }
  Addr first() const { return word_ & ((Addr{1} << kAddressBits) - 1); }
  std::int64_t step() const { return static_cast<std::int64_t>(word_ << 1) >> (kAddressBits + 1); }
  Addr operator[](unsigned k) const { return first() + static_cast<Addr>(step() * static_cast<std::int64_t>(k)); }

 private:
  Addr word_;
};

using LaneAddresses = std::array<Addr, kLanes>;

struct WarpTrace {
  std::vector<WarpInstr> instrs;
  std::shared_ptr<const std::vector<WarpInstr>> same;  ///< in place of `instrs`: kept once for several warps
  std::vector<Addr> addresses;  ///< of each memory instruction, from `payload` on: an AddressRow, or one address per
                                ///< active lane, lane order
  std::vector<std::uint8_t> data;  ///< store and atomic operands, `bytes` per active lane, lane order
                                   ///< local stores: word by word, 4 bytes per active lane

  const std::vector<WarpInstr>& stream() const { return same ? *same : instrs; }
  std::uint64_t warp_instructions() const;  ///< sum of `count`
  /// Of the `k`-th active lane of a global memory instruction.
  Addr address(const WarpInstr& i, unsigned k) const {
    const Addr word = addresses[i.payload];
    return AddressRow::is(word) ? AddressRow(word)[k] : addresses[i.payload + k];
  }
  /// How many words of `addresses` it has.
  unsigned address_words(const WarpInstr& i) const {
    return AddressRow::is(addresses[i.payload]) ? 1 : count_lanes(i.mask);
  }
  /// All of them, in lane order: where they are, or in `room`.
  const Addr* list(const WarpInstr& i, LaneAddresses& room) const;
  /// The last `lanes` addresses become a row if they are one; two at least.
  void pack(unsigned lanes);
  /// Gives back the memory that long streams hold beyond their end: all blocks of a launch may be resident at a time.
  void trim();
};

struct BlockTrace {
  std::uint32_t block = 0;
  std::vector<WarpTrace> warps;
  std::uint32_t spill_slots = 0;  ///< private 4-byte words per thread that the kernel is known to need so far
  std::uint32_t registers = 0;    ///< per thread, when the spill model limits them; else as the launch says
};

/// Static needs of a launch; occupancy per SM follows from them.
struct LaunchShape {
  std::string kernel;
  std::uint32_t blocks = 0;
  std::uint32_t threads = 0;       ///< per block
  std::uint32_t shared_bytes = 0;  ///< per block
  std::uint32_t registers = 32;    ///< per thread
};

class Spiller;

/// A kernel launch the timing model pulls blocks from, strictly in block order.
class Launch {
 public:
  virtual ~Launch() = default;
  virtual const LaunchShape& shape() const = 0;
  /// Executes block `index` functionally (each index once, ascending).
  virtual BlockTrace run_block(std::uint32_t index) = 0;
  /// From here on, blocks keep to the spiller's register budget (spill.h). False when the launch does not know
  /// what its registers hold.
  virtual bool spill_with(Spiller&) { return false; }
  /// WarpInstr::passes() of the blocks to come is not needed: passes are not counted, and the value is 1.
  virtual void skip_shared_passes() {}
};

/// A host write to device memory that happens between launches. The timing model carries it out
/// through the L2 without counting cycles or requests.
struct HostWrite {
  Addr address = 0;
  std::vector<std::uint8_t> bytes;
};

/// A program: device memory image, launches with host code between them, and its own check.
class Workload {
 public:
  virtual ~Workload() = default;
  virtual const std::string& name() const = 0;
  /// Allocates and fills device memory; called once, before image().
  virtual void setup() = 0;
  /// The functional device memory, one flat range starting at base(); grows no more after setup().
  virtual Addr base() const = 0;
  virtual std::span<const std::uint8_t> image() const = 0;
  /// The program has no data: image() is all zero after setup() and at the end. Unwritten bytes are then neither
  /// loaded nor compared.
  virtual bool blank() const { return false; }
  /// Runs host code up to the next launch; nullptr at the end. The previous launch has been executed
  /// completely. host_writes() then holds what the host wrote since the previous call (after the
  /// first call the initial image is not repeated there).
  virtual std::unique_ptr<Launch> next_launch() = 0;
  virtual std::vector<HostWrite> take_host_writes() = 0;
  /// Compares results with a plain C++ reference of the algorithm; empty when right, else what differs.
  virtual std::string verify() = 0;
  /// Byte ranges whose final value depends on the order of floating-point atomics.
  virtual std::vector<std::pair<Addr, std::uint64_t>> order_dependent() const = 0;
};

}  // namespace warpsieve::simt
