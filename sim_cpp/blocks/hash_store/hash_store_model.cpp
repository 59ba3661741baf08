#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "blocks/hash_store/hash_store_backends.h"
#include "blocks/hash_store/wrong_bits.h"
#include "cosim/bits.h"
#include "cosim/shadow.h"

namespace warpsieve::hash_store {

namespace {

using Hash = std::array<std::uint8_t, 16>;

class HashStoreModel final : public HashStore {
 public:
  explicit HashStoreModel(const HashStoreParams& params)
      : params_(params), way_bits_(clog2(params.ways)), max_count_(low_bits(params.count_bits)), wrong_(params) {
    reset();
  }
  void reset() override {
    sets_.assign(params_.sets, Set{});
    for (Set& set : sets_) {
      set.entries.assign(params_.ways, Entry{});
      set.order.resize(params_.ways);
      for (unsigned way = 0; way < params_.ways; ++way) set.order[way] = way;
    }
    refs_.assign(params_.ref_sets, std::vector<Named>(params_.ref_ways));
    incoming_.reset();
    seeking_.reset();
    working_.reset();
    response_.reset();
    wiped_.reset();
    wrong_.reset();
    popped_ = false;
    halted_ = false;
    closed_ = std::max(params_.sets, params_.ref_sets);
    clearing_ = closed_;
  }
  bool ready() const override { return !seeking_ && !working_ && !response_ && closed_ == 0 && !halted_; }
  bool push(const HashStoreReq& req) override {
    if (!ready()) return false;
    incoming_ = req;
    incoming_->hash = masked(req.hash);
    incoming_->domain &= low_bits(params_.domain_bits);
    incoming_->ref &= low_bits(params_.ref_bits);
    incoming_->index &= low_bits(params_.index_bits());
    return true;
  }
  const HashStoreRsp* front() const override { return response_ ? &*response_ : nullptr; }
  void pop() override { popped_ = response_.has_value(); }
  void tick() override {
    if (popped_) response_.reset();
    if (used().fatal) {
      halted_ = true;
      seeking_.reset();
      working_.reset();
      wiped_.reset();
    }
    if (wiped_ && closed_ == 1) {
      wrong_.write(HashStoreTable::refs, wiped_->first, wiped_->second);
      wiped_.reset();
    }
    if (clearing_) clear(std::max(params_.sets, params_.ref_sets) - clearing_--);
    if (closed_) --closed_;
    if (working_) {
      response_ = perform(*working_);
      if (response_->evicted) closed_ = 2;
      working_.reset();
    }
    if (seeking_) working_ = std::exchange(seeking_, std::nullopt);
    if (incoming_) (incoming_->op > HashStoreOp::increment ? seeking_ : working_) = incoming_;
    incoming_.reset();
    popped_ = false;
  }
  bool idle() const override { return ready(); }
  void set_flips(std::uint32_t flips) override { wrong_.set_flips(flips); }
  bool corrected() const override {
    const WrongBits::Found found = used();
    return found.single && !found.fatal;
  }
  bool fatal() const override { return halted_; }

 private:
  struct Entry {
    bool valid = false;
    Hash hash{};
    std::uint8_t domain = 0;
    std::uint32_t ref = 0;
    std::uint32_t count = 0;
  };
  struct Named {
    bool valid = false;
    std::uint32_t ref = 0, index = 0;
  };
  struct Set {
    std::vector<Entry> entries;
    std::vector<unsigned> order;  // most recent way first
  };

  Hash masked(Hash hash) const {
    for (unsigned byte = 0; byte < hash.size(); ++byte) {
      const unsigned kept = std::clamp(static_cast<int>(params_.hash_bits) - 8 * static_cast<int>(byte), 0, 8);
      hash[byte] &= static_cast<std::uint8_t>((1u << kept) - 1);
    }
    return hash;
  }
  unsigned set_of(const Hash& hash) const {
    const std::uint32_t low = hash[0] | hash[1] << 8 | hash[2] << 16 | std::uint32_t{hash[3]} << 24;
    return low & (params_.sets - 1);
  }
  static void touch(Set& set, unsigned way) {
    const auto at = std::find(set.order.begin(), set.order.end(), way);
    std::rotate(set.order.begin(), at, at + 1);
  }

