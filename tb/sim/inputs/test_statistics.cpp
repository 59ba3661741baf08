// Statistics of inputs by hand, and generators beside the real files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "inputs/natural.h"
#include "inputs/statistics.h"
#include "sim/inputs/support.h"
#include "support/tree.h"

namespace warpsieve::inputs::test {
namespace {

using ::testing::HasSubstr;

nlohmann::json real_statistics() {
  std::ifstream file(tb::in_sources("sim_cpp/inputs/data/real_statistics.json"));
  return nlohmann::json::parse(file);
}

Statistics generated(const std::string& kind, std::uint64_t seed) { return fitted_contents(kind, seed).statistics; }

/// Every figure of `s` that `row` has, beside it.
std::vector<std::tuple<std::string, double, double>> beside(const Statistics& s, const nlohmann::json& row) {
  std::vector<std::tuple<std::string, double, double>> out;
  for (const auto& [name, value] :
       std::initializer_list<std::pair<const char*, double>>{{"intra", s.intra},
                                                             {"inter", s.inter},
                                                             {"entropy", s.entropy},
                                                             {"repeated", s.repeated},
                                                             {"step", s.step},
                                                             {"degree_mean", s.degree_mean},
                                                             {"near", s.near}})
    if (row.contains(name)) out.emplace_back(name, value, row[name].get<double>());
  if (row.contains("degrees"))
    for (std::size_t d = 0; d < s.degrees.size(); ++d)
      out.emplace_back("degree " + std::to_string(d), s.degrees[d], row["degrees"][d].get<double>());
  return out;
}

TEST(Statistics, OfLinesMadeByHand) {
  // A uniform line, a line of its own, the same again, and half a line that does not count.
  std::string bytes(128, 'a'), other;
  for (int i = 0; i < 128; ++i) other += static_cast<char>(i);
  bytes += other + other + std::string(64, 'a');
  const Statistics s = statistics_of(bytes);
  EXPECT_EQ(s.lines, 3u);
  EXPECT_DOUBLE_EQ(s.intra, 1.0 / 3);
  EXPECT_DOUBLE_EQ(s.inter, 1.0 / 3);
  EXPECT_DOUBLE_EQ(statistics_of(std::string(256, 'x')).inter, 0);
  EXPECT_DOUBLE_EQ(statistics_of(other).entropy, 7);
  // Words of two alternating values are no uniform line.
  std::string alternating;
  for (int i = 0; i < 16; ++i) alternating += "aaaabbbb";
  EXPECT_DOUBLE_EQ(statistics_of(alternating).intra, 0);
  EXPECT_DOUBLE_EQ(statistics_of(alternating).entropy, 1);
}

TEST(Statistics, NeighboursOfPixelsAndRows) {
  const Statistics image = statistics_of(Image{3, 2, 1, {10, 10, 14, 0, 2, 2}});
  EXPECT_DOUBLE_EQ(image.repeated, 0.5);
  EXPECT_DOUBLE_EQ(image.step, 1.5);
  EXPECT_DOUBLE_EQ(statistics_of(Content::table, {1, 2, 1, 3, 1, 3}, 2).repeated, 0.75);
  EXPECT_DOUBLE_EQ(statistics_of(Content::map, {1, 1, 2, 2}, 1).repeated, 2.0 / 3);
}

TEST(Statistics, DegreesOfAStar) {
  std::vector<Arc> arcs;
  for (int v = 1; v <= 40; ++v) arcs.push_back({0, v, 0});
  const Statistics s = statistics_of(both_ways(42, arcs, false));
  EXPECT_EQ(s.degree_max, 40);
  EXPECT_NEAR(s.degrees[0], 1.0 / 42, 1e-9);
  EXPECT_NEAR(s.degrees[1], 40.0 / 42, 1e-9);
  EXPECT_NEAR(s.degrees[5], 1.0 / 42, 1e-9);
  EXPECT_DOUBLE_EQ(s.near, 32.0 / 40);
}

TEST(Statistics, ContentIsFound) {
  EXPECT_EQ(content_of("a", "P6\n1 1\n255\nabc"), Content::image);
  EXPECT_EQ(content_of("a.gr.xz", "c road\np sp 1 0\n"), Content::graph);
  EXPECT_EQ(content_of("a", "\xef\xbb\xbf%%MatrixMarket matrix"), Content::graph);
  EXPECT_EQ(content_of("a", "0.5\n0.25\n"), Content::map);
  EXPECT_EQ(content_of("a", "1 2 3 4 5\n2 2 3 4 5\n"), Content::table);
  EXPECT_EQ(content_of("a", std::string("\0\1", 2)), Content::bytes);
  EXPECT_THAT(error_of([] { content_named("tree"); }), HasSubstr("expected one of image, graph, table"));
}

TEST(Statistics, WeightsAreScaledBack) {
  const TemporaryFile shard("shard1", std::string("\0\2\xff", 3));
  const std::string name = std::filesystem::path(shard.path()).filename().string();
  const auto manifest = [&](int count) {
    return "[{\"paths\":[\"" + name + "\"],\"weights\":[{\"name\":\"w\",\"shape\":[" + std::to_string(count) +
           "],\"quantization\":{\"dtype\":\"uint8\",\"scale\":0.5,\"min\":-1}}]}]";
  };
  const TemporaryFile good("good.json", manifest(3)), bad("bad.json", manifest(4)), cut("cut.json", "[{\"paths\":");
  EXPECT_EQ(read_weights(good.path()), (std::vector<float>{-1, 0, 126.5}));
  EXPECT_THAT(error_of([&] { read_weights(bad.path()); }), HasSubstr("expected 4 values"));
  EXPECT_THAT(error_of([&] { read_weights(cut.path()); }), HasSubstr("expected a manifest"));
}

TEST(Generators, AreWithinAFifthOfTheRealFiles) {
  for (const nlohmann::json& row : real_statistics())
    for (const std::uint64_t seed : {1, 2}) {
      const std::string kind = row["kind"];
      // Shares below 2 % on both sides are as good as none.
      for (const auto& [name, found, real] : beside(generated(kind, seed), row))
        EXPECT_TRUE(std::fabs(found - real) <= 0.2 * real || std::max(found, real) < 0.02)
            << kind << " seed " << seed << ' ' << name << ": " << found << ", real " << real;
    }
}

TEST(Generators, FiltersHaveTheSpreadOfTrainedOnes) {
  for (const std::uint64_t seed : {1, 2}) {
    const std::vector<float> w = trained_filters(1024, 288, seed);
    double square = 0, fourth = 0, sum = 0;
    for (const double v : w) {
      sum += v;
      square += v * v;
      fourth += v * v * v * v;
    }
    const auto n = static_cast<double>(w.size());
    EXPECT_NEAR(sum / n, 0, 1e-3);
    EXPECT_NEAR(square / n, 2.0 / 288, 0.05 * 2.0 / 288);
    // The median of the layers of the real detector; single layers have 2.6 to 5.2.
    EXPECT_NEAR(fourth / n / (square / n) / (square / n), 3.9, 0.4);
  }
  EXPECT_THAT(error_of([] { trained_filters(0, 1, 1); }), HasSubstr("filters: expected 1 to"));
}

TEST(Statistics, SamplesAreWholeLinesFromTheWholeInput) {
  std::string bytes;
  for (int line = 0; line < 1000; ++line) bytes += std::string(128, static_cast<char>(line % 251));
  EXPECT_EQ(sample(bytes, 1 << 20), bytes);
  const std::string part = sample(bytes, 64 * 256);
  ASSERT_EQ(part.size(), 64u * 256);
  for (std::size_t i = 0; i < part.size(); i += 128) EXPECT_EQ(part.substr(i, 128), std::string(128, part[i]));
  EXPECT_EQ(part.substr(0, 256), bytes.substr(0, 256));
  EXPECT_EQ(sample(bytes, 100), bytes.substr(0, 100));
}

TEST(Generators, RoadsAreConnected) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Graph g = road_graph(5000, seed);
    std::vector<int> queue = {0};
    std::vector<bool> seen(static_cast<std::size_t>(g.vertices));
    seen[0] = true;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (int k = g.row[static_cast<std::size_t>(queue[i])]; k < g.row[static_cast<std::size_t>(queue[i]) + 1];
           ++k) {
        const int v = g.col[static_cast<std::size_t>(k)];
        if (!seen[static_cast<std::size_t>(v)]) queue.push_back(v);
        seen[static_cast<std::size_t>(v)] = true;
      }
    EXPECT_EQ(queue.size(), static_cast<std::size_t>(g.vertices)) << "seed " << seed;
    EXPECT_NEAR(g.vertices, 5000, 500) << "seed " << seed;
  }
}

