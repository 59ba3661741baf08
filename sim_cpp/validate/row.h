// Row: one comparison of `warpsieve validate`: a figure of this simulator beside a published or recorded one.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace warpsieve::validate {

enum class Verdict {
  pass,      ///< within the tolerance
  known,     ///< outside of it, with a stated reason
  fail,      ///< outside of it
  no_value,  ///< one side has no figure: nothing was compared
};

struct Row {
  std::string group;          ///< machine or experiment, such as "qv100" or "dram"
  std::string what;           ///< what was measured, such as "gather256 cycles"
  std::string unit;           ///< cycles, %, GB/s, ...
  double ours = 0;            ///< NaN: not measured
  double reference = 0;       ///< NaN: none is published
  double tolerance = 0;       ///< allowed difference; see `absolute`
  bool absolute = false;      ///< the tolerance is in `unit`; else in percent of the reference
  std::string source;         ///< where the reference comes from
  std::string reason;         ///< why a difference is accepted; empty: it is not
  std::string curve{}, at{};  ///< the point of a curve that it compares, if it does

  Verdict verdict() const {
    if (std::isnan(ours) || std::isnan(reference)) return Verdict::no_value;
    const double limit = absolute ? tolerance : std::abs(reference) * tolerance / 100.0;
    if (std::abs(ours - reference) <= limit) return Verdict::pass;
    return reason.empty() ? Verdict::fail : Verdict::known;
  }
};

using Rows = std::vector<Row>;

}  // namespace warpsieve::validate
