#include "report/figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "core/number.h"
#include "core/spread.h"
#include "report/add_once.h"
#include "report/variants.h"

namespace warpsieve::report {

namespace {

using nlohmann::ordered_json;
using Place = std::vector<std::size_t>;

double percent(double ratio) { return 100 * (ratio - 1); }

/// What all figures of runs share.
class RunFigures {
 public:
  RunFigures(const Results& results, const Comparison& comparison) : results_(results), c_(comparison) {
    std::set<std::string> known;
    for (const Compared& one : c_.runs) {
      const std::string name = group(one);
      if (known.insert(name).second) groups_.push_back(name);
      index_[run(one).at][{run(one).scheme, name}].push_back(&one);
    }
  }

  const ResultRun& run(const Compared& one) const { return results_.runs[one.run]; }
  std::string group(const Compared& one) const { return group_label(c_, run(one)); }

  Figure start(Figure::Kind kind, std::string id, std::string section, const std::string& what) const {
    Figure f;
    f.kind = kind;
    f.id = std::move(id);
    f.section = std::move(section);
    f.title = fmt::format("{} of {} against {}", what, list_of(c_.schemes, "schemes"), c_.base_name);
    f.group_name = "workload";
    f.series_name = "scheme";
    f.groups = groups_;
    f.series = c_.schemes;
    return f;
  }

  /// Bars of the change of a figure in percent, then its mean and geometric mean over the workloads.
  Figure changes(Figure f, const std::vector<double> Compared::*ratios) const {
    f.unit = "%";
    std::size_t most = 1;
    bool none = false;
    for (const auto& [at, bars] : index_)
      for (const std::string& scheme : c_.schemes) {
        std::vector<std::vector<double>> all;
        for (const std::string& name : groups_) {
          const auto bar = bars.find({scheme, name});
          if (bar == bars.end()) continue;
          std::vector<double> values;
          for (const Compared* one : bar->second)
            values.insert(values.end(), (one->*ratios).begin(), (one->*ratios).end());
          f.rows.push_back(row(name, scheme, values, at));
          most = std::max(most, values.size());
          none = none || values.empty();
          if (!values.empty()) all.push_back(std::move(values));
        }
        if (groups_.size() < 2 || all.size() < 2) continue;
        f.rows.push_back(row("mean", scheme, over_workloads(all, false), at));
        f.rows.push_back(row("geometric mean", scheme, over_workloads(all, true), at));
        f.means = 2;
      }
    if (f.means) f.groups.insert(f.groups.end(), {"mean", "geometric mean"});
    std::vector<std::string> notes;
    notes.push_back(most > 1
                        ? fmt::format("Whiskers: 95 % confidence interval of up to {} runs. Pale bars: no change "
                                      "beyond the noise.",
                                      most)
                        : "Single runs: the noise is not known (warpsieve run --repeat).");
    if (none) notes.push_back(fmt::format("None: {} has no off-chip requests.", c_.base_name));
    f.note = fmt::format("{}", fmt::join(notes, " "));
    return f;
  }

  /// Stacked changes of parts, in percent of the baseline's total. `parts_of` gives the parts, or none.
  Figure shares(Figure f, const std::function<std::vector<double>(std::size_t)>& parts_of) const {
    f.unit = "%";
    std::set<std::size_t> used;
    for (const auto& [at, bars] : index_)
      for (const std::string& scheme : c_.schemes)
        for (const std::string& name : groups_) {
          const auto bar = bars.find({scheme, name});
          if (bar == bars.end()) continue;
          std::vector<double> sums(f.parts.size());
          std::size_t count = 0;
          for (const Compared* one : bar->second) {
            const std::vector<double> mine = parts_of(one->run), base = parts_of(one->base);
            double total = 0;
            for (const double v : base) total += v;
            if (mine.empty() || total <= 0) continue;
            ++count;
            for (std::size_t p = 0; p < sums.size(); ++p) sums[p] += 100 * (mine[p] - base[p]) / total;
          }
          for (std::size_t p = 0; count && p < sums.size(); ++p) {
            if (sums[p] != 0) used.insert(p);
            FigureRow r{.group = name, .series = scheme, .part = f.parts[p]};
            r.value = sums[p] / static_cast<double>(count);
            r.runs = count;
            r.at = at;
            f.rows.push_back(std::move(r));
          }
        }
    std::vector<std::string> parts;
    for (const std::size_t p : used) parts.push_back(f.parts[p]);
    std::erase_if(f.rows,
                  [&](const FigureRow& r) { return std::find(parts.begin(), parts.end(), r.part) == parts.end(); });
    f.parts = std::move(parts);
    f.note = "Diamonds: all parts together.";
    return f;
  }

