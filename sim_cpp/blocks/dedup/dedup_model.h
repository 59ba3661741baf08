// State of the cycle-exact model, register for register that of rtl/dedup. Read side, ports and tick()
// in dedup_model.cpp, preparation in dedup_model_front.cpp, commits in dedup_model_write.cpp.
#pragma once

#include <bit>
#include <optional>
#include <vector>

#include "blocks/dedup/dedup_backends.h"
#include "blocks/dedup/dedup_model_ports.h"

namespace warpsieve::dedup {

/// rtl/dedup/dedup_pick.sv: the next after the last one in turn. Requester k asks when bit k is set.
struct Pick {
  unsigned last = 0;
  unsigned choose(std::uint64_t asking) const {  // at least one bit is 1
    const std::uint64_t later = asking & ~std::uint64_t{1} << last;
    return static_cast<unsigned>(std::countr_zero(later ? later : asking));
  }
};

/// rtl/dedup/dedup_write_buffer.sv
class WriteBuffer {
 public:
  explicit WriteBuffer(unsigned entries) : entries_(entries) {}
  void reset();
  unsigned count() const { return count_; }
  bool full() const { return count_ == entries_.size(); }
  unsigned head() const { return head_; }
  std::uint32_t line(unsigned entry) const { return entries_[entry].line; }
  std::uint8_t mask(unsigned entry) const { return entries_[entry].mask; }
  /// Sectors of its mask of which only some bytes may be there: a sector that was put together is not looked at.
  std::uint8_t some(unsigned entry) const { return entries_[entry].some; }
  const ByteMask& bytes(unsigned entry) const { return entries_[entry].bytes; }
  std::uint8_t domain(unsigned entry) const { return entries_[entry].domain; }
  const LineData& data(unsigned entry) const { return entries_[entry].data; }
  unsigned next() const { return next_; }  ///< the oldest pending entry, if there is one
  bool next_valid() const { return pending(entries_[next_]); }
  bool holds(std::uint32_t line) const;  ///< pending or in process
  bool in_process(std::uint32_t line) const { return in_process_entry(line).has_value(); }
  /// Entry to forward from and the sectors of `mask` it has; 0 when none. `some`: partly written ones, too.
  std::pair<unsigned, std::uint8_t> forward(std::uint32_t line, std::uint8_t mask, bool some) const;
  /// The pending entry of the line has only some bytes of a sector of `mask`.
  bool pending_some(std::uint32_t line, std::uint8_t mask) const;
  void fill(unsigned entry, const LineData& data, std::uint8_t sectors);
  void tick(const WriteReq* write, bool take, bool drop);

 private:
  struct Entry {
    bool valid = false, in_process = false;
    std::uint32_t line = 0;
    std::uint8_t mask = 0, domain = 0, some = 0;
    LineData data{};
    ByteMask bytes{};
  };
  static bool pending(const Entry& entry) { return entry.valid && !entry.in_process; }
  std::optional<unsigned> pending_entry(std::uint32_t line) const;
  std::optional<unsigned> in_process_entry(std::uint32_t line) const;
  unsigned& near(std::uint32_t line) { return near_[line % near_.size()]; }
  bool surely_not(std::uint32_t line) const { return near_[line % near_.size()] == 0; }
  std::vector<Entry> entries_;
  std::array<unsigned, 64> near_{};  ///< valid entries by the low bits of their line: most searches end here
  unsigned head_ = 0, tail_ = 0, next_ = 0, count_ = 0;
};

/// rtl/dedup/slot_groups.sv: lines that can lend their slot, by group of lines.
class SlotGroups {
 public:
  SlotGroups(unsigned line_bits, const DedupConfig& config);
  void reset();
  unsigned group(std::uint32_t line) const { return line >> bits_; }
  std::uint32_t first(unsigned group) const { return group << bits_; }
  bool clearing() const { return clear_ != 0; }
  void tick() { clear_ -= clear_ != 0; }  ///< while clearing()
  void change(std::uint32_t line, bool up);
  bool lends(std::uint32_t line) const { return lends_[line]; }
  /// The first group from `from` on, in turn, with a count above 0, and the cycles until it is found.
  std::pair<unsigned, unsigned> find(unsigned from) const;

