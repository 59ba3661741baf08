#include "blocks/affine_cache/affine_cache.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <stdexcept>

#include "blocks/affine/affine_backends.h"
#include "blocks/affine_cache/affine_cache_backends.h"
#include "cosim/shadow.h"

namespace warpsieve::affine_cache {

namespace {

void check(const AffineCacheParams& p) {
  affine::check_params(p.vector);
  const auto power = [](unsigned value) { return value >= 2 && std::has_single_bit(value); };
  if (!power(p.slots) || !power(p.sets) || p.ways < 1 || p.ways > 64 || p.line_bits > 32 ||
      (std::uint64_t{1} << p.line_bits) <= std::uint64_t{p.slots} * p.sets) {
    throw std::invalid_argument(
        fmt::format("affine_cache: parameters out of range: slots {} sets {} ways {} line_bits {}", p.slots, p.sets,
                    p.ways, p.line_bits));
  }
}

}  // namespace

std::string describe(const AvcReq& req) {
  static constexpr const char* names[] = {"load", "store", "fill", "flush"};
  return fmt::format("{} line {:#x} mask {:#x} data {:x}", names[static_cast<unsigned>(req.op)], req.line, req.mask,
                     fmt::join(req.data, " "));
}

std::string describe(const AvcRsp& rsp) {
  return fmt::format("{}{} line {:#x} mask {:#x} data {:x}", rsp.write_back ? "write-back" : "answer",
                     rsp.affine ? " affine" : "", rsp.line, rsp.mask, fmt::join(rsp.data, " "));
}

std::unique_ptr<AffineCache> make_affine_cache(const AffineCacheParams& params, Backend backend, std::string name) {
  check(params);
  return make_backend<AvcReq, AvcRsp>(
      backend, name, [&] { return make_affine_cache_model(params); },
      [&] { return make_affine_cache_rtl(params, name); });
}

}  // namespace warpsieve::affine_cache
