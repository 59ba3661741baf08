// A report of results that were edited or mixed up is refused in one line, or shows what is there.
#include <gtest/gtest.h>

#include "core/params.h"
#include "report/page.h"
#include "run/simulate.h"
#include "sim/sweep/scratch.h"
#include "support/damage.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using nlohmann::ordered_json;

/// As `warpsieve run --json` writes it.
ordered_json results() {
  ordered_json runs = ordered_json::array();
  for (const char* scheme : {"baseline", "cmd"}) {
    run::RunSpec spec;
    spec.workload = "gather";
    spec.scheme = scheme;
    spec.scale = "small";
    runs.push_back(run::simulate(spec).result.stats);
  }
  return {{"format", "warpsieve-run-1"},
          {"version", "1"},
          {"command", "warpsieve run --workload gather"},
          {"seed", 1},
          {"scale", "small"},
          {"input", ""},
          {"sizes", {"elements=4096"}},
          {"runs", std::move(runs)}};
}

using DamagedResults = Folder;

TEST_F(DamagedResults, AreRefusedInOneLineOrShown) {
  const ordered_json whole = results();
  const std::string file = path("r.json");
  check_property("DamagedResults.AreRefusedInOneLineOrShown", 100, [&] {
    ordered_json json = whole;
    damage(json);
    write("r.json", json.dump());
    try {
      const ordered_json page =
          page_data(report::read_results({file}), {.title = "", .command = "", .cacti = "recorded"}).json;
      RC_ASSERT(page["runs"].size() + 1 >= whole["runs"].size());
    } catch (const ConfigError& error) {  // any other fails the property
      RC_ASSERT(one_line_from(error.what(), file + ": "));
    }
  });
}

TEST_F(DamagedResults, ACacheWithoutWaysHasNoEnergy) {
  ordered_json json = results();
  json["runs"][1]["parameters"]["l2.ways"] = 0;
  const std::string file = write("r.json", json.dump());
  const ordered_json page =
      page_data(report::read_results({file}), {.title = "", .command = "", .cacti = "recorded"}).json;
  EXPECT_EQ(page["runs"].size(), 2u);
  EXPECT_NE(page.dump().find("No energy for gather cmd: CACTI: cache of 0 B"), std::string::npos);
}

}  // namespace
}  // namespace warpsieve::tb
