// World: a DedupUnit with everything around it - DRAM, metadata memory, an L2 and the plain-array oracle.
//
//   oracle   what a read accepted now must return: the content of every line in the order in which
//            writes were accepted. Every reply is compared with it byte by byte.
//   L2       valid and dirty sectors per line. Clean sectors hold what the oracle holds, also when that
//            came by forwarding and is not in DRAM yet; dirty ones are newer. Answers probes. Stores of some bytes
//            leave a sector that is not valid: it goes down with its mask, and with any data beside that.
//   DRAM     applies requests in the order taken, answers after random latencies in any order.
// Violations are collected in `errors`; a world without progress adds one, too.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "blocks/dedup/dedup_unit.h"

namespace warpsieve::dedup {

struct Knobs {
  unsigned accept_percent = 100;  ///< chance per cycle that an output is taken, an answer is given
  unsigned max_latency = 4;       ///< DRAM, metadata memory and probe answers: 1..max_latency cycles
  std::uint32_t seed = 1;
  // What random_operation() does.
  unsigned patterns = 3;        ///< different contents that repeat
  unsigned flat_percent = 20;   ///< lines with all words alike
  unsigned fresh_percent = 15;  ///< contents never seen before
  unsigned full_percent = 50;   ///< accesses to all sectors
  unsigned sectors = 0xf;       ///< sectors that are accessed at all
  unsigned read_percent = 50;   ///< reads among the operations
  unsigned gap = 0;             ///< up to this many cycles between operations
  unsigned hot_percent = 0;     ///< operations on three lines that change now and then
  unsigned stride = 1;          ///< only every stride-th line is used: more metadata sectors
  unsigned domains = 1;         ///< writes come from so many domains
  unsigned some_percent = 0;    ///< stores of some bytes of each sector
};

/// What DRAM holds in the beginning: never zero, different in neighbouring lines.
LineData host_data(std::uint32_t line);

class World {
 public:
  World(const DedupUnitParams& params, const DedupUnitBackends& backends, const Knobs& knobs,
        const DedupFaults& faults = {});

  // One access, to its end.
  DoneEvent write(std::uint32_t line, unsigned mask, const LineData& data, unsigned domain = 0,
                  const ByteMask& bytes = kAllBytes);
  /// Reads past the L2 (nothing is installed); sources() and dram_log() tell where the data came from.
  LineData read(std::uint32_t line, unsigned mask);
  std::vector<Source> sources() const { return sources_; }
  std::vector<DramReq> take_dram_log();

  // Single steps for races. offer_*: on offer until taken.
  void offer_read(std::uint32_t line, unsigned mask) {
    rd_offer_ = ReadReq{line, static_cast<std::uint8_t>(mask), 0};
  }
  void offer_write(std::uint32_t line, unsigned mask, const LineData& data, unsigned domain = 0,
                   const ByteMask& bytes = kAllBytes) {
    wr_offer_ = WriteReq{line, static_cast<std::uint8_t>(mask), data, static_cast<std::uint8_t>(domain), bytes};
  }
  bool taken() const { return !rd_offer_ && !wr_offer_; }
  void until_taken();  ///< steps until the offers are taken
  void step();
  void drain();  ///< until nothing is outstanding
  std::optional<DoneEvent> done_now() const { return done_; }
  std::uint64_t cycle() const { return cycle_; }

  // Random operation: reads, stores and evictions of a small L2 (see stress()).
  void random_operation();
  /// Reads every line back past an empty L2; no sector in DRAM may be used by lines of two domains.
  void check_all();

  // The L2 as the test wants it.
  void l2_hold(std::uint32_t line, unsigned mask);  ///< clean copies of what the oracle holds
  void l2_drop(std::uint32_t line) { l2_[line] = {}; }

  LineData content(std::uint32_t line) { return oracle(line); }
  const DedupUnitStats& stats() const { return unit_.stats(); }
  std::vector<std::string> errors;
  std::uint64_t some_writes = 0;  ///< with byte masks
  std::uint64_t operations = 0, copies = 0, forwards = 0, intras = 0, slot_reads = 0, dirty_probes = 0, shared = 0;
  bool stuck = false;
  bool hold_probe = false;  ///< probe answers wait
  bool hold_dram = false;   ///< the DRAM takes nothing
  bool hold_reads = false;  ///< home and slot reads are taken, their data wait
  bool hold_lent = false;   ///< the memory behind the cache of lent flags gives no answers
  unsigned lines() const { return lines_; }
  DedupUnit& unit() { return unit_; }

