#include "blocks/dedup/dedup_model.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace warpsieve::dedup {

DedupModel::DedupModel(const DedupParams& params, const DedupConfig& config, const DedupFaults& faults)
    : params_(params), config_(config), faults_(faults), line_mask_((1u << params.line_bits) - 1),
      max_count_((1u << params.count_bits) - 1), buffer_(params.buffer_entries),
      alloc_(params.line_bits, params.free_entries, config),
      region_(params.line_bits, config.region ? params.region_bits : 0), contexts_(params.contexts),
      events_(params.contexts), flights_(params.buffer_entries) {
  if (params.contexts > 60) throw std::invalid_argument("dedup: the model has at most 60 contexts");
  all_contexts_ = (std::uint64_t{1} << params.contexts) - 1;
  connect_ports(*this, rd_, wr_, l2_, dram_, dram_rsp_, meta_req_[meta_type], meta_req_[meta_mask],
                meta_req_[meta_map], meta_req_[meta_lent], meta_rsp_[meta_type], meta_rsp_[meta_mask],
                meta_rsp_[meta_map], meta_rsp_[meta_lent], hash_, hash_rsp_, store_, store_rsp_, probe_, probe_rsp_,
                done_);
  reset();
}

void DedupModel::reset() {
  buffer_.reset();
  alloc_.reset();
  region_.reset(config_.fresh);
  for (Context& c : contexts_) c.state = Context::free;
  for (Flight& f : flights_) f.state = Flight::free;
  in_state_ = {};
  in_state_[Flight::free] = params_.buffer_entries;
  asking_ = ask_at_ = map_at_ = read_at_ = detect_at_ = digest_at_ = hashing_ = 0;
  reading_ = false;
  loader_ = Loader::idle;
  turn_ = missed_ = false;
  fill_.reset();
  in_ = {};
  out_ = {};
  for (Pick& pick : meta_pick_) pick.last = 0;
  dram_pick_.last = probe_pick_.last = intra_pick_.last = 0;
  fwd_valid_ = false;
  step_ = Step::idle;
  meta_todo_ = meta_wait_ = 0;
  post_todo_ = posted_ = false;
  event_.reset();
  dram_todo_ = verify_wait_ = store_wait_ = probe_todo_ = probe_wait_ = data_held_ = loaded_ = false;
  partial_ = 0;
  partial_left_ = false;
  open_holds_ = 0;
  reads_only_ = true;
  wants_ = {};
  wants_[want_read] = all_contexts_;
  mapped_ = 0;
  open_ports();
}

unsigned DedupModel::open_among_writes() const {
  const bool data = rsp_wait() && turn_ && !filling();
  unsigned open = 0;
  if (loader_ == Loader::idle && !loads()) open |= in_rd;
  if (data) open |= in_dram_rsp;
  if (!buffer_.full() && !filling() && !data && (!open_holds_ || faults_.merge_under_read)) open |= in_wr;
  if (flights_[digest_at_].state == Flight::hash && loader_ != Loader::detect) open |= in_hash_rsp;
  if (store_wait_ || posted_) open |= in_store_rsp;
  return open;
}

void DedupModel::open_ports() {
  unsigned open = in_metas | in_probe_rsp | (reads_only_ ? in_rd | in_wr : open_among_writes());
  if (!wants_[want_read] || fwd_valid_ || (region_.setting() && !region_.clearing())) open &= ~unsigned{in_rd};
  if (out_.offered & offer_l2) open &= ~unsigned{in_probe_rsp};
  in_.open = open;
  idle_ = held_ = false;
  if (region_.clearing() || alloc_.clearing()) return;
  if (out_.offered & ~unsigned{offer_dram} || fwd_valid_ ||
      wants_[want_type] | wants_[want_mask] | wants_[want_map] | wants_[want_intra] | wants_[want_probe] |
          wants_[want_step])
    return;
  const bool dram_held = out_.offered;
  const bool waits = (dram_held || !wants_[want_dram]) && (reads_only_ || !writes_go_on(dram_held));
  (dram_held ? held_ : idle_) = waits;
}

