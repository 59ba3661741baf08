// What a scheme is built of: block instances per controller, slice, cluster or SM, and the machines they are counted
// on. Schemes name their blocks (SchemeInfo::hardware), data/machines.json has the machines, synth/baseline/*.json
// gives each block's logic.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/errors.h"
#include "core/name_lookup.h"
#include "cost/cacti/query.h"

namespace warpsieve::cost {

/// One line: an unknown name with the nearest known one.
class CostError : public BadInput {
 public:
  using BadInput::BadInput;
};

/// A memory of the RTL (rtl/common: ram_1r1w has a read and a write port). Where the design never reads and writes
/// in the same cycle a single port is enough, and `ports` says so: hash_store (a request is taken only when the one
/// before has written), victim_fifo (an operation either inserts or looks up). There it is ram_1rw.
struct Array {
  std::string name;
  std::uint32_t width = 0, depth = 0, copies = 1;
  Ports ports = Ports::r1w1;
  std::uint64_t bits() const { return std::uint64_t{width} * depth * copies; }
};

enum class Per { controller, slice, cluster, sm };
std::string to_string(Per per);

struct BlockUse {
  std::string block, module, point, what;  ///< rtl/<block>, its module at a line of points.txt
  Per per = Per::controller;
  std::uint32_t count = 1;      ///< of these in each, with the default parameters
  std::string count_parameter;  ///< scheme parameter that sets `count` in a run, empty: none
  bool addition = false;        ///< not in the paper; correctness needs it
  std::vector<Array> arrays;
  std::vector<std::pair<std::string, std::uint64_t>>
      sizes;                     ///< scheme parameters that `point` and `arrays` stand for
  std::uint64_t paper_bits = 0;  ///< storage by the paper's own description, 0: not given
};

struct DramBits {
  std::string name;
  std::uint32_t bits = 0;  ///< for each 128-byte line
  bool addition = false;
};

struct SchemeBlocks {
  std::string name, doc, profile;  ///< the profile the paper describes
  std::vector<BlockUse> blocks;
  std::vector<DramBits> dram_bits;
};

struct Machine {
  std::string name, doc;
  std::uint32_t sms = 0, clusters = 0, controllers = 0, slices = 0;
  std::uint64_t l2_slice_bytes = 0;
  std::uint32_t l2_ways = 0;
  std::uint32_t l2_added_ways = 0;  ///< by the scheme, of which they are storage
  std::uint32_t core_mhz = 1365;    ///< clock of SMs, L2 and controllers
  std::uint32_t count(Per per) const;
  bool operator==(const Machine&) const = default;
};

/// One module at one point as scripts/synth left it in synth/baseline/<block>.json.
struct Synthesis {
  double ge = 0, area_um2 = 0, ns = 0, fo4 = 0;
  std::uint64_t registers = 0, storage_bits = 0;
  double fast_fo4 = 0;  ///< clock of the netlist for 45 FO4 (scripts/synth --fast); 0: none is recorded
};

const std::vector<SchemeBlocks>& all_schemes();
/// A scheme, or a combination ("rata+cmd"): the blocks of all parts, the profile of the first, SM side first. Throws
/// CostError.
const SchemeBlocks& scheme_blocks(const std::string& name);
/// One line for each block that a run's parameters ask for in other sizes than those of its netlist and arrays, from
/// which area and energy come whatever the run had.
std::vector<std::string> size_notes(const SchemeBlocks& scheme, const nlohmann::ordered_json& parameters);
const std::vector<Machine>& all_machines();
const Machine* find_machine(const std::string& name);  ///< nullptr: not one of these
/// Nothing when there is no such line in the baseline.
std::optional<Synthesis> synthesis(const std::string& block, const std::string& module, const std::string& point);

using warpsieve::unknown_name;

}  // namespace warpsieve::cost
