// L2 slice: one of the two slices of a memory controller.
//
//   requests ─▶ tags (l2_tags.h) ─▶ hit: replies (l2_replies.h) ─▶ reply network
//                │                      ▲
//                └─ miss: MSHRs ────────┴──── fill
//                   (l2_mshrs.h)  └─▶ reads ─▶ controller
//                   victims ─▶ eviction queue (l2_eviction_queue.h) ─▶ controller
//
//   size        sets x ways x 128 B (128 x 16: 256 KB), LRU, 4 sectors of 32 B per line
//   reads       allocate on miss: the line is claimed and its victim leaves when the request is taken, so that a fill
//               always finds its place. Only missing sectors are fetched, or 64 bytes (l2.fetch_sectors)
//   writes      write-back, allocated without fetch, a dirty bit per byte. A read or the eviction of a partly written
//               sector fetches and merges it, unless it leaves with a byte mask (l2.partial_writes)
//   order       a request is performed in the cycle in which it is taken. A waiting read then gets what the line
//               holds, and from the fill only what was missing at that time: it sees all older stores and atomics and
//               no younger ones, and stores need not wait for it
//   atomics     performed here on valid sectors, in arrival order per line (atomic_unit.h). A hit that finds the unit
//               busy holds up the requests behind it. Atomics that waited for a fill queue in front of the unit
//   throughput  one request per cycle; a request that cannot proceed holds up those behind it. With l2.port_sectors
//               the data port moves so many sectors per cycle, of requests and of dirty victims
//   latency     hit: `l2.latency` cycles from request taken to reply in the network. Miss: `l2.miss_latency` to the
//               controller (+1 per look-up cycle of the victim port), `l2.fill_latency` from the fill to the reply
//   snoop       a read whose line is in the eviction queue waits until the controller has taken it in an earlier
//   cycle
// Units: core clock cycles. Parameters: `l2.*` in profile.cpp. Organisation: CMD Table II, decisions X1, X4.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "memsys/context.h"
#include "memsys/l2/atomic_unit.h"
#include "memsys/l2/l2_eviction_queue.h"
#include "memsys/l2/l2_judge.h"
#include "memsys/l2/l2_mshrs.h"
#include "memsys/l2/l2_replies.h"
#include "memsys/l2/l2_stats.h"
#include "memsys/l2/l2_tags.h"
#include "memsys/noc/network.h"
#include "memsys/ports.h"

namespace warpsieve::memsys {

class L2Slice {
 public:
  static constexpr std::uint32_t kReadBackTag = 0x40000000u;  ///< reads of the final read-back, not of the slice
  /// `number` counts over the whole GPU: controller * 2 + slice.
  L2Slice(Context& context, L2Stats& stats, std::uint32_t number, std::uint32_t wake_id, Network& requests,
          Network& replies);
  /// `replies`: shared with the other slice; nullptr: replies leave as they are.
  void connect(ControllerPath& path, std::unique_ptr<L2VictimPort> victims, ReplyPort* replies);

  Cycle tick(Cycle now);
  void fill(Cycle now, const ReadReply& reply);
  SectorMask probe(Cycle now, LocalLine line, SectorMask mask, LineData& data);
  bool written_back(LocalLine line, unsigned sector) const { return written_back_[line] >> sector & 1; }
  /// Bytes of the sector that are newer here (dirty in the cache or waiting to leave) than below.
  std::uint32_t newer_bytes(LocalLine line, unsigned sector) const;

  /// Copies by the GPU's host: they come around the network and get no reply.
  bool can_push_copy() const { return !copies_.full(); }
  /// With gpu.host_copies = 0 what they write leaves at once for the controller, and the line is not kept.
  void push_copy(Cycle now, std::uint32_t packet);
  /// Before the first cycle: puts the line here, clean, in place of the least recently used of its set.
  void preload(LocalLine line);
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
  /// The slice waits for retry().
  bool refused() const { return write_from_ == kNever || read_from_ == kNever || fetch_from_ == kNever; }

  bool idle() const;
  std::string describe() const;

  // State, for prefetching on the simulating machine (host_prefetch.h).
  const L2Tags& tags() const { return tags_; }
  const L2Mshrs& mshrs() const { return mshrs_; }
  const SectorMask* written_back_at(LocalLine line) const { return &written_back_[line]; }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::uint32_t kNoFlush = 0xffffffffu;
  static constexpr std::uint32_t kEvictionTag = 0x80000000u;  ///< reads that complete an eviction
  static_assert(!((kEvictionTag | kReadBackTag) & L2EvictionQueue::kNumbers));
  enum class Step { taken, stalled, atomic_unit_busy };
  struct Miss {
    ReadRequest request;
    Cycle ready = 0;
  };

