#include "blocks/dedup/dedup_model.h"

#include <algorithm>
#include <stdexcept>

namespace warpsieve::dedup {

namespace {
void copy_sectors(LineData& to, const LineData& from, unsigned mask) {
  for (unsigned s = 0; s < 4; ++s) {
    if (mask >> s & 1) std::copy_n(from.begin() + 32 * s, 32, to.begin() + 32 * s);
  }
}
}  // namespace

LineData masked(const LineData& data, unsigned mask) {
  LineData out{};
  copy_sectors(out, data, mask);
  return out;
}

// ---- write buffer -------------------------------------------------------------------------------

void WriteBuffer::reset() {
  for (Entry& entry : entries_) entry.valid = entry.in_process = false;
  near_ = {};
  head_ = tail_ = next_ = count_ = 0;
}

bool WriteBuffer::holds(std::uint32_t line) const {
  if (surely_not(line)) return false;
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.valid && e.line == line; });
}

std::optional<unsigned> WriteBuffer::pending_entry(std::uint32_t line) const {
  if (surely_not(line)) return std::nullopt;
  for (unsigned e = 0; e < entries_.size(); ++e) {
    if (pending(entries_[e]) && entries_[e].line == line) return e;
  }
  return std::nullopt;
}

std::optional<unsigned> WriteBuffer::in_process_entry(std::uint32_t line) const {
  if (surely_not(line)) return std::nullopt;
  for (unsigned e = 0; e < entries_.size(); ++e) {
    if (entries_[e].in_process && entries_[e].line == line) return e;
  }
  return std::nullopt;
}

std::pair<unsigned, std::uint8_t> WriteBuffer::forward(std::uint32_t line, std::uint8_t mask) const {
  if (const auto e = pending_entry(line)) return {*e, mask & entries_[*e].mask};
  if (const auto e = in_process_entry(line)) return {*e, mask & entries_[*e].mask};
  return {0, 0};
}

void WriteBuffer::fill(unsigned entry, const LineData& data, std::uint8_t sectors) {
  copy_sectors(entries_[entry].data, data, sectors);
}

void WriteBuffer::tick(const std::optional<WriteReq>& write, bool take, bool drop) {
  if (write) {
    const auto merge = pending_entry(write->line);
    Entry& entry = entries_[merge ? *merge : tail_];
    copy_sectors(entry.data, write->data, write->mask);
    entry.domain = write->domain;
    if (merge) {
      entry.mask |= write->mask;
    } else {
      entry.valid = true;
      entry.line = write->line;
      entry.mask = write->mask;
      ++near(entry.line);
      tail_ = (tail_ + 1) % entries_.size();
      ++count_;
    }
  }
  if (take) {
    entries_[next_].in_process = true;
    next_ = (next_ + 1) % entries_.size();
  }
  if (drop) {
    entries_[head_].valid = entries_[head_].in_process = false;
    --near(entries_[head_].line);
    head_ = (head_ + 1) % entries_.size();
    --count_;
  }
}

// ---- slot allocator -----------------------------------------------------------------------------

void SlotAlloc::reset() {
  head_ = tail_ = count_ = 0;
  started_ = false;
}

void SlotAlloc::push(std::uint32_t line) {
  if (count_ == ring_.size()) return;
  ring_[tail_] = line;
  tail_ = (tail_ + 1) % ring_.size();
  ++count_;
}

void SlotAlloc::next() {
  scanned_ = count_ == 0;
  if (scanned_) {
    candidate_ = started_ ? scan_ : config_.total_lines - config_.spare_lines;
    scan_ = candidate_ + 1 >= config_.total_lines ? 0 : candidate_ + 1;
    started_ = true;
  } else {
    candidate_ = ring_[head_];
    head_ = (head_ + 1) % ring_.size();
    --count_;
  }
}

// ---- unit ---------------------------------------------------------------------------------------

