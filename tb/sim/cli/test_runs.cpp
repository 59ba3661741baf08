// Runs that must succeed: the table, the JSON file, real input files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "program.h"
#include "support/shared_inputs.h"

namespace warpsieve::tb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

TEST(Runs, SmallRunPrintsOneRowPerWorkloadAndScheme) {
  const Ran ran = run_small({"--wide", "--scheme", "cmd", "--compare", "baseline,dedup"}, "bfs,vecadd");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  std::istringstream lines(ran.out);
  std::string header, line;
  std::getline(lines, header);
  for (const char* title : {"workload", "scheme", "cycles", "IPC", "off-chip", "write", "data-read", "read-only",
                            "metadata", "dedup-read"})
    EXPECT_THAT(header, HasSubstr(title));
  std::vector<std::string> rows;
  while (std::getline(lines, line) && !line.empty()) {
    std::istringstream words(line);
    std::string workload, scheme;
    words >> workload >> scheme;
    rows.push_back(workload + " " + scheme);
    EXPECT_THAT(line, HasSubstr("clean"));
    if (rows.size() == 6) break;
  }
  EXPECT_EQ(rows, (std::vector<std::string>{"bfs baseline", "bfs dedup", "bfs cmd", "vecadd baseline", "vecadd dedup",
                                            "vecadd cmd"}));
}

TEST(Runs, RepetitionsGiveAMeanWithItsNoise) {
  const Scratch scratch;
  const auto runs = [&](std::vector<std::string> more, const std::string& file) {
    more.insert(more.end(), {"--compare", "baseline", "--set", "l2.sets=4", "--json", scratch.path(file)});
    const Ran ran = run_small(more, "kmeans");
    EXPECT_EQ(ran.code, 0) << ran.err;
    std::ifstream text(scratch.path(file));
    return std::pair(json::parse(text)["runs"], ran.out);
  };
  const auto [one, plain] = runs({}, "one.json");
  const auto [three, table] = runs({"--repeat", "3"}, "three.json");
  ASSERT_EQ(three.size(), 2u);
  EXPECT_FALSE(one[1].contains("repeats"));
  EXPECT_THAT(table, HasSubstr("±"));
  EXPECT_THAT(table, HasSubstr("95 % confidence interval"));
  for (std::size_t k = 0; k < 2; ++k) {
    json rest = three[k];
    const json repeats = rest["repeats"];
    rest.erase("repeats");
    EXPECT_EQ(rest, one[k]) << "the first repetition is the machine as it is";
    EXPECT_EQ(repeats["count"], 3);
    const std::vector<double> ipc = repeats["ipc"]["values"];
    ASSERT_EQ(ipc.size(), 3u);
    EXPECT_EQ(ipc[0], one[k]["ipc"]);
    EXPECT_NE(ipc[1], ipc[0]);
    EXPECT_EQ(repeats.contains("ipc_change_percent"), k == 1);
  }
  const std::vector<double> base = three[0]["repeats"]["ipc"]["values"];
  const std::vector<double> mine = three[1]["repeats"]["ipc"]["values"];
  const std::vector<double> change = three[1]["repeats"]["ipc_change_percent"]["values"];
  for (std::size_t r = 0; r < 3; ++r) EXPECT_DOUBLE_EQ(change[r], 100.0 * (mine[r] / base[r] - 1.0));
  EXPECT_EQ(runs({"--repeat", "3", "--jobs", "2"}, "three.json").first, three);
  const Ran ran = run_small({"--repeat", "10"}, "kmeans");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("--repeat"));
  EXPECT_THAT(ran.err, HasSubstr("9"));
}

