// CachedTable: entries per line (or half line) behind a metadata cache, for flows.
//
//   const std::uint32_t entry = co_await table.read(index);
//   table.write(index, value);     // taken in order; a later read sees it
//
//   throughput  one access per cycle
//   latency     `cycles` for a hit; a miss fetches 32 bytes from the table in DRAM
//   order       accesses of one sector (and so of one entry) in the order in which they were asked for
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "blocks/metadata_cache/charged_cache.h"
#include "schemes/path/metadata_table.h"
#include "schemes/path/request_flow.h"

namespace warpsieve::schemes {

struct CachedTableParams {
  metadata_cache::MetadataCacheParams cache;
  unsigned cycles = 20;
  std::uint64_t base = 0;  ///< DRAM address
  std::uint32_t entries = 0;
};

class CachedTable final : private SectorSink {
 public:
  /// Counts "<label>.requests" and "<label>.misses". The table starts as all 0.
  CachedTable(FlowEngine& engine, const CachedTableParams& params, Backend backend, const std::string& name,
              const std::string& label, Stats& stats);
  CachedTable(const CachedTable&) = delete;
  CachedTable& operator=(const CachedTable&) = delete;

  /// One read, waited for where it is made or later.
  class Read {
   public:
    Read(CachedTable& table, std::uint32_t index) { table.ask(index, 0, this); }
    Read(const Read&) = delete;
    Read& operator=(const Read&) = delete;
    bool await_ready() const { return done_; }
    void await_suspend(FlowEngine::Handle flow) { waiter_ = flow; }
    std::uint32_t await_resume() const { return value_; }

   private:
    friend class CachedTable;
    bool done_ = false;
    std::uint32_t value_ = 0;
    FlowEngine::Handle waiter_;
  };
  Read read(std::uint32_t index) { return Read(*this, index); }
  void write(std::uint32_t index, std::uint32_t value) { ask(index, value, nullptr); }

  /// Wakes flows whose entry is there; before FlowEngine::run().
  void answers(Cycle now);
  /// The cycle of the cache and its way to DRAM; after FlowEngine::run(). True when it wants the next cycle.
  bool tick(Cycle now);
  std::string describe() const;
  bool idle() const { return waiting_.empty() && busy_ == 0 && cache_.idle() && memory_.idle(); }

 private:
  struct Asked {
    std::uint32_t index, value;
    Read* reader;  ///< nullptr: a write
  };
  void ask(std::uint32_t index, std::uint32_t value, Read* reader) { waiting_.push_back({index, value, reader}); }
  void on_sector(Cycle, std::uint32_t sector, const std::uint8_t* data) override {
    memory_.on_dram_read(sector, data);
  }

  FlowEngine& engine_;
  metadata_cache::ChargedCache cache_;
  MetadataTable memory_;
  std::deque<Asked> waiting_;
  std::vector<Read*> readers_;  ///< by id of the request
  std::vector<std::uint32_t> free_ids_;
  std::size_t busy_ = 0;
  std::uint64_t cookie_ = 0;  ///< of the fetch that the DRAM queue refused; 0: none
  Counter requests_, misses_;
};

}  // namespace warpsieve::schemes
