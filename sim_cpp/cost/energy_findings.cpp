#include "cost/energy_findings.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpsieve::cost {

namespace {

struct EnergyClaim {
  const char* id;
  const char* scheme;  ///< empty: nothing in the simulator stands for it
};
/// avc.energy needs runs with half the registers: `warpsieve claims --paper avc`.
constexpr EnergyClaim kClaims[] = {
    {"cmd.energy_5mb", "l2_5mb"}, {"cmd.energy_bpc", "bpc"}, {"cmd.energy_bcd", "bcd"},
    {"cmd.energy_esd", "esd"},    {"cmd.energy_cmd", "cmd"},
};

EnergyComponent part(const EnergyReport& r, const char* name) {
  for (const EnergyComponent& c : r.components)
    if (c.name == name) return c;
  return {};
}

}  // namespace

std::vector<Finding> energy_findings(const std::vector<EnergyReport>& reports) {
  std::vector<Finding> found;
  for (const EnergyClaim& wanted : kClaims) {
    const auto claim =
        std::find_if(all_claims().begin(), all_claims().end(), [&](const Claim& c) { return c.id == wanted.id; });
    if (claim == all_claims().end()) throw std::logic_error(fmt::format("claims.csv has no {}", wanted.id));
    Finding f;
    f.id = claim->id;
    f.what = claim->metric + ", " + claim->scope;
    f.unit = claim->unit;
    f.where = claim->where;
    f.paper = claim->value;
    double sum = 0;
    unsigned count = 0;
    for (const EnergyReport& r : reports) {
      if (r.run.scheme != wanted.scheme) continue;
      for (const EnergyReport& b : reports) {
        if (b.run.scheme != "baseline" || b.run.workload != r.run.workload || b.run.profile != r.run.profile)
          continue;
        const double saved = 100 * (1 - r.off_chip_nj() / b.off_chip_nj());
        f.arithmetic.push_back(fmt::format(
            "{} on {}: dram {:.1f} + controller {:.1f} (clock {:.1f}, leakage {:.1f}) + l2 {:.1f} = {:.1f} uJ "
            "against {:.1f} uJ: {:.1f} % saved; "
            "cycles {:+.1f} %",
            r.run.workload, r.run.profile, part(r, "dram").total_nj() / 1000, part(r, "controller").total_nj() / 1000,
            part(r, "controller").clock_nj / 1000, part(r, "controller").leakage_nj / 1000,
            part(r, "l2").total_nj() / 1000, r.off_chip_nj() / 1000, b.off_chip_nj() / 1000, saved,
            100 * (static_cast<double>(r.run.cycles) / static_cast<double>(b.run.cycles) - 1)));
        sum += saved;
        ++count;
        break;
      }
    }
    if (count == 0) {
      f.why = fmt::format("no run of '{}' and of the baseline of the same workload and profile in the results given",
                          wanted.scheme);
      found.push_back(std::move(f));
      continue;
    }
    f.ours = sum / count;
    f.verdict = judge(*f.paper, *f.ours, f.unit, false, (*f.paper > 0) == (*f.ours > 0));
    f.why = fmt::format(
        "mean of {} workload(s), the paper's of its 13; standby and leakage are power x time, so a scheme that runs "
        "longer pays for it whatever it saves in accesses",
        count);
    found.push_back(std::move(f));
  }
  return found;
}

}  // namespace warpsieve::cost
