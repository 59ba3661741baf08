#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "blocks/bpc/bpc_backends.h"
#include "cosim/held_item.h"

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
  return make_held_item<EncodeReq, EncodeRsp>(
      [params](const EncodeReq& req) { return encode(params, req); },
      [params](const EncodeReq&) {
        return HeldTimes{.taken = params.encode_held(), .answer = params.encode_cycles(), .starts_with_pop = true};
      });
}

std::unique_ptr<BpcDecoder> make_decoder_model(const BpcParams& params) {
  return make_held_item<DecodeReq, DecodeRsp>([params](const DecodeReq& req) { return decode(params, req); },
                                              [params](const DecodeReq& req) {
                                                const bool coded = req.bits[0] & 1;
                                                return HeldTimes{.taken = params.decode_held(coded),
                                                                 .answer = params.decode_cycles(coded)};
                                              });
}

}  // namespace warpsieve::bpc
