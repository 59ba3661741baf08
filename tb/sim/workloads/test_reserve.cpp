// Workloads of the reserve list with inputs of their own: files, corner cases, and what is known of their results.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "inputs/random.h"
#include "inputs/text_reader.h"
#include "sim/workloads/support.h"
#include "support/property.h"
#include "workloads/myocyte_model.h"
#include "workloads/suffix_tree.h"

namespace warpsieve::workloads::test {
namespace {

/// A file that goes away with the test.
class File {
 public:
  explicit File(const std::string& text)
      : path((std::filesystem::temp_directory_path() / fmt::format("reserve_{}", ::getpid())).string()) {
    std::ofstream(path) << text;
  }
  ~File() { std::filesystem::remove(path); }
  const std::string path;
};

/// What verify() says, or the error.
std::string outcome(const std::string& name, const WorkloadOptions& options) {
  try {
    const auto w = make_workload(name, options);
    w->setup();
    run_warps(*w, [](const simt::LaunchShape&, std::uint64_t, const WarpTrace&) {});
    return w->verify();
  } catch (const WorkloadError& e) {
    return e.what();
  } catch (const inputs::InputError& e) {
    return e.what();
  }
}
std::string with(const std::string& name, std::map<std::string, std::string> set) {
  return outcome(name, {.set = std::move(set), .scale = Scale::small});
}
std::string from_file(const std::string& name, const std::string& text, std::map<std::string, std::string> set = {}) {
  const File file(text);
  std::string said = outcome(name, {.input = file.path, .set = std::move(set), .scale = Scale::small});
  if (said.starts_with(file.path)) said.replace(0, file.path.size(), "FILE");
  return said.substr(0, said.find("; " + name + " reads "));  // the formats are test_files.cpp's
}

TEST(GraphCut, AnyShapeAndPeriodGivesAMinimumCut) {
  EXPECT_EQ(with("graphcut", {{"width", "32"}, {"height", "8"}}), "");
  EXPECT_EQ(with("graphcut", {{"width", "32"}, {"height", "128"}, {"period", "1"}}), "");
  EXPECT_EQ(with("graphcut", {{"period", "100"}}), "");
  EXPECT_EQ(with("graphcut", {{"width", "40"}}), "graphcut.width = '40': a multiple of 32 is expected");
  EXPECT_EQ(with("graphcut", {{"height", "20"}}), "graphcut.height = '20': a multiple of 8 is expected");
}

TEST(GraphCut, AnEvenImageNeedsNoFlow) {
  std::string image = "P2\n32 32\n255\n";
  for (int i = 0; i < 1024; ++i) image += "77 ";
  EXPECT_EQ(from_file("graphcut", image), "");
}

TEST(HybridSort, SortsAnyNumbers) {
  std::string equal, mixed;
  for (int i = 0; i < 300; ++i) {
    equal += "1.5 ";
    mixed += fmt::format("{}\n", (i * 7919) % 301 - 150.25);
  }
  EXPECT_EQ(from_file("hybridsort", equal), "");  // one bucket gets all
  EXPECT_EQ(from_file("hybridsort", mixed), "");
  EXPECT_EQ(with("hybridsort", {{"elements", "4097"}, {"buckets", "4"}}), "");
  EXPECT_EQ(with("hybridsort", {{"elements", "257"}}), "");
  EXPECT_EQ(from_file("hybridsort", "1 2 x"), "FILE:1: expected the next element (a finite number), found 'x'");
  EXPECT_EQ(with("hybridsort", {{"buckets", "100"}}), "hybridsort.buckets = '100': a power of 2 is expected");
  EXPECT_EQ(with("hybridsort", {{"elements", "255"}}),
            "hybridsort: 255 elements: at least 4 per bucket are expected, 256");
}

TEST(MarsWordCount, CountsOnlyLongWordsWhateverSeparatesThem) {
  EXPECT_EQ(from_file("mars_wc", "  longer words\tlonger\r\nlongest longer"), "");
  EXPECT_EQ(from_file("mars_wc", "short words only"), "FILE: the text has none of the keys mars_wc looks for");
}

TEST(MarsInvertedIndex, FindsWhatAStringSearchFinds) {
  // Starts that break off, a link right behind another, one without an end, one in a second piece.
  std::string page = "<<a href=\"x\"><a href=\"\"><a hre<a href=\"yy\"> <a name=\"z\"> <a href=\"broken\n";
  page += std::string(1100, '.') + "\n<a href=\"yy\">\n";
  EXPECT_EQ(from_file("mars_ii", page), "");
  EXPECT_EQ(from_file("mars_ii", "no links\n"), "FILE: the text has none of the keys mars_ii looks for");
}

TEST(MarsPageViewRank, EqualPagesKeepTheirOrder) {
  EXPECT_EQ(from_file("mars_pvr", "a\t3\nb\t5\nc\t3\nd\t0\ne\t5\n"), "");
  EXPECT_EQ(from_file("mars_pvr", "a\t3\nb\n"),
            "FILE:2: expected a page and how often it was seen, found the end of the line");
}

TEST(MarsPageViewRank, NoPagesAreNoInput) {
  EXPECT_EQ(from_file("mars_pvr", "\n\n \n"),
            "FILE:4: expected a page and how often it was seen, found no line with one");
}

TEST(HybridSort, ARangeBeyondAFloatIsRefused) {
  for (const char* ends : {"-3.4e38 3.4e38", "1e-44 2e-44"}) {
    std::string text = ends;
    for (int i = 0; i < 5000; ++i)
      text += fmt::format(" {}", std::string(ends).substr(0, std::string(ends).find(' ')));
    EXPECT_NE(from_file("hybridsort", text).find("expected a range that a float holds"), std::string::npos) << ends;
  }
}

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string square(int order, const std::function<double(int, int)>& value) {
  std::string text = fmt::format("{}\n", order);
  for (int i = 0; i < order; ++i)
    for (int j = 0; j < order; ++j) text += fmt::format("{:.9g} ", value(i, j));
  return text;
}

/// Floats lose most digits of a Hilbert matrix: the reference must make the same rounding errors.
TEST(Elimination, WhatNeedsAnExchangeOfRowsIsRefused) {
  const std::string good = square(16, [](int i, int j) { return i == j ? 20.0 : (3 * i + j) % 7; }),
                    zero = square(16, [](int i, int j) { return i == j ? 0.0 : 1.0 + (3 * i + j) % 7; }),
                    hilbert = square(16, [](int i, int j) { return 1.0 / (i + j + 1); });
  for (const char* name : {"lud", "gaussian"}) {
    EXPECT_EQ(from_file(name, good), "") << name;
    EXPECT_EQ(from_file(name, hilbert), "") << name;
    EXPECT_THAT(from_file(name, zero),
                AllOf(StartsWith(fmt::format("FILE: {}: ", name)), HasSubstr("without an exchange of rows")));
  }
}

/// Values of both signs without a large diagonal: what Rodinia's own 64.dat and matrix208 are like.
TEST(EliminationProperty, FloatsOfAnyMatrixAreThoseOfTheReference) {
  tb::check_property("workloads/elimination", 25, [] {
    inputs::Random random(*rc::gen::arbitrary<std::uint64_t>());
    const std::string text = square(48, [&](int, int) { return 2 * random.real() - 1; });
    for (const char* name : {"lud", "gaussian"}) RC_ASSERT(from_file(name, text) == "");
  });
}

TEST(UnitWeights, TakeWhatTheWeightsOfAFileWouldRefuse) {
  const std::string text = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 -0.5\n2 3 1e30\n";
  for (const char* name : {"sssp", "apsp"}) {
    EXPECT_THAT(from_file(name, text), HasSubstr("--unit-weights"));
    EXPECT_EQ(from_file(name, text, {{"weights", "unit"}}), "");
  }
}

TEST(Srad, APictureOfOneGreyIsRefused) {
  std::string flat = "P2\n32 32\n255\n", spotted = flat;
  for (int i = 0; i < 1024; ++i) {
    flat += "7 ";
    spotted += fmt::format("{} ", i * 37 % 200);
  }
  EXPECT_EQ(from_file("srad", spotted), "");
  EXPECT_THAT(from_file("srad", flat), StartsWith("FILE: srad: a picture of several greys is expected"));
}

TEST(Graphs, WeightsThatAreNoLengthsAreRefused) {
  const auto graph = [](const char* weight) {
    return fmt::format("%%MatrixMarket matrix coordinate real general\n4 4 3\n1 2 0.4\n2 3 {}\n3 4 3.6\n", weight);
  };
  EXPECT_EQ(from_file("sssp", graph("2.5")), "");
  EXPECT_EQ(from_file("sssp", graph("16777216")), "");
  EXPECT_EQ(from_file("sssp", graph("16777218")),
            "FILE: weight 16777218 of the arc from vertex 1 to 2 (the first is 0): 0 to 16777216 is expected, or "
            "--unit-weights");
  EXPECT_EQ(from_file("sssp", graph("1e30")),
            "FILE: weight 1e+30 of the arc from vertex 1 to 2 (the first is 0): 0 to 16777216 is expected, or "
            "--unit-weights");
  EXPECT_EQ(
      from_file("apsp", graph("-3")),
      "FILE: weight -3 of the arc from vertex 1 to 2 (the first is 0): 0 to 20000 is expected, or --unit-weights");
  EXPECT_EQ(from_file("pagerank", graph("-1e30")), "");  // its kernel reads none
}

TEST(InputFiles, SizesOfTheGeneratorAndMistakesBesideThemNameTheFile) {
  const File graph("%%MatrixMarket matrix coordinate pattern general\n4 4 2\n1 2\n2 3\n");
  const auto said = [&](std::map<std::string, std::string> set) {
    return outcome("sssp", {.input = graph.path, .set = std::move(set), .scale = Scale::small});
  };
  EXPECT_EQ(said({{"source", "1"}, {"iterations", "3"}}), "");
  EXPECT_EQ(said({{"vertices", "4"}}), graph.path + ": vertices = '4' has no effect: the input file decides");
  EXPECT_EQ(said({{"graph", "rmat"}}), graph.path + ": graph = 'rmat' has no effect: the input file decides");
  EXPECT_EQ(said({{"source", "4"}}), graph.path + ": sssp.source = '4': a vertex below 4 is expected");
}

TEST(PageRank, AHubIsRoundedNotWrong) {
  constexpr int leaves = 20000;
  std::string star =
      fmt::format("%%MatrixMarket matrix coordinate pattern symmetric\n{0} {0} {1}\n", leaves + 1, leaves);
  for (int leaf = 2; leaf <= leaves + 1; ++leaf) star += fmt::format("{} 1\n", leaf);
  EXPECT_EQ(from_file("pagerank", star), "");
}

TEST(MummerGpu, MatchesReadsOfAnyReference) {
  EXPECT_EQ(from_file("mummergpu", ">all the same\n" + std::string(100, 'A') + "\n"), "");
  std::string repeats = ">two letters\n";
  for (int i = 0; i < 40; ++i) repeats += "acacn\n";
  EXPECT_EQ(from_file("mummergpu", repeats), "");
  EXPECT_EQ(from_file("mummergpu", ">x\nACGT\nACXT\n"), "FILE:3: expected bases (A, C, G, T or N), found 'X'");
  EXPECT_EQ(from_file("mummergpu", ">x\nACGT\n"),
            "FILE: mummergpu: a reference of 4 bases: more than the 20 of a read are expected");
}

TEST(MummerGpu, TheTreeHoldsEverySuffixAndItsLinksDropTheFirstBase) {
  const std::string text = "ACACGTACACGACACT";
  const SuffixTree tree(text);
  const auto above = [&](std::size_t node) {  // the bases from the root to a node
    return text.substr(static_cast<std::size_t>(tree.nodes[node].end - tree.nodes[node].depth),
                       static_cast<std::size_t>(tree.nodes[node].depth));
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::size_t node = 0, i = at;
    while (i < text.size()) {
      const auto base = static_cast<std::size_t>(base_code(text[i]));
      node = static_cast<std::size_t>(tree.nodes[node].child[base]);
      ASSERT_NE(node, 0u);
      for (int k = tree.nodes[node].start; k < tree.nodes[node].end && i < text.size(); ++k)
        ASSERT_EQ(text[static_cast<std::size_t>(k)], text[i++]);
    }
  }
  std::size_t links = 0;
  for (std::size_t node = 1; node < tree.nodes.size(); ++node) {
    if (tree.nodes[node].link < 0) continue;
    EXPECT_EQ(above(static_cast<std::size_t>(tree.nodes[node].link)), above(node).substr(1));
    ++links;
  }
  EXPECT_GT(links, 4u);
}

TEST(Myocyte, TheCellRestsUntilItIsStimulatedAndThenFires) {
  const double rest = myocyte::reference_state(20, 1e9, 1e9, 0)[myocyte::kV];
  EXPECT_NEAR(rest, -84.5, 0.5);  // Luo and Rudy's resting potential
  const auto fired = myocyte::reference_state(3, 0.5, 1.5, -80);
  EXPECT_GT(fired[myocyte::kV], 10);
  EXPECT_LT(fired[myocyte::kV], 60);
  EXPECT_LT(fired[myocyte::kH], 0.05);                                      // sodium channels are closed again
  EXPECT_GT(fired[myocyte::kCa], myocyte::resting_state()[myocyte::kCa]);   // calcium comes in
  EXPECT_LT(myocyte::reference_state(3, 0.5, 1.5, -10)[myocyte::kV], -70);  // too weak
}

TEST(Myocyte, ReactionsConserveCalmodulinBufferKinaseAndPhosphatase) {
  const std::array<double, myocyte::kSpecies> dy = myocyte::calmodulin<double, double>(myocyte::kStart, 0.7);
  const auto sum = [&](std::initializer_list<std::size_t> species) {
    double total = 0;
    for (const std::size_t s : species) total += dy[s];
    return total;
  };
  EXPECT_NEAR(sum({0, 1, 2, 3, 4, 5, 8, 9, 12, 13, 14}), 0, 1e-12);  // calmodulin
  EXPECT_NEAR(sum({3, 4, 5, 6}), 0, 1e-12);                          // buffer
  EXPECT_NEAR(sum({7, 8, 9, 10}), 0, 1e-12);                         // kinase
  EXPECT_NEAR(sum({11, 12, 13, 14}), 0, 1e-12);                      // phosphatase
}

}  // namespace
}  // namespace warpsieve::workloads::test
