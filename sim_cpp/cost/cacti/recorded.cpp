#include "cost/cacti/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/number.h"
#include "cost/embedded.h"

namespace warpsieve::cost {

namespace {

constexpr std::string_view kFile = "sim_cpp/cost/data/cacti_sweep.csv";

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t from = 0;;) {
    const std::size_t comma = line.find(',', from);
    fields.push_back(line.substr(from, comma - from));
    if (comma == std::string_view::npos) return fields;
    from = comma + 1;
  }
}

template <class T>
T number(std::string_view text, std::size_t line) {
  const auto value = to_number<T>(text);
  if (!value) throw std::logic_error(fmt::format("{}:{}: '{}' is no number", kFile, line, text));
  return *value;
}

/// Empty: the tool prints none for this kind of memory.
double result(std::string_view text, std::size_t line) {
  return text.empty() ? std::numeric_limits<double>::quiet_NaN() : number<double>(text, line);
}

Query group_query(const std::vector<std::string_view>& f, std::size_t line) {
  Query q;
  const auto n = [&](std::size_t i) { return number<std::uint32_t>(f[i], line); };
  q.kind = f[1] == "ram" ? Kind::ram : f[1] == "cache" ? Kind::cache : Kind::cam;
  q.node_nm = n(2);
  q.device = f[3];
  q.line_bytes = n(4);
  q.word_bits = n(5);
  q.ways = n(6);
  q.ports = f[7] == "1RW" ? Ports::rw1 : f[7] == "1R1W" ? Ports::r1w1 : Ports::rw2;
  q.access = f[8] == "normal" ? Access::normal : f[8] == "sequential" ? Access::sequential : Access::fast;
  q.tag_bits = f[9] == "default" || q.kind == Kind::cam ? 0 : n(9);
  q.temperature_k = n(10);
  return q;
}

/// The same memory whatever the capacity, and with defaults filled in.
Query normal_form(Query q) {
  q.line_bytes = q.line();
  q.bytes = 0;
  if (q.kind == Kind::cam) q.ways = 0, q.tag_bits = 0;
  return q;
}

double area_of(const Recorded::Point& p) {
  return std::isnan(p.data) ? p.box : p.data + (std::isnan(p.tag) ? 0 : p.tag);
}
double access_of(const Recorded::Point& p, Kind kind) {
  return kind == Kind::cam && p.match > p.access ? p.match : p.access;  // a CAM's access time leaves the match out
}
double metric_of(const Recorded::Point& p, Kind kind, Recorded::Metric metric) {
  switch (metric) {
    case Recorded::Metric::area: return area_of(p);
    case Recorded::Metric::access: return access_of(p, kind);
    case Recorded::Metric::read: return p.read;
    case Recorded::Metric::write: return p.write;
    default: return p.leak + p.gate_leak;
  }
}

double between(double x, double x0, double y0, double x1, double y1) {
  return std::exp(std::log(y0) +
                  (std::log(y1) - std::log(y0)) * (std::log(x) - std::log(x0)) / (std::log(x1) - std::log(x0)));
}

Result exact(const Recorded::Point& p, Kind kind) {
  Result r;
  r.access_ns = access_of(p, kind);
  r.cycle_ns = p.cycle;
  if (!std::isnan(p.search)) r.search_nj = p.search;
  r.read_nj = p.read;
  r.write_nj = p.write;
  r.leakage_mw = p.leak + p.gate_leak;
  r.data_mm2 = std::isnan(p.data) ? p.box : p.data;
  r.tag_mm2 = std::isnan(p.tag) ? 0 : p.tag;
  r.box_mm2 = p.box;
  return r;
}

double log_distance(double a, double b) { return std::abs(std::log2(std::max(a, 0.5) / std::max(b, 0.5))); }

/// How unlike two memories are; only the order matters.
double distance(const Query& a, const Query& b) {
  return 100.0 * (a.kind != b.kind) + 50.0 * (a.searched() != b.searched()) + 10.0 * (a.device != b.device) +
         6.0 * (a.ports != b.ports) + 5.0 * (a.access != b.access) +
         4.0 * log_distance(a.temperature_k, b.temperature_k) + 4.0 * log_distance(a.node_nm, b.node_nm) +
         2.0 * log_distance(a.word_bits, b.word_bits) + 2.0 * log_distance(a.line(), b.line()) +
         1.5 * log_distance(a.ways, b.ways) + 3.0 * (a.tag_bits != b.tag_bits);
}

}  // namespace

Recorded::Recorded() {
  std::string_view text = embedded(kFile);
  std::size_t line_number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_number;
    if (line.empty() || line[0] == '#') continue;
    const auto f = split(line);
    if (f[0] == "g") {
      if (f.size() != 11) throw std::logic_error(fmt::format("{}:{}: expected 11 fields", kFile, line_number));
      groups_.emplace_back(normal_form(group_query(f, line_number)), Group{});
      continue;
    }
    const auto bytes = number<std::uint64_t>(f[0], line_number);
    Point p{};
    if (f.size() > 1 && f[1].starts_with("!")) {
      p.refused = f[1].substr(1);
    } else {
      if (f.size() != 12 || groups_.empty())
        throw std::logic_error(fmt::format("{}:{}: expected 12 fields", kFile, line_number));
      double* const fields[] = {&p.access,    &p.cycle, &p.search, &p.read, &p.write, &p.leak,
                                &p.gate_leak, &p.box,   &p.data,   &p.tag,  &p.match};
      for (std::size_t i = 0; i < 11; ++i) *fields[i] = result(f[i + 1], line_number);
    }
    groups_.back().second.emplace(bytes, std::move(p));
  }
}