TEST(Runs, TheColumnsOfEverySchemeAddUpToOffChip) {
  const auto rows = [&](const std::string& schemes, bool verified) {
    const Ran ran =
        run_small({"--wide", "--scheme", "baseline", "--compare", schemes, "--set", "l2.sets=4"}, "kmeans");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out.find("verify-read") != std::string::npos, verified) << schemes;
    std::istringstream lines(ran.out);
    std::string line;
    std::getline(lines, line);
    std::size_t n = 0;
    for (; std::getline(lines, line) && line.starts_with("kmeans"); ++n) {
      std::istringstream cells(line);
      std::vector<std::string> counts;  // without changes ("-2.1 %")
      for (std::string cell; cells >> cell && cell != "clean";)
        if (cell != "%" && cell[0] != '-' && cell[0] != '+') counts.push_back(cell);
      const std::size_t kinds = verified ? 6 : 5;
      if (counts.size() < kinds + 1) {
        ADD_FAILURE() << line;
        continue;
      }
      std::uint64_t sum = 0;
      for (std::size_t i = counts.size() - kinds; i < counts.size(); ++i) sum += std::stoull(counts[i]);
      EXPECT_EQ(counts[counts.size() - kinds - 1], std::to_string(sum)) << line;
    }
    return n;
  };
  EXPECT_EQ(rows("cmd,bpc,cmd+bpc,dedup+car,l2_5mb,cmd+domain", false), 7u);
  EXPECT_EQ(rows("esd,bcd,cmd+verify,cmd+secure,cmd", true), 6u);
}

TEST(Runs, EveryBackendGivesTheSameOutputAndJson) {
  const Scratch scratch;
  std::vector<std::string> files;
  for (const char* backend : {"model", "rtl", "shadow"}) {
    files.push_back(scratch.path(backend));
    const Ran ran =
        run_small({"--backend", backend, "--set", "l2.sets=4", "--set", "l2.ways=4", "--json", files.back()});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(read_file(files.back()), "");
    EXPECT_EQ(read_file(files.back()), read_file(files.front()));
  }
}

TEST(Runs, SeveralAtATimeGiveTheSameOutputAndJson) {
  const Scratch scratch;
  std::vector<std::string> files, tables;
  for (const char* jobs : {"1", "2", "7"}) {
    files.push_back(scratch.path(jobs));
    const Ran ran = run_small({"--compare", "baseline,dedup", "--jobs", jobs, "--json", files.back()}, "bfs,vecadd");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    tables.push_back(ran.out.substr(0, ran.out.find("off-chip requests in")));  // then comes the host's speed
    EXPECT_THAT(tables.back(), HasSubstr("vecadd"));
    EXPECT_EQ(tables.back(), tables.front());
    EXPECT_EQ(read_file(files.back()), read_file(files.front()));
  }
}

/// Blocks of different instances run on different threads, verilated ones, too.
TEST(Runs, SeveralThreadsGiveTheSameOutputAndJson) {
  const Scratch scratch;
  setenv("WARPSIEVE_ALL_THREADS", "1", 1);
  for (const char* backend : {"model", "rtl", "shadow"}) {
    std::vector<std::string> files, tables;
    for (const char* threads : {"1", "2", "3", "7"}) {
      files.push_back(scratch.path(std::string(backend) + threads));
      const Ran ran = run_small({"--compare", "baseline", "--scheme", "cmd", "--backend", backend, "--threads",
                                 threads, "--json", files.back()},
                                "bfs,vecadd");
      EXPECT_EQ(ran.code, 0) << ran.err;
      EXPECT_EQ(ran.err, "");
      tables.push_back(ran.out.substr(0, ran.out.find("off-chip requests in")));
      EXPECT_EQ(tables.back(), tables.front()) << backend << threads;
      EXPECT_EQ(read_file(files.back()), read_file(files.front())) << backend << threads;
    }
  }
  unsetenv("WARPSIEVE_ALL_THREADS");
}

/// The full machine, with partitions that wait for the network while other SMs look at golden memory.
TEST(Runs, SeveralThreadsGiveTheSameOnAFullMachine) {
  const Scratch scratch;
  setenv("WARPSIEVE_ALL_THREADS", "1", 1);
  std::vector<std::string> files;
  for (const char* threads : {"1", "2", "3"}) {
    files.push_back(scratch.path(threads));
    const Ran ran = warpsieve({"run", "-w", "bfs", "-s", "baseline", "-p", "cmd", "--scale", "full", "--threads",
                               threads, "--json", files.back()});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(read_file(files.back()), read_file(files.front())) << threads;
  }
  unsetenv("WARPSIEVE_ALL_THREADS");
}

