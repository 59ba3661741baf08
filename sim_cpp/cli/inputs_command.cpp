#include "cli/inputs_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "cli/input_option.h"
#include "cli/inputs_compare.h"
#include "cli/json_output.h"
#include "cli/numbers.h"
#include "cli/one_of.h"
#include "cli/table.h"
#include "core/params.h"
#include "inputs/natural.h"
#include "inputs/statistics.h"

namespace warpsieve::cli {
namespace {

using inputs::Statistics;
using nlohmann::ordered_json;

std::string pnm(const inputs::Image& image) {
  std::string out = fmt::format("P{}\n{} {}\n255\n", image.channels == 3 ? 6 : 5, image.width, image.height);
  out.append(image.pixels.begin(), image.pixels.end());
  return out;
}

std::string dimacs(const inputs::Graph& graph) {
  std::string out = fmt::format("p sp {} {}\n", graph.vertices, graph.arcs());
  for (int v = 0; v < graph.vertices; ++v)
    for (auto i = static_cast<std::size_t>(graph.row[static_cast<std::size_t>(v)]);
         i < static_cast<std::size_t>(graph.row[static_cast<std::size_t>(v) + 1]); ++i)
      fmt::format_to(std::back_inserter(out), "a {} {} {}\n", v + 1, graph.col[i] + 1,
                     graph.weight.empty() ? 1 : static_cast<int>(graph.weight[i]));
  return out;
}

std::string rows(const inputs::Points& points) {
  std::string out;
  const auto width = static_cast<std::size_t>(points.features);
  for (std::size_t r = 0; r * width < points.values.size(); ++r) {
    fmt::format_to(std::back_inserter(out), "{}", r + 1);
    for (std::size_t c = 0; c < width; ++c)
      fmt::format_to(std::back_inserter(out), " {}", points.values[r * width + c]);
    out += '\n';
  }
  return out;
}

std::string cells(const inputs::Map& map) {
  std::string out;
  for (const float v : map.values) fmt::format_to(std::back_inserter(out), "{:.9g}\n", v);
  return out;
}

std::string floats(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), 4 * values.size()};
}

struct Generator {
  const char* name;
  const char* size;  ///< what --size is
  std::uint64_t usual, least, most;
  const char* doc;
  std::function<std::string(int size, std::uint64_t seed)> make;
};

const std::vector<Generator>& generators() {
  using namespace inputs;
  static const std::vector<Generator> all = {
      {"photograph", "side", 512, 16, 8192, "PPM; shades, edges of objects, grain",
       [](int n, auto seed) { return pnm(photograph(n, n, 3, seed)); }},
      {"picture", "side", 1024, 16, 8192, "PPM; gradients, flat areas, hard edges",
       [](int n, auto seed) { return pnm(picture(n, n, 3, seed)); }},
      {"speckle", "side", 512, 16, 8192, "PPM; the workloads' generator of pictures",
       [](int n, auto seed) { return pnm(made_up_image(n, n, 3, seed)); }},
      {"road", "vertices", 264346, 64, 1 << 24, "DIMACS .gr; streets with gaps and dead ends",
       [](int n, auto seed) { return dimacs(road_graph(n, seed)); }},
      {"rmat", "vertices", 65536, 64, 1 << 22, "DIMACS .gr; R-MAT, 8 arcs a vertex",
       [](int n, auto seed) { return dimacs(rmat_graph(n, 8 * n, seed)); }},
      {"grid", "side", 256, 2, 4096, "DIMACS .gr; a grid, 4 neighbours",
       [](int n, auto seed) { return dimacs(grid_graph(n, n, seed)); }},
      {"table", "rows", 65536, 1, 1 << 22, "text; connection records of 34 features, as kmeans reads",
       [](int n, auto seed) { return rows(connection_table(n, seed)); }},
      {"temperature", "side", 512, 16, 4096, "text; temp_N of hotspot",
       [](int n, auto seed) { return cells(temperature_map(n, seed)); }},
      {"power", "side", 512, 16, 4096, "text; power_N of hotspot",
       [](int n, auto seed) { return cells(power_map(n, seed)); }},
      {"weights", "values", 193321, 1, 1 << 26, "32-bit floats (.f32); layers quantised to 256 levels",
       [](int n, auto seed) { return floats(trained_weights(n, seed)); }},
  };
  return all;
}

ExitCode list() {
  Table table(
      {{"kind", Table::Align::left}, {"size", Table::Align::left}, {"default"}, {"file", Table::Align::left}});
  for (const Generator& g : generators()) table.add({g.name, g.size, std::to_string(g.usual), g.doc});
  fmt::print("{}\ninputs stat reads files as: {}\n", table.text(), fmt::join(inputs::content_names(), ", "));
  return kOk;
}

ExitCode write(const InputsOptions& o) {
  for (const Generator& g : generators()) {
    if (o.kind != g.name) continue;
    const std::uint64_t size = o.size == 0 ? g.usual : o.size;
    if (size < g.least || size > g.most)
      throw ConfigError(
          fmt::format("--size {}: expected {} of '{}' from {} to {}", size, g.size, g.name, g.least, g.most));
    const std::string bytes = g.make(static_cast<int>(size), o.seed);
    std::ofstream file(o.output, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) throw ConfigError(fmt::format("{}: cannot write: {}", o.output, std::strerror(errno)));
    fmt::print("{}: {} bytes ({}, {} {}, seed {})\n", o.output, bytes.size(), g.name, g.size, size, o.seed);
    return kOk;
  }
  throw ConfigError("inputs write: no such kind: " + o.kind);  // the parser has checked it
}

