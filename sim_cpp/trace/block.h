// One block of a trace file: a head, a table of columns, and the columns, each packed and with its own XXH3.
//
//   elements ──▶ byte planes ──▶ zstd, where that is smaller ──▶ XXH3 ──▶ file
#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <vector>

#include "trace/format.h"

namespace warpsieve::trace {

/// Elements of `width` bytes, little-endian. Byte k of all elements lies together (plane k): equal high bytes
/// then cost next to nothing.
struct Column {
  unsigned width = 1;
  std::vector<std::uint8_t> planes;

  std::size_t size() const { return planes.size() / width; }
  template <unsigned Width>
  std::uint64_t get(std::size_t i) const {
    const std::size_t n = planes.size() / Width;
    std::uint64_t v = 0;
    for (unsigned k = 0; k < Width; ++k) v |= std::uint64_t{planes[k * n + i]} << (8 * k);
    return v;
  }
};

/// Collects elements; `column()` turns them into planes.
class ColumnBuilder {
 public:
  explicit ColumnBuilder(unsigned width) : width_(width) {}
  void add(std::uint64_t v) {
    for (unsigned k = 0; k < width_; ++k) bytes_.push_back(static_cast<std::uint8_t>(v >> (8 * k)));
  }
  void add(std::span<const std::uint8_t> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  std::size_t bytes() const { return bytes_.size(); }
  /// Leaves the builder empty.
  Column take();

 private:
  unsigned width_;
  std::vector<std::uint8_t> bytes_;
};

struct Block {
  Section section = Section::end;
  std::uint32_t number = 0;  ///< from 0, without a gap
  std::vector<Column> columns;
};

/// A pipe gives its bytes once. Throws TraceError "PATH: expected a regular file ...".
void check_read_twice(const std::string& path);

/// Writes blocks. The file appears under its name by finish() only; without it nothing is left.
class BlockWriter {
 public:
  explicit BlockWriter(std::string path);
  ~BlockWriter();
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  void write(Section section, const std::vector<Column>& columns);
  void finish();
  std::uint64_t bytes() const { return written_; }
  std::uint32_t blocks() const { return number_; }

 private:
  void put(std::span<const std::uint8_t> bytes);
  [[noreturn]] void fail(int error) const;

  std::string path_, target_;  ///< as given; links followed
  std::string partial_;        ///< what is being written and then renamed, empty: nothing
  std::FILE* file_ = nullptr;
  std::uint64_t written_ = 0;
  std::uint32_t number_ = 0;
  struct Packer;
  std::unique_ptr<Packer> packer_;
};

/// Reads blocks in file order and refuses a damaged one before anything of it is used.
class BlockReader {
 public:
  explicit BlockReader(std::string path);
  ~BlockReader();
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  /// The next block. Reading on behind the end block is an error.
  void next(Block& block);
  /// Throws unless the file ends here.
  void expect_end();
  /// "FILE: block 7: why", for what the block last read says.
  [[noreturn]] void fail(const std::string& why) const;
  std::uint64_t bytes() const { return position_; }

 private:
  bool get(std::span<std::uint8_t> bytes);

  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::uint64_t position_ = 0;
  std::uint32_t number_ = 0;  ///< of the next block
  bool in_head_ = true;
  std::vector<std::uint8_t> stored_;
  struct Unpacker;
  std::unique_ptr<Unpacker> unpacker_;
};

}  // namespace warpsieve::trace
