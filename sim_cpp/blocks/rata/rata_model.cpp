#include <algorithm>
#include <bit>
#include <deque>
#include <optional>
#include <vector>

#include "blocks/rata/rata_backends.h"

namespace warpsieve::rata {

namespace {

constexpr unsigned rsp_slots = 3;

/// Tags and owners of all sets; each set lists its entries, last use first.
class Entries {
 public:
  explicit Entries(const RataParams& params)
      : ways_(params.ways), set_mask_(params.sets - 1),
        tag_shift_(static_cast<unsigned>(std::countr_zero(params.sets))),
        tag_mask_(params.tag_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << params.tag_bits) - 1),
        sm_mask_((1u << params.sm_bits) - 1), sets_(params.sets) {
    for (auto& set : sets_) set.reserve(ways_ + 1);
  }
  void clear() {
    for (auto& set : sets_) set.clear();
  }
  RataRsp lookup(const RataLookup& request) {
    auto& set = set_of(request.line);
    const auto at = find(set, request.line);
    if (at == set.end() || at->sm == (request.sm & sm_mask_)) return {};
    std::rotate(set.begin(), at, at + 1);
    return {true, set.front().sm};
  }
  void update(const RataUpdate& request) {
    auto& set = set_of(request.line);
    const auto at = find(set, request.line);
    const unsigned sm = request.sm & sm_mask_;
    switch (request.op) {
      case RataOp::allocate:
        if (at != set.end()) {
          std::rotate(set.begin(), at, at + 1);
          set.front().sm = sm;
        } else {
          if (set.size() == ways_) set.pop_back();
          set.insert(set.begin(), Entry{tag(request.line), sm});
        }
        return;
      case RataOp::invalidate:
        if (at != set.end()) set.erase(at);
        return;
      case RataOp::drop:
        if (at != set.end() && at->sm == sm) set.erase(at);
        return;
      case RataOp::clear: clear(); return;
    }
  }

 private:
  struct Entry {
    std::uint64_t tag;
    unsigned sm;
  };
  using Set = std::vector<Entry>;
  std::uint64_t tag(std::uint64_t line) const { return line >> tag_shift_ & tag_mask_; }
  Set& set_of(std::uint64_t line) { return sets_[line & set_mask_]; }
  Set::iterator find(Set& set, std::uint64_t line) const {
    return std::find_if(set.begin(), set.end(), [t = tag(line)](const Entry& e) { return e.tag == t; });
  }
  unsigned ways_;
  std::uint64_t set_mask_;
  unsigned tag_shift_;
  std::uint64_t tag_mask_;
  unsigned sm_mask_;
  std::vector<Set> sets_;
};

class RataModel final : public Rata {
 public:
  explicit RataModel(const RataParams& params) : entries_(params) {}
  void reset() override {
    entries_.clear();
    waiting_.reset();
    yield_ = false;
    credit_ = 0;
    tag_.reset();
    rsp_.queue.clear();
    rsp_.popped = false;
    lookup_.offer.reset();
    update_.offer.reset();
    settle();
  }
  InPort<RataLookup>& lookup() override { return lookup_; }
  OutPort<RataRsp>& rsp() override { return rsp_; }
  InPort<RataUpdate>& update() override { return update_; }
  bool idle() const override { return !tag_.has_value() && !waiting_ && !yield_ && rsp_.queue.empty(); }
  void tick() override {
    const bool update_turn = waiting_ && !yield_;
    const bool room = credit_ != rsp_slots;
    if (rsp_.popped) {
      rsp_.queue.pop_front();
      --credit_;
      rsp_.popped = false;
    }
    if (tag_ && *tag_) rsp_.queue.push_back(**tag_);
    tag_.reset();
    yield_ = lookup_.offer && room && update_turn;
    if (update_turn) {
      entries_.update(*waiting_);
      if (waiting_->op != RataOp::clear) tag_.emplace();
      waiting_.reset();
    } else if (lookup_.offer && lookup_.open) {
      tag_.emplace(entries_.lookup(*lookup_.offer));
      ++credit_;
    }
    if (update_.offer && update_.open) waiting_ = update_.offer;
    lookup_.offer.reset();
    update_.offer.reset();
    settle();
  }

 private:
  /// Keeps the offer also when it is not taken: a lookup that is held off matters.
  template <class T>
  struct In final : InPort<T> {
    bool open = false;
    std::optional<T> offer;
    bool ready() const override { return open; }
    bool push(const T& item) override {
      offer = item;
      return open;
    }
  };
  struct Out final : OutPort<RataRsp> {
    std::deque<RataRsp> queue;
    bool popped = false;
    const RataRsp* front() const override { return queue.empty() ? nullptr : &queue.front(); }
    void pop() override { popped = !queue.empty(); }
  };
  void settle() {
    const bool update_turn = waiting_ && !yield_;
    lookup_.open = credit_ != rsp_slots && !update_turn;
    update_.open = !waiting_ || update_turn;
  }
  Entries entries_;
  std::optional<RataUpdate> waiting_;
  bool yield_ = false;
  unsigned credit_ = 0;                        // lookups taken and not answered
  std::optional<std::optional<RataRsp>> tag_;  // operation in the tag stage, with its response if it has one
  In<RataLookup> lookup_;
  Out rsp_;
  In<RataUpdate> update_;
};

}  // namespace

std::unique_ptr<Rata> make_rata_model(const RataParams& params) {
  auto model = std::make_unique<RataModel>(params);
  model->reset();
  return model;
}

}  // namespace warpsieve::rata
