// Lines of a text file that may be compressed: plain, gzip or xz, told apart by its first bytes. The file is read
// piece by piece and never held as a whole.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpsieve::trace::accelsim {

class LineReader {
 public:
  explicit LineReader(std::string path);
  /// The same from memory; `name` stands in messages. `bytes` must outlive the reader.
  LineReader(std::string name, std::string_view bytes);
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// The next line without its end (\n or \r\n), valid until the next call; false at the end of the file.
  bool next(std::string_view& line);
  /// Of the line last read; from 1.
  std::uint64_t line() const { return line_; }
  const std::string& name() const { return name_; }
  /// Throws TraceError "FILE:LINE: expected X, found Y".
  [[noreturn]] void fail(std::string_view expected, std::string_view found) const;

  static constexpr std::size_t kMaxLine = 1 << 16;

 private:
  class Source;
  bool refill();

  std::string name_;
  std::unique_ptr<Source> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< of what is not used yet
  std::uint64_t line_ = 0;
};

/// What stood in a file, quoted and printable.
std::string quoted(std::string_view text);

}  // namespace warpsieve::trace::accelsim
