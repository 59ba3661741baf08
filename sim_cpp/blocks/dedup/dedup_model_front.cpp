// Preparation of buffered writes in the model (rtl/dedup/dedup_front.sv).
#include <algorithm>

#include "blocks/dedup/dedup_model.h"
#include "blocks/dup_detect/dup_detect.h"

namespace warpsieve::dedup {

bool DedupModel::any_flight(Flight::State state) const {
  return buffer_.count() != 0 &&
         std::any_of(flights_.begin(), flights_.end(), [&](const Flight& f) { return f.state == state; });
}

bool DedupModel::starts() const {
  if (asking_ || !buffer_.next_valid()) return false;
  const unsigned next = buffer_.next();
  for (unsigned e = next % params_.lookups; e < flights_.size(); e += params_.lookups) {
    if (flights_[e].state == Flight::look || flights_[e].state == Flight::map_wait) return false;  // has the id
  }
  return faults_.ahead_of_itself || !buffer_.in_process(buffer_.line(next));
}

bool DedupModel::front_waits() const {
  if (asking_ || looked_up() || reading_ || verify_wait_ || loader_ != Loader::idle || starts() ||
      flights_[digest_at_].state == Flight::skip ||
      (flights_[detect_at_].state == Flight::whole && hashing_ < params_.hash_units))
    return false;
  if (buffer_.count() == 0) return true;  // all are free
  return std::none_of(flights_.begin(), flights_.end(), [](const Flight& f) {
    return f.state == Flight::part || f.state == Flight::read_wait;  // the turns at the banks go on
  });
}

void DedupModel::tick_loader(bool loaded) {
  Flight& f = flights_[detect_at_];
  const bool taken = hash_.popped();
  hash_.settle(false);
  switch (loader_) {
    case Loader::idle:
      if (f.state == Flight::whole && hashing_ < params_.hash_units) loader_ = Loader::load;
      break;
    case Loader::load:
      if (loaded) loader_ = Loader::detect;
      break;
    case Loader::detect: {
      const std::uint8_t mask = buffer_.mask(detect_at_);
      const auto found = dup_detect::detect({f.old_mask(), mask, bank_});
      f.intra = config_.intra && found.intra;
      f.hashed = !f.intra && config_.hash && (config_.bypass_level == 0 || buffer_.count() < config_.bypass_level);
      if (f.hashed) {
        const auto merged = static_cast<std::uint8_t>(f.old_mask() | mask);
        hash_.item = md5::LineHashReq{masked(bank_, merged), merged};
        loader_ = Loader::offer;
      } else {
        for (unsigned b = 0; b < 4; ++b) f.result[b] = static_cast<std::uint8_t>(found.value >> 8 * b);
        f.state = Flight::skip;
        detect_at_ = next_entry(detect_at_);
        loader_ = Loader::idle;
      }
      break;
    }
    case Loader::offer:
      if (!taken) break;
      f.state = Flight::hash;
      ++hashing_;
      detect_at_ = next_entry(detect_at_);
      loader_ = Loader::idle;
      break;
  }
}

/// Old content that is missing: one line at a time until it is filled in from the map or asked of the DRAM.
void DedupModel::tick_reader(bool commit) {
  if (filling()) {
    Flight& f = flights_[read_at_];
    LineData data;
    for (unsigned b = 0; b < data.size(); ++b) data[b] = static_cast<std::uint8_t>(f.map >> (8 * (b % 4)));
    fill_ = Fill{read_at_, data, missing(read_at_)};
    f.state = Flight::whole;
    reading_ = false;
  } else if (reading_) {
    if (!read_granted_) return;
    flights_[read_at_].state = Flight::read_wait;
    reading_ = false;
  } else if (!commit) {  // which reads the maps, too
    const auto part =
        std::find_if(flights_.begin(), flights_.end(), [](const Flight& f) { return f.state == Flight::part; });
    if (part == flights_.end()) return;
    reading_ = true;
    read_at_ = static_cast<unsigned>(part - flights_.begin());
  }
}

void DedupModel::tick_front(bool start, bool commit, bool loaded, bool drop) {
  // Everything looks at the states before this cycle, therefore from the last state to the first.
  Flight& due = flights_[digest_at_];
  const auto& digest = hash_rsp_.taken();
  if (digest || due.state == Flight::skip) {
    if (digest) due.result = digest->digest;
    due.state = Flight::ready;
    digest_at_ = next_entry(digest_at_);
  }
  tick_loader(loaded);
  if (digest) --hashing_;
  if (const auto& rsp = dram_rsp_.taken(); rsp && rsp->tag < flights_.size()) {
    fill_ = Fill{rsp->tag, rsp->data, missing(rsp->tag)};
    flights_[rsp->tag].state = Flight::whole;
  }
  tick_reader(commit);
  const bool looked = looked_up() && !asks_map();  // untouched lines have no map
  const bool answered = std::any_of(front_rsp_.begin(), front_rsp_.end(), [](const auto& rsp) { return rsp; });
  for (unsigned e = answered ? 0 : static_cast<unsigned>(flights_.size()); e < flights_.size(); ++e) {
    Flight& f = flights_[e];
    const auto answer = [&](unsigned which) {
      return front_rsp_[which] && front_id_[which] == e % params_.lookups ? front_rsp_[which] : std::nullopt;
    };
    if (const auto map = answer(meta_map); map && f.state == Flight::map_wait) {
      f.map = *map;
      f.state = missing(e) ? Flight::part : Flight::whole;
    }
    if (f.state != Flight::look) continue;
    if (const auto type = answer(meta_type)) {
      f.type = static_cast<std::uint8_t>(*type);
      f.type_got = true;
    }
    if (const auto mask = answer(meta_mask)) {
      f.block_mask = static_cast<std::uint8_t>(*mask);
      f.mask_got = true;
    }
  }
  if (looked || (asked_ >> meta_map & 1)) {
    flights_[map_at_].state = looked ? Flight::whole : Flight::map_wait;
    map_at_ = next_entry(map_at_);
  }
  if (drop) flights_[buffer_.head()].state = Flight::free;
  asking_ &= ~asked_;
  if (start) {
    ask_at_ = buffer_.next();
    asking_ = 1u << meta_type | 1u << meta_mask;
    flights_[ask_at_] = {};
    flights_[ask_at_].state = Flight::look;
  }
}

}  // namespace warpsieve::dedup
