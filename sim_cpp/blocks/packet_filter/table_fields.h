// TableFields: payloads of pdr_table's verilated model, which packet_filter's has as well.
#pragma once

#include "blocks/packet_filter/pdr_table.h"
#include "cosim/rtl_block.h"

namespace warpsieve::packet_filter {

struct TableFields {
  void put(auto& top, const ReadRequest& r) const {
    top.req_sm_i = r.sm;
    top.req_line_i = r.line;
    top.req_mask_i = r.mask;
  }
  void put(auto& top, const Leaving& l) const {
    top.take_registered_i = l.registered;
    top.take_token_i = l.token;
  }
  void get(const auto& top, Forward& f) const { f = {static_cast<Action>(top.fwd_action_o), top.fwd_token_o}; }
  void get(const auto& top, AskedMask& m) const { m = {top.mask_asked_o, top.mask_full_o != 0}; }
};

}  // namespace warpsieve::packet_filter
