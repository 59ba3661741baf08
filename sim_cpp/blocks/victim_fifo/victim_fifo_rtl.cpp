#include <fmt/format.h>

#include <stdexcept>

#include "blocks/victim_fifo/victim_fifo_backends.h"
#include "cosim/noise.h"
#include "cosim/shadow.h"
#include "cosim/stream_rtl.h"
#include "rtl_points/victim_fifo/victim_fifo.h"

namespace warpsieve::victim_fifo {

namespace {

struct Fields {
  VictimFifoParams params;
  Noise noise{};
  std::size_t bytes() const { return (params.data_bits + 7) / 8; }
  void put(auto& top, const Request& request) const {
    top.req_op_i = static_cast<std::uint8_t>(request.op);
    top.req_addr_i = request.line;
    top.req_sectors_i = request.sectors;
    port_from_bytes(top.req_data_i, std::span(request.data).first(bytes()));
  }
  void spoil(auto& top) {
    Request request{
        static_cast<Op>(noise(2)), noise(params.tag_bits), static_cast<std::uint8_t>(noise(params.sectors)), {}};
    noise(std::span(request.data).first(bytes()));
    if (params.data_bits % 8)
      request.data[bytes() - 1] &= static_cast<std::uint8_t>((1u << params.data_bits % 8) - 1);
    put(top, request);
  }
  Response get(const auto& top) const {
    Response response{};
    response.sectors = top.rsp_sectors_o;
    if (response.sectors) port_to_bytes(top.rsp_data_o, std::span(response.data).first(bytes()));
    return response;
  }
};

template <class V>
using VictimFifoRtl = StreamRtl<V, Request, Response, Fields>;

void check(const VictimFifoParams& params) {
  const auto bad = [](std::string_view what, unsigned value) {
    throw std::invalid_argument(fmt::format("victim_fifo: {} {} is out of range", what, value));
  };
  if (params.entries == 0) bad("entries", params.entries);
  if (params.tag_bits == 0 || params.tag_bits > 64) bad("tag_bits", params.tag_bits);
  if (params.sectors == 0 || params.sectors > 8) bad("sectors", params.sectors);
  if (params.data_bits == 0 || params.data_bits > 256) bad("data_bits", params.data_bits);
}

std::string hex(const Sector& data) {
  std::string text;
  for (std::size_t i = data.size(); i-- > 0;) text += fmt::format("{:02x}", data[i]);
  return text;
}

}  // namespace

std::unique_ptr<VictimFifo> make_victim_fifo_rtl(const VictimFifoParams& params, const std::string& name) {
  return make_at_point<rtl_points::victim_fifo, VictimFifo>(
      {{"Entries", params.entries},
       {"TagBits", params.tag_bits},
       {"Sectors", params.sectors},
       {"DataBits", params.data_bits}},
      [&]<class V>() { return std::make_unique<VictimFifoRtl<V>>(name, Fields{params}); });
}

std::string describe(const Request& request) {
  static constexpr std::string_view names[] = {"insert", "lookup", "invalidate"};
  return fmt::format("{} line {:#x} sectors {:#b} {}", names[static_cast<int>(request.op)], request.line,
                     request.sectors, hex(request.data));
}

std::string describe(const Response& response) {
  return fmt::format("present {:#b} {}", response.sectors, hex(response.data));
}

std::unique_ptr<VictimFifo> make_victim_fifo(const VictimFifoParams& params, Backend backend, std::string name) {
  check(params);
  return make_backend<Request, Response>(
      backend, name, [&] { return make_victim_fifo_model(params); },
      [&] { return make_victim_fifo_rtl(params, name); });
}

}  // namespace warpsieve::victim_fifo
