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

}  // namespace
}  // namespace warpsieve::tb
