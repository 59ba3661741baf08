// Graph readers (counts, index bases, errors) and generators.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "inputs/graph.h"
#include "sim/inputs/support.h"
#include "support/property.h"

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
      {mtx + "complex general\n2 2 1\n1 1 50000\n",
       "bad.mtx:3: expected an imaginary part (a finite number), found the end of the line"},
      {mtx + "quaternion general\n2 2 1\n1 1 5\n",
       "bad.mtx:1: expected one of pattern, real, double, integer, unsigned-integer, complex, found 'quaternion'"},
      {mtx + "real lopsided\n2 2 1\n1 1 5\n",
       "bad.mtx:1: expected one of general, symmetric, skew-symmetric, hermitian, found 'lopsided'"},
      {mtx + "real skew-symmetric\n2 2 1\n1 1 5\n",
       "bad.mtx:3: expected no entry on the diagonal of a skew-symmetric matrix, found one"},
      {mtx + "pattern hermitian\n2 2 1\n1 1\n", "bad.mtx:1: expected values in an array"},
      {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n\n",
       "bad.mtx:2: expected at most 3 values in the 6 bytes that follow, found a count of 4"},
      {"%%MatrixMarket matrix sparse real general\n2 2 1\n1 1 1\n",
       "bad.mtx:1: expected 'matrix coordinate' or 'matrix array', found 'matrix sparse'"},
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
      {"a.txt", "hello world\n",
       "a.txt:1: expected a graph: an edge list, Matrix Market, METIS, DIMACS, PACE, ECL (.egr) or Rodinia bfs text, "
       "found 'hello'"},
      {"a.gr", "p maze 2 1\n1 2\n",
       "a.gr:1: expected 'p' and one of sp, max, min, edge, col (DIMACS), tw, td, ds, vc, cep (PACE), found 'p "
       "maze'"},
      {"a.gr", "p tw 2 1\n1 3\n", "a.gr:2: expected a vertex from 1 to 2, found '3'"},
      {"a.gr", "p tw 3 1\n1 2\n2 3\n", "a.gr:3: expected 1 edges, found one more"},
      {"a.gr", "p tw 3 2\n1 2\n     \n", "expected 2 arcs, found 1"},
      {"a.csv", "from,to\n1,2\n1,x\n", "a.csv:3: expected a second vertex number from 0 to"},
      {"a.csv", "1,2\n1,-2\n", "a.csv:2: expected a second vertex number from 0 to"},
      {"a.csv", "1,2\n1,2,3\n", "a.csv:2: expected 2 columns as in the first line, found 3"},
      {"a.el", "1 2 0.5\n1 2 inf\n", "a.el:2: expected a weight (a finite number), found 'inf'"},
      {"a.el", "1 2\n\xf8\x01 2\n",
       "a.el:2: expected a vertex number from 0 to 9223372036854775807, found '\\xf8\\x01'"},
      {"a.el", "# nothing\n", "a.el:2: expected edges, one per line, found none"},
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

TEST(MatrixMarket, OtherHalvesAndMagnitudes) {
  const std::string mtx = "%%MatrixMarket matrix ";
  const Graph skew = parse_graph("x", mtx + "coordinate real skew-symmetric\n3 3 2\n2 1 5\n3 2 -7\n");
  EXPECT_EQ(skew.row, Ints({0, 1, 3, 4}));
  EXPECT_EQ(skew.weight, Floats({-5, 5, 7, -7}));
  const Graph complex = parse_graph("x", mtx + "coordinate complex hermitian\n2 2 2\n1 1 2 0\n2 1 3 -4\n");
  EXPECT_EQ(complex.col, Ints({0, 1, 0}));
  EXPECT_EQ(complex.weight, Floats({2, 5, 5}));
  const Graph array = parse_graph("x", mtx + "array integer general\n2 2\n0\n3\n4\n0\n");  // column by column
  EXPECT_EQ(array.row, Ints({0, 1, 2}));
  EXPECT_EQ(array.weight, Floats({4, 3}));
  const Graph half = parse_graph("x", mtx + "array real symmetric\n2 2\n1\n3\n0\n");
  EXPECT_EQ(half.col, Ints({0, 1, 0}));
  EXPECT_EQ(parse_graph("x", mtx + "array real skew-symmetric\n2 2\n3\n").weight, Floats({-3, 3}));
}

