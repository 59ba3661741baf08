#include "validate/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/params.h"
#include "validate/dram_rows.h"
#include "validate/gpu_curves.h"

namespace warpsieve::validate {

namespace {

double figure(const Figures& f, const std::string& name, bool read_hits) {
  if (name == "cycles") return f.cycles;
  if (name == "l1_hit") return f.l1_hit;
  if (name == "l2_accesses") return f.l2_accesses;
  if (name == "l2_hit") return read_hits ? f.l2_read_hit : f.l2_hit;
  return f.dram_reads;
}

struct Kind {
  const char *name, *what, *unit;
};
constexpr Kind kKinds[] = {{"cycles", "cycles", "cycles"},
                           {"l1_hit", "L1 hit rate", "%"},
                           {"l2_accesses", "L2 accesses", "sectors"},
                           {"l2_hit", "L2 hit rate", "%"},
                           {"dram_reads", "DRAM reads", "sectors"}};

GroupResult measure_traces(const Reference& reference, const TraceMachine& machine, bool quick, TraceFolder& traces) {
  GroupResult out{machine.name, {}, {}};
  int compared = 0, close = 0;
  for (const TraceRow& wanted : machine.rows) {
    const NamedTrace& trace = reference.traces.at(wanted.trace);
    if (quick && !trace.quick) continue;
    const Figures ours = run_trace(machine.machine, traces.trace(trace.arguments));
    for (const Kind& kind : kKinds) {
      const auto recorded = wanted.figures.find(kind.name);
      if (recorded == wanted.figures.end()) continue;
      const bool cycles = recorded->first == "cycles", rate = kind.unit[0] == '%';
      const auto reason = wanted.reasons.find(kind.name);
      Row row{.group = machine.name,
              .what = wanted.trace + " " + kind.what,
              .unit = kind.unit,
              .ours = figure(ours, kind.name, machine.read_hits),
              .reference = recorded->second,
              .tolerance = cycles ? reference.cycles_limit : reference.counts,
              .absolute = rate,
              .source = machine.source,
              .reason = reason == wanted.reasons.end() ? "" : reason->second};
      if (cycles) {
        ++compared;
        close += std::abs(row.ours - row.reference) <= row.reference * reference.cycles_goal / 100;
      }
      out.rows.push_back(std::move(row));
    }
  }
  if (!quick && compared > 0)
    out.rows.push_back({.group = machine.name,
                        .what = fmt::format("traces with cycles within {:g} %", reference.cycles_goal),
                        .unit = "%",
                        .ours = 100.0 * close / compared,
                        .reference = 100,
                        .tolerance = 20,
                        .absolute = true,
                        .source = machine.source,
                        .reason = ""});
  return out;
}

const char* wording(Shape shape) {
  switch (shape) {
    case Shape::rising: return "largest drop";
    case Shape::falling: return "largest rise";
    case Shape::to_peak: break;
  }
  return "largest drop before the peak";
}

GroupResult measure_curves(const CurveMachine& machine, bool quick) {
  GroupResult out{machine.name, {}, {}};
  std::map<std::string, Curve> measured;
  const std::vector<std::string> wanted = machine.curves.empty() ? curve_names() : machine.curves;
  for (const std::string& name : wanted) {
    if (quick && name != "staircase") continue;
    measured[name] = measure_curve(name, machine.machine, quick);
    out.curves.push_back(measured[name]);
  }
  for (const CurveRow& wants : machine.rows) {
    const auto curve = measured.find(wants.curve);
    if (curve == measured.end()) continue;
    const auto& points = curve->second.points;
    const auto point =
        std::find_if(points.begin(), points.end(), [&](const Point& p) { return p.label == wants.at; });
    if (point == points.end()) {
      if (quick) continue;
      throw ConfigError(fmt::format("validate: {}: curve {} has no point '{}'", wants.what, wants.curve, wants.at));
    }
    out.rows.push_back({.group = machine.name,
                        .what = wants.what,
                        .unit = curve->second.y_unit,
                        .ours = point->y,
                        .reference = wants.reference ? *wants.reference : limit_value(wants.limit, machine.machine),
                        .tolerance = wants.tolerance,
                        .absolute = wants.absolute,
                        .source = wants.source,
                        .reason = wants.reason,
                        .curve = wants.curve,
                        .at = wants.at});
  }
  for (const CurveCheck& check : machine.checks) {
    const auto curve = measured.find(check.curve);
    if (curve == measured.end()) continue;
    out.rows.push_back({.group = machine.name,
                        .what = fmt::format("{}: {}", check.curve, wording(check.shape)),
                        .unit = "%",
                        .ours = shape_error(curve->second, check.shape),
                        .reference = 0,
                        .tolerance = check.tolerance,
                        .absolute = true,
                        .source = "shape of the curve",
                        .reason = check.reason});
  }
  return out;
}

/// "4 KiB" for 4096 bytes: sizes of arrays are powers of two or halfway between.
std::string point_text(const GpuRow& row) {
  if (row.x_unit == "1") return fmt::format("{:g}", row.at);
  for (const auto& [unit, prefix] : {std::pair{1073741824.0, "Gi"}, {1048576.0, "Mi"}, {1024.0, "Ki"}})
    if (row.x_unit == "B" && row.at >= unit && row.at / unit * 2 == std::floor(row.at / unit * 2))
      return fmt::format("{:g} {}B", row.at / unit, prefix);
  return fmt::format("{:g} {}", row.at, row.x_unit);
}

GroupResult measure_gpu(const GpuMachine& machine, bool quick) {
  GroupResult out{machine.name, {}, {}};
  for (const GpuRow& wanted : machine.rows) {
    if (quick && !wanted.quick) continue;
    out.rows.push_back({.group = machine.name,
                        .what = wanted.curve + " at " + point_text(wanted) + (wanted.fitted ? ", fitted" : ""),
                        .unit = wanted.y_unit,
                        .ours = measure_gpu_point(wanted.curve, wanted.at, machine.machine),
                        .reference = wanted.reference,
                        .tolerance = wanted.tolerance,
                        .source = machine.source,
                        .reason = wanted.reason,
                        .curve = wanted.curve,
                        .at = fmt::format("{:g}", wanted.at)});
  }
  return out;
}

}  // namespace

double shape_error(const Curve& curve, Shape shape) {
  const auto less = [](const Point& a, const Point& b) { return a.y < b.y; };
  const auto& points = curve.points;
  const auto peak = static_cast<std::size_t>(std::max_element(points.begin(), points.end(), less) - points.begin());
  const std::size_t end = shape == Shape::to_peak ? std::min(peak + 1, points.size()) : points.size();
  double worst = 0;
  for (std::size_t i = 1; i < end; ++i) {
    const double step = 100.0 * (points[i].y - points[i - 1].y) / points[i - 1].y;
    worst = std::max(worst, shape == Shape::falling ? step : -step);
  }
  return worst;
}

std::vector<Group> groups(const std::vector<Reference>& references) {
  std::vector<Group> out;
  for (const Reference& reference : references) {
    for (const TraceMachine& machine : reference.trace_machines)
      out.push_back({machine.name, "accelsim", [reference, machine](bool quick, TraceFolder& traces) {
                       return measure_traces(reference, machine, quick, traces);
                     }});
    for (const CurveMachine& machine : reference.curve_machines)
      out.push_back(
          {machine.name, "latency", [machine](bool quick, TraceFolder&) { return measure_curves(machine, quick); }});
    for (const GpuMachine& machine : reference.gpu_machines)
      out.push_back(
          {machine.name, "hardware", [machine](bool quick, TraceFolder&) { return measure_gpu(machine, quick); }});
  }
  return out;
}

std::vector<Group> builtin_groups() {
  std::vector<Group> all = groups(read_builtin_references());
  all.push_back({"dram", "dram", [](bool quick, TraceFolder&) { return GroupResult{"dram", dram_rows(quick), {}}; }});
  return all;
}

}  // namespace warpsieve::validate
