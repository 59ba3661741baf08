// drive_stream(): pushes a list of requests through a one-stream block under random back-pressure on
// both sides and returns the responses in order. On a shadow block every cycle is compared.
#pragma once

#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "cosim/block.h"

namespace warpsieve::tb {

struct Pressure {
  unsigned offer_percent = 100;   ///< chance per cycle that a request is offered
  unsigned accept_percent = 100;  ///< chance per cycle that a response is taken
  std::uint32_t seed = 1;
};

/// Throws when the block makes no progress for `patience` cycles (every test loop is bounded).
template <class Req, class Rsp>
std::vector<Rsp> drive_stream(Block<Req, Rsp>& block, const std::vector<Req>& requests, std::size_t responses,
                              const Pressure& pressure, std::uint64_t patience = 20000) {
  std::minstd_rand random(pressure.seed);
  const auto chance = [&](unsigned percent) { return random() % 100 < percent; };
  std::vector<Rsp> out;
  std::size_t next = 0;
  std::uint64_t stalled = 0;
  bool offering = false;  // an offer, once made, stands until taken
  while (next < requests.size() || out.size() < responses) {
    if (++stalled > patience) throw std::runtime_error("drive_stream: no progress");
    offering = offering || (next < requests.size() && chance(pressure.offer_percent));
    if (offering && block.push(requests[next])) {
      ++next;
      offering = false;
      stalled = 0;
    }
    if (const Rsp* rsp = block.front(); rsp && chance(pressure.accept_percent)) {
      out.push_back(*rsp);
      block.pop();
      stalled = 0;
    }
    block.tick();
  }
  return out;
}

}  // namespace warpsieve::tb