TEST(Runs, BlockRulesMixBackends) {
  const Ran ran = run_small({"--compare", "dedup", "--block", "line_hasher=rtl", "--block", "dedup@mc0=shadow",
                             "--block", "victim_fifo@mc1.slice0=rtl"});
  EXPECT_THAT(ran.out,
              ::testing::HasSubstr("blocks: model, line_hasher=rtl, dedup@mc0=shadow, victim_fifo@mc1.slice0=rtl;"));
  EXPECT_EQ(ran.code, 0) << ran.err;  // a rule for a block that only some schemes have is fine
}

TEST(Runs, DeadlockEndsWithOneAndSaysWhoWaits) {
  // A controller slower than the machine's patience: no progress for 1,000 cycles.
  for (const char* jobs : {"1", "2"}) {
    const Ran ran = run_small(
        {"--scheme", "cmd", "--set", "gpu.patience=1000", "--set", "cmd.metadata_cycles=5000", "--jobs", jobs});
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.out, "");
    for (const char* what : {"deadlock in cycle", "nothing moved for 4", "SM 0", "controller 0"})
      EXPECT_THAT(ran.err, HasSubstr(what));
  }
}

/// A pitch of 4,096 bytes costs no more than one of 4,224 where addresses are hashed. The L2 holds both matrices: the
/// one of rtx3070 holds the smaller one exactly, so that the larger one would go to DRAM.
TEST(Runs, APowerOfTwoPitchCostsNothingWhereAddressesAreHashed) {
  const Scratch scratch;
  const std::string file = scratch.path("mvt.json");
  const auto per_element = [&](unsigned order) {
    const Ran ran = warpsieve({"run", "-w", "mvt", "-s", "baseline", "-p", "rtx3070", "--set", "gpu.launch_latency=0",
                               "--set", "l2.sets=128", "--size", "order=" + std::to_string(order), "--json", file});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return json::parse(read_file(file))["runs"][0]["cycles"].get<double>() / order / order;
  };
  EXPECT_NEAR(per_element(1024) / per_element(1056), 1.0, 0.2);
}

/// Kernels below spill.min_base keep their registers: said, and in the JSON.
TEST(Runs, SpillsThatWereAskedForAndDidNotHappenAreSaid) {
  const Scratch scratch;
  const std::string file = scratch.path("out.json");
  const std::vector<std::string> base = {"-s",  "avc",    "--compare", "baseline", "-p",
                                         "avc", "--json", file,        "--set",    "spill.percent=50"};
  const auto with = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> all = base;
    all.insert(all.end(), more);
    return all;
  };
  const std::string warning = "nothing was spilled: its kernels need up to 7 registers";
  Ran ran = run_small(base, "nw");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "warpsieve: nw: " + warning + ", fewer than spill.min_base = 8\n");  // once for two schemes
  for (const json& run : json::parse(read_file(file))["runs"]) {
    EXPECT_EQ(run["private_memory"]["warning"], warning + ", fewer than spill.min_base = 8");
    EXPECT_EQ(run["counters"]["local.stores"], 0);
  }
  ran = run_small(with({"--set", "spill.registers=7"}), "nw");
  EXPECT_EQ(ran.err, "warpsieve: nw: " + warning + " and have them\n");
  ran = run_small(with({"--set", "spill.min_base=4"}), "nw");
  EXPECT_EQ(ran.err, "");
  for (const json& run : json::parse(read_file(file))["runs"]) {
    EXPECT_FALSE(run["private_memory"].contains("warning"));
    EXPECT_GT(run["counters"]["local.stores"], 0);
  }
}

TEST(Runs, HelpVersionAndList) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, {"run", "--help"}, {"--version"}, {"run", "--list"}}) {
    const Ran ran = warpsieve(arguments);
    EXPECT_EQ(ran.code, 0) << arguments.back();
    EXPECT_EQ(ran.err, "");
    EXPECT_NE(ran.out, "");
  }
  EXPECT_THAT(warpsieve({"--help"}).out, HasSubstr("Exit codes: 0"));
}

