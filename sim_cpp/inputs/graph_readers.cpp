#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "inputs/graph.h"

namespace warpsieve::inputs {
namespace {

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

int vertex_count(TextReader& in, std::string_view what) {
  const std::int64_t n = in.integer_here(what, 1, kMaxVertices);
  // Every format spends at least one byte per vertex that has any use.
  if (static_cast<std::uint64_t>(n) > in.bytes())
    in.fail(fmt::format("{} of at most the file's {} bytes", what, in.bytes()), std::to_string(n));
  return static_cast<int>(n);
}

Graph read_matrix_market(TextReader& in) {
  in.word();  // %%MatrixMarket
  const std::string object = lower(in.word()), format = lower(in.word()), field = lower(in.word()),
                    symmetry = lower(in.word());
  if (object != "matrix" || format != "coordinate")
    in.fail("'matrix coordinate'", fmt::format("'{:.20} {:.20}'", object, format));
  if (field != "pattern" && field != "real" && field != "integer")
    in.fail("'pattern', 'real' or 'integer'", fmt::format("'{:.20}'", field));
  if (symmetry != "general" && symmetry != "symmetric")
    in.fail("'general' or 'symmetric'", fmt::format("'{:.20}'", symmetry));
  in.next_line();
  in.skip_lines_starting_with('%');
  const int rows = vertex_count(in, "a number of rows");
  const int cols = vertex_count(in, "a number of columns");
  if (rows != cols) in.fail(fmt::format("a square matrix ({0} x {0})", rows), fmt::format("{} columns", cols));
  const std::int64_t entries = in.integer_here("a number of entries", 0, kMaxArcs / 2);
  const bool weighted = field != "pattern";
  in.check_count(entries, weighted ? 6 : 4, "entries");
  in.expect_line_end("the size line");
  const bool symmetric = symmetry == "symmetric";
  std::vector<Arc> arcs;
  arcs.reserve(static_cast<std::size_t>(entries) * (symmetric ? 2 : 1));
  for (std::int64_t i = 0; i < entries; ++i) {
    in.skip_lines_starting_with('%');
    Arc a;
    a.from = static_cast<int>(in.integer_here("a row number", 1, rows)) - 1;
    a.to = static_cast<int>(in.integer_here("a column number", 1, cols)) - 1;
    if (weighted) a.weight = static_cast<float>(in.real_here("a value"));
    in.expect_line_end("an entry");
    arcs.push_back(a);
    if (symmetric && a.from != a.to) arcs.push_back({a.to, a.from, a.weight});
  }
  if (!in.at_end()) in.fail_here(fmt::format("the end of the file after {} entries", entries));
  return from_arcs(rows, arcs, weighted);
}

Graph read_metis(TextReader& in) {
  in.skip_lines_starting_with('%');
  const int n = vertex_count(in, "a number of vertices");
  const std::int64_t edges = in.integer_here("a number of edges", 0, kMaxArcs / 2);
  std::int64_t format = 0, constraints = 1;
  if (!in.line_ended()) format = in.integer_here("a format code", 0, 111);
  if (format % 10 > 1 || format / 10 % 10 > 1)
    in.fail("a format code of three binary digits", std::to_string(format));
  if (!in.line_ended()) constraints = in.integer_here("a number of vertex weights", 1, 64);
  const bool edge_weights = format % 10 == 1, vertex_weights = format / 10 % 10 == 1, sizes = format / 100 == 1;
  in.check_count(2 * edges, edge_weights ? 4 : 2, "neighbours");
  in.check_count(n, 1, "vertex lines");
  in.expect_line_end("the header");
  Graph g;
  g.vertices = n;
  g.row.reserve(static_cast<std::size_t>(n) + 1);
  g.row.push_back(0);
  g.col.reserve(static_cast<std::size_t>(2 * edges));
  for (int v = 0; v < n; ++v) {
    while (in.peek() == '%') in.next_line();
    if (in.bytes_left() == 0 && v + 1 < n)
      in.fail(fmt::format("the line of vertex {} of {}", v + 1, n), "the end of the file");
    if (sizes) in.integer_here("a vertex size", 0, 1 << 30);
    if (vertex_weights)
      for (std::int64_t c = 0; c < constraints; ++c) in.integer_here("a vertex weight", 0, 1 << 30);
    while (!in.line_ended()) {
      if (static_cast<std::int64_t>(g.col.size()) == 2 * edges)
        in.fail_here(fmt::format("no more than {} neighbours (2 x {} edges)", 2 * edges, edges));
      g.col.push_back(static_cast<int>(in.integer_here("a neighbour", 1, n)) - 1);
      if (edge_weights) g.weight.push_back(static_cast<float>(in.integer_here("an edge weight", 0, 1 << 30)));
    }
    in.next_line();
    g.row.push_back(static_cast<int>(g.col.size()));
  }
  if (static_cast<std::int64_t>(g.col.size()) != 2 * edges)
    in.fail(fmt::format("{} neighbours (2 x {} edges)", 2 * edges, edges), std::to_string(g.col.size()));
  if (!in.at_end()) in.fail_here(fmt::format("the end of the file after {} vertex lines", n));
  return g;
}

Graph read_dimacs(TextReader& in) {
  int n = 0;
  std::int64_t m = 0;
  std::vector<Arc> arcs;
  for (in.skip_lines_starting_with('c'); !in.at_end(); in.skip_lines_starting_with('c')) {
    const std::string_view kind = in.word();
    if (kind == "p") {
      if (n != 0) in.fail("one problem line", "a second one");
      if (in.line_ended() || in.word() != "sp") in.fail("'p sp VERTICES ARCS'", "another problem line");
      n = vertex_count(in, "a number of vertices");
      m = in.integer_here("a number of arcs", 0, kMaxArcs);
      in.check_count(m, 8, "arcs");
      arcs.reserve(static_cast<std::size_t>(m));
    } else if (kind == "a") {
      if (n == 0) in.fail("the problem line before the arcs", "an arc");
      if (static_cast<std::int64_t>(arcs.size()) == m) in.fail(fmt::format("{} arcs", m), "one more");
      Arc a;
      a.from = static_cast<int>(in.integer_here("a tail", 1, n)) - 1;
      a.to = static_cast<int>(in.integer_here("a head", 1, n)) - 1;
      a.weight = static_cast<float>(in.integer_here("a weight", 0, 1 << 30));
      arcs.push_back(a);
    } else {
      in.fail("a line that starts with c, p or a",
              fmt::format("a line with {} other characters in front", kind.size()));
    }
    in.expect_line_end(kind == "p" ? "the problem line" : "an arc");
  }
  if (n == 0) in.fail("'p sp VERTICES ARCS'", "no problem line");
  if (static_cast<std::int64_t>(arcs.size()) != m) in.fail(fmt::format("{} arcs", m), std::to_string(arcs.size()));
  return from_arcs(n, arcs, true);
}

Graph read_rodinia(TextReader& in) {
  in.at_end();
  const int n = vertex_count(in, "a number of vertices");
  in.check_count(n, 4, "vertex records");
  std::vector<std::pair<std::int64_t, std::int64_t>> records;
  records.reserve(static_cast<std::size_t>(n));
  std::int64_t total = 0;
  for (int v = 0; v < n; ++v) {
    const std::int64_t start = in.integer("a first arc", 0, kMaxArcs);
    const std::int64_t degree = in.integer("a degree", 0, kMaxArcs);
    records.emplace_back(start, degree);
    total += degree;
    if (total > kMaxArcs) in.fail(fmt::format("degrees that add up to at most {}", kMaxArcs), std::to_string(total));
  }
  Graph g;
  g.vertices = n;
  g.source = static_cast<int>(in.integer("a source vertex", 0, n - 1));
  const std::int64_t m = in.integer("a number of arcs", 0, kMaxArcs);
  in.check_count(m, 4, "arcs");
  if (m != total) in.fail(fmt::format("{} arcs (the sum of the degrees)", total), std::to_string(m));
  std::vector<int> heads(static_cast<std::size_t>(m));
  std::vector<float> weights(heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    heads[i] = static_cast<int>(in.integer("a head", 0, n - 1));
    weights[i] = static_cast<float>(in.integer("a weight", 0, 1 << 30));
  }
  if (!in.at_end()) in.fail_here(fmt::format("the end of the file after {} arcs", m));
  g.row.push_back(0);
  g.col.reserve(heads.size());
  for (const auto& [start, degree] : records) {
    if (start + degree > m)
      in.fail(fmt::format("arcs of a vertex within the {} of the file", m),
              fmt::format("{} to {}", start, start + degree));
    for (std::int64_t e = start; e < start + degree; ++e) {
      g.col.push_back(heads[static_cast<std::size_t>(e)]);
      g.weight.push_back(weights[static_cast<std::size_t>(e)]);
    }
    g.row.push_back(static_cast<int>(g.col.size()));
  }
  return g;
}

/// Whether the name ends so, a compressed file's second ending (.gz, .xz, .zst) left out.
bool ends_with(const std::string& name, std::string_view end) {
  const std::string all = lower(name);
  std::string_view rest = all;
  for (const std::string_view packed : {".gz", ".xz", ".zst"})
    if (rest.ends_with(packed)) rest.remove_suffix(packed.size());
  return rest.ends_with(end);
}

}  // namespace

Graph parse_graph(const std::string& name, std::string_view whole) {
  const std::string_view text = without_mark(whole);
  TextReader in(name, text);
  if (text.starts_with("%%MatrixMarket")) return read_matrix_market(in);
  if (ends_with(name, ".mtx")) in.fail("'%%MatrixMarket' at the start", "something else");
  if (ends_with(name, ".gr")) return read_dimacs(in);
  if (ends_with(name, ".graph") || ends_with(name, ".metis")) return read_metis(in);
  // By content: DIMACS lines start with a letter, METIS has 2 to 4 numbers in its first line, Rodinia one.
  if (text.starts_with("c ") || text.starts_with("c\n") || text.starts_with("p sp")) return read_dimacs(in);
  TextReader look(name, text);
  look.skip_lines_starting_with('%');
  look.integer("a number of vertices (Matrix Market, DIMACS, METIS and Rodinia graphs are known)", 1, kMaxVertices);
  return look.line_ended() ? read_rodinia(in) : read_metis(in);
}

Graph read_graph(const std::string& path) { return parse_graph(path, read_file(path)); }

}  // namespace warpsieve::inputs
