// A stand-in for the CACTI binary that replays recorded runs (stand_in), under a name that picks how it misbehaves.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "cost/cacti/query.h"
#include "support/tree.h"

namespace warpsieve::cost {

inline const std::string kTests = tb::in_sources("tb/sim/cost");

inline std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class StandIn {
 public:
  explicit StandIn(const std::string& name = "cacti", bool tech_params = true) {
    std::string folder = (std::filesystem::temp_directory_path() / "warpsieve-stand-in-XXXXXX").string();
    if (!mkdtemp(folder.data())) throw std::runtime_error("no temporary directory");
    folder_ = folder;
    std::filesystem::copy_file(kTests + "/stand_in", path(name));
    if (tech_params) std::filesystem::create_directory(path("tech_params"));
    binary = path(name);
    setenv("TRANSCRIPTS", (kTests + "/transcripts").c_str(), 1);
    setenv("STAND_IN_RUNS", path("runs").c_str(), 1);
  }
  ~StandIn() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    unsetenv("STAND_IN_RUNS");
  }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// How often it was started.
  std::size_t runs() const {
    const std::string text = read_text(path("runs"));
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  std::string binary;

 private:
  std::filesystem::path folder_;
};

inline Query ram(std::uint64_t bytes, std::uint32_t word_bits, std::uint32_t node = 22, Ports ports = Ports::rw1) {
  Query q;
  q.bytes = bytes;
  q.word_bits = word_bits;
  q.node_nm = node;
  q.ports = ports;
  return q;
}

inline Query cache(std::uint64_t bytes, std::uint32_t line, std::uint32_t ways, std::uint32_t bus,
                   std::uint32_t node) {
  Query q = ram(bytes, bus, node);
  q.kind = Kind::cache;
  q.line_bytes = line;
  q.ways = ways;
  return q;
}

/// The queries of the three recorded runs with a result.
inline Query recorded_ram() { return ram(16384, 64, 45); }
inline Query recorded_cache() { return cache(49152, 22, 4, 176, 22); }
inline Query recorded_fa() { return cache(512, 32, 0, 256, 45); }

/// The message of the CactiError that `call` throws: one line.
template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const CactiError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return text;
  }
  ADD_FAILURE() << "no CactiError";
  return "";
}

}  // namespace warpsieve::cost
