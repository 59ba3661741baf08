// `warpsieve report`: inputs that are no plain file, outputs that are inputs, and what the page says of the runs. How
// the page looks is in tb/flow/test_report_page.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "program.h"

namespace warpsieve::tb {
namespace {

using ::testing::HasSubstr;

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
  const Scratch scratch_;
  const std::string results_ = scratch_.path("my runs.json"), page_ = scratch_.path("r.html");
};

TEST_F(ReportCommand, ReadsAPipe) {
  run({"-s", "baseline"});
  const std::string piped = "cat '" + results_ + "' | '" WARPSIEVE_BINARY_DIR "/warpsieve' report /dev/stdin -o '" +
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

}  // namespace
}  // namespace warpsieve::tb