const Recorded::Group* Recorded::find(const Query& query) const {
  const Query wanted = normal_form(query);
  for (const auto& [key, group] : groups_) {
    if (key == wanted) return &group;
  }
  return nullptr;
}

void Recorded::nothing_recorded(const Query& query) const {
  const Query* best = nullptr;
  std::uint64_t best_bytes = 0;
  double best_distance = std::numeric_limits<double>::infinity();
  for (const auto& [key, group] : groups_) {
    for (const auto& [bytes, point] : group) {
      if (!point.refused.empty()) continue;
      const double d =
          distance(key, query) + 0.1 * log_distance(static_cast<double>(bytes), static_cast<double>(query.bytes));
      if (d < best_distance) best = &key, best_bytes = bytes, best_distance = d;
    }
  }
  Query nearest = *best;
  nearest.bytes = best_bytes;
  throw CactiError(
      fmt::format("CACTI: {}: not in the recorded sweep; nearest recorded: {} (set CACTI= to a CACTI 7 "
                  "binary for anything else)",
                  query.describe(), nearest.describe()));
}

Result Recorded::at(const Query& query) {
  const Group* group = find(query);
  if (!group) nothing_recorded(query);
  const auto hit = group->find(query.bytes);
  Result r;
  if (hit != group->end()) {
    if (!hit->second.refused.empty())
      throw CactiError(fmt::format("CACTI: {}: refused: {}", query.describe(), hit->second.refused));
    r = exact(hit->second, query.kind);
    r.source = name();
    return r;
  }
  auto upper = group->upper_bound(query.bytes);
  while (upper != group->end() && !upper->second.refused.empty()) ++upper;
  auto lower = group->lower_bound(query.bytes);
  do {
    if (lower == group->begin()) nothing_recorded(query);
    --lower;
  } while (!lower->second.refused.empty());
  if (upper == group->end()) nothing_recorded(query);

  const Result a = exact(lower->second, query.kind), b = exact(upper->second, query.kind);
  const double x = static_cast<double>(query.bytes), x0 = static_cast<double>(lower->first),
               x1 = static_cast<double>(upper->first);
  const auto at = [&](double y0, double y1) { return between(x, x0, y0, x1, y1); };
  r.source = name();
  r.access_ns = at(*a.access_ns, *b.access_ns);
  if (a.search_nj && b.search_nj) r.search_nj = at(*a.search_nj, *b.search_nj);
  r.read_nj = at(a.read_nj, b.read_nj);
  r.write_nj = at(a.write_nj, b.write_nj);
  r.leakage_mw = at(a.leakage_mw, b.leakage_mw);
  // The sum is what was checked; the parts keep the share that interpolating them gives.
  const double sum = at(a.area_mm2(), b.area_mm2());
  const double tag = a.tag_mm2 > 0 && b.tag_mm2 > 0 ? at(a.tag_mm2, b.tag_mm2) : 0;
  const double data = at(a.data_mm2, b.data_mm2);
  r.data_mm2 = sum * data / (data + tag);
  r.tag_mm2 = sum * tag / (data + tag);
  r.box_mm2 = at(a.box_mm2, b.box_mm2);
  r.interpolated = true;
  r.lower_bytes = lower->first;
  r.upper_bytes = upper->first;
  r.area_error = leave_one_out(query.kind, query.searched(), Metric::area);
  r.access_error = leave_one_out(query.kind, query.searched(), Metric::access);
  r.read_error = leave_one_out(query.kind, query.searched(), Metric::read);
  r.write_error = leave_one_out(query.kind, query.searched(), Metric::write);
  r.leakage_error = leave_one_out(query.kind, query.searched(), Metric::leakage);
  return r;
}

std::vector<Query> Recorded::points() const {
  std::vector<Query> all;
  for (const auto& [key, group] : groups_) {
    for (const auto& [bytes, point] : group) {
      if (!point.refused.empty()) continue;
      all.push_back(key);
      all.back().bytes = bytes;
    }
  }
  return all;
}

InterpolationError Recorded::leave_one_out(Kind kind, bool searched, Metric metric) const {
  std::vector<double> errors;
  for (const auto& [key, group] : groups_) {
    // CAM and fully associative memories are searched alike and few: they are judged together.
    if (key.searched() != searched || (!searched && key.kind != kind)) continue;
    std::vector<std::pair<double, double>> points;
    for (const auto& [bytes, point] : group) {
      if (point.refused.empty()) points.emplace_back(static_cast<double>(bytes), metric_of(point, key.kind, metric));
    }
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
      const auto [x0, y0] = points[i - 1];
      const auto [x, y] = points[i];
      const auto [x1, y1] = points[i + 1];
      errors.push_back(std::abs(between(x, x0, y0, x1, y1) / y - 1));
    }
  }
  InterpolationError e;
  e.samples = errors.size();
  if (errors.empty()) return e;
  std::sort(errors.begin(), errors.end());
  const auto at = [&](double quantile) {
    return errors[static_cast<std::size_t>(quantile * static_cast<double>(errors.size() - 1) + 0.5)];
  };
  e.median = at(0.5);
  e.p90 = at(0.9);
  return e;
}

}  // namespace warpsieve::cost
