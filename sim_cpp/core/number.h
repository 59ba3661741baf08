// to_number: all of a text as a number.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace warpsieve {

/// Nothing when the text is no number, has something before or behind it (blanks too), or does not fit. Whole numbers
/// in `base`, with a minus where T has a sign; reals in decimal notation, "inf" and "nan" among them.
template <class T>
std::optional<T> to_number(std::string_view text, [[maybe_unused]] int base = 10) {
  T value{};
  const char *begin = text.data(), *end = begin + text.size();
  std::from_chars_result read;
  if constexpr (std::is_floating_point_v<T>)
    read = std::from_chars(begin, end, value);
  else
    read = std::from_chars(begin, end, value, base);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

}  // namespace warpsieve
