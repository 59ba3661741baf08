#include "cosim/backend_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "core/name_lookup.h"

namespace warpsieve {

void BackendPlan::add(std::string_view rule, const std::vector<std::string>& blocks) {
  const auto equals = rule.find('=');
  if (equals == std::string_view::npos) {
    throw std::invalid_argument(fmt::format("'{}': expected block=backend or block@instance=backend", rule));
  }
  const std::string_view left = rule.substr(0, equals);
  const auto at = left.find('@');
  Rule parsed{std::string(left.substr(0, at)),
              at == std::string_view::npos ? std::string() : std::string(left.substr(at + 1)),
              backend_from_string(rule.substr(equals + 1))};
  if (std::find(blocks.begin(), blocks.end(), parsed.block) == blocks.end()) {
    throw std::invalid_argument(fmt::format("'{}': {}", rule, unknown_name("block", parsed.block, blocks)));
  }
  rules_.push_back(std::move(parsed));
}

Backend BackendPlan::of(std::string_view block, std::string_view instance) const {
  const Rule* best = nullptr;
  for (const Rule& rule : rules_) {
    if (rule.block != block || (!rule.instance.empty() && rule.instance != instance)) continue;
    if (!best || best->instance.empty() || !rule.instance.empty()) best = &rule;
  }
  return best ? best->backend : fallback_;
}

bool BackendPlan::names(std::string_view block) const {
  return std::any_of(rules_.begin(), rules_.end(), [&](const Rule& rule) { return rule.block == block; });
}

}  // namespace warpsieve