 private:
  unsigned bits_, lanes_;
  DedupConfig config_;
  std::vector<std::uint32_t> counts_;
  std::vector<bool> lends_;  ///< not in the RTL: what the counts count
  std::size_t clear_ = 0;    ///< cycles until all counts are written
};

/// rtl/dedup/slot_alloc.sv
class SlotAlloc {
 public:
  SlotAlloc(unsigned line_bits, unsigned entries, const DedupConfig& config)
      : ring_(entries), config_(config), groups_(line_bits, config) {}
  void reset();
  void push(std::uint32_t line);
  void next();
  void lends(std::uint32_t line, bool can);
  bool searching() const { return search_ != 0; }
  bool clearing() const { return groups_.clearing(); }
  void tick();  ///< while searching() or clearing()
  std::uint32_t candidate() const { return candidate_; }
  bool scanned() const { return scanned_; }
  /// Throws std::logic_error unless the candidate can lend exactly when the reports say so.
  void check(bool can) const;

 private:
  void visit(std::uint32_t line, bool in_group);
  std::uint32_t here() const { return started_ ? scan_ : config_.total_lines - config_.spare_lines; }
  std::vector<std::uint32_t> ring_;
  DedupConfig config_;
  SlotGroups groups_;
  unsigned head_ = 0, tail_ = 0, count_ = 0;
  unsigned search_ = 0, found_ = 0;  ///< cycles until the group is found; its number
  bool started_ = false, scanned_ = false, tried_ = false, walking_ = false;
  std::uint32_t scan_ = 0, candidate_ = 0;
};

/// rtl/dedup/dedup_region.sv: one bit for each region of lines.
class RegionFilter {
 public:
  RegionFilter(unsigned line_bits, unsigned region_bits)
      : region_bits_(region_bits), bits_(region_bits ? std::size_t{1} << (line_bits - region_bits) : 0) {}
  void reset(bool fresh);
  bool clearing() const { return clear_ != 0; }
  bool maybe(std::uint32_t line) const { return clearing() || bits_[line >> region_bits_]; }
  bool setting() const { return setting_; }  ///< a line is to be set; then reads are kept away
  void set(std::uint32_t line);              ///< from the next cycle on
  void tick();

 private:
  unsigned region_bits_;
  std::vector<bool> bits_;
  std::size_t clear_ = 0;  ///< cycles until all are cleared
  bool setting_ = false, writing_ = false;
  std::uint32_t line_ = 0;
};

/// rtl/dedup/dedup_context.sv
struct Context {
  enum State { free, hold, filter, look, home, map, map_wait, intra, ref_check, ref_type, probe, probe_wait, slot };
  static constexpr std::size_t kStates = 13;
  State state = free;
  bool maybe = false;                                   ///< in state filter: its line may be mapped
  bool more = false;                                    ///< in state hold: until the second write from now is done
  bool open = false;                                    ///< ... and other writes could merge into that one
  std::uint32_t line = 0, tag = 0, value = 0, ref = 0;  // value: the map entry; ref: its slot field
  std::uint8_t mask = 0, block_mask = 0, type = 0;
  bool type_got = false, mask_got = false;
  bool mapped() const { return type == 1 || type == 2; }
  bool active() const { return state != free && state != hold; }
  bool ref_lock() const { return state == ref_type || state == probe || state == probe_wait; }
  std::uint8_t home_mask(const DedupFaults& faults) const {
    return mapped() && !faults.unmasked_from_slot ? mask & ~block_mask : mapped() ? 0 : mask;
  }
};

/// A buffered write in process: one for each entry (rtl/dedup/dedup_front.sv).
struct Flight {
  enum State { free, look, map_wait, part, read_wait, whole, skip, hash, ready };
  static constexpr std::size_t kStates = 9;
  State state = free;
  std::uint32_t map = 0;
  std::uint8_t type = 0, block_mask = 0;
  bool type_got = false, mask_got = false, intra = false, hashed = false;
  bool pass = false;     ///< goes home as it is: not hashed, and not an intra-duplicate
  bool few = false;      ///< not to be hashed: it passes if it is no intra-duplicate and has no map
  md5::Digest result{};  // digest, or the value of an intra-duplicate in its first bytes
  std::uint8_t old_mask() const { return type == 0 ? 0 : block_mask; }
};

/// What reaches a context in one cycle.
struct ContextEvents {
  enum Bit : unsigned {
    release = 1u << 0,
    meta_grant = 1u << 1,  ///< of the map, or of the type of its reference
    type_deny = 1u << 2,
    dram_grant = 1u << 3,
    intra_grant = 1u << 4,
    probe_grant = 1u << 5,
    probe_rsp = 1u << 6,
    type_rsp = 1u << 7,
    mask_rsp = 1u << 8,
    map_rsp = 1u << 9
  };
  unsigned bits = 0;
  std::uint8_t copied = 0;                    ///< with probe_rsp
  std::uint32_t type = 0, mask = 0, map = 0;  ///< with their answers
  void add(Bit bit) { bits |= bit; }
  bool has(Bit bit) const { return (bits & bit) != 0; }
};

class DedupModel final : public Dedup {
 public:
  DedupModel(const DedupParams& params, const DedupConfig& config, const DedupFaults& faults);
  void reset() override;
  void tick() override;
  bool idle() const override { return idle_; }
  std::uint64_t unseen(std::uint64_t answer, std::uint64_t round_trip) const override;
  State state() override { return {out_.offered, idle_, held_, (in_.open & in_rd) != 0}; }

