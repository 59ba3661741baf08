// Runs made by hand, for the tests of rules.
#pragma once

#include <gtest/gtest.h>

#include "claims/evaluate.h"
#include "claims/run_set.h"
#include "cost/cacti/query.h"

namespace warpsieve::claims {

using nlohmann::ordered_json;

inline constexpr const char* kInput = "quarter, seed 1";
inline const std::string kIpcOfCmd = R"([[claim]]
id = "cmd.ipc_cmd"
kind = "change"
over = ["ipc"]
scheme = "cmd"
against = "baseline"
)";

inline ordered_json run(const std::string& workload, const std::string& scheme, double ipc, int writes = 0) {
  return {{"workload", workload},
          {"scheme", scheme},
          {"profile", "cmd-quarter"},
          {"ipc", ipc},
          {"cycles", 100},
          {"off_chip_requests", {{"write", writes}, {"total", 200}}},
          {"counters", {{"dedup.writes", 50}, {"dedup.writes_intra", writes}}},
          {"kernels",
           {{{"cycles", 10}, {"spare_shared_bytes", 30}, {"warp_instructions", 7}},
            {{"cycles", 30}, {"spare_shared_bytes", 10}, {"warp_instructions", 5}}}},
          {"parameters", {{"sm.shared_bytes", 40}}},
          {"scheme_report", {{"captured", 0.5}, {"parameters", ordered_json::object()}}}};
}

inline const std::vector<std::string> kNames = {"ipc",
                                                "cycles",
                                                "warp_instructions",
                                                "off_chip.write",
                                                "off_chip.total",
                                                "dedup.writes",
                                                "dedup.writes_intra",
                                                "dedup.potential_inter",
                                                "dedup.potential_silent",
                                                "shared.spare",
                                                "shared.all",
                                                "report.captured",
                                                "kernels"};

/// A RunSet that takes runs as these tests give them.
class Runs : public RunSet {
 public:
  explicit Runs(cost::Source& cacti) : RunSet(cacti, kNames) {}
  bool add(const ordered_json& run, std::vector<std::string> set, const std::string& input,
           std::vector<std::string> sizes = {}, unsigned repetition = 0) {
    return RunSet::add(run, Given{std::move(set), input, std::move(sizes), repetition, {}});
  }
  /// IPC of a scheme in each repetition.
  void repeated(const std::string& workload, const std::string& scheme, const std::vector<double>& ipc,
                int writes = 0) {
    for (unsigned r = 0; r < ipc.size(); ++r) add(run(workload, scheme, ipc[r], writes), {}, kInput, {}, r);
  }
};

using Figures = std::vector<std::pair<std::string, double>>;
/// Without their noise.
inline Figures means(const Row& row) {
  Figures out;
  for (const WorkloadFigure& w : row.workloads) out.emplace_back(w.name, w.mean);
  return out;
}

class Claims : public ::testing::Test {
 protected:
  std::unique_ptr<cost::Source> cacti_ = cost::make_source("recorded");
  Runs runs_{*cacti_};
  std::vector<Row> evaluated(const std::string& rules) {
    return evaluate(parse_rules(rules, "rules.toml", "cmd"), runs_);
  }
  Row one(const std::string& rules) {
    const auto found = evaluated(rules);
    EXPECT_EQ(found.size(), 1u);
    return found.at(0);
  }
};

}  // namespace warpsieve::claims
