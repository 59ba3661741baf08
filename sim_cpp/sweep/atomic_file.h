// Files that are whole or not there: written beside the target, synchronized and renamed.
#pragma once

#include <string>
#include <string_view>

namespace warpsieve::sweep {

/// Throws ConfigError "PATH: cannot write: why". Links are followed; a device, a pipe and what this process has as
/// standard output or error (/dev/stdout) are written directly. Throws Interrupted when a signal comes while a named
/// pipe waits for its reader.
void write_atomically(const std::string& path, std::string_view text);
/// An output that cannot be written is found before the work, not after it. Pipes are not opened.
void check_writable(const std::string& path);
/// Throws ConfigError "PATH: cannot read: why".
std::string read_text(const std::string& path);

}  // namespace warpsieve::sweep
