// State of the banks of a DRAM channel and what its timing parameters allow: for each command, the first command
// cycle in which it may go out. It issues nothing by itself and checks nothing: the scheduler asks first.
//
//   bank      tRCD, tRAS, tRP, tRC, tRTP, tWL + burst + tWR, tRFC
//   channel   tRRD, tFAW between activates; tCCD_S, tRTW, tWTR between column commands; tCCD within a bank group
// Units: command cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "memsys/profile.h"

namespace warpsieve::memsys {

enum class DramCommandKind : std::uint8_t { activate, precharge, precharge_all, read, write, refresh };

struct DramCommand {
  std::uint64_t cycle = 0;  ///< command cycle
  DramCommandKind kind = DramCommandKind::activate;
  std::uint32_t bank = 0;  ///< group * banks_per_group + bank
  std::uint64_t row = 0;
};

/// One command per command cycle.
class DramCommandBus {
 public:
  /// First command cycle without a command.
  std::uint64_t free() const { return free_; }
  void issue(std::uint64_t c, DramCommandKind kind, std::uint32_t bank, std::uint64_t row) {
    free_ = c + 1;
    if (trace_) trace_->push_back({c, kind, bank, row});
  }
  /// Every command is appended here, unless nullptr.
  void record(std::vector<DramCommand>* commands) { trace_ = commands; }
  bool recording() const { return trace_ != nullptr; }

 private:
  std::uint64_t free_ = 0;
  std::vector<DramCommand>* trace_ = nullptr;
};

class DramTiming {
 public:
  struct Bank {
    bool open = false;
    std::uint32_t group = 0;
    std::uint32_t served = 0;  ///< column commands since the row was opened
    std::uint64_t row = 0;
    std::uint64_t activate_ok = 0, column_ok = 0, precharge_ok = 0, precharged = 0;
  };

  explicit DramTiming(const DramParams& params);
  std::uint32_t banks() const { return static_cast<std::uint32_t>(banks_.size()); }
  const Bank& bank(std::uint32_t b) const { return banks_[b]; }

  /// First command cycle in which the channel takes an activate, as far as no bank decides.
  std::uint64_t activates_ok() const { return std::max(any_activate_ok_, activates_[activate_turn_]); }
  /// The same for a column command, as far as bank and bank group do not decide.
  std::uint64_t columns_ok(bool write) const { return std::max(write ? write_ok_ : read_ok_, any_column_ok_); }
  std::uint64_t any_column_ok() const { return any_column_ok_; }
  std::uint64_t group_column_ok(std::uint32_t b) const { return group_column_ok_[banks_[b].group]; }

  void activate(std::uint64_t c, std::uint32_t b, std::uint64_t row);
  void precharge(std::uint64_t c, std::uint32_t b) {
    Bank& bank = banks_[b];
    bank.open = false;
    bank.precharged = c + p_.tRP;
    bank.activate_ok = std::max(bank.activate_ok, c + p_.tRP);
  }
  /// Returns whether the row was open for an earlier column command.
  bool column(std::uint64_t c, std::uint32_t b, bool write);
  /// Of all banks, which are closed.
  void refresh(std::uint64_t c);

 private:
  DramParams p_;
  std::vector<Bank> banks_;
  std::uint64_t activates_[4] = {0, 0, 0, 0};  ///< earliest activate after each of the last four (tFAW)
  unsigned activate_turn_ = 0;
  std::uint64_t any_activate_ok_ = 0, any_column_ok_ = 0, read_ok_ = 0, write_ok_ = 0;
  std::vector<std::uint64_t> group_column_ok_;
};

}  // namespace warpsieve::memsys
