#include <Vaffine_decoder_min.h>
#include <Vaffine_decoder_odd.h>
#include <Vaffine_decoder_paper.h>
#include <Vaffine_encoder_min.h>
#include <Vaffine_encoder_odd.h>
#include <Vaffine_encoder_paper.h>
#include <fmt/format.h>

#include <stdexcept>

#include "blocks/affine/affine_backends.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"

namespace warpsieve::affine {

namespace {

constexpr AffineParams kMin{2, 1, 1}, kOdd{5, 7, 2}, kPaper{32, 32, 3};
using Bytes = std::array<std::uint8_t, kMaxLanes * 4>;

/// `lanes` values of `width` bits, back to back, lane 0 in the low bits.
Bytes pack(const AffineParams& params, const Vector& data) {
  Bytes bytes{};
  for (unsigned bit = 0; bit < params.lanes * params.width; ++bit) {
    const std::uint32_t value = data[bit / params.width] >> (bit % params.width) & 1;
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] | value << (bit % 8));
  }
  return bytes;
}

Vector unpack(const AffineParams& params, const Bytes& bytes) {
  Vector data{};
  for (unsigned bit = 0; bit < params.lanes * params.width; ++bit) {
    data[bit / params.width] |= (std::uint32_t{bytes[bit / 8]} >> (bit % 8) & 1) << (bit % params.width);
  }
  return data;
}

/// The handshake common to both; Derived::put() sets the input payload, Derived::get() reads the output.
template <class Derived, class V, class Req, class Rsp>
class CodecRtl : public Block<Req, Rsp> {
 public:
  CodecRtl(const AffineParams& params, const std::string& name) : params_(params), rtl_(name) { reset(); }
  void reset() override {
    lower();
    rtl_.reset();
    fetch();
  }
  bool ready() const override { return rtl_.top().in_ready_o; }
  bool push(const Req& item) override {
    rtl_.top().in_valid_i = 1;
    static_cast<Derived*>(this)->put(rtl_.top(), item);
    return ready();
  }
  const Rsp* front() const override { return rtl_.top().out_valid_o ? &out_ : nullptr; }
  void pop() override { rtl_.top().out_ready_i = 1; }
  void tick() override {
    rtl_.tick();
    lower();
    fetch();
  }
  bool idle() const override { return !rtl_.top().out_valid_o; }

 protected:
  AffineParams params_;

 private:
  void lower() {
    rtl_.top().in_valid_i = 0;
    rtl_.top().out_ready_i = 0;
  }
  void fetch() {
    if (rtl_.top().out_valid_o) out_ = static_cast<Derived*>(this)->get(rtl_.top());
  }
  RtlClock<V> rtl_;
  Rsp out_;
};

template <class V>
class EncoderRtl final : public CodecRtl<EncoderRtl<V>, V, EncodeReq, EncodeRsp> {
 public:
  using CodecRtl<EncoderRtl<V>, V, EncodeReq, EncodeRsp>::CodecRtl;
  void put(V& top, const EncodeReq& req) const {
    port_from_bytes(top.in_data_i, pack(this->params_, req.data));
    top.in_mask_i = req.mask & this->params_.lane_mask();
  }
  EncodeRsp get(const V& top) const { return {top.out_affine_o != 0, top.out_base_o, top.out_stride_o}; }
};

template <class V>
class DecoderRtl final : public CodecRtl<DecoderRtl<V>, V, DecodeReq, DecodeRsp> {
 public:
  using CodecRtl<DecoderRtl<V>, V, DecodeReq, DecodeRsp>::CodecRtl;
  void put(V& top, const DecodeReq& req) const {
    top.in_base_i = req.base;
    top.in_stride_i = req.stride_code;
  }
  DecodeRsp get(const V& top) const {
    Bytes bytes{};
    port_to_bytes(top.out_data_o, bytes);
    return {unpack(this->params_, bytes)};
  }
};

[[noreturn]] void no_point(std::string_view module, const AffineParams& params) {
  throw std::invalid_argument(
      fmt::format("{}: no RTL compiled for lanes {} width {} stride_bits {}: see rtl/affine/points.txt", module,
                  params.lanes, params.width, params.stride_bits));
}

}  // namespace

std::unique_ptr<AffineEncoder> make_encoder_rtl(const AffineParams& params, const std::string& name) {
  if (params == kMin) return std::make_unique<EncoderRtl<Vaffine_encoder_min>>(params, name);
  if (params == kOdd) return std::make_unique<EncoderRtl<Vaffine_encoder_odd>>(params, name);
  if (params == kPaper) return std::make_unique<EncoderRtl<Vaffine_encoder_paper>>(params, name);
  no_point("affine_encoder", params);
}

std::unique_ptr<AffineDecoder> make_decoder_rtl(const AffineParams& params, const std::string& name) {
  if (params == kMin) return std::make_unique<DecoderRtl<Vaffine_decoder_min>>(params, name);
  if (params == kOdd) return std::make_unique<DecoderRtl<Vaffine_decoder_odd>>(params, name);
  if (params == kPaper) return std::make_unique<DecoderRtl<Vaffine_decoder_paper>>(params, name);
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
