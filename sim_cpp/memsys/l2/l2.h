// L2 slice: one of the two slices of a memory controller.
//
//   size        sets x ways x 128 B (128 x 16: 256 KB), LRU, 4 sectors of 32 B per line
//   reads       allocate on miss: the line is claimed and its victim leaves when the request is taken, so
//               that replies of the controller always find their place; only missing sectors are fetched
//   writes      write-back, allocated without fetch. Each byte has a dirty bit; a sector whose bytes
//               were all written is valid. A read of a partly written sector fetches it and merges;
//               so does its eviction, unless it leaves with a byte mask (l2.partial_writes)
//   order       a request is done where it was taken: a read that waits owns its place in the reply buffer from then
//               on, gets there what the line holds, and from the fill only what was missing at that time. So it has
//               all older stores and atomics and no younger ones, and stores need not wait for it
//   atomics     performed here on valid sectors, in arrival order per line; no later read or write passes one. The
//               atomic unit has one packet at a time: atomic_ops lane operations per cycle, and atomic_same_address
//               cycles for each to one word. A hit that finds it busy holds up the requests behind it; atomics that
//               waited for a fill queue in front of it. Its time adds to the reply's latency. Both 0: one cycle
//   rate        one request per cycle; a request that cannot proceed holds up those behind it
//   data port   with l2.port_sectors the sectors of a request and those of a dirty victim pass it in turn, so many
//               per cycle, and the next request waits until it is free
//   latency     hit: reply enters the crossbar `latency` after the request was taken; miss: read offered to the
//               controller after `miss_latency` (+1 per victim looked up), replies `fill_latency` after the fill
//   reply port  a scheme's: every read passes it once when it is taken and, unless it was merged, once when its reply
//               leaves; replies keep their order behind it
//   queues      miss_queue, eviction_queue, reply_queue (hits); fills are always accepted
//   snoop       a read whose line is in the own eviction queue waits until the controller has taken it in an
//               earlier cycle
// Parameters: `l2.*` in profile.cpp. Organisation: CMD Table II, decisions X1, X4.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/find_key.h"
#include "core/prefetch.h"
#include "core/recency.h"
#include "memsys/context.h"
#include "memsys/noc/network.h"
#include "memsys/ports.h"

namespace warpsieve::memsys {

/// Counters shared by all slices.
struct L2Stats {
  explicit L2Stats(Stats& stats);
  Counter read_sectors, read_hits, read_misses, write_sectors, write_hits, atomics, atomic_sectors, requests,
      victim_hits, evictions, dirty_evictions, merge_fetches, write_back_sectors, stall_cycles, snoop_waits, probes,
      probe_hits;
};

class L2Slice {
 public:
  static constexpr std::uint32_t kHostTag = 0x40000000u;  ///< reads of the final read-back, never the slice's own
  /// `number` counts over the whole GPU: controller * 2 + slice.
  L2Slice(Context& context, L2Stats& stats, std::uint32_t number, std::uint32_t wake_id, Network& requests,
          Network& replies);
  /// `replies`: shared with the other slice, nullptr: replies leave as they are.
  void connect(ControllerPath& path, std::unique_ptr<L2VictimPort> victims, ReplyPort* replies);

  /// The host is asked for what the requests that come from cycle `now` to before `end` will touch.
  void expect_requests(Ahead step, Cycle now, Cycle end) const;
  /// The same for a sector that will come from the DRAM; from Ahead::sets on.
  void expect_fill(Ahead step, LineId line, unsigned sector) const;
  Cycle tick(Cycle now);
  void fill(Cycle now, const ReadReply& reply);
  SectorMask probe(Cycle now, LineId line, SectorMask mask, LineData& data);
  bool written_back(LineId line, unsigned sector) const { return written_back_[line] >> sector & 1; }
  /// Bytes of the sector that are newer here (dirty in the cache or waiting to leave) than below.
  std::uint32_t newer_bytes(LineId line, unsigned sector) const;

  /// Requests of the host, not through the crossbar and without reply.
  bool can_push_host() const { return !host_.full(); }
  /// With gpu.host_copies = 0 what they write leaves at once for the controller, and their lines are not kept.
  void push_host(Cycle now, std::uint32_t packet);
  /// Before the first cycle: the line is here, clean, in place of the least recently used of its set.
  void preload(LineId line);
  /// Writes every dirty line back and empties the cache; done when idle().
  void start_flush(Cycle now);