DedupModel::DedupModel(const DedupParams& params, const DedupConfig& config, const DedupFaults& faults)
    : params_(params), config_(config), faults_(faults), line_mask_((1u << params.line_bits) - 1),
      index_mask_((1u << params.index_bits) - 1), max_count_((1u << params.count_bits) - 1),
      buffer_(params.buffer_entries), alloc_(params.free_entries, config), contexts_(params.contexts),
      events_(params.contexts), flights_(params.buffer_entries) {
  if (params.contexts > 60) throw std::invalid_argument("dedup: the model has at most 60 contexts");
  all_contexts_ = (std::uint64_t{1} << params.contexts) - 1;
  reset();
}

void DedupModel::reset() {
  buffer_.reset();
  alloc_.reset();
  for (Context& c : contexts_) c.state = Context::free;
  for (Flight& f : flights_) f.state = Flight::free;
  in_state_ = {};
  in_state_[Flight::free] = params_.buffer_entries;
  asking_ = ask_at_ = map_at_ = read_at_ = detect_at_ = digest_at_ = hashing_ = 0;
  reading_ = false;
  loader_ = Loader::idle;
  turn_ = false;
  fill_.reset();
  rd_.clear();
  wr_.clear();
  dram_rsp_.clear();
  hash_rsp_.clear();
  store_rsp_.clear();
  probe_rsp_.clear();
  l2_ = {};
  dram_ = {};
  hash_ = {};
  store_ = {};
  probe_ = {};
  done_ = {};
  for (unsigned k = 0; k < kMetas; ++k) {
    meta_rsp_[k].clear();
    meta_req_[k] = {};
    meta_pick_[k].last = 0;
  }
  dram_pick_.last = probe_pick_.last = intra_pick_.last = 0;
  fwd_valid_ = false;
  step_ = Step::idle;
  meta_todo_ = meta_wait_ = 0;
  dram_todo_ = verify_wait_ = store_wait_ = probe_todo_ = probe_wait_ = data_held_ = loaded_ = false;
  partial_ = 0;
  reads_only_ = true;
  note_wants(all_contexts_);
  open_ports();
}

void DedupModel::open_ports() {
  const bool context_free = wants_.free != 0;
  if (reads_only_) {
    rd_.open = context_free && !fwd_valid_;
    wr_.open = true;
    dram_rsp_.open = hash_rsp_.open = store_rsp_.open = false;
  } else {
    rd_.open = context_free && !fwd_valid_ && loader_ == Loader::idle && !loads();
    dram_rsp_.open = rsp_wait() && turn_ && !filling();
    wr_.open = !buffer_.full() && !filling() && !dram_rsp_.open;
    hash_rsp_.open = flights_[digest_at_].state == Flight::hash && loader_ != Loader::detect;
    store_rsp_.open = store_wait_;
  }
  probe_rsp_.open = !l2_.item;
  for (auto& port : meta_rsp_) port.open = true;
  offers_ = 0;
  for (unsigned k = 0; k < kMetas; ++k) offers_ |= unsigned{meta_req_[k].item.has_value()} << k;
  if (l2_.item) offers_ |= offer_l2;
  if (dram_.item) offers_ |= offer_dram;
  if (hash_.item) offers_ |= offer_hash;
  if (store_.item) offers_ |= offer_store;
  if (probe_.item) offers_ |= offer_probe;
  if (done_.item) offers_ |= offer_done;
  idle_ = offers_ == 0 && nothing_to_do(false);
  held_ = offers_ == offer_dram && nothing_to_do(true);
}

bool DedupModel::offered() const {
  return rd_.taken() || wr_.taken() || dram_rsp_.taken() || hash_rsp_.taken() || store_rsp_.taken() ||
         probe_rsp_.taken() ||
         std::any_of(meta_rsp_.begin(), meta_rsp_.end(), [](const auto& port) { return port.taken().has_value(); });
}

