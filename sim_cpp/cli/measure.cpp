#include "cli/measure.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "core/errors.h"
#include "core/params.h"
#include "run/child.h"
#include "run/interrupt.h"
#include "run/simulate.h"

namespace warpsieve::cli {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

namespace {

/// Instructions of this process in user mode; -1 when the host does not count them.
int open_counter() {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = attributes.exclude_hv = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

/// What the child writes until its end; an interrupt ends the child, too, wherever it was sent.
std::string read_all(int file, pid_t child) {
  std::string out;
  char buffer[4096];
  for (;;) {
    if (run::interrupt_signal()) kill(child, SIGTERM);
    const ssize_t n = read(file, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return out;
    out.append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace

nlohmann::ordered_json Measured::json() const {
  nlohmann::ordered_json out = {
      {"cpu_seconds", cpu_seconds}, {"items", items}, {"requests", requests}, {"peak_bytes", peak_bytes}};
  if (host_instructions > 0 && items > 0)
    out["host_instructions_per_item"] = host_instructions / static_cast<double>(items);
  out["wrong"] = wrong;
  return out;
}

Meter::Meter() : start_(cpu_seconds()), counter_(open_counter()) {}
Meter::~Meter() {
  if (counter_ >= 0) close(counter_);
}

void Meter::read(Measured& into) const {
  into.cpu_seconds = cpu_seconds() - start_;
  std::uint64_t count = 0;
  if (counter_ >= 0 && ::read(counter_, &count, sizeof count) == sizeof count)
    into.host_instructions = static_cast<double>(count);
}

bool host_counts_instructions() {
  const int counter = open_counter();
  if (counter >= 0) close(counter);
  return counter >= 0;
}

Measured measure_apart(const std::function<Measured()>& work) {
  static_assert(std::is_trivially_copyable_v<Measured>);
  const run::Child child = run::start_child([&](int pipe) {
    try {
      const Measured measured = work();
      run::write_all(pipe, "+");
      run::write_all(pipe, {reinterpret_cast<const char*>(&measured), sizeof measured});
    } catch (const std::bad_alloc&) {
      run::write_all(pipe, std::string("?") + NotEnoughMemory("a measurement").what());
    } catch (const std::exception& error) {
      if (run::is_callers_mistake(error)) run::write_all(pipe, "?");
      run::write_all(pipe, error.what());
    }
    return 0;
  });
  const std::string answer = read_all(child.pipe, child.pid);
  rusage usage{};
  const int status = run::wait_for_end(child, &usage);
  run::throw_if_interrupted();
  if (answer.starts_with('?')) throw ConfigError(answer.substr(1));
  if (answer.size() != 1 + sizeof(Measured) || answer[0] != '+')
    throw std::runtime_error(answer.empty() ? fmt::format("the measured process ended with status {}", status)
                                            : answer);
  Measured measured;
  std::memcpy(&measured, answer.data() + 1, sizeof measured);
  measured.peak_bytes = static_cast<double>(usage.ru_maxrss) * 1024;
  return measured;
}

}  // namespace warpsieve::cli
