// Commits of the model (rtl/dedup/dedup_write.sv).
#include "blocks/dedup/dedup_model.h"

namespace warpsieve::dedup {

using hash_store::HashStoreOp;

std::uint8_t DedupModel::new_type() const {
  switch (kind_) {
    case Kind::intra: return 1;
    case Kind::inter: return 2;
    default:
      if (forgets()) return 0;
      return place_ == Outcome::unique_kept || place_ == Outcome::unique_borrowed ? 2 : 3;
  }
}

std::uint32_t DedupModel::new_map() const {
  if (kind_ == Kind::intra) return value_;
  return kind_ == Kind::inter ? hit_ref_ : target_;
}

unsigned DedupModel::changes() const {
  if (forgets()) return type_ != 0 ? 1u << meta_type : 0;
  const bool had_map = type_ == 1 || type_ == 2, has_map = new_type() == 1 || new_type() == 2;
  return (new_type() != type_ ? 1u << meta_type : 0) | (mask() != old_mask_ ? 1u << meta_mask : 0) |
         (has_map && (!had_map || new_map() != map_) ? 1u << meta_map : 0);
}

std::uint8_t DedupModel::write_mask() const {
  if (place_ == Outcome::unique_borrowed && faults_.borrow_new_only) return new_mask_;
  return place_ == Outcome::unique_in_place || place_ == Outcome::unique_kept ? new_mask_ : mask();
}

std::uint32_t DedupModel::meta_data(unsigned which) const {
  switch (which) {
    case meta_type: return new_type();
    case meta_mask: return mask();
    case meta_map: return new_map();
    default: return lent_data_;
  }
}

void DedupModel::refute() {
  kind_ = Kind::unique;
  flags_.no_entry = flags_.collision = true;
  step_ = Step::lock;
}

DedupModel::Step DedupModel::write_step(bool fetched) const {
  return kind_ != Kind::unique ? Step::update : have_data_ || fetched ? Step::write : Step::fetch;
}

void DedupModel::lock(Issue& out, bool fetched) {
  step_ = Step::lock;
  if (conflict()) return;
  if (kind_ == Kind::inter) {
    out.store = true;
    out.op = HashStoreOp::increment;
  }
  const bool keeps_entry = passes_ && resident() && faults_.keep_entry;
  const bool releases = mapped_out() || (resident() && !keeps_entry) || (kind_ == Kind::unique && type_ == 1);
  // The lent flag of an intra line that passes is there already.
  step_ = !releases ? write_step(fetched) : passes_ && type_ == 1 ? Step::place : Step::release;
}

/// The line cannot go home as it is: what its sectors lack is added first.
void DedupModel::complete() {
  const auto whole = static_cast<std::uint8_t>(new_mask_ & ~some_);
  const auto old = static_cast<std::uint8_t>(old_mask_ & ~whole),
             rest = static_cast<std::uint8_t>(some_ & ~old_mask_);
  old_value_ = type_ == 1 ? old : 0;
  old_slot_ = type_ == 1 ? 0 : type_ == 2 ? old : old | rest;
  old_home_ = resident() ? 0 : rest;
  completing_ = true;
  step_ = Step::fetch;
}

void DedupModel::add_old(const LineData& data, std::uint8_t mask) {
  for (unsigned b = 0; b < data.size(); ++b)
    if ((mask >> b / 32 & 1) && !((new_mask_ >> b / 32 & 1) && (bytes_[b / 32] >> b % 32 & 1))) data_[b] = data[b];
}

void DedupModel::finish(bool answered) {
  if (!event_ || (posted_ && !answered)) return;
  if (event_inserts_) {
    event_->evicted = post_got_.evicted;
    event_->no_entry = !post_got_.ok;
  }
  done_.load(*event_);
  event_.reset();
}

DedupModel::Issue DedupModel::step(bool fetched) {
  Issue out;
  out.index = line_;
  switch (step_) {
    case Step::idle: {
      if (!commits()) break;
      const unsigned head = buffer_.head();
      const Flight& f = flights_[head];
      line_ = buffer_.line(head);
      new_mask_ = buffer_.mask(head);
      old_mask_ = f.old_mask();
      type_ = f.type;
      map_ = f.map;
      domain_ = static_cast<std::uint8_t>(buffer_.domain(head) & ((1u << params_.domain_bits) - 1));
      kind_ = f.intra ? Kind::intra : Kind::unique;
      digest_ = f.result;
      if (params_.verify && config_.verify)
        digest_[15] = static_cast<std::uint8_t>((digest_[15] & 0x0f) | (old_mask_ | new_mask_) << 4);
      value_ = f.result[0] | f.result[1] << 8 | f.result[2] << 16 | std::uint32_t{f.result[3]} << 24;
      target_ = line_;
      place_ = Outcome::unique_home;
      insert_ = left_ = freed_ = have_data_ = verifying_ = completed_ = completing_ = false;
      hashed_ = f.hashed;
      passes_ = f.pass;
      some_ = buffer_.some(head);
      old_read_ = old_slot_ = old_home_ = 0;
      flags_ = {};
      flags_.no_entry = !f.intra && !f.hashed;
      flags_.passed = f.pass;
      flags_.read = type_ == 1 || f.pass ? 0 : missing(head);
      out.store = f.hashed;
      out.op = HashStoreOp::lookup;
      step_ = f.hashed ? Step::decide : Step::lock;
      if (f.pass && (type_ == 1 || type_ == 2)) complete();
      if (f.pass && type_ == 1) {
        out.meta = 1u << meta_lent;
        out.index = line_;
      }
      break;
    }
    case Step::decide: {
      step_ = Step::lock;
      hit_index_ = got_.index;
      hit_ref_ = got_.ref;
      const bool saturated = got_.count == max_count_ && !faults_.ignore_saturation;
      const bool limit = mask() != 0xf && partial_ - counted() >= config_.spare_lines / 2;
      const bool silent = got_.hit && (mapped_out() || resident()) && got_.ref == slot();
      const bool joins = got_.hit && !saturated && !limit;
      flags_.verified = config_.verify && (silent || joins);
      copied_ = 0;
      differs_ = false;
      if (flags_.verified) {
        step_ = have_data_ || fetched ? Step::probe : Step::fetch;
        verifying_ = true;
      }
      if (silent) {
        kind_ = Kind::silent;
        if (!flags_.verified) step_ = Step::done;
      } else if (joins) {
        kind_ = Kind::inter;
      } else {
        insert_ = !got_.hit;
        flags_.no_entry = got_.hit;
        flags_.saturated = got_.hit && saturated;
        flags_.partial_limit = got_.hit && !saturated;
      }
      if (!silent && !flags_.verified) lock(out, fetched);
      break;
    }
    case Step::fetch:
      if (have_data_ || fetched) step_ = verifying_ ? Step::probe : completing_ ? Step::old : Step::write;
      break;
    case Step::old:
      if (arriving_) break;
      if (old_value_) {
        LineData value;
        for (unsigned b = 0; b < value.size(); ++b) value[b] = static_cast<std::uint8_t>(map_ >> (8 * (b % 4)));
        add_old(value, old_value_);
        for (unsigned s = 0; s < 4; ++s)
          if (old_value_ >> s & 1) bytes_[s] = ~ByteMask::value_type{0};
        old_value_ = 0;
      }
      if (type_ == 1 && !lent_got_) {  // no other line uses the home: the value goes there, too
        completing_ = false;
        step_ = Step::lock;
        break;
      }
      if (old_slot_ | old_home_) {
        old_at_home_ = !old_slot_;
        old_read_ = old_at_home_ ? old_home_ : old_slot_;
        (old_at_home_ ? old_home_ : old_slot_) = 0;
        flags_.read |= old_read_;
        out.verify = out.old = true;
      } else {
        completed_ = true;
        completing_ = false;
        step_ = resident() ? Step::next : Step::lock;
      }
      break;
    case Step::probe:
      step_ = Step::probed;
      out.probe = config_.car;
      out.meta = out.probe ? 1u << meta_type : 0;
      out.index = hit_ref_;
      break;
    case Step::probed: {
      verifying_ = false;
      const bool trusted = type_got_ == 3 || faults_.verify_ignores_type;
      const auto unread = static_cast<std::uint8_t>(to_verify() & ~(trusted ? copied_ : 0));
      if ((trusted && differs_ && !faults_.believe_copy) || (kind_ == Kind::silent && mask() != old_mask_)) {
        refute();
      } else if (unread) {
        out.verify = true;
        flags_.verify_read = unread;
        differs_ = false;
        step_ = Step::compared;
      } else {
        step_ = kind_ == Kind::silent ? Step::done : Step::lock;
      }
      break;
    }
    case Step::compared:
      if (differs_ && !faults_.believe_read)
        refute();
      else
        step_ = kind_ == Kind::silent ? Step::done : Step::lock;
      break;
    case Step::lock: lock(out, fetched); break;
    case Step::release:
      if (mapped_out() || resident()) {
        out.store = true;
        out.op = HashStoreOp::decrement;
      }
      if (kind_ == Kind::unique && (type_ == 1 || mapped_out())) out.meta = 1u << meta_lent;
      step_ = Step::place;
      break;
    case Step::place: {
      const bool unique = kind_ == Kind::unique;
      const bool lent = lent_got_ && !faults_.ignore_lent;
      left_ = (mapped_out() || resident()) && got_.hit && got_.count != 0;
      const bool grows = mask() != old_mask_ && !faults_.grow_in_slot;
      const bool keep = unique && mapped_out() && !left_ && lent && slot() != line_ && !grows;
      freed_ = mapped_out() && !left_ && !keep;
      const bool in_place = resident() && (!left_ || faults_.overwrite_shared_slot);
      const bool home = !resident() && (!lent || (freed_ && slot() == line_));
      const bool borrow = unique && !keep && !home && !in_place;
      if (freed_) {
        out.meta = 1u << meta_type | 1u << meta_mask | 1u << meta_lent;
        out.meta_write = 1u << meta_lent;
        out.index = slot();
        lent_data_ = faults_.forget_free;
      } else if (resident() && left_ && !(faults_.lend_whole_only && old_mask_ != 0xf)) {
        out.meta = out.meta_write = 1u << meta_lent;
        lent_data_ = true;
      }
      target_ = keep ? slot() : line_;
      place_ = keep         ? Outcome::unique_kept
               : borrow     ? Outcome::unique_borrowed
               : resident() ? Outcome::unique_in_place
                            : Outcome::unique_home;
      step_ = freed_ ? Step::freed : borrow ? Step::next : write_step(false);
      if (borrow && passes_ && !completed_) complete();
      break;
    }
    case Step::freed:
      if (lendable()) {
        alloc_.push(slot());
        alloc_.lends(slot(), true);
      }
      step_ = place_ == Outcome::unique_borrowed ? Step::next : write_step(false);
      break;
    case Step::next:
      alloc_.next();
      step_ = Step::cand;
      break;
    case Step::cand:
      out.meta = 1u << meta_type | 1u << meta_mask | 1u << meta_lent;
      out.index = alloc_.candidate();
      step_ = Step::check;
      break;
    case Step::check:
      if (faults_ == DedupFaults{}) alloc_.check(lendable() && !lent_got_);
      target_ = alloc_.candidate();
      flags_.scanned = alloc_.scanned();
      if (lendable() && !lent_got_) {
        out.meta = out.meta_write = 1u << meta_lent;
        out.index = target_;
        lent_data_ = true;
        alloc_.lends(target_, false);
        step_ = write_step(false);
      } else {
        step_ = Step::next;
      }
      break;
    case Step::write:
      out.write = true;
      out.post = insert_;
      out.op = HashStoreOp::insert;
      [[fallthrough]];
    case Step::update:
      out.meta = out.meta_write = changes();
      if (grows() && partial_left_) out.meta |= 1u << meta_lent;
      region_issued_ = config_.region && !faults_.forget_region && (new_type() == 1 || new_type() == 2) &&
                       type_ != 1 && type_ != 2;
      if (kind_ != Kind::unique && mask() == 0xf && (type_ == 0 || (resident() && !left_))) alloc_.push(line_);
      partial_ = partial_ + (new_type() == 2 && mask() != 0xf) - counted();
      step_ = Step::done;
      break;
    case Step::done: {
      if (starts_lending()) alloc_.lends(line_, true);
      if (returns()) alloc_.lends(line_, false);
      partial_left_ |= kind_ != Kind::silent && resident() && left_ && mask() != 0xf;
      DoneEvent& event = event_.emplace(flags_);
      event_inserts_ = insert_;
      event.line = line_;
      event.outcome = kind_ == Kind::intra    ? Outcome::intra
                      : kind_ == Kind::inter  ? Outcome::inter
                      : kind_ == Kind::silent ? Outcome::silent
                                              : place_;
      event.written = kind_ == Kind::unique ? write_mask() : 0;
      step_ = Step::idle;
      break;
    }
  }
  return out;
}

hash_store::HashStoreReq DedupModel::store_request_for(HashStoreOp op) const {
  hash_store::HashStoreReq req;
  req.op = op;
  switch (op) {
    case HashStoreOp::lookup:
      req.hash = digest_;
      req.domain = domain_;
      break;
    case HashStoreOp::insert:
      req.hash = digest_;
      req.domain = domain_;
      req.ref = target_;
      break;
    case HashStoreOp::increment:
      req.ref = hit_ref_;
      req.index = hit_index_;
      break;
    default: req.ref = slot(); break;
  }
  return req;
}

void DedupModel::tick_sequencer(bool fetched) {
  // Answers. None is due in a cycle in which a step acts.
  if (seq_rsp_ >> meta_type & 1) type_got_ = static_cast<std::uint8_t>(meta_rsp_[meta_type].taken()->data);
  if (seq_rsp_ >> meta_mask & 1) mask_got_ = static_cast<std::uint8_t>(meta_rsp_[meta_mask].taken()->data);
  if (seq_rsp_ >> meta_lent & 1) lent_got_ = meta_rsp_[meta_lent].taken()->data != 0;
  const ProbeRsp* probed = probe_rsp_.taken();
  const bool probe_rsp = probed && probed->id == params_.contexts;
  if (probe_rsp) {
    const bool newer = buffer_.holds(hit_ref_) && !faults_.verify_ignores_buffer;
    copied_ = newer ? 0 : probed->mask & to_verify();
    differs_ = masked(probed->data, copied_) != masked(data_, copied_);
  }
  const DramRsp* read = dram_rsp_.taken();
  const bool verify_rsp = read && read->tag == params_.buffer_entries;
  if (verify_rsp && dram_old_)
    add_old(read->data, old_read_);
  else if (verify_rsp)
    differs_ = masked(read->data, flags_.verify_read) != masked(data_, flags_.verify_read);
  const bool answered = posted_ && store_rsp_.taken();
  if (const auto* rsp = store_rsp_.taken()) (posted_ ? post_got_ : got_) = *rsp;

  out_.offered &= ~unsigned{offer_done};
  arriving_ = loaded_;
  if (loaded_) {
    data_ = bank_;
    bytes_ = bank_bytes_;
  }
  loaded_ = fetched;
  Issue issue;
  if (!busy()) issue = step(fetched);
  finish(answered);
  if (fetched) have_data_ = true;
  meta_todo_ = (meta_todo_ & ~seq_grant_) | issue.meta;
  meta_wait_ = (meta_wait_ & ~seq_rsp_) | (issue.meta & ~issue.meta_write);
  if (issue.meta) {
    meta_write_ = issue.meta_write;
    meta_index_ = issue.index;
  }
  if (seq_dram_grant_) dram_todo_ = false;
  if (seq_dram_taken_) data_held_ = false;
  if (verify_rsp) verify_wait_ = false;
  if (issue.write || issue.verify) {
    dram_todo_ = true;
    dram_write_ = issue.write;
    dram_old_ = issue.old;
    data_held_ |= issue.write;
    verify_wait_ = issue.verify;
  }
  if (seq_probe_grant_) probe_todo_ = false;
  if (issue.probe) probe_todo_ = probe_wait_ = true;
  if (probe_rsp) probe_wait_ = false;
  if (store_rsp_.taken()) store_wait_ = posted_ = false;
  if (gone_ & offer_store) post_todo_ = false;
  if (issue.store || issue.post) store_.load(store_request_for(issue.op));
  if (issue.store) store_wait_ = true;
  if (issue.post) post_todo_ = posted_ = true;
}

}  // namespace warpsieve::dedup
