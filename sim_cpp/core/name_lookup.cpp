#include "core/name_lookup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace warpsieve {

namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

constexpr std::size_t kMostNames = 8;  ///< in a message of one line

std::string alternatives(const std::vector<std::string>& known) {
  return fmt::format("{}{}{}", fmt::join(known.begin(), known.end() - 1, ", "), known.size() > 1 ? " or " : "",
                     known.back());
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows i, i - 1 and i - 2 of the table of distances between the starts of both words.
  std::vector<std::size_t> row(b.size() + 1), last(b.size() + 1), before(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + !same_letter(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

const std::string& nearest_name(std::string_view given, const std::vector<std::string>& known) {
  return *std::min_element(known.begin(), known.end(), [given](const std::string& a, const std::string& b) {
    return edit_distance(given, a) < edit_distance(given, b);
  });
}

std::string did_you_mean(std::string_view given, const std::vector<std::string>& known) {
  const auto same_start = [given](std::string_view name) {
    return std::mismatch(given.begin(), given.end(), name.begin(), name.end(), same_letter).first - given.begin();
  };
  const std::string* best = nullptr;
  // Of three letters one may be wrong: two of them would make any short word near.
  std::size_t distance = given.size() <= 3 ? 1 : std::max<std::size_t>(2, given.size() / 3);
  for (const std::string& name : known) {
    std::size_t d = edit_distance(given, name);
    if (given.size() >= 3 && same_start(name) == static_cast<std::ptrdiff_t>(given.size()))
      d = std::min<std::size_t>(d, 1);  // the rest was left out: base for baseline
    // Of several, the one that starts alike: --lst means --list, not --fst.
    if (d < distance || (d == distance && (!best || same_start(name) > same_start(*best))))
      distance = d, best = &name;
  }
  return best ? ", did you mean " + *best + "?" : "";
}

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