  /// Of the words that the operation uses in this cycle.
  WrongBits::Found used() const {
    WrongBits::Found found;
    if (!params_.secded) return found;
    if (seeking_) found |= wrong_.word(HashStoreTable::refs, ref_set_of(seeking_->ref));
    if (wiped_ && closed_ == 1) found |= wrong_.word(HashStoreTable::refs, wiped_->first);
    if (!working_) return found;
    if (working_->op == HashStoreOp::insert) found |= wrong_.word(HashStoreTable::refs, ref_set_of(working_->ref));
    const unsigned set = set_at_work();
    found |= wrong_.word(HashStoreTable::rows, set);
    for (unsigned way = 0; way < params_.ways; ++way) {
      if (!sets_[set].entries[way].valid) continue;
      found |= wrong_.lane(HashStoreTable::tags, set, way);
      found |= wrong_.lane(HashStoreTable::counts, set, way);
    }
    return found;
  }
  unsigned set_at_work() const {
    if (working_->op <= HashStoreOp::insert) return set_of(working_->hash);
    std::uint32_t index = working_->index;
    if (working_->op > HashStoreOp::increment) {
      const Named* const named = name_of(working_->ref);
      index = named ? named->index : 0;  // of nothing that is found, set 0 is read
    }
    return (index >> way_bits_) & (params_.sets - 1);
  }
  void clear(unsigned number) {
    wrong_.write(HashStoreTable::rows, number & (params_.sets - 1), 0);
    for (unsigned way = 0; way < params_.ref_ways; ++way)
      wrong_.write(HashStoreTable::refs, number & (params_.ref_sets - 1), way);
  }

  HashStoreRsp perform(const HashStoreReq& req) {
    switch (req.op) {
      case HashStoreOp::lookup:
      case HashStoreOp::insert: return by_hash(req);
      case HashStoreOp::increment: return by_index(req, req.index);
      default: {
        const Named* const named = name_of(req.ref);
        return named ? by_index(req, named->index) : HashStoreRsp{};
      }
    }
  }

  unsigned ref_set_of(std::uint32_t ref) const {
    unsigned set = 0;
    for (std::uint32_t rest = ref; params_.ref_sets > 1 && rest; rest >>= std::bit_width(params_.ref_sets - 1))
      set ^= rest & (params_.ref_sets - 1);
    return set;
  }
  const Named* name_of(std::uint32_t ref) const {
    for (const Named& named : refs_[ref_set_of(ref)])
      if (named.valid && named.ref == ref) return &named;
    return nullptr;
  }
  /// The name of an entry leaves; its set and way.
  std::pair<unsigned, unsigned> forget(std::uint32_t ref) {
    const unsigned set = ref_set_of(ref);
    const auto way = static_cast<unsigned>(name_of(ref) - refs_[set].data());
    refs_[set][way].valid = false;
    return {set, way};
  }

  HashStoreRsp by_hash(const HashStoreReq& req) {
    const unsigned number = set_of(req.hash);
    Set& set = sets_[number];
    HashStoreRsp rsp;
    for (unsigned way = 0; way < params_.ways; ++way) {
      const Entry& entry = set.entries[way];
      if (!entry.valid || entry.hash != req.hash || entry.domain != req.domain) continue;
      rsp.hit = true;
      rsp.ok = req.op == HashStoreOp::lookup;
      rsp.index = number << way_bits_ | way;
      rsp.ref = entry.ref;
      rsp.count = entry.count;
      if (req.op == HashStoreOp::lookup) {
        touch(set, way);
        wrong_.write(HashStoreTable::rows, number, 0);
      }
      return rsp;
    }
    if (req.op == HashStoreOp::lookup) return rsp;

    std::optional<unsigned> place;
    for (unsigned way = 0; way < params_.ways && !place; ++way) {
      if (!set.entries[way].valid) place = way;
    }
    for (unsigned p = params_.ways; p-- > 0 && !place;) {
      if (set.entries[set.order[p]].count == 1) place = set.order[p];
    }
    if (!place || name_of(req.ref)) return rsp;
    auto& names = refs_[ref_set_of(req.ref)];
    const auto free = std::find_if(names.begin(), names.end(), [](const Named& named) { return !named.valid; });
    if (free == names.end()) return rsp;
    Entry& entry = set.entries[*place];
    rsp.ok = true;
    rsp.evicted = entry.valid;
    rsp.evicted_ref = entry.valid ? entry.ref : 0;
    rsp.index = number << way_bits_ | *place;
    rsp.ref = req.ref;
    rsp.count = 1;
    *free = {true, req.ref, rsp.index};
    wrong_.write(HashStoreTable::rows, number, 0);
    wrong_.write(HashStoreTable::tags, number, *place);
    wrong_.write(HashStoreTable::counts, number, *place);
    wrong_.write(HashStoreTable::refs, ref_set_of(req.ref), static_cast<unsigned>(free - names.begin()));
    if (rsp.evicted) wiped_ = forget(rsp.evicted_ref);  // in the memory two cycles later
    entry = Entry{true, req.hash, req.domain, req.ref, 1};
    touch(set, *place);
    return rsp;
  }

