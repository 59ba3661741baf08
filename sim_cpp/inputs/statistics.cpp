#include "inputs/statistics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "inputs/edge_list.h"
#include "inputs/mesh.h"
#include "inputs/rodinia_files.h"
#include "inputs/shown.h"

namespace warpsieve::inputs {
namespace {

constexpr std::size_t kLine = 128;
constexpr std::array<std::pair<std::string_view, Content>, 6> kContents = {{{"image", Content::image},
                                                                            {"graph", Content::graph},
                                                                            {"table", Content::table},
                                                                            {"map", Content::map},
                                                                            {"weights", Content::weights},
                                                                            {"bytes", Content::bytes}}};

std::string_view bytes_of(const auto& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])};
}

Statistics of_bytes(Content content, std::string_view bytes) {
  Statistics s;
  s.content = content;
  s.bytes = bytes.size();
  s.lines = bytes.size() / kLine;
  std::unordered_set<std::string_view> seen;
  std::uint64_t intra = 0, inter = 0;
  for (std::uint64_t i = 0; i < s.lines; ++i) {
    const std::string_view line = bytes.substr(i * kLine, kLine);
    if (line.substr(4) == line.substr(0, kLine - 4))
      ++intra;
    else if (!seen.insert(line).second)
      ++inter;
  }
  if (s.lines > 0) {
    s.intra = static_cast<double>(intra) / static_cast<double>(s.lines);
    s.inter = static_cast<double>(inter) / static_cast<double>(s.lines);
  }
  std::array<std::uint64_t, 256> count{};
  for (const char c : bytes) ++count[static_cast<std::uint8_t>(c)];
  for (const std::uint64_t n : count)
    if (n > 0) {
      const double p = static_cast<double>(n) / static_cast<double>(bytes.size());
      s.entropy -= p * std::log2(p);
    }
  return s;
}

/// The extension without those of compressed files.
std::string extension_of(const std::string& path) {
  std::filesystem::path name(path);
  for (const char* packed : {".gz", ".xz", ".zst"})
    if (name.extension() == packed) name = name.stem();
  return name.extension().string();
}

bool is_text(std::string_view bytes) {
  return std::none_of(bytes.begin(),
                      bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(bytes.size(), 4096)),
                      [](char c) { return c == '\0'; });
}

/// Words of the first and the second line.
std::pair<std::size_t, std::size_t> first_widths(std::string_view bytes) {
  TextReader in("", bytes);
  const std::size_t first = words_of(in.rest_of_line()).size();
  in.next_line();
  return {first, words_of(in.rest_of_line()).size()};
}

}  // namespace

std::string_view name_of(Content content) {
  for (const auto& [name, value] : kContents)
    if (value == content) return name;
  return "bytes";
}

std::vector<std::string> content_names() {
  std::vector<std::string> names;
  for (const auto& [name, value] : kContents) names.emplace_back(name);
  return names;
}

Content content_named(std::string_view name) {
  for (const auto& [known, value] : kContents)
    if (known == name) return value;
  throw InputError(fmt::format("{}: expected one of {}", shown(name), fmt::join(content_names(), ", ")));
}

Statistics statistics_of(std::string_view bytes) { return of_bytes(Content::bytes, bytes); }

Statistics statistics_of(Content content, const std::vector<float>& values, std::size_t columns) {
  Statistics s = of_bytes(content, bytes_of(values));
  std::uint64_t equal = 0;
  for (std::size_t i = columns; i < values.size(); ++i) equal += values[i] == values[i - columns];
  if (values.size() > columns) s.repeated = static_cast<double>(equal) / static_cast<double>(values.size() - columns);
  return s;
}

Statistics statistics_of(const Image& image) {
  Statistics s = of_bytes(Content::image, bytes_of(image.pixels));
  std::uint64_t equal = 0, sum = 0, pairs = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 1; x < image.width; ++x)
      for (int c = 0; c < image.channels; ++c, ++pairs) {
        const int difference = std::abs(image.at(x, y, c) - image.at(x - 1, y, c));
        equal += difference == 0;
        sum += static_cast<std::uint64_t>(difference);
      }
  if (pairs > 0) {
    s.repeated = static_cast<double>(equal) / static_cast<double>(pairs);
    s.step = static_cast<double>(sum) / static_cast<double>(pairs);
  }
  return s;
}

Statistics statistics_of(const Graph& graph) {
  Statistics s = of_bytes(Content::graph, bytes_of(graph.col));
  s.vertices = graph.vertices;
  s.arcs = graph.arcs();
  s.degrees.assign(6, 0);
  std::uint64_t near = 0;
  for (int v = 0; v < graph.vertices; ++v) {
    const int degree = graph.degree(v);
    s.degree_max = std::max<std::int64_t>(s.degree_max, degree);
    s.degrees[static_cast<std::size_t>(std::min(degree, 5))] += 1.0 / graph.vertices;
    for (int i = graph.row[static_cast<std::size_t>(v)]; i < graph.row[static_cast<std::size_t>(v) + 1]; ++i)
      near += std::abs(graph.col[static_cast<std::size_t>(i)] - v) <= 32;
  }
  s.degree_mean = static_cast<double>(s.arcs) / static_cast<double>(std::max<std::int64_t>(s.vertices, 1));
  if (s.arcs > 0) s.near = static_cast<double>(near) / static_cast<double>(s.arcs);
  return s;
}

