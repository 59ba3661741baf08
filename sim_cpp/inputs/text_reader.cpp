#include "inputs/text_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/number.h"
#include "inputs/file_error.h"
#include "inputs/shown.h"
#include "inputs/unpack.h"

namespace warpsieve::inputs {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

}  // namespace

std::string shown(std::string_view text) {
  if (text.empty()) return "the end of the file";
  std::string out = "'";
  for (const char c : text.substr(0, 24)) {
    if (c >= ' ' && c <= '~')
      out += c;
    else
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return out + (text.size() > 24 ? "...'" : "'");
}

std::string read_file(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::unknown || status.type() == std::filesystem::file_type::none)
    throw FileError(fmt::format("{}:1: expected a readable file, found: {}", path, error.message()));
  if (!std::filesystem::exists(status))
    throw FileError(fmt::format("{}:1: expected a file, found nothing of that name", path));
  if (!std::filesystem::is_regular_file(status))
    throw FileError(fmt::format("{}: expected a regular file, found {}", path,
                                std::filesystem::is_directory(status) ? "a folder" : "a pipe or device"));
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) throw FileError(fmt::format("{}:1: expected a readable file, found: {}", path, error.message()));
  if (size == 0) throw FileError(fmt::format("{}:1: expected data, found an empty file", path));
  if (size > kMaxFileBytes)
    throw FileError(fmt::format("{}:1: expected at most {} bytes, found {}", path, kMaxFileBytes, size));
  std::ifstream in(path, std::ios::binary);
  std::string text(size, '\0');
  if (!in || !in.read(text.data(), static_cast<std::streamsize>(size)))
    throw FileError(fmt::format("{}:1: expected a readable file, found that it cannot be opened or read", path));
  return unpacked(path, std::move(text), kMaxFileBytes);
}

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

void TextReader::fail(std::string_view expected, std::string_view found) const {
  throw InputError(fmt::format("{}:{}: expected {}, found {}", name_, line_, expected, found));
}

void TextReader::fail_here(std::string_view expected) {
  if (at_ < text_.size() && line_ended()) fail(expected, "the end of the line");
  fail(expected, shown(word_here()));
}

void TextReader::skip_blanks() {
  while (at_ < text_.size() && blank(text_[at_])) ++at_;
}

void TextReader::skip_space() {
  for (; at_ < text_.size() && (blank(text_[at_]) || text_[at_] == '\n'); ++at_) line_ += text_[at_] == '\n';
}

bool TextReader::at_end() {
  skip_space();
  return at_ == text_.size();
}

bool TextReader::line_ended() {
  skip_blanks();
  return at_ == text_.size() || text_[at_] == '\n';
}

void TextReader::next_line() {
  while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  if (at_ < text_.size()) {
    ++at_;
    ++line_;
  }
}

std::string_view TextReader::rest_of_line() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  return text_.substr(begin, at_ - begin);
}

void TextReader::skip_lines_starting_with(char comment) {
  while (at_ < text_.size() && (line_ended() || peek() == comment)) next_line();
}

std::string_view TextReader::word_here() {
  skip_blanks();
  const std::size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != '\n' && !blank(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

std::string_view TextReader::word() {
  skip_space();
  return word_here();
}

std::int64_t TextReader::integer(std::string_view what, std::int64_t min, std::int64_t max) {
  skip_space();
  return integer_here(what, min, max);
}

std::int64_t TextReader::integer_here(std::string_view what, std::int64_t min, std::int64_t max) {
  const auto expected = [&] { return fmt::format("{} from {} to {}", what, min, max); };
  if (at_ < text_.size() && line_ended()) fail(expected(), "the end of the line");
  const std::string_view w = word_here();
  const auto v = to_number<std::int64_t>(w);
  if (!v || *v < min || *v > max) fail(expected(), shown(w));
  return *v;
}

double TextReader::real(std::string_view what) {
  skip_space();
  return real_here(what);
}

double TextReader::real_here(std::string_view what) {
  if (at_ < text_.size() && line_ended()) fail(fmt::format("{} (a finite number)", what), "the end of the line");
  const std::string_view w = word_here();
  double v = 0;
  const char* begin = w.data() + (w.size() > 1 && w[0] == '+' ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, w.data() + w.size(), v);
  // A number too small for a double is a zero in all but name.
  const bool tiny = error == std::errc::result_out_of_range && w.find("e-") != w.npos;
  if ((error != std::errc() && !tiny) || end != w.data() + w.size() || !std::isfinite(v) || std::fabs(v) > 3.4e38)
    fail(fmt::format("{} (a finite number)", what), shown(w));
  return tiny ? 0.0 : v;
}

double TextReader::real_or_word_here(std::string_view what, std::uint64_t& words) {
  const std::size_t before = at_;
  const std::string_view w = word_here();
  const std::string_view digits = w.substr(w.size() > 1 && w[0] == '+' ? 1 : 0);
  double v = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), v);
  if (w.empty() || (end == digits.data() + digits.size() && std::isfinite(v))) {
    at_ = before;
    return real_here(what);  // which says what is wrong with a number
  }
  ++words;
  return error == std::errc() && std::isfinite(v) && std::fabs(v) <= 3.4e38 ? v : 0.0;
}

void TextReader::expect_line_end(std::string_view what) {
  if (!line_ended()) fail(fmt::format("the end of the line after {}", what), shown(word_here()));
  next_line();
}

void TextReader::check_count(std::int64_t count, std::uint64_t bytes_each, std::string_view what) const {
  // The last line may lack its line end, hence one byte more.
  const std::uint64_t possible = (bytes_left() + 1) / bytes_each;
  if (count < 0 || static_cast<std::uint64_t>(count) > possible)
    fail(fmt::format("at most {} {} in the {} bytes that follow", possible, what, bytes_left()),
         fmt::format("a count of {}", count));
}

}  // namespace warpsieve::inputs
