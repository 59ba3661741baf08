// Block: what every hardware block looks like from C++, whichever backend answers.
//
// One cycle: any order of ready()/push()/front()/pop() on the ports, then one tick().
//   - ready(), front() and idle() depend on state only, never on what was offered in this cycle, so
//     the order in which blocks are visited never matters (the RTL keeps the same rule).
//   - push() offers an item for this cycle; it returns ready(), and only then is the item taken at
//     the next tick(). At most one push and one pop per port and cycle.
//   - A response that is on offer stays on offer, unchanged, until it is popped.
//   - tick() is the clock edge. A block whose idle() is true changes nothing in a tick without a
//     push, so the simulator may skip it.
#pragma once

#include <string>
#include <string_view>

namespace warpsieve {

/// Which implementation of a block runs. `shadow` runs model and RTL side by side, compares ready,
/// valid and payload of every port in every cycle, and throws ShadowMismatch on the first difference.
enum class Backend { model, rtl, shadow };

std::string_view to_string(Backend backend);
/// Throws std::invalid_argument naming the three accepted words.
Backend backend_from_string(std::string_view text);

/// Sink of a ready/valid stream.
template <class T>
struct InPort {
  virtual ~InPort() = default;
  virtual bool ready() const = 0;
  virtual bool push(const T& item) = 0;
};

/// Source of a ready/valid stream; front() is nullptr while nothing is on offer.
template <class T>
struct OutPort {
  virtual ~OutPort() = default;
  virtual const T* front() const = 0;
  virtual void pop() = 0;
};

struct Clocked {
  virtual ~Clocked() = default;
  virtual void reset() = 0;
  virtual void tick() = 0;
  virtual bool idle() const = 0;
};

/// The common case: one request stream in, one response stream out. Blocks with more ports derive
/// from Clocked and return their ports by name.
template <class Req, class Rsp>
struct Block : InPort<Req>, OutPort<Rsp>, Clocked {};

}  // namespace warpsieve