  // Requests (l2.cpp)
  /// When the first request can be tried.
  Cycle request_due() const {
    const Cycle there = stalled_ ? try_from_ : copies_.empty() ? arrival_.at : 0;
    return std::max(there, port_free_);
  }
  /// From cycle `at` on, a request that is held up may be taken.
  void freed(Cycle at) { try_from_ = std::min(try_from_, at); }
  /// The data port moves so many sectors after what it has.
  void use_port(Cycle now, SectorMask sectors) {
    if (!p_.port_sectors) return;
    port_free_ = std::max(port_free_, now) + (count_sectors(sectors) + p_.port_sectors - 1) / p_.port_sectors;
  }
  void try_request(Cycle now);
  Step serve(Cycle now, std::uint32_t packet);
  Step serve_read(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t way);
  Step serve_write(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t way);
  Step serve_atomic(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t way);
  Step pass_by(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t way);
  Step wait_for(Cycle now, std::uint32_t handle, Packet& p, std::uint32_t way, SectorMask missing);
  std::uint32_t claim(Cycle now, LocalLine line);
  Cycle perform_atomic(Cycle now, Packet& p, std::uint32_t way, std::uint32_t end);
  void read_out(Cycle now, Packet& p, std::uint32_t way);
  void finish_hit(std::uint32_t handle, const Packet& p, Cycle ready);

  // Fills and waiting packets (l2_fills.cpp)
  bool send_read(Cycle now);
  void copy_out(Packet& p, std::uint32_t way, SectorMask sectors);
  void fill_eviction(Cycle now, const ReadReply& reply);
  void wake_waiting(Cycle now, L2Mshrs::Entry& m, SectorMask arrived);

  // Evictions (l2_evictions.cpp)
  void evict(Cycle now, std::uint32_t way, bool offered = true);
  /// Partly written sectors of the line go to the controller as they are, under byte masks.
  bool leaves_masked(LocalLine line, SectorMask partly) {
    return partial_writes_ && !(partly && path_->wants_whole_sectors(line));
  }
  void send_eviction(Cycle now);
  void send_merge_fetch(Cycle now);
  Cycle eviction_due() const;
  void flush_step(Cycle now);

  GlobalLine global_line(LocalLine line) const {
    return context_.map.global_line(number_ / kSlicesPerController, line);
  }

  Context& context_;
  L2Stats& stats_;
  L2Params p_;
  std::uint32_t number_, id_;
  Network& requests_;
  const Arrival& arrival_;  ///< head of `requests_`
  ControllerPath* path_ = nullptr;
  std::unique_ptr<L2VictimPort> victims_;
  ReplyPort* reply_port_ = nullptr;

  L2Tags tags_;
  L2Mshrs mshrs_;
  L2Judge judge_;
  Ring<Miss> misses_;
  L2EvictionQueue evictions_;
  L2Replies replies_;
  AtomicUnit atomics_;
  Ring<std::uint32_t> copies_;            ///< by the GPU's host
  std::vector<SectorMask> written_back_;  ///< by line
  Counter pair_sectors_;                  ///< shared; there only with fetch_pairs_
  Counter partial_sectors_;               ///< shared; there only with partial_writes_
  std::uint32_t flush_next_ = kNoFlush;
  LocalLine last_accepted_line_{0};
  Cycle last_accepted_ = kNever;  ///< cycle in which the controller last took an eviction
  Cycle port_free_ = 0;           ///< probes take a cycle, the victim port one per sectors_per_cycle(); use_port()
  bool fetch_pairs_ = false;      ///< a miss fetches 64 bytes
  bool partial_writes_ = false;   ///< partly written sectors may leave with byte masks
  bool copies_pass_;              ///< gpu.host_copies = 0
  bool stalled_ = false, snoop_held_ = false;
  /// From when on the controller is offered the first eviction, the first of misses_, a fetch for an eviction;
  /// kNever: it refused that, until retry().
  Cycle write_from_ = 0, read_from_ = 0, fetch_from_ = 0;
  Cycle try_from_ = kNever;  ///< a request that is held up is tried again from here on
  Cycle stalled_since_ = 0;
};

}  // namespace warpsieve::memsys