Content content_of(const std::string& path, std::string_view whole) {
  const std::string_view bytes = without_mark(whole);
  if (bytes.starts_with("\x89PNG") || bytes.starts_with("BM")) return Content::image;
  if (bytes.size() > 2 && bytes[0] == 'P' && std::string_view("2356").find(bytes[1]) != std::string_view::npos &&
      std::isspace(static_cast<unsigned char>(bytes[2])))
    return Content::image;
  if (is_egr(bytes)) return Content::graph;
  const std::string extension = extension_of(path);
  for (const char* known : {".mtx", ".gr", ".graph", ".col", ".egr", ".el", ".edges"})
    if (extension == known) return Content::graph;
  if (extension == ".f32") return Content::weights;
  if (!is_text(bytes)) return Content::bytes;
  if (bytes.starts_with("%%MatrixMarket")) return Content::graph;
  if (extension == ".json" && bytes.find("\"paths\"") != bytes.npos) return Content::weights;
  const auto [first, second] = first_widths(bytes);
  const bool number = std::isdigit(static_cast<unsigned char>(bytes.empty() ? ' ' : bytes[0])) != 0;
  if (number && first == 1 && second == 1) return Content::map;
  if (number && first > 3 && second == first) return Content::table;
  return Content::bytes;
}

std::vector<float> read_weights(const std::string& path) {
  const std::string text = read_file(path);
  std::vector<float> values;
  const auto fail = [&](std::size_t byte, const std::string& expected, const std::string& found) {
    throw InputError(fmt::format("{}: byte {}: expected {}, found {}", path, byte, expected, found));
  };
  if (!without_mark(text).starts_with('[')) {
    if (text.size() % 4 != 0)
      fail(text.size(), "32-bit floats, or a manifest of TensorFlow.js", fmt::format("{} bytes", text.size()));
    values.resize(text.size() / 4);
    std::memcpy(values.data(), text.data(), text.size());
    return values;
  }
  try {
    for (const auto& group : nlohmann::json::parse(text)) {
      std::string data;
      for (const auto& shard : group.at("paths"))
        data += read_file((std::filesystem::path(path).parent_path() / shard.get<std::string>()).string());
      std::size_t at = 0;
      for (const auto& tensor : group.at("weights")) {
        std::uint64_t count = 1;
        for (const auto& side : tensor.at("shape")) count *= side.get<std::uint64_t>();
        const bool quantised = tensor.contains("quantization");
        const std::size_t each = quantised ? 1 : 4;
        if (count > (data.size() - at) / each)
          fail(0, fmt::format("{} values of {} in the shards", count, tensor.at("name").dump()), "fewer");
        for (std::uint64_t i = 0; i < count; ++i, at += each) {
          float v = 0;
          if (quantised)
            v = static_cast<float>(tensor.at("quantization").at("min").get<double>() +
                                   tensor.at("quantization").at("scale").get<double>() *
                                       static_cast<std::uint8_t>(data[at]));
          else
            std::memcpy(&v, data.data() + at, 4);
          values.push_back(v);
        }
      }
    }
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("{}:1: expected a manifest of TensorFlow.js, found: {}", path, error.what()));
  }
  return values;
}

Contents contents_of(const Image& image) { return {statistics_of(image), std::string(bytes_of(image.pixels))}; }
Contents contents_of(const Graph& graph) { return {statistics_of(graph), std::string(bytes_of(graph.col))}; }
Contents contents_of(Content content, const std::vector<float>& values, std::size_t columns) {
  return {statistics_of(content, values, columns), std::string(bytes_of(values))};
}

Contents read_contents(const std::string& path, Content content) {
  switch (content) {
    case Content::image: return contents_of(read_image(path));
    case Content::graph: return contents_of(read_graph(path));
    case Content::table: {
      const Points points = read_points(path);
      return contents_of(content, points.values, static_cast<std::size_t>(points.features));
    }
    case Content::map: return contents_of(content, read_map(path).values, 1);
    case Content::weights: return contents_of(content, read_weights(path), 1);
    case Content::bytes: break;
  }
  std::string bytes = read_file(path);
  return {statistics_of(bytes), std::move(bytes)};
}

Contents read_contents(const std::string& path) { return read_contents(path, content_of(path, read_file(path))); }

std::string sample(const std::string& bytes, std::size_t most) {
  constexpr std::size_t kPieces = 64;
  const std::size_t piece = most / kPieces / kLine * kLine;
  if (bytes.size() <= most || piece == 0) return bytes.substr(0, most);
  std::string out;
  for (std::size_t i = 0; i < kPieces; ++i)
    out += bytes.substr(i * ((bytes.size() - piece) / (kPieces - 1)) / kLine * kLine, piece);
  return out;
}

Statistics measure_file(const std::string& path, Content content) { return read_contents(path, content).statistics; }

Statistics measure_file(const std::string& path) { return read_contents(path).statistics; }

}  // namespace warpsieve::inputs
