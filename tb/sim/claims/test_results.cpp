// The committed results (sim_cpp/claims/results): whole, small, and what this program simulates.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "claims/evaluate.h"
#include "core/number.h"
#include "core/params.h"
#include "run/atomic_file.h"
#include "run/simulate.h"
#include "support/tree.h"

namespace warpsieve::claims {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files(const std::string& scale) {
  std::vector<fs::path> out;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(tb::in_sources("sim_cpp/claims/results/" + scale), ignored))
    out.push_back(file.path());
  std::sort(out.begin(), out.end());
  return out;
}

struct Committed {
  RuleSet rules;
  RunSet runs;
  ResultsHead head;
};

Committed read(const fs::path& file, cost::Source& cacti) {
  const std::string text = run::read_text(file.string());
  Committed out{rules(paper_of_results(text, file.string())).at(0), RunSet(cacti), {}};
  out.head = read_results_file(text, file.string(), out.rules, out.runs);
  return out;
}

TEST(CommittedResults, AreWholeAndSmallAndEveryRowHasRuns) {
  const auto cacti = cost::make_source("recorded");
  std::uintmax_t bytes = 0;
  ASSERT_FALSE(files("quarter").empty());
  for (const std::string scale : {"quarter", "paper"})
    for (const fs::path& file : files(scale)) {
      SCOPED_TRACE(file);
      bytes += fs::file_size(file);
      const Committed committed = read(file, *cacti);
      EXPECT_EQ(file.stem(), committed.head.paper);
      EXPECT_EQ(committed.head.scale, scale);
      EXPECT_GE(committed.head.repeat, 1u);
      EXPECT_FALSE(committed.head.version.empty());
      EXPECT_TRUE(committed.head.command.starts_with("warpsieve claims --paper " + committed.head.paper));
      for (const Row& row : every_row(committed.rules, committed.runs))
        EXPECT_TRUE(scale == "paper" || row.verdict != Verdict::no_runs) << row.id;
    }
  EXPECT_LE(bytes, 2u << 20);
}

/// WARPSIEVE_SEED=n chooses the points again.
TEST(CommittedResults, RandomPointsComeOutTheSameToTheLastDigit) {
  const char* const given = std::getenv("WARPSIEVE_SEED");
  const auto seed = given ? to_number<std::uint32_t>(given).value_or(1) : std::random_device()();
  fmt::print("WARPSIEVE_SEED={}\n", seed);
  std::mt19937 random(seed);
  const auto cacti = cost::make_source("recorded");
  std::vector<fs::path> all = files("quarter");
  ASSERT_FALSE(all.empty());
  const std::vector<fs::path> papers = files("paper");
  all.insert(all.end(), papers.begin(), papers.end());
  constexpr double kMostSeconds = 6;
  for (int n = 0; n < 3;) {
    ASSERT_FALSE(all.empty());
    const auto file = all.begin() + static_cast<std::ptrdiff_t>(random() % all.size());
    const Committed committed = read(*file, *cacti);
    std::vector<const RunEntry*> short_runs;
    for (const RunEntry& entry : committed.runs.entries())
      if (entry.seconds > 0 && entry.seconds <= kMostSeconds) short_runs.push_back(&entry);  // 0: not known
    if (short_runs.empty()) {
      all.erase(file);
      continue;
    }
    ++n;
    const RunEntry& entry = *short_runs[random() % short_runs.size()];
    run::RunSpec spec = entry.given.spec;
    spec.repetition = static_cast<unsigned>(random() % entry.repetitions.size());
    const bool same_costs = committed.head.cost_model == cost_model_digest();
    SCOPED_TRACE(fmt::format("{} under {}, repetition {}", spec.workload, spec.scheme, spec.repetition));
    fmt::print("{}: {} under {}, repetition {}\n", committed.head.paper, spec.workload, spec.scheme, spec.repetition);
    const Statistics again =
        statistics_of(run::simulate(spec).result.stats, statistic_names(committed.rules), *cacti);
    for (const auto& [name, value] : entry.repetitions.at(spec.repetition))
      if (same_costs || !name.starts_with("energy.")) {
        ASSERT_TRUE(again.contains(name)) << name;
        EXPECT_EQ(again.at(name), value) << name;
      }
  }
}

TEST(CommittedResults, AFileThatWasChangedIsRefused) {
  const auto cacti = cost::make_source("recorded");
  std::string text = run::read_text(files("quarter").at(0).string());
  const auto place = text.find("\"ipc\":");
  ASSERT_NE(place, std::string::npos);
  text.insert(text.find_first_of("0123456789", place + 6), "1");
  const RuleSet set = rules(paper_of_results(run::read_text(files("quarter").at(0).string()), "x")).at(0);
  RunSet runs(*cacti);
  EXPECT_THROW(read_results_file(text, "x.json", set, runs), ConfigError);
  EXPECT_THROW(read_results_file("{}", "x.json", set, runs), ConfigError);
}

// `warpsieve run --repeat --json` keeps all statistics of the first repetition only.
TEST(CommittedResults, RepetitionsThatLackStatisticsAreNotSaved) {
  const auto cacti = cost::make_source("recorded");
  Committed committed = read(files("quarter").at(0), *cacti);
  RunEntry& entry = committed.runs.entries().at(0);
  EXPECT_NO_THROW(results_text(committed.head, committed.runs));
  entry.repetitions.at(1).erase("ipc");
  try {
    results_text(committed.head, committed.runs);
    FAIL() << "saved";
  } catch (const ConfigError& error) {
    EXPECT_NE(
        std::string(error.what()).find(entry.workload + " under " + entry.scheme + ": repetition 2 has no 'ipc'"),
        std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace warpsieve::claims
