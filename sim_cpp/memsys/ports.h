// Where a scheme plugs in: one ControllerPath per memory controller between its two L2 slices and its
// DRAM channel, and optionally one L2VictimPort per slice, one L1Port and one ReplyDecoder per SM and one ReplyPort
// per controller. A scheme never edits a component.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/stats.h"
#include "memsys/data_source.h"
#include "memsys/local/local_port.h"
#include "memsys/profile.h"
#include "memsys/request_kind.h"
#include "memsys/types.h"

namespace warpsieve::memsys {

struct ReadRequest {
  LocalLine line;
  SectorMask mask = 0;
  std::uint32_t tag = 0;  ///< given back in the replies
};

struct WriteRequest {
  LocalLine line;
  SectorMask mask = 0;  ///< dirty sectors
  /// Of these sectors: bytes that are written. All of them, unless the path says takes_partial_sectors().
  ByteMask bytes = kFullLine;
  LineData data;
};

struct ReadReply {
  LocalLine line;
  SectorMask mask = 0;  ///< part of the request's mask; all replies of a tag add up to it
  std::uint32_t tag = 0;
  Source source = Source::dram;
  LineData data;
};

/// What the partition offers to its ControllerPath. DRAM addresses are byte addresses of the channel,
/// multiples of 32: local line n lives at n * 128; everything from data_bytes() on is the scheme's own.
class PathOwner {
 public:
  virtual ~PathOwner() = default;
  /// Queues a 32-byte read; on_dram_read(cookie) follows. False when the queue is full: the path is
  /// then woken as soon as there is room.
  virtual bool dram_read(Cycle now, std::uint64_t address, RequestKind kind, std::uint64_t cookie) = 0;
  /// `bytes`: those that are written, the others keep what the DRAM holds.
  virtual bool dram_write(Cycle now, std::uint64_t address, RequestKind kind, const std::uint8_t* sector,
                          std::uint32_t bytes) = 0;
  bool dram_write(Cycle now, std::uint64_t address, RequestKind kind, const std::uint8_t* sector) {
    return dram_write(now, address, kind, sector, kFullSector);
  }
  /// Hands read data to the L2, which always accepts.
  virtual void reply(Cycle now, const ReadReply& reply) = 0;
  /// Valid and clean sectors of `line` among `mask`, in either slice, as they are in this cycle; costs
  /// the slice its port for one cycle even when it finds nothing.
  virtual SectorMask probe(Cycle now, LocalLine line, SectorMask mask, LineData& data) = 0;
  /// data_read when the sector was written back before in this run, else read_only.
  virtual RequestKind read_kind(LocalLine line, unsigned sector) const = 0;
  /// Compares data with the golden memory (bytes that are newer in the L2 are excepted).
  virtual void check(Cycle now, LocalLine line, SectorMask mask, const LineData& data, Source source) = 0;
  /// The path wants tick() at `at`.
  virtual void wake_path(Cycle at) = 0;
  /// A read or write refused earlier can be offered again; call it when push_* may succeed again.
  virtual void wake_slices(Cycle at) = 0;
  virtual std::uint32_t data_lines() const = 0;
  std::uint64_t data_bytes() const { return std::uint64_t{data_lines()} * kLineBytes; }
};

/// Between the two L2 slices and the DRAM channel of one controller.
class ControllerPath {
 public:
  virtual ~ControllerPath() = default;
  /// False when it cannot be taken in this cycle; the slice offers it again after every tick() of the
  /// path that leaves it a chance, every DRAM event and every PathOwner::wake_slices(). Reads and writes do not block
  /// each other.
  virtual bool push_read(Cycle now, unsigned slice, const ReadRequest& request) = 0;
  virtual bool push_write(Cycle now, unsigned slice, const WriteRequest& request) = 0;
  /// push_write() may bring sectors of which only some bytes are written, and passes their masks on to the DRAM. A
  /// path that looks at whole sectors says no: the slice then reads what they lack before it writes them back.
  virtual bool takes_partial_sectors() const { return false; }
  /// Of a path that takes them: the slice is to complete those of this line first, nevertheless. Asked once for each
  /// eviction that has some.
  virtual bool wants_whole_sectors(LocalLine) { return false; }
  /// After tick(): push_read() will take nothing in this cycle.
  virtual bool refuses_reads() const { return false; }
  virtual void on_dram_read(Cycle now, std::uint64_t cookie, const std::uint8_t* sector) = 0;
  /// A request left the DRAM queues after one of the path's had been refused; tick() follows in this cycle.
  virtual void on_room() {}
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
  virtual void offer(Cycle now, LocalLine line, unsigned sector, const std::uint8_t* data, bool read_only) = 0;
  struct Taken {
    SectorMask sectors = 0;
    unsigned cycles = 0;  ///< that the L2 waits
  };
  /// A read or atomic misses these sectors: those that are held come back, with their data in `data`, and are free
  /// then.
  virtual Taken take(Cycle now, LocalLine line, SectorMask wanted, LineData& data) = 0;
  /// These sectors are written in the L2, which did not hold them in any form. Cycles that the L2 waits.
  virtual unsigned invalidate(Cycle now, LocalLine line, SectorMask sectors) = 0;
};

/// What a cluster port offers to its ClusterPath. SMs are numbered from 0 within the cluster.
class ClusterPathOwner {
 public:
  virtual ~ClusterPathOwner() = default;
  /// Bit per SM other than `sm` whose L1 holds all of `mask` in this cycle. `current`: only sectors that came from
  /// the L2 and contain every store of the cluster that has passed the port.
  virtual std::uint64_t holders(unsigned sm, GlobalLine line, SectorMask mask, bool current) const = 0;
};

/// Beside the request arbiter and the response buffer of one cluster port (memsys/cluster): may send a load that
/// misses to the L1 of a peer instead of the L2. Loads only; everything else passes. Lines are numbers of the device
/// address space.
class ClusterPath {
 public:
  struct Times {
    Cycle lookup = 0;             ///< from lookup to decision
    Cycle redirect = 0;           ///< from decision to the port of the peer's L1
    bool fill_on_remote = false;  ///< the requester's L1 keeps a line that came from a peer
  };
  virtual ~ClusterPath() = default;
  virtual Times times() const = 0;
  /// A lookup can be taken in this cycle; at most one is.
  virtual bool ready(Cycle) const { return true; }
  /// The read of `sm` is at the head of its queue: the SM whose L1 is to be asked, or none.
  virtual std::optional<unsigned> lookup(Cycle now, unsigned sm, GlobalLine line, SectorMask mask) = 0;
  /// The L1 of `owner` lacked what lookup() promised; the read goes to the L2.
  virtual void probe_failed(Cycle now, unsigned owner, GlobalLine line) = 0;
  /// A reply from the L2 leaves the response buffer for `sm`, whose L1 will keep sectors of it that contain every
  /// store of the cluster that has passed the port. A line-filled L1: the whole line; another: at least one (decision
  /// R11).
  virtual void response(Cycle now, unsigned sm, GlobalLine line) = 0;
  /// A store or atomic to the line passes the port.
  virtual void written(Cycle now, GlobalLine line) = 0;
  /// End of a kernel: the L1s are empty.
  virtual void clear() = 0;
};

/// What an L1Port wants done with a load; L1Cache carries it out.
struct LoadPlan {
  enum class Keep : std::uint8_t {
    l1,     ///< fill the L1 as usual
    port,   ///< hand the data to L1Port::fill(), the L1 keeps nothing
    none,   ///< answer the waiting loads only
    whole,  ///< fill a line of the L1 that becomes valid when all that was asked of it has come; arrived() tells
  };
  SectorMask hit = 0;    ///< of the sectors valid in the L1: those that count as hits
  SectorMask held = 0;   ///< sectors the port has itself; it has checked and counted them
  SectorMask fetch = 0;  ///< to ask of the L2, where not on their way already
  Keep keep = Keep::l1;
  bool replace = false;       ///< the reply takes the place of the line's valid sectors
  bool wait = false;          ///< not now: offered again when a reply has come
  bool replay = false;        ///< waits in the line's MSHR and is offered again when that is done
  std::uint32_t latency = 0;  ///< cycles until `held` is there
};

/// What the L1 must have free before it offers a load to its port.
struct LoadNeeds {
  bool entry = true;   ///< an MSHR, or a place in the line's
  bool packet = true;  ///< a place in the request queue
};

/// A reply for Keep::whole.
struct LineArrival {
  GlobalLine line;
  std::uint32_t way = 0, mshr = 0;  ///< `way`: number of the tag, over all sets
  SectorMask asked = 0;             ///< what it answers
  SectorMask brought = 0;           ///< by it, a superset
  SectorMask valid = 0;             ///< of the line if this was the last reply, else 0
};

/// Beside the L1 of one SM, between coalescer and tags: sees every line request of the global space and
/// decides which sectors are fetched and where they are kept. Synchronous: a block behind it is clocked
/// inside the call.
class L1Port {
 public:
  virtual ~L1Port() = default;
  /// What load() may use for this access; by default all. Changes nothing.
  virtual LoadNeeds needs(const LineAccess&, SectorMask /*hit*/, SectorMask /*pending*/) const { return {}; }
  /// A load for which the L1 has what needs() says. `hit`: sectors valid in the L1. `pending`: on their way.
  /// Called again only after `wait`.
  virtual LoadPlan load(Cycle now, const LineAccess& access, SectorMask hit, SectorMask pending) = 0;
  /// A reply for Keep::port; `mask` leaves out sectors overtaken by a store. Sectors that another load wanted
  /// in the L1 go there instead.
  virtual void fill(Cycle, GlobalLine /*line*/, SectorMask /*mask*/, const LineData&) {}
  /// The line is not there yet. A store since it was asked for makes the L1 drop it: evicted() follows at once.
  virtual void arrived(Cycle, const LineArrival&) {}
  virtual void store(Cycle, const LineAccess&) {}
  virtual void atomic(Cycle, const LineAccess&) {}
  /// A valid line leaves the L1.
  virtual void evicted(Cycle, GlobalLine /*line*/, SectorMask /*valid*/) {}
  /// Before the first block of a kernel.
  virtual void start_kernel(Cycle, const simt::LaunchShape&) {}
  /// A valid line is lost because the kernel ends; end_kernel() follows.
  virtual void lost_at_end(GlobalLine /*line*/, SectorMask /*valid*/) {}
  /// The L1 is emptied.
  virtual void end_kernel() {}
};

/// What an L1Port may ask of its SM's machine.
class L1PortOwner {
 public:
  virtual ~L1PortOwner() = default;
  /// Whether this is what the L2 holds in cycle `now`; a copy that is older, or newer by a store on its way, is
  /// counted as stale, not as corrupt.
  virtual bool up_to_date(Cycle now, GlobalLine line, unsigned sector, const std::uint8_t* data) const = 0;
  virtual const Profile& profile() const = 0;
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// Number of the tag that holds the line, of its MSHR, and of the MSHR a new one would get; kNone: none.
  virtual std::uint32_t way_of(GlobalLine line) const = 0;
  virtual std::uint32_t mshr_of(GlobalLine line) const = 0;
  virtual std::uint32_t next_mshr() const = 0;
  /// With Keep::whole a line with a second request under way, or one refetched, keeps its way until all is there.
  /// One way of each set must stay free of that; false: `wait` first.
  virtual bool can_reserve(GlobalLine line) const = 0;
  /// Forgets a line that has valid sectors of `mask` and is not being refetched; evicted() follows.
  virtual void drop(Cycle now, GlobalLine line, SectorMask mask) = 0;
};

/// Between the two L2 slices of a controller and the reply network: may answer several reads of an SM with one
/// reply and decides in which form replies to reads leave. One reply enters it per cycle. Synchronous: a block
/// behind it is clocked inside the call.
class ReplyPort {
 public:
  virtual ~ReplyPort() = default;
  /// A slice is about to take a read, before its look-up; called once per read. True: an earlier read of the same
  /// SM and line, whose reply has not left, answers it too; the packet is gone. Else `mask` may grow: sectors to be
  /// read. May set `ticket`, for leave().
  virtual bool merge(Cycle now, Packet& read) = 0;
  /// A store or atomic to the line is being taken: no later read may be answered by an earlier one.
  virtual void written(Cycle now, LocalLine line) = 0;
  /// A reply with the data of `mask` leaves. Sets what it brings (`mask`), what it answers (`asked`, `merged`) and
  /// its `wire` form; returns the cycle in which it can enter the network.
  virtual Cycle leave(Cycle now, Packet& reply) = 0;
  /// From leave() to the network, when nothing else is inside.
  virtual Cycle cycles() const = 0;
};

/// Between the reply network and one SM.
class ReplyDecoder {
 public:
  virtual ~ReplyDecoder() = default;
  /// The sectors of `reply.mask`, from its `wire` form alone.
  virtual void decode(Cycle now, const Packet& reply, LineData& data) = 0;
  virtual Cycle cycles() const = 0;
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
  virtual std::unique_ptr<ControllerPath> make_path(unsigned, PathOwner&, Stats&) { return nullptr; }
  virtual std::unique_ptr<L2VictimPort> make_victim_port(unsigned, unsigned, Stats&) { return nullptr; }
  virtual std::unique_ptr<L1Port> make_l1_port(unsigned /*sm*/, L1PortOwner&, Stats&) { return nullptr; }
  /// nullptr: private memory goes straight to the L1.
  virtual std::unique_ptr<LocalPort> make_local_port(unsigned /*sm*/, Stats&) { return nullptr; }
  /// Replies leave as they are without one; with one every SM needs a decoder.
  virtual std::unique_ptr<ReplyPort> make_reply_port(unsigned /*controller*/, const Profile&, Stats&) {
    return nullptr;
  }
  virtual std::unique_ptr<ReplyDecoder> make_reply_decoder(unsigned /*sm*/, const Profile&, Stats&) {
    return nullptr;
  }
  /// Called only on machines with clusters, for each.
  virtual std::unique_ptr<ClusterPath> make_cluster_path(unsigned /*cluster*/, unsigned /*sms*/, ClusterPathOwner&,
                                                         Stats&) {
    return nullptr;
  }
  /// The scheme does nothing without clusters of SMs: a machine that has none is an error.
  virtual bool needs_clusters() const { return false; }
  /// Called after the last cycle, before the result is written: own ratios, backend reports.
  virtual nlohmann::ordered_json report() const { return nlohmann::ordered_json::object(); }
};

}  // namespace warpsieve::memsys
