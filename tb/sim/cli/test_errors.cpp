// Whatever is wrong with the arguments or a file: exit code 2, nothing on standard output, and one line on
// standard error that names what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "program.h"

namespace warpsieve::tb {
namespace {

using ::testing::HasSubstr;

void expect_bad(const Ran& ran, const std::vector<std::string>& says) {
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_EQ(ran.err.rfind("warpsieve: ", 0), 0u) << ran.err;
  for (const std::string& s : says) EXPECT_THAT(ran.err, HasSubstr(s));
}

TEST(BadArguments, NothingAndUnknownSubcommand) {
  expect_bad(warpsieve({}), {"no subcommand", "run", "--help"});
  expect_bad(warpsieve({"rnu"}), {"unknown subcommand 'rnu', did you mean run?", "run"});
  expect_bad(warpsieve({"run"}), {"no workload", "--list"});
  expect_bad(warpsieve({"run", "--wrokload", "bfs"}), {"--wrokload"});
  expect_bad(warpsieve({"run", "-w"}), {"--workload"});
}

TEST(BadArguments, UnknownNamesSayWhatThereIs) {
  expect_bad(warpsieve({"run", "-w", "pagernk"}), {"'pagernk'", "did you mean pagerank"});
  expect_bad(warpsieve({"run", "-w", "bfs,pagernk"}), {"'pagernk'"});
  expect_bad(run_small({"--scheme", "cdm"}),
             {"unknown scheme 'cdm', did you mean cmd?", "warpsieve run --list names all", "joined by +"});
  expect_bad(run_small({"--scheme", "l2_5mb+cmd+sipash"}), {"did you mean l2_5mb+cmd+siphash?"});
  expect_bad(run_small({"--scheme", "cmd+dedup"}), {"'cmd' and 'dedup' cannot be combined", "the memory path"});
  expect_bad(run_small({"--compare", "none"}), {"unknown scheme 'none'"});
  expect_bad(run_small({"--profile", "rtx"}), {"'rtx', did you mean rtx"});
  expect_bad(run_small({"--profile", "cmd-quater"}), {"'cmd-quater', did you mean cmd-quarter?"});
  expect_bad(run_small({"--profile", "/nonexistent/machine.toml"}), {"/nonexistent/machine.toml"});
  expect_bad(warpsieve({"run", "-w", "bfs", "--scale", "huge"}), {"unknown scale 'huge'", "quarter"});
  expect_bad(run_small({"--latency", "measred"}),
             {"--latency: 'measred': expected paper or measured, did you mean measured?"});
  expect_bad(warpsieve({"workloads", "--format", "jsn"}),
             {"--format: 'jsn': expected text, json or md, did you mean json?"});
  expect_bad(run_small({"--backend", "modle"}), {"'modle': expected model, rtl or shadow, did you mean model?"});
  expect_bad(run_small({"--seed", "-1"}), {"--seed"});
  expect_bad(run_small({"--seed", "one"}), {"--seed"});
}

TEST(BadArguments, AnEmptyPathIsNotTheGenerator) {
  const Scratch scratch;
  for (const char* name : {"--input", "-i", "--graph", "--mesh", "--points"})
    expect_bad(run_small({name, ""}), {"--input", "expected the name of a file, found an empty one"});
  expect_bad(run_small({"--input="}), {"--input"});
  expect_bad(warpsieve({"trace", "record", "-w", "bfs", "-i", "", "-o", scratch.path("t")}), {"--input"});
  const std::string sweep =
      scratch.write("s.toml", "profile = 'cmd-quarter'\nschemes = ['baseline']\nworkloads = ['bfs']\ninput = ''\n");
  expect_bad(warpsieve({"sweep", "run", sweep, "-o", scratch.path("r")}), {"s.toml:4", "found an empty one"});
}

TEST(BadArguments, AMissingOrDamagedInputIsOneLine) {
  const Scratch scratch;
  expect_bad(run_small({"--input", "/no/such/file.gr"}), {"/no/such/file.gr"});
  const std::string cut = scratch.write("cut.gr.gz", std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b", 11));
  expect_bad(run_small({"--input", cut}),
             {cut + ": byte 11: expected gzip data to their end, found the end of the file"});
}

TEST(NotEnoughMemory, IsALineThatNamesTheRunAndExitCode2) {
  const rlim_t limit = rlim_t{2} << 30;
  const std::vector<std::string> huge = {"--set", "l1.sets=65536", "--set", "l1.ways=1024"};
  for (const char* jobs : {"1", "2"}) {
    std::vector<std::string> arguments = {"run", "-w", "bfs", "--scale", "small", "-s", "cmd", "-j", jobs};
    arguments.insert(arguments.end(), huge.begin(), huge.end());
    expect_bad(
        warpsieve_in(limit, arguments),
        {"not enough memory: bfs under cmd on cmd-quarter, l1.sets=65536 l1.ways=1024", "--size", "--profile"});
  }
  // A failure where no simulation runs: the command is named.
  const Scratch scratch;
  const std::string trace = scratch.write("trace", std::string(100 << 20, '#') + "\n0 0 R\n");
  expect_bad(warpsieve_in(rlim_t{64} << 20, {"dram", "--trace", trace}),
             {"not enough memory: ", "dram --trace", trace});
}

TEST(NotEnoughMemory, WhatWasWrittenBeforeStaysWhole) {
  const Scratch scratch;
  const std::string sweep = scratch.write("m.toml", R"(profile = "cmd-quarter"
scale = "small"
schemes = ["baseline"]
workloads = ["vecadd"]
[[axis]]
parameters = ["l1.sets", "l1.ways"]
values = [[32, 16], [65536, 1024]]
)");
  const std::string results = scratch.path("r");
  const Ran ran = warpsieve_in(rlim_t{2} << 30, {"sweep", "run", sweep, "-o", results, "--jobs", "2"});
  EXPECT_EQ(ran.code, 1);  // a point failed, the others did not
  EXPECT_THAT(ran.out + ran.err,
              HasSubstr("not enough memory: vecadd under baseline on cmd-quarter, l1.sets=65536 l1.ways=1024"));
  EXPECT_THAT(warpsieve({"sweep", "status", results}).out, HasSubstr("1 done, 0 running, 1 failed, 0 missing"));
}

TEST(BadArguments, ControlCharactersAreWrittenOut) {
  const std::string odd = "a\nb\x1b[2J";
  const std::string shown = "a\\nb\\x1b[2J";
  expect_bad(warpsieve({odd}), {shown});
  expect_bad(warpsieve({"run", "--" + odd}), {shown});
  expect_bad(warpsieve({"run", "-w", odd}), {shown});
  for (const char* option : {"--scheme", "--compare", "--profile", "--set", "--size", "--backend", "--seed"})
    expect_bad(run_small({option, odd}), {shown});
  expect_bad(warpsieve({"run", "-w", "bfs", "--scale", odd}), {shown});
  expect_bad(run_small({"--set", "l2.sets=" + odd}), {shown});
  expect_bad(run_small({"--json", "/nonexistent/" + odd}), {shown});
  expect_bad(warpsieve({"run", "-w", "bfs", "--input", "/nonexistent/" + odd}), {shown});
  for (const char* reader : {"sweep run", "sweep status", "trace info", "trace import", "dram --trace", "report"}) {
    std::vector<std::string> words;
    for (std::string_view rest = reader; !rest.empty();) {
      const auto end = rest.find(' ');
      words.emplace_back(rest.substr(0, end));
      rest = end == rest.npos ? "" : rest.substr(end + 1);
    }
    words.push_back("/nonexistent/" + odd);
    if (words.front() == "report") words.insert(words.end(), {"-o", testing::TempDir() + "report.html"});
    if (words.front() == "trace" && words[1] == "import") words.insert(words.end(), {"-o", "/nonexistent/out"});
    expect_bad(warpsieve(words), {shown});
  }
}

TEST(BadArguments, Set) {
  expect_bad(run_small({"--set", "l2.stes=4"}), {"l2.stes"});
  expect_bad(run_small({"--set", "l2.sets"}), {"name=value", "l2.sets"});
  expect_bad(run_small({"--set", "l2.sets=many"}), {"l2.sets", "'many'", "number"});
  expect_bad(run_small({"--set", "l2.sets="}), {"l2.sets"});
  expect_bad(run_small({"--set", "l2.sets=0"}), {"l2.sets = 0", "expected 1 to 65536 sets"});
  expect_bad(run_small({"--set", "cmd.hash_sets=5000"}), {"cmd.hash_sets = 5000", "expected 1 to 4096 sets"});
  expect_bad(run_small({"--set", "cmd.hash_sets=99999999999999999999"}), {"cmd.hash_sets"});
  expect_bad(run_small({"--set", "cmd.hash_stes=5"}), {"cmd.hash_stes"});
  expect_bad(run_small({"--scheme", "baseline", "--set", "cmd.hash_stes=5"}), {"cmd.hash_stes"});
  expect_bad(run_small({"--set", "dram.write_high=60", "--set", "dram.write_queue=32"}), {"dram.write_high"});
}

TEST(BadArguments, Size) {
  expect_bad(run_small({"--size", "vertices"}), {"'vertices'", "name=value"});
  expect_bad(run_small({"--size", "vertcies=100"}), {"'vertcies'", "did you mean vertices"});
  expect_bad(run_small({"--size", "vertices=many"}), {"bfs.vertices = 'many'", "integer"});
  expect_bad(run_small({"--size", "vertices=1"}), {"bfs.vertices = '1'", "from 2"});
  expect_bad(run_small({"--size", "graph=tree"}), {"graph", "'tree'", "uniform"});
}

TEST(BadArguments, BackendsAndBlocks) {
  expect_bad(run_small({"--backend", "verilog"}), {"'verilog'", "model, rtl or shadow"});
  expect_bad(run_small({"--block", "dedup"}), {"'dedup'", "block=backend"});
  expect_bad(run_small({"--block", "dedup=verilog"}), {"'verilog'"});
  expect_bad(run_small({"--block", "md5=rtl"}), {"unknown block 'md5'", "warpsieve run --list names"});
  expect_bad(run_small({"--scheme", "baseline", "--block", "md5=rtl"}), {"'md5'"});
  expect_bad(run_small({"--block", "dedup@mc2=rtl"}), {"'mc2'", "mc0 to mc1"});
  expect_bad(run_small({"--block", "victim_fifo@mc0=rtl"}), {"'mc0'", "mc0.slice0 to mc1.slice1"});
  expect_bad(run_small({"--backend", "rtl", "--set", "cmd.hash_sets=64"}), {"dedup: no RTL compiled"});
}

TEST(BadArguments, JsonThatCannotBeWrittenIsFoundBeforeTheRun) {
  expect_bad(run_small({"--json", "/nonexistent/out.json"}), {"/nonexistent/out.json", "cannot write"});
  const Scratch scratch;
  expect_bad(run_small({"--json", scratch.path("")}), {"cannot write"});
  EXPECT_FALSE(std::filesystem::exists(scratch.path("") + ".part"));
}

/// The message must begin with file:line.
void expect_bad_file(const std::string& workload, const std::string& file, unsigned line,
                     const std::string& says = "") {
  SCOPED_TRACE(file);
  expect_bad(run_small({"--input", file}, workload), {file + ":" + std::to_string(line) + ": ", says});
}

TEST(BadFiles, MissingDirectoryAndEmpty) {
  const Scratch scratch;
  expect_bad_file("bfs", scratch.path("none.mtx"), 1, "nothing of that name");
  expect_bad(run_small({"--input", scratch.path("")}), {"/: expected a regular file, found a folder"});
  for (const char* name : {"empty.mtx", "empty.graph", "empty.gr", "empty.txt"})
    expect_bad_file("bfs", scratch.write(name, ""), 1, "empty");
  expect_bad_file("cfd", scratch.write("empty.mesh", ""), 1, "empty");
  expect_bad_file("kmeans", scratch.write("points.txt", ""), 1, "empty");
  expect_bad(run_small({"--input", scratch.path("x")}, "vecadd"), {"vecadd takes no input file"});
}

const std::string kMtx = "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 2\n2 3\n";  // one entry short
const std::string kMesh =
    "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra\n1\n";

TEST(BadFiles, Truncated) {
  const Scratch scratch;
  expect_bad_file("bfs", scratch.write("a.mtx", kMtx + std::string(40, '\n')), 45);
  expect_bad_file("bfs", scratch.write("a.graph", "3 2\n2\n1 3\n"), 4);
  expect_bad_file("bfs", scratch.write("a.gr", "c short\np sp 3 3\na 1 2 1\na 2 3 1\n"), 2, "a count of 3");
  expect_bad_file("bfs", scratch.write("b.gr", "c short\np sp 3 3\na 1 2 1000000\na 2 3 1000000\n"), 5);
  expect_bad_file("cfd", scratch.write("a.mesh", kMesh), 10, "a count of 1");
  expect_bad_file("cfd", scratch.write("b.mesh", kMesh + "1 2 3\n" + std::string(40, '\n')), 52);
}

TEST(BadFiles, Garbage) {
  const Scratch scratch;
  std::minstd_rand random(7);
  std::string garbage;
  for (int i = 0; i < 5000; ++i) garbage.push_back(static_cast<char>(random() >> 8));
  for (const char* name : {"g.mtx", "g.graph", "g.gr", "g.txt"})
    expect_bad_file("bfs", scratch.write(name, garbage), 1);
  expect_bad_file("cfd", scratch.write("g.mesh", garbage), 1);
  expect_bad_file("pagerank", scratch.write("z.graph", std::string(4096, '\0')), 1);
}

TEST(BadFiles, HugeAndZeroIndices) {
  const Scratch scratch;
  const std::string head = "%%MatrixMarket matrix coordinate pattern general\n4 4 2\n1 2\n";
  expect_bad_file("bfs", scratch.write("a.mtx", head + "2 99999999999999999999\n"), 4, "99999999999999999999");
  expect_bad_file("bfs", scratch.write("b.mtx", head + "2 5\n"), 4, "5");
  expect_bad_file("bfs", scratch.write("c.mtx", head + "0 1\n"), 4, "0");
  expect_bad_file(
      "bfs",
      scratch.write("d.mtx", "%%MatrixMarket matrix coordinate pattern general\n4000000000 4000000000 2\n1 2\n1 3\n"),
      2);
  expect_bad_file("bfs", scratch.write("a.graph", "3 2\n2\n1 4\n2\n"), 3, "4");
  expect_bad_file("bfs", scratch.write("a.gr", "p sp 3 1\na 1 4294967297 1\n"), 2, "4294967297");
  expect_bad_file("cfd", scratch.write("a.mesh", kMesh + "1 2 3 5 0\nEnd\n"), 11, "5");
}

}  // namespace
}  // namespace warpsieve::tb