/// Reads of lines that are neither mapped nor intra show themselves at the DRAM port only; until then the block or
/// its metadata caches are not idle.
std::uint64_t DedupModel::unseen(std::uint64_t answer, std::uint64_t round_trip) const {
  constexpr unsigned expected = offer_dram | ((1u << kMetas) - 1);
  if (!reads_only_ || region_.clearing() || alloc_.clearing() || fwd_valid_ || out_.offered & ~expected) return 0;
  const std::uint64_t reads = all_contexts_ & ~wants_[want_read];
  if (!reads || mapped_ & reads) return 0;
  // One that turns out to be mapped asks for its map first.
  if (out_.offered & offer_dram) return answer + round_trip;
  // The tick that puts a request on offer also frees a context: it is seen at once when there was none.
  const std::uint64_t last = wants_[want_read] ? 1 : 0;
  if (wants_[want_dram]) return last;
  return wants_[want_step] ? 1 + last : answer + 2 + last;
}

void DedupModel::tick() {
  if ((idle_ || held_) && !(in_.pushed | out_.popped)) return;
  const bool searching = alloc_.searching();
  touched_ = 0;
  l2_free_ = l2_.free();
  gone_ = out_.settle();
  if (in_.pushed & in_metas) route_responses();
  if (reads_only_)
    tick_reads();
  else
    tick_all();
  if (region_.clearing() || region_.setting()) region_.tick();
  if (alloc_.clearing() || searching) alloc_.tick();
  if (region_issued_) region_.set(line_);
  region_issued_ = false;
  in_.pushed = in_.missed = 0;
  open_ports();
}

void DedupModel::tick_reads() {
  if (wants_[want_type]) tick_meta_port(meta_type, wants_[want_type]);
  if (wants_[want_mask]) tick_meta_port(meta_mask, wants_[want_mask]);
  if (wants_[want_map]) tick_meta_port(meta_map, wants_[want_map]);
  if (wants_[want_dram] && dram_.free()) tick_dram(wants_[want_dram]);
  if (wants_[want_intra] || fwd_valid_ || (in_.pushed & in_probe_rsp)) tick_l2();
  if (wants_[want_probe]) tick_probe(wants_[want_probe]);
  const std::uint64_t free = wants_[want_read];
  tick_contexts();
  if (const ReadReq* read = rd_.taken()) take_read(free, *read, read->mask, Context::look);
  turn_ = missed_ = false;
  if (const WriteReq* write = wr_.taken()) {
    buffer_.tick(write, false, false);
    reads_only_ = false;
  }
}

