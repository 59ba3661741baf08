#include "report/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpsieve::report {

namespace {

using nlohmann::ordered_json;

ordered_json optional(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? ordered_json(*value) : ordered_json(nullptr);
}

const char* name(Figure::Kind kind) {
  switch (kind) {
    case Figure::Kind::bars: return "bars";
    case Figure::Kind::stack: return "stack";
    case Figure::Kind::lines: return "lines";
    case Figure::Kind::dots: return "dots";
    case Figure::Kind::map: break;
  }
  return "map";
}

/// A cell of CSV (RFC 4180).
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string cell(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : "";
}

std::string grouped(std::string digits) {
  const std::size_t end = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits[0] == '-' || digits[0] == '+' ? 1 : 0;
  for (std::size_t i = end; i > first + 3;) digits.insert(i -= 3, ",");
  return digits;
}

}  // namespace

ordered_json to_json(const Figure& f) {
  ordered_json rows = ordered_json::array();
  for (const FigureRow& r : f.rows) {
    ordered_json& row = rows.emplace_back(ordered_json{{"group", r.group}, {"series", r.series}});
    if (!r.part.empty()) row["part"] = r.part;
    if (f.numbers) row["x"] = r.x;
    row["value"] = optional(r.value);
    if (r.low) row.update({{"low", optional(r.low)}, {"high", optional(r.high)}});
    row["runs"] = r.runs;
    if (!r.at.empty()) row["at"] = r.at;
  }
  return {{"id", f.id},
          {"section", f.section},
          {"kind", name(f.kind)},
          {"title", f.title},
          {"note", f.note},
          {"group_name", f.group_name},
          {"series_name", f.series_name},
          {"x_label", f.x_label},
          {"y_label", f.y_label},
          {"unit", f.unit},
          {"groups", f.groups},
          {"series", f.series},
          {"parts", f.parts},
          {"means", f.means},
          {"numbers", f.numbers},
          {"rows", std::move(rows)}};
}

std::string to_csv(const Figure& f) {
  const auto any = [&](auto&& has) { return std::any_of(f.rows.begin(), f.rows.end(), has); };
  const bool parts = any([](const FigureRow& r) { return !r.part.empty(); });
  const bool noise = any([](const FigureRow& r) { return r.low.has_value(); });
  std::string out = cell(f.group_name) + "," + cell(f.series_name);
  if (parts) out += ",part";
  if (f.kind == Figure::Kind::dots) out += "," + cell(f.x_label);
  out += "," + cell(f.unit.empty() ? f.y_label : fmt::format("{} ({})", f.y_label, f.unit));
  if (noise) out += ",low (95 %),high (95 %)";
  out += ",runs\n";
  for (const FigureRow& r : f.rows) {
    out += cell(r.group) + "," + cell(r.series);
    if (parts) out += "," + cell(r.part);
    if (f.kind == Figure::Kind::dots) out += "," + cell(std::optional(r.x));
    out += "," + cell(r.value);
    if (noise) out += "," + cell(r.low) + "," + cell(r.high);
    out += fmt::format(",{}\n", r.runs);
  }
  return out;
}

Figure at_place(const Figure& figure, const std::vector<std::size_t>& at) {
  Figure out = figure;
  std::erase_if(out.rows, [&](const FigureRow& r) { return !r.at.empty() && r.at != at; });
  return out;
}

std::string short_number(double value, bool sign) {
  if (!std::isfinite(value)) return "-";
  if (std::abs(value) < 0.0005) return "0";
  const std::string start = sign && value > 0 ? "+" : "";
  if (value == std::floor(value) && std::abs(value) < 1000 && !sign) return fmt::format("{:.0f}", value);
  const auto decimals = [](double v) {
    return std::max(0, 2 - static_cast<int>(std::floor(std::log10(std::abs(v)))));
  };
  // 9.999 becomes 10.0: the digits are those of the rounded value.
  double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 2);
  const double rounded = std::round(value / unit) * unit;
  return grouped(start + fmt::format("{:.{}f}", rounded, std::min(5, decimals(rounded))));
}

}  // namespace warpsieve::report
