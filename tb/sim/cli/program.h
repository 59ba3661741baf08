// Runs the built program as a user would: arguments in, exit code, standard output and error out.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/tree.h"

namespace warpsieve::tb {

/// A directory of its own for each test, gone afterwards.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "warpsieve-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary directory");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Ran {
  int code = -1;  ///< -1: ended by a signal
  std::string out, err;
};

/// The program under way; `wait` gives what it left behind. Its standard output goes to `output` where that is named.
class Running {
 public:
  explicit Running(const std::vector<std::string>& arguments, const std::string& output = "")
      : out_(output.empty() ? scratch_.path("out") : output), err_(scratch_.path("err")) {
    child_ = fork();
    if (child_ != 0) return;
    std::vector<char*> argv;
    std::string program = tb::in_build("warpsieve");
    argv.push_back(program.data());
    std::vector<std::string> copies = arguments;
    for (std::string& a : copies) argv.push_back(a.data());
    argv.push_back(nullptr);
    if (!freopen(out_.c_str(), "w", stdout) || !freopen(err_.c_str(), "w", stderr)) _exit(126);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  pid_t id() const { return child_; }
  Ran wait() {
    int status = 0;
    waitpid(child_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, out_.starts_with("/dev/") ? "" : read_file(out_),
            read_file(err_)};
  }

 private:
  Scratch scratch_;
  std::string out_, err_;
  pid_t child_ = 0;
};

inline Ran warpsieve(const std::vector<std::string>& arguments) { return Running(arguments).wait(); }

/// The same with so many bytes of address space and no more.
inline Ran warpsieve_in(rlim_t bytes, const std::vector<std::string>& arguments) {
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  const rlimit small{bytes, before.rlim_max};
  setrlimit(RLIMIT_AS, &small);
  Running running(arguments);
  setrlimit(RLIMIT_AS, &before);
  return running.wait();
}

/// `run` with the arguments behind a fast workload.
/// Small inputs would be in the L2 from the start, and most of the time be that of launches.
inline Ran run_small(std::vector<std::string> more, const std::string& workload = "bfs") {
  std::vector<std::string> arguments = {
      "run", "-w", workload, "--scale", "small", "--set", "gpu.image_in_l2=0", "--set", "gpu.launch_latency=0"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return warpsieve(arguments);
}

}  // namespace warpsieve::tb