  /// From cycle `at` on the controller may take again what it refused; `reads`: also reads.
  void retry(Cycle at, bool reads = true) {
    const auto again = [&](Cycle& from) {
      if (from <= at) return;
      from = at;
      context_.wakes.wake(id_, at);
    };
    again(write_from_);
    if (!reads) return;
    again(read_from_);
    again(fetch_from_);
  }
  /// retry() is waited for.
  bool refused() const { return write_from_ == kNever || read_from_ == kNever || fetch_from_ == kNever; }

  bool idle() const;
  std::string describe() const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::uint32_t kNoFlush = 0xffffffffu;
  static constexpr std::uint32_t kEvictionTag = 0x80000000u;  ///< reads that complete an eviction
  enum class Step { taken, stalled, atomic_unit_busy };

  /// What is known of a way beside its key: small, for thousands are looked at, at random.
  struct Tag {
    bool present = false;
    SectorMask valid = 0, pending = 0, dirty = 0;  ///< dirty: sectors with dirty bytes
    std::uint32_t mshr = kNone;
  };
  struct Mshr {
    std::uint32_t slot = 0;  ///< index of the tag
    std::uint32_t head = kNone, tail = kNone;
    std::uint32_t waiting = 0, atomics = 0;
  };
  struct Eviction {
    LineId line = 0;
    std::uint32_t global_line = 0;
    std::uint32_t number = 0;
    SectorMask fetch = 0;  ///< partly written sectors not fetched yet
    bool asked = false;
    Cycle ready = 0;  ///< when what was fetched can be used
    ByteMask dirty{};
    WriteRequest write;
  };
  struct Miss {
    ReadRequest request;
    Cycle ready = 0;
  };
  struct Outgoing {
    std::uint32_t packet = 0;
    Cycle ready = 0;
  };

  /// When the first request is there to be tried, as far as is known.
  Cycle request_due() const {
    const Cycle there = stalled_ ? try_from_ : host_.empty() ? arrival_.at : 0;
    return std::max(there, port_free_);
  }
  /// From cycle `at` on, a request that is held up may find its way free.
  void freed(Cycle at) { try_from_ = std::min(try_from_, at); }
  /// The data port moves so many sectors after what it has.
  void use_port(Cycle now, SectorMask sectors) {
    if (!p_.port_sectors) return;
    port_free_ = std::max(port_free_, now) + (count_sectors(sectors) + p_.port_sectors - 1) / p_.port_sectors;
  }
  void try_request(Cycle now);
  Step serve(Cycle now, std::uint32_t packet);
  Step serve_read(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t slot);
  Step serve_write(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t slot);
  Step pass_by(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t slot);
  bool behind_atomic(const Tag& tag, SectorMask mask) const;
  std::uint32_t dirty_bytes(std::uint32_t slot, unsigned sector) const {
    return tags_[slot].dirty >> sector & 1 ? dirty_[slot][sector] : 0;
  }
  void make_dirty(std::uint32_t slot, unsigned sector, std::uint32_t bytes) {
    if (!bytes) return;
    dirty_[slot][sector] = dirty_bytes(slot, sector) | bytes;
    tags_[slot].dirty |= static_cast<SectorMask>(1u << sector);
  }
  Step serve_atomic(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t slot);
  Step wait_for(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t slot, SectorMask missing);
  Cycle perform_atomic(Cycle now, Packet& p, std::uint32_t slot);
  Cycle atomic_cycles(const Packet& p) const;
  void finish(std::uint32_t handle, Packet& p, Cycle ready, Ring<Outgoing>& queue);
  void read_out(Cycle now, Packet& p, std::uint32_t slot);
  void copy_out(Packet& p, std::uint32_t slot, SectorMask sectors);
  void copy_golden(const Packet& p, SectorMask sectors);
  void keep_golden(const Tag& tag, std::uint32_t end);
  void hand_out(Cycle now, Packet& p);
  void wake_waiting(Cycle now, Mshr& m, SectorMask arrived);

