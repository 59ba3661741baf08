// Schemes by name. The interface is memsys/ports.h (Scheme and the objects it makes); a scheme is one or more
// files here that end in a SchemeFamily, and registry.cpp lists the families.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/params.h"
#include "cosim/backend_plan.h"
#include "memsys/ports.h"

namespace warpsieve::schemes {

using memsys::ControllerHost;
using memsys::ControllerPath;
using memsys::LineId;
using memsys::Scheme;
using memsys::SectorMask;

/// Where the instances of a block are, and so their names: mc3, mc0.slice1, sm5, cluster1.
enum class Place : std::uint8_t { controller, slice, sm, cluster };

/// A block that can be model, rtl or shadow, by instance (cosim/backend_plan.h).
struct SchemeBlock {
  std::string name;
  Place place = Place::controller;
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

struct SchemeInfo {
  std::string name, doc;
  std::vector<SchemeBlock> blocks;
  std::vector<std::string> ports;
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

std::unique_ptr<SchemeFamily> avc_family();
std::unique_ptr<SchemeFamily> baseline_family();
std::unique_ptr<SchemeFamily> cmd_family();
std::unique_ptr<SchemeFamily> data_filter_family();
std::unique_ptr<SchemeFamily> justit_family();
std::unique_ptr<SchemeFamily> l2_size_family();
std::unique_ptr<SchemeFamily> bcd_family();
std::unique_ptr<SchemeFamily> rata_family();

}  // namespace warpsieve::schemes