 private:
  // Commits (rtl/dedup/dedup_write.sv).
  enum class Step {
    idle,
    decide,
    fetch,
    probe,
    probed,
    compared,
    old,
    lock,
    release,
    place,
    freed,
    next,
    cand,
    check,
    write,
    update,
    done
  };
  enum class Kind { intra, inter, unique, silent };
  struct Issue {  // requests issued in this cycle
    unsigned meta = 0, meta_write = 0;
    std::uint32_t index = 0;
    bool write = false, store = false, post = false, probe = false, verify = false;  // post: an insertion
    bool old = false;                                                                // a read of old sectors
    hash_store::HashStoreOp op{};
  };
  bool busy() const {
    const bool posted = faults_.drop_early && step_ == Step::done;
    return (meta_todo_ && !posted) || meta_wait_ || dram_todo_ || verify_wait_ || store_wait_ || post_todo_ ||
           probe_wait_ || region_.setting() || stalled();
  }
  /// The line of the write is mapped or intra and becomes a whole line; its lent flag may have to be looked up.
  bool grows() const {
    return (kind_ == Kind::intra || kind_ == Kind::inter) && (type_ == 1 || type_ == 2) && old_mask_ != 0xf &&
           mask() == 0xf;
  }
  /// Valid in Step::done: from now on the line can lend its slot, or cannot any more.
  bool starts_lending() const {
    return (kind_ == Kind::intra || kind_ == Kind::inter) && mask() == 0xf &&
           (type_ == 0 || (resident() && !left_) || (grows() && !(partial_left_ && lent_got_)));
  }
  bool returns() const {
    return kind_ == Kind::unique && place_ == Outcome::unique_home && (type_ == 1 || type_ == 2) && old_mask_ == 0xf;
  }
  bool stalled() const {
    return alloc_.searching() ||
           (alloc_.clearing() && (step_ == Step::freed || step_ == Step::next || step_ == Step::check ||
                                  (step_ == Step::done && (starts_lending() || returns()))));
  }
  bool mapped_out() const { return type_ == 2; }
  bool resident() const { return type_ == 3; }
  bool counted() const { return mapped_out() && old_mask_ != 0xf; }
  std::uint8_t mask() const { return old_mask_ | new_mask_; }
  std::uint8_t to_verify() const { return kind_ == Kind::silent ? new_mask_ : mask(); }
  std::uint8_t missing() const { return old_mask_ & ~new_mask_ & 0xf; }
  /// Goes home as it is.
  bool plain() const { return passes_ && !completed_; }
  bool unhashed() const { return kind_ == Kind::unique && !hashed_; }
  /// Goes home without an entry: the line is untouched from then on, whatever its mask says.
  bool forgets() const {
    return unhashed() &&
           (faults_.forget_borrowed || (place_ != Outcome::unique_kept && place_ != Outcome::unique_borrowed));
  }
  std::uint32_t map_slot() const { return map_ & line_mask_; }
  std::uint32_t slot() const { return resident() ? line_ : map_slot(); }
  bool lendable() const { return (type_got_ == 1 || type_got_ == 2) && (mask_got_ == 0xf || faults_.lend_partial); }
  std::uint8_t new_type() const;
  std::uint32_t new_map() const;
  std::uint8_t write_mask() const;
  bool conflict() const;
  bool drop_now() const { return step_ == Step::done && !busy(); }
  void complete();
  void add_old(const LineData& data, std::uint8_t mask);  // under what was written
  void refute();                                          // the hit was none: the write is unique
  Issue step(bool fetched);                               // acts when nothing is outstanding
  Step write_step(bool fetched) const;                    // where a locked or placed write goes on
  void lock(Issue& out, bool fetched);                    // goes on, or waits until no read depends on the line
  unsigned changes() const;                               // of type, mask and map
  void finish(bool answered);  // puts the event of the write on offer when its insertion is answered
  /// Wants its line from the banks: while the hash store is asked, and when that was not enough.
  bool loads() const {
    return (step_ == Step::decide || step_ == Step::fetch || (step_ == Step::lock && unhashed())) && !have_data_ &&
           !data_held_;
  }
  std::uint32_t meta_data(unsigned which) const;
  hash_store::HashStoreReq store_request_for(hash_store::HashStoreOp op) const;

