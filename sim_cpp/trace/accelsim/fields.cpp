#include "trace/accelsim/fields.h"

#include <fmt/format.h>

#include <charconv>

namespace warpsieve::trace::accelsim {

void Fields::skip() {
  while (rest_.starts_with(' ') || rest_.starts_with('\t')) rest_.remove_prefix(1);
}

void Fields::fail(std::string_view expected) {
  skip();
  const std::string_view found = rest_.substr(0, rest_.find(' '));
  in_.fail(expected, found.empty() ? "the end of the line" : quoted(found));
}

bool Fields::starts(std::string_view prefix) {
  if (!rest_.starts_with(prefix)) return false;
  rest_.remove_prefix(prefix.size());
  return true;
}

void Fields::literal(std::string_view text) {
  skip();
  if (!starts(text)) fail(quoted(text));
}

std::string_view Fields::word(std::string_view what) {
  skip();
  if (rest_.empty()) fail(what);
  const std::string_view out = rest_.substr(0, rest_.find_first_of(" \t"));
  rest_.remove_prefix(out.size());
  return out;
}

/// Takes a number as from_chars does if no letter or digit stands behind it.
template <class T>
bool Fields::take(T& v, int base) {
  skip();
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), v, base);
  const std::string_view after = rest_.substr(static_cast<std::size_t>(end - rest_.data()));
  if (error != std::errc() || (!after.empty() && std::string_view(" \t,)").find(after[0]) == after.npos))
    return false;
  rest_ = after;
  return true;
}

std::uint64_t Fields::number(std::string_view what, std::uint64_t min, std::uint64_t max) {
  const std::string_view before = rest_;
  std::uint64_t v = 0;
  if (!take(v) || v < min || v > max) {
    rest_ = before;
    fail(fmt::format("{} from {} to {}", what, min, max));
  }
  return v;
}

std::int64_t Fields::signed_number(std::string_view what) {
  std::int64_t v = 0;
  if (!take(v)) fail(what);
  return v;
}

std::uint64_t Fields::last(std::string_view what, std::uint64_t min, std::uint64_t max) {
  const std::uint64_t v = number(what, min, max);
  end();
  return v;
}

std::uint64_t Fields::hex(std::string_view what) {
  skip();
  const std::string_view before = rest_;
  starts("0x");
  std::uint64_t v = 0;
  if (!take(v, 16)) {
    rest_ = before;
    fail(fmt::format("{} (hexadecimal)", what));
  }
  return v;
}

std::uint64_t Fields::number_after(std::string_view prefix, std::string_view what, std::uint64_t max) {
  skip();
  const std::string_view before = rest_;
  std::uint64_t v = 0;
  if (!starts(prefix) || rest_.starts_with(' ') || !take(v) || v > max) {
    rest_ = before;
    fail(what);
  }
  return v;
}

std::int64_t Fields::immediate() {
  skip();
  if (rest_.starts_with("0x")) return static_cast<std::int64_t>(hex("an immediate"));
  if (rest_.starts_with('-')) return signed_number("an immediate");
  std::uint64_t v = 0;
  if (!take(v)) fail("an immediate or the end of the line");
  return static_cast<std::int64_t>(v);
}

bool Fields::at_end() {
  skip();
  return rest_.empty();
}

void Fields::end() {
  if (!at_end()) fail("the end of the line");
}

std::string Fields::rest() {
  skip();
  return std::string(rest_);
}

}  // namespace warpsieve::trace::accelsim
