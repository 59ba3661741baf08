// Files that are whole or not there: written beside the target, synchronized and renamed.
#pragma once

#include <string>
#include <string_view>

namespace warpsieve::run {

/// Throws ConfigError "PATH: cannot write: why". Links are followed; a device, a pipe and what this process has as
/// standard output or error (/dev/stdout) are written directly. Throws Interrupted when a signal comes while a named
/// pipe waits for its reader.
void write_atomically(const std::string& path, std::string_view text);
/// An output that cannot be written is found before the work, not after it. Pipes are not opened.
void check_writable(const std::string& path);
/// Results that grow, as text. A file holds the last text after every `update`: whatever comes later, what is
/// finished is on disk. What is written directly cannot be replaced, and gets the last text alone, by `finish`.
class GrowingOutput {
 public:
  /// No path: nothing is written.
  explicit GrowingOutput(std::string path);
  void update(std::string text);
  void finish();

 private:
  std::string path_;
  bool direct_;
  std::string text_;
};
/// Throws ConfigError "PATH: cannot read: why".
std::string read_text(const std::string& path);

}  // namespace warpsieve::run
