// Where a scheme plugs into private memory: one LocalPort per SM, before the L1 in the path of local loads and
// stores. It keeps some private lines in a form of its own; a word is valid there or in the L1, never in both.
//
// The port answers in order: one answer per request, and write-backs before the answer of the request that caused
// them. What LocalSpace and the L1 do with each item is the contract of blocks/affine_cache/affine_cache.h.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "memsys/local/lane_words.h"

namespace warpsieve::memsys {

enum class LocalOp : std::uint8_t { load, store, fill, flush };

struct LocalRequest {
  LocalOp op = LocalOp::load;
  std::uint32_t line = 0;  ///< private line of the SM, 128 bytes: one word per lane
  std::uint32_t mask = 0;  ///< lanes
  LaneWords words{};       ///< store, fill
};

struct LocalAnswer {
  bool write_back = false;  ///< words that leave the port; else the answer to the oldest request
  bool kept = false;        ///< store, fill: the words are in the port now
  std::uint32_t line = 0;
  std::uint32_t mask = 0;  ///< load: words valid in the port
  LaneWords words{};
};

/// A clocked block: any number of calls in a cycle, at most one push and one pop, then one tick().
class LocalPort {
 public:
  virtual ~LocalPort() = default;
  virtual bool ready() const = 0;
  virtual void push(const LocalRequest& request) = 0;  ///< only when ready()
  virtual const LocalAnswer* front() = 0;
  virtual void pop() = 0;
  virtual void tick() = 0;
  virtual bool idle() const = 0;
  /// A fetched line is offered whole first, not only the words asked for (decision A11).
  virtual bool fill_full() const { return false; }
};

}  // namespace warpsieve::memsys
