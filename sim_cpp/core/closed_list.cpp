#include "core/closed_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpsieve {

namespace {

constexpr std::size_t kMostNames = 8;  ///< in a message of one line

std::string alternatives(const std::vector<std::string>& known) {
  return fmt::format("{}{}{}", fmt::join(known.begin(), known.end() - 1, ", "), known.size() > 1 ? " or " : "",
                     known.back());
}

}  // namespace

std::string expected_one_of(std::string_view given, const std::vector<std::string>& known) {
  return fmt::format("'{}': expected {}{}", given, alternatives(known), did_you_mean(given, known));
}

std::string known_names(bool near, const std::vector<std::string>& known) {
  if (known.empty()) return ": there is none";
  if (known.size() <= kMostNames) return fmt::format("{} {}", near ? " Expected" : ": expected", alternatives(known));
  return near ? fmt::format(" {} names all {}", kListCommand, known.size())
              : fmt::format(": expected one of {} that {} names", known.size(), kListCommand);
}

std::string unknown_name(std::string_view what, std::string_view given, const std::vector<std::string>& known) {
  const std::string near = did_you_mean(given, known);
  return fmt::format("unknown {} '{}'{}{}", what, given, near, known_names(!near.empty(), known));
}

}  // namespace warpsieve
