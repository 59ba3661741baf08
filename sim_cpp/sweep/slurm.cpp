#include "sweep/slurm.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <map>
#include <thread>
#include <unordered_map>

#include "core/params.h"
#include "core/shell.h"
#include "run/atomic_file.h"
#include "run/interrupt.h"
#include "run/run_json.h"
#include "run/version.h"

namespace warpsieve::sweep {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Command {
  int code = 0;
  std::string output;  ///< standard output and error
};

/// Runs a program of Slurm. A signal to the terminal's group must not end it half way: it has its own group.
Command call(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    throw ConfigError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  std::vector<std::string> copies = words;
  std::vector<char*> argv;
  for (std::string& w : copies) argv.push_back(w.data());
  argv.push_back(nullptr);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    run::default_interrupts();
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  Command out;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t n = read(ends[0], buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    out.output.append(buffer.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  out.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (out.code == 127)
    throw ConfigError(
        fmt::format("{}: not found; Slurm is the Debian package slurm-wlm (scripts/bootstrap slurm)", words[0]));
  return out;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string own_program() { return fs::read_symlink("/proc/self/exe").string(); }

/// One array: submitted, watched, ended.
class Array {
 public:
  Array(const Store& store, const std::vector<Point>& points, const std::vector<Chunk>& chunks, double stop_after,
        const SlurmOptions& options)
      : options_(options) {
    const std::string root = fs::absolute(store.directory()).lexically_normal().string();
    std::string name;
    for (unsigned n = 1; name.empty() || fs::exists(name + ".json"); ++n) name = fmt::format("{}/slurm/{}", root, n);
    ordered_json ids = ordered_json::array();
    for (const Chunk& chunk : chunks) {
      ordered_json list = ordered_json::array();
      for (const std::size_t i : chunk) list.push_back(points[i].id);
      ids.push_back(std::move(list));
    }
    run::write_atomically(name + ".json", ordered_json{{"format", "warpsieve-chunks-1"},
                                                       {"version", run::version()},
                                                       {"stop_after", stop_after},
                                                       {"chunks", ids}}
                                                  .dump() +
                                              "\n");
    run::write_atomically(
        name + ".sh", fmt::format("#!/bin/sh\nexec {} sweep task {} --chunks {} --task \"$SLURM_ARRAY_TASK_ID\"\n",
                                  shell_quoted(own_program()), shell_quoted(root), shell_quoted(name + ".json")));
    std::vector<std::string> words = {"sbatch",
                                      "--parsable",
                                      "--requeue",
                                      "--open-mode=append",
                                      "--job-name=warpsieve",
                                      fmt::format("--output={}.%a.out", name),
                                      fmt::format("--array=0-{}", chunks.size() - 1)};
    words.insert(words.end(), options.sbatch.begin(), options.sbatch.end());
    words.push_back(name + ".sh");
    const Command submitted = call(words);
    job_ = submitted.output.substr(0, submitted.output.find_first_of(";\n"));
    if (submitted.code != 0 || job_.empty() || job_.find_first_not_of("0123456789") != std::string::npos)
      throw ConfigError(fmt::format("sbatch: {}", first_line(submitted.output)));
  }

  /// False while tasks are waiting or running.
  bool ended() {
    const Command queue = call({"squeue", "--noheader", "--jobs=" + job_, "--format=%T"});
    if (queue.code == 0) {
      silent_since_ = {};
      return queue.output.find_first_not_of(" \n") == std::string::npos;
    }
    if (queue.output.find("Invalid job id") != std::string::npos) return true;  // forgotten: it is long over
    const auto now = std::chrono::steady_clock::now();
    if (silent_since_ == std::chrono::steady_clock::time_point{}) silent_since_ = now;
    if (now - silent_since_ > std::chrono::minutes(10))
      throw ConfigError(
          fmt::format("squeue: {}; job {} goes on without this command", first_line(queue.output), job_));
    return false;
  }
  void cancel() { call({"scancel", job_}); }
  const std::string& job() const { return job_; }

 private:
  const SlurmOptions& options_;
  std::string job_;
  std::chrono::steady_clock::time_point silent_since_{};
};

void pause_for(double seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!run::interrupt_signal() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

struct Counts {
  std::size_t done = 0, failed = 0, running = 0;
};

Counts count(const Store& store, const Sweep& sweep) {
  Counts c;
  for (const State s : store.states(sweep)) {
    c.done += s == State::done;
    c.failed += s == State::failed;
    c.running += s == State::running;
  }
  return c;
}

/// One of each kind first, so that a short look says something about all of them.
void mix_groups(std::vector<Point>& points) {
  std::map<std::string, std::size_t> seen;
  std::vector<std::pair<std::size_t, Point>> order;
  for (Point& p : points) order.emplace_back(seen[group_of(p)]++, std::move(p));
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < order.size(); ++i) points[i] = std::move(order[i].second);
}

}  // namespace

std::vector<Chunk> make_chunks(const std::vector<Point>& points, const Times& times, double seconds,
                               std::size_t most) {
  std::vector<double> cost;
  double total = 0;
  for (const Point& p : points) {
    const auto time = times.of(group_of(p));
    cost.push_back(time.value_or(0));
    total += cost.back();
  }
  const double enough = std::max(seconds, total / static_cast<double>(std::max<std::size_t>(most, 1)));
  std::vector<Chunk> chunks;
  double filled = enough;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (filled >= enough) {
      chunks.emplace_back();
      filled = 0;
    }
    chunks.back().push_back(i);
    filled += cost[i];
  }
  if (chunks.size() > 1 && filled < enough) {
    Chunk& before = chunks[chunks.size() - 2];
    before.insert(before.end(), chunks.back().begin(), chunks.back().end());
    chunks.pop_back();
  }
  return chunks;
}

SlurmOutcome run_on_slurm(const Store& store, const Sweep& sweep, const SlurmOptions& options) {
  SlurmOutcome outcome;
  const Counts before = count(store, sweep);
  const auto report = [&](const std::string& line) {
    const Counts now = count(store, sweep);
    if (options.progress) options.progress(now.done - before.done, now.failed - before.failed, now.running, line);
  };
  std::unordered_map<std::string, unsigned> tries;
  unsigned looks = 0;  // first tasks that find out how long points take
  for (;;) {
    std::vector<Point> missing;
    std::size_t running = 0;
    for (const Point& p : sweep.points) {
      const State state = store.state(p);
      running += state == State::running;
      if (state == State::missing) missing.push_back(p);
    }
    if (run::interrupt_signal()) break;
    if (missing.empty()) {
      if (running == 0) break;
      pause_for(options.poll_seconds);  // tasks of another command, or one that a dead node left running
      report("");
      continue;
    }
    const Times times = store.times();
    const bool look = !times.of("") && looks < options.attempts;
    if (look) {
      ++looks;
      mix_groups(missing);
    } else {
      std::erase_if(missing, [&](const Point& p) {
        if (tries[p.id]++ < options.attempts) return false;
        store.write_failure(
            p, {fmt::format("no result after {} Slurm tasks, see {}", options.attempts, store.path("slurm")), ""});
        return true;
      });
      if (missing.empty()) continue;
    }
    const std::vector<Chunk> chunks = make_chunks(missing, times, options.chunk_seconds, options.most_tasks);
    Array array(store, missing, chunks, look ? options.chunk_seconds : 0, options);
    ++outcome.arrays;
    outcome.tasks += chunks.size();
    report(fmt::format("job {}: {} points in {} tasks", array.job(), missing.size(), chunks.size()));
    do {
      pause_for(options.poll_seconds);
      report("");
    } while (!run::interrupt_signal() && !array.ended());
    if (run::interrupt_signal()) {
      array.cancel();
      break;
    }
  }
  outcome.interrupted = run::interrupt_signal() != 0;
  return outcome;
}

Task read_task(const Store& store, const std::string& chunks_file, std::size_t number) {
  const ordered_json json = run::read_json(chunks_file, "warpsieve-chunks-1");
  if (const std::string made_by = run::text_field(json, chunks_file, "version"); made_by != run::version())
    throw ConfigError(fmt::format("{}: made by version {}, this is {}: start `warpsieve sweep run` again",
                                  chunks_file, made_by, run::version()));
  std::unordered_map<std::string, const Point*> by_id;
  const Sweep sweep = store.load();
  for (const Point& p : sweep.points) by_id[p.id] = &p;
  try {
    const auto& chunks = json.at("chunks");
    if (number >= chunks.size())
      throw ConfigError(fmt::format("{}: task {}: there are {}", chunks_file, number, chunks.size()));
    Task task;
    task.stop_after = json.at("stop_after").get<double>();
    for (const auto& id : chunks.at(number)) {
      const auto found = by_id.find(id.get<std::string>());
      if (found == by_id.end())
        throw ConfigError(
            fmt::format("{}: point {} is not in {}", chunks_file, id.get<std::string>(), store.path("sweep.json")));
      task.points.push_back(*found->second);
    }
    return task;
  } catch (const nlohmann::json::exception& error) {
    throw ConfigError(fmt::format("{}: not what `sweep run --slurm` writes: {}", chunks_file, error.what()));
  }
}

}  // namespace warpsieve::sweep
