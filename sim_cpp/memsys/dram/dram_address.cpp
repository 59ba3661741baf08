#include "memsys/dram/dram_address.h"

#include <algorithm>

namespace warpsieve::memsys {
namespace {
unsigned log2_of(std::uint32_t n) { return static_cast<unsigned>(__builtin_ctz(n)); }
}  // namespace

DramAddress decode(const DramParams& p, std::uint64_t address) {
  const unsigned group_bits = log2_of(p.groups), bank_bits = log2_of(p.banks_per_group);
  const unsigned low_group_bits = std::min(group_bits, p.low_group_bits);
  const unsigned low_bits = p.group_bit - 5, high_bits = p.column_bits - low_bits;
  const auto take = [&](unsigned bits) {
    const std::uint64_t field = address & ((std::uint64_t{1} << bits) - 1);
    address >>= bits;
    return static_cast<std::uint32_t>(field);
  };
  DramAddress place;
  take(5);
  place.column = take(low_bits);
  place.group = take(low_group_bits);
  place.column |= take(high_bits) << low_bits;
  place.group |= take(group_bits - low_group_bits) << low_group_bits;
  place.bank = place.group * p.banks_per_group + take(bank_bits);
  place.row = address;
  return place;
}

std::uint64_t encode(const DramParams& p, const DramAddress& place) {
  const unsigned group_bits = log2_of(p.groups), bank_bits = log2_of(p.banks_per_group);
  const unsigned low_group_bits = std::min(group_bits, p.low_group_bits);
  const unsigned low_bits = p.group_bit - 5, high_bits = p.column_bits - low_bits;
  const std::uint32_t group = place.bank / p.banks_per_group;
  std::uint64_t a = place.row;
  a = (a << bank_bits) | (place.bank & (p.banks_per_group - 1));
  a = (a << (group_bits - low_group_bits)) | (group >> low_group_bits);
  a = (a << high_bits) | (place.column >> low_bits);
  a = (a << low_group_bits) | (group & ((1u << low_group_bits) - 1));
  a = (a << low_bits) | (place.column & ((1u << low_bits) - 1));
  return a << 5;
}

DramDecoder::DramDecoder(const DramParams& p)
    : group_shift_(p.group_bit), high_group_shift_(5 + p.column_bits),
      bank_shift_(high_group_shift_ + log2_of(p.groups)), row_shift_(bank_shift_ + log2_of(p.banks_per_group)),
      low_group_((1u << std::min(log2_of(p.groups), p.low_group_bits)) - 1),
      high_group_((p.groups - 1) & ~low_group_), banks_per_group_(p.banks_per_group) {}

}  // namespace warpsieve::memsys
