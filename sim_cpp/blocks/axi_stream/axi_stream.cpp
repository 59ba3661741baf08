#include "blocks/axi_stream/axi_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "blocks/axi_stream/axi_stream_backends.h"
#include "cosim/shadow.h"

namespace warpsieve::axi_stream {

namespace {

void check(std::string_view block, const LineShape& shape) {
  const auto bad = [&](std::string_view what, unsigned value) {
    throw std::invalid_argument(fmt::format("{}: {} {} is out of range", block, what, value));
  };
  if (shape.data_bytes == 0 || shape.data_bytes > kMaxDataBytes) bad("data_bytes", shape.data_bytes);
  if (shape.line_bits == 0) bad("line_bits", shape.line_bits);
  if (shape.user_bits == 0 || shape.user_bits > kMaxUserBits) bad("user_bits", shape.user_bits);
}

std::string hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (std::size_t i = bytes.size(); i-- > 0;) text += fmt::format("{:02x}", bytes[i]);
  return text;
}

template <class Rsp>
class PacketShadow final : public Shadow<Beat, Rsp, PacketBlock<Rsp>> {
 public:
  using Shadow<Beat, Rsp, PacketBlock<Rsp>>::Shadow;
  bool bad_packet() const override {
    return this->same_level("bad_packet", this->model_->bad_packet(), this->rtl_->bad_packet());
  }

 private:
  void compare() const override {
    Shadow<Beat, Rsp, PacketBlock<Rsp>>::compare();
    bad_packet();
  }
};

}  // namespace

std::string describe(const Beat& beat) {
  return fmt::format("{} keep {:#x} user {:#x}{}", hex(beat.data), beat.keep, beat.user, beat.last ? " last" : "");
}
std::string describe(const Line& line) { return fmt::format("{} user {:#x}", hex(line.bytes), line.user); }
std::string describe(const SendReq& request) {
  return fmt::format("{} of {}", request.length, describe(request.line));
}

std::vector<Beat> to_beats(const LineShape& shape, const SendReq& request) {
  const unsigned bytes = (request.length + 7) / 8;
  std::vector<Beat> beats((bytes + shape.data_bytes - 1) / shape.data_bytes);
  for (unsigned b = 0; b < beats.size(); ++b) {
    Beat& beat = beats[b];
    beat.data.resize(shape.data_bytes);
    for (unsigned i = 0; i < shape.data_bytes; ++i) {
      const unsigned at = b * shape.data_bytes + i;
      if (at < request.line.bytes.size()) beat.data[i] = request.line.bytes[at];
      if (at < bytes) beat.keep |= std::uint64_t{1} << i;
    }
    beat.user = request.line.user;
    beat.last = b + 1 == beats.size();
  }
  return beats;
}

std::unique_ptr<AxisToLine> make_axis_to_line(const LineShape& shape, bool exact, Backend backend, std::string name) {
  check("axis_to_line", shape);
  return make_backend<PacketShadow<Line>>(
      backend, name, [&] { return make_to_line_model(shape, exact); },
      [&] { return make_to_line_rtl(shape, exact, name); });
}

std::unique_ptr<AxisFromLine> make_axis_from_line(const LineShape& shape, Backend backend, std::string name) {
  check("axis_from_line", shape);
  return make_backend<SendReq, Beat>(
      backend, name, [&] { return make_from_line_model(shape); }, [&] { return make_from_line_rtl(shape, name); });
}

std::unique_ptr<AxisCodec> make_axis_line_hasher(const AxisHasherParams& params, Backend backend, std::string name) {
  check("axis_line_hasher", {params.data_bytes});
  return make_backend<PacketShadow<Beat>>(
      backend, name, [&] { return make_line_hasher_model(params); },
      [&] { return make_line_hasher_rtl(params, name); });
}

std::unique_ptr<AxisCodec> make_axis_dpc_encoder(const AxisDpcParams& params, Backend backend, std::string name) {
  check("axis_dpc_encoder", {params.data_bytes});
  return make_backend<PacketShadow<Beat>>(
      backend, name, [&] { return make_dpc_encoder_model(params); },
      [&] { return make_dpc_encoder_rtl(params, name); });
}

std::unique_ptr<AxisCodec> make_axis_dpc_decoder(const AxisDpcParams& params, Backend backend, std::string name) {
  check("axis_dpc_decoder", {params.data_bytes});
  return make_backend<PacketShadow<Beat>>(
      backend, name, [&] { return make_dpc_decoder_model(params); },
      [&] { return make_dpc_decoder_rtl(params, name); });
}

std::unique_ptr<AxisCodec> make_axis_bpc_encoder(const AxisBpcParams& params, Backend backend, std::string name) {
  check("axis_bpc_encoder", {params.data_bytes});
  return make_backend<PacketShadow<Beat>>(
      backend, name, [&] { return make_bpc_encoder_model(params); },
      [&] { return make_bpc_encoder_rtl(params, name); });
}

std::unique_ptr<AxisCodec> make_axis_bpc_decoder(const AxisBpcParams& params, Backend backend, std::string name) {
  check("axis_bpc_decoder", {params.data_bytes});
  return make_backend<PacketShadow<Beat>>(
      backend, name, [&] { return make_bpc_decoder_model(params); },
      [&] { return make_bpc_decoder_rtl(params, name); });
}

}  // namespace warpsieve::axi_stream
