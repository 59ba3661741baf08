#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <optional>
#include <stdexcept>

#include "blocks/affine/affine_backends.h"

namespace warpsieve::affine {

namespace {

/// A function behind a register slice: what stream_skid makes of combinational logic on either side.
template <class Req, class Rsp, class Function>
class SliceModel final : public Block<Req, Rsp> {
 public:
  SliceModel(const AffineParams& params, Function function) : params_(params), function_(function) {}
  void reset() override {
    head_.reset();
    spare_.reset();
    incoming_.reset();
    popped_ = false;
  }
  bool ready() const override { return !spare_; }
  bool push(const Req& item) override {
    if (!ready()) return false;
    incoming_ = function_(params_, item);
    return true;
  }
  const Rsp* front() const override { return head_ ? &*head_ : nullptr; }
  void pop() override { popped_ = head_.has_value(); }
  void tick() override {
    if (popped_) {
      head_ = spare_;
      spare_.reset();
    }
    if (incoming_) (head_ ? spare_ : head_) = incoming_;
    popped_ = false;
    incoming_.reset();
  }
  bool idle() const override { return !head_; }

 private:
  AffineParams params_;
  Function function_;
  std::optional<Rsp> head_, spare_, incoming_;
  bool popped_ = false;
};

}  // namespace

void check_params(const AffineParams& params) {
  const auto refuse = [](std::string_view name, unsigned value, std::string_view range) {
    throw std::invalid_argument(fmt::format("affine: {} is {}, must be {}", name, value, range));
  };
  if (params.lanes < 2 || params.lanes > kMaxLanes) refuse("lanes", params.lanes, "2 to 32");
  if (params.width < 1 || params.width > 32) refuse("width", params.width, "1 to 32");
  if (params.stride_bits < 1 || params.stride_bits > 5 || params.uniform_code() > params.width) {
    refuse("stride_bits", params.stride_bits, "at least 1, with 2^stride_bits - 1 at most width");
  }
}

EncodeRsp encode(const AffineParams& params, const EncodeReq& req) {
  const std::uint32_t mask = req.mask & params.lane_mask();
  const std::uint32_t values = params.value_mask();
  std::uint32_t base = 0, stride = 0;
  std::uint32_t code = params.uniform_code();
  // Bit 2i is set when lanes 2i and 2i+1 are both active.
  if (const std::uint32_t pairs = mask & (mask >> 1) & 0x55555555u) {
    const unsigned first = static_cast<unsigned>(std::countr_zero(pairs));
    const std::uint32_t difference = (req.data[first] ^ req.data[first + 1]) & ((1u << code) - 1);
    if (difference) {
      code = static_cast<std::uint32_t>(std::countr_zero(difference));
      stride = 1u << code;
    }
    base = (req.data[first] - first * stride) & values;
  } else if (mask) {
    base = req.data[static_cast<unsigned>(std::countr_zero(mask))];
  }
  if (stride && (base & (stride - 1))) return {};
  for (std::uint32_t rest = mask; rest; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(rest));
    if (req.data[lane] != ((base + lane * stride) & values)) return {};
  }
  return {true, base, code};
}

DecodeRsp decode(const AffineParams& params, const DecodeReq& req) {
  DecodeRsp rsp;
  const std::uint32_t stride = req.stride_code == params.uniform_code() ? 0 : 1u << req.stride_code;
  for (unsigned lane = 0; lane < params.lanes; ++lane) {
    rsp.data[lane] = (req.base + lane * stride) & params.value_mask();
  }
  return rsp;
}

std::string describe(const EncodeReq& req) {
  return fmt::format("mask {:#x} data {:x}", req.mask, fmt::join(req.data, " "));
}
std::string describe(const EncodeRsp& rsp) {
  return rsp.affine ? fmt::format("affine base {:#x} code {}", rsp.base, rsp.stride_code) : "generic";
}
std::string describe(const DecodeReq& req) { return fmt::format("base {:#x} code {}", req.base, req.stride_code); }
std::string describe(const DecodeRsp& rsp) { return fmt::format("data {:x}", fmt::join(rsp.data, " ")); }

std::unique_ptr<AffineEncoder> make_encoder_model(const AffineParams& params) {
  return std::make_unique<SliceModel<EncodeReq, EncodeRsp, decltype(&encode)>>(params, &encode);
}

std::unique_ptr<AffineDecoder> make_decoder_model(const AffineParams& params) {
  return std::make_unique<SliceModel<DecodeReq, DecodeRsp, decltype(&decode)>>(params, &decode);
}

}  // namespace warpsieve::affine
