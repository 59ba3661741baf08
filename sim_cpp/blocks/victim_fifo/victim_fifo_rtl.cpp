#include <Vvictim_fifo_cam32.h>
#include <Vvictim_fifo_min.h>
#include <Vvictim_fifo_odd.h>
#include <Vvictim_fifo_paper.h>
#include <fmt/format.h>

#include <stdexcept>

#include "blocks/victim_fifo/victim_fifo_backends.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"

namespace warpsieve::victim_fifo {

namespace {

template <class V>
class VictimFifoRtl final : public VictimFifo {
 public:
  VictimFifoRtl(const VictimFifoParams& params, const std::string& name)
      : bytes_((params.data_bits + 7) / 8), rtl_(name) {
    reset();
  }
  void reset() override {
    lower();
    rtl_.reset();
    fetch();
  }
  bool ready() const override { return rtl_.top().req_ready_o; }
  bool push(const Request& request) override {
    rtl_.top().req_valid_i = 1;
    rtl_.top().req_op_i = static_cast<std::uint8_t>(request.op);
    rtl_.top().req_addr_i = request.addr;
    port_from_bytes(rtl_.top().req_data_i, std::span(request.data).first(bytes_));
    return ready();
  }
  const Response* front() const override { return rtl_.top().rsp_valid_o ? &out_ : nullptr; }
  void pop() override { rtl_.top().rsp_ready_i = 1; }
  void tick() override {
    rtl_.tick();
    lower();
    fetch();
  }
  bool idle() const override { return !rtl_.top().rsp_valid_o; }

 private:
  void lower() {
    rtl_.top().req_valid_i = 0;
    rtl_.top().rsp_ready_i = 0;
  }
  void fetch() {
    if (!rtl_.top().rsp_valid_o) return;
    out_ = {};
    out_.hit = rtl_.top().rsp_hit_o;
    if (out_.hit) port_to_bytes(rtl_.top().rsp_data_o, std::span(out_.data).first(bytes_));
  }
  std::size_t bytes_;
  RtlClock<V> rtl_;
  Response out_;
};

void check(const VictimFifoParams& params) {
  const auto bad = [](std::string_view what, unsigned value) {
    throw std::invalid_argument(fmt::format("victim_fifo: {} {} is out of range", what, value));
  };
  if (params.entries == 0) bad("entries", params.entries);
  if (params.tag_bits == 0 || params.tag_bits > 64) bad("tag_bits", params.tag_bits);
  if (params.data_bits == 0 || params.data_bits > 256) bad("data_bits", params.data_bits);
}

std::string hex(const Sector& data) {
  std::string text;
  for (std::size_t i = data.size(); i-- > 0;) text += fmt::format("{:02x}", data[i]);
  return text;
}

}  // namespace

std::unique_ptr<VictimFifo> make_victim_fifo_rtl(const VictimFifoParams& params, const std::string& name) {
  using P = VictimFifoParams;
  if (params == P{1, 1, 1}) return std::make_unique<VictimFifoRtl<Vvictim_fifo_min>>(params, name);
  if (params == P{5, 7, 9}) return std::make_unique<VictimFifoRtl<Vvictim_fifo_odd>>(params, name);
  if (params == P{16, 26, 256}) return std::make_unique<VictimFifoRtl<Vvictim_fifo_paper>>(params, name);
  if (params == P{16, 32, 32}) return std::make_unique<VictimFifoRtl<Vvictim_fifo_cam32>>(params, name);
  throw std::invalid_argument(
      fmt::format("victim_fifo: no RTL compiled for {} entries, {} tag bits, {} data bits: see "
                  "rtl/victim_fifo/points.txt",
                  params.entries, params.tag_bits, params.data_bits));
}

std::string describe(const Request& request) {
  static constexpr std::string_view names[] = {"insert", "lookup", "invalidate"};
  return fmt::format("{} {:#x} {}", names[static_cast<int>(request.op)], request.addr, hex(request.data));
}

std::string describe(const Response& response) {
  return fmt::format("{} {}", response.hit ? "hit" : "miss", hex(response.data));
}

std::unique_ptr<VictimFifo> make_victim_fifo(const VictimFifoParams& params, Backend backend, std::string name) {
  check(params);
  return make_backend<Request, Response>(
      backend, name, [&] { return make_victim_fifo_model(params); },
      [&] { return make_victim_fifo_rtl(params, name); });
}

}  // namespace warpsieve::victim_fifo
