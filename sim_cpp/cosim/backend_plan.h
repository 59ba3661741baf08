// BackendPlan: which backend each block instance of a simulation uses.
//
// A rule is `block=backend` or `block@instance=backend` (instance: "mc3", "mc0.slice1"); rules given
// later win, an instance rule beats a block rule, and everything else takes the default.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cosim/block.h"

namespace warpsieve {

class BackendPlan {
 public:
  explicit BackendPlan(Backend fallback = Backend::model) : fallback_(fallback) {}
  /// Throws std::invalid_argument unless `rule` has the form above and names one of `blocks`.
  void add(std::string_view rule, const std::vector<std::string>& blocks);
  Backend of(std::string_view block, std::string_view instance) const;
  /// A rule names it.
  bool names(std::string_view block) const;

 private:
  struct Rule {
    std::string block, instance;
    Backend backend;
  };
  Backend fallback_;
  std::vector<Rule> rules_;
};

}  // namespace warpsieve