 private:
  struct L2Line {
    std::uint8_t valid = 0, dirty = 0;
    LineData data{};
    ByteMask bytes{};  ///< dirty ones
  };
  struct Outstanding {
    std::uint32_t line;
    std::uint8_t wanted, left;
    LineData expected;
    bool install;
    std::uint8_t stale = 0;  ///< sectors written since: not to be installed
    LineData got{};
  };
  struct Answer {
    std::uint64_t due;
    std::uint32_t tag;
    std::uint8_t mask;
    LineData data;
  };
  struct Probe {
    std::uint64_t due;
    ProbeRsp rsp;
    std::uint32_t line;
    std::uint8_t mask;
    bool late;  ///< the L2 is read when the answer leaves
  };
  struct MetaAnswer {
    std::uint64_t due;
    metadata_cache::MetaMemRsp rsp;
  };
  using Lines = std::unordered_map<std::uint32_t, LineData>;
  static LineData& at(Lines& lines, std::uint32_t line) {
    const auto [place, fresh] = lines.try_emplace(line);
    if (fresh) place->second = host_data(line);
    return place->second;
  }
  LineData& oracle(std::uint32_t line) { return at(oracle_, line); }
  LineData& dram(std::uint32_t line) { return at(dram_, line); }
  bool chance(unsigned percent) { return random_() % 100 < percent; }
  std::uint64_t later() { return cycle_ + 1 + random_() % knobs_.max_latency; }
  void reply(std::uint32_t tag, unsigned mask, const LineData& data, const char* from);
  ProbeRsp look(std::uint32_t id, std::uint32_t line, unsigned mask);
  void fail(std::string text);
  bool outstanding() const;
  void take_outputs();
  void give_answers();
  void offer_requests();
  LineData random_content(std::uint32_t line);
  void store(L2Line& line, std::uint32_t number, unsigned mask);
  void evict(L2Line& line, std::uint32_t number);
  std::uint32_t random_line() { return random_() % (lines_ / knobs_.stride) * knobs_.stride; }

  DedupUnitParams params_;
  Knobs knobs_;
  DedupUnit unit_;
  std::mt19937 random_;
  unsigned lines_;
  // Only what was touched: the paper's two million lines are 256 MB for each of them.
  Lines oracle_, dram_;
  std::unordered_map<std::uint32_t, std::uint8_t> domain_;  ///< of the last write of each line
  std::unordered_map<std::uint32_t, L2Line> l2_;
  std::map<std::uint32_t, Outstanding> reads_;
  std::uint32_t next_tag_ = 0;
  std::vector<Answer> dram_answers_;
  std::vector<Answer> unit_answers_;  ///< of dedup and verify reads
  std::vector<Probe> probes_;
  std::array<std::map<std::uint32_t, metadata_cache::SectorData>, kMetas> meta_;
  std::array<std::vector<MetaAnswer>, kMetas> meta_answers_;
  std::optional<ReadReq> rd_offer_;
  std::optional<WriteReq> wr_offer_;
  bool install_ = false;
  std::optional<DoneEvent> done_;
  std::uint32_t hot_ = 0;
  std::vector<Source> sources_;
  std::vector<DramReq> dram_log_;
  std::uint64_t cycle_ = 0, last_progress_ = 0, unique_ = 0;
  LineData last_read_{};
};

/// Line contents: all words alike; one of a few patterns, different in every sector; never seen before.
LineData flat(std::uint32_t word);
LineData pattern(unsigned k);
/// tiny_unit() with hash and metadata as fast as the blocks are.
DedupUnitParams quick_unit();
/// Point `odd` over 42 lines.
DedupUnitParams odd_unit();
/// The control in lock step, all around it as models.
DedupUnitBackends control_in_shadow();
/// Requests to the metadata caches until now.
std::uint64_t lookups(const World& world);
void wait(World& world, unsigned cycles);
/// Calls random_operation() `operations` times, drains, reads everything back.
void stress(World& world, unsigned operations);

}  // namespace warpsieve::dedup
