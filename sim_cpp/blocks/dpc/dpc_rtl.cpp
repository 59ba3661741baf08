#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>

#include "blocks/dpc/dpc_backends.h"
#include "cosim/noise.h"
#include "cosim/shadow.h"
#include "cosim/stream_rtl.h"
#include "rtl_points/dpc/dpc_decoder.h"
#include "rtl_points/dpc/dpc_encoder.h"

namespace warpsieve::dpc {

Line pack(const DpcParams& params, const Words& words) {
  if (params.planes == 32) return to_line(words);
  Line bytes{};
  for (unsigned bit = 0; bit < params.words() * params.planes; ++bit) {
    const std::uint32_t value = words[bit / params.planes] >> (bit % params.planes) & 1;
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] | value << (bit % 8));
  }
  return bytes;
}

Words unpack(const DpcParams& params, const Line& bytes) {
  if (params.planes == 32) return to_words(bytes);
  Words words{};
  for (unsigned bit = 0; bit < params.words() * params.planes; ++bit) {
    words[bit / params.planes] |= (std::uint32_t{bytes[bit / 8]} >> (bit % 8) & 1) << (bit % params.planes);
  }
  return words;
}

namespace {

struct EncoderFields {
  DpcParams params;
  Noise noise{};
  void spoil(auto& top) {
    EncodeReq req{{}, static_cast<unsigned>(noise(4))};
    for (unsigned i = 0; i < params.words(); ++i) req.words[i] = static_cast<std::uint32_t>(noise(params.planes));
    put(top, req);
  }
  void put(auto& top, const EncodeReq& req) const {
    port_from_bytes(top.in_line_i, pack(params, req.words));
    top.in_mask_i = req.mask & 0xf;
  }
  Flit get(const auto& top) const {
    Flit flit;
    port_to_bytes(top.out_bits_o, std::span(flit.bits).first(std::min(flit.bits.size(), sizeof top.out_bits_o)));
    flit.count = top.out_count_o;
    flit.last = top.out_last_o;
    flit.mask = top.out_mask_o;
    flit.length = top.out_length_o;
    return flit;
  }
};

struct DecoderFields {
  DpcParams params;
  Noise noise{};
  void spoil(auto& top) {
    StreamFlit flit{{}, static_cast<unsigned>(noise(4)), noise(1) != 0, noise(1) != 0};
    noise(flit.bits);
    put(top, flit);
  }
  void put(auto& top, const StreamFlit& flit) const {
    // A Verilator port must not have bits above its width.
    Bits bits = flit.bits;
    for (unsigned i = params.flit_bits; i < 8 * bits.size(); ++i) {
      bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] & ~(1u << (i % 8)));
    }
    port_from_bytes(top.in_bits_i, bits);
    top.in_mask_i = flit.mask & 0xf;
    top.in_last_i = flit.last;
    top.in_error_i = flit.error;
  }
  DecodedLine get(const auto& top) const {
    Line bytes{};
    port_to_bytes(top.out_line_o, std::span(bytes).first(std::min(bytes.size(), sizeof top.out_line_o)));
    return {unpack(params, bytes), top.out_mask_o};
  }
};

/// What is inside does not show: the RTL is never said to be idle.
template <class V>
class EncoderRtl final : public StreamRtl<V, EncodeReq, Flit, EncoderFields> {
 public:
  using StreamRtl<V, EncodeReq, Flit, EncoderFields>::StreamRtl;
  bool idle() const override { return false; }
};
template <class V>
class DecoderRtl final
    : public StreamRtl<V, StreamFlit, DecodedLine, DecoderFields, IdleWhen::output_empty, DpcDecoder> {
 public:
  using StreamRtl<V, StreamFlit, DecodedLine, DecoderFields, IdleWhen::output_empty, DpcDecoder>::StreamRtl;
  bool idle() const override { return false; }
  bool bad_packet() const override { return this->top().bad_packet_o; }
};

class DecoderShadow final : public Shadow<StreamFlit, DecodedLine, DpcDecoder> {
 public:
  using Shadow<StreamFlit, DecodedLine, DpcDecoder>::Shadow;
  bool bad_packet() const override { return same_level("bad_packet", model_->bad_packet(), rtl_->bad_packet()); }

 private:
  void compare() const override {
    Shadow<StreamFlit, DecodedLine, DpcDecoder>::compare();
    bad_packet();
  }
};

void refuse_transform(std::string_view module, const DpcParams& params) {
  if (params.transform) throw std::invalid_argument(fmt::format("{}: no RTL compiled with a transform", module));
}

}  // namespace

std::unique_ptr<DpcEncoder> make_encoder_rtl(const DpcParams& params, const std::string& name) {
  refuse_transform("dpc_encoder", params);
  return make_at_point<rtl_points::dpc_encoder, DpcEncoder>(
      {{"SubWords", params.sub_words},
       {"Planes", params.planes},
       {"PlanesPerCycle", params.planes_per_cycle},
       {"FlitBits", params.flit_bits},
       {"Truncate", params.truncate}},
      [&]<class V>() { return std::make_unique<EncoderRtl<V>>(name, EncoderFields{params}); });
}

std::unique_ptr<DpcDecoder> make_decoder_rtl(const DpcParams& params, const std::string& name) {
  refuse_transform("dpc_decoder", params);
  return make_at_point<rtl_points::dpc_decoder, DpcDecoder>(
      {{"SubWords", params.sub_words},
       {"Planes", params.planes},
       {"PlanesPerCycle", params.planes_per_cycle},
       {"FlitBits", params.flit_bits},
       {"Truncate", params.truncate}},
      [&]<class V>() { return std::make_unique<DecoderRtl<V>>(name, DecoderFields{params}); });
}

std::unique_ptr<DpcEncoder> make_dpc_encoder(const DpcParams& params, Backend backend, std::string name) {
  check_params(params);
  return make_backend<EncodeReq, Flit>(
      backend, name, [&] { return make_encoder_model(params); }, [&] { return make_encoder_rtl(params, name); });
}

std::unique_ptr<DpcDecoder> make_dpc_decoder(const DpcParams& params, Backend backend, std::string name) {
  check_params(params);
  return make_backend<DecoderShadow>(
      backend, name, [&] { return make_decoder_model(params); }, [&] { return make_decoder_rtl(params, name); });
}

}  // namespace warpsieve::dpc