  // Preparation (rtl/dedup/dedup_front.sv).
  enum class Loader { idle, load, detect, offer };
  unsigned asker() const { return params_.contexts; }          // among the requesters of a port
  unsigned committer() const { return params_.contexts + 1; }  // the last one
  unsigned commit_id() const { return params_.contexts + params_.lookups; }
  unsigned next_entry(unsigned e) const { return e + 1 == params_.buffer_entries ? 0 : e + 1; }
  std::uint8_t missing(unsigned e) const { return flights_[e].old_mask() & ~buffer_.mask(e) & 0xf; }
  /// Old sectors have to be read before the line can be hashed.
  bool lacks(unsigned e) const { return !flights_[e].pass && missing(e); }
  bool few(unsigned e) const { return config_.pass && buffer_.mask(e) != 0xf; }
  /// Not even looked at. Whether a line of few sectors is an intra-duplicate is not worth a read of its old ones.
  bool passes(unsigned e) const { return buffer_.some(e) || (few(e) && (flights_[e].type & 2) && missing(e)); }
  bool starts() const;  ///< the oldest pending write is taken in this cycle
  bool looked_up() const {
    return flights_[map_at_].state == Flight::look && flights_[map_at_].type_got && flights_[map_at_].mask_got;
  }
  bool asks_map() const {  // untouched and resident lines have none
    return looked_up() && (flights_[map_at_].type == 1 || flights_[map_at_].type == 2);
  }
  bool commits() const {
    return step_ == Step::idle && !busy() && (!posted_ || store_rsp_.taken()) && !reading_ &&
           flights_[buffer_.head()].state == Flight::ready;
  }
  bool filling() const { return reading_ && flights_[read_at_].type == 1; }
  bool any_flight(Flight::State state) const { return in_state_[state] != 0; }
  void enter(unsigned e, Flight::State state) {
    --in_state_[flights_[e].state];
    ++in_state_[flights_[e].state = state];
  }
  bool rsp_wait() const { return verify_wait_ || any_flight(Flight::read_wait); }
  void tick_front(bool start, bool commit, bool loaded, bool drop);
  void tick_loader(bool loaded);
  void tick_reader(bool commit);
  /// Nothing to do until an answer comes, or with `dram_held` until the DRAM takes what it is offered.
  bool front_waits(bool dram_held) const;
  /// No write is in the block: neither preparation nor commits have anything to do.
  bool no_writes() const {
    return buffer_.count() == 0 && step_ == Step::idle && !busy() && !posted_ && !data_held_ &&
           !(out_.offered & (offer_done | offer_hash));
  }

