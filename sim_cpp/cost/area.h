// Area of a scheme on a machine: logic from synthesis, storage from CACTI, both brought to one node.
//
//   logic    cell area at the Liberty's node (OSU 0.18 um), times (F / 180)^2          labelled "scaled"
//   storage  each RTL memory as CACTI rams (1R1W, or 1RW where one port is enough); below 22 nm by F^2
//
// A memory of D words of W bits becomes ceil(W / 256) equal rams, each of D x w / 8 bytes with words of the next
// power of two bytes; memories with fewer rows than CACTI takes get narrower words, and 64 bytes is the least it
// takes.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cost/cacti/query.h"
#include "cost/scheme_blocks.h"

namespace warpsieve::cost {

/// The library of the baselines: Debian's qflow-tech-osu018.
struct Library {
  static constexpr const char* kName = "OSU 0.18 um";
  static constexpr double kNode = 180;       ///< nm
  static constexpr double kNand2 = 24;       ///< um2, NAND2X1
  static constexpr double kNand2Pin = 12.5;  ///< fF, input of NAND2X1
  static constexpr double kVolts = 1.8;
  static constexpr double kFo4 = 0.09914;  ///< ns, INVX1 driving four of its kind (scripts/synth)
  /// Logic area at `node` nm over that in the library: the square of the feature sizes' ratio.
  static double area_factor(double node) { return (node / kNode) * (node / kNode); }
  /// Delay: in proportion to the feature size.
  static double time_factor(double node) { return node / kNode; }
};

/// One memory as CACTI is asked about it.
struct StoragePlan {
  Query query;              ///< one ram
  std::uint32_t lanes = 1;  ///< of these side by side
};
StoragePlan plan_storage(std::uint32_t width, std::uint32_t depth, Ports ports, std::uint32_t node_nm);

struct ArrayArea {
  Array array;
  StoragePlan plan;
  Result each;                   ///< one lane of one copy
  double mm2 = 0;                ///< all lanes and copies
  double single_ported_mm2 = 0;  ///< the same with one read/write port
};

struct BlockArea {
  BlockUse use;
  std::uint32_t count = 0;             ///< instances in the machine
  unsigned cycles = 1;                 ///< clocks of the machine that its worst path takes (timing.h)
  std::optional<Synthesis> synthesis;  ///< of one; nothing: no baseline yet, logic not counted
  std::vector<ArrayArea> arrays;       ///< of one
  std::uint64_t bits = 0;              ///< of one, as synthesis counts them
  double logic_mm2 = 0, storage_mm2 = 0, single_ported_mm2 = 0;  ///< of one
  double total_mm2() const { return count * (logic_mm2 + storage_mm2); }
};

struct AreaReport {
  SchemeBlocks scheme;
  Machine machine;
  std::uint32_t node_nm = 16;
  std::string cacti;  ///< source of the storage figures
  std::vector<BlockArea> blocks;
  double logic_mm2 = 0, storage_mm2 = 0, single_ported_mm2 = 0;  ///< of the machine
  double addition_mm2 = 0;                                       ///< part of the total that the paper does not have
  std::optional<double> l2_mm2;                                  ///< of the machine; nothing: it has no L2
  Query l2_query;                                                ///< one slice
  std::vector<std::string> notes;                                ///< what is not counted, and why
  double total_mm2() const { return logic_mm2 + storage_mm2; }
};

/// A machine without L2 is simulated with a few lines per slice between network and DRAM (profile avc): one set,
/// which no figure of a cache fits.
inline bool stands_for_no_l2(std::uint64_t sets) { return sets == 1; }
std::string no_l2_note(std::uint64_t lines);

/// A cache by CACTI; where its source has nothing for this number of ways, of the nearest smaller power of two that
/// it has, and a note says so. Throws CactiError.
Result cache_figures(Source& cacti, Query query, const std::string& name, std::vector<std::string>& notes);

/// Throws CactiError.
AreaReport area_of(const SchemeBlocks& scheme, const Machine& machine, Source& cacti, std::uint32_t node_nm);
nlohmann::ordered_json to_json(const AreaReport& report);

}  // namespace warpsieve::cost
