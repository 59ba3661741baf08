// A directory of its own for a test, and the small sweep that the tests share.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "run/atomic_file.h"
#include "sweep/sweep_file.h"

namespace warpsieve::tb {

class Folder : public ::testing::Test {
 protected:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "warpsieve-sweep-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary directory");
    folder_ = name;
  }
  ~Folder() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  static std::string read(const std::string& path) { return run::read_text(path); }

 private:
  std::string folder_;
};

/// vecadd and gather at test size under baseline and cmd, FIFO of 1, 2 and 4: 2 x (1 + 3) points.
inline const char* kSmallSweep = R"(
profile = "cmd-quarter"
scale = "small"
schemes = ["baseline", "cmd"]
workloads = ["vecadd", "gather"]
[[axis]]
parameter = "cmd.fifo_entries"
values = [1, 2, 4]
)";

inline sweep::Sweep small_sweep() { return sweep::parse_sweep(kSmallSweep, "small.toml"); }

}  // namespace warpsieve::tb
