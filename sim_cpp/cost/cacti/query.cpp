#include "cost/cacti/query.h"

#include <fmt/format.h>

#include <cmath>

#include "cost/cacti/real.h"
#include "cost/cacti/recorded.h"

namespace warpsieve::cost {

std::string_view to_string(Kind kind) { return kind == Kind::ram ? "ram" : kind == Kind::cache ? "cache" : "cam"; }
std::string_view to_string(Ports ports) {
  return ports == Ports::rw1 ? "1RW" : ports == Ports::r1w1 ? "1R1W" : "2RW";
}
std::string_view to_string(Access access) {
  return access == Access::normal ? "normal" : access == Access::sequential ? "sequential" : "fast";
}

std::string Query::describe() const {
  std::string text = fmt::format("{} of {} B", to_string(kind), bytes);
  if (kind == Kind::cache) {
    text += ways ? fmt::format(", {} ways", ways) : ", fully associative";
    text += fmt::format(", {} B lines, {}-bit bus", line(), word_bits);
  } else if (kind == Kind::ram && word_bits != 8 * line()) {
    text += fmt::format(", {} B words, {}-bit bus", line(), word_bits);
  } else {
    text += fmt::format(", {}-bit {}", word_bits, kind == Kind::cam ? "keys" : "words");
  }
  text += fmt::format(", {}, {} nm, {} K", to_string(ports), node_nm, temperature_k);
  if (access != Access::normal) text += fmt::format(", {}", to_string(access));
  if (tag_bits && kind != Kind::cam) text += fmt::format(", {}-bit tags", tag_bits);
  if (device != "itrs-hp") text += ", " + device;
  return text;
}

std::string Result::basis() const {
  std::string text = "exact";
  if (interpolated) {
    text = fmt::format("interpolated {}..{} B (area error {:.1f} % median, {:.1f} % p90)", lower_bytes, upper_bytes,
                       100 * area_error.median, 100 * area_error.p90);
  }
  if (scaled_from_nm) text += fmt::format(", scaled from {} nm", scaled_from_nm);
  return text;
}

double Scaling::factor(double node_nm, double from_nm, double exponent) {
  return std::pow(node_nm / from_nm, exponent);
}

Result evaluate(Source& source, const Query& query) {
  if (query.node_nm >= Scaling::kFrom) return source.at(query);
  if (query.node_nm < Scaling::kLowest) {
    throw CactiError(fmt::format("CACTI: {}: the scaling rule below {} nm is not used under {} nm", query.describe(),
                                 Scaling::kFrom, Scaling::kLowest));
  }
  Query at = query;
  at.node_nm = Scaling::kFrom;
  Result r = source.at(at);
  const auto scale = [&](double exponent) { return Scaling::factor(query.node_nm, Scaling::kFrom, exponent); };
  const double area = scale(Scaling::kArea), time = scale(Scaling::kTime), read = scale(Scaling::kRead);
  for (double* x : {&r.data_mm2, &r.tag_mm2, &r.box_mm2}) *x *= area;
  if (r.access_ns) *r.access_ns *= time;
  if (r.cycle_ns) *r.cycle_ns *= time;
  if (r.search_nj) *r.search_nj *= read;
  r.read_nj *= read;
  r.write_nj *= scale(Scaling::kWrite);
  r.leakage_mw *= scale(Scaling::kLeakage);
  r.scaled_from_nm = Scaling::kFrom;
  return r;
}

std::unique_ptr<Source> make_source(const std::string& choice) {
  if (choice == "recorded") return std::make_unique<Recorded>();
  if (choice == "auto" || choice == "real") {
    const std::optional<std::string> binary = RealCacti::find();
    if (binary) return std::make_unique<RealCacti>(*binary);
    if (choice == "auto") return std::make_unique<Recorded>();
    throw CactiError("CACTI: no binary: CACTI= is not set and there is no `cacti` on PATH");
  }
  if (choice.find('/') == std::string::npos) {
    throw CactiError(
        fmt::format("--cacti '{}': expected auto, recorded, real, or the path of a binary (with a '/')", choice));
  }
  return std::make_unique<RealCacti>(choice);
}

}  // namespace warpsieve::cost
