// Byte addresses of a DRAM channel and the bank, row and column behind them.
//
//   offset 5 | columns below dram.group_bit | low bits of the group | columns | group | bank 2 | row
// With the defaults: offset 5, column 6, bank group 2, bank 2, row. Parameters: dram.column_bits, dram.group_bit,
// dram.low_group_bits, dram.groups, dram.banks_per_group (profile.cpp).
#pragma once

#include <cstdint>

#include "memsys/profile.h"

namespace warpsieve::memsys {

struct DramAddress {
  std::uint32_t bank = 0, group = 0, column = 0;  ///< bank: group * banks_per_group + bank in the group
  std::uint64_t row = 0;
};
DramAddress decode(const DramParams& params, std::uint64_t address);
/// Inverse of decode, for tests and generators of access patterns.
std::uint64_t encode(const DramParams& params, const DramAddress& place);

/// decode() of what a scheduler needs, without loops.
class DramDecoder {
 public:
  explicit DramDecoder(const DramParams& params);
  std::uint32_t bank(std::uint64_t address) const {
    const std::uint64_t group = (address >> group_shift_ & low_group_) | (address >> high_group_shift_ & high_group_);
    return static_cast<std::uint32_t>(group * banks_per_group_ + (address >> bank_shift_ & (banks_per_group_ - 1)));
  }
  std::uint64_t row(std::uint64_t address) const { return address >> row_shift_; }

 private:
  unsigned group_shift_, high_group_shift_, bank_shift_, row_shift_;
  std::uint32_t low_group_, high_group_;  ///< bits of the group below and above columns
  std::uint32_t banks_per_group_;
};

}  // namespace warpsieve::memsys
