// What a scheme tells about itself. The interface that it implements is memsys/ports.h (Scheme and the objects it
// makes). A family of schemes is a folder here with one function
//
//   std::unique_ptr<SchemeFamily> NAME_family()
//
// which list_families.cmake finds; code outside the tree calls register_family() (registry.h) instead. Blocks that
// the family needs are linked by <folder>/links.cmake.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/params.h"
#include "cosim/backend_plan.h"
#include "memsys/ports.h"

namespace warpsieve::schemes {

using memsys::ControllerPath;
using memsys::GlobalLine;
using memsys::LocalLine;
using memsys::PathOwner;
using memsys::Scheme;
using memsys::SectorMask;

/// Where the instances of a block are, and so their names: mc3, mc0.slice1, sm5, cluster1.
enum class Place : std::uint8_t { controller, slice, sm, cluster };

/// A block that can be model, rtl or shadow, by instance (cosim/backend_plan.h).
struct SchemeBlock {
  std::string name;
  Place place = Place::controller;
};

/// A memory inside a block of RTL (rtl/common: ram_1r1w, or ram_1rw with one port).
struct HardwareMemory {
  std::string name;
  std::uint32_t width = 0;  ///< bits of a word
  std::uint32_t depth = 0;  ///< words
  std::uint32_t copies = 1;
  bool single_port = false;  ///< ram_1rw: the RTL never reads and writes in the same cycle
};

/// A block as it is counted for area and energy (cost/): a netlist of synth/baseline and its memories.
struct HardwareBlock {
  std::string block, module, point;  ///< rtl/<block>, its module at a line of points.txt
  std::string what;                  ///< what it is for, with the place in the paper
  Place place = Place::controller;
  std::uint32_t count = 1;           ///< of these at each place, with the default parameters
  std::string count_parameter = {};  ///< scheme parameter that sets `count` in a run; empty: none
  bool addition = false;             ///< not in the paper; correctness needs it
  std::vector<HardwareMemory> memories = {};
  /// Values of scheme parameters that `point` and `memories` stand for.
  std::vector<std::pair<std::string, std::uint64_t>> sizes = {};
};

/// Metadata in DRAM.
struct MetadataBits {
  std::string name;
  std::uint32_t bits = 0;  ///< for each 128-byte line
  bool addition = false;   ///< not in the paper; correctness needs it
};

/// What a scheme plugs into, in words for error messages. Parts of a combination must have none in common, and their
/// Scheme::amend() must come to the same in any order.
inline constexpr const char* kMemoryPath = "the memory path";
inline constexpr const char* kL2Victims = "the L2 victims";
inline constexpr const char* kClusterPath = "the cluster ports";
inline constexpr const char* kL1 = "the L1";
inline constexpr const char* kL2Size = "the L2 size";
inline constexpr const char* kPrivateMemory = "private memory";
inline constexpr const char* kReplies = "the replies of the L2";

/// All that the rest of the program needs to know of a scheme.
struct SchemeInfo {
  std::string name, doc;
  std::string paper = {};    ///< whose claims it answers (claims/, `area`): cmd, rata, justit, dpc, avc; empty: none
  std::string profile = {};  ///< the machine it is meant for; empty: the program's default
  std::vector<SchemeBlock> blocks = {};
  std::vector<std::string> ports = {};
  /// Looks at data: hashes, compares or compresses it. A trace without values cannot run under it. Left at true where
  /// in doubt: wrong figures are worse than a refusal.
  bool reads_values = true;
  std::string area_note = {};  ///< what `hardware` counts and what it does not
  std::vector<HardwareBlock> hardware = {};
  std::vector<MetadataBits> dram_bits = {};
};

/// Schemes that share parameters and blocks, and the values of these parameters.
class SchemeFamily {
 public:
  virtual ~SchemeFamily() = default;
  virtual std::vector<SchemeInfo> schemes() const = 0;
  /// The set keeps addresses into this object.
  virtual void declare(ParamSet&) {}
  /// `name` is one of schemes().
  virtual std::unique_ptr<Scheme> make(std::string_view name, const BackendPlan& backends) const = 0;
};

/// Values of a parameter struct with declare(), for Scheme::report().
template <class Params>
nlohmann::ordered_json values_of(const Params& params) {
  Params copy;
  ParamSet set;
  copy.declare(set);  // sets the defaults
  copy = params;
  return set.values();
}

/// L2 and DRAM directly connected: every sector read or written is one DRAM request.
std::unique_ptr<Scheme> make_baseline();

/// Makes a family with parameters at their defaults.
using FamilyMaker = std::unique_ptr<SchemeFamily> (*)();
/// The families in the folders here, by name. Written by list_families.cmake.
std::vector<FamilyMaker> families_in_tree();

}  // namespace warpsieve::schemes
