#include "cli/inputs_compare.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/json_output.h"
#include "cli/table.h"
#include "inputs/natural.h"
#include "inputs/statistics.h"
#include "run/simulate.h"

namespace warpsieve::cli {
namespace {

using inputs::Content;
using inputs::Statistics;

struct Figure {
  std::string name;
  double file, generated;
  bool share;  ///< in %: less than 2 on both sides is as good as none
  bool near() const {
    return std::fabs(generated - file) <= 0.2 * std::fabs(file) ||
           (share && std::max(std::fabs(file), std::fabs(generated)) < 2);
  }
};

std::vector<Figure> statistics(const Statistics& file, const Statistics& made) {
  std::vector<Figure> out = {{"intra-duplicate lines, %", 100 * file.intra, 100 * made.intra, true},
                             {"inter-duplicate lines, %", 100 * file.inter, 100 * made.inter, true},
                             {"entropy, bits/byte", file.entropy, made.entropy, false}};
  if (file.content == Content::graph) {
    out.push_back({"mean degree", file.degree_mean, made.degree_mean, false});
    for (std::size_t d = 0; d < file.degrees.size(); ++d)
      out.push_back({fmt::format("vertices of degree {}{}, %", d, d + 1 == file.degrees.size() ? "+" : ""),
                     100 * file.degrees[d], 100 * made.degrees[d], true});
    out.push_back({"arcs within 32 vertices, %", 100 * file.near, 100 * made.near, true});
  } else if (file.content != Content::bytes) {
    out.push_back({"equal neighbours, %", 100 * file.repeated, 100 * made.repeated, true});
  }
  if (file.content == Content::image) out.push_back({"step, levels", file.step, made.step, false});
  return out;
}

/// Off-chip requests of a copy under a scheme. The L2 holds a fraction of the contents.
double requests(const std::string& scheme, const std::string& kind, const std::string& path, std::uint64_t seed) {
  run::RunSpec spec;
  spec.workload = "copy";
  spec.scheme = scheme;
  spec.input = path;
  spec.seed = seed;
  spec.sizes = {"kilobytes=2048"};
  if (path.empty()) spec.sizes.push_back("kind=" + kind);
  spec.set = {"l2.ways=2"};
  const auto& stats = run::simulate(spec).result.stats;
  return stats.at("off_chip_requests").at("total").get<double>();
}

}  // namespace

ExitCode compare_inputs(const std::string& kind, const std::string& path, std::uint64_t seed, bool json) {
  const Statistics made = inputs::fitted_contents(kind, seed).statistics,
                   file = inputs::measure_file(path, made.content);
  std::vector<Figure> figures = statistics(file, made);
  const double base_file = requests("baseline", kind, path, seed), base_made = requests("baseline", kind, "", seed);
  for (const char* scheme : {"cmd", "bpc"})
    figures.push_back({fmt::format("off-chip requests under {}, % change", scheme),
                       100 * (requests(scheme, kind, path, seed) / base_file - 1),
                       100 * (requests(scheme, kind, "", seed) / base_made - 1), true});
  if (json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Figure& f : figures)
      all.push_back({{"figure", f.name}, {"file", f.file}, {"generated", f.generated}, {"within", f.near()}});
    print_json(all);
    return kOk;
  }
  Table table({{kind, Table::Align::left}, {"file"}, {"generated"}, {"within 20 %"}});
  for (const Figure& f : figures)
    table.add({f.name, fmt::format("{:.2f}", f.file), fmt::format("{:.2f}", f.generated), f.near() ? "yes" : "no"});
  fmt::print("{}\nShares below 2 % on both sides count as equal.\n", table.text());
  return kOk;
}

}  // namespace warpsieve::cli
