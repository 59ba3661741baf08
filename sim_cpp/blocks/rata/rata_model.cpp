#include <deque>
#include <optional>

#include "blocks/rata/rata_backends.h"
#include "blocks/rata/rata_entries.h"

namespace warpsieve::rata {

namespace {

constexpr unsigned rsp_slots = 3;

class RataModel final : public Rata {
 public:
  explicit RataModel(const RataParams& params) : entries_(params) { connect_ports(*this, lookup_, rsp_, update_); }
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
  RataEntries entries_;
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
