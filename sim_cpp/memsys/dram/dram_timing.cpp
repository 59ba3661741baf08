#include "memsys/dram/dram_timing.h"

namespace warpsieve::memsys {

DramTiming::DramTiming(const DramParams& params)
    : p_(params), banks_(params.banks()), group_column_ok_(params.groups) {
  for (std::uint32_t b = 0; b < banks_.size(); ++b) banks_[b].group = b / p_.banks_per_group;
}

void DramTiming::activate(std::uint64_t c, std::uint32_t b, std::uint64_t row) {
  Bank& bank = banks_[b];
  bank.open = true;
  bank.row = row;
  bank.column_ok = c + p_.tRCD;
  bank.precharge_ok = c + p_.tRAS;
  bank.activate_ok = c + p_.tRC;
  bank.served = 0;
  any_activate_ok_ = c + p_.tRRD;
  activates_[activate_turn_] = c + p_.tFAW;
  activate_turn_ = (activate_turn_ + 1) % 4;
}

bool DramTiming::column(std::uint64_t c, std::uint32_t b, bool write) {
  Bank& bank = banks_[b];
  any_column_ok_ = c + p_.tCCD_S;
  group_column_ok_[bank.group] = c + p_.tCCD;
  if (write) {
    bank.precharge_ok = std::max(bank.precharge_ok, c + p_.tWL + p_.burst + p_.tWR);
    read_ok_ = c + p_.tWL + p_.burst + p_.tWTR;
  } else {
    bank.precharge_ok = std::max(bank.precharge_ok, c + p_.tRTP);
    write_ok_ = c + p_.tRTW;
  }
  return bank.served++ != 0;
}

void DramTiming::refresh(std::uint64_t c) {
  for (Bank& bank : banks_) {
    bank.activate_ok = std::max(bank.activate_ok, c + p_.tRFC);
    bank.precharged = std::max(bank.precharged, c + p_.tRFC);
  }
}

}  // namespace warpsieve::memsys
