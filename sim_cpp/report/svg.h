// A figure as SVG for a paper: dark on white, one font, its colours and markers those of the page.
#pragma once

#include <string>

#include "report/figure.h"

namespace warpsieve::report {

/// A whole SVG file. Rows of several places must have been chosen from (at_place).
std::string to_svg(const Figure& figure);

}  // namespace warpsieve::report
