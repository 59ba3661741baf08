#include "trace/accelsim/values.h"

#include <string>
#include <vector>

#include "core/name_lookup.h"
#include "inputs/random.h"
#include "trace/format.h"

namespace warpsieve::trace::accelsim {

std::string_view name(Values values) { return kValues[1 + static_cast<std::size_t>(values)]; }  // 0: recorded

Values parse_values(std::string_view text) {
  std::vector<std::string> known;
  for (const Values v : {Values::none, Values::zero, Values::random, Values::address}) {
    if (text == name(v)) return v;
    known.emplace_back(name(v));
  }
  throw TraceError("--values " + expected_one_of(text, known));
}

std::uint8_t ValueRule::byte(simt::Addr address, std::uint64_t epoch) const {
  switch (values_) {
    case Values::none:
    case Values::zero: return 0;
    case Values::address: return static_cast<std::uint8_t>((address & ~simt::Addr{3}) >> (8 * (address & 3)));
    case Values::random: break;
  }
  inputs::Random random(inputs::Random(seed_ + (address >> 3)).next() + epoch);
  return static_cast<std::uint8_t>(random.next() >> (8 * (address & 7)));
}

void ValueRule::fill(std::span<std::uint8_t> out, simt::Addr address, std::uint64_t epoch) const {
  for (std::uint8_t& b : out) b = byte(address++, epoch);
}

}  // namespace warpsieve::trace::accelsim
