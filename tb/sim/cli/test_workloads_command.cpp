// warpsieve workloads in its three formats, and suites under warpsieve run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "program.h"
#include "support/tree.h"

namespace warpsieve::tb {
namespace {

using ::testing::HasSubstr;

Ran small(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"workloads", "--scale", "small"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return warpsieve(arguments);
}

TEST(WorkloadsCommand, TheFormatsGiveTheSameFigures) {
  const Ran json = small({"vecadd", "covar", "--format", "json"});
  ASSERT_EQ(json.code, 0) << json.err;
  const auto parsed = nlohmann::json::parse(json.out);
  EXPECT_EQ(parsed["format"], "warpsieve-workloads-1");
  ASSERT_EQ(parsed["workloads"].size(), 2u);
  const auto& vecadd = parsed["workloads"][0];
  EXPECT_EQ(vecadd["workload"], "vecadd");
  // Coalesced: every access of a warp is one line of four sectors.
  EXPECT_EQ(vecadd["sectors"], 4 * (vecadd["loads"].get<int>() + vecadd["stores"].get<int>()));
  EXPECT_EQ(vecadd["one_sector_requests"], 0);
  EXPECT_EQ(vecadd["wrong"], "");
  const auto& covar = parsed["workloads"][1];
  const std::string wmi =
      fmt::format(" {:.3f} ", (covar["loads"].get<double>() + covar["stores"].get<double>()) / 1e6);
  for (const char* format : {"text", "md"}) {
    const Ran ran = small({"vecadd", "covar", "--format", format});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    EXPECT_THAT(ran.out, HasSubstr("covar"));
    EXPECT_THAT(ran.out, HasSubstr(wmi));
    EXPECT_THAT(ran.out, HasSubstr("one sector, %"));
  }
}

TEST(WorkloadsCommand, SaysWithWhichOptionsItWasMade) {
  const Ran md = small({"vecadd", "--format", "md", "--seed", "3", "--sms", "4", "--size", "elements=256"});
  EXPECT_THAT(
      md.out,
      HasSubstr("`warpsieve workloads --scale small vecadd --size elements=256 --seed 3 --sms 4 --format md`"));
  const auto json = nlohmann::json::parse(small({"vecadd", "--format", "json", "--size", "elements=256"}).out);
  EXPECT_EQ(json["sizes"], nlohmann::json({"elements=256"}));
  EXPECT_EQ(json["input"], "");
}

TEST(WorkloadsCommand, WhatWasMeasuredBeforeAMistakeIsShown) {
  const Scratch scratch;
  const std::string flat = scratch.write(
      "flat.pgm", "P2\n32 32\n255\n" + [] {
        std::string pixels;
        for (int i = 0; i < 1024; ++i) pixels += "7 ";
        return pixels;
      }());
  const Ran ran = small({"graphcut", "srad", "--input", flat});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.out, HasSubstr("graphcut"));
  EXPECT_THAT(ran.err, HasSubstr(flat + ": srad: a picture of several greys is expected"));
}

TEST(WorkloadsCommand, SameCommandSameBytes) {
  EXPECT_EQ(small({"bfs", "--format", "md", "--seed", "3"}).out, small({"bfs", "--format", "md", "--seed", "3"}).out);
  EXPECT_NE(small({"bfs", "--format", "md", "--seed", "3"}).out, small({"bfs", "--format", "md", "--seed", "4"}).out);
}

TEST(WorkloadsCommand, BadArgumentsGiveOneLine) {
  const auto error = [](const Ran& ran) {
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    return ran.err;
  };
  EXPECT_THAT(error(small({"covra"})), HasSubstr("did you mean 'covar'"));
  EXPECT_THAT(error(small({"vecadd", "--format", "xml"})), HasSubstr("--format"));
  EXPECT_THAT(error(small({"vecadd", "--size", "elements"})), HasSubstr("name=value"));
  EXPECT_THAT(error(small({"vecadd", "--size", "elements=0"})), HasSubstr("vecadd.elements = '0'"));
  EXPECT_THAT(error(small({"vecadd", "--sms", "0"})), HasSubstr("--sms"));
  EXPECT_THAT(error(small({"srad", "--input", "/no/such/image"})), HasSubstr("/no/such/image"));
  EXPECT_THAT(error(small({"bfs", "--input", ""})), HasSubstr("--input"));
  EXPECT_THAT(error(small({"bfs", "--unit-weights"})), HasSubstr("unknown parameter of bfs 'weights'"));
  EXPECT_THAT(error(warpsieve({"workloads", "--scale", "tiny"})), HasSubstr("unknown scale 'tiny'"));
}

/// The part of a Markdown text from this title to the next one.
std::string section(const std::string& text, const std::string& title) {
  const std::size_t begin = text.find("\n" + title);
  return begin == text.npos ? "no " + title : text.substr(begin, text.find("\n## ", begin + 1) - begin);
}

TEST(WorkloadsCommand, TheReadmeHasTheProgramsTableOfInputs) {
  const Ran md = small({"vecadd", "--format", "md"});
  const std::string readme = read_file(tb::in_sources("sim_cpp/workloads/README.md"));
  EXPECT_EQ(section(readme, "## Input files"), section(md.out, "## Input files"));
  EXPECT_THAT(section(md.out, "## Input files"), HasSubstr("| mesh | MEDIT .mesh, SU2, Gambit neutral"));
  // The same table in the list of what there is.
  const std::string list = warpsieve({"run", "--list"}).out;
  for (const char* text : {"MEDIT .mesh, SU2, Gambit neutral", "PNG, BMP (24-bit), PGM or PPM", "gzip, xz or zstd"})
    EXPECT_THAT(list, HasSubstr(text));
}

TEST(Suites, RunAsTheyAreWritten) {
  const Scratch scratch;
  const std::string file = scratch.write("two.toml",
                                         "doc = 'two'\n[[run]]\nworkload = 'vecadd'\nelements = 2048\n"
                                         "[[run]]\nworkload = 'bfs'\ngraph = 'grid'\n");
  const std::string json = scratch.path("out.json");
  const Ran ran = warpsieve({"run", "--suite", file, "--scale", "small", "-s", "baseline", "--json", json});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const auto runs = nlohmann::json::parse(read_file(json))["runs"];
  ASSERT_EQ(runs.size(), 2u);
  const Ran alone = warpsieve(
      {"run", "-w", "vecadd", "--size", "elements=2048", "--scale", "small", "-s", "baseline", "--json", json});
  EXPECT_EQ(nlohmann::json::parse(read_file(json))["runs"][0], runs[0]);
  EXPECT_EQ(alone.code, 0) << alone.err;
}

TEST(Suites, ErrorsAndTheList) {
  EXPECT_THAT(warpsieve({"run", "--suite", "ratta"}).err, HasSubstr("unknown suite 'ratta', did you mean 'rata'?"));
  EXPECT_THAT(warpsieve({"run", "--suite", "cmd", "-w", "bfs"}).err, HasSubstr("exclude each other"));
  EXPECT_EQ(warpsieve({"run", "--suite", "/no/such.toml"}).code, 2);
  std::set<std::string> listed, files = {"all"};
  const auto all = nlohmann::json::parse(warpsieve({"run", "--list", "--json"}).out);
  for (const auto& suite : all.at("suites")) listed.insert(suite.at("name"));
  for (const auto& file : std::filesystem::directory_iterator(tb::in_sources("sim_cpp/configs/suites")))
    files.insert(file.path().stem());
  EXPECT_EQ(listed, files);
}

}  // namespace
}  // namespace warpsieve::tb
