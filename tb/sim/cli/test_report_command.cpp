// `warpsieve report`: inputs that are no plain file, outputs that are inputs, and what the page says of the runs. How
// the page looks is in tb/flow/test_report_page.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "program.h"
#include "support/tree.h"

namespace warpsieve::tb {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

class ReportCommand : public ::testing::Test {
 protected:
  void run(std::vector<std::string> more) {
    more.insert(more.end(), {"--json", results_});
    ASSERT_EQ(run_small(more, "vecadd").code, 0);
  }
  void expect_bad(const std::vector<std::string>& command, const std::string& says) {
    const Ran ran = warpsieve(command);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(says));
  }
  ordered_json provenance(const std::vector<std::string>& results) {
    std::vector<std::string> command = {"report", "-o", page_, "--cacti", "recorded"};
    command.insert(command.end(), results.begin(), results.end());
    const Ran ran = warpsieve(command);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const std::string text = read_file(page_), mark = "id=\"data\">";
    const std::size_t from = text.find(mark) + mark.size();
    return ordered_json::parse(text.substr(from, text.find("</script>", from) - from)).at("provenance");
  }
  const Scratch scratch_;
  const std::string results_ = scratch_.path("my runs.json"), page_ = scratch_.path("r.html");
};

TEST_F(ReportCommand, ReadsAPipe) {
  run({"-s", "baseline"});
  const std::string piped = "cat '" + results_ + "' | '" + tb::in_build("warpsieve") + "' report /dev/stdin -o '" +
                            page_ + "' > '" + scratch_.path("said") + "' 2>&1";
  EXPECT_EQ(std::system(piped.c_str()), 0) << read_file(scratch_.path("said"));
  EXPECT_THAT(read_file(page_), HasSubstr("\"vecadd\""));
}

TEST_F(ReportCommand, ANumberThatNoDoubleHoldsIsNamedWithItsFile) {
  run({"-s", "cmd", "--compare", "baseline"});
  std::string text = read_file(results_);
  const std::size_t value = text.find("\"ipc\": ") + 7;
  text.replace(value, text.find(',', value) - value, "1e999");
  const std::string broken = scratch_.write("o.json", text);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"report", broken, "-o", page_}, {"energy", broken}, {"claims", "--energy", broken}})
    expect_bad(command, "o.json: number overflow parsing '1e999': expected what `warpsieve run --json` writes");
}

TEST_F(ReportCommand, FilesOfASweepAreNoOutput) {
  const std::string file =
      scratch_.write("s.toml", "scale = \"small\"\nschemes = [\"baseline\"]\nworkloads = [\"vecadd\"]\n");
  const std::string dir = scratch_.path("s.sweep"), sweep = dir + "/sweep.json";
  ASSERT_EQ(warpsieve({"sweep", "run", file, "-o", dir, "--jobs", "1"}).code, 0);
  const std::string before = read_file(sweep);
  std::filesystem::create_symlink(sweep, scratch_.path("link"));
  std::vector<std::string> outputs = {sweep, dir + "/sweep.sqlite", dir + "/results/new.html", scratch_.path("link")};
  for (const auto& entry : std::filesystem::directory_iterator(dir + "/results")) outputs.push_back(entry.path());
  ASSERT_EQ(outputs.size(), 5u);
  for (const std::string& output : outputs)
    expect_bad({"report", dir, "-o", output}, output + ": cannot write: it belongs to the sweep " + dir);
  EXPECT_EQ(read_file(sweep), before);
  EXPECT_FALSE(std::filesystem::exists(dir + "/sweep.sqlite"));
  EXPECT_EQ(warpsieve({"report", dir, "-o", dir + "/report.html"}).code, 0) << "beside them is a good place";
}

TEST_F(ReportCommand, SaysHowTheRunsWereMade) {
  run({"-s",        "cmd",
       "--compare", "baseline,dedup",
       "--set",     "l2.sets=16",
       "--set",     "cmd.fifo_entries=8",
       "--size",    "elements=8192",
       "--seed",    "3",
       "--jobs",    "2",
       "--threads", "2",
       "--backend", "model",
       "--fst-dir", scratch_.path("a 'b'")});
  const std::string command =
      "warpsieve run --workload vecadd --scale small --set gpu.image_in_l2=0 --set gpu.launch_latency=0 --set "
      "l2.sets=16 "
      "--set cmd.fifo_entries=8 --scheme cmd --compare baseline,dedup --size elements=8192 --seed 3";
  ordered_json json = ordered_json::parse(read_file(results_));
  EXPECT_EQ(json["command"], command);
  ordered_json said = provenance({results_});
  EXPECT_EQ(said["sources"], ordered_json::array({{{"file", results_}, {"made", command}}}));
  EXPECT_THAT(said["command"].get<std::string>(),
              HasSubstr("report -o " + page_ + " --cacti recorded '" + results_ + "'"));

  json.erase("command");
  json.erase("digest");  // of a version that did not write it
  const std::string old = scratch_.write("old.json", json.dump());
  said = provenance({results_, old});
  ASSERT_EQ(said["sources"].size(), 2u);
  EXPECT_EQ(said["sources"][1]["file"], old);
  const std::string settings = said["sources"][1]["made"];
  for (const char* part : {"(command not recorded) scale small, elements=8192", "baseline with l2.sets=16",
                           "cmd with l2.sets=16", "cmd with cmd.fifo_entries=8"})
    EXPECT_THAT(settings, HasSubstr(part));
  EXPECT_THAT(settings, Not(HasSubstr("l2.ways"))) << "as the profile has it";
}

TEST_F(ReportCommand, TheRecordedCommandCanBePasted) {
  const std::string graph = scratch_.write("it's a.graph", "2 1\n2\n1\n");
  ASSERT_EQ(run_small({"-s", "baseline", "-i", graph, "--json", results_}).code, 0);
  const std::string first = read_file(results_), command = ordered_json::parse(first)["command"];
  EXPECT_THAT(command, HasSubstr("a.graph'"));
  const std::string again = scratch_.path("again.json");
  const std::string line =
      "PATH='" + tb::in_build("") + "':$PATH; " + command + " --json '" + again + "' > /dev/null";
  EXPECT_EQ(std::system(line.c_str()), 0);
  EXPECT_EQ(read_file(again), first);
}

}  // namespace
}  // namespace warpsieve::tb