TEST(Json, HoldsTheDocumentedKeysOfEveryRun) {
  const Scratch scratch;
  const std::string file = scratch.path("out.json");
  const Ran ran = run_small({"--compare", "baseline", "--json", file}, "bfs,kmeans");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(file + ".part"));
  const json all = json::parse(read_file(file));
  EXPECT_EQ(all.at("format"), "warpsieve-run-1");
  ASSERT_EQ(all.at("runs").size(), 4u);
  for (const json& run : all.at("runs")) {
    for (const char* key : {"workload", "scheme", "profile", "cycles", "ipc", "thread_ipc", "peak_gbytes_per_channel",
                            "off_chip_requests", "counters", "kernels", "integrity", "verify", "scheme_report",
                            "parameters", "experiment"})
      EXPECT_TRUE(run.contains(key)) << key;
    std::uint64_t sum = 0;
    for (const char* kind :
         {"write", "data_read", "read_only", "metadata_read", "metadata_write", "dedup_read", "verify_read"})
      sum += run["off_chip_requests"].at(kind).get<std::uint64_t>();
    EXPECT_EQ(run["off_chip_requests"].at("total"), sum);
    EXPECT_EQ(run["integrity"].at("clean"), true);
    EXPECT_EQ(run["verify"], "");
    std::uint64_t cycles = 0;
    for (const json& kernel : run["kernels"]) cycles += kernel.at("cycles").get<std::uint64_t>();
    EXPECT_EQ(cycles, run["cycles"]);
    EXPECT_EQ(run["parameters"].at("gpu.controllers"), 2);
  }
  EXPECT_EQ(all["runs"][0]["scheme"], "baseline");
  EXPECT_EQ(all["runs"][3]["workload"], "kmeans");
  EXPECT_EQ(all["runs"][3]["scheme_report"]["parameters"].at("cmd.hash_sets"), 128);
}

TEST(Json, ResultsStayWholeWhenALaterWorkloadFails) {
  const Scratch scratch;
  const std::string file = scratch.path("out.json"), graph = scratch.write("g.graph", "4 3\n2\n1 3\n2 4\n3\n");
  for (const char* jobs : {"1", "3"}) {
    std::filesystem::remove(file);
    const Ran ran = run_small({"--input", graph, "--jobs", jobs, "--json", file}, "bfs,cfd");
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr("g.graph:1: ")) << "it is no mesh";
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("bfs")) << "the table of what is finished";
    const json all = json::parse(read_file(file));
    ASSERT_EQ(all.at("runs").size(), 1u);
    EXPECT_EQ(all["runs"][0]["workload"], "bfs");
    EXPECT_FALSE(std::filesystem::exists(file + ".part"));
  }
}

TEST(Runs, WhatALaterWorkloadRefusesIsSaidBeforeTheFirstOneRuns) {
  const Scratch scratch;
  const std::string file = scratch.path("out.json"), graph = scratch.write("g.graph", "2 1\n2\n1\n");
  for (const char* jobs : {"1", "3"}) {
    for (const auto& [option, value, says] :
         {std::tuple{"--size", "vertices=500", "unknown parameter of cfd 'vertices'"},
          {"--input", graph.c_str(), "workload vecadd takes no input file"}}) {
      const Ran ran = run_small({option, value, "--jobs", jobs, "--json", file}, "bfs,cfd,vecadd");
      EXPECT_EQ(ran.code, 2);
      EXPECT_EQ(ran.out, "");
      EXPECT_THAT(ran.err, HasSubstr(says));
      EXPECT_FALSE(std::filesystem::exists(file));
    }
  }
  const Ran ran = warpsieve({"workloads", "vecadd", "kmeans", "--size", "elements=2048"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("unknown parameter of kmeans 'elements'"));
}

TEST(Runs, NamesOfFilesNeedNotBeUtf8) {
  const Scratch scratch;
  const std::string graph = scratch.write("caf\xe9.graph", "2 1\n2\n1\n"), file = scratch.path("out.json");
  for (const char* jobs : {"1", "2"}) {
    const Ran ran = run_small({"--input", graph, "--jobs", jobs, "--json", file});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(json::parse(read_file(file)).at("input").get<std::string>(), HasSubstr("caf\xef\xbf\xbd.graph"));
  }
}

TEST(Runs, NumbersAreDecimal) {
  const Scratch scratch;
  const std::string file = scratch.path("out.json");
  ASSERT_EQ(run_small({"-s", "baseline", "--seed", "010", "--jobs", "01", "--json", file}, "vecadd").code, 0);
  EXPECT_EQ(json::parse(read_file(file)).at("seed"), 10);
  for (const char* node : {"0x20", "6", "91"}) EXPECT_EQ(warpsieve({"area", "--node", node}).code, 2) << node;
}

TEST(Runs, AMachineFromADirectoryAPipeOrNothingIsRefused) {
  const Scratch scratch;
  const std::string pipe = scratch.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& machine : {scratch.path(""), pipe, scratch.write("empty.toml", "")})
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"run", "-w", "vecadd", "-p", machine}, {"area", "-p", machine}}) {
      const Ran ran = warpsieve(command);
      EXPECT_EQ(ran.code, 2);
      EXPECT_THAT(ran.err,
                  HasSubstr(machine + (machine.ends_with(".toml") ? ":1: expected" : ": expected a regular file")));
    }
}

