// Where an output goes: outputs that would destroy what they are made from, links, devices and the standard streams.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace warpsieve {

/// Throws ConfigError "OUTPUT: cannot write: it is the input INPUT" where both are one file. Names of files that are
/// not there, empty ones too, are no file's.
void check_not_input(const std::string& output, const std::vector<std::string>& inputs);

struct OutputTarget {
  /// Links followed: a temporary beside it can be renamed over it without replacing a link.
  std::string path;
  /// A device, a pipe, or this process's standard output or error, whatever they are redirected to: written as it is,
  /// since renaming would replace it (as root, /dev/stdout itself).
  bool direct = false;
  int stream = -1;  ///< 1 or 2 when it is that of this process: written through it, behind what it has; else -1
};
OutputTarget output_target(const std::string& path);
/// Where to speak of what is written to `path`: standard output, or standard error where that is the output itself.
std::FILE* beside(const std::string& path);
/// A descriptor to write a `direct` target, -1 and errno.
int open_direct(const OutputTarget& target);

}  // namespace warpsieve
