// warpsieve claims --results/--run: figures from a sweep that the program itself ran.
#include <nlohmann/json.hpp>

#include "program.h"

namespace warpsieve::tb {
namespace {

constexpr const char* kClaimSweep = R"(profile = "rata-quarter"
scale = "small"
schemes = ["baseline", "rata", "rata_ideal"]
workloads = ["resnet_conv"]
)";

TEST(SimulatedClaims, FiguresOfASweepInTextAndJson) {
  const Scratch scratch;
  const std::string file = scratch.write("rata.toml", kClaimSweep), directory = scratch.path("rata.sweep");
  ASSERT_EQ(warpsieve({"sweep", "run", file, "--output", directory}).code, 0);
  const Ran text = warpsieve({"claims", "--paper", "rata", "--results", directory});
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* word : {"rata.replication", "rata.ipc_ideal", "68.00", "134.00", "rata-quarter"})
    EXPECT_NE(text.out.find(word), std::string::npos) << word;
  const auto json =
      nlohmann::json::parse(warpsieve({"claims", "--paper", "rata", "--results", directory, "--json"}).out);
  EXPECT_EQ(json["format"], "warpsieve-claims-runs-1");
  EXPECT_EQ(json["profiles"]["rata"], "rata-quarter");
  EXPECT_EQ(json["claims"].size(), 4u);  // rata.replication in two readings
}

TEST(SimulatedClaims, WhatOfThePotentialWasRemovedStandsBesideTheWorkload) {
  const Scratch scratch;
  const std::string file = scratch.write("cmd.toml",
                                         "profile = \"cmd-quarter\"\nschemes = [\"cmd\"]\nworkloads = [\"cfd\"]\n"
                                         "[set]\n\"cmd.potential\" = 1\n"),
                    directory = scratch.path("cmd.sweep");
  ASSERT_EQ(warpsieve({"sweep", "run", file, "--output", directory}).code, 0);
  const std::vector<std::string> command = {"claims", "--paper", "cmd", "--results", directory};
  const std::string beside = "cfd 0.5 (100.0 of potential); mean 100.0 of potential";
  const Ran text = warpsieve(command);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_NE(text.out.find("cmd.inter_dup: " + beside + "\n"), std::string::npos) << text.out;
  for (const char* form : {"--markdown", "--json"}) {
    std::vector<std::string> with = command;
    with.emplace_back(form);
    const Ran ran = warpsieve(with);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find(form == std::string("--json") ? "\"of_potential\"" : "| " + beside + ". "),
              std::string::npos)
        << ran.out;
  }
}

TEST(SimulatedClaims, OtherSeedsAreNotMixedAndSaidSo) {
  const Scratch scratch;
  const std::string file = scratch.write("rata.toml", std::string(kClaimSweep) + "seeds = [1, 2]\n"),
                    directory = scratch.path("rata.sweep");
  ASSERT_EQ(warpsieve({"sweep", "run", file, "--output", directory}).code, 0);
  const Ran ran = warpsieve({"claims", "--paper", "rata", "--results", directory});
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.err.find("claims: 3 points differ from others in scale, sizes, input or seed alone"),
            std::string::npos)
      << ran.err;
}

TEST(SimulatedClaims, BadArguments) {
  const Ran paper = warpsieve({"claims", "--paper", "rta", "--results", "/nonexistent"});
  EXPECT_EQ(paper.code, 2);
  EXPECT_EQ(paper.err,
            "warpsieve: unknown paper 'rta': expected avc, cmd, dpc, justit or rata, did you mean rata?\n");
  const Ran directory = warpsieve({"claims", "--paper", "rata", "--results", "/nonexistent"});
  EXPECT_EQ(directory.code, 2);
  EXPECT_NE(directory.err.find("/nonexistent"), std::string::npos);
  EXPECT_EQ(warpsieve({"claims", "--jobs", "0"}).code, 2);
}

}  // namespace
}  // namespace warpsieve::tb
