// Outputs that would destroy what they are made from.
#pragma once

#include <string>
#include <vector>

namespace warpsieve {

/// Throws ConfigError "OUTPUT: cannot write: it is the input INPUT" where both are one file. Names of files that are
/// not there, empty ones too, are no file's.
void check_not_input(const std::string& output, const std::vector<std::string>& inputs);

}  // namespace warpsieve
