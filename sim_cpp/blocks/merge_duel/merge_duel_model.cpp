#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <vector>

#include "blocks/merge_duel/merge_duel_backends.h"

namespace warpsieve::merge_duel {

std::string describe(const DuelEvents& events) {
  std::string out;
  if (events.ask) out += fmt::format("ask line {:#x} ", *events.ask);
  if (events.open) out += fmt::format("open tag {} line {:#x} ", events.open->tag, events.open->line);
  if (events.sent) out += fmt::format("sent tag {} mask {:#x} ", events.sent->tag, events.sent->mask);
  if (events.done) out += fmt::format("done line {:#x} sectors {} ", events.done->line, events.done->sectors);
  if (out.empty()) return "nothing";
  out.pop_back();
  return out;
}

namespace {

enum class Group : std::uint8_t { follows, whole, masked };

class DuelModel final : public MergeDuel {
 public:
  explicit DuelModel(const DuelParams& params)
      : params_(params), limit_((1 << (params.level_bits - 1)) - 1), turn_(1 << (params.level_bits - 3)),
        groups_(std::size_t{1} << params.tag_bits) {}
  void reset() override {
    events_ = {};
    asked_ = Group::masked;
    pending_ = level_ = 0;
    counted_ = whole_ = false;
  }
  void in(const DuelEvents& events) override { events_ = events; }
  bool whole() const override { return asked_ == Group::whole || (asked_ == Group::follows && whole_); }
  int level() const override { return level_; }
  void tick() override {
    if (counted_) {
      level_ = std::clamp(level_ + pending_, -limit_, limit_);
      if (level_ <= -turn_) whole_ = true;
      if (level_ >= 0) whole_ = false;
    }
    pending_ = 0;
    counted_ = false;
    if (events_.sent) count(groups_[events_.sent->tag], std::popcount(events_.sent->mask));
    if (events_.done) count(group(events_.done->line), events_.done->sectors);
    if (events_.open) groups_[events_.open->tag] = group(events_.open->line);
    if (events_.ask) asked_ = group(*events_.ask);
    events_ = {};
  }
  bool idle() const override { return !counted_; }

 private:
  Group group(std::uint32_t line) const {
    const std::uint32_t ones = (1u << params_.leader_bits) - 1;
    std::uint32_t fold = 0;
    for (; line; line >>= params_.leader_bits) fold ^= line & ones;
    return fold == 0 ? Group::whole : fold == ones ? Group::masked : Group::follows;
  }
  void count(Group group, int sectors) {
    counted_ = counted_ || sectors != 0;
    if (group == Group::whole) pending_ += sectors;
    if (group == Group::masked) pending_ -= sectors;
  }

  DuelParams params_;
  int limit_, turn_;
  std::vector<Group> groups_;  ///< by tag
  DuelEvents events_;
  Group asked_ = Group::masked;
  int pending_ = 0, level_ = 0;  ///< pending_: of the last cycle, not in level_ yet
  bool counted_ = false;         ///< there were sectors in the last cycle
  bool whole_ = false;           ///< lines of no group are completed
};

}  // namespace

std::unique_ptr<MergeDuel> make_merge_duel_model(const DuelParams& params) {
  const auto [line, tag, leader, level] = params;
  if (line < 1 || line > 31 || tag < 1 || tag > 16 || leader < 1 || leader > line || level < 6 || level > 16) {
    throw std::invalid_argument(
        fmt::format("merge_duel: {} bits of a line, {} of a tag, {} for leaders, {} for the level: out of range",
                    line, tag, leader, level));
  }
  return std::make_unique<DuelModel>(params);
}

}  // namespace warpsieve::merge_duel