  std::uint32_t find(LineId line) const {
    const std::uint32_t first = set_of(line) * p_.ways;
    const std::uint32_t way = find_key(keys_.data() + first, p_.ways, line);
    return way == p_.ways ? kNone : first + way;
  }
  std::uint32_t claim(Cycle now, LineId line);
  void evict(Cycle now, std::uint32_t slot, bool offered = true);
  Eviction& leave(LineId line, SectorMask partly, const ByteMask& dirty);
  bool eviction_pending(LineId line, bool only_fetching) const {
    return evicting_[near(line)] && eviction_found(line, only_fetching);
  }
  bool eviction_found(LineId line, bool only_fetching) const;
  static std::size_t near(LineId line) { return line / kSlicesPerController % kNear; }
  void expect_set(std::uint32_t first) const;
  Cycle send_replies(Cycle now);
  void send_eviction(Cycle now);
  Cycle eviction_due() const;
  void send_merge_fetch(Cycle now);
  bool send_read(Cycle now);
  void flush_step(Cycle now);
  std::uint32_t set_of(LineId line) const {
    const std::uint32_t own = line / kSlicesPerController;
    if (!last_set_) return own % p_.sets;
    return (own & last_set_) ^ hash_(own >> set_bits_);
  }
  std::uint32_t global_line(LineId line) const {
    return context_.map.global_line(number_ / kSlicesPerController, line);
  }

  Context& context_;
  L2Stats& stats_;
  L2Params p_;
  std::uint32_t last_set_;  ///< if their number is a power of two, else 0: a division takes its time
  unsigned set_bits_;       ///< with a hash: of the number of a set
  IndexHash hash_;          ///< of the set
  std::uint32_t number_, id_;
  Network& requests_;
  const Arrival& arrival_;  ///< head of `requests_`
  Network& replies_;
  ControllerPath* path_ = nullptr;
  std::unique_ptr<L2VictimPort> victims_;
  ReplyPort* reply_port_ = nullptr;

  std::vector<Tag> tags_;
  std::vector<ByteMask> dirty_;  ///< of each way, where its tag says so
  std::vector<LineId> keys_;     ///< line of each way, kNone when free: what a lookup compares
  Recency recency_;
  std::vector<LineData> data_;
  std::vector<Mshr> mshrs_;
  std::vector<std::uint32_t> free_mshrs_;
  Ring<Miss> misses_;
  Ring<Eviction> evictions_;
  static constexpr std::size_t kNear = 64;
  std::array<std::uint16_t, kNear> evicting_{};  ///< evictions_ by near(line): most searches end here
  Ring<Outgoing> hits_, filled_;
  Ring<Outgoing> leaving_;      ///< behind the reply port, on the way to the network
  Cycle replies_due_ = kNever;  ///< when the first of these three can leave
  Ring<std::uint32_t> host_;
  Pool<LineData> expected_;  ///< golden bytes at the place of each waiting read whose line has changed since
  std::vector<SectorMask> written_back_;  ///< by line
  std::uint32_t eviction_number_ = 0;
  Counter partial_sectors_;  ///< shared; there only with partial_writes_
  std::uint32_t flush_next_ = kNoFlush;
  LineId last_accepted_line_ = 0;
  Cycle last_accepted_ = kNever;  ///< cycle in which the controller last took an eviction
  Cycle port_free_ = 0;           ///< probes take a cycle, the victim port one per sector; use_port()
  Cycle atomics_free_ = 0;        ///< first cycle in which the atomic unit has nothing to do
  std::uint32_t waiting_ = 0;     ///< packets in all MSHRs
  std::uint32_t fetches_wanted_ = 0;
  bool partial_writes_ = false;  ///< partly written sectors leave with byte masks
  bool host_passes_;             ///< gpu.host_copies = 0
  bool stalled_ = false, snoop_held_ = false;
  /// The controller is offered the first eviction, the first of misses_, a fetch for an eviction from here on;
  /// kNever: it refused that, and retry() will tell.
  Cycle write_from_ = 0, read_from_ = 0, fetch_from_ = 0;
  Cycle try_from_ = kNever;  ///< a request that is held up is tried again from here on: what it needs may be there
  Cycle stalled_since_ = 0;
};

}  // namespace warpsieve::memsys
