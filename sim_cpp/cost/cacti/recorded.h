// The recorded sweep: exact at its points, log-log interpolation over capacity between two of them, nothing else.
//
// A group holds the recorded capacities of memories that are otherwise equal. Outside a group's range, or without a
// group, at() throws CactiError with the nearest recorded memory; at a point that CACTI refused, with its message.
#pragma once

#include <map>
#include <vector>

#include "cost/cacti/query.h"

namespace warpsieve::cost {

class Recorded : public Source {
 public:
  Recorded();
  Result at(const Query& query) override;
  std::string name() const override { return "recorded CACTI 7 sweep"; }

  /// Everything recorded and accepted, as queries; for tests.
  std::vector<Query> points() const;
  /// Each inner point of each group predicted from its two neighbours. `searched`: CAM and fully associative.
  enum class Metric { area, access, read, write, leakage };
  InterpolationError leave_one_out(Kind kind, bool searched, Metric metric) const;

  struct Point {  // one row of data/cacti_sweep.csv
    double access, cycle, search, read, write, leak, gate_leak, box, data, tag, match;
    std::string refused;  ///< CACTI's message, empty when accepted
  };
  using Group = std::map<std::uint64_t, Point>;  ///< by capacity

 private:
  const Group* find(const Query& query) const;
  [[noreturn]] void nothing_recorded(const Query& query) const;
  std::vector<std::pair<Query, Group>> groups_;  ///< the query without its capacity
};

}  // namespace warpsieve::cost
