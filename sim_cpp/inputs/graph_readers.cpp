#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/number.h"
#include "inputs/edge_list.h"
#include "inputs/graph.h"
#include "inputs/note.h"
#include "inputs/shown.h"

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

constexpr std::string_view kFields[] = {"pattern", "real", "double", "integer", "unsigned-integer", "complex"};
constexpr std::string_view kSymmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};

template <std::size_t n>
void expect_one_of(TextReader& in, const std::string_view (&known)[n], const std::string& word) {
  if (std::find(std::begin(known), std::end(known), word) == std::end(known))
    in.fail(fmt::format("one of {}", fmt::join(known, ", ")), fmt::format("'{:.20}'", word));
}

/// One value; the magnitude of a complex one.
float matrix_value(TextReader& in, bool complex) {
  const double real = in.real_here("a value");
  return static_cast<float>(complex ? std::hypot(real, in.real_here("an imaginary part")) : real);
}

/// Every entry is an arc from its row to its column. Symmetric kinds hold one half: the other one is added, with the
/// opposite sign where the matrix is skew-symmetric. An array holds all values, column by column; zeros are no arcs.
Graph read_matrix_market(const std::string& name, TextReader& in) {
  in.word();  // %%MatrixMarket
  const std::string object = lower(in.word()), format = lower(in.word()), field = lower(in.word()),
                    symmetry = lower(in.word());
  const bool array = format == "array";
  if (object != "matrix" || (format != "coordinate" && !array))
    in.fail("'matrix coordinate' or 'matrix array'", fmt::format("'{:.20} {:.20}'", object, format));
  expect_one_of(in, kFields, field);
  expect_one_of(in, kSymmetries, symmetry);
  const bool pattern = field == "pattern", complex = field == "complex", half = symmetry != "general",
             skew = symmetry == "skew-symmetric";
  if (pattern && (array || skew || symmetry == "hermitian"))
    in.fail("values in an array, a skew-symmetric or a hermitian matrix", "'pattern'");
  if (complex) note(name, "complex entries: the weight of an arc is the magnitude");
  in.next_line();
  in.skip_lines_starting_with('%');
  const int rows = vertex_count(in, "a number of rows");
  const int cols = vertex_count(in, "a number of columns");
  if (rows != cols) in.fail(fmt::format("a square matrix ({0} x {0})", rows), fmt::format("{} columns", cols));
  std::vector<Arc> arcs;
  const auto add = [&](int row, int column, float weight) {
    arcs.push_back({row, column, weight});
    if (half && row != column) arcs.push_back({column, row, skew ? -weight : weight});
  };
  std::int64_t entries = 0;
  if (array) {
    const std::int64_t n = rows;
    entries = !half ? n * n : skew ? n * (n - 1) / 2 : n * (n + 1) / 2;
    in.check_count(entries, complex ? 4 : 2, "values");
    in.expect_line_end("the size line");
    for (int column = 0; column < cols; ++column)
      for (int row = !half ? 0 : skew ? column + 1 : column; row < rows; ++row) {
        in.skip_lines_starting_with('%');
        const float value = matrix_value(in, complex);
        in.expect_line_end("a value");
        if (value != 0) add(row, column, value);
      }
  } else {
    entries = in.integer_here("a number of entries", 0, kMaxArcs / 2);
    in.check_count(entries, pattern ? 4 : complex ? 8 : 6, "entries");
    in.expect_line_end("the size line");
    arcs.reserve(static_cast<std::size_t>(entries) * (half ? 2 : 1));
    for (std::int64_t i = 0; i < entries; ++i) {
      in.skip_lines_starting_with('%');
      const int row = static_cast<int>(in.integer_here("a row number", 1, rows)) - 1;
      const int column = static_cast<int>(in.integer_here("a column number", 1, cols)) - 1;
      const float value = pattern ? 0 : matrix_value(in, complex);
      if (skew && row == column) in.fail("no entry on the diagonal of a skew-symmetric matrix", "one");
      in.expect_line_end("an entry");
      add(row, column, value);
    }
  }
  if (!in.at_end()) in.fail_here(fmt::format("the end of the file after {} entries", entries));
  return from_arcs(rows, arcs, !pattern);
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

/// The kinds of DIMACS and PACE files, by the second word of the problem line.
struct DimacsKind {
  std::string_view name;
  std::string_view arc;  ///< the letter of its lines; empty: they have none (PACE)
  int numbers;           ///< behind the two vertices; the second last of a min-cost arc is its capacity
  bool both;             ///< lines are edges, arcs in both directions
};
constexpr DimacsKind kDimacs[] = {{"sp", "a", 1, false},  {"max", "a", 1, false}, {"min", "a", 3, false},
                                  {"edge", "e", 0, true}, {"col", "e", 0, true},  {"tw", "", 0, true},
                                  {"td", "", 0, true},    {"ds", "", 0, true},    {"vc", "", 0, true},
                                  {"cep", "", 0, true},   {"htd", "", 0, true},   {"ocr", "", 0, true}};

/// DIMACS shortest paths, maximum flow, minimum cost and colouring; PACE. Edges without a direction become two arcs.
Graph read_dimacs(TextReader& in) {
  int n = 0;
  std::int64_t m = 0, lines = 0;
  const DimacsKind* kind = nullptr;
  std::vector<Arc> arcs;
  for (in.skip_lines_starting_with('c'); !in.at_end(); in.skip_lines_starting_with('c')) {
    const bool digit = std::isdigit(static_cast<unsigned char>(in.peek())) != 0;
    if (kind && kind->arc.empty() && digit) {
      Arc a;
      a.from = static_cast<int>(in.integer_here("a vertex", 1, n)) - 1;
      a.to = static_cast<int>(in.integer_here("a vertex", 1, n)) - 1;
      if (++lines > m) in.fail(fmt::format("{} edges", m), "one more");
      arcs.push_back(a);
      in.expect_line_end("an edge");
      continue;
    }
    const std::string_view word = in.word();
    if (word == "p") {
      if (n != 0) in.fail("one problem line", "a second one");
      const std::string_view name = in.word();
      kind =
          std::find_if(std::begin(kDimacs), std::end(kDimacs), [&](const DimacsKind& k) { return k.name == name; });
      if (kind == std::end(kDimacs))
        in.fail("'p' and one of sp, max, min, edge, col (DIMACS), tw, td, ds, vc, cep (PACE)",
                shown(fmt::format("p {}", name)));
      n = vertex_count(in, "a number of vertices");
      m = in.integer_here("a number of arcs", 0, kMaxArcs / 2);
      in.check_count(kind->arc == "e" ? m / 2 : m, kind->arc.empty() ? 4 : kind->numbers == 0 ? 6 : 8, "arcs");
      arcs.reserve(static_cast<std::size_t>(m));
    } else if (kind && !kind->arc.empty() && word == kind->arc) {
      if (++lines > m && !kind->both) in.fail(fmt::format("{} arcs", m), "one more");
      Arc a;
      a.from = static_cast<int>(in.integer_here("a tail", 1, n)) - 1;
      a.to = static_cast<int>(in.integer_here("a head", 1, n)) - 1;
      for (int i = 0; i < kind->numbers; ++i)  // a min-cost arc: lower bound, capacity, cost, which is the weight
        a.weight = static_cast<float>(in.integer_here("a weight", 0, 1 << 30));
      arcs.push_back(a);
    } else if (word == "a" && n == 0) {
      in.fail("the problem line before the arcs", "an arc");
    } else if (kind && kind->numbers > 0 && word == "n") {
      in.next_line();  // a source or a sink of a flow
      continue;
    } else if (kind && kind->both && (word == "n" || word == "d" || word == "v" || word == "x")) {
      in.next_line();  // colours and coordinates of vertices
      continue;
    } else {
      in.fail("a line that starts with c, p or a",
              fmt::format("a line with {} other characters in front", word.size()));
    }
    in.expect_line_end(word == "p" ? "the problem line" : "an arc");
  }
  if (n == 0) in.fail("'p sp VERTICES ARCS'", "no problem line");
  // Colouring files count an edge once or twice, and list it once or twice.
  const bool twice = kind->arc == "e" && (lines == 2 * m || 2 * lines == m);
  if (lines != m && !twice) in.fail(fmt::format("{} arcs", m), std::to_string(lines));
  return kind->both ? both_ways(n, std::move(arcs), false) : from_arcs(n, arcs, true);
}

Graph read_rodinia_graph(TextReader& in) {
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

bool starts_as_dimacs(std::string_view text) {
  return text.starts_with("c ") || text.starts_with("c\n") || text.starts_with("c\r") || text.starts_with("p ");
}

/// Whether what follows is a METIS file's: `n` lines, blank ones among them, and, if the first line has two numbers,
/// twice the second one of words.
bool is_metis(TextReader in) {
  const std::vector<std::string_view> header = words_of(in.rest_of_line());
  const auto n = to_number<std::uint64_t>(header[0]), edges = to_number<std::uint64_t>(header[1]);
  std::uint64_t lines = 0, blank = 0, words = 0;
  for (in.next_line(); in.bytes_left() > 0; in.next_line()) {
    if (in.peek() == '%') continue;
    ++lines;
    const std::size_t here = words_of(in.rest_of_line()).size();
    words += here;
    blank = here == 0 ? blank + 1 : 0;
  }
  return n && edges && lines >= *n && lines - blank <= *n && (header.size() > 2 || words == 2 * *edges);
}

/// Whether the first lines have two numbers or more each, as many as the first one.
bool is_edge_list(TextReader first) {
  std::size_t columns = 0;
  for (int line = 0; line < 100 && !first.at_end(); ++line) {
    const std::size_t here = words_of(first.rest_of_line()).size();
    if (here < 2 || (line > 0 && here != columns)) return false;
    columns = here;
  }
  return columns >= 2;
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
  if (ends_with(name, ".egr") || is_egr(whole)) return read_egr(name, whole);
  const std::string_view text = without_mark(whole);
  TextReader in(name, text);
  if (lower(text.substr(0, 14)) == "%%matrixmarket") return read_matrix_market(name, in);
  if (ends_with(name, ".mtx")) in.fail("'%%MatrixMarket' at the start", "something else");
  if (ends_with(name, ".gr") || ends_with(name, ".col") || starts_as_dimacs(text)) return read_dimacs(in);
  if (ends_with(name, ".graph") || ends_with(name, ".metis")) return read_metis(in);
  for (const std::string_view end : {".csv", ".tsv", ".el", ".wel", ".edges", ".edgelist"})
    if (ends_with(name, end)) return read_edge_list(name, text);
  // By content: an edge list may have '#' comments and commas. A Rodinia file starts with one number, a METIS file
  // with two to four, and then has as many lines as vertices; other rows of two numbers or more are edges.
  if (text.starts_with('#')) return read_edge_list(name, text);
  TextReader look(name, text);
  look.skip_lines_starting_with('%');
  const TextReader start = look;
  const std::string_view line = look.rest_of_line();
  const std::vector<std::string_view> words = words_of(line);
  const bool text_only =
      std::all_of(line.begin(), line.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\t' || c == '\r'; });
  if (text_only && line.find_first_of(",;") != line.npos && words.size() >= 2) return read_edge_list(name, text);
  if (words.empty() || !to_number<std::int64_t>(words[0])) {
    TextReader(start).fail_here(
        "a graph: an edge list, Matrix Market, METIS, DIMACS, PACE, ECL (.egr) or Rodinia bfs text");
  }
  if (words.size() == 1) return read_rodinia_graph(in);
  return is_metis(start) || !is_edge_list(start) ? read_metis(in) : read_edge_list(name, text);
}

Graph read_graph(const std::string& path) { return parse_graph(path, read_file(path)); }

}  // namespace warpsieve::inputs
