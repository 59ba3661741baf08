#include "simt/warp_trace.h"

namespace warpsieve::simt {

namespace {

template <class T>
void trim_vector(std::vector<T>& v) {
  constexpr std::size_t kWorthIt = 16384;  // bytes: short streams are not copied for less
  const std::size_t spare = v.capacity() - v.size();
  if (spare * sizeof(T) > kWorthIt && spare > v.size() / 8) v.shrink_to_fit();
}

}  // namespace

const Addr* WarpTrace::list(const WarpInstr& i, LaneAddresses& room) const {
  const Addr* const at = addresses.data() + i.payload;
  if (!AddressRow::is(*at)) return at;
  const AddressRow row(*at);
  for (unsigned k = 0; k < kLanes; ++k) room[k] = row[k];
  return room.data();
}

void WarpTrace::pack(unsigned lanes) {
  if (lanes < 2) return;
  Addr* const at = addresses.data() + (addresses.size() - lanes);
  const Addr first = at[0], step = at[1] - first;
  Addr other = 0;
  for (unsigned k = 2; k < lanes; ++k) other |= at[k] ^ (first + step * k);
  const auto signed_step = static_cast<std::int64_t>(step);
  if (other || signed_step > AddressRow::kMostStep || signed_step < -AddressRow::kMostStep) return;
  at[0] = AddressRow(first, signed_step).word();
  addresses.resize(addresses.size() - lanes + 1);
}

void WarpTrace::trim() {
  trim_vector(instrs);
  trim_vector(addresses);
  trim_vector(data);
}

std::uint64_t WarpTrace::warp_instructions() const {
  std::uint64_t n = 0;
  for (const WarpInstr& i : stream()) n += i.count;
  return n;
}

}  // namespace warpsieve::simt
