#include <bit>
#include <deque>
#include <optional>
#include <utility>

#include "blocks/axi_stream/axi_stream_backends.h"

namespace warpsieve::axi_stream {

namespace {

constexpr std::uint64_t keep_of(unsigned bytes) {
  return bytes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes) - 1;
}

/// Gathers the bytes of a packet as they come and judges them at its end.
class ToLineModel final : public AxisToLine {
 public:
  ToLineModel(const LineShape& shape, bool exact) : shape_(shape), exact_(exact) {}
  void reset() override {
    offered_.reset();
    spare_.reset();
    line_.reset();
    start_packet();
    popped_ = bad_ = false;
  }
  bool ready() const override { return !spare_; }
  bool push(const Beat& beat) override {
    if (spare_) return false;
    offered_ = beat;
    return true;
  }
  const Line* front() const override { return line_ ? &*line_ : nullptr; }
  void pop() override { popped_ = line_.has_value(); }
  void tick() override {
    const bool free = !line_ || popped_;
    bad_ = false;
    if (popped_) line_.reset();
    std::optional<Beat> beat = spare_ ? std::exchange(spare_, std::nullopt) : std::move(offered_);
    if (beat && free)
      take(*beat);
    else
      spare_ = std::move(beat);
    offered_.reset();
    popped_ = false;
  }
  bool idle() const override { return !line_ && !spare_ && !bad_; }
  bool bad_packet() const override { return bad_; }

 private:
  void start_packet() {
    bytes_.clear();
    first_ = true;
    broken_ = false;
  }
  void take(const Beat& beat) {
    if (std::exchange(first_, false)) user_ = beat.user;
    const auto kept = static_cast<unsigned>(std::popcount(beat.keep));
    broken_ = broken_ || kept == 0 || beat.keep != keep_of(kept) || (!beat.last && kept != shape_.data_bytes);
    if (!broken_) bytes_.insert(bytes_.end(), beat.data.begin(), beat.data.begin() + kept);
    broken_ = broken_ || bytes_.size() > shape_.line_bytes();
    if (!beat.last) return;
    bad_ = broken_ || (exact_ && bytes_.size() != shape_.line_bytes());
    if (!bad_) {
      bytes_.resize(shape_.line_bytes());
      if (shape_.line_bits % 8) bytes_.back() &= static_cast<std::uint8_t>(keep_of(shape_.line_bits % 8));
      line_ = Line{bytes_, user_};
    }
    start_packet();
  }
  LineShape shape_;
  bool exact_;
  std::optional<Beat> offered_, spare_;
  std::optional<Line> line_;         ///< on offer
  std::vector<std::uint8_t> bytes_;  ///< of the packet so far
  std::uint32_t user_ = 0;
  bool first_ = true, broken_ = false, popped_ = false, bad_ = false;
};

class FromLineModel final : public AxisFromLine {
 public:
  explicit FromLineModel(const LineShape& shape) : shape_(shape) {}
  void reset() override {
    taken_.reset();
    line_.clear();
    out_.clear();
    popped_ = false;
  }
  bool ready() const override { return line_.empty() || (line_.size() == 1 && room()); }
  bool push(const SendReq& request) override {
    if (!ready()) return false;
    taken_ = request;
    return true;
  }
  const Beat* front() const override { return out_.empty() ? nullptr : &out_.front(); }
  void pop() override { popped_ = !out_.empty(); }
  void tick() override {
    const bool move = !line_.empty() && room();
    if (popped_) out_.pop_front();
    if (move) {
      out_.push_back(std::move(line_.front()));
      line_.pop_front();
    }
    if (taken_) {
      auto beats = to_beats(shape_, *taken_);
      line_.assign(std::make_move_iterator(beats.begin()), std::make_move_iterator(beats.end()));
    }
    taken_.reset();
    popped_ = false;
  }
  bool idle() const override { return line_.empty() && out_.empty(); }

 private:
  bool room() const { return out_.size() < 2; }
  LineShape shape_;
  std::optional<SendReq> taken_;
  std::deque<Beat> line_, out_;  ///< beats still to go; the register slice
  bool popped_ = false;
};

}  // namespace

std::unique_ptr<AxisToLine> make_to_line_model(const LineShape& shape, bool exact) {
  return std::make_unique<ToLineModel>(shape, exact);
}

std::unique_ptr<AxisFromLine> make_from_line_model(const LineShape& shape) {
  return std::make_unique<FromLineModel>(shape);
}

}  // namespace warpsieve::axi_stream
