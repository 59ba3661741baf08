// All figures of a report, in the order of the page: the change of IPC and of off-chip traffic, what it consists of,
// energy, curves over axes and parameters, curves of `warpsieve validate`.
#pragma once

#include <vector>

#include "report/comparison.h"
#include "report/figure.h"

namespace warpsieve::report {

/// `energy`: nJ by component of each run, null where it is not known.
std::vector<Figure> run_figures(const Results& results, const Comparison& comparison,
                                const std::vector<nlohmann::ordered_json>& energy);
/// Of `warpsieve validate`: y over x for each curve over numbers, a line for each machine.
std::vector<Figure> curve_figures(const Results& results);

/// The place on the axes that is shown first: the middle value of each.
std::vector<std::size_t> usual_place(const Results& results);
/// "FIFO 4 sectors, hash sets 64"; empty without axes.
std::string place_text(const Results& results, const std::vector<std::size_t>& at);

}  // namespace warpsieve::report
