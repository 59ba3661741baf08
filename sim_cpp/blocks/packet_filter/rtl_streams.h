// TableStreams: the four streams of pdr_table's verilated model, which packet_filter's has as well.
#pragma once

#include "blocks/packet_filter/pdr_table.h"
#include "cosim/rtl_ports.h"
#include "cosim/verilated.h"

namespace warpsieve::packet_filter {

template <class V>
struct TableStreams {
  explicit TableStreams(V& top)
      : req([&top] { return top.req_ready_o != 0; },
            [this, &top](const ReadRequest& r) {
              top.req_sm_i = r.sm;
              top.req_line_i = r.line;
              top.req_mask_i = r.mask;
              offered_ = true;
            },
            [&top](bool valid) { top.req_valid_i = valid; }),
        take([&top] { return top.take_ready_o != 0; },
             [this, &top](const Leaving& l) {
               top.take_registered_i = l.registered;
               top.take_token_i = l.token;
               offered_ = true;
             },
             [&top](bool valid) { top.take_valid_i = valid; }),
        fwd([&top] { return top.fwd_valid_o != 0; },
            [&top] {
              return Forward{static_cast<Action>(top.fwd_action_o), top.fwd_token_o};
            },
            [&top](bool ready) { top.fwd_ready_i = ready; }),
        mask([&top] { return top.mask_valid_o != 0; },
             [&top] {
               return AskedMask{top.mask_asked_o, top.mask_full_o != 0};
             },
             [&top](bool ready) { top.mask_ready_i = ready; }) {}
  void lower() {
    req.lower();
    take.lower();
    fwd.lower();
    mask.lower();
  }
  /// After a tick.
  void settle() {
    stage_one_ = offered_;
    offered_ = false;
    fwd.fetch();
    mask.fetch();
  }
  bool idle() const { return !stage_one_ && !fwd.front() && !mask.front(); }

  RtlIn<ReadRequest> req;
  RtlIn<Leaving> take;
  RtlOut<Forward> fwd;
  RtlOut<AskedMask> mask;

 private:
  bool offered_ = false;    // in this cycle
  bool stage_one_ = false;  // offered in the last cycle: may be inside without showing yet
};

}  // namespace warpsieve::packet_filter
