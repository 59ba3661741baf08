// Where a scheme plugs in: one ControllerPath per memory controller between its two L2 slices and its
// DRAM channel, and optionally one L2VictimPort per slice. A scheme never edits a component.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/stats.h"
#include "memsys/profile.h"
#include "memsys/types.h"

namespace warpsieve::memsys {

inline constexpr unsigned kSlicesPerController = 2;

/// What a DRAM request is for; counted in 32-byte requests when the DRAM queue accepts it.
enum class RequestKind : std::uint8_t {
  write,
  data_read,
  read_only,
  metadata_read,
  metadata_write,
  dedup_read,
  verify_read,  ///< a reference read only to be compared with a line that is about to share it
};
inline constexpr unsigned kRequestKinds = 7;
const char* name(RequestKind kind);

/// Where data came from; each has its own golden-memory check count.
enum class Source : std::uint8_t {
  dram,            ///< read from the home address
  reference,       ///< read from a reference block in DRAM
  cache_assisted,  ///< copied from a line in the L2
  generated,       ///< made from metadata (intra-duplicate)
  buffered,        ///< taken from a write that the path still holds
  victim_fifo,     ///< read-only FIFO of the slice
  l2_forward,      ///< L2 to L1 reply
  write_back,      ///< dirty bytes leaving the L2
  dedup_read,      ///< old content read by the scheme to complete a partial write
  read_back,       ///< final read of the whole memory
};
inline constexpr unsigned kSources = 10;
const char* name(Source source);

struct ReadRequest {
  LineId line = 0;
  SectorMask mask = 0;
  std::uint32_t tag = 0;  ///< given back in the replies
};

struct WriteRequest {
  LineId line = 0;
  SectorMask mask = 0;  ///< dirty sectors; `data` holds all their bytes
  LineData data;
};

struct ReadReply {
  LineId line = 0;
  SectorMask mask = 0;  ///< part of the request's mask; all replies of a tag add up to it
  std::uint32_t tag = 0;
  Source source = Source::dram;
  LineData data;
};

/// What the partition offers to its ControllerPath. DRAM addresses are byte addresses of the channel,
/// multiples of 32: local line n lives at n * 128; everything from data_bytes() on is the scheme's own.
class ControllerHost {
 public:
  virtual ~ControllerHost() = default;
  /// Queues a 32-byte read; on_dram_read(cookie) follows. False when the queue is full: the path is
  /// then woken as soon as there is room.
  virtual bool dram_read(Cycle now, std::uint64_t address, RequestKind kind, std::uint64_t cookie) = 0;
  virtual bool dram_write(Cycle now, std::uint64_t address, RequestKind kind, const std::uint8_t* sector) = 0;
  /// Hands read data to the L2, which always accepts.
  virtual void reply(Cycle now, const ReadReply& reply) = 0;
  /// Valid and clean sectors of `line` among `mask`, in either slice, as they are in this cycle; costs
  /// the slice its port for one cycle even when it finds nothing.
  virtual SectorMask probe(Cycle now, LineId line, SectorMask mask, LineData& data) = 0;
  /// data_read when the sector was written back before in this run, else read_only.
  virtual RequestKind read_kind(LineId line, unsigned sector) const = 0;
  /// Compares data with the golden memory (bytes that are newer in the L2 are excepted).
  virtual void check(Cycle now, LineId line, SectorMask mask, const LineData& data, Source source) = 0;
  /// The path wants tick() at `at`.
  virtual void wake_path(Cycle at) = 0;
  /// A read or write refused earlier can be offered again; call it when push_* may succeed again.
  virtual void wake_slices(Cycle at) = 0;
  virtual LineId data_lines() const = 0;
  std::uint64_t data_bytes() const { return std::uint64_t{data_lines()} * kLineBytes; }
};

/// Between the two L2 slices and the DRAM channel of one controller.
class ControllerPath {
 public:
  virtual ~ControllerPath() = default;
  /// False when it cannot be taken in this cycle; the slice offers it again after every tick() of the
  /// path, every DRAM event and every host.wake_slices(). Reads and writes do not block each other.
  virtual bool push_read(Cycle now, unsigned slice, const ReadRequest& request) = 0;
  virtual bool push_write(Cycle now, unsigned slice, const WriteRequest& request) = 0;
  virtual void on_dram_read(Cycle now, std::uint64_t cookie, const std::uint8_t* sector) = 0;
  /// Called in every cycle asked for; returns when it wants to be called next (kNever: only when woken).
  virtual Cycle tick(Cycle now) = 0;
  virtual bool idle() const = 0;
  /// One line for the deadlock report.
  virtual std::string describe() const = 0;
};

/// Victim buffer beside one slice. Synchronous: a block behind it is clocked inside the call.
class L2VictimPort {
 public:
  virtual ~L2VictimPort() = default;
  /// A clean valid sector leaves the L2; sectors of one line come in ascending order.
  virtual void offer(Cycle now, LineId line, unsigned sector, const std::uint8_t* data, bool read_only) = 0;
  /// A read or atomic misses this sector: true and `data` filled when held; the entry is then free.
  virtual bool take(Cycle now, LineId line, unsigned sector, std::uint8_t* data) = 0;
  /// The sector is written in the L2.
  virtual void invalidate(Cycle now, LineId line, unsigned sector) = 0;
};

/// Makes the objects of one memory system. A factory method that returns nullptr leaves its place to another
/// part of a combination (schemes/combined.h forwards each of them), or empty.
class Scheme {
 public:
  virtual ~Scheme() = default;
  virtual std::string name() const = 0;
  /// Called once, before the machine is built: a scheme whose idea is another machine (a larger L2) says so here.
  virtual void amend(Profile&) const {}
  /// A machine needs one; combinations take the baseline's when no part makes one.
  virtual std::unique_ptr<ControllerPath> make_path(unsigned, ControllerHost&, Stats&) { return nullptr; }
  virtual std::unique_ptr<L2VictimPort> make_victim_port(unsigned, unsigned, Stats&) { return nullptr; }
  /// Called after the last cycle, before the result is written: own ratios, backend reports.
  virtual nlohmann::ordered_json report() const { return nlohmann::ordered_json::object(); }
};

}  // namespace warpsieve::memsys