  HashStoreRsp by_index(const HashStoreReq& req, std::uint32_t index) {
    HashStoreRsp rsp;
    // A store of one entry has an index of one bit, and 1 names no entry.
    const unsigned way = params_.sets * params_.ways == 1 ? index : index & low_bits(way_bits_);
    const unsigned number = (index >> way_bits_) & (params_.sets - 1);
    if (way >= params_.ways) return rsp;
    Entry& entry = sets_[number].entries[way];
    if (!entry.valid || entry.ref != req.ref) return rsp;
    rsp.hit = true;
    rsp.index = number << way_bits_ | way;
    rsp.ref = entry.ref;
    rsp.ok = req.op != HashStoreOp::increment || entry.count != max_count_;
    switch (req.op) {
      case HashStoreOp::increment: entry.count += rsp.ok; break;
      case HashStoreOp::decrement: --entry.count; break;
      default: entry.count = 0; break;
    }
    rsp.count = entry.count;
    entry.valid = entry.count != 0;
    wrong_.write(HashStoreTable::counts, number, way);
    if (!entry.valid) {
      const auto [ref_set, ref_way] = forget(req.ref);
      wrong_.write(HashStoreTable::rows, number, 0);
      wrong_.write(HashStoreTable::refs, ref_set, ref_way);
    }
    return rsp;
  }

  HashStoreParams params_;
  unsigned way_bits_;
  std::uint32_t max_count_;
  std::vector<Set> sets_;
  std::vector<std::vector<Named>> refs_;  // the second table
  unsigned closed_ = 0;                   // cycles until the tables are cleared, or an evicted entry has left
  unsigned clearing_ = 0;                 // sets to be cleared after reset
  WrongBits wrong_;
  std::optional<std::pair<unsigned, unsigned>> wiped_;  // set and way in refs_ of an evicted entry, until it has left
  std::optional<HashStoreReq> incoming_, seeking_, working_;
  std::optional<HashStoreRsp> response_;
  bool popped_ = false, halted_ = false;
};

class HashStoreShadow final : public Shadow<HashStoreReq, HashStoreRsp, HashStore> {
 public:
  using Shadow<HashStoreReq, HashStoreRsp, HashStore>::Shadow;
  void set_flips(std::uint32_t flips) override {
    model_->set_flips(flips);
    rtl_->set_flips(flips);
  }
  bool corrected() const override { return same_level("corrected", model_->corrected(), rtl_->corrected()); }
  bool fatal() const override { return same_level("fatal", model_->fatal(), rtl_->fatal()); }

 private:
  void compare() const override {
    Shadow<HashStoreReq, HashStoreRsp, HashStore>::compare();
    corrected();
    fatal();
  }
};

std::string hex(const Hash& hash) {
  std::string text;
  for (auto byte = hash.rbegin(); byte != hash.rend(); ++byte) text += fmt::format("{:02x}", *byte);
  return text;
}

void check(const HashStoreParams& p) {
  const auto in = [](unsigned value, unsigned low, unsigned high) { return value >= low && value <= high; };
  if (!std::has_single_bit(p.sets) || p.ways == 0 || !in(p.ref_bits, 1, 32) || !in(p.count_bits, 1, 32) ||
      !in(p.hash_bits, std::max(1u, clog2(p.sets)), 128) || p.index_bits() > 32 || p.domain_bits > 8 ||
      (p.domain_bits && p.hash_bits != 128) || !std::has_single_bit(p.ref_sets) || clog2(p.ref_sets) >= p.ref_bits ||
      p.ref_ways == 0) {
    throw std::invalid_argument(
        fmt::format("hash_store: parameters out of range: sets {} ways {} hash_bits {} ref_bits {} count_bits {} "
                    "domain_bits {} ref_sets {} ref_ways {}",
                    p.sets, p.ways, p.hash_bits, p.ref_bits, p.count_bits, p.domain_bits, p.ref_sets, p.ref_ways));
  }
}

}  // namespace

std::uint16_t flip_of(HashStoreTable table, unsigned number) {
  if (number >= (1u << 14) - 1) throw std::invalid_argument("hash_store: flip_of: number is too large");
  return static_cast<std::uint16_t>(static_cast<unsigned>(table) << 14 | (number + 1));
}

unsigned HashStoreParams::index_bits() const { return std::max(1u, clog2(sets) + clog2(ways)); }

std::string describe(const HashStoreReq& req) {
  static constexpr std::array<const char*, 5> names{"lookup", "insert", "increment", "decrement", "evict"};
  return fmt::format("{} hash {} domain {} ref {:#x} index {}", names.at(static_cast<unsigned>(req.op)),
                     hex(req.hash), req.domain, req.ref, req.index);
}

std::string describe(const HashStoreRsp& rsp) {
  return fmt::format("hit {} ok {} index {} ref {:#x} count {} evicted {} evicted_ref {:#x}", rsp.hit, rsp.ok,
                     rsp.index, rsp.ref, rsp.count, rsp.evicted, rsp.evicted_ref);
}

std::unique_ptr<HashStore> make_hash_store_model(const HashStoreParams& params) {
  return std::make_unique<HashStoreModel>(params);
}

std::unique_ptr<HashStore> make_hash_store(const HashStoreParams& params, Backend backend, std::string name) {
  check(params);
  return make_backend<HashStoreShadow>(
      backend, name, [&] { return make_hash_store_model(params); },
      [&] { return make_hash_store_rtl(params, name); });
}

}  // namespace warpsieve::hash_store