void DedupModel::tick_all() {
  const bool drop = drop_now(), start = starts(), commit = commits();
  const std::uint32_t dropped = line_;
  const unsigned loaded_entry = detect_at_;
  const bool fetch = loads();
  const bool fetched = fetch && !fwd_valid_ && loader_ != Loader::detect && loader_ != Loader::offer;
  const bool loaded = loader_ == Loader::load && !fetch && !fwd_valid_;
  const bool offered = (in_.pushed | in_.missed) & in_dram_rsp;
  const bool turn = rsp_wait() && (!turn_ || (missed_ && !offered));
  const bool missed = rsp_wait() && (offered ? (in_.missed & in_dram_rsp) != 0 : missed_);
  seq_dram_taken_ = (gone_ & offer_dram) && dram_seq_;

  const ReadReq* read = rd_.taken();
  unsigned entry = 0;
  std::uint8_t forward_mask = 0;
  bool older = false, some = false;  // waits for the write in process, for the pending one
  if (read) {
    std::tie(entry, forward_mask) = buffer_.forward(read->line, read->mask, faults_.forward_some_bytes);
    older = buffer_.in_process(read->line) && !(drop && dropped == read->line) && !faults_.skip_hold;
    some = buffer_.pending_some(read->line, read->mask) && !faults_.overtake_bytes;
  }

  std::array<std::uint64_t, kMetas> asking{wants_[want_type], wants_[want_mask], wants_[want_map], 0};
  const unsigned askers = asking_ | unsigned{asks_map()} << meta_map;
  for (unsigned which = 0; which < kMetas; ++which) {
    asking[which] |= std::uint64_t{askers >> which & 1} << asker() | std::uint64_t{meta_todo_ >> which & 1}
                                                                         << committer();
    tick_meta_port(which, asking[which]);
  }
  tick_dram(wants_[want_dram] | std::uint64_t{reading_ && !filling()} << asker() |
            std::uint64_t{dram_todo_} << committer());
  tick_l2();
  tick_probe(wants_[want_probe] | std::uint64_t{params_.verify && probe_todo_} << params_.contexts);
  const std::uint64_t free = wants_[want_read];
  for (std::uint64_t bits = drop ? all_contexts_ & ~free : 0; bits; bits &= bits - 1) {
    const auto k = static_cast<unsigned>(std::countr_zero(bits));
    if (contexts_[k].line == dropped || faults_.release_any) event(k).add(ContextEvents::release);
  }
  const std::uint32_t started = buffer_.line(buffer_.next());
  for (std::uint64_t bits = start ? open_holds_ : 0; bits; bits &= bits - 1) {
    const auto k = static_cast<unsigned>(std::countr_zero(bits));
    if (contexts_[k].line == started) open_holds_ &= ~(bits & -bits);
  }
  tick_sequencer(fetched);
  tick_front(start, commit, loaded, drop);
  seq_grant_ = seq_rsp_ = asked_ = answered_ = 0;
  seq_dram_grant_ = seq_probe_grant_ = read_granted_ = false;
  tick_contexts();

  if (forward_mask) {
    fwd_valid_ = true;
    fwd_mask_ = forward_mask;
    fwd_tag_ = read->tag;
    bank_ = buffer_.data(entry);
  } else if (fetched) {
    bank_ = buffer_.data(buffer_.head());
    bank_bytes_ = buffer_.bytes(buffer_.head());
  } else if (loaded) {
    bank_ = buffer_.data(loaded_entry);
  }
  if (read && read->mask != forward_mask) {
    Context& c = take_read(free, *read, read->mask & ~forward_mask, older || some ? Context::hold : Context::look);
    c.more = older && some;
    if (some && !(start && started == read->line)) open_holds_ |= free & -free;
  }
  if (fill_) buffer_.fill(fill_->entry, fill_->data, fill_->sectors);
  fill_.reset();
  if (wr_.taken() || start || drop) buffer_.tick(wr_.taken(), start, drop);
  turn_ = turn;
  missed_ = missed;
  reads_only_ = no_writes();
}

void DedupModel::route_responses() {
  for (unsigned bits = in_.pushed & in_metas; bits; bits &= bits - 1) {
    const auto which = static_cast<unsigned>(std::countr_zero(bits));
    const metadata_cache::MetaRsp* rsp = meta_rsp_[which].taken();
    if (rsp->id >= commit_id()) {  // a write's answer says nothing
      if (rsp->id == commit_id()) seq_rsp_ |= 1u << which;
      continue;
    }
    if (rsp->id >= params_.contexts) {
      answered_ |= 1u << which;
      front_rsp_[which] = rsp->data;
      front_id_[which] = rsp->id - params_.contexts;
      continue;
    }
    ContextEvents& reached = event(rsp->id);
    if (which == meta_type) {
      reached.add(ContextEvents::type_rsp);
      reached.type = rsp->data;
    } else if (which == meta_mask) {
      reached.add(ContextEvents::mask_rsp);
      reached.mask = rsp->data;
    } else {
      reached.add(ContextEvents::map_rsp);
      reached.map = rsp->data;
    }
  }
}

void DedupModel::tick_meta_port(unsigned which, std::uint64_t wants) {
  auto& port = meta_req_[which];
  if (!wants || !port.free()) return;
  const unsigned pick = meta_pick_[which].choose(wants);
  meta_pick_[which].last = pick;
  if (pick == committer()) {
    seq_grant_ |= 1u << which;
    const bool write = meta_write_ >> which & 1;
    return port.load({write, meta_index_, write ? meta_data(which) : 0, commit_id() + write});
  }
  if (pick == asker()) {
    asked_ |= 1u << which;
    const unsigned entry = which == meta_map ? map_at_ : ask_at_;
    return port.load({false, buffer_.line(entry), 0, params_.contexts + entry % params_.lookups});
  }
  const Context& c = contexts_[pick];
  if (c.state == Context::look) {
    wants_[which == meta_type ? want_type : want_mask] &= ~(std::uint64_t{1} << pick);
    return port.load({false, c.line, 0, pick});
  }
  ContextEvents& reached = event(pick);
  reached.add(ContextEvents::meta_grant);
  const bool of_ref = c.state == Context::ref_check;
  if (of_ref && !faults_.car_ignores_buffer && buffer_.holds(c.ref)) return reached.add(ContextEvents::type_deny);
  port.load({false, of_ref ? c.ref : c.line, 0, pick});
}

