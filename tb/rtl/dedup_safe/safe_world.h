// SafeWorld: the pins of dedup_safe with an L2, DRAM and metadata memories around them, and a plain array as the
// oracle.
//
//   oracle    what a read taken now must return: the content of every line in the order in which writes were taken
//   L2        clean copies, answers probes, throws away what it has asked for when it is reset
//   memories  start with noise: the unit must write its metadata itself
// Violations are collected in `errors`. Every chance comes from the seed.
#pragma once

#include <fmt/format.h>

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "blocks/dedup/dedup_unit.h"
#include "cosim/verilated.h"

namespace warpsieve::dedup_safe {

using dedup::ByteMask;
using dedup::DramKind;
using dedup::LineData;

struct SafeKnobs {
  unsigned total = 30, spare = 4;
  unsigned used = 26, stride = 1;  ///< lines that the L2 asks for: so many, every stride-th
  unsigned accept = 70;            ///< percent of the cycles in which an output is taken, an answer given
  unsigned latency = 20;           ///< of DRAM, memories and probes: 1 to so many cycles
  unsigned ratio = 1;              ///< DRAM and memories take and bring something in every ratio-th cycle only
  unsigned read = 30, write = 30;  ///< percent of the cycles in which the L2 asks for something
  bool verify = false, bytes = false;
  bool sleep = false;   ///< from a cold reset until the first write
  unsigned supply = 0;  ///< cycles from power_o to power_good_i
};

template <class V>
class SafeWorld {
 public:
  SafeWorld(std::uint32_t seed, const SafeKnobs& knobs);
  /// All that is around the unit forgets what it waits for; metadata memories hold noise, or stay as they are.
  void cold_reset(bool noise);
  /// One cycle. `asks`: the L2 asks for reads and writes.
  void step(bool asks = true) { step(asks, asks); }
  void step(bool reads, bool writes);
  /// For this and the next cycles, until low again. While warm is high the L2 takes nothing.
  bool drain = false, warm = false;
  void l2_resets();   ///< to be called with warm
  bool until_open();  ///< without requests; false: it takes too long
  bool until_rest();  ///< until all is answered and done
  void check_line(unsigned line);
  void offer_read(unsigned line);  ///< of all sectors; from the next step on until it is taken
  void check_all();
  unsigned register_at(unsigned word);  ///< by APB
  void write_register(unsigned word, unsigned value);
  bool refuses(unsigned address, bool write);  ///< that byte address
  using Sector = std::array<std::uint8_t, 32>;
  /// Of metadata memory k (type, mask, map, lent), as it is now.
  const Sector& sector(unsigned k, unsigned number) { return memory_[k].sectors[number]; }

  unsigned any_line() { return static_cast<unsigned>(random_() % knobs_.used * knobs_.stride); }
  V& top() { return rtl_.top(); }
  std::function<void()> watch;  ///< before each clock edge, when the inputs stand
  std::uint64_t cycle = 0;
  std::vector<std::string> errors;
  /// Of the unit since the last cold reset.
  std::uint64_t reads = 0, writes = 0, commits = 0, l2_replies = 0, intra = 0, duplicates = 0, unique = 0;
  std::uint64_t requests_while_dropping = 0, copies = 0, images = 0;
  std::map<unsigned, std::uint64_t> outcomes;
  std::array<std::uint64_t, 8> flags{};  ///< commits with each flag

 private:
  std::pair<unsigned, bool> access(unsigned address, bool write, unsigned value);
  struct Outstanding {
    unsigned line, left, wanted;
    LineData expected;
    bool fresh = true;  ///< no write of its line was offered since
  };
  template <class T>
  struct Due {
    std::uint64_t at;
    T item;
  };
  struct Read {
    unsigned tag, mask;
    LineData data;
  };
  struct Probe {
    unsigned id, line, mask;
    bool late;
    unsigned have;
  };
  struct Memory {
    std::map<unsigned, Sector> sectors;
    std::deque<Due<unsigned>> fetches;
  };
  bool chance(unsigned percent) { return random_() % 100 < percent; }
  bool dram_ticks() const { return cycle % knobs_.ratio == 0; }
  std::uint64_t later() {
    const std::uint64_t at = cycle + 1 + random_() % knobs_.latency;
    return (at + knobs_.ratio - 1) / knobs_.ratio * knobs_.ratio;
  }
  using Lines = std::unordered_map<unsigned, LineData>;
  static LineData& at(Lines& lines, unsigned line);  ///< at first: never zero, different in neighbours
  void fail(std::string text) {
    if (errors.size() < 20) errors.push_back(fmt::format("cycle {}: {}", cycle, text));
  }
  void reply(unsigned tag, unsigned mask, const LineData& data, const char* from);
  void lower();
  void offer(bool reads, bool writes);
  void take_l2_and_dram();
  void take_probe();
  void answer();
  void memory(unsigned k, unsigned valid, auto& ready, unsigned write, unsigned sector, auto& data, auto& rsp_valid,
              unsigned rsp_ready, auto& rsp_sector, auto& rsp_data);
  void memories();
  LineData content();
  static void put(LineData& to, const LineData& from, unsigned mask, const ByteMask& bytes);

  SafeKnobs knobs_;
  std::mt19937 random_;
  RtlClock<V> rtl_;
  Lines oracle_, dram_;
  std::unordered_map<unsigned, unsigned> held_;  ///< clean sectors in the L2
  std::map<unsigned, Outstanding> outstanding_;
  std::deque<Due<Read>> to_l2_;     ///< data of home and slot reads
  std::vector<Due<Read>> to_unit_;  ///< of dedup and verify reads
  std::optional<Read> brought_;     ///< one of them, on offer
  std::deque<Due<Probe>> probes_;
  std::array<Memory, 4> memory_;
  std::optional<dedup::ReadReq> rd_;
  std::optional<dedup::WriteReq> wr_;
  unsigned next_tag_ = 0, fresh_ = 0;
  bool read_on_offer_ = false, drops_ = false;
  std::uint64_t powered_ = 0;  ///< cycles since power_o rose
};

}  // namespace warpsieve::dedup_safe

#include "safe_world_parts.h"
