// warpsieve trace, and run on a trace: what a user sees.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "program.h"
#include "support/tree.h"

namespace warpsieve::tb {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string recorded(const Scratch& scratch, const std::string& workload = "bfs") {
  const std::string path = scratch.path(workload + ".wst");
  const Ran ran = warpsieve({"trace", "record", workload, "--scale", "small", "-o", path});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  return path;
}

TEST(TraceCommand, ARunOnATraceGivesTheStatisticsOfTheWorkload) {
  const Scratch scratch;
  const std::string trace = recorded(scratch);
  const std::string a = scratch.path("a.json"), b = scratch.path("b.json");
  ASSERT_EQ(warpsieve({"run", "-w", "bfs", "--scale", "small", "-s", "cmd", "--json", a}).code, 0);
  const Ran ran = warpsieve({"run", "-w", "trace:" + trace, "-s", "cmd", "--json", b});
  ASSERT_EQ(ran.code, 0) << ran.err;
  auto original = nlohmann::json::parse(read_file(a)), replay = nlohmann::json::parse(read_file(b));
  EXPECT_EQ(replay["runs"][0]["workload"], "trace:bfs");
  for (auto* json : {&original, &replay}) {
    for (const char* key : {"command", "scale", "digest"}) json->erase(key);
    for (const char* key : {"workload", "experiment"}) (*json)["runs"][0].erase(key);
  }
  EXPECT_EQ(original, replay);
}

TEST(TraceCommand, InfoCatAndVerifyAgree) {
  const Scratch scratch;
  const std::string trace = recorded(scratch);
  const Ran info = warpsieve({"trace", "info", trace}), cat = warpsieve({"trace", "cat", trace}),
            verify = warpsieve({"trace", "verify", trace});
  for (const Ran& ran : {info, cat, verify}) {
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, "");
  }
  EXPECT_THAT(info.out, HasSubstr("workload bfs (scale small seed 1)"));
  EXPECT_THAT(info.out, HasSubstr("bfs_expand"));
  EXPECT_THAT(verify.out, HasSubstr("million records/s"));
  // One line per record in cat, two spaces in front.
  std::size_t records = 0;
  for (std::size_t at = 0; (at = cat.out.find("\n  ", at)) != std::string::npos; ++at) ++records;
  const std::string count = fmt::format(", {} records\n", records);
  EXPECT_THAT(info.out, HasSubstr(count));
  EXPECT_THAT(verify.out, HasSubstr(count));
  const Ran few = warpsieve({"trace", "cat", trace, "--limit", "5"});
  EXPECT_EQ(few.out, cat.out.substr(0, few.out.size()));
  EXPECT_THAT(few.out, ContainsRegex("\n  4 [^\n]*\n$"));
}

TEST(TraceCommand, ADamagedFileIsRefusedAndReadUpToThereWithSalvage) {
  const Scratch scratch;
  const std::string trace = recorded(scratch, "vecadd");
  const std::string whole = warpsieve({"trace", "cat", trace}).out, bytes = read_file(trace);
  const std::string cut = scratch.write("cut.wst", bytes.substr(0, bytes.size() - 100));
  for (const char* action : {"info", "cat", "verify"}) {
    const Ran refused = warpsieve({"trace", action, cut});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, ContainsRegex("^warpsieve: [^\n]*cut.wst: block [0-9]+: truncated [^\n]*\n$"));
    const Ran salvaged = warpsieve({"trace", action, cut, "--salvage"});
    EXPECT_EQ(salvaged.code, 0);
    EXPECT_THAT(salvaged.err, ContainsRegex("block [0-9]+: truncated [^\n]*; what stands before it was read\n$"));
  }
  EXPECT_EQ(warpsieve({"trace", "cat", cut, "--salvage"}).out, whole);  // only blocks behind the records are missing
  const Ran run = warpsieve({"run", "-w", "trace:" + cut});
  EXPECT_EQ(run.code, 2);
  EXPECT_THAT(run.err, HasSubstr(": truncated "));
}

/// read_trace.py knows no more of the format than its description.
TEST(TraceCommand, AReaderWrittenFromTheDescriptionReadsTheSame) {
  const Scratch scratch;
  for (const char* workload : {"bfs", "pagerank", "color"}) {
    const std::string trace = recorded(scratch, workload), text = scratch.path("text");
    const int status = std::system(
        fmt::format("python3 '{}tb/sim/cli/read_trace.py' '{}' > '{}'", tb::in_sources(""), trace, text).c_str());
    ASSERT_TRUE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "libzstd.so.1 or libxxhash.so.0 is missing";
    ASSERT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(read_file(text), warpsieve({"trace", "cat", trace}).out) << workload;
  }
}

