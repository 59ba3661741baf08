// Reads a trace block by block. Only the block under way and unfinished thread blocks are in memory.
//
//   TraceReader in("bfs.wst");
//   while (in.next() != Section::end)
//     while (in.has_thread_block()) use(in.take_thread_block());
#pragma once

#include "trace/records.h"

namespace warpsieve::trace {

class TraceReader {
 public:
  /// Reads the file head and the program block.
  explicit TraceReader(const std::string& path);

  const ProgramInfo& program() const { return program_; }
  /// Reads and checks one block; the accessors below then give what it holds. Behind the end block there is
  /// nothing. Throws TraceError.
  Section next();
  std::uint32_t block_number() const { return block_.number; }

  const simt::LaunchShape& launch() const { return launch_; }  ///< of the last launch block
  bool has_thread_block() const { return !decoder_.ready().empty(); }
  simt::BlockTrace take_thread_block();
  /// For salvage: what is known of the thread block under way.
  simt::BlockTrace take_partial() { return decoder_.take_partial(); }
  /// What the host_write block holds; parts of one write in one piece, also across blocks.
  void append_host_writes(std::vector<simt::HostWrite>& writes);
  /// image and change blocks: their bytes, and where they belong, relative to the base.
  std::uint64_t offset() const { return offset_; }
  std::span<const std::uint8_t> bytes() const { return block_.columns[1].planes; }

  const Totals& totals() const { return decoder_.totals(); }
  std::uint64_t file_bytes() const { return in_.bytes(); }

 private:
  void read_program();
  void read_launch();
  void check_memory();
  void check_host_writes();
  void check_end();
  void check_order(Section s);
  void expect_columns(std::initializer_list<unsigned> widths) const;

  BlockReader in_;
  Block block_;
  ProgramInfo program_;
  RecordDecoder decoder_{0, 0};
  simt::LaunchShape launch_;
  bool in_launch_ = false;
  Section last_ = Section::program;
  std::uint64_t offset_ = 0, image_end_ = 0, change_end_ = 0;
  simt::Addr write_end_ = 0;  ///< where a part that continues a host write must start
};

}  // namespace warpsieve::trace