 private:
  static FigureRow row(const std::string& group, const std::string& series, const std::vector<double>& ratios,
                       const Place& at) {
    FigureRow out{.group = group, .series = series};
    out.runs = std::max<std::size_t>(1, ratios.size());
    out.at = at;
    if (ratios.empty()) return out;
    const Spread s = spread_of(ratios);
    out.value = percent(s.mean);
    if (ratios.size() > 1) {
      out.low = percent(s.mean - s.half);
      out.high = percent(s.mean + s.half);
    }
    return out;
  }

  /// The mean of each repetition where all workloads have as many, else the mean of the means.
  static std::vector<double> over_workloads(const std::vector<std::vector<double>>& all, bool geometric) {
    const std::size_t count = all.front().size();
    const bool equal = std::all_of(all.begin(), all.end(), [&](const auto& v) { return v.size() == count; });
    std::vector<double> out;
    for (std::size_t i = 0; i < (equal ? count : 1); ++i) {
      std::vector<double> values;
      for (const auto& of : all) values.push_back(equal ? of[i] : spread_of(of).mean);
      out.push_back(geometric ? geometric_mean(values) : spread_of(values).mean);
    }
    return out;
  }

  const Results& results_;
  const Comparison& c_;
  std::vector<std::string> groups_;
  /// Runs of each bar: seeds. By place, then scheme and group.
  std::map<Place, std::map<std::pair<std::string, std::string>, std::vector<const Compared*>>> index_;
};

struct Part {
  const char* name;
  std::vector<const char*> keys;
};

const std::vector<Part>& request_kinds() {
  static const std::vector<Part> all = {
      {"write", {"write"}},           {"data-read", {"data_read"}},
      {"read-only", {"read_only"}},   {"metadata", {"metadata_read", "metadata_write"}},
      {"dedup-read", {"dedup_read"}}, {"verify-read", {"verify_read"}}};
  return all;
}

const std::vector<Part>& energy_components() {
  static const std::vector<Part> all = {
      {"DRAM", {"dram"}}, {"controller", {"controller"}}, {"L2", {"l2"}}, {"L1", {"l1"}}, {"NoC", {"noc"}}};
  return all;
}

Figure stacked(const RunFigures& runs, Figure f, const std::vector<Part>& parts,
               const std::function<const ordered_json&(std::size_t)>& of) {
  for (const Part& p : parts) f.parts.emplace_back(p.name);
  return runs.shares(std::move(f), [&](std::size_t run) {
    const ordered_json& figures = of(run);
    std::vector<double> out;
    if (figures.is_null()) return out;
    for (const Part& p : parts) {
      out.push_back(0);
      for (const char* key : p.keys) out.back() += figures.value(key, 0.0);
    }
    return out;
  });
}

std::optional<double> requests_ratio(const Results& results, const Compared& one, const char* kind) {
  const double base = results.runs[one.base].run["off_chip_requests"].value(kind, 0.0);
  if (base <= 0) return std::nullopt;
  return results.runs[one.run].run["off_chip_requests"].value(kind, 0.0) / base;
}

std::optional<double> first_mean(const std::vector<double>& ratios) {
  return ratios.empty() ? std::nullopt : std::optional(spread_of(ratios).mean);
}

struct Metric {
  const char *id, *what;
  bool only_changing;  ///< shown where it changes along the axis: kinds that caches and buffers of a scheme are for
  std::optional<double> (*ratio)(const Results&, const Compared&);
};
constexpr Metric kMetrics[] = {
    {"ipc", "IPC", false, [](const Results&, const Compared& c) { return first_mean(c.ipc); }},
    {"off_chip", "off-chip requests", false,
     [](const Results&, const Compared& c) { return first_mean(c.requests); }},
    {"write", "write requests", true,
     [](const Results& r, const Compared& c) { return requests_ratio(r, c, "write"); }},
    {"read_only", "read-only requests", true,
     [](const Results& r, const Compared& c) { return requests_ratio(r, c, "read_only"); }}};

std::string slug(const std::string& text) {
  std::string out;
  for (const char c : text) out += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return out;
}

std::string axis_label(const ResultAxis& a) {
  return a.unit.empty() ? a.name : fmt::format("{} ({})", a.name, a.unit);
}

/// Values of x by their place; `numbers` when all are.
struct Labels {
  std::vector<std::string> text;
  std::vector<double> x;
  bool numbers = true;
  explicit Labels(std::vector<std::string> labels) : text(std::move(labels)) {
    for (const std::string& label : text) {
      const auto value = to_number<double>(label);
      numbers = numbers && value;
      x.push_back(value.value_or(0));
    }
  }
};

/// A line for each workload over the values of x: geometric means of the ratios there, as changes in percent. `x_of`
/// gives the place of a run among the values, or none.
Figure lines_over(const RunFigures& runs, const Results& results, const Comparison& c, const std::string& scheme,
                  const Metric& metric, const Labels& labels,
                  const std::function<std::optional<std::size_t>(const Compared&)>& x_of,
                  const std::function<std::string(const Compared&)>& line_of) {
  Figure f = runs.start(Figure::Kind::lines, "", "sensitivity", metric.what);
  f.series.clear();
  f.series_name = "workload";
  f.y_label = fmt::format("change of {}", metric.what);
  f.unit = "%";
  f.groups = labels.text;
  f.numbers = labels.numbers;
  std::map<std::pair<std::string, std::size_t>, std::vector<double>> values;
  for (const Compared& one : c.runs) {
    if (runs.run(one).run["scheme"] != scheme && runs.run(one).scheme != scheme) continue;
    const auto x = x_of(one);
    const auto ratio = metric.ratio(results, one);
    if (!x || !ratio) continue;
    add_once(f.series, line_of(one));
    values[{line_of(one), *x}].push_back(*ratio);
  }
  for (const std::string& line : f.series)
    for (std::size_t x = 0; x < labels.text.size(); ++x)
      if (const auto found = values.find({line, x}); found != values.end())
        f.rows.push_back({.group = labels.text[x],
                          .series = line,
                          .x = labels.x[x],
                          .value = percent(geometric_mean(found->second)),
                          .runs = found->second.size()});
  return f;
}

bool changes(const Figure& f) {
  std::map<std::string, std::pair<double, double>> range;
  for (const FigureRow& r : f.rows) {
    auto [at, fresh] = range.try_emplace(r.series, *r.value, *r.value);
    at->second = {std::min(at->second.first, *r.value), std::max(at->second.second, *r.value)};
  }
  return std::any_of(range.begin(), range.end(),
                     [](const auto& r) { return r.second.second - r.second.first > 0.1; });
}

bool has_two_places(const Figure& f) {
  return std::any_of(f.rows.begin(), f.rows.end(), [&](const FigureRow& r) { return r.group != f.rows[0].group; });
}

void add_axis_lines(std::vector<Figure>& out, const RunFigures& runs, const Results& results, const Comparison& c) {
  for (std::size_t a = 0; a < results.axes.size(); ++a)
    for (const std::string& scheme : c.schemes)
      for (const Metric& metric : kMetrics) {
        Figure f = lines_over(
            runs, results, c, scheme, metric, Labels(results.axes[a].labels),
            [&](const Compared& one) { return std::optional(runs.run(one).at[a]); },
            [&](const Compared& one) { return runs.group(one); });
        if (!has_two_places(f) || (metric.only_changing && !changes(f))) continue;
        f.id = fmt::format("{}_over_{}_{}", metric.id, slug(results.axes[a].name), slug(scheme));
        f.group_name = f.x_label = axis_label(results.axes[a]);
        f.title =
            fmt::format("{}: {} over {}, against {}", scheme, metric.what, axis_label(results.axes[a]), c.base_name);
        out.push_back(std::move(f));
      }
}

/// Files of runs: where the runs of a scheme differ in one number, be it a size, a parameter of the scheme or of the
/// machine. Each such number with at least three values gets its curve.
void add_parameter_lines(std::vector<Figure>& out, const RunFigures& runs, const Results& results,
                         const Comparison& c) {
  std::vector<std::string> schemes;
  for (const Compared& one : c.runs) add_once(schemes, runs.run(one).run["scheme"].get<std::string>());
  for (const std::string& scheme : schemes) {
    std::map<std::size_t, std::map<std::string, std::string>> values;  // of each run
    std::vector<std::map<std::string, std::string>> all;
    for (const Compared& one : c.runs)
      if (runs.run(one).run["scheme"] == scheme) all.push_back(values[one.run] = numbers_of(runs.run(one)));
    const std::set<std::string> names = differing_names(all);
    if (names.size() != 1) continue;
    const std::string& name = *names.begin();
    std::set<double> found;
    for (const auto& of : all)
      if (const auto value = of.find(name); value != of.end())
        if (const auto number = to_number<double>(value->second)) found.insert(*number);
    if (found.size() < 3) continue;
    std::vector<std::string> labels;
    for (const double v : found) labels.push_back(fmt::format("{}", v));
    for (const Metric& metric : kMetrics) {
      if (metric.only_changing) continue;
      Figure f = lines_over(
          runs, results, c, scheme, metric, Labels(labels),
          [&](const Compared& one) -> std::optional<std::size_t> {
            const auto& of = values.at(one.run);
            const auto value = of.find(name);
            if (value == of.end()) return std::nullopt;
            const auto number = to_number<double>(value->second);
            if (!number) return std::nullopt;
            return static_cast<std::size_t>(std::distance(found.begin(), found.find(*number)));
          },
          [&](const Compared& one) { return runs.run(one).workload; });
      if (!has_two_places(f)) continue;
      f.id = fmt::format("{}_over_{}_{}", metric.id, slug(name), slug(scheme));
      f.group_name = f.x_label = name;
      f.title = fmt::format("{}: {} over {}, against {}", scheme, metric.what, name, c.base_name);
      out.push_back(std::move(f));
    }
  }
}

void add_maps(std::vector<Figure>& out, const RunFigures& runs, const Results& results, const Comparison& c) {
  for (std::size_t a = 0; a < results.axes.size(); ++a)
    for (std::size_t b = a + 1; b < results.axes.size(); ++b)
      for (const std::string& scheme : c.schemes) {
        const ResultAxis &first = results.axes[a], &second = results.axes[b];
        std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> cells;
        for (const Compared& one : c.runs)
          if (const auto ratio = first_mean(one.ipc); ratio && runs.run(one).scheme == scheme)
            cells[{runs.run(one).at[a], runs.run(one).at[b]}].push_back(*ratio);
        if (cells.empty()) continue;
        Figure f = runs.start(Figure::Kind::map, "", "sensitivity", "IPC");
        f.id = fmt::format("ipc_over_{}_and_{}_{}", slug(first.name), slug(second.name), slug(scheme));
        f.title = fmt::format("{}: IPC over {} and {}, against {} (geometric mean)", scheme, first.name, second.name,
                              c.base_name);
        f.group_name = f.x_label = axis_label(first);
        f.series_name = axis_label(second);
        f.y_label = "change of IPC";
        f.unit = "%";
        f.groups = first.labels;
        f.series = second.labels;
        for (const auto& [place, ratios] : cells)
          f.rows.push_back({.group = first.labels[place.first],
                            .series = second.labels[place.second],
                            .value = percent(geometric_mean(ratios)),
                            .runs = ratios.size()});
        out.push_back(std::move(f));
      }
}

/// A dot for each run, of the change of IPC over `x`.
void add_dots(std::vector<Figure>& out, const RunFigures& runs, const Comparison& c, Figure f,
              const std::function<std::optional<double>(const Compared&)>& x_of) {
  f.y_label = "change of IPC";
  f.unit = "%";
  f.numbers = true;
  for (const Compared& one : c.runs) {
    const auto x = x_of(one), y = first_mean(one.ipc);
    if (!x || !y) continue;
    f.rows.push_back({.group = runs.group(one), .series = runs.run(one).scheme, .x = *x, .value = percent(*y)});
  }
  if (!f.rows.empty()) out.push_back(std::move(f));
}

struct CurveName {
  const char *name, *title, *x, *y;
};
/// Curves of validate/curves.h whose x is a number.
constexpr CurveName kCurves[] = {
    {"staircase", "Latency of dependent loads over the footprint", "footprint (KiB)", "core cycles"},
    {"in_flight", "DRAM bandwidth over lines in flight", "lines in flight per SM", "bandwidth (% of peak)"},
    {"shared", "Shared-memory cycles over bank conflicts", "words in the busiest bank", "core cycles per access"},
    {"atomics", "Atomics over different words", "different words", "lane atomics per core cycle"},
    {"pitch", "Bandwidth by pitch", "bytes between lanes", "lines per core cycle"},
    {"occupancy", "Resident warps over registers", "registers per thread", "resident warps per SM"}};

}  // namespace

std::vector<std::size_t> usual_place(const Results& results) {
  std::vector<std::size_t> out;
  for (const ResultAxis& a : results.axes) out.push_back((a.labels.size() - 1) / 2);
  return out;
}

std::string place_text(const Results& results, const std::vector<std::size_t>& at) {
  std::vector<std::string> out;
  for (std::size_t a = 0; a < results.axes.size(); ++a) {
    const ResultAxis& axis = results.axes[a];
    out.push_back(fmt::format("{} {}{}{}", axis.name, axis.labels[at[a]], axis.unit.empty() ? "" : " ", axis.unit));
  }
  return fmt::format("{}", fmt::join(out, ", "));
}

std::vector<Figure> run_figures(const Results& results, const Comparison& c,
                                const std::vector<ordered_json>& energy) {
  std::vector<Figure> out;
  if (c.runs.empty()) return out;
  const RunFigures runs(results, c);
  Figure ipc = runs.start(Figure::Kind::bars, "ipc", "ipc", "IPC");
  ipc.y_label = "change of IPC";
  out.push_back(runs.changes(std::move(ipc), &Compared::ipc));
  Figure traffic = runs.start(Figure::Kind::bars, "off_chip", "requests", "Off-chip requests");
  traffic.y_label = "change of off-chip requests";
  out.push_back(runs.changes(std::move(traffic), &Compared::requests));
  Figure kinds = runs.start(Figure::Kind::stack, "off_chip_kinds", "requests", "Kinds of off-chip requests");
  kinds.y_label = fmt::format("change relative to all requests of {}", c.base);
  kinds = stacked(runs, std::move(kinds), request_kinds(),
                  [&](std::size_t run) -> const ordered_json& { return results.runs[run].run["off_chip_requests"]; });
  if (!kinds.rows.empty()) out.push_back(std::move(kinds));
  Figure joules = runs.start(Figure::Kind::stack, "energy", "energy", "Energy");
  joules.y_label = fmt::format("change relative to the energy of {}", c.base);
  joules = stacked(runs, std::move(joules), energy_components(),
                   [&](std::size_t run) -> const ordered_json& { return energy[run]; });
  if (!joules.rows.empty()) out.push_back(std::move(joules));

  add_axis_lines(out, runs, results, c);
  if (results.axes.empty()) add_parameter_lines(out, runs, results, c);
  add_maps(out, runs, results, c);
  Figure footprint = runs.start(Figure::Kind::dots, "ipc_over_footprint", "sensitivity", "IPC over the footprint");
  footprint.x_label = "footprint (MiB)";
  add_dots(out, runs, c, std::move(footprint), [&](const Compared& one) -> std::optional<double> {
    const auto found = results.footprints.find(runs.run(one).workload);
    return found == results.footprints.end() ? std::nullopt : std::optional(found->second);
  });
  if (!results.axes.empty() || c.seeds > 1) {
    Figure points = runs.start(Figure::Kind::dots, "points", "points", "IPC and off-chip requests, each run");
    points.x_label = "change of off-chip requests (%)";
    add_dots(out, runs, c, std::move(points), [](const Compared& one) -> std::optional<double> {
      const auto ratio = first_mean(one.requests);
      return ratio ? std::optional(percent(*ratio)) : std::nullopt;
    });
  }
  return out;
}

std::vector<Figure> curve_figures(const Results& results) {
  std::vector<Figure> out;
  for (const CurveName& name : kCurves) {
    Figure f;
    f.kind = Figure::Kind::lines;
    f.id = name.name;
    f.section = "curves";
    f.group_name = f.x_label = name.x;
    f.series_name = "machine";
    f.y_label = name.y;
    f.numbers = true;
    std::set<double> all;
    bool published = false;
    for (const Curve& curve : results.curves) {
      if (curve.name != name.name) continue;
      f.series.push_back(curve.machine);
      for (const auto* points : {&curve.measured, &curve.references})
        for (const Curve::Point& p : *points) {
          const bool reference = points == &curve.references;
          f.rows.push_back({.group = reference ? p.what : fmt::format("{}", p.x),
                            .series = curve.machine,
                            .part = reference ? "published" : "",
                            .x = p.x,
                            .value = p.y});
          published = published || reference;
          if (!reference) all.insert(p.x);
        }
    }
    if (all.size() < 2) continue;
    for (const double x : all) f.groups.push_back(fmt::format("{}", x));
    f.title = fmt::format("{}: {}", name.title, list_of(f.series, "machines"));
    if (published) f.note = "Crosses: published figures.";
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace warpsieve::report
