#include "cost/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/number.h"
#include "cost/embedded.h"

namespace warpsieve::cost {

using nlohmann::ordered_json;

namespace {

constexpr const char* kClaimsFile = "sim_cpp/cost/data/claims.csv";

std::vector<Claim> read_claims() {
  std::istringstream lines{std::string(embedded(kClaimsFile))};
  std::string line;
  std::vector<Claim> claims;
  for (unsigned number = 1; std::getline(lines, line); ++number) {
    if (number == 1 || line.empty()) continue;
    std::vector<std::string> f;
    std::istringstream cells(line);
    std::string cell;
    while (std::getline(cells, cell, ',')) f.push_back(cell);
    f.resize(std::max<std::size_t>(f.size(), 8));
    const auto value = to_number<double>(f[5]);
    if (f.size() > 8 || !value)
      throw std::logic_error(
          fmt::format("{}:{}: expected eight fields with a number in the sixth", kClaimsFile, number));
    claims.push_back({f[0], f[1], f[2], f[3], f[4], *value, f[6], f[7]});
  }
  return claims;
}

}  // namespace

const std::vector<Claim>& all_claims() {
  static const std::vector<Claim> claims = read_claims();
  return claims;
}

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::within: return "within";
    case Verdict::direction: return "direction";
    case Verdict::contradicts: return "contradicts";
    case Verdict::not_stated: return "not stated";
    default: return "not modelled";
  }
}

Verdict judge(double paper, double ours, const std::string& unit, bool bound, bool conclusion_holds) {
  if (bound && ours <= paper) return Verdict::within;
  if (!bound && std::abs(ours - paper) <= 0.2 * std::abs(paper)) return Verdict::within;
  if (!bound && unit == "%" && std::abs(ours - paper) <= 3) return Verdict::within;
  return conclusion_holds ? Verdict::direction : Verdict::contradicts;
}

std::vector<Finding> all_findings(Source& cacti) {
  std::vector<Finding> found;
  for (const char* paper : {"cmd", "rata", "justit", "dpc", "avc"}) {
    for (Finding& f : findings(paper, cacti)) found.push_back(std::move(f));
  }
  const auto rank = [](const Finding& f) {
    const auto& claims = all_claims();
    return std::find_if(claims.begin(), claims.end(), [&](const Claim& c) { return c.id == f.id; }) - claims.begin();
  };
  std::stable_sort(found.begin(), found.end(), [&](const Finding& a, const Finding& b) { return rank(a) < rank(b); });
  return found;
}

ordered_json to_json(const Finding& f) {
  ordered_json j = {
      {"id", f.id}, {"in_claims_csv", f.in_claims}, {"what", f.what}, {"unit", f.unit}, {"where", f.where}};
  j["paper"] = f.paper ? ordered_json(*f.paper) : ordered_json(nullptr);
  j["ours"] = f.ours ? ordered_json(*f.ours) : ordered_json(nullptr);
  j["bound"] = f.bound;
  j["verdict"] = to_string(f.verdict);
  j["why"] = f.why;
  j["arithmetic"] = f.arithmetic;
  return j;
}

}  // namespace warpsieve::cost