  // Read side and ports: each looks at this cycle's state only and notes what goes where.
  void tick_reads();  ///< all of tick() while no write is in the block
  void tick_all();
  void route_responses();
  void tick_l2();
  void tick_probe(std::uint64_t wants);
  void tick_meta_port(unsigned which, std::uint64_t wants);
  void tick_dram(std::uint64_t wants);
  void tick_contexts();
  /// The first of the contexts that were `free` at the start of the cycle takes the read.
  Context& take_read(std::uint64_t free, const ReadReq& read, std::uint8_t mask, Context::State state);
  void tick_sequencer(bool fetched);
  void open_ports();
  unsigned open_among_writes() const;
  /// Preparation and commits change something in a tick without a push; with `dram_held` unless that is because of
  /// the DRAM, which has not taken what it is offered.
  bool writes_go_on(bool dram_held) const;

  DedupParams params_;
  DedupConfig config_;
  DedupFaults faults_;
  std::uint32_t line_mask_, max_count_;
  WriteBuffer buffer_;
  SlotAlloc alloc_;
  RegionFilter region_;
  std::vector<Context> contexts_;
  std::vector<ContextEvents> events_;
  std::uint64_t touched_ = 0;  ///< contexts that something reaches in this cycle; the events of others are old
  ContextEvents& event(unsigned context) {
    const std::uint64_t bit = std::uint64_t{1} << context;
    ContextEvents& out = events_[context];
    if (!(touched_ & bit)) out.bits = 0;
    touched_ |= bit;
    return out;
  }
  /// The contexts by what they want in this cycle, bit = number. In `look` a context wants the type and the mask
  /// until it is granted them, and to step when both have come; in another state, one thing or nothing.
  enum Want : unsigned {
    want_read,
    want_type,
    want_mask,
    want_map,
    want_dram,
    want_intra,
    want_probe,
    want_step,
    want_nothing,
    kWants
  };
  std::array<std::uint64_t, kWants> wants_{};
  std::uint64_t all_contexts_;
  std::uint64_t open_holds_ = 0;  ///< contexts that hold and are Context::open
  std::uint64_t mapped_ = 0;      ///< contexts whose line is mapped or intra; old bits of those that are free
  void enter(unsigned context, Context::State state);

  /// Bits of `in_`: bit k is meta_rsp(k), then these. Those of `out_` are those of State::offers.
  enum In : unsigned {
    in_metas = (1u << kMetas) - 1,
    in_rd = 1u << kMetas,
    in_wr = 2u << kMetas,
    in_dram_rsp = 4u << kMetas,
    in_hash_rsp = 8u << kMetas,
    in_store_rsp = 16u << kMetas,
    in_probe_rsp = 32u << kMetas
  };
  InletBits in_;
  OutletBits out_;
  unsigned gone_ = 0;     ///< offers that were taken in this cycle
  bool l2_free_ = false;  ///< nothing was on offer: a reply is never replaced in the cycle in which it is taken
  Inlet<ReadReq> rd_{in_, in_rd};
  Inlet<WriteReq> wr_{in_, in_wr};
  Inlet<DramRsp> dram_rsp_{in_, in_dram_rsp};
  Inlet<md5::LineHashRsp> hash_rsp_{in_, in_hash_rsp};
  Inlet<hash_store::HashStoreRsp> store_rsp_{in_, in_store_rsp};
  Inlet<ProbeRsp> probe_rsp_{in_, in_probe_rsp};
  std::array<Inlet<metadata_cache::MetaRsp>, kMetas> meta_rsp_{{{in_, 1}, {in_, 2}, {in_, 4}, {in_, 8}}};
  Outlet<L2Rsp> l2_{out_, offer_l2};
  Outlet<DramReq> dram_{out_, offer_dram};
  Outlet<md5::LineHashReq> hash_{out_, offer_hash};
  Outlet<hash_store::HashStoreReq> store_{out_, offer_store};
  Outlet<ProbeReq> probe_{out_, offer_probe};
  Outlet<DoneEvent> done_{out_, offer_done};
  std::array<Outlet<metadata_cache::MetaReq>, kMetas> meta_req_{{{out_, 1}, {out_, 2}, {out_, 4}, {out_, 8}}};
  std::array<Pick, kMetas> meta_pick_;
  Pick dram_pick_, probe_pick_, intra_pick_;

  // Forward stage.
  bool fwd_valid_ = false;
  std::uint8_t fwd_mask_ = 0;
  std::uint32_t fwd_tag_ = 0;
  LineData bank_{};  // output of the banks
  struct Fill {      // what is written to the banks beside the L2's writes
    unsigned entry;
    LineData data;
    std::uint8_t sectors;
  };
  std::optional<Fill> fill_;

