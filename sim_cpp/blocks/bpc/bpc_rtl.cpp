#include <algorithm>
#include <span>

#include "blocks/bpc/bpc_backends.h"
#include "cosim/noise.h"
#include "cosim/shadow.h"
#include "cosim/stream_rtl.h"
#include "rtl_points/bpc/bpc_decoder.h"
#include "rtl_points/bpc/bpc_encoder.h"

namespace warpsieve::bpc {

namespace {

struct EncoderFields {
  Noise noise{};
  void put(auto& top, const EncodeReq& req) const { port_from_bytes(top.in_line_i, to_line(req.words)); }
  void spoil(auto& top) {
    Line line{};
    noise(line);
    put(top, {to_words(line)});
  }
  EncodeRsp get(const auto& top) const {
    EncodeRsp rsp;
    port_to_bytes(top.out_bits_o, std::span(rsp.bits).first(std::min(rsp.bits.size(), sizeof top.out_bits_o)));
    rsp.length = top.out_length_o;
    return rsp;
  }
};

struct DecoderFields {
  BpcParams params;
  Noise noise{};
  void spoil(auto& top) {
    DecodeReq req;
    noise(req.bits);
    put(top, req);
  }
  void put(auto& top, const DecodeReq& req) const {
    // A Verilator port must not have bits above its width.
    Bits bits{};
    for (unsigned i = 0; i < params.raw_bits() / 8; ++i) bits[i] = req.bits[i];
    bits[params.raw_bits() / 8] = req.bits[params.raw_bits() / 8] & 1;
    port_from_bytes(top.in_bits_i, bits);
  }
  DecodeRsp get(const auto& top) const {
    Line bytes{};
    port_to_bytes(top.out_line_o, std::span(bytes).first(4 * params.words));
    return {to_words(bytes)};
  }
};

template <class V>
using EncoderRtl = StreamRtl<V, EncodeReq, EncodeRsp, EncoderFields, IdleWhen::none_inside>;
template <class V>
using DecoderRtl = StreamRtl<V, DecodeReq, DecodeRsp, DecoderFields, IdleWhen::none_inside>;

}  // namespace

std::unique_ptr<BpcEncoder> make_encoder_rtl(const BpcParams& params, const std::string& name) {
  return make_at_point<rtl_points::bpc_encoder, BpcEncoder>(
      {{"Words", params.words}}, [&]<class V>() { return std::make_unique<EncoderRtl<V>>(name); });
}

std::unique_ptr<BpcDecoder> make_decoder_rtl(const BpcParams& params, const std::string& name) {
  return make_at_point<rtl_points::bpc_decoder, BpcDecoder>({{"Words", params.words}}, [&]<class V>() {
    return std::make_unique<DecoderRtl<V>>(name, DecoderFields{params});
  });
}

std::unique_ptr<BpcEncoder> make_bpc_encoder(const BpcParams& params, Backend backend, std::string name) {
  check_params(params);
  return make_backend<EncodeReq, EncodeRsp>(
      backend, name, [&] { return make_encoder_model(params); }, [&] { return make_encoder_rtl(params, name); });
}

std::unique_ptr<BpcDecoder> make_bpc_decoder(const BpcParams& params, Backend backend, std::string name) {
  check_params(params);
  return make_backend<DecodeReq, DecodeRsp>(
      backend, name, [&] { return make_decoder_model(params); }, [&] { return make_decoder_rtl(params, name); });
}

}  // namespace warpsieve::bpc
