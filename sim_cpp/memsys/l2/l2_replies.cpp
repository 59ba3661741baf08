#include "memsys/l2/l2_replies.h"

namespace warpsieve::memsys {

L2Replies::L2Replies(Context& context, std::uint32_t slice, Network& network)
    : context_(context), slice_(slice), network_(network), hits_(context.profile.l2.reply_queue),
      fills_(std::size_t{context.profile.l2.mshrs} * context.profile.l2.merges) {}

void L2Replies::connect(ReplyPort* port) {
  port_ = port;
  if (port) leaving_ = Ring<Outgoing>(port->cycles() + 2);  // full rate, and two that the network refuses
}

inline void L2Replies::enter_network(Cycle now, std::uint32_t packet) {
  const Packet& p = context_.packets[packet];
  network_.push(now, slice_, p.sm, packet, reply_bytes(p));
}

L2Replies::Sent L2Replies::send(Cycle now) {
  Cycle next = kNever;
  bool sent = false, freed = false;
  for (Ring<Outgoing>* queue : {&fills_, &hits_}) {
    if (queue->empty()) continue;
    if (queue->front().ready > now) {
      next = std::min(next, queue->front().ready);
      continue;
    }
    if (port_ ? leaving_.full() : !network_.can_push(slice_)) break;
    const std::uint32_t packet = queue->front().packet;
    queue->pop();
    sent = freed = true;
    if (port_) {
      Packet& p = context_.packets[packet];
      push(leaving_, packet, p.kind == PacketKind::read ? port_->leave(now, p) : now);
    } else {
      enter_network(now, packet);
    }
    break;
  }
  if (!leaving_.empty()) {
    if (leaving_.front().ready > now) {
      next = std::min(next, leaving_.front().ready);
    } else if (network_.can_push(slice_)) {
      enter_network(now, leaving_.front().packet);
      leaving_.pop();
      sent = true;
    }
  }
  due_ = kNever;
  for (const Ring<Outgoing>* queue : {&fills_, &hits_, &leaving_})
    if (!queue->empty()) due_ = std::min(due_, queue->front().ready);
  return {sent ? std::min(next, std::max(due_, now + 1)) : next, freed};
}

}  // namespace warpsieve::memsys