ordered_json json_of(const std::string& file, const Statistics& s) {
  ordered_json j = {{"file", file},        {"content", inputs::name_of(s.content)},
                    {"bytes", s.bytes},    {"lines", s.lines},
                    {"intra", s.intra},    {"inter", s.inter},
                    {"entropy", s.entropy}};
  if (s.content == inputs::Content::graph) {
    j["vertices"] = s.vertices;
    j["arcs"] = s.arcs;
    j["degree_mean"] = s.degree_mean;
    j["degree_max"] = s.degree_max;
    j["degrees"] = s.degrees;
    j["near"] = s.near;
  } else if (s.content != inputs::Content::bytes) {
    j["repeated"] = s.repeated;
    if (s.content == inputs::Content::image) j["step"] = s.step;
  }
  return j;
}

ExitCode stat(const InputsOptions& o) {
  ordered_json all = ordered_json::array();
  Table table({{"file", Table::Align::left},
               {"read as", Table::Align::left},
               {"bytes"},
               {"intra, %"},
               {"inter, %"},
               {"bits/byte"},
               {"local, %"},
               {"step"},
               {"degree"},
               {"0, %"},
               {"1, %"},
               {"2, %"},
               {"3, %"},
               {"4, %"},
               {"5+, %"}});
  const auto percent = [](double share) { return fmt::format("{:.2f}", 100 * share); };
  for (const std::string& file : o.files) {
    const Statistics s =
        o.content.empty() ? inputs::measure_file(file) : inputs::measure_file(file, inputs::content_named(o.content));
    all.push_back(json_of(file, s));
    const bool graph = s.content == inputs::Content::graph;
    std::vector<std::string> row = {file,
                                    std::string(inputs::name_of(s.content)),
                                    std::to_string(s.bytes),
                                    percent(s.intra),
                                    percent(s.inter),
                                    fmt::format("{:.2f}", s.entropy),
                                    s.content == inputs::Content::bytes ? "-" : percent(graph ? s.near : s.repeated),
                                    s.content == inputs::Content::image ? fmt::format("{:.2f}", s.step) : "-",
                                    graph ? fmt::format("{:.2f}", s.degree_mean) : "-"};
    for (std::size_t d = 0; d < 6; ++d) row.push_back(graph ? percent(s.degrees[d]) : "-");
    table.add(row);
  }
  if (o.json) {
    print_json(all);
    return kOk;
  }
  fmt::print(
      "{}\nOf the values in memory, in lines of 128 bytes. intra: all words of a line alike; inter: the same as an "
      "earlier line. local: arcs at most 32 vertices long; values equal to the pixel to the left, the row above or "
      "the "
      "value before. step: mean difference of neighbouring pixels.\n",
      table.text());
  return kOk;
}

}  // namespace

void declare_inputs(CLI::App& command, InputsOptions& o) {
  command.require_subcommand(1);
  command.add_subcommand("list", "The generators")->callback([&o] { o.what = InputsOptions::What::list; });
  CLI::App& write = *command.add_subcommand("write", "Write a generated input to a file");
  write.callback([&o] { o.what = InputsOptions::What::write; });
  std::vector<std::string> kinds;
  for (const Generator& g : generators()) kinds.emplace_back(g.name);
  write.add_option("kind", o.kind, "Generator, see inputs list")->required()->check(one_of(kinds));
  write.add_option("-o,--output", o.output, "File to write")->required();
  write.add_option("--seed", o.seed, "Seed")->transform(whole_number())->capture_default_str();
  write.add_option("--size", o.size, "Side, vertices, rows or values, see inputs list (default: the kind's)")
      ->transform(whole_number(1, 1u << 30));
  CLI::App& stat = *command.add_subcommand("stat", "Measured statistics of files");
  stat.callback([&o] { o.what = InputsOptions::What::stat; });
  stat.add_option("file", o.files, "Files, also as .gz, .xz or .zst")->required()->check(no_empty_path);
  stat.add_option("--as", o.content, "How to read the files (default: by their content)")
      ->check(one_of(inputs::content_names()));
  stat.add_flag("--json", o.json, "JSON on standard output");
  CLI::App& compare = *command.add_subcommand("compare", "A file beside a generator of its kind, with traffic");
  compare.callback([&o] { o.what = InputsOptions::What::compare; });
  compare.add_option("kind", o.kind, "Generator that was fitted to such files")
      ->required()
      ->check(one_of(inputs::fitted_kinds()));
  compare.add_option("file", o.files, "File, also as .gz, .xz or .zst")
      ->required()
      ->expected(1)
      ->check(no_empty_path);
  compare.add_option("--seed", o.seed, "Seed")->transform(whole_number())->capture_default_str();
  compare.add_flag("--json", o.json, "JSON on standard output");
}

ExitCode inputs_command(const InputsOptions& o) {
  switch (o.what) {
    case InputsOptions::What::list: return list();
    case InputsOptions::What::write: return write(o);
    case InputsOptions::What::compare: return compare_inputs(o.kind, o.files.front(), o.seed, o.json);
    case InputsOptions::What::stat: break;
  }
  return stat(o);
}

}  // namespace warpsieve::cli
