// Types that all parts of the memory system share: sizes, line data, packets, the address map.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/index_hash.h"
#include "core/ring.h"
#include "core/wake.h"
#include "memsys/line_number.h"
#include "simt/warp_trace.h"

namespace warpsieve::memsys {

using simt::Addr;

inline constexpr unsigned kLineBytes = 128;
inline constexpr unsigned kSectorBytes = 32;
inline constexpr unsigned kSectors = kLineBytes / kSectorBytes;
inline constexpr unsigned kSlicesPerController = 2;
inline constexpr unsigned kHeaderBytes = 8;  ///< of a packet, decision X5; its flits: memsys/noc/flits.h

using SectorMask = std::uint8_t;  ///< bit = sector, 4 bits
inline constexpr SectorMask kAllSectors = (1u << kSectors) - 1;

struct alignas(32) LineData {
  std::array<std::uint8_t, kLineBytes> bytes{};
  std::uint8_t* sector(unsigned s) { return bytes.data() + s * kSectorBytes; }
  const std::uint8_t* sector(unsigned s) const { return bytes.data() + s * kSectorBytes; }
  bool operator==(const LineData&) const = default;
};

/// One bit per byte of a line, one word per sector.
using ByteMask = std::array<std::uint32_t, kSectors>;
inline constexpr std::uint32_t kFullSector = 0xffffffffu;
inline constexpr ByteMask kFullLine = {kFullSector, kFullSector, kFullSector, kFullSector};

/// Portable x86-64 has no instruction for this, and the library's function is a call.
inline unsigned count_sectors(SectorMask mask) {
  static_assert(kSectors == 4);
  return static_cast<unsigned>(0x4332322132212110ull >> (4 * (mask & kAllSectors)) & 7);
}

inline SectorMask sectors_of(const ByteMask& bytes) {
  SectorMask mask = 0;
  for (unsigned s = 0; s < kSectors; ++s)
    if (bytes[s]) mask |= static_cast<SectorMask>(1u << s);
  return mask;
}

/// Copies the bytes of `from` that are set in `mask` over `to` (one sector).
inline void merge_sector(std::uint8_t* to, const std::uint8_t* from, std::uint32_t mask) {
  if (mask == kFullSector) {
    std::memcpy(to, from, kSectorBytes);
    return;
  }
  for (; mask; mask &= mask - 1) {
    const int i = __builtin_ctz(mask);
    to[i] = from[i];
  }
}

/// Copies the sectors of `mask` over those of `to`.
inline void copy_sectors(LineData& to, const LineData& from, SectorMask mask) {
  for (; mask; mask &= mask - 1) {
    const auto s = static_cast<unsigned>(__builtin_ctz(mask));
    std::memcpy(to.sector(s), from.sector(s), kSectorBytes);
  }
}

enum class PacketKind : std::uint8_t { read, write, atomic };

/// Data of a read reply as a ReplyPort puts it on the network. Form, length and masks ride in the header.
struct Wire {
  bool compressed = false;  ///< what `payload` is, for the decoder
  std::uint16_t bits = 0;   ///< payload
  std::array<std::uint8_t, kLineBytes> payload{};
};
inline constexpr std::uint32_t kNoTicket = 0xffffffffu;
/// For comparisons with the golden memory only: no part of the machine reads it.
struct PacketCheck {
  std::uint32_t version = 0;   ///< reply: how often the line had been written at the L2
  std::uint32_t expected = 0;  ///< waiting read: what it must bring, if that is not the golden line (L2Judge)
};

/// A request on its way from an SM to an L2 slice and, turned round, its reply. The same object goes
/// both ways, so that requests in = replies out (and reads merged by a ReplyPort) holds by construction and is
/// checked by the pool.
/// Thousands are under way, so what every read needs is in its first 64 bytes.
struct alignas(64) Packet {
  PacketKind kind = PacketKind::read;
  SectorMask mask = 0;       ///< sectors asked for, written or read-modified-written; read reply: brought
  SectorMask asked = 0;      ///< read: those of `mask` that the SM asked for
  SectorMask need = 0;       ///< L2: sectors a waiting packet still misses
  bool no_fill = false;      ///< read reply: answers its loads, the L1 keeps nothing of it
  bool from_peer = false;    ///< read reply: made by the L1 of a peer
  bool merge_tried = false;  ///< read: it has passed ReplyPort::merge()
  bool wired = false;        ///< read reply: `wire` is what is sent; false: the sectors as they are
  std::uint8_t ops = 0;      ///< atomic: lanes
  simt::AtomicOp op = simt::AtomicOp::add_u32;
  std::uint16_t sm = 0;
  std::uint16_t merged = 0;  ///< read reply: further requests of the SM that it answers
  LocalLine line;
  GlobalLine global_line;   ///< line number of the device address space (for L1 and golden memory)
  std::uint32_t token = 0;  ///< read: MSHR of the L1; atomic: slot of the SM
  std::uint32_t next = 0;   ///< L2: list of waiting packets
  PacketCheck check;
  Cycle born = 0;                                   ///< cycle in which the SM sent it
  ByteMask bytes{};                                 ///< write: bytes that carry data; waiting read: bytes it has
  LineData data;                                    ///< write: data; atomic: `ops` 32-bit operands; read reply: data
  std::uint32_t ticket = kNoTicket;                 ///< read: what the ReplyPort wants to remember of it
  std::array<std::uint8_t, simt::kLanes> offset{};  ///< atomic: byte offset in the line, per operation
  std::array<std::uint32_t, simt::kLanes> compare{};  ///< atomic cas: value compared with
  Wire wire;                                          ///< read reply

