#include "memsys/dram/dram_refresh.h"

#include <algorithm>

namespace warpsieve::memsys {

DramRefresh::DramRefresh(const DramParams& params, DramTiming& timing, DramCommandBus& bus, DramScheduler& scheduler)
    : p_(params), timing_(timing), bus_(bus), scheduler_(scheduler), due_(params.tREFI) {}

void DramRefresh::catch_up(std::uint64_t until) {
  std::uint64_t next = 0;
  while (due_ < until) {
    // All but the last of a long idle time at once: each finds the banks closed and is over before the next.
    bool settled = bus_.free() <= due_;
    for (std::uint32_t b = 0; settled && b < timing_.banks(); ++b)
      settled = !timing_.bank(b).open && timing_.bank(b).precharged <= due_;
    const std::uint64_t skipped = (until - 1 - due_) / p_.tREFI;
    if (settled && skipped > 0 && !bus_.recording()) {
      due_ += skipped * p_.tREFI;
      count_ += skipped;
    }
    std::uint64_t c = std::max(due_, bus_.free());
    while (c < until) {
      const std::uint64_t due = due_;
      if (step(c, next)) next = c + 1;
      if (due_ != due) break;
      c = next;
    }
    if (c >= until) return;
  }
}

bool DramRefresh::step(std::uint64_t c, std::uint64_t& next) {
  bool open = false;
  std::uint64_t at = bus_.free();
  for (std::uint32_t b = 0; b < timing_.banks(); ++b) {
    const DramTiming::Bank& bank = timing_.bank(b);
    open = open || bank.open;
    at = std::max(at, bank.open ? bank.precharge_ok : 0);
  }
  for (std::uint32_t b = 0; !open && b < timing_.banks(); ++b) at = std::max(at, timing_.bank(b).precharged);
  if (c < at) {
    next = at;
    return false;
  }
  for (std::uint32_t b = 0; b < timing_.banks(); ++b) {
    if (open && !timing_.bank(b).open) continue;
    if (open) timing_.precharge(c, b);
    scheduler_.changed(b);
  }
  if (open) {
    bus_.issue(c, DramCommandKind::precharge_all, 0, 0);
    return true;
  }
  bus_.issue(c, DramCommandKind::refresh, 0, 0);
  timing_.refresh(c);
  due_ += p_.tREFI;
  ++count_;
  return true;
}

}  // namespace warpsieve::memsys
