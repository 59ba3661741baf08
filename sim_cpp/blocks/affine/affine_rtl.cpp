#include <Vaffine_decoder_min.h>
#include <Vaffine_decoder_odd.h>
#include <Vaffine_decoder_paper.h>
#include <Vaffine_encoder_min.h>
#include <Vaffine_encoder_odd.h>
#include <Vaffine_encoder_paper.h>
#include <fmt/format.h>

#include <stdexcept>

#include "blocks/affine/affine_backends.h"
#include "blocks/affine/affine_fields.h"
#include "cosim/shadow.h"
#include "cosim/stream_rtl.h"

namespace warpsieve::affine {

namespace {

constexpr AffineParams kMin{2, 1, 1}, kOdd{5, 7, 2}, kPaper{32, 32, 3};
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

[[noreturn]] void no_point(std::string_view module, const AffineParams& params) {
  throw std::invalid_argument(
      fmt::format("{}: no RTL compiled for lanes {} width {} stride_bits {}: see rtl/affine/points.txt", module,
                  params.lanes, params.width, params.stride_bits));
}

}  // namespace

std::unique_ptr<AffineEncoder> make_encoder_rtl(const AffineParams& params, const std::string& name) {
  if (params == kMin) return std::make_unique<EncoderRtl<Vaffine_encoder_min>>(name, EncoderFields{params});
  if (params == kOdd) return std::make_unique<EncoderRtl<Vaffine_encoder_odd>>(name, EncoderFields{params});
  if (params == kPaper) return std::make_unique<EncoderRtl<Vaffine_encoder_paper>>(name, EncoderFields{params});
  no_point("affine_encoder", params);
}

std::unique_ptr<AffineDecoder> make_decoder_rtl(const AffineParams& params, const std::string& name) {
  if (params == kMin) return std::make_unique<DecoderRtl<Vaffine_decoder_min>>(name, DecoderFields{params});
  if (params == kOdd) return std::make_unique<DecoderRtl<Vaffine_decoder_odd>>(name, DecoderFields{params});
  if (params == kPaper) return std::make_unique<DecoderRtl<Vaffine_decoder_paper>>(name, DecoderFields{params});
  no_point("affine_decoder", params);
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
