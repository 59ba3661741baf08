#include <optional>
#include <vector>

#include "blocks/request_control/request_control_backends.h"
#include "blocks/request_control/sub_blocks.h"
#include "cosim/model_ports.h"
#include "cosim/model_queue.h"

namespace warpsieve::request_control {

namespace {

constexpr std::size_t slots = 3;  // items inside per stream, as in the RTL

class CriticalDataTrackerModel final : public CriticalDataTracker {
 public:
  explicit CriticalDataTrackerModel(const TrackerParams& params) : params_(params) {
    connect_ports(*this, req_, rsp_, fill_, done_);
    reset();
  }
  void set_prediction(bool predict, const Verdicts& verdicts) override {
    predict_ = predict;
    verdicts_ = verdicts;
  }
  void reset() override {
    lines_.assign(params_.lines, Line{});
    entries_.assign(params_.mshrs, Entry{});
    request_.reset();
    reply_.reset();
    req_.clear();
    fill_.clear();
    rsp_.clear();
    done_.clear();
    req_.open = fill_.open = true;
  }
  void tick() override {
    rsp_.settle();
    done_.settle();
    // A fill of the same cycle goes first where both touch one line or entry: the request then waits. So the order
    // of the two below does not matter otherwise.
    if (request_) rsp_.put(serve(*request_));
    if (reply_) done_.put(merge(*reply_));
    request_ = req_.taken();
    reply_ = fill_.taken();
    req_.clear();
    fill_.clear();
    req_.open = rsp_.size() + request_.has_value() < slots;
    fill_.open = done_.size() + reply_.has_value() < slots;
  }
  bool idle() const override { return !request_ && !reply_ && rsp_.size() == 0 && done_.size() == 0; }

 private:
  struct Line {
    bool valid = false;
    std::uint8_t map = 0;  ///< sub-blocks that may be hit
    LineEvent asked;
  };
  struct Entry {
    std::uint8_t pending = 0;  ///< in use while not 0
    std::uint8_t asked = 0;    ///< by requests, or kept: what the windows judge (D13)
    std::uint8_t brought = 0;  ///< by replies, asked or not (D5, D14)
    bool inconsistent = false;
    std::uint8_t all() const { return asked | brought; }
  };

  Class classify(const TrackerReq& r) const {
    if (r.line_hit) {
      const Line& line = lines_[r.line];
      if ((reply_ && reply_->line == r.line) || !line.valid) return Class::wait;
      if ((r.mask & ~line.map) == 0) return Class::hit;
      return r.alloc ? Class::invalid : Class::wait;
    }
    if (r.mshr_hit) {
      const Entry& entry = entries_[r.mshr];
      if ((reply_ && !reply_->evict && reply_->mshr == r.mshr) || entry.pending == 0) return Class::wait;
      return (r.mask & ~entry.all()) == 0 ? Class::merged : Class::again;
    }
    return r.alloc ? Class::first : Class::wait;
  }

  TrackerRsp serve(const TrackerReq& r) {
    const Class kind = classify(r);
    Entry& entry = entries_[r.mshr];
    if (kind == Class::merged) entry.asked |= r.mask;  // perhaps the first that needs what a reply brought
    if (kind == Class::hit || kind == Class::merged || kind == Class::wait) return {kind, 0, Reason::partial};
    if (kind != Class::again) entry = {};
    if (kind == Class::invalid) {
      lines_[r.line].valid = false;
      if (params_.append) entry.asked = lines_[r.line].map;
    }
    const ControllerAnswer answer = decide({predict_, verdicts_, kind == Class::again, r.mask, entry.all()});
    entry.asked |= answer.want;
    entry.pending |= answer.send;
    entry.inconsistent = kind != Class::first;
    return {kind, answer.send, answer.reason};
  }

  TrackerDone merge(const TrackerFill& f) {
    Line& line = lines_[f.line];
    TrackerDone done;
    done.evicted = line.valid;
    if (line.valid) done.old = line.asked;
    line.valid = false;
    if (f.evict) return done;
    Entry& entry = entries_[f.mshr];
    entry.pending &= static_cast<std::uint8_t>(~f.asked);
    entry.brought |= f.mask;
    if (entry.pending != 0) return done;
    done.complete = true;
    done.map = entry.all();
    done.fetched = {entry.asked, entry.inconsistent};
    line = {true, done.map, done.fetched};
    return done;
  }

  TrackerParams params_;
  bool predict_ = false;
  Verdicts verdicts_;
  std::vector<Line> lines_;
  std::vector<Entry> entries_;
  std::optional<TrackerReq> request_;  // stage 1
  std::optional<TrackerFill> reply_;
  ModelIn<TrackerReq> req_;
  ModelIn<TrackerFill> fill_;
  ModelQueue<TrackerRsp> rsp_;
  ModelQueue<TrackerDone> done_;
};

}  // namespace

std::unique_ptr<CriticalDataTracker> make_critical_data_tracker_model(const TrackerParams& params) {
  return std::make_unique<CriticalDataTrackerModel>(params);
}

}  // namespace warpsieve::request_control