/// Which experiment the runs of a file belong to, in their order.
std::vector<std::string> experiments(const std::string& file) {
  std::vector<std::string> out;
  const json all = json::parse(read_file(file));
  for (const json& run : all.at("runs")) out.push_back(run.at("experiment"));
  return out;
}

TEST(Runs, AnExperimentIsTheSameForAllSchemesAndNoOtherRun) {
  const Scratch scratch;
  const std::string file = scratch.path("out.json");
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--compare", "baseline,l2_5mb", "--json", file});
    EXPECT_EQ(run_small(more, "vecadd").code, 0);
    const auto found = experiments(file);
    EXPECT_EQ(found.size(), 3u);
    EXPECT_EQ(std::set<std::string>(found.begin(), found.end()).size(), 1u);
    return found.front();
  };
  const std::string plain = run({});
  EXPECT_EQ(run({"--set", "cmd.fifo_entries=2"}), plain) << "not of the machine";
  EXPECT_EQ(run({"--backend", "rtl"}), plain);
  EXPECT_EQ(run({"--seed", "2"}), plain) << "stands beside it";
  EXPECT_NE(run({"--size", "elements=8192"}), plain);
  EXPECT_NE(run({"--set", "l2.sets=16"}), plain);
}

struct RealFile {
  const char* workload;
  const char* file;
};
void PrintTo(const RealFile& real, std::ostream* out) { *out << real.workload << " " << real.file; }
class RealInputs : public ::testing::TestWithParam<RealFile> {};

TEST_P(RealInputs, RunCleanUnderCmdAndBaseline) {
  const RealFile& p = GetParam();
  SHARED_INPUT(file, std::string("inputs/") + p.file);
  const Scratch scratch;
  const std::string out = scratch.path("out.json");
  const Ran ran = run_small({"--input", file, "--scheme", "cmd", "--compare", "baseline", "--json", out}, p.workload);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(read_file(out));
  ASSERT_EQ(all.at("runs").size(), 2u);
  for (const json& run : all.at("runs")) EXPECT_EQ(run["integrity"]["clean"], true);
}

INSTANTIATE_TEST_SUITE_P(Files, RealInputs,
                         ::testing::Values(RealFile{"bfs", "graphs/PGPgiantcompo.graph"},
                                           RealFile{"bfs", "graphs/rome99.gr"},
                                           RealFile{"pagerank", "graphs/rome99.gr"},
                                           RealFile{"pagerank", "graphs/PGPgiantcompo.graph"},
                                           RealFile{"cfd", "mesh/bunny.mesh"}),
                         [](const auto& info) {
                           const std::string stem = std::filesystem::path(info.param.file).stem();
                           return std::string(info.param.workload) + "_" + stem;
                         });

}  // namespace
}  // namespace warpsieve::tb
