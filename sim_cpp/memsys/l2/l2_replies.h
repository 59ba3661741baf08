// L2Replies: packets on their way from an L2 slice into the reply network.
//
//   rate         one reply per cycle; answers to fills go before hits
//   depth        l2.reply_queue hits; a place per packet that can wait in an MSHR
//   reply port   a scheme's ReplyPort, shared by the slices of a controller: each reply passes it once. Behind it a
//                queue of its latency plus two, so that it works at full rate while the network accepts
// Replies of one queue keep their order.
#pragma once

#include <algorithm>
#include <cstdint>

#include "memsys/context.h"
#include "memsys/noc/network.h"
#include "memsys/ports.h"

namespace warpsieve::memsys {

class L2Replies {
 public:
  L2Replies(Context& context, std::uint32_t slice, Network& network);
  void connect(ReplyPort* port);

  bool hits_full() const { return hits_.full(); }
  /// Whether a packet may start to wait for a fill, in addition to `waiting` others.
  bool fills_full(std::uint32_t waiting) const { return fills_.size() + waiting >= fills_.capacity(); }
  /// The reply may leave from cycle `ready` on.
  void push_hit(std::uint32_t packet, Cycle ready) { push(hits_, packet, ready); }
  void push_fill(std::uint32_t packet, Cycle ready) { push(fills_, packet, ready); }

  /// When the first reply can leave; kNever: none is queued.
  Cycle due() const { return due_; }
  struct Sent {
    Cycle next;  ///< when the next reply can leave; kNever while the network refuses one: it wakes the slice
    bool freed;  ///< a place in the queues of hits and fills is free again
  };
  Sent send(Cycle now);

  bool empty() const { return size() == 0; }
  std::size_t size() const { return hits_.size() + fills_.size() + leaving_.size(); }

 private:
  struct Outgoing {
    std::uint32_t packet = 0;
    Cycle ready = 0;
  };
  void push(Ring<Outgoing>& queue, std::uint32_t packet, Cycle ready) {
    if (!queue.empty()) ready = std::max(ready, queue.back().ready);
    queue.push({packet, ready});
    due_ = std::min(due_, ready);
  }
  void enter_network(Cycle now, std::uint32_t packet);

  Context& context_;
  std::uint32_t slice_;
  Network& network_;
  ReplyPort* port_ = nullptr;
  Ring<Outgoing> hits_, fills_;
  Ring<Outgoing> leaving_;  ///< behind the reply port
  Cycle due_ = kNever;
};

}  // namespace warpsieve::memsys
