// CompressedMemory: lines of a DRAM channel kept in BPC form (ISCA'16 bit-plane code; decisions C22, D10).
//
//   size table  2 bits per line: 0 raw, 1 to 3 the 32-byte sectors of the code, kept at the start of the line's
//               place. Lines whose code takes four sectors stay raw. Every line starts raw
//   read        raw: the sectors asked for, each handed on as it comes. Compressed: all sectors of the code, decoded
//   write       of a whole line: encoded. Of a part of a raw line: its sectors, the line stays raw. Of a part of a
//               compressed line: the code is read (dedup_read), decoded, merged and encoded anew
//   order       reads and writes of one line in the order of the calls
//   time        encode_cycles and decode_cycles, pipelined. With backend rtl or shadow the bytes come from the
//               blocks bpc_encoder and bpc_decoder, which handle one line in 36 and 66 cycles (blocks/bpc/bpc.h) and
//               are clocked inside the call: many of them, or wider ones, would be needed for the charged rate
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "blocks/bpc/bpc.h"
#include "schemes/path/cached_table.h"
#include "schemes/path/flow_path.h"

namespace warpsieve::schemes {

struct BpcParams {
  std::uint32_t size_sets, size_ways, metadata_cycles, encode_cycles, decode_cycles, buffer_entries;
  BpcParams();
  void declare(ParamSet& set);
};
/// The blocks of a CompressedMemory, for SchemeInfo.
std::vector<SchemeBlock> bpc_blocks();
/// The scheme `bpc` (schemes/bpc.cpp): nothing but this between L2 and DRAM.
std::unique_ptr<Scheme> make_bpc(const BpcParams& params, const BackendPlan& backends);

class CompressedMemory final {
 public:
  using Kinds = std::array<memsys::RequestKind, memsys::kSectors>;
  /// Gets what a partial write found in a compressed line: sectors that no write under way replaces.
  using OldContent = std::function<void(LocalLine line, SectorMask mask, const memsys::LineData& data)>;

  /// `lines` lines from DRAM address 0 on; the size table at `table_base`. `instance` names the blocks: "mc0".
  CompressedMemory(FlowEngine& engine, const BpcParams& params, std::uint32_t lines, std::uint64_t table_base,
                   const BackendPlan& backends, const std::string& instance, LineReader& reader, Stats& stats,
                   OldContent old_content = {});

  void read(LocalLine line, SectorMask mask, const Kinds& kinds, std::uint32_t token) {
    reading(line, mask, kinds, token);
  }
  /// Bytes of `data` outside of `mask` are not looked at.
  void write(LocalLine line, SectorMask mask, const memsys::LineData& data) { writing(line, mask, data); }
  std::size_t writes_under_way() const { return writes_.size(); }

  /// One cycle of everything: flows, the size table, DRAM requests. Returns when the next is due.
  Cycle tick(Cycle now);
  bool idle() const { return engine_.idle() && sizes_.idle(); }
  FlowEngine& engine() { return engine_; }
  std::string describe() const;

 private:
  struct Counters {
    explicit Counters(Stats& stats);
    std::array<Counter, memsys::kSectors + 1> stored;  ///< by sectors of the code; 4: raw
    Counter partial_raw, rewrites, raw_sectors, compressed_reads, compressed_sectors;
  };
  Flow reading(LocalLine line, SectorMask mask, Kinds kinds, std::uint32_t token);
  Flow writing(LocalLine line, SectorMask mask, const memsys::LineData& given);
  void fetch_code(Fetch& fetch, LocalLine line, unsigned sectors, memsys::RequestKind kind) const;
  bpc::Encoded encode(const memsys::LineData& data);
  memsys::LineData decode(const memsys::LineData& code);
  static std::uint64_t address(LocalLine line, unsigned sector) {
    return std::uint64_t{line} * memsys::kLineBytes + sector * memsys::kSectorBytes;
  }

  FlowEngine& engine_;
  BpcParams params_;
  LineReader& reader_;
  OldContent old_content_;
  CachedTable sizes_;
  std::unique_ptr<bpc::BpcEncoder> encoder_;  ///< nullptr: model
  std::unique_ptr<bpc::BpcDecoder> decoder_;
  Counters counters_;
  WritesUnderWay writes_;
};

}  // namespace warpsieve::schemes
