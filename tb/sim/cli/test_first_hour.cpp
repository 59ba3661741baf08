// What a new user meets: a full disk, Ctrl-C.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "program.h"

namespace warpsieve::tb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

TEST(FullDisk, IsOneLineForTheTableAndForTheJson) {
  const Ran table = Running({"run", "-w", "vecadd", "--scale", "small", "-s", "baseline"}, "/dev/full").wait();
  EXPECT_EQ(table.code, 2);
  EXPECT_THAT(table.err, HasSubstr("No space left on device"));
  EXPECT_EQ(std::count(table.err.begin(), table.err.end(), '\n'), 1) << table.err;
  const Ran file = run_small({"-s", "baseline", "--json", "/dev/full"}, "vecadd");
  EXPECT_EQ(file.code, 2);
  EXPECT_THAT(file.err, HasSubstr("/dev/full: cannot write: No space left on device"));
  EXPECT_EQ(std::count(file.err.begin(), file.err.end(), '\n'), 1) << file.err;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "it must not have been replaced by a file";
}

TEST(CtrlC, KeepsWhatIsFinishedAndEndsWith130) {
  const Scratch scratch;
  const std::string results = scratch.path("out.json");
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove(results);
    // vecadd is done in no time; kmeans at quarter scale takes seconds.
    Running run({"run", "-w", "vecadd,kmeans", "-s", "baseline", "--json", results});
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!std::filesystem::exists(results) && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kill(run.id(), signal);
    const Ran ran = run.wait();
    EXPECT_EQ(ran.code, 128 + signal) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("interrupted"));
    EXPECT_THAT(ran.out, HasSubstr("vecadd")) << "the table of what is finished";
    const json all = json::parse(read_file(results));
    ASSERT_EQ(all["runs"].size(), 1u);
    EXPECT_EQ(all["runs"][0]["workload"], "vecadd");
  }
}

}  // namespace
}  // namespace warpsieve::tb
