// Graph readers (counts, index bases, errors) and generators.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "inputs/graph.h"
#include "sim/inputs/support.h"

namespace warpsieve::inputs::test {
namespace {

using Ints = std::vector<int>;
using Floats = std::vector<float>;

TEST(MatrixMarket, GeneralRealCountsFromOne) {
  const Graph g = parse_graph(
      "a.mtx",
      "%%MatrixMarket matrix coordinate real general\n% a comment\n3 3 4\n1 2 1.5\n3 1 -2\n1 3 1e1\n2 2 4\n");
  EXPECT_EQ(g.vertices, 3);
  EXPECT_EQ(g.row, Ints({0, 2, 3, 4}));
  EXPECT_EQ(g.col, Ints({1, 2, 1, 0}));
  EXPECT_EQ(g.weight, Floats({1.5f, 10.0f, 4.0f, -2.0f}));
}

TEST(MatrixMarket, SymmetricPatternIsExpandedExceptTheDiagonal) {
  const Graph g = parse_graph("x", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n2 1\n3 2\n");
  EXPECT_EQ(g.arcs(), 5);
  EXPECT_EQ(g.row, Ints({0, 2, 4, 5}));
  EXPECT_EQ(g.col, Ints({0, 1, 0, 2, 1}));
  EXPECT_TRUE(g.weight.empty());
  EXPECT_EQ(g.source, -1);
}

TEST(Metis, CountsFromOneAndKeepsEmptyLines) {
  const Graph g = parse_graph("a.graph", "% comment\n4 2\n2 3\n1\n1\n\n");
  EXPECT_EQ(g.vertices, 4);
  EXPECT_EQ(g.row, Ints({0, 2, 3, 4, 4}));
  EXPECT_EQ(g.col, Ints({1, 2, 0, 0}));
}

TEST(Metis, EdgeAndVertexWeights) {
  const Graph g = parse_graph("a.graph", "3 2 11 1\n7 2 50 3 60\n8 1 50\n9 1 60\n");
  EXPECT_EQ(g.col, Ints({1, 2, 0, 0}));
  EXPECT_EQ(g.weight, Floats({50, 60, 50, 60}));
}

TEST(Dimacs, ArcsInAnyOrderCountFromOne) {
  const Graph g = parse_graph("a.gr", "c road\np sp 3 3\na 3 1 7\nc more\na 1 2 5\na 1 3 6\n");
  EXPECT_EQ(g.row, Ints({0, 2, 2, 3}));
  EXPECT_EQ(g.col, Ints({1, 2, 0}));
  EXPECT_EQ(g.weight, Floats({5, 6, 7}));
}

TEST(RodiniaGraph, CountsFromZeroAndNamesItsSource) {
  const Graph g = parse_graph("graph3.txt", "3\n0 2\n2 1\n3 0\n\n2\n\n3\n1 9\n2 8\n0 7\n");
  EXPECT_EQ(g.row, Ints({0, 2, 3, 3}));
  EXPECT_EQ(g.col, Ints({1, 2, 0}));
  EXPECT_EQ(g.weight, Floats({9, 8, 7}));
  EXPECT_EQ(g.source, 2);
}

TEST(GraphFormat, IsFoundByContentWithoutAnExtension) {
  EXPECT_EQ(parse_graph("x", "c road\np sp 2 1\na 1 2 5\n").arcs(), 1);
  EXPECT_EQ(parse_graph("x", "2 1\n2\n1\n").arcs(), 2);
  EXPECT_EQ(parse_graph("x", "1\n0 1\n0\n1\n0 4\n").arcs(), 1);
}

struct Bad {
  const char* name;
  const char* text;
  const char* message;
};

TEST(GraphErrors, SayWhereWhatWasExpectedAndWhatStoodThere) {
  const std::string mtx = "%%MatrixMarket matrix coordinate ";
  const std::pair<std::string, std::string> cases[] = {
      {mtx + "real general\n2 2 1\n1 3 5\n", "bad.mtx:3: expected a column number from 1 to 2, found '3'"},
      {mtx + "real general\n2 2 1\n0 1 5\n", "bad.mtx:3: expected a row number from 1 to 2, found '0'"},
      {mtx + "real general\n2 2 1\n1 1  \n",
       "bad.mtx:3: expected a value (a finite number), found the end of the line"},
      {mtx + "real general\n2 2 2\n1 1 5555555555\n",
       "bad.mtx:4: expected a row number from 1 to 2, found the end of the file"},
      {mtx + "real general\n2 2 1\n1 1 5\n2 2 5\n",
       "bad.mtx:4: expected the end of the file after 1 entries, found '2'"},
      {mtx + "real general\n2 2 999999999999\n1 1 5\n", "bad.mtx:2: expected a number of entries from 0 to"},
      {mtx + "real general\n2 2 99999999\n1 1 5\n",
       "bad.mtx:2: expected at most 1 entries in the 7 bytes that follow, found a count of 99999999"},
      {mtx + "real general\n200000000 200000000 1\n1 1 5\n",
       "bad.mtx:2: expected a number of rows of at most the file's"},
      {mtx + "real general\n2 3 1\n1 1 5\n", "bad.mtx:2: expected a square matrix (2 x 2), found 3 columns"},
      {mtx + "complex general\n2 2 1\n1 1 5 5\n",
       "bad.mtx:1: expected 'pattern', 'real' or 'integer', found 'complex'"},
      {mtx + "real skew-symmetric\n2 2 1\n1 1 5\n",
       "bad.mtx:1: expected 'general' or 'symmetric', found 'skew-symmetric'"},
      {mtx + "real general\n2 2 1\n1 1 nan\n", "bad.mtx:3: expected a value (a finite number), found 'nan'"},
      {mtx + "real general\n2 2 1\n1 99999999999999999999 1\n", "found '99999999999999999999'"},
      {std::string("\x7f"
                   "ELF\x01\x02\x00\x00",
                   8),
       "bad.mtx:1: expected '%%MatrixMarket' at the start"},
  };
  for (const auto& [text, message] : cases) {
    const std::string got = error_of([&, &text = text] { parse_graph("bad.mtx", text); });
    EXPECT_NE(got.find(message), got.npos) << got << "\nexpected: " << message;
    EXPECT_EQ(got.find('\n'), got.npos) << "one line: " << got;
  }
}

TEST(GraphErrors, OfTheOtherFormats) {
  const Bad cases[] = {
      {"a.graph", "3 1\n2\n4\n\n", "a.graph:3: expected a neighbour from 1 to 3, found '4'"},
      {"a.graph", "3 1\n2\n-1\n\n", "a.graph:3: expected a neighbour from 1 to 3, found '-1'"},
      {"a.graph", "3 2\n2\n1  \n  \n", "expected 4 neighbours (2 x 2 edges), found 2"},
      {"a.graph", "3 1\n2 3\n1\n\n", "expected no more than 2 neighbours (2 x 1 edges), found '1'"},
      {"a.graph", "2 1\n2\n1\n1\n", "expected the end of the file after 2 vertex lines, found '1'"},
      {"a.graph", "2 1000000\n2\n1\n", "a.graph:1: expected at most 3 neighbours"},
      {"a.graph", "0 0\n", "a.graph:1: expected a number of vertices from 1"},
      {"a.gr", "a 1 2 3\n", "a.gr:1: expected the problem line before the arcs"},
      {"a.gr", "p sp 2 1\na 1 2 -3\n", "a.gr:2: expected a weight from 0 to 1073741824, found '-3'"},
      {"a.gr", "p sp 2 2\na 1 2 3\n        \n", "expected 2 arcs, found 1"},
      {"a.gr", "p sp 2 1\na 1 2 3\na 1 2 3\n", "a.gr:3: expected 1 arcs, found one more"},
      {"a.gr", "p sp 2 1\nq 1 2 3\n", "expected a line that starts with c, p or a"},
      {"a.gr", "c nothing\n", "expected 'p sp VERTICES ARCS', found no problem line"},
      {"a.txt", "2\n0 1\n1 1\n0\n3\n1 1\n1 1\n1 1\n", "a.txt:5: expected 2 arcs (the sum of the degrees), found 3"},
      {"a.txt", "2\n0 1\n1 1\n2\n2\n1 1\n1 1\n", "a.txt:4: expected a source vertex from 0 to 1, found '2'"},
      {"a.txt", "2\n0 1\n7 1\n0\n2\n1 1\n1 1\n", "expected arcs of a vertex within the 2 of the file, found 7 to 8"},
      {"a.txt", "2\n0 1\n1 1\n0\n2\n1 1\n5 1\n", "a.txt:7: expected a head from 0 to 1, found '5'"},
      {"a.txt", "hello world\n", "a.txt:1: expected a number of vertices"},
  };
  for (const Bad& b : cases) {
    const std::string got = error_of([&] { parse_graph(b.name, b.text); });
    EXPECT_NE(got.find(b.message), got.npos) << got << "\nexpected: " << b.message;
  }
}

TEST(GraphErrors, MissingEmptyAndDirectory) {
  EXPECT_NE(error_of([] { read_graph("/no/such/file.gr"); }).find("/no/such/file.gr:1: expected a file"),
            std::string::npos);
  EXPECT_NE(error_of([] { read_graph("/tmp"); }).find("expected a regular file"), std::string::npos);
  const TemporaryFile empty("empty.gr", "");
  EXPECT_NE(error_of([&] { read_graph(empty.path()); }).find("found an empty file"), std::string::npos);
}

TEST(GraphFuzz, DamagedFilesAreReadOrRefusedInOneLine) {
  const std::pair<std::string, std::string> valid[] = {
      {"f.mtx", "%%MatrixMarket matrix coordinate real symmetric\n%c\n4 4 4\n1 1 1.5\n2 1 2\n3 2 -3e2\n4 1 4\n"},
      {"f.graph", "4 4 1\n2 5 3 6\n1 5 4 7\n1 6 4 8\n2 7 3 8\n"},
      {"f.gr", "c x\np sp 4 4\na 1 2 3\na 2 3 4\na 3 4 5\na 4 1 6\n"},
      {"f.txt", "3\n0 2\n2 1\n3 0\n\n2\n\n3\n1 9\n2 8\n0 7\n"}};
  for (const auto& [name, text] : valid)
    damage(text, [&, n = name](const std::string& bad) {
      const Graph g = parse_graph(n, bad);
      ASSERT_EQ(g.row.size(), static_cast<std::size_t>(g.vertices) + 1);
      ASSERT_EQ(g.row.back(), g.arcs());
      for (const int c : g.col) ASSERT_TRUE(c >= 0 && c < g.vertices);
    });
}

void check_simple(const Graph& g, int max_degree) {
  std::set<std::pair<int, int>> arcs;
  for (int v = 0; v < g.vertices; ++v) {
    EXPECT_LE(g.degree(v), max_degree);
    for (int e = g.row[static_cast<std::size_t>(v)]; e < g.row[static_cast<std::size_t>(v) + 1]; ++e) {
      const int u = g.col[static_cast<std::size_t>(e)];
      EXPECT_NE(u, v);
      EXPECT_TRUE(arcs.emplace(v, u).second) << "twice: " << v << " " << u;
    }
  }
  for (const auto& [v, u] : arcs) EXPECT_TRUE(arcs.contains({u, v}));
}

TEST(Rmat, IsSymmetricWithoutLoopsOrDuplicatesCappedAndSkewed) {
  const Graph g = rmat_graph(4096, 32768, 7, 64);
  EXPECT_EQ(g.vertices, 4096);
  EXPECT_EQ(g.arcs(), 32768);
  check_simple(g, 64);
  int top = 0;
  for (int v = 0; v < g.vertices; ++v) top = std::max(top, g.degree(v));
  EXPECT_EQ(top, 64);  // hubs reach the cap
  EXPECT_EQ(rmat_graph(4096, 32768, 7, 64).col, g.col);
  EXPECT_NE(rmat_graph(4096, 32768, 8, 64).col, g.col);
}

TEST(Rmat, AnyVertexCountAndRefusesTheImpossible) {
  check_simple(rmat_graph(1000, 5000, 1), 256);
  EXPECT_THROW(rmat_graph(10, 1000, 1), InputError);
}

TEST(Uniform, HasTheExactNumberOfArcs) {
  const Graph g = uniform_graph(2000, 12000, 3);
  EXPECT_EQ(g.arcs(), 12000);
  check_simple(g, 40);
}

TEST(Grid, HasFourNeighboursInsideAndSymmetricWeightsFrom1To100) {
  const Graph g = grid_graph(5, 4, 1);
  EXPECT_EQ(g.vertices, 20);
  EXPECT_EQ(g.arcs(), 2 * (4 * 4 + 5 * 3));
  EXPECT_EQ(g.degree(6), 4);
  EXPECT_EQ(g.degree(0), 2);
  check_simple(g, 4);
  std::map<std::pair<int, int>, float> weight;
  for (int v = 0; v < 20; ++v)
    for (int e = g.row[static_cast<std::size_t>(v)]; e < g.row[static_cast<std::size_t>(v) + 1]; ++e)
      weight[{v, g.col[static_cast<std::size_t>(e)]}] = g.weight[static_cast<std::size_t>(e)];
  for (const auto& [arc, w] : weight) {
    EXPECT_EQ(w, weight.at({arc.second, arc.first}));
    EXPECT_TRUE(w >= 1 && w <= 100);
  }
}

TEST(RealGraphs, PgpHasItsPublishedCounts) {
  const std::string path = "/work/shared/data/inputs/graphs/PGPgiantcompo.graph";
  SKIP_WITHOUT(path);
  const Graph g = read_graph(path);
  EXPECT_EQ(g.vertices, 10680);
  EXPECT_EQ(g.arcs(), 2 * 24316);
  int top = 0;
  for (int v = 0; v < g.vertices; ++v) top = std::max(top, g.degree(v));
  EXPECT_EQ(top, 205);
}

TEST(RealGraphs, Rome99HasItsPublishedCounts) {
  const std::string path = "/work/shared/data/inputs/graphs/rome99.gr";
  SKIP_WITHOUT(path);
  const Graph g = read_graph(path);
  EXPECT_EQ(g.vertices, 3353);
  EXPECT_EQ(g.arcs(), 8870);
  EXPECT_EQ(g.weight.size(), 8870u);
}

}  // namespace
}  // namespace warpsieve::inputs::test