  /// Makes a new request of a packet from the pool. Data and operands are set by the caller.
  void start(PacketKind request, std::uint16_t from_sm, GlobalLine of_line, LocalLine local_line, SectorMask sectors,
             Cycle now) {
    kind = request;
    mask = asked = sectors;
    no_fill = from_peer = merge_tried = wired = false;
    sm = from_sm;
    merged = 0;
    line = local_line;
    global_line = of_line;
    check.version = 0;
    born = now;
  }
};
static_assert(offsetof(Packet, data) == 64);
inline constexpr std::uint32_t kNoPacket = 0xffffffffu;
inline constexpr std::uint16_t kHostSm = 0xffff;  ///< `sm` of copies by the GPU's host: they get no reply

inline unsigned request_bytes(const Packet& p) {
  return kHeaderBytes + (p.kind == PacketKind::read ? 0 : kSectorBytes * count_sectors(p.mask));
}
inline unsigned reply_bytes(const Packet& p) {
  if (p.kind == PacketKind::read && p.wired) return kHeaderBytes + (p.wire.bits + 7u) / 8;
  return kHeaderBytes + (p.kind == PacketKind::write ? 0 : kSectorBytes * count_sectors(p.mask));
}

/// Part of a warp memory instruction that falls into one line.
struct LineAccess {
  GlobalLine line;  ///< line of the device address space
  SectorMask mask = 0;
  std::uint8_t ops = 0;         ///< load, atomic: lanes
  std::uint8_t lane_bytes = 0;  ///< per lane; a load's lane that runs over the line's end has a part in each line
  ByteMask bytes{};             ///< store: bytes written
  LineData data;                ///< store: data; atomic: operands
  std::array<std::uint8_t, simt::kLanes> offset{};
  std::array<std::uint32_t, simt::kLanes> compare{};
};

/// Where the device address space lives. Addresses count from the base of device memory, so that the
/// local lines of each controller are dense from 0. The chunks that one round of all controllers takes are a row; a
/// hash of the row's number (gpu.hash) changes the order of controllers and slices within it.
struct AddressMap {
  Addr base = 0;
  std::uint64_t size = 0;
  unsigned chunk_shift = 8;  ///< log2 of the bytes that go to one controller before the next has its turn
  unsigned controllers = 8;
  std::uint32_t local_first = 0;  ///< private memory: lines from here on; the image lies before
  IndexHash hash;  ///< `controllers` is a power of two; one bit more where a chunk has lines of both slices

  struct Place {
    std::uint32_t controller;
    LocalLine line;
    /// Number of the slice over the whole GPU.
    std::uint32_t slice() const { return controller * kSlicesPerController + AddressMap::slice(line); }
  };
  /// Which of its controller's slices has the line.
  static unsigned slice(LocalLine line) { return line % kSlicesPerController; }
  bool is_private(GlobalLine line) const { return local_first && line >= local_first; }
  unsigned lines_per_chunk() const { return 1u << (chunk_shift - 7); }
  unsigned slice_bits() const { return chunk_shift > 7; }
  /// The hash of this number of controllers and size of chunks.
  void hash_by(HashKind kind) {
    hash = IndexHash(kind, static_cast<unsigned>(std::countr_zero(controllers)) + slice_bits());
  }
  Place place(GlobalLine global_line) const {
    const std::uint32_t chunk = global_line >> (chunk_shift - 7);
    const std::uint32_t row = chunk / controllers, swap = hash(row);
    return {(chunk % controllers) ^ (swap >> slice_bits()),
            LocalLine{row * lines_per_chunk() + ((global_line ^ (swap & slice_bits())) & (lines_per_chunk() - 1))}};
  }
  GlobalLine global_line(std::uint32_t controller, LocalLine line) const {
    const std::uint32_t row = line / lines_per_chunk(), swap = hash(row);
    const std::uint32_t chunk = row * controllers + (controller ^ (swap >> slice_bits()));
    return GlobalLine{chunk * lines_per_chunk() + ((line ^ (swap & slice_bits())) & (lines_per_chunk() - 1))};
  }
  std::uint32_t global_lines() const { return static_cast<std::uint32_t>((size + kLineBytes - 1) / kLineBytes); }
  /// Lines of one controller, the same for all (the last chunks may lie beyond the end of memory).
  std::uint32_t local_lines() const {
    const std::uint32_t chunks = (global_lines() + lines_per_chunk() - 1) / lines_per_chunk();
    return (chunks + controllers - 1) / controllers * lines_per_chunk();
  }
  Addr address(GlobalLine line) const { return base + Addr{line} * kLineBytes; }
};

}  // namespace warpsieve::memsys
