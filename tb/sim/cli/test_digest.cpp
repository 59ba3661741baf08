// Results that were changed or whose command did not end: no reader takes them for whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "program.h"

namespace warpsieve::tb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kOnePoint = "scale = \"small\"\nschemes = [\"baseline\"]\nworkloads = [\"vecadd\"]\n";

/// Changes the last digit of "cycles" of the first run in the file.
void change_a_digit(const std::string& file) {
  std::string text = read_file(file);
  const auto key = text.find("\"cycles\": ");
  ASSERT_NE(key, std::string::npos);
  const auto end = text.find_first_not_of("0123456789", key + 10);
  text[end - 1] = text[end - 1] == '7' ? '8' : '7';
  std::ofstream(file, std::ios::binary) << text;
}

void expect_digest_refused(const std::vector<std::string>& command, const std::string& file) {
  SCOPED_TRACE(command.front());
  const Ran ran = warpsieve(command);
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, StartsWith("warpsieve: " + file + ": changed since it was written: "));
  EXPECT_THAT(ran.err, HasSubstr("expected content of digest "));
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
}

TEST(Digest, AChangedDigitIsRefusedAnotherLayoutIsNot) {
  const Scratch scratch;
  const std::string file = scratch.path("r.json"), page = scratch.path("r.html");
  ASSERT_EQ(run_small({"--json", file}, "vecadd").code, 0);
  const json whole = json::parse(read_file(file));
  EXPECT_EQ(whole["complete"], true);
  EXPECT_EQ(whole["digest"].get<std::string>().size(), 32u);
  EXPECT_EQ(warpsieve({"energy", file}).code, 0);
  const std::string compact = scratch.write("compact.json", whole.dump());  // fields sorted, no line breaks
  EXPECT_EQ(warpsieve({"energy", compact}).code, 0);
  change_a_digit(file);
  expect_digest_refused({"energy", file}, file);
  expect_digest_refused({"report", file, "-o", page}, file);
  EXPECT_FALSE(std::filesystem::exists(page));
}

TEST(Digest, ResultsFromBeforeItAreRead) {
  const Scratch scratch;
  const std::string file = scratch.path("r.json");
  ASSERT_EQ(run_small({"--json", file}, "vecadd").code, 0);
  json old = json::parse(read_file(file));
  old.erase("digest");
  old.erase("complete");
  const Ran ran = warpsieve({"energy", scratch.write("old.json", old.dump())});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
}

TEST(Digest, AChangedPointOfASweepIsRefused) {
  const Scratch scratch;
  const std::string file = scratch.write("s.toml", kOnePoint);
  const std::string dir = scratch.path("out");
  ASSERT_EQ(warpsieve({"sweep", "run", file, "-o", dir}).code, 0);
  const std::string point = std::filesystem::directory_iterator(dir + "/results")->path();
  change_a_digit(point);
  expect_digest_refused({"report", dir, "-o", scratch.path("r.html")}, point);
  expect_digest_refused({"claims", "--paper", "cmd", "--results", dir}, point);
  for (const char* action : {"merge", "status"}) expect_digest_refused({"sweep", action, dir}, point);
  expect_digest_refused({"sweep", "run", file, "-o", dir}, point);
}

TEST(Digest, AChangedListOfPointsIsRefused) {
  const Scratch scratch;
  const std::string file = scratch.write("s.toml", kOnePoint);
  const std::string dir = scratch.path("out"), list = dir + "/sweep.json";
  ASSERT_EQ(warpsieve({"sweep", "run", file, "-o", dir}).code, 0);
  std::string text = read_file(list);
  const auto seed = text.find("\"seed\":1");
  ASSERT_NE(seed, std::string::npos);
  text[seed + 7] = '2';
  std::ofstream(list, std::ios::binary) << text;
  expect_digest_refused({"report", dir, "-o", scratch.path("r.html")}, list);
  expect_digest_refused({"claims", "--paper", "cmd", "--results", dir}, list);
  for (const char* action : {"merge", "status"}) expect_digest_refused({"sweep", action, dir}, list);
  EXPECT_EQ(warpsieve({"sweep", "run", file, "-o", dir}).code, 0) << "writes it again";
  EXPECT_EQ(warpsieve({"sweep", "status", dir}).code, 0);
}

TEST(Digest, AChangedDatabaseIsRefused) {
  const Scratch scratch;
  const std::string file = scratch.write("s.toml", kOnePoint);
  const std::string dir = scratch.path("out"), database = dir + "/sweep.sqlite";
  ASSERT_EQ(warpsieve({"sweep", "run", file, "-o", dir}).code, 0);
  ASSERT_EQ(warpsieve({"sweep", "merge", dir}).code, 0);
  ASSERT_EQ(warpsieve({"report", database, "-o", scratch.path("r.html")}).code, 0);
  std::string bytes = read_file(database);
  const auto key = bytes.find("\"cycles\":");
  ASSERT_NE(key, std::string::npos);
  bytes[key + 9] = bytes[key + 9] == '7' ? '8' : '7';
  std::ofstream(database, std::ios::binary) << bytes;
  expect_digest_refused({"report", database, "-o", scratch.path("q.html")}, database);
  expect_digest_refused({"sweep", "merge", dir}, database);
}

TEST(Digest, OneResultInPlaceOfAnotherIsRefused) {
  const Scratch scratch;
  const std::string file =
      scratch.write("s.toml", "scale = \"small\"\nschemes = [\"baseline\", \"cmd\"]\nworkloads = [\"vecadd\"]\n");
  const std::string dir = scratch.path("out");
  ASSERT_EQ(warpsieve({"sweep", "run", file, "-o", dir}).code, 0);
  std::vector<std::string> points;
  for (const auto& entry : std::filesystem::directory_iterator(dir + "/results")) points.push_back(entry.path());
  ASSERT_EQ(points.size(), 2u);
  std::filesystem::copy_file(points[0], points[1], std::filesystem::copy_options::overwrite_existing);
  const Ran ran = warpsieve({"sweep", "status", dir});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, StartsWith("warpsieve: " + points[1] + ": the result of another point: expected id "));
}

TEST(Digest, AnInterruptedCommandSaysSoAndReadersWarn) {
  const Scratch scratch;
  const std::string file = scratch.path("r.json");
  // The second workload takes much longer than the signal.
  Running running({"run", "-w", "vecadd,cfd", "--scale", "full", "-s", "baseline", "--json", file});
  while (!std::filesystem::exists(file) && kill(running.id(), 0) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(running.id(), SIGINT);
  EXPECT_EQ(running.wait().code, 130);
  const json cut = json::parse(read_file(file));
  EXPECT_EQ(cut["complete"], false);
  EXPECT_EQ(cut["runs"].size(), 1u);
  const std::string warning =
      "warpsieve: " + file + ": incomplete: its command was interrupted or failed, further runs are missing\n";
  EXPECT_EQ(warpsieve({"energy", file}).err, warning);
  const Ran page = warpsieve({"report", file, "-o", scratch.path("r.html")});
  EXPECT_EQ(page.code, 0);
  EXPECT_THAT(page.err, HasSubstr(warning));
}

}  // namespace
}  // namespace warpsieve::tb
