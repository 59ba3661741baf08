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
  /// Where the line last read starts in the text, in bytes.
  std::uint64_t offset() const { return start_; }
  /// The line at `offset` of the text, of that number, is the next one. Only for plain text.
  void seek(std::uint64_t offset, std::uint64_t line);
  /// Reads on from the start. A compressed file is first unpacked into a file without a name in `folder`, so that
  /// seek() works.
  void restart_plain(const std::string& folder);
  const std::string& name() const { return name_; }
  /// Throws TraceError "FILE:LINE: expected X, found Y".
  [[noreturn]] void fail(std::string_view expected, std::string_view found) const;

  static constexpr std::size_t kMaxLine = 2 << 20;  ///< mangled kernel names have been seen beyond 64 KiB

 private:
  class Source;
  bool refill();
  std::size_t read(std::span<char> out);

  std::string name_;
  std::unique_ptr<Source> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< of what is not used yet
  std::uint64_t line_ = 0;
  std::uint64_t position_ = 0, start_ = 0;  ///< in the text: of begin_, of the line last read
};

/// What stood in a file, quoted and printable.
std::string quoted(std::string_view text);

}  // namespace warpsieve::trace::accelsim
