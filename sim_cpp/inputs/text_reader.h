// Reads text files of numbers and words, and complains in one line: "FILE:LINE: expected X, found Y".
//
// The whole file is held in memory (at most kMaxFileBytes, before and after decompression). A UTF-8 byte-order mark
// at the start is skipped, and a carriage return counts as a blank, so that files with CRLF line ends read the same.
// A count that a file announces is checked against the bytes that are left before anything of that size is allocated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/errors.h"

namespace warpsieve::inputs {

inline constexpr std::uint64_t kMaxFileBytes = std::uint64_t{2} << 30;

class InputError : public BadInput {
 public:
  using BadInput::BadInput;
};

/// The bytes of a file, decompressed if it is a gzip, xz or zstd file (unpack.h). Throws InputError if it is missing,
/// a directory, empty, damaged or too large.
std::string read_file(const std::string& path);
/// `text` without the UTF-8 byte-order mark that some editors put at the start.
std::string_view without_mark(std::string_view text);

class TextReader {
 public:
  /// `name` stands in error messages; `text` must outlive the reader.
  TextReader(std::string name, std::string_view text) : name_(std::move(name)), text_(without_mark(text)) {}

  std::size_t line() const { return line_; }
  std::size_t bytes() const { return text_.size(); }
  std::size_t bytes_left() const { return text_.size() - at_; }

  bool at_end();                    ///< only blanks and line ends are left
  bool line_ended();                ///< only blanks are left on this line
  void next_line();                 ///< goes to the start of the next line
  std::string_view rest_of_line();  ///< from here to the line's end, and goes there
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip(std::size_t n) { at_ += std::min(n, bytes_left()); }  ///< characters of this line
  void skip_lines_starting_with(char comment);                    ///< at the start of a line; blank lines too

  /// Next word, on any line; empty at the end of the file.
  std::string_view word();
  /// Next number on any line.
  std::int64_t integer(std::string_view what, std::int64_t min, std::int64_t max);
  double real(std::string_view what);
  /// The same, but it must stand on this line.
  std::int64_t integer_here(std::string_view what, std::int64_t min, std::int64_t max);
  double real_here(std::string_view what);
  /// The number at the start of the next word of this line, as C's atof reads it; a word without one is 0 and counts
  /// in `words`.
  double real_or_word_here(std::string_view what, std::uint64_t& words);
  void expect_line_end(std::string_view what);

  /// Throws when `count` items of at least `bytes_each` bytes cannot stand in the rest of the file.
  void check_count(std::int64_t count, std::uint64_t bytes_each, std::string_view what) const;

  [[noreturn]] void fail(std::string_view expected, std::string_view found) const;
  [[noreturn]] void fail_here(std::string_view expected);  ///< found: the next word

 private:
  void skip_blanks();
  void skip_space();
  std::string_view word_here();

  std::string name_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace warpsieve::inputs
