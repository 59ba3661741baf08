// Command line of the measuring programs, and the sizes that several of them walk through.
#pragma once

#include <charconv>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpsieve::hardware {

inline constexpr int kNoGpu = 77;    ///< exit code where there is nothing to measure
inline constexpr int kBadInput = 2;  ///< exit code of a wrong option or file

/// A wrong option: one line for the user.
class OptionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Options {
  int runs = 5;
  std::uint64_t max_bytes = std::uint64_t{8} << 30;  ///< device memory of one experiment
  std::string scale = "full";                        ///< survey: full, quarter or small
  std::string only;                                  ///< survey: one workload; empty: all
  std::map<std::string, std::string> input;          ///< survey: input file by workload
};

inline std::int64_t option_number(std::string_view option, std::string_view text, std::int64_t low,
                                  std::int64_t high) {
  std::int64_t v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (error != std::errc{} || end != text.data() + text.size() || v < low || v > high)
    throw OptionError(std::string(option) + ": expected a whole number from " + std::to_string(low) + " to " +
                      std::to_string(high) + ", found '" + std::string(text) + "'");
  return v;
}

/// `survey`: the program is the survey and takes its options, too.
inline Options parse_options(const std::vector<std::string>& words, bool survey) {
  Options o;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& option = words[i];
    const auto next = [&]() -> const std::string& {
      if (i + 1 == words.size()) throw OptionError(option + ": expected a value behind it");
      return words[++i];
    };
    if (option == "--runs") {
      o.runs = static_cast<int>(option_number(option, next(), 1, 1000));
    } else if (option == "--max-mb") {
      o.max_bytes = static_cast<std::uint64_t>(option_number(option, next(), 64, 1 << 20)) << 20;
    } else if (survey && option == "--scale") {
      o.scale = next();
      if (o.scale != "full" && o.scale != "quarter" && o.scale != "small")
        throw OptionError("--scale: expected full, quarter or small, found '" + o.scale + "'");
    } else if (survey && option == "--only") {
      o.only = next();
    } else if (survey && option == "--input") {
      const std::string& pair = next();
      const std::size_t equal = pair.find('=');
      if (equal == std::string::npos || equal == 0 || equal + 1 == pair.size())
        throw OptionError("--input: expected WORKLOAD=FILE, found '" + pair + "'");
      o.input[pair.substr(0, equal)] = pair.substr(equal + 1);
    } else {
      throw OptionError("unknown option '" + option + "': expected --runs, --max-mb" +
                        (survey ? ", --scale, --only or --input" : ""));
    }
  }
  return o;
}

/// Powers of two and the values halfway between them, from `first` to `last`.
inline std::vector<std::uint64_t> half_octaves(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t s = first; s <= last; s *= 2) {
    sizes.push_back(s);
    if (s + s / 2 <= last) sizes.push_back(s + s / 2);
  }
  return sizes;
}

/// The largest power of two of at most `limit`; at least 1.
inline std::uint64_t power_of_two(std::uint64_t limit) {
  std::uint64_t p = 1;
  while (p <= limit / 2) p *= 2;
  return p;
}

}  // namespace warpsieve::hardware