void DedupModel::tick() {
  if ((idle_ || (held_ && !dram_.popped())) && !offered()) return;
  const std::optional<ReadReq>& read = rd_.taken();
  const bool reads_only = reads_only_;
  bool drop = false, start = false, commit = false, fetched = false, loaded = false, turn = false;
  std::uint32_t dropped = 0;
  const unsigned loaded_entry = detect_at_;
  if (!reads_only) {
    drop = drop_now();
    dropped = line_;
    start = starts();
    commit = commits();
    const bool fetch = loads();
    fetched = fetch && !fwd_valid_ && loader_ != Loader::detect && loader_ != Loader::offer;
    loaded = loader_ == Loader::load && !fetch && !fwd_valid_;
    turn = rsp_wait() && !turn_;
  }
  touched_ = 0;
  seq_grant_ = seq_rsp_ = 0;

  unsigned entry = 0;
  std::uint8_t forward_mask = 0, rest = 0;
  if (read) {
    std::tie(entry, forward_mask) = buffer_.forward(read->line, read->mask);
    rest = read->mask & ~forward_mask;
    if (rest) {
      ContextEvents& reached = event(static_cast<unsigned>(std::countr_zero(wants_.free)));
      reached.add(ContextEvents::alloc);
      if (buffer_.in_process(read->line) && !(drop && dropped == read->line) && !faults_.skip_hold)
        reached.add(ContextEvents::alloc_hold);
    }
  }

  route_responses();
  std::array<std::uint64_t, kMetas> asking{wants_.type, wants_.mask, wants_.map, 0};
  if (!reads_only) {
    const unsigned askers = asking_ | unsigned{asks_map()} << meta_map;
    for (unsigned which = 0; which < kMetas; ++which)
      asking[which] |= std::uint64_t{askers >> which & 1} << asker() | std::uint64_t{meta_todo_ >> which & 1}
                                                                           << committer();
  }
  for (unsigned which = 0; which < kMetas; ++which) {
    const std::uint64_t wants = asking[which];
    if (wants && meta_req_[which].free())
      tick_meta_port(which, wants);
    else
      meta_req_[which].settle(false);
  }
  tick_dram();
  tick_l2();
  tick_probe();
  for (std::uint64_t bits = drop ? all_contexts_ & ~wants_.free : 0; bits; bits &= bits - 1) {
    const auto k = static_cast<unsigned>(std::countr_zero(bits));
    if (contexts_[k].line == dropped || faults_.release_any) event(k).add(ContextEvents::release);
  }
  if (!reads_only) {
    tick_sequencer(fetched);
    tick_front(start, commit, loaded, drop);
  }
  const std::uint64_t changed = touched_ | wants_.step;
  tick_contexts(changed, read, rest);

  if (fwd_loaded_) fwd_valid_ = false;
  if (forward_mask) {
    fwd_valid_ = true;
    fwd_mask_ = forward_mask;
    fwd_tag_ = read->tag;
    bank_ = buffer_.data(entry);
  } else if (fetched) {
    bank_ = buffer_.data(buffer_.head());
  } else if (loaded) {
    bank_ = buffer_.data(loaded_entry);
  }
  if (fill_) buffer_.fill(fill_->entry, fill_->data, fill_->sectors);
  fill_.reset();
  if (wr_.taken() || start || drop) buffer_.tick(wr_.taken(), start, drop);
  turn_ = turn;
  reads_only_ = reads_only ? !wr_.taken() : no_writes();

  rd_.clear();
  wr_.clear();
  dram_rsp_.clear();
  hash_rsp_.clear();
  store_rsp_.clear();
  probe_rsp_.clear();
  for (auto& port : meta_rsp_) port.clear();
  note_wants(changed);
  open_ports();
}