TEST(Dimacs, FlowsCostsAndColours) {
  const Graph flow = parse_graph("x", "c max\np max 3 2\nn 1 s\nn 3 t\na 1 2 5\na 2 3 6\n");
  EXPECT_EQ(flow.weight, Floats({5, 6}));
  EXPECT_EQ(parse_graph("x", "p min 2 1\nn 1 4\na 1 2 0 9 3\n").weight, Floats({3}));
  const Graph colour = parse_graph("a.col", "c queens\np edge 3 2\ne 1 2\ne 3 2\n");
  EXPECT_EQ(colour.row, Ints({0, 1, 3, 4}));
  EXPECT_TRUE(colour.weight.empty());
  // Files that count each edge once and list it twice, and the other way round.
  EXPECT_EQ(parse_graph("a.col", "p col 2 1\ne 1 2\ne 2 1\n").arcs(), 2);
  EXPECT_EQ(parse_graph("a.col", "p edge 2 2\ne 1 2\n").arcs(), 2);
}

TEST(Pace, EdgesBecomeTwoArcs) {
  const Graph g = parse_graph("x", "c treewidth\np tw 4 3\n1 2\n2 3\nc more\n4 2\n");
  EXPECT_EQ(g.row, Ints({0, 1, 4, 5, 6}));
  EXPECT_EQ(g.col, Ints({1, 0, 2, 3, 1, 1}));
}

TEST(EdgeList, CommentsGapsAndWeights) {
  const Graph snap = parse_graph("roads.txt", "# Directed graph\n# FromNodeId\tToNodeId\n10\t30\n30\t20\n10\t20\n");
  EXPECT_EQ(snap.vertices, 3);
  EXPECT_EQ(snap.row, Ints({0, 2, 2, 3}));
  EXPECT_EQ(snap.col, Ints({2, 1, 1}));
  EXPECT_TRUE(snap.weight.empty());
  const Graph csv = parse_graph("x.csv", "source,target,weight,time\n0,1,0.5,7\n1, 2,-1,8\n");
  EXPECT_EQ(csv.row, Ints({0, 1, 2, 2}));
  EXPECT_EQ(csv.weight, Floats({0.5f, -1}));
  EXPECT_EQ(parse_graph("out.konect", "% sym unweighted\n1 2\n2 3\n").arcs(), 4);
  EXPECT_EQ(parse_graph("x", "# Undirected graph: a\n1 2\n2 1\n3 3\n").arcs(), 3);  // each once, a loop is one arc
  EXPECT_EQ(parse_graph("x.txt", "0 1\n1 2\n2 0\n").arcs(), 3);
}

TEST(EdgeList, MetisFilesStayWhatTheyWere) {
  EXPECT_EQ(parse_graph("x", "3 3\n2 3\n1 3\n1 2\n").arcs(), 6);
  EXPECT_EQ(parse_graph("x", "3 1\n1 2\n2 3\n3 1\n").vertices, 3);  // six words are not twice one edge
}

std::string egr(const Graph& g) {
  std::string bytes;
  const auto put = [&](int v) {
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(v >> (8 * i));
  };
  put(g.vertices);
  put(g.arcs());
  for (const int v : g.row) put(v);
  for (const int v : g.col) put(v);
  for (const float w : g.weight) put(static_cast<int>(w));
  return bytes;
}

TEST(Ecl, ErrorsNameTheByte) {
  const std::string good = egr(grid_graph(3, 2, 1));
  const auto with = [&](std::size_t word, int value) {
    std::string bad = good;
    for (std::size_t i = 0; i < 4; ++i) bad[4 * word + i] = static_cast<char>(value >> (8 * i));
    return error_of([&] { parse_graph("g.egr", bad); });
  };
  EXPECT_EQ(with(0, 0), "g.egr: byte 0: expected a number of vertices from 1 to 268435456, found 0");
  EXPECT_EQ(with(1, -1), "g.egr: byte 4: expected a number of arcs from 0 to 1073741824, found -1");
  EXPECT_EQ(with(2, 1), "g.egr: byte 8: expected 0, the first arc of vertex 0, found 1");
  EXPECT_EQ(with(3, 99), "g.egr: byte 12: expected the first arc of vertex 1, from 0 to 14, found 99");
  EXPECT_EQ(with(8, 13), "g.egr: byte 32: expected 14, the end of the arcs, found 13");
  EXPECT_EQ(with(9, 6), "g.egr: byte 36: expected a head from 0 to 5, found 6");
  EXPECT_EQ(error_of([&] { parse_graph("g.egr", good.substr(0, good.size() - 1)); }),
            "g.egr: byte 8: expected a file of 92 bytes, or of 148 with weights, found 147 bytes");
}

