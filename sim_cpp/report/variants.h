// Runs of one scheme that are not one scheme.
#pragma once

#include <vector>

#include "report/results.h"

namespace warpsieve::report {

/// Each run once, however often the files have it.
void drop_repeated(std::vector<ResultRun>& runs);

/// One scheme with other parameters of it is another scheme: it is named after those that differ among the runs and
/// are not the default, "cmd (cmd.hash_units=1)". What then still stands twice beside the same workload, profile and
/// seed (another version of the program) becomes "cmd #2", and so on.
void tell_schemes_apart(std::vector<ResultRun>& runs);

}  // namespace warpsieve::report
