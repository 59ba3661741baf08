#include "validate/dram_rows.h"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string_view>

#include "core/builtin_text.h"
#include "core/params.h"
#include "core/toml_reader.h"
#include "memsys/dram/replay.h"
#include "memsys/profile.h"
#include "validate/dram_traces.h"

namespace warpsieve::validate {

// Defined by the generated source, see CMakeLists.txt.
std::span<const BuiltinText> builtin_references();

namespace {

constexpr std::string_view kFile = "dram_peers";
constexpr const char* kMap = "o5,c6,g2,b2,r15";
constexpr double kQuickAccesses = 100000;

const BuiltinText& data_file() {
  for (const BuiltinText& file : builtin_references())
    if (file.name == kFile) return file;
  throw ConfigError(fmt::format("{}.toml is not compiled in", kFile));
}

struct References {
  std::vector<std::string> simulators;
  double tolerance = 0;
};

/// A figure of every simulator, or nothing where the key is missing.
std::vector<double> figures(const TomlReader& in, const toml::table& table, const char* key, std::size_t count) {
  std::vector<double> out;
  const toml::node* node = table.get(key);
  if (!node) return out;
  for (const toml::node& figure : in.array(*node, key)) {
    const auto value = figure.value<double>();
    if (!value || *value <= 0) in.fail(figure, fmt::format("{}: expected a number above 0", key));
    out.push_back(*value);
  }
  if (out.size() != count) in.fail(*node, fmt::format("{}: expected {} figures, one per simulator", key, count));
  return out;
}

Row compare(const References& references, const std::string& what, double ours, const std::vector<double>& peers) {
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < peers.size(); ++i)
    if (std::abs(ours / peers[i] - 1) < std::abs(ours / peers[nearest] - 1)) nearest = i;
  Row row;
  row.group = "dram";
  row.what = what;
  row.unit = "cycles";  // of the command clock
  row.ours = ours;
  row.reference = peers[nearest];
  row.tolerance = references.tolerance;
  row.source = references.simulators[nearest];
  return row;
}

memsys::DramReplay replay_row(const std::vector<std::string>& settings, const std::string& pattern,
                              std::size_t accesses) {
  std::vector<std::string> assignments;
  for (const std::string& setting : settings) assignments.push_back("dram." + setting);
  const memsys::DramParams params = memsys::load_profile("cmd", assignments).dram;
  const memsys::DramMap map(params, kMap);
  std::vector<memsys::DramAccess> trace = dram_trace(pattern, accesses);
  for (memsys::DramAccess& access : trace) access.address = map.channel_address(params, access.address);
  return memsys::replay(params, trace, nullptr);
}

}  // namespace

Rows dram_rows(bool quick) {
  const BuiltinText& file = data_file();
  const TomlReader in(file.file, file.text);
  in.only(in.root(), {"simulators", "tolerance", "settings", "row"});
  const References references{in.texts(in.root(), "simulators"), in.number(in.root(), "tolerance").value_or(0)};
  const std::vector<std::string> common = in.texts(in.root(), "settings");
  const toml::node* list = in.root().get("row");
  if (references.simulators.empty() || !list) in.fail(in.root(), "expected simulators and [[row]]");
  Rows rows;
  for (const toml::node& node : in.array(*list, "row")) {
    if (!node.is_table()) in.fail(node, "expected [[row]]");
    const toml::table& table = *node.as_table();
    in.only(table, {"pattern", "accesses", "set", "cycles", "latency"});
    const double accesses = in.number(table, "accesses").value_or(0);
    if (accesses < 1) in.fail(table, "accesses: expected a number above 0");
    const std::vector<double> cycles = figures(in, table, "cycles", references.simulators.size());
    const std::vector<double> latency = figures(in, table, "latency", references.simulators.size());
    if (cycles.empty()) in.fail(table, "expected cycles");
    if (quick && accesses > kQuickAccesses) continue;

    const std::string pattern = in.text(table, "pattern");
    std::vector<std::string> settings = common;
    std::string what = pattern;
    for (const std::string& setting : in.texts(table, "set")) {
      settings.push_back(setting);
      what += " " + setting;
    }
    const memsys::DramReplay r = replay_row(settings, pattern, static_cast<std::size_t>(accesses));
    rows.push_back(compare(references, what + ", per access", static_cast<double>(r.cycles) / accesses, cycles));
    if (!latency.empty())
      rows.push_back(compare(references, what + ", read latency",
                             static_cast<double>(r.read_latency) / static_cast<double>(r.reads), latency));
  }
  return rows;
}

}  // namespace warpsieve::validate
