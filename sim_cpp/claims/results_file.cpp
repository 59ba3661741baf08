// The results file: a head, and a line for each run with its statistics. Repetitions that agree are written once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "claims/run_set.h"
#include "core/params.h"
#include "cost/embedded.h"
#include "run/content_hash.h"
#include "run/run_json.h"

namespace warpsieve::claims {

using nlohmann::ordered_json;

namespace {

/// Counts without a fraction.
ordered_json value(double x) {
  const auto whole = static_cast<std::int64_t>(x);
  return static_cast<double>(whole) == x ? ordered_json(whole) : ordered_json(x);
}

/// `usual`: repetitions of a line that does not say.
ordered_json run_line(const RunEntry& entry, unsigned usual) {
  const auto repeat = static_cast<unsigned>(entry.repetitions.size());
  const run::RunSpec& spec = entry.given.spec;
  ordered_json out = {{"workload", entry.workload}, {"scheme", entry.scheme}};
  if (!spec.set.empty()) out["set"] = spec.set;
  if (!spec.sizes.empty()) out["sizes"] = spec.sizes;
  if (!spec.input.empty()) out["input"] = spec.input;
  if (spec.seed != 1) out["seed"] = spec.seed;
  if (repeat != usual) out["repeat"] = repeat;
  out["seconds"] = std::round(100 * entry.seconds) / 100;
  ordered_json statistics = ordered_json::object();
  for (const auto& [name, first] : entry.repetitions.at(0)) {
    std::vector<double> all;
    for (unsigned r = 0; r < repeat; ++r) {
      const auto found = entry.repetitions.at(r).find(name);
      if (found == entry.repetitions.at(r).end())
        throw ConfigError(
            fmt::format("{} under {}: repetition {} has no '{}': expected the directory of a sweep, which has all "
                        "statistics of each",
                        entry.workload, entry.scheme, r + 1, name));
      all.push_back(found->second);
    }
    const bool same = std::all_of(all.begin(), all.end(), [&](double x) { return x == all.front(); });
    if (same) {
      statistics[name] = value(first);
    } else {
      ordered_json& list = statistics[name] = ordered_json::array();
      for (const double x : all) list.push_back(value(x));
    }
  }
  out["statistics"] = std::move(statistics);
  return out;
}

ResultsHead head_of(const ordered_json& json, const std::string& path) {
  ResultsHead head;
  for (const auto& [key, text] : {std::pair{"paper", &head.paper},
                                  {"profile", &head.profile},
                                  {"scale", &head.scale},
                                  {"version", &head.version},
                                  {"command", &head.command},
                                  {"cost_model", &head.cost_model}})
    *text = run::text_field(json, path, key);
  head.repeat = static_cast<unsigned>(run::whole_field(json, path, "repeat", 1));
  if (head.repeat == 0 || head.repeat > run::kRepetitions)
    throw ConfigError(fmt::format("{}: 'repeat': expected 1 to {}", path, run::kRepetitions));
  return head;
}

ordered_json parsed(const std::string& text, const std::string& path) {
  ordered_json json = ordered_json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("format", "") != kResultsFormat)
    throw ConfigError(fmt::format("{}: expected JSON of format {}", path, kResultsFormat));
  run::check_digest(json, path);
  return json;
}

std::vector<std::string> texts(const ordered_json& of, const char* key) {
  const auto found = of.find(key);
  return found == of.end() ? std::vector<std::string>() : found->get<std::vector<std::string>>();
}

RunEntry entry_of(const ordered_json& line, const ResultsHead& head, const RuleSet& rules) {
  run::RunSpec spec;
  spec.workload = line.at("workload").get<std::string>();
  spec.scheme = line.at("scheme").get<std::string>();
  spec.profile = head.profile;
  spec.scale = head.scale;
  spec.set = texts(line, "set");
  spec.sizes = texts(line, "sizes");
  spec.input = line.value("input", "");
  spec.seed = line.value("seed", std::uint64_t{1});
  RunEntry entry{spec.workload, spec.scheme, given_by(spec, rules), {}, line.at("seconds").get<double>()};
  const unsigned repeat = line.value("repeat", head.repeat);
  if (repeat == 0 || repeat > run::kRepetitions)
    throw ConfigError(fmt::format("'repeat' of {}: expected 1 to {}", entry.workload, run::kRepetitions));
  for (const auto& [name, values] : line.at("statistics").items())
    for (unsigned r = 0; r < repeat; ++r)
      entry.repetitions[r][name] = values.is_array() ? values.at(r).get<double>() : values.get<double>();
  return entry;
}

}  // namespace

std::string cost_model_digest() {
  std::string all;
  for (unsigned i = 0; i < cost::kEmbeddedCount; ++i) {
    const std::string_view name = cost::kEmbedded[i].name;
    if (name.ends_with("energy.json") || name.ends_with("cacti_sweep.csv") || name.starts_with("synth/energy/"))
      all += cost::kEmbedded[i].text;
  }
  return run::content_hash(all).substr(0, 16);
}

std::string results_text(const ResultsHead& head, const RunSet& runs) {
  ordered_json lines = ordered_json::array();
  for (const RunEntry& entry : runs.entries()) {
    if (entry.repetitions.size() < head.repeat)
      throw ConfigError(fmt::format("{} under {}: {} of {} repetitions are finished: expected all", entry.workload,
                                    entry.scheme, entry.repetitions.size(), head.repeat));
    lines.push_back(run_line(entry, head.repeat));
  }
  ordered_json json = {{"format", kResultsFormat},      {"paper", head.paper},     {"profile", head.profile},
                       {"scale", head.scale},           {"repeat", head.repeat},   {"version", head.version},
                       {"cost_model", head.cost_model}, {"command", head.command}, {"runs", lines}};
  run::add_digest(json);
  std::string text = "{\n";
  for (const auto& [key, part] : json.items()) {
    if (key == "runs") {
      text += "\"runs\": [\n";
      for (std::size_t i = 0; i < lines.size(); ++i) text += lines[i].dump() + (i + 1 < lines.size() ? ",\n" : "\n");
      text += "],\n";
    } else {
      text += fmt::format("\"{}\": {}{}\n", key, part.dump(), key == "digest" ? "" : ",");
    }
  }
  return text + "}\n";
}

std::string paper_of_results(const std::string& text, const std::string& path) {
  return head_of(parsed(text, path), path).paper;
}

ResultsHead read_results_file(const std::string& text, const std::string& path, const RuleSet& rules, RunSet& runs) {
  const ordered_json json = parsed(text, path);
  const ResultsHead head = head_of(json, path);
  try {
    runs.is_scale(head.scale);
    for (const ordered_json& line : json.at("runs")) runs.add(head.profile, entry_of(line, head, rules), true);
  } catch (const nlohmann::json::exception& error) {
    throw ConfigError(fmt::format("{}: expected what `warpsieve claims --save` writes: {}", path, error.what()));
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("{}: {}", path, error.what()));
  }
  return head;
}

}  // namespace warpsieve::claims
