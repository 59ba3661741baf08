// All comparisons of `warpsieve validate`, group by group.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "validate/curves.h"
#include "validate/reference.h"
#include "validate/row.h"

namespace warpsieve::validate {

/// What one group measured.
struct GroupResult {
  std::string name;
  Rows rows;
  std::vector<Curve> curves;
};

/// A group of rows that is measured together: a machine of a reference file.
struct Group {
  std::string name, experiment;
  std::function<GroupResult(bool quick, TraceFolder& traces)> measure;
};

/// One group per machine of the references, in their order.
std::vector<Group> groups(const std::vector<Reference>& references);
/// All that the program has.
std::vector<Group> builtin_groups();

/// The largest step in the wrong direction, in percent of the point before it; to_peak: up to the largest point. 0
/// for a curve of the right shape.
double shape_error(const Curve& curve, Shape shape);

}  // namespace warpsieve::validate
