#include "core/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "core/params.h"

namespace warpsieve {

namespace fs = std::filesystem;

void check_not_input(const std::string& output, const std::vector<std::string>& inputs) {
  std::error_code error;
  if (!fs::is_regular_file(output, error)) return;  // a terminal may be both
  for (const std::string& input : inputs)
    if (fs::equivalent(output, input, error) && !error)
      throw ConfigError(fmt::format("{}: cannot write: it is the input {}", output, input));
}

OutputTarget output_target(const std::string& path) {
  OutputTarget out{path, false, -1};
  struct stat target, stream;
  if (stat(path.c_str(), &target) == 0) {
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
      if (out.stream < 0 && fstat(fd, &stream) == 0 && stream.st_dev == target.st_dev &&
          stream.st_ino == target.st_ino)
        out.stream = fd;
    out.direct = out.stream >= 0 || (!S_ISREG(target.st_mode) && !S_ISDIR(target.st_mode));
  }
  std::error_code error;
  // More links than this: opening it says so.
  for (int links = 0; !out.direct && links < 40 && fs::is_symlink(out.path, error); ++links) {
    const fs::path to = fs::read_symlink(out.path, error);
    if (error) break;
    out.path = (fs::path(out.path).parent_path() / to).string();  // `to` alone when it is absolute
  }
  return out;
}

std::FILE* beside(const std::string& path) { return output_target(path).stream == STDOUT_FILENO ? stderr : stdout; }

int open_direct(const OutputTarget& target) {
  if (target.stream < 0) return open(target.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  std::fflush(target.stream == STDOUT_FILENO ? stdout : stderr);
  return fcntl(target.stream, F_DUPFD_CLOEXEC, 3);
}

}  // namespace warpsieve
