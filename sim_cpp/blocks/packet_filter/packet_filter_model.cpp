#include <deque>
#include <optional>

#include "blocks/packet_filter/packet_filter_backends.h"
#include "cosim/model_ports.h"
#include "cosim/model_queue.h"

namespace warpsieve::packet_filter {

PacketForm select(Mode mode, const AskedMask& mask, const EncodedSizes& sizes) {
  PacketForm packet{Form::whole, 0xf, mask.asked, sizes.whole, 0};
  const bool smaller = mode == Mode::df_trunc || (mode == Mode::df_man && sizes.part < sizes.whole);
  if (mode == Mode::raw) {
    packet.form = Form::raw;
    packet.bits = 1024;
  } else if (smaller && !mask.full) {
    packet.form = mode == Mode::df_trunc ? Form::truncated : Form::zero_filled;
    packet.map = mask.asked;
    packet.bits = sizes.part;
  }
  packet.flits = flits(packet.bits);
  return packet;
}

namespace {

class PacketFilterModel final : public PacketFilter {
 public:
  explicit PacketFilterModel(const FilterParams& params)
      : in_flight_(params.in_flight), table_(make_pdr_table_model(params.table)) {
    connect_ports(*this, table_->req(), table_->fwd(), table_->take(), mask_, size_, out_);
    reset();
  }
  void set_mode(Mode mode) override { mode_ = mode; }
  unsigned used() const override { return table_->used(); }
  void reset() override {
    table_->reset();
    order_.clear();
    out_.clear();
    size_.clear();
    mask_ = {};
    offer();
  }
  void tick() override {
    out_.settle();
    const bool sized = size_.taken().has_value();
    if (sized) out_.put(select(mode_, order_.front(), *size_.taken()));
    size_.clear();
    const std::optional<AskedMask> sent = mask_.popped() ? mask_.item : std::nullopt;
    if (sent) table_->mask().pop();
    if (sized) order_.pop_front();
    if (sent) order_.push_back(*sent);
    table_->tick();
    mask_ = {};
    offer();
  }
  bool idle() const override { return table_->idle() && order_.empty() && out_.size() == 0; }

 private:
  /// What is on offer and ready in the coming cycle.
  void offer() {
    if (const AskedMask* front = table_->mask().front(); front && order_.size() < in_flight_) mask_.item = *front;
    size_.open = !order_.empty() && out_.size() < 2;
  }

  std::size_t in_flight_;
  Mode mode_ = Mode::dpc;
  std::unique_ptr<PdrTable> table_;
  std::deque<AskedMask> order_;
  ModelOut<AskedMask> mask_;
  ModelIn<EncodedSizes> size_;
  ModelQueue<PacketForm> out_;
};

}  // namespace

std::unique_ptr<PacketFilter> make_packet_filter_model(const FilterParams& params) {
  return std::make_unique<PacketFilterModel>(params);
}

}  // namespace warpsieve::packet_filter
