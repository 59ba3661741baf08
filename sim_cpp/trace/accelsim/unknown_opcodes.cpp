#include "trace/accelsim/unknown_opcodes.h"

#include <algorithm>

namespace warpsieve::trace::accelsim {
namespace {

/// A known opcode stands for its family.
struct Family {
  std::string_view known, counts_as;
};
constexpr Family kSpecial = {"MUFU", "sfu"}, kMatrix = {"HMMA", "sfu"}, kShared = {"LDS", "shared"},
                 kConstant = {"LDC", "constant"}, kOther = {"IADD3", "alu"};

const Family& family_of(std::string_view name) {
  const auto starts = [name](std::initializer_list<std::string_view> prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return name.starts_with(p); });
  };
  if (name.ends_with("MMA")) return kMatrix;
  if (starts({"MUFU"})) return kSpecial;
  if (starts({"LDS", "STS", "ATOMS", "TEX", "TLD", "SULD", "SUST", "SUATOM", "SURED"})) return kShared;
  if (starts({"LDC", "ULDC"})) return kConstant;
  return kOther;
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_opcode(std::string_view text) {
  const std::string_view name = text.substr(0, text.find('.'));
  const auto in_name = [](char c) { return is_capital(c) || is_digit(c) || c == '_'; };
  const auto in_modifier = [&](char c) { return in_name(c) || (c >= 'a' && c <= 'z') || c == '.'; };
  return !name.empty() && is_capital(name[0]) && std::all_of(name.begin(), name.end(), in_name) &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(name.size()), text.end(), in_modifier);
}

Opcode UnknownOpcodes::add(std::string_view opcode, const LineReader& in) {
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  const Family& family = family_of(name);
  auto at = found_.find(name);
  if (at == found_.end())
    at = found_.emplace(name, UnknownOpcode{std::string(name), family.counts_as, 0, 0, in.name(), in.line()}).first;
  last_ = &at->second;
  ++last_->count;
  ++instructions_;
  return decode_opcode(family.known);
}

void UnknownOpcodes::add_access() {
  if (last_->counts_as != kShared.counts_as && last_->counts_as != kConstant.counts_as) ++last_->accesses;
}

std::vector<UnknownOpcode> UnknownOpcodes::list() const {
  std::vector<UnknownOpcode> out;
  for (const auto& [name, opcode] : found_) out.push_back(opcode);
  return out;
}

}  // namespace warpsieve::trace::accelsim
