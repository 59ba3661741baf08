#include "run/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "run/interrupt.h"

namespace warpsieve::run {

Child start_child(const std::function<int(int pipe)>& work) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw std::runtime_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    default_interrupts();
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a killed parent leaves no child behind
    _exit(getppid() == parent ? work(ends[1]) : 0);
  }
  const int error = errno;
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    throw std::runtime_error(fmt::format("cannot start a process: {}", std::strerror(error)));
  }
  return {pid, ends[0]};
}

void write_all(int file, std::string_view data) {
  while (!data.empty()) {
    const ssize_t n = write(file, data.data(), data.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    data.remove_prefix(static_cast<std::size_t>(n));
  }
}

int wait_for_end(const Child& child, rusage* used) {
  close(child.pipe);
  int status = 0;
  while (wait4(child.pid, &status, 0, used) < 0 && errno == EINTR) {
  }
  return status;
}

void end_child(const Child& child) {
  kill(child.pid, SIGKILL);
  wait_for_end(child);
}

}  // namespace warpsieve::run