  // Preparation.
  std::vector<Flight> flights_;
  std::array<unsigned, Flight::kStates> in_state_{};  ///< how many of them
  unsigned asking_ = 0, ask_at_ = 0;                  ///< type and mask of entry ask_at_ are still to be asked for
  unsigned map_at_ = 0;                               ///< the oldest entry whose map may have to be asked for
  std::array<std::uint32_t, kMetas> front_rsp_{};
  std::array<unsigned, kMetas> front_id_{};
  unsigned answered_ = 0;  ///< ports whose front_rsp_ is of this cycle
  unsigned asked_ = 0;     ///< granted in this cycle
  bool reading_ = false, read_granted_ = false;
  unsigned read_at_ = 0, detect_at_ = 0, digest_at_ = 0, hashing_ = 0;
  Loader loader_ = Loader::idle;
  bool turn_ = false;    ///< while data of dedup reads are awaited: the banks' write port is theirs
  bool missed_ = false;  ///< such data were offered and not taken: the turn stays once they are offered no more

  // Sequencer registers.
  Step step_ = Step::idle;
  Kind kind_ = Kind::unique;
  Outcome place_{};
  std::uint32_t line_ = 0, target_ = 0, hit_ref_ = 0, hit_index_ = 0, map_ = 0, partial_ = 0;
  std::uint8_t new_mask_ = 0, old_mask_ = 0, type_ = 0, domain_ = 0;
  std::uint8_t copied_ = 0;  ///< sectors compared with the L2 copy of the reference
  bool differs_ = false;     ///< a compared sector is not the line's
  bool have_data_ = false;   ///< data_ is the line's, or will be after this cycle:
  bool loaded_ = false;      ///< bank_ has the line
  bool data_held_ = false;   ///< data_ is on offer to the DRAM
  bool verifying_ = false;
  std::uint32_t value_ = 0;  ///< of an intra-duplicate
  LineData data_{};
  ByteMask bytes_{}, bank_bytes_{};
  bool hashed_ = false;                      ///< has a fingerprint
  bool passes_ = false, completed_ = false;  ///< completed_: data_ has every byte of the line's sectors
  bool completing_ = false;
  bool arriving_ = false;                                    ///< data_ comes in this cycle
  std::uint8_t some_ = 0;                                    ///< partly written sectors
  std::uint8_t old_value_ = 0;                               ///< old sectors of an intra line
  std::uint8_t old_slot_ = 0, old_home_ = 0, old_read_ = 0;  ///< to be read from the slot, at home; being read
  bool old_at_home_ = false;
  md5::Digest digest_{};
  bool partial_left_ = false;  ///< a partly written line left its home to others since the reset
  bool insert_ = false, left_ = false, freed_ = false;
  bool region_issued_ = false;  ///< the region of line_ is to be set
  DoneEvent flags_;             ///< with the sectors read
  std::uint8_t type_got_ = 0, mask_got_ = 0;
  bool lent_got_ = false;
  hash_store::HashStoreRsp got_;
  unsigned meta_todo_ = 0, meta_wait_ = 0, meta_write_ = 0;
  std::uint32_t meta_index_ = 0;
  bool lent_data_ = false, dram_todo_ = false, dram_write_ = false, dram_old_ = false, dram_seq_ = false,
       verify_wait_ = false;
  bool store_wait_ = false, probe_todo_ = false, probe_wait_ = false;
  bool post_todo_ = false, posted_ = false;  ///< an insertion is to be taken, is to be answered
  hash_store::HashStoreRsp post_got_;
  std::optional<DoneEvent> event_;  ///< of a write that is done; its insertion may have to be answered
  bool event_inserts_ = false;
  // This cycle's answers to the sequencer.
  unsigned seq_grant_ = 0, seq_rsp_ = 0;
  bool seq_dram_grant_ = false, seq_dram_taken_ = false, seq_probe_grant_ = false;
  bool idle_ = true, held_ = false;
  bool reads_only_ = true;  ///< no_writes() after the last tick: the write side takes a write and wants nothing
};

}  // namespace warpsieve::dedup
