// The ports that the RTL of every line hasher has: line and mask in, fingerprint out.
#pragma once

#include "blocks/md5/line_hasher.h"
#include "cosim/verilated.h"

namespace warpsieve::md5 {

struct LineHashFields {
  void put(auto& top, const LineHashReq& req) const {
    top.in_mask_i = req.mask & 0xf;
    port_from_bytes(top.in_data_i, req.data);
  }
  LineHashRsp get(const auto& top) const {
    LineHashRsp rsp;
    port_to_bytes(top.out_digest_o, rsp.digest);
    return rsp;
  }
};

}  // namespace warpsieve::md5
