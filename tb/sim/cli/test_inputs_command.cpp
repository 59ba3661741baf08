// warpsieve inputs: every generator writes a file that its statistics and the readers take back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "program.h"
#include "support/shared_inputs.h"

namespace warpsieve::tb {
namespace {

using ::testing::HasSubstr;

TEST(InputsCommand, EveryKindIsReadBackAsWhatItIs) {
  const Scratch folder;
  const std::vector<std::tuple<std::string, std::string, std::string, std::uint64_t>> kinds = {
      {"photograph", "32", "image", 3 * 32 * 32},
      {"picture", "32", "image", 3 * 32 * 32},
      {"speckle", "32", "image", 3 * 32 * 32},
      {"road", "400", "graph", 0},
      {"rmat", "256", "graph", 4 * 8 * 256},
      {"grid", "8", "graph", 4 * 4 * 8 * 7},
      {"table", "50", "table", 4 * 34 * 50},
      {"temperature", "16", "map", 4 * 256},
      {"power", "16", "map", 4 * 256},
      {"weights", "100", "weights", 400}};
  const Ran list = warpsieve({"inputs", "list"});
  for (const auto& [kind, size, content, bytes] : kinds) {
    EXPECT_THAT(list.out, HasSubstr(kind));
    const std::string file = folder.path(kind + (content == "graph"     ? ".gr"
                                                 : content == "weights" ? ".f32"
                                                                        : ".txt"));
    const Ran written = warpsieve({"inputs", "write", kind, "-o", file, "--size", size, "--seed", "3"});
    ASSERT_EQ(written.code, 0) << written.err;
    const Ran stat = warpsieve({"inputs", "stat", file, "--json"});
    ASSERT_EQ(stat.code, 0) << stat.err;
    const auto json = nlohmann::json::parse(stat.out).at(0);
    EXPECT_EQ(json["content"], content) << kind;
    if (bytes > 0) {
      EXPECT_EQ(json["bytes"], bytes) << kind;
    }
  }
}

TEST(InputsCommand, TheSeedDecides) {
  const Scratch folder;
  const auto written = [&](const char* name, const char* seed) {
    warpsieve({"inputs", "write", "road", "-o", folder.path(name), "--size", "300", "--seed", seed});
    return read_file(folder.path(name));
  };
  const std::string one = written("a", "1");
  EXPECT_FALSE(one.empty());
  EXPECT_EQ(one, written("b", "1"));
  EXPECT_NE(one, written("c", "2"));
}

TEST(InputsCommand, AWorkloadRunsOnAWrittenFile) {
  const Scratch folder;
  const std::string graph = folder.path("road.gr");
  ASSERT_EQ(warpsieve({"inputs", "write", "road", "-o", graph, "--size", "300"}).code, 0);
  const Ran ran = warpsieve({"run", "-w", "bfs", "-s", "baseline", "--scale", "small", "--input", graph});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("clean"));
}

TEST(InputsCommand, AGeneratedFileIsWithinAFifthOfItsGenerator) {
  const Scratch folder;
  const std::string map = folder.path("power_512.txt"), noise = folder.path("noise.txt");
  ASSERT_EQ(warpsieve({"inputs", "write", "power", "-o", map, "--seed", "4"}).code, 0);
  const Ran same = warpsieve({"inputs", "compare", "power", map, "--json"});
  ASSERT_EQ(same.code, 0) << same.err;
  const auto figures = nlohmann::json::parse(same.out);
  EXPECT_EQ(figures.size(), 6u);
  for (const auto& f : figures) EXPECT_TRUE(f["within"].get<bool>()) << f;
  // Another kind of map is not: the comparison can fail.
  ASSERT_EQ(warpsieve({"inputs", "write", "temperature", "-o", noise}).code, 0);
  const auto others = nlohmann::json::parse(warpsieve({"inputs", "compare", "power", noise, "--json"}).out);
  EXPECT_TRUE(
      std::any_of(others.begin(), others.end(), [](const auto& f) { return !f["within"].template get<bool>(); }));
  const Ran table = warpsieve({"inputs", "compare", "power", map});
  EXPECT_THAT(table.out, HasSubstr("off-chip requests under bpc"));
}

class GeneratorOf : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(GeneratorOf, IsWithinAFifthOfItsGenerator) {
  const auto& [kind, name] = GetParam();
  SHARED_INPUT(file, "inputs_real/" + name);
  const Ran ran = warpsieve({"inputs", "compare", kind, file, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const auto& f : nlohmann::json::parse(ran.out)) EXPECT_TRUE(f["within"].get<bool>()) << f;
}

INSTANTIATE_TEST_SUITE_P(
    Generators, GeneratorOf,
    ::testing::Values(std::pair("road", "NY.gr.xz"), std::pair("picture", "dwt2d_rgb_1024.bmp.xz"),
                      std::pair("photograph", "flower.ppm.xz"), std::pair("table", "kmeans_kdd_cup.xz"),
                      std::pair("power", "power_512.xz"), std::pair("temperature", "temp_512.xz"),
                      std::pair("weights", "tiny_face_detector/tiny_face_detector_model-weights_manifest.json")),
    [](const auto& i) { return i.param.first; });

TEST(InputsCommand, MistakesAreOneLine) {
  const Scratch folder;
  const std::string text = folder.write("words.txt", "no graph\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"inputs", "write", "tree", "-o", folder.path("x")}, "expected photograph, picture"},
      {{"inputs", "write", "road", "-o", folder.path("x"), "--size", "2"},
       "--size 2: expected vertices of 'road' from 64"},
      {{"inputs", "write", "road", "-o", folder.path("none/x"), "--size", "64"}, "none/x: cannot write"},
      {{"inputs", "compare", "rmat", text}, "expected photograph, picture"},
      {{"inputs", "compare", "road", text}, "expected a graph: an edge list, Matrix Market"},
      {{"inputs", "stat", folder.path("missing")}, "missing:1: expected a file"},
      {{"inputs", "stat", text, "--as", "graph"}, "expected a graph: an edge list, Matrix Market"},
      {{"inputs", "stat", text, "--as", "image"}, "expected an image (PNG"}};
  for (const auto& [words, says] : wrong) {
    const Ran ran = warpsieve(words);
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr(says));
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

}  // namespace
}  // namespace warpsieve::tb
