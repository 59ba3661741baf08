#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "blocks/bpc/bpc_backends.h"
#include "cosim/one_at_a_time.h"

namespace warpsieve::bpc {

void check_params(const BpcParams& params) {
  if (params.words < 3 || params.words > 32) {
    throw std::invalid_argument(fmt::format("bpc: words is {}, must be 3 to 32", params.words));
  }
}

std::string describe(const EncodeReq& req) { return fmt::format("words {:x}", fmt::join(req.words, " ")); }
std::string describe(const EncodeRsp& rsp) {
  return fmt::format("{} bits, {}: {:02x}", rsp.length, rsp.compressed() ? "compressed" : "raw",
                     fmt::join(rsp.bits, ""));
}
std::string describe(const DecodeReq& req) { return fmt::format("bits {:02x}", fmt::join(req.bits, "")); }
std::string describe(const DecodeRsp& rsp) { return fmt::format("words {:x}", fmt::join(rsp.words, " ")); }

std::unique_ptr<BpcEncoder> make_encoder_model(const BpcParams& params) {
  return make_one_at_a_time<EncodeReq, EncodeRsp>([params](const EncodeReq& req) { return encode(params, req); },
                                                  [params](const EncodeReq&) { return params.encode_cycles(); });
}

std::unique_ptr<BpcDecoder> make_decoder_model(const BpcParams& params) {
  return make_one_at_a_time<DecodeReq, DecodeRsp>(
      [params](const DecodeReq& req) { return decode(params, req); },
      [params](const DecodeReq& req) { return params.decode_cycles(req.bits[0] & 1); });
}

}  // namespace warpsieve::bpc