void DedupModel::route_responses() {
  asked_ = answered_ = 0;
  for (unsigned which = 0; which < kMetas; ++which) {
    const auto& rsp = meta_rsp_[which].taken();
    if (!rsp) continue;
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
  ContextEvents& reached = event(pick);
  reached.add(which == meta_type   ? ContextEvents::type_grant
              : which == meta_mask ? ContextEvents::mask_grant
                                   : ContextEvents::map_grant);
  const bool of_ref = which == meta_type && c.state == Context::ref_check;
  if (of_ref && !faults_.car_ignores_buffer && buffer_.holds(c.ref)) {
    reached.add(ContextEvents::type_deny);
    return port.settle(false);
  }
  port.load({false, of_ref ? c.ref : c.line, 0, pick});
}

void DedupModel::tick_dram() {
  seq_dram_taken_ = dram_.popped() && dram_seq_;
  seq_dram_grant_ = read_granted_ = false;
  const std::uint64_t wants =
      wants_.dram | std::uint64_t{reading_ && !filling()} << asker() | std::uint64_t{dram_todo_} << committer();
  if (!wants || !dram_.free()) return dram_.settle(false);
  const unsigned pick = dram_pick_.choose(wants);
  dram_pick_.last = pick;
  dram_seq_ = pick == committer() && dram_write_;
  if (pick == committer()) {
    seq_dram_grant_ = true;
    if (dram_write_)
      dram_.load({DramKind::write, target_, write_mask(), 0, masked(data_, write_mask())});
    else
      dram_.load({DramKind::verify_read, hit_ref_, flags_.verify_read, params_.buffer_entries, {}});
  } else if (pick == asker()) {
    const Flight& f = flights_[read_at_];
    read_granted_ = true;
    dram_.load({DramKind::dedup_read,
                f.type == 3 ? buffer_.line(read_at_) : f.map & line_mask_,
                missing(read_at_),
                read_at_,
                {}});
  } else {
    const Context& c = contexts_[pick];
    event(pick).add(ContextEvents::dram_grant);
    if (c.state == Context::slot)
      dram_.load({DramKind::slot_read, c.ref, c.mask, c.tag, {}});
    else
      dram_.load({DramKind::home_read, c.line, c.home_mask(faults_), c.tag, {}});
  }
}

void DedupModel::tick_l2() {
  fwd_loaded_ = false;
  if (const auto& rsp = probe_rsp_.taken(); rsp && rsp->id != params_.contexts) {
    const Context& c = contexts_.at(rsp->id);
    ContextEvents& reached = event(rsp->id);
    reached.add(ContextEvents::probe_rsp);
    // The copy is dropped when R has a newer write on its way: the L2 may hold that one already.
    const bool newer = buffer_.holds(c.ref) && !faults_.car_ignores_late_write;
    reached.copied = newer ? 0 : rsp->mask & c.mask;
    if (reached.copied) return l2_.load({c.tag, reached.copied, Source::copy, masked(rsp->data, reached.copied)});
  } else if (!l2_.item && !rsp) {
    if (wants_.intra) {
      const unsigned pick = intra_pick_.choose(wants_.intra);
      const Context& c = contexts_[pick];
      intra_pick_.last = pick;
      event(pick).add(ContextEvents::intra_grant);
      LineData data;
      for (unsigned b = 0; b < data.size(); ++b) data[b] = static_cast<std::uint8_t>(c.value >> (8 * (b % 4)));
      return l2_.load({c.tag, c.mask, Source::intra, masked(data, c.mask)});
    }
    if (fwd_valid_) {
      fwd_loaded_ = true;
      return l2_.load({fwd_tag_, fwd_mask_, Source::forward, masked(bank_, fwd_mask_)});
    }
  }
  l2_.settle(false);
}

void DedupModel::tick_probe() {
  const std::uint64_t wants = wants_.probe | std::uint64_t{params_.verify && probe_todo_} << params_.contexts;
  seq_probe_grant_ = false;
  if (!wants || !probe_.free()) return probe_.settle(false);
  const unsigned pick = probe_pick_.choose(wants);
  probe_pick_.last = pick;
  seq_probe_grant_ = pick == params_.contexts;
  if (seq_probe_grant_) return probe_.load({hit_ref_, to_verify(), params_.contexts});
  const Context& c = contexts_[pick];
  event(pick).add(ContextEvents::probe_grant);
  probe_.load({c.ref, c.mask, pick});
}

void DedupModel::tick_contexts(std::uint64_t which, const std::optional<ReadReq>& read, std::uint8_t rest) {
  using E = ContextEvents;
  for (; which; which &= which - 1) {
    const auto k = static_cast<unsigned>(std::countr_zero(which));
    Context& c = contexts_[k];
    const E& event = this->event(k);
    if (event.has(E::alloc)) {
      c = Context{};
      c.state = event.has(E::alloc_hold) ? Context::hold : Context::look;
      c.line = read->line;
      c.tag = read->tag;
      c.mask = rest;
      continue;
    }
    switch (c.state) {
      case Context::free: break;
      case Context::hold:
        if (event.has(E::release)) c.state = Context::look;
        break;
      case Context::look:
        if (c.type_got && c.mask_got) c.state = c.home_mask(faults_) ? Context::home : Context::map;
        c.type_sent |= event.has(E::type_grant);
        c.mask_sent |= event.has(E::mask_grant);
        if (event.has(E::type_rsp)) {
          c.type = static_cast<std::uint8_t>(event.type);
          c.type_got = true;
        }
        if (event.has(E::mask_rsp)) {
          c.block_mask = static_cast<std::uint8_t>(event.mask);
          c.mask_got = true;
        }
        break;
      case Context::home:
        if (!event.has(E::dram_grant)) break;
        c.mask &= ~c.home_mask(faults_);
        c.state = c.mask ? Context::map : Context::free;
        break;
      case Context::map:
        if (event.has(E::map_grant)) c.state = Context::map_wait;
        break;
      case Context::map_wait:
        if (!event.has(E::map_rsp)) break;
        c.value = event.map;
        c.ref = c.value & line_mask_;
        c.state = c.type == 1 ? Context::intra : config_.car ? Context::ref_check : Context::slot;
        break;
      case Context::intra:
        if (event.has(E::intra_grant)) c.state = Context::free;
        break;
      case Context::ref_check:
        if (event.has(E::type_grant)) c.state = event.has(E::type_deny) ? Context::slot : Context::ref_type;
        break;
      case Context::ref_type:
        if (event.has(E::type_rsp))
          c.state = event.type == 3 || faults_.car_ignores_type ? Context::probe : Context::slot;
        break;
      case Context::probe:
        if (event.has(E::probe_grant)) c.state = Context::probe_wait;
        break;
      case Context::probe_wait:
        if (!event.has(E::probe_rsp)) break;
        c.mask &= ~event.copied;
        c.state = c.mask ? Context::slot : Context::free;
        break;
      case Context::slot:
        if (event.has(E::dram_grant)) c.state = Context::free;
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

bool DedupModel::nothing_to_do(bool dram_held) const {
  if (fwd_valid_) return false;
  if (!reads_only_ && writes_go_on(dram_held)) return false;
  return !(wants_.type | wants_.mask | wants_.map | (dram_held ? 0 : wants_.dram) | wants_.intra | wants_.probe |
           wants_.step);
}

bool DedupModel::writes_go_on(bool dram_held) const {
  return loaded_ || loads() || meta_todo_ || (dram_todo_ && !dram_held) || probe_todo_ || !front_waits(dram_held) ||
         commits() || (!busy() && step_ != Step::idle);
}

void DedupModel::note_wants(std::uint64_t which) {
  for (std::uint64_t* wants : {&wants_.free, &wants_.type, &wants_.mask, &wants_.map, &wants_.dram, &wants_.intra,
                               &wants_.probe, &wants_.step})
    *wants &= ~which;
  for (; which; which &= which - 1) {
    const std::uint64_t bit = which & -which;
    const Context& c = contexts_[static_cast<unsigned>(std::countr_zero(which))];
    switch (c.state) {
      case Context::free: wants_.free |= bit; break;
      case Context::look:
        if (!c.type_sent) wants_.type |= bit;
        if (!c.mask_sent) wants_.mask |= bit;
        if (c.type_got && c.mask_got) wants_.step |= bit;
        break;
      case Context::ref_check: wants_.type |= bit; break;
      case Context::map: wants_.map |= bit; break;
      case Context::home:
      case Context::slot: wants_.dram |= bit; break;
      case Context::intra: wants_.intra |= bit; break;
      case Context::probe: wants_.probe |= bit; break;
      case Context::hold:
      case Context::map_wait:
      case Context::ref_type:
      case Context::probe_wait: break;
    }
  }
}

}  // namespace warpsieve::dedup
