#include <Vfifo_min.h>
#include <Vfifo_odd.h>
#include <Vfifo_paper.h>
#include <fmt/format.h>

#include "blocks/common/fifo_backends.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"

namespace warpsieve::common {

namespace {

template <class V>
class FifoRtl final : public Fifo {
 public:
  explicit FifoRtl(const std::string& name) : rtl_(name) { reset(); }
  void reset() override {
    lower();
    rtl_.reset();
    fetch();
  }
  bool ready() const override { return rtl_.top().in_ready_o; }
  bool push(const FifoItem& item) override {
    rtl_.top().in_valid_i = 1;
    rtl_.top().in_data_i = item.data;
    return ready();
  }
  const FifoItem* front() const override { return rtl_.top().out_valid_o ? &out_ : nullptr; }
  void pop() override { rtl_.top().out_ready_i = 1; }
  void tick() override {
    rtl_.tick();
    lower();
    fetch();
  }
  bool idle() const override { return !rtl_.top().out_valid_o; }

 private:
  void lower() {
    rtl_.top().in_valid_i = 0;
    rtl_.top().out_ready_i = 0;
  }
  void fetch() { out_.data = rtl_.top().out_data_o; }
  RtlClock<V> rtl_;
  FifoItem out_;
};

}  // namespace

std::unique_ptr<Fifo> make_fifo_rtl(const FifoParams& params, const std::string& name) {
  if (params == FifoParams{1, 1}) return std::make_unique<FifoRtl<Vfifo_min>>(name);
  if (params == FifoParams{7, 5}) return std::make_unique<FifoRtl<Vfifo_odd>>(name);
  if (params == FifoParams{32, 8}) return std::make_unique<FifoRtl<Vfifo_paper>>(name);
  throw std::invalid_argument(fmt::format(
      "fifo: no RTL compiled for width {} depth {}: see rtl/common/points.txt", params.width, params.depth));
}

std::string describe(const FifoItem& item) { return fmt::format("{:#x}", item.data); }

std::unique_ptr<Fifo> make_fifo(const FifoParams& params, Backend backend, std::string name) {
  return make_backend<FifoItem, FifoItem>(
      backend, name, [&] { return make_fifo_model(params); }, [&] { return make_fifo_rtl(params, name); });
}

}  // namespace warpsieve::common
