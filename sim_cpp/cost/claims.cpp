#include "cost/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/number.h"
#include "cost/embedded.h"

namespace warpsieve::cost {

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

}  // namespace warpsieve::cost
