// Runs of one scheme that are not one scheme.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/results.h"

namespace warpsieve::report {

/// Each run once, however often the files have it.
void drop_repeated(std::vector<ResultRun>& runs);

/// "bfs (NY.gr)": a workload with the name of its input file.
std::string with_input(const std::string& workload, const std::string& input);
/// Runs of one workload with other sizes, input or machine parameters are other experiments: nothing of one may be
/// compared with the other. run["workload"] becomes a name that says what differs, "bfs (vertices=4096)"; where that
/// says nothing, the second is "bfs #2", and so on.
void name_experiments(std::vector<ResultRun>& runs);

/// Sizes, parameters of the scheme and of the machine, as they are written.
std::map<std::string, std::string> numbers_of(const ResultRun& run);
/// Names whose values are not the same in all of these.
std::set<std::string> differing_names(const std::vector<std::map<std::string, std::string>>& runs);

/// One scheme with other parameters of it is another scheme: it is named after those that differ among the runs and
/// are not the default, "cmd (cmd.hash_units=1)". What then still stands twice beside the same workload, profile and
/// seed (another version of the program) becomes "cmd #2", and so on.
void tell_schemes_apart(std::vector<ResultRun>& runs);

}  // namespace warpsieve::report