void DedupModel::tick_dram(std::uint64_t wants) {
  if (!wants || !dram_.free()) return;
  const unsigned pick = dram_pick_.choose(wants);
  dram_pick_.last = pick;
  dram_seq_ = pick == committer() && dram_write_;
  DramReq& req = dram_.load();
  if (pick == committer()) {
    seq_dram_grant_ = true;
    if (dram_write_) {
      const bool all = !plain() || faults_.write_all_bytes;
      req = {DramKind::write, target_, write_mask(), 0,
             all ? masked(data_, write_mask()) : masked(data_, write_mask(), bytes_)};
      for (unsigned s = 0; s < 4; ++s)
        if (!all && (write_mask() >> s & 1)) req.bytes[s] = bytes_[s];
    } else if (dram_old_)
      req = {DramKind::dedup_read, old_at_home_ ? line_ : slot(), old_read_, params_.buffer_entries, {}};
    else
      req = {DramKind::verify_read, hit_ref_, flags_.verify_read, params_.buffer_entries, {}};
  } else if (pick == asker()) {
    const Flight& f = flights_[read_at_];
    read_granted_ = true;
    req = {DramKind::dedup_read,
           f.type == 3 ? buffer_.line(read_at_) : f.map & line_mask_,
           missing(read_at_),
           read_at_,
           {}};
  } else {
    const Context& c = contexts_[pick];
    event(pick).add(ContextEvents::dram_grant);
    if (c.state == Context::slot)
      req = {DramKind::slot_read, c.ref, c.mask, c.tag, {}};
    else
      req = {DramKind::home_read, c.line, c.home_mask(faults_), c.tag, {}};
  }
}

void DedupModel::tick_l2() {
  if (const ProbeRsp* rsp = probe_rsp_.taken()) {
    if (rsp->id == params_.contexts) return;
    const Context& c = contexts_.at(rsp->id);
    ContextEvents& reached = event(rsp->id);
    reached.add(ContextEvents::probe_rsp);
    // The copy is dropped when R has a newer write on its way: the L2 may hold that one already.
    const bool newer = buffer_.holds(c.ref) && !faults_.car_ignores_late_write;
    reached.copied = newer ? 0 : rsp->mask & c.mask;
    if (reached.copied) l2_.load({c.tag, reached.copied, Source::copy, masked(rsp->data, reached.copied)});
  } else if (l2_free_) {
    if (wants_[want_intra]) {
      const unsigned pick = intra_pick_.choose(wants_[want_intra]);
      const Context& c = contexts_[pick];
      intra_pick_.last = pick;
      event(pick).add(ContextEvents::intra_grant);
      LineData data;
      for (unsigned b = 0; b < data.size(); ++b) data[b] = static_cast<std::uint8_t>(c.value >> (8 * (b % 4)));
      l2_.load({c.tag, c.mask, Source::intra, masked(data, c.mask)});
    } else if (fwd_valid_) {
      fwd_valid_ = false;
      l2_.load({fwd_tag_, fwd_mask_, Source::forward, masked(bank_, fwd_mask_)});
    }
  }
}

void DedupModel::tick_probe(std::uint64_t wants) {
  if (!wants || !probe_.free()) return;
  const unsigned pick = probe_pick_.choose(wants);
  probe_pick_.last = pick;
  seq_probe_grant_ = pick == params_.contexts;
  if (seq_probe_grant_) return probe_.load({hit_ref_, to_verify(), params_.contexts});
  const Context& c = contexts_[pick];
  event(pick).add(ContextEvents::probe_grant);
  probe_.load({c.ref, c.mask, pick});
}