TEST(TraceCommand, WhatIsWrongIsOneLine) {
  const Scratch scratch;
  const std::string trace = recorded(scratch, "vecadd"), text = scratch.write("text", "hello\n"),
                    out = scratch.path("out");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"trace"}, "no subcommand given after 'trace'"},
      {{"trace", "recrod"}, "did you mean record?"},
      {{"trace", "record", "vecadd"}, "--output is required"},
      {{"trace", "record", "vecad", "-o", out}, "did you mean 'vecadd'"},
      {{"trace", "record", "vecadd", "--scale", "huge", "-o", out}, "huge"},
      {{"trace", "record", "vecadd", "--size", "elemets=5", "-o", out}, "elemets"},
      {{"trace", "record", "vecadd", "--scale", "small", "-o", scratch.path("no/where")}, "no/where: cannot write: "},
      {{"trace", "record", "vecadd", "--scale", "small", "-o", "/dev/full"}, "/dev/full: cannot write: No space"},
      {{"trace", "info", scratch.path("gone")}, "gone: cannot read: No such file"},
      {{"trace", "info", text}, "not a Warpsieve trace"},
      {{"trace", "cat", scratch.path("")}, "cannot read: Is a directory"},
      {{"run", "-w", "trace:" + text}, "not a Warpsieve trace"},
      {{"run", "-w", "trace:"}, "cannot read"},
      {{"run", "-w", "trace:" + trace, "--scale", "small"}, "were chosen when the trace was recorded"},
      {{"run", "-w", "trace:" + trace, "--size", "elements=5"}, "were chosen when the trace was recorded"},
  };
  for (const auto& [arguments, expected] : cases) {
    const Ran ran = warpsieve(arguments);
    EXPECT_EQ(ran.code, 2) << expected;
    EXPECT_THAT(ran.err, HasSubstr(expected));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
  EXPECT_FALSE(std::filesystem::exists(out));
}

/// kernelslist.g of one small kernel.
std::string accel_sim_list(const Scratch& scratch, const std::string& version = "5") {
  std::string text =
      "-kernel name = copy\n-grid dim = (4,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n"
      "-binary version = 80\n-accelsim tracer version = " +
      version + "\n\n#traces format = ...\n";
  for (unsigned b = 0; b < 4; ++b)
    text += fmt::format(
        "\n#BEGIN_TB\n\nthread block = {},0,0\n\nwarp = 0\ninsts = 3\n"
        "0010 ffffffff 1 R2 LDG.E.SYS 1 R4 4 1 {:#x} 4 0\n0020 ffffffff 0 STG.E.SYS 2 R6 R2 4 1 {:#x} 4 0\n"
        "0030 ffffffff 0 EXIT 0 0 0\n\n#END_TB\n",
        b, 0x7f0000000000 + 128 * b, 0x7f0000100000 + 128 * b);
  scratch.write("kernel-1.traceg", text);
  return scratch.write("kernelslist.g", "MemcpyHtoD,0x7f0000000000,512\nkernel-1.traceg\n");
}

