#include "inputs/edge_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/number.h"
#include "inputs/note.h"
#include "inputs/shown.h"

namespace warpsieve::inputs {
namespace {

constexpr std::int64_t kMaxId = std::numeric_limits<std::int64_t>::max();

/// What a comment says of the direction of all edges.
bool says_undirected(std::string_view comment) {
  std::string text(comment);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::vector<std::string_view> words = words_of(text);
  const std::string_view first = words.size() > 1 ? words[1] : "";
  return text.find("undirected") != text.npos || (text.starts_with('%') && (first == "sym" || first == "bip"));
}

struct Edge {
  std::int64_t from, to;
  float weight;
};

struct EdgeList {
  std::vector<Edge> edges;
  std::size_t columns = 0;
  bool undirected = false;
};

EdgeList parse_lines(const std::string& name, std::string_view text) {
  EdgeList list;
  TextReader in(name, text);
  bool first = true;
  for (; in.bytes_left() > 0; in.next_line()) {
    if (in.line_ended()) continue;
    const std::string_view line = in.rest_of_line();
    if (line.starts_with('#') || line.starts_with('%')) {
      list.undirected |= says_undirected(line);
      continue;
    }
    const std::vector<std::string_view> words = words_of(line);
    const auto number = [&](std::size_t at, const char* what) {
      const std::int64_t v = at < words.size() ? to_number<std::int64_t>(words[at]).value_or(-1) : -1;
      if (v < 0)
        in.fail(fmt::format("{} from 0 to {}", what, kMaxId),
                at < words.size() ? shown(words[at]) : "the end of the line");
      return v;
    };
    if (first) {
      first = false;
      list.columns = words.size();
      const bool title = std::none_of(words.begin(), words.end(), [](std::string_view w) {
        return to_number<std::int64_t>(w).has_value() || to_number<double>(w).has_value();
      });
      if (title && words.size() >= 2) continue;
    }
    Edge e{number(0, "a vertex number"), number(1, "a second vertex number"), 0};
    if (words.size() != list.columns)
      in.fail(fmt::format("{} columns as in the first line", list.columns), std::to_string(words.size()));
    if (list.columns > 2) {
      const auto weight = to_number<double>(words[2]);
      if (!weight || !std::isfinite(*weight) || std::fabs(*weight) > 3.4e38)
        in.fail("a weight (a finite number)", shown(words[2]));
      e.weight = static_cast<float>(*weight);
    }
    if (static_cast<std::int64_t>(list.edges.size()) == kMaxArcs / 2)
      in.fail(fmt::format("at most {} edges", kMaxArcs / 2), "more");
    list.edges.push_back(e);
  }
  if (list.edges.empty()) in.fail("edges, one per line", "none");
  return list;
}

std::int32_t word_at(std::string_view bytes, std::size_t index) {
  std::uint32_t v = 0;
  for (std::size_t i = 0; i < 4; ++i) v |= std::uint32_t{static_cast<std::uint8_t>(bytes[4 * index + i])} << (8 * i);
  return static_cast<std::int32_t>(v);
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBetween = " \t\r\v\f,;";
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(kBetween); at != line.npos;) {
    const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBetween, end);
  }
  return words;
}

Graph read_edge_list(const std::string& name, std::string_view text) {
  const EdgeList list = parse_lines(name, text);
  std::vector<std::int64_t> ids;
  ids.reserve(2 * list.edges.size());
  for (const Edge& e : list.edges) {
    ids.push_back(e.from);
    ids.push_back(e.to);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  if (static_cast<std::int64_t>(ids.size()) > kMaxVertices)
    throw InputError(fmt::format("{}:1: expected at most {} vertices, found {}", name, kMaxVertices, ids.size()));
  const auto place = [&](std::int64_t id) {
    return static_cast<int>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  };
  const bool weighted = list.columns > 2;
  std::vector<Arc> arcs;
  arcs.reserve(list.edges.size() * (list.undirected ? 2 : 1));
  for (const Edge& e : list.edges) arcs.push_back({place(e.from), place(e.to), e.weight});
  const auto n = static_cast<int>(ids.size());
  std::string said =
      fmt::format("edge list of {} edges, {}", arcs.size(), list.undirected ? "undirected" : "directed");
  if (ids.back() - ids.front() + 1 != n)
    said += fmt::format("; the {} vertex numbers from {} to {} are numbered anew", n, ids.front(), ids.back());
  if (list.columns > 3) said += fmt::format("; {} columns behind the weight are left out", list.columns - 3);
  note(name, said);
  if (!list.undirected) return from_arcs(n, arcs, weighted);
  return both_ways(n, std::move(arcs), weighted);
}

bool is_egr(std::string_view bytes) {
  if (bytes.size() < 12) return false;
  const std::int64_t n = word_at(bytes, 0), m = word_at(bytes, 1),
                     words = static_cast<std::int64_t>(bytes.size() / 4);
  return bytes.size() % 4 == 0 && n >= 1 && m >= 0 && (words == n + 3 + m || words == n + 3 + 2 * m) &&
         word_at(bytes, 2) == 0;
}

Graph read_egr(const std::string& name, std::string_view bytes) {
  const auto fail = [&](std::size_t word, const std::string& expected, const std::string& found) {
    throw InputError(fmt::format("{}: byte {}: expected {}, found {}", name, 4 * word, expected, found));
  };
  if (bytes.size() < 12) fail(0, "a header of 8 bytes and row starts", fmt::format("{} bytes", bytes.size()));
  const std::int64_t n = word_at(bytes, 0), m = word_at(bytes, 1);
  if (n < 1 || n > kMaxVertices)
    fail(0, fmt::format("a number of vertices from 1 to {}", kMaxVertices), std::to_string(n));
  if (m < 0 || m > kMaxArcs) fail(1, fmt::format("a number of arcs from 0 to {}", kMaxArcs), std::to_string(m));
  const auto plain = static_cast<std::uint64_t>(4 * (n + 3 + m)),
             weighted = plain + 4 * static_cast<std::uint64_t>(m);
  if (bytes.size() != plain && bytes.size() != weighted)
    fail(2, fmt::format("a file of {} bytes, or of {} with weights", plain, weighted),
         fmt::format("{} bytes", bytes.size()));
  Graph g;
  g.vertices = static_cast<int>(n);
  const auto rows = static_cast<std::size_t>(n) + 1, count = static_cast<std::size_t>(m);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int32_t start = word_at(bytes, 2 + i), least = g.row.empty() ? 0 : g.row.back();
    const bool last = i + 1 == rows;
    if (start < least || start > m || (i == 0 && start != 0) || (last && start != m))
      fail(2 + i,
           i == 0 ? "0, the first arc of vertex 0"
           : last ? fmt::format("{}, the end of the arcs", m)
                  : fmt::format("the first arc of vertex {}, from {} to {}", i, least, m),
           std::to_string(start));
    g.row.push_back(start);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t head = word_at(bytes, 2 + rows + i);
    if (head < 0 || head >= n) fail(2 + rows + i, fmt::format("a head from 0 to {}", n - 1), std::to_string(head));
    g.col.push_back(head);
  }
  if (bytes.size() == weighted && count > 0)
    for (std::size_t i = 0; i < count; ++i)
      g.weight.push_back(static_cast<float>(word_at(bytes, 2 + rows + count + i)));
  return g;
}

}  // namespace warpsieve::inputs
