// Preparation of buffered writes in the model (rtl/dedup/dedup_front.sv).
#include <algorithm>

#include "blocks/dedup/dedup_model.h"
#include "blocks/dup_detect/dup_detect.h"

namespace warpsieve::dedup {

bool DedupModel::starts() const {
  if (asking_ || !buffer_.next_valid()) return false;
  const unsigned next = buffer_.next();
  if (event_ && event_->line == buffer_.line(next)) return false;  // one event of a line at a time
  for (unsigned e = next % params_.lookups; e < flights_.size(); e += params_.lookups) {
    if (flights_[e].state == Flight::look || flights_[e].state == Flight::map_wait) return false;  // has the id
  }
  return faults_.ahead_of_itself || !buffer_.in_process(buffer_.line(next));
}

bool DedupModel::front_waits(bool dram_held) const {
  if (buffer_.count() == 0 && !verify_wait_) return true;  // all are free
  if (asking_ || looked_up() || (reading_ && !(dram_held && !filling())) || verify_wait_ || loader_ != Loader::idle ||
      starts() || flights_[digest_at_].state == Flight::skip ||
      (flights_[detect_at_].state == Flight::whole && (flights_[detect_at_].pass || hashing_ < params_.hash_units)))
    return false;
  return !any_flight(Flight::part) && !any_flight(Flight::read_wait);  // the turns at the banks go on
}

void DedupModel::tick_loader(bool loaded) {
  Flight& f = flights_[detect_at_];
  const bool taken = gone_ & offer_hash;
  switch (loader_) {
    case Loader::idle:
      if (f.state == Flight::whole && f.pass) {
        enter(detect_at_, Flight::skip);
        detect_at_ = next_entry(detect_at_);
      } else if (f.state == Flight::whole && hashing_ < params_.hash_units)
        loader_ = Loader::load;
      break;
    case Loader::load:
      if (loaded) loader_ = Loader::detect;
      break;
    case Loader::detect: {
      const std::uint8_t mask = buffer_.mask(detect_at_);
      const auto found = dup_detect::detect({f.old_mask(), mask, bank_});
      f.intra = config_.intra && found.intra;
      f.pass = f.few && !f.intra && (f.type == 0 || f.type == 3);
      f.hashed =
          !f.intra && !f.few && config_.hash && (config_.bypass_level == 0 || buffer_.count() < config_.bypass_level);
      if (f.hashed) {
        const auto merged = static_cast<std::uint8_t>(f.old_mask() | mask);
        hash_.load({masked(bank_, merged), merged});
        loader_ = Loader::offer;
      } else {
        for (unsigned b = 0; b < 4; ++b) f.result[b] = static_cast<std::uint8_t>(found.value >> 8 * b);
        enter(detect_at_, Flight::skip);
        detect_at_ = next_entry(detect_at_);
        loader_ = Loader::idle;
      }
      break;
    }
    case Loader::offer:
      if (!taken) break;
      enter(detect_at_, Flight::hash);
      ++hashing_;
      detect_at_ = next_entry(detect_at_);
      loader_ = Loader::idle;
      break;
  }
}

/// Old content that is missing: one line at a time until it is filled in from the map or asked of the DRAM.
void DedupModel::tick_reader(bool commit) {
  if (filling()) {
    const Flight& f = flights_[read_at_];
    LineData data;
    for (unsigned b = 0; b < data.size(); ++b) data[b] = static_cast<std::uint8_t>(f.map >> (8 * (b % 4)));
    fill_ = Fill{read_at_, data, missing(read_at_)};
    enter(read_at_, Flight::whole);
    reading_ = false;
  } else if (reading_) {
    if (!read_granted_) return;
    enter(read_at_, Flight::read_wait);
    reading_ = false;
  } else if (!commit && any_flight(Flight::part)) {  // a commit reads the maps, too
    const auto part =
        std::find_if(flights_.begin(), flights_.end(), [](const Flight& f) { return f.state == Flight::part; });
    reading_ = true;
    read_at_ = static_cast<unsigned>(part - flights_.begin());
  }
}

void DedupModel::tick_front(bool start, bool commit, bool loaded, bool drop) {
  // Everything looks at the states before this cycle, therefore from the last state to the first.
  Flight& due = flights_[digest_at_];
  const md5::LineHashRsp* digest = hash_rsp_.taken();
  if (digest || due.state == Flight::skip) {
    if (digest) due.result = digest->digest;
    enter(digest_at_, Flight::ready);
    digest_at_ = next_entry(digest_at_);
  }
  tick_loader(loaded);
  if (digest) --hashing_;
  if (const DramRsp* rsp = dram_rsp_.taken(); rsp && rsp->tag < flights_.size()) {
    fill_ = Fill{rsp->tag, rsp->data, missing(rsp->tag)};
    enter(rsp->tag, Flight::whole);
  }
  tick_reader(commit);
  const bool looked = looked_up() && !asks_map();
  for (unsigned bits = answered_; bits; bits &= bits - 1) {
    const auto which = static_cast<unsigned>(std::countr_zero(bits));
    const std::uint32_t data = front_rsp_[which];
    for (unsigned e = front_id_[which]; e < flights_.size(); e += params_.lookups) {
      Flight& f = flights_[e];
      if (which == meta_map) {
        if (f.state != Flight::map_wait) continue;
        f.map = data;
        enter(e, lacks(e) ? Flight::part : Flight::whole);
      } else if (f.state != Flight::look) {
        continue;
      } else if (which == meta_type) {
        f.type = static_cast<std::uint8_t>(data);
        f.type_got = true;
      } else if (which == meta_mask) {
        f.block_mask = static_cast<std::uint8_t>(data);
        f.mask_got = true;
      }
    }
  }
  if (looked || (asked_ >> meta_map & 1)) {
    flights_[map_at_].pass = passes(map_at_);
    flights_[map_at_].few = few(map_at_);
    enter(map_at_, !looked ? Flight::map_wait : lacks(map_at_) ? Flight::part : Flight::whole);
    map_at_ = next_entry(map_at_);
  }
  if (drop) enter(buffer_.head(), Flight::free);
  asking_ &= ~asked_;
  if (start) {
    ask_at_ = buffer_.next();
    asking_ = 1u << meta_type | 1u << meta_mask;
    enter(ask_at_, Flight::free);
    flights_[ask_at_] = {};
    enter(ask_at_, Flight::look);
  }
}

}  // namespace warpsieve::dedup
