#include "memsys/local/local_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace warpsieve::memsys {
namespace {

/// Why no kernel of a run spilled although spills were asked for; empty when one did or they were not.
std::string nothing_spilled(const simt::SpillParams& asked, const std::vector<simt::KernelSpills>& kernels) {
  std::uint32_t most = 0;
  for (const simt::KernelSpills& k : kernels) {
    if (k.spilled) return "";
    most = std::max(most, k.r_base);
  }
  if (!asked.on()) return "";
  const std::string need = fmt::format("nothing was spilled: its kernels need up to {} registers", most);
  if (asked.registers || most >= asked.min_base) return need + " and have them";
  return need + fmt::format(", fewer than spill.min_base = {}", asked.min_base);
}

}  // namespace

nlohmann::ordered_json local_report(const LocalStats& s, std::uint64_t warp_instructions,
                                    const simt::SpillParams& asked, const std::vector<simt::KernelSpills>& spills) {
  const double accesses = static_cast<double>(s.accesses()), transactions = static_cast<double>(s.transactions());
  const double instructions = static_cast<double>(warp_instructions);
  const auto ratio = [](double value, double of) { return of == 0 ? 0.0 : value / of; };
  const std::uint64_t generic = s.generic.get();
  nlohmann::ordered_json out;
  out["accesses"] = s.accesses();
  out["affine_percent"] = ratio(100.0 * (accesses - static_cast<double>(generic)), accesses);
  out["zero_percent"] = ratio(100.0 * static_cast<double>(s.zero.get()), accesses);
  out["uniform_percent"] = ratio(100.0 * static_cast<double>(s.uniform.get()), accesses);
  out["stride_percent"] = ratio(100.0 * static_cast<double>(s.affine.get()), accesses);
  out["unaligned_percent"] = ratio(100.0 * static_cast<double>(s.unaligned.get()), accesses);
  out["sparse_percent_of_affine"] =
      ratio(100.0 * static_cast<double>(s.sparse_affine.get()), accesses - static_cast<double>(generic));
  out["transactions"] = s.transactions();
  out["transactions_per_10000_instructions"] = ratio(1e4 * transactions, instructions);
  if (const std::string warning = nothing_spilled(asked, spills); !warning.empty()) out["warning"] = warning;
  auto& kernels = out["kernels"] = nlohmann::ordered_json::array();
  for (const simt::KernelSpills& k : spills)
    kernels.push_back({{"kernel", k.kernel},
                       {"r_base", k.r_base},
                       {"registers", k.registers},
                       {"variables", k.variables},
                       {"spilled", k.spilled},
                       {"slots", k.slots},
                       {"loads", k.loads},
                       {"stores", k.stores}});
  return out;
}

}  // namespace warpsieve::memsys
