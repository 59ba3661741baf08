#include "run/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "core/output_file.h"
#include "core/params.h"
#include "run/interrupt.h"

namespace warpsieve::run {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot(const char* what, const std::string& path, int error) {
  throw ConfigError(fmt::format("{}: cannot {}: {}", path, what, std::strerror(error)));
}

/// Other processes may write the same target (a Slurm task and its successor): each has its own temporary file.
std::string temporary_name(const std::string& path) {
  const fs::path target(path);
  return (target.parent_path() / fmt::format(".{}.{}.part", target.filename().string(), getpid())).string();
}

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }
  /// The last error may come with close (NFS).
  int close_now() { return close(std::exchange(value_, -1)); }

 private:
  int value_;
};

/// 0 or errno.
int write_all(int descriptor, std::string_view text, bool synchronize) {
  Descriptor file(descriptor);
  if (file.get() < 0) return errno;
  while (!text.empty()) {
    const ssize_t n = write(file.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  if (synchronize && fsync(file.get()) != 0) return errno;
  return file.close_now() == 0 ? 0 : errno;
}

int write_file(const std::string& path, std::string_view text, bool synchronize) {
  return write_all(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), text, synchronize);
}

}  // namespace

void write_atomically(const std::string& path, std::string_view text) {
  const OutputTarget target = output_target(path);
  if (target.direct) {
    if (const int error = write_all(open_direct(target), text, false)) {
      if (error == EINTR) throw_if_interrupted();  // a pipe whose reader does not come
      cannot("write", path, error);
    }
    return;
  }
  const std::string temporary = temporary_name(target.path);
  int error = write_file(temporary, text, true);
  if (error == 0 && std::rename(temporary.c_str(), target.path.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(temporary.c_str());
    cannot("write", path, error);
  }
}

void check_writable(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw ConfigError(fmt::format("{}: cannot write: it is a directory", path));
  const OutputTarget target = output_target(path);
  if (target.stream >= 0) return;
  if (target.direct) {
    // A pipe that is opened and closed is at its end for a waiting reader.
    if (fs::is_fifo(path, ignored)) {
      if (access(path.c_str(), W_OK) != 0) cannot("write", path, errno);
      return;
    }
    const Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) cannot("write", path, errno);
    return;
  }
  const std::string temporary = temporary_name(target.path);
  if (const int error = write_file(temporary, "", false)) cannot("write", path, error);
  unlink(temporary.c_str());
}

GrowingOutput::GrowingOutput(std::string path) : path_(std::move(path)), direct_(output_target(path_).direct) {}

void GrowingOutput::update(std::string text) {
  if (path_.empty()) return;
  if (direct_)
    text_ = std::move(text);
  else
    write_atomically(path_, text);
}

void GrowingOutput::finish() {
  if (!text_.empty()) write_atomically(path_, std::exchange(text_, {}));
}

std::string read_text(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) cannot("read", path, EISDIR);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) cannot("read", path, errno);
  std::stringstream text;
  text << in.rdbuf();
  if (in.bad()) cannot("read", path, errno);
  return text.str();
}

}  // namespace warpsieve::run
