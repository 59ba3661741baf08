// EventCounters: counts events, one counter each, and is read over APB.
//
//   word 0               the status. Writing it with bit 0 set clears all counters
//   words 1 to counters  counter of event number - 1; it stops at all ones
//   latency     an event is in its counter in the cycle after; a word is that of the setup cycle
//   throughput  every event of every cycle; a word every second cycle
// RTL: rtl/dedup_safe/event_counters.sv.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cosim/block.h"

namespace warpsieve::dedup_safe {

struct CountersParams {
  unsigned counters = 15;  ///< 1 to 63
  unsigned count_bits = 32;
  unsigned status_bits = 4;
};

/// The bus in one cycle. An access follows its setup in the next cycle, with the same address and write.
struct Apb {
  bool select = false, enable = false, write = false;
  std::uint8_t address = 0;  ///< of a byte
  std::uint32_t data = 0;
};

struct ApbAnswer {
  std::uint32_t data = 0;
  bool error = false;  ///< no such word, or it cannot be written
  bool operator==(const ApbAnswer&) const = default;
};

struct EventCounters : Clocked {
  virtual void in(std::uint64_t events, unsigned status, const Apb& bus) = 0;  ///< of this cycle
  virtual std::optional<ApbAnswer> out() const = 0;  ///< from the cycle after a setup until that after the next
};

/// Backends model and rtl. Throws std::invalid_argument for any other and for a point not compiled.
std::unique_ptr<EventCounters> make_event_counters(const CountersParams& params, Backend backend,
                                                   const std::string& name = "event_counters");

}  // namespace warpsieve::dedup_safe