TEST(Generators, SameSeedSameInputOtherSeedAnother) {
  EXPECT_EQ(photograph(40, 30, 3, 5).pixels, photograph(40, 30, 3, 5).pixels);
  EXPECT_NE(photograph(40, 30, 3, 5).pixels, photograph(40, 30, 3, 6).pixels);
  EXPECT_EQ(road_graph(500, 5).col, road_graph(500, 5).col);
  EXPECT_NE(road_graph(500, 5).col, road_graph(500, 6).col);
  EXPECT_THAT(error_of([] { road_graph(3, 1); }), HasSubstr("expected 64 to"));
}

TEST(RealFiles, HaveTheRecordedStatistics) {
  SHARED_INPUT(folder, "inputs_real");
  for (const nlohmann::json& row : real_statistics()) {
    const bool weights = row["kind"] == "weights";
    const std::string path = folder + "/" + (weights ? "tiny_face_detector/" : "") + row["file"].get<std::string>();
    const Statistics s = measure_file(path);
    EXPECT_EQ(name_of(s.content), row["content"].get<std::string>());
    EXPECT_EQ(s.bytes, row["bytes"].get<std::uint64_t>());
    for (const auto& [name, found, real] : beside(s, row)) EXPECT_NEAR(found, real, 6e-6) << path << ' ' << name;
  }
}

}  // namespace
}  // namespace warpsieve::inputs::test