void DedupModel::enter(unsigned context, Context::State state) {
  using C = Context;
  static constexpr auto want_in = [] {
    std::array<Want, C::kStates> want{};
    want.fill(want_nothing);
    want[C::free] = want_read;
    want[C::ref_check] = want_type;
    want[C::map] = want_map;
    want[C::home] = want[C::slot] = want_dram;
    want[C::intra] = want_intra;
    want[C::filter] = want_step;
    want[C::probe] = want_probe;
    return want;
  }();
  const std::uint64_t bit = std::uint64_t{1} << context;
  Context& c = contexts_[context];
  wants_[want_in[c.state]] &= ~bit;
  wants_[want_in[state]] |= bit;
  if (state == C::look) {
    wants_[want_type] |= bit;
    wants_[want_mask] |= bit;
  }
  c.state = state;
}

Context& DedupModel::take_read(std::uint64_t free, const ReadReq& read, std::uint8_t mask, Context::State state) {
  const auto context = static_cast<unsigned>(std::countr_zero(free));
  Context& c = contexts_[context];
  c = {.line = read.line, .tag = read.tag, .mask = mask};
  mapped_ &= ~(std::uint64_t{1} << context);
  if (state == Context::look && config_.region) {
    c.maybe = region_.maybe(read.line);
    state = Context::filter;
  }
  enter(context, state);
  return c;
}

void DedupModel::tick_contexts() {
  using E = ContextEvents;
  std::uint64_t which = touched_ | std::exchange(wants_[want_step], 0);
  for (; which; which &= which - 1) {
    const auto k = static_cast<unsigned>(std::countr_zero(which));
    Context& c = contexts_[k];
    const E& event = this->event(k);
    switch (c.state) {
      case Context::free: break;
      case Context::hold:
        if (event.has(E::release) && !std::exchange(c.more, false)) enter(k, Context::look);
        break;
      case Context::filter: enter(k, c.maybe ? Context::look : Context::home); break;
      case Context::look:
        if (c.type_got && c.mask_got) {
          enter(k, c.home_mask(faults_) ? Context::home : Context::map);
          break;
        }
        if (event.has(E::type_rsp)) {
          c.type = static_cast<std::uint8_t>(event.type);
          c.type_got = true;
        }
        if (event.has(E::mask_rsp)) {
          c.block_mask = static_cast<std::uint8_t>(event.mask);
          c.mask_got = true;
        }
        if (!c.type_got || !c.mask_got) break;
        wants_[want_step] |= which & -which;
        if (c.mapped()) mapped_ |= which & -which;
        break;
      case Context::home:
        if (!event.has(E::dram_grant)) break;
        c.mask &= ~c.home_mask(faults_);
        enter(k, c.mask ? Context::map : Context::free);
        break;
      case Context::map:
        if (event.has(E::meta_grant)) enter(k, Context::map_wait);
        break;
      case Context::map_wait:
        if (!event.has(E::map_rsp)) break;
        c.value = event.map;
        c.ref = c.value & line_mask_;
        enter(k, c.type == 1 ? Context::intra : config_.car ? Context::ref_check : Context::slot);
        break;
      case Context::intra:
        if (event.has(E::intra_grant)) enter(k, Context::free);
        break;
      case Context::ref_check:
        if (event.has(E::meta_grant)) enter(k, event.has(E::type_deny) ? Context::slot : Context::ref_type);
        break;
      case Context::ref_type:
        if (event.has(E::type_rsp))
          enter(k, event.type == 3 || faults_.car_ignores_type ? Context::probe : Context::slot);
        break;
      case Context::probe:
        if (event.has(E::probe_grant)) enter(k, Context::probe_wait);
        break;
      case Context::probe_wait:
        if (!event.has(E::probe_rsp)) break;
        c.mask &= ~event.copied;
        enter(k, c.mask ? Context::slot : Context::free);
        break;
      case Context::slot:
        if (event.has(E::dram_grant)) enter(k, Context::free);
        break;
    }
  }
}

bool DedupModel::conflict() const {
  return std::any_of(contexts_.begin(), contexts_.end(), [&](const Context& c) {
    return (c.active() && c.line == line_ && !faults_.skip_lock) ||
           (c.ref_lock() && c.ref == line_ && !faults_.skip_ref_lock);
  });
}

bool DedupModel::writes_go_on(bool dram_held) const {
  return loaded_ || loads() || meta_todo_ || (dram_todo_ && !dram_held) || probe_todo_ || !front_waits(dram_held) ||
         region_.setting() || alloc_.searching() || commits() || (!busy() && step_ != Step::idle);
}

}  // namespace warpsieve::dedup
