#include "blocks/affine/affine_backends.h"
#include "blocks/affine/affine_fields.h"
#include "cosim/shadow.h"
#include "cosim/stream_rtl.h"
#include "rtl_points/affine/affine_decoder.h"
#include "rtl_points/affine/affine_encoder.h"

namespace warpsieve::affine {

namespace {

struct EncoderFields {
  AffineParams params;
  void put(auto& top, const EncodeReq& req) const {
    port_from_bytes(top.in_data_i, pack(params, req.data));
    top.in_mask_i = req.mask & params.lane_mask();
  }
  EncodeRsp get(const auto& top) const { return {top.out_affine_o != 0, top.out_base_o, top.out_stride_o}; }
};

struct DecoderFields {
  AffineParams params;
  void put(auto& top, const DecodeReq& req) const {
    top.in_base_i = req.base;
    top.in_stride_i = req.stride_code;
  }
  DecodeRsp get(const auto& top) const {
    Bytes bytes{};
    port_to_bytes(top.out_data_o, bytes);
    return {unpack(params, bytes)};
  }
};

template <class V>
using EncoderRtl = StreamRtl<V, EncodeReq, EncodeRsp, EncoderFields>;
template <class V>
using DecoderRtl = StreamRtl<V, DecodeReq, DecodeRsp, DecoderFields>;

}  // namespace

std::unique_ptr<AffineEncoder> make_encoder_rtl(const AffineParams& params, const std::string& name) {
  return make_at_point<rtl_points::affine_encoder, AffineEncoder>(
      {{"Lanes", params.lanes}, {"Width", params.width}, {"StrideBits", params.stride_bits}},
      [&]<class V>() { return std::make_unique<EncoderRtl<V>>(name, EncoderFields{params}); });
}

std::unique_ptr<AffineDecoder> make_decoder_rtl(const AffineParams& params, const std::string& name) {
  return make_at_point<rtl_points::affine_decoder, AffineDecoder>(
      {{"Lanes", params.lanes}, {"Width", params.width}, {"StrideBits", params.stride_bits}},
      [&]<class V>() { return std::make_unique<DecoderRtl<V>>(name, DecoderFields{params}); });
}

std::unique_ptr<AffineEncoder> make_affine_encoder(const AffineParams& params, Backend backend, std::string name) {
  check_params(params);
  return make_backend<EncodeReq, EncodeRsp>(
      backend, name, [&] { return make_encoder_model(params); }, [&] { return make_encoder_rtl(params, name); });
}

std::unique_ptr<AffineDecoder> make_affine_decoder(const AffineParams& params, Backend backend, std::string name) {
  check_params(params);
  return make_backend<DecodeReq, DecodeRsp>(
      backend, name, [&] { return make_decoder_model(params); }, [&] { return make_decoder_rtl(params, name); });
}

}  // namespace warpsieve::affine