bool same(const Graph& a, const Graph& b) { return a.row == b.row && a.col == b.col && a.weight == b.weight; }

TEST(GraphProperty, EveryFormatGivesTheGraphBack) {
  tb::check_property("inputs/graphs", 200, [] {
    const int n = *rc::gen::inRange(1, 12);
    std::vector<Arc> arcs;
    for (int i = 0, m = *rc::gen::inRange(1, 40); i < m; ++i)
      arcs.push_back(
          {*rc::gen::inRange(0, n), *rc::gen::inRange(0, n), static_cast<float>(*rc::gen::inRange(0, 99))});
    const Graph g = from_arcs(n, arcs, true);
    std::string gr = fmt::format("p sp {} {}\n", n, arcs.size()),
                mtx = fmt::format("%%MatrixMarket matrix coordinate integer general\n{0} {0} {1}\n", n, arcs.size()),
                list = "from,to,weight\r\n";
    // A vertex without arcs is not in an edge list.
    for (int v = 0; v < n; ++v) list += fmt::format("{0},{0},0\r\n", 3 * v + 5);
    std::vector<Arc> with_loops;
    for (int v = 0; v < n; ++v) with_loops.push_back({v, v, 0});
    for (const Arc& a : arcs) {
      gr += fmt::format("a {} {} {}\n", a.from + 1, a.to + 1, a.weight);
      mtx += fmt::format("{} {} {}\n", a.from + 1, a.to + 1, a.weight);
      list += fmt::format("{},{},{}\r\n", 3 * a.from + 5, 3 * a.to + 5, a.weight);
      with_loops.push_back(a);
    }
    RC_ASSERT(same(parse_graph("x", gr), g));
    RC_ASSERT(same(parse_graph("x", mtx), g));
    RC_ASSERT(same(parse_graph("x", egr(g)), g));
    RC_ASSERT(same(parse_graph("x", list), from_arcs(n, with_loops, true)));
    const Graph both = both_ways(n, arcs, false);
    std::string pace = fmt::format("p tw {} {}\n", n, arcs.size());
    for (const Arc& a : arcs) pace += fmt::format("{} {}\n", a.from + 1, a.to + 1);
    RC_ASSERT(same(parse_graph("x", pace), both));
  });
}

TEST(GraphFuzz, DamagedFilesAreReadOrRefusedInOneLine) {
  const std::pair<std::string, std::string> valid[] = {
      {"f.mtx", "%%MatrixMarket matrix coordinate real symmetric\n%c\n4 4 4\n1 1 1.5\n2 1 2\n3 2 -3e2\n4 1 4\n"},
      {"f.graph", "4 4 1\n2 5 3 6\n1 5 4 7\n1 6 4 8\n2 7 3 8\n"},
      {"f.gr", "c x\np sp 4 4\na 1 2 3\na 2 3 4\na 3 4 5\na 4 1 6\n"},
      {"f.txt", "3\n0 2\n2 1\n3 0\n\n2\n\n3\n1 9\n2 8\n0 7\n"},
      {"g.gr", "c x\np tw 4 4\n1 2\n2 3\n3 4\n4 1\n"},
      {"f.csv", "from,to,weight\n0,1,2.5\n1,2,3\n7,4,5\n"},
      {"a.mtx", "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n"},
      {"f.egr", egr(grid_graph(3, 2, 1))}};
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
  SHARED_INPUT(path, "inputs/graphs/PGPgiantcompo.graph");
  const Graph g = read_graph(path);
  EXPECT_EQ(g.vertices, 10680);
  EXPECT_EQ(g.arcs(), 2 * 24316);
  int top = 0;
  for (int v = 0; v < g.vertices; ++v) top = std::max(top, g.degree(v));
  EXPECT_EQ(top, 205);
}

TEST(RealGraphs, Rome99HasItsPublishedCounts) {
  SHARED_INPUT(path, "inputs/graphs/rome99.gr");
  const Graph g = read_graph(path);
  EXPECT_EQ(g.vertices, 3353);
  EXPECT_EQ(g.arcs(), 8870);
  EXPECT_EQ(g.weight.size(), 8870u);
}

}  // namespace
}  // namespace warpsieve::inputs::test