TEST(TraceCommand, AnImportedTraceRunsWhereNoDataAreNeeded) {
  const Scratch scratch;
  const std::string list = accel_sim_list(scratch), trace = scratch.path("t.wst"), json = scratch.path("r.json");
  const Ran imported = warpsieve({"trace", "import", list, "-o", trace, "--name", "copy"});
  ASSERT_EQ(imported.code, 0) << imported.err;
  EXPECT_THAT(imported.out, HasSubstr("1 launches, 4 thread blocks, 4 warps, 12 records\n12 instructions read, 0 of "
                                      "them without an active lane left out; 1 copies from the host; device memory "
                                      "131072 bytes, values none\n"));
  EXPECT_THAT(warpsieve({"trace", "info", trace}).out,
              HasSubstr("workload copy (Accel-Sim tracer version 5, sm_80, values none)"));
  EXPECT_EQ(warpsieve({"trace", "verify", trace}).code, 0);
  const Ran ran =
      warpsieve({"run", "-w", "trace:" + trace, "-s", "baseline", "--json", json, "--set", "gpu.image_in_l2=0"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("clean [values none]"));
  const auto stats = nlohmann::json::parse(read_file(json))["runs"][0];
  EXPECT_EQ(stats["workload"], "trace:copy [values none]");
  EXPECT_EQ(stats["values"], "none");
  EXPECT_EQ(stats["off_chip_requests"]["read_only"], 16);  // 512 bytes; what is written stays in the L2
  const Ran refused = warpsieve({"run", "-w", "trace:" + trace, "-s", "rata+cmd", "-p", "rata-quarter"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err, "warpsieve: trace:" + trace +
                             ": the trace has no data values, and scheme rata+cmd looks at them: import it with "
                             "--values zero, random or address to make some up\n");
}

TEST(TraceCommand, MadeUpValuesShowInEveryResult) {
  const Scratch scratch;
  const std::string list = accel_sim_list(scratch), trace = scratch.path("t.wst"), json = scratch.path("r.json"),
                    page = scratch.path("r.html");
  for (const std::string values : {"zero", "random", "address"}) {
    ASSERT_EQ(warpsieve({"trace", "import", list, "-o", trace, "--values", values, "--name", "copy"}).code, 0);
    const Ran ran = warpsieve({"run", "-w", "trace:" + trace, "--compare", "baseline", "-s", "cmd", "--json", json});
    EXPECT_EQ(ran.code, 0) << ran.err;
    const std::string word = "clean [values " + values + "]";
    EXPECT_NE(ran.out.find(word), ran.out.rfind(word));  // both rows
    const auto all = nlohmann::json::parse(read_file(json));
    ASSERT_EQ(all.at("runs").size(), 2u);
    for (const auto& run : all.at("runs")) EXPECT_EQ(run["values"], values);
    const Ran report = warpsieve({"report", json, "-o", page});
    ASSERT_EQ(report.code, 0) << report.err;
    EXPECT_THAT(read_file(page), HasSubstr("trace:copy [values " + values + "]"));
  }
}

TEST(TraceCommand, AnImportSaysWhichLinesItSkipped) {
  const Scratch scratch;
  accel_sim_list(scratch);
  const auto imported = [&](const std::string& list) {
    return warpsieve({"trace", "import", scratch.write("big.g", list), "-o", scratch.path("t.wst")});
  };
  const Ran ran = imported("ncclGroupStart\nkernel-1.traceg\nMemcpyDtoD,0x7f0000000000,0x7f0000100000,512\n");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(
      ran.out.find("2 lines of the list skipped, neither kernels nor copies from the host; the first is line 1: "
                   "'ncclGroupStart'\n"),
      std::string::npos)
      << ran.out;
  const Ran big = imported("kernel-1.traceg\n\nMemcpyHtoD,0x7f0000000000,5368709120\n");
  EXPECT_EQ(big.code, 2);
  EXPECT_NE(big.err.find("big.g:3: expected at most 4 GiB"), std::string::npos) << big.err;
}

TEST(TraceCommand, AnImportCountsUnknownOpcodesAndWarnsOncePerOpcode) {
  const Scratch scratch;
  const std::string list = accel_sim_list(scratch), kernel = scratch.path("kernel-1.traceg"),
                    trace = scratch.path("t.wst"), name = "_Z" + std::string(70000, 'k');
  std::string text = read_file(kernel);
  for (std::size_t at = 0; (at = text.find(" EXIT ", at)) != text.npos; at += 6) text.replace(at, 6, " FROB.X ");
  const std::size_t at = text.find("-kernel name = ") + 15;
  text.replace(at, text.find('\n', at) - at, name);
  scratch.write("kernel-1.traceg", text);
  const std::string warning = "warpsieve: " + kernel + ":";
  const Ran ran = warpsieve({"trace", "import", list, "-o", trace});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, StartsWith(warning));
  EXPECT_THAT(ran.err, EndsWith(": opcode FROB is not known: 4 instructions count as alu\n"));
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1);
  EXPECT_THAT(ran.out, HasSubstr("4 instructions of 1 unknown opcodes; --strict refuses them\n"));
  const Ran as_json = warpsieve({"trace", "import", list, "-o", trace, "--json"});
  EXPECT_EQ(as_json.code, 0) << as_json.err;
  const auto json = nlohmann::json::parse(as_json.out);
  EXPECT_EQ(json["unknown_instructions"], 4);
  EXPECT_EQ(json["unknown_opcodes"][0]["opcode"], "FROB");
  EXPECT_EQ(json["instructions"], 12);
  const Ran info = warpsieve({"trace", "info", trace});
  EXPECT_THAT(info.out, HasSubstr(", 4 instructions of unknown opcodes)"));
  EXPECT_THAT(info.out, HasSubstr("k... (70002 characters, "));
  EXPECT_LT(info.out.size(), 4096u);
  EXPECT_LT(warpsieve({"trace", "cat", trace}).out.size(), 65536u);
  const Ran strict = warpsieve({"trace", "import", list, "-o", trace, "--strict"});
  EXPECT_EQ(strict.code, 2);
  EXPECT_THAT(strict.err, StartsWith(warning));
  EXPECT_THAT(strict.err, EndsWith(": expected a known opcode, found 'FROB.X'\n"));
}

