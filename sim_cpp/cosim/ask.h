// ask(): a request to an idle block and its answer in one call, for callers that charge the block's latency
// themselves.
#pragma once

#include <stdexcept>
#include <string>

#include "cosim/block.h"

namespace warpsieve {

/// Offers `item`; `name` is the block's in the error. Throws std::logic_error when the port is not ready.
template <class T>
void offer(InPort<T>& port, const T& item, const char* name) {
  if (!port.push(item)) throw std::logic_error(std::string(name) + ": not ready although nothing is inside");
}

/// Clocks the block until `port` offers an item, takes it and clocks once more. Throws std::logic_error after `limit`
/// cycles without one.
template <class T>
T take_answer(Clocked& block, OutPort<T>& port, const char* name, unsigned limit) {
  for (unsigned cycle = 0; cycle < limit; ++cycle) {
    block.tick();
    if (const T* front = port.front()) {
      const T answer = *front;
      port.pop();
      block.tick();
      return answer;
    }
  }
  throw std::logic_error(std::string(name) + ": no answer after " + std::to_string(limit) + " cycles");
}

template <class Req, class Rsp>
Rsp ask(Clocked& block, InPort<Req>& in, OutPort<Rsp>& out, const Req& request, const char* name, unsigned limit) {
  offer(in, request, name);
  return take_answer(block, out, name, limit);
}

/// ask() for a block that works on the item while it is on offer: the offer stands until it is taken.
template <class Req, class Rsp>
Rsp ask_held(Block<Req, Rsp>& block, const Req& request, const char* name, unsigned limit) {
  bool taken = block.push(request);
  for (unsigned cycle = 0; cycle < limit; ++cycle) {
    block.tick();
    taken = taken || block.push(request);
    if (const Rsp* front = block.front()) {
      const Rsp answer = *front;
      block.pop();
      block.tick();
      if (!taken) throw std::logic_error(std::string(name) + ": answered without taking the item");
      return answer;
    }
  }
  throw std::logic_error(std::string(name) + ": no answer after " + std::to_string(limit) + " cycles");
}

template <class Req, class Rsp>
Rsp ask(Block<Req, Rsp>& block, const Req& request, const char* name, unsigned limit) {
  return ask<Req, Rsp>(block, block, block, request, name, limit);
}

}  // namespace warpsieve
