// Schemes and machines: which profile a scheme is meant for, and what it lacks on another one.
#pragma once

#include <string>
#include <string_view>

#include "memsys/profile.h"

namespace warpsieve::schemes {

/// The profile that the scheme names (SchemeInfo::profile); of a combination, the first one unlike the baseline's.
std::string own_profile(std::string_view scheme);
/// The quarter-size machine "NAME-quarter" where there is one, else the profile itself.
std::string quarter_profile(const std::string& profile);
/// Throws ConfigError for a machine on which the scheme cannot run, with the profile to use.
void check_machine(std::string_view scheme, const memsys::Profile& machine);
/// Why the scheme has nothing to do on this machine; empty: it has.
std::string idle_reason(std::string_view scheme, const memsys::Profile& machine);

}  // namespace warpsieve::schemes