TEST(TraceCommand, AnImportThatFailsSaysWhereAndLeavesNothing) {
  const Scratch scratch;
  const std::string list = accel_sim_list(scratch, "6"), trace = scratch.path("t.wst");
  const auto refused = [&](std::vector<std::string> arguments, const std::string& expected) {
    arguments.insert(arguments.begin(), {"trace", "import"});
    arguments.insert(arguments.end(), {"-o", trace});
    const Ran ran = warpsieve(arguments);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err, "warpsieve: " + expected + "\n");
    EXPECT_FALSE(std::filesystem::exists(trace));
  };
  refused({list}, scratch.path("kernel-1.traceg") + ":7: expected a tracer version from 3 to 5, found '6'");
  refused({scratch.path("nowhere.g")},
          scratch.path("nowhere.g") + ":1: expected a file, found No such file or directory");
  refused({list, "--values", "recorded"}, "--values 'recorded': expected none, zero, random or address");
  refused({list, "--values", "randm"},
          "--values 'randm': expected none, zero, random or address, did you mean random?");
}

TEST(TraceCommand, ATraceIsNotRecordedAgain) {
  const Scratch scratch;
  const Ran ran = warpsieve({"trace", "record", "trace:bfs.wst", "-o", scratch.path("t.wst")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err,
            "warpsieve: trace record: trace:bfs.wst: expected a workload, see run --list: a trace cannot be recorded "
            "again\n");
}

TEST(TraceCommand, StandardOutputIsWrittenAndNotReplaced) {
  const Scratch scratch;
  // Redirected to a file by Running: by its type no other than one to be replaced.
  const Ran ran = warpsieve({"trace", "record", "vecadd", "--scale", "small", "-o", "/proc/self/fd/1"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find(" records\n"), std::string::npos) << "what would stand behind the trace";
  const Ran verified = warpsieve({"trace", "verify", scratch.write("piped.wst", ran.out)});
  EXPECT_EQ(verified.code, 0) << verified.err;
}

TEST(TraceCommand, ALinkIsFollowedAndKept) {
  namespace fs = std::filesystem;
  const Scratch scratch;
  fs::create_directory(scratch.path("sub"));
  scratch.write("sub/there.wst", "old");
  fs::create_symlink("sub/there.wst", scratch.path("link.wst"));
  fs::create_symlink(scratch.path("sub/new.wst"), scratch.path("dangling.wst"));
  for (const char* link : {"link.wst", "dangling.wst"}) {
    ASSERT_EQ(warpsieve({"trace", "record", "vecadd", "--scale", "small", "-o", scratch.path(link)}).code, 0);
    EXPECT_TRUE(fs::is_symlink(scratch.path(link)));
    EXPECT_EQ(warpsieve({"trace", "verify", fs::canonical(scratch.path(link)).string()}).code, 0) << link;
  }
  ASSERT_EQ(run_small({"--json", scratch.path("dangling.wst")}, "vecadd").code, 0);
  EXPECT_TRUE(fs::is_symlink(scratch.path("dangling.wst")));
  EXPECT_EQ(read_file(scratch.path("sub/new.wst")).substr(0, 1), "{");
}

TEST(TraceCommand, APipeIsNotReadTwice) {
  const Scratch scratch;
  ASSERT_EQ(mkfifo(scratch.path("pipe").c_str(), 0600), 0);
  const Ran ran = warpsieve({"run", "-w", "trace:" + scratch.path("pipe")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("pipe: expected a regular file, found a pipe or device"), std::string::npos) << ran.err;
}

TEST(TraceCommand, AnImportNeverReplacesWhatItReads) {
  const Scratch scratch;
  const std::string list = accel_sim_list(scratch, "5"), kernel = scratch.path("kernel-1.traceg");
  for (const std::string& file : {list, kernel}) {
    const std::string before = read_file(file);
    const Ran ran = warpsieve({"trace", "import", list, "-o", file});
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.err, "warpsieve: " + file + ": cannot write: it is the input " + file + "\n");
    EXPECT_EQ(read_file(file), before);
  }
}

}  // namespace
}  // namespace warpsieve::tb
