// Constants of the trace format, version 1. README.md describes it for authors of readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/errors.h"
#include "simt/warp_trace.h"

namespace warpsieve::trace {

/// A file that cannot be written, is damaged, or says what cannot be; one line with file, block and cause.
class TraceError : public BadInput {
 public:
  using BadInput::BadInput;
};

inline constexpr std::string_view kMagic = "WSTRACE\n";
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint32_t kRecordsPerBlock = 8192;
inline constexpr std::size_t kFileHeadBytes = 24;
inline constexpr std::string_view kBlockMagic = "WSBK";
inline constexpr std::size_t kBlockHeadBytes = 16, kColumnHeadBytes = 24, kHashBytes = 8;
inline constexpr std::size_t kMaxColumns = 16;
inline constexpr std::size_t kMaxColumnBytes = std::size_t{16} << 20;  ///< decoded
inline constexpr std::size_t kImagePart = std::size_t{1} << 20;        ///< bytes of memory per block
inline constexpr unsigned kAddressBytes = 5;                           ///< of the 40-bit device address space
inline constexpr simt::Addr kAddressSpace = simt::Addr{1} << 40;
inline constexpr std::uint32_t kContinues = 0x80000000;  ///< in a size: the same host write as the part before

/// What a block holds.
enum class Section : std::uint8_t {
  program = 1,     ///< first: where the trace comes from, as JSON
  image = 2,       ///< a piece of device memory before the first launch
  launch = 3,      ///< shape of a launch, as JSON
  records = 4,     ///< warp instructions of the launch
  host_write = 5,  ///< what the host writes before the next launch (or after the last)
  change = 6,      ///< a piece of device memory at the end, XOR what the image blocks hold
  end = 7,         ///< totals; nothing follows
};
std::string_view name(Section s);

/// Columns of a records block, in this order.
enum RecordColumn : std::size_t {
  kRunLength,  ///< u16 per run (consecutive records of one warp)
  kRunEnd,     ///< u8 per run, see below
  kKind,       ///< u8 per record, see below
  kBytes,      ///< u8 per record: access size per lane
  kCount,      ///< u16 per record
  kMask,       ///< u32 per record
  kAtomic,     ///< u8 per atomic
  kSource,     ///< u32 per source: how many records of its warp back
  kBase,       ///< u40 per memory record: address of the lowest active lane
  kStride,     ///< s32 per memory record of that mode: address step per lane
  kDelta,      ///< s40 per further active lane of a memory record of that mode: step from the one before
  kData,       ///< operand bytes of stores and atomics, lane order
  kRecordColumns,
  kDetail = kRecordColumns,  ///< u16 per record, WarpInstr::detail; the column is there unless all are 0
  kMaxRecordColumns
};
inline constexpr std::uint8_t kEndsWarp = 1, kEndsThreadBlock = 2;                    // run end
inline constexpr std::uint8_t kOpBits = 0x07, kSourceBits = 0x18, kDeltaMode = 0x20;  // kind
inline constexpr unsigned kSourceShift = 3;

inline bool is_memory(simt::Op op) { return op == simt::Op::load || op == simt::Op::store || op == simt::Op::atomic; }

/// Where the data of a trace are from: the program itself, or, for a trace that was made without, nowhere (all zero),
/// or a rule that was asked for (accelsim/values.h).
inline constexpr std::string_view kValues[] = {"recorded", "none", "zero", "random", "address"};

/// What the program block says.
struct ProgramInfo {
  std::string workload;             ///< name in the registry, or the imported list
  std::string tool;                 ///< program and version that wrote the trace
  std::string made_with;            ///< scale, sizes, seed and input of the workload, for people
  std::string values = "recorded";  ///< one of kValues
  simt::Addr base = 0;              ///< device memory starts here
  std::uint64_t bytes = 0;          ///< and is this long
  std::vector<std::pair<simt::Addr, std::uint64_t>> order_dependent;
};

struct Totals {
  std::uint64_t launches = 0, thread_blocks = 0, warps = 0, records = 0;
  bool operator==(const Totals&) const = default;
};

}  // namespace warpsieve::trace
