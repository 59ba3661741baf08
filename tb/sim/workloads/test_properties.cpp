// Measured properties: a kernel whose figures follow from its text; workloads that show what they are
// for; suites as data.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "sim/workloads/support.h"
#include "support/tree.h"
#include "workloads/properties.h"
#include "workloads/suites.h"

namespace warpsieve::workloads::test {
namespace {

using namespace simt;

/// Two blocks of one warp: both load line 0 of `in`, then write one line each of `out`.
class Toy final : public Program {
 public:
  explicit Toy(bool right = true) : Program("toy"), right_(right) {}

 private:
  void build() override {
    std::vector<int> ramp(32);
    for (int i = 0; i < 32; ++i) ramp[static_cast<std::size_t>(i)] = 100 + 3 * i;
    ramp[31] = 7;  // not affine
    in_ = memory_.allocate("in", ramp);
    out_ = memory_.allocate<int>("out", 128);
    sum_ = memory_.allocate<int>("sum", 1);
  }
  HostCode host() override {
    co_yield launch("first", 2, 32, [in = in_, out = out_, sum = sum_](Warp& w) {
      const Vec<int> i = w.thread();
      w.store(out, w.global_thread(), w.load(in, i));  // the same line twice: one is inter
      w.store(out, i + 64, Vec<int>(5));               // all words equal: intra
      w.atomic_add(sum, Vec<int>(0), Vec<int>(1));     // one sector
    });
    memory_.write(sum_, 0, 1000);
    co_yield launch("second", 1, 32, [out = out_, sum = sum_](Warp& w) {
      const Vec<int> i = w.thread();
      w.if_(i < 4, [&] { w.store(out, i * 8 + 96, w.load(out, i + 64)); });  // 4 lanes in 4 sectors
      w.if_(i == 0, [&] { w.store(out, Vec<int>(97), w.load(sum, 0)); });
    });
  }
  std::string verify() override { return right_ && memory_.read(out_, 97) == 1000 ? "" : "not 1000"; }
  bool right_;
  Buffer<int> in_, out_, sum_;
};

TEST(Properties, OfAToyKernelAreTheOnesCountedByHand) {
  Toy toy;
  const Properties p = measure(toy, 2);
  EXPECT_EQ(p.wrong, "");
  EXPECT_EQ(p.counts.launches, 2u);
  EXPECT_EQ(p.counts.loads, 2u + 2);
  EXPECT_EQ(p.counts.stores, 4u + 2);
  EXPECT_EQ(p.counts.atomics, 2u);
  EXPECT_EQ(p.footprint, 128u * (1 + 4 + 1));
  EXPECT_EQ(p.line_requests, 12u);
  EXPECT_EQ(p.one_sector, 2u + 1 + 1 + 1);  // atomics, load of four words, load and store of one word
  EXPECT_EQ(p.counts.requests, 6u * 4 + 2 + 1 + 4 + 1 + 1);
  // Launch 1 writes three lines of out and sum's line; launch 2 the last line of out.
  EXPECT_EQ(p.written_lines, 4u + 1);
  EXPECT_EQ(p.intra, 1u);  // sum's line holds 64 and zeros
  EXPECT_EQ(p.inter, 1u);
  EXPECT_EQ(p.loaded_lines, 1u + 2);
  EXPECT_EQ(p.shared_lines, 1u);
  EXPECT_EQ(p.load_requests, 4u);
  EXPECT_EQ(p.shared_requests, 2u);
  EXPECT_EQ(p.load_vectors, 2u + 1);
  EXPECT_EQ(p.affine_loads, 1u);
  EXPECT_EQ(p.store_vectors, 4u + 1);
  EXPECT_EQ(p.affine_stores, 2u + 1);
}

TEST(Properties, OneSmSharesNothing) {
  Toy toy;
  EXPECT_EQ(measure(toy, 1).shared_lines, 0u);
}

TEST(Properties, AWrongResultIsReported) {
  Toy toy(false);
  EXPECT_EQ(measure(toy, 2).wrong, "not 1000");
}

class WorkloadStreams : public ::testing::TestWithParam<std::string> {};

/// measure() throws when replaying the streams does not give the workload's own memory.
TEST_P(WorkloadStreams, GiveTheMemoryThatTheKernelsMade) {
  const auto w = make_workload(GetParam(), {.scale = Scale::small}),
             again = make_workload(GetParam(), {.scale = Scale::small});
  const Properties p = measure(*w, 20);
  EXPECT_EQ(p.wrong, "");
  again->setup();
  EXPECT_EQ(p.counts.wmi(), run_launches(*again).wmi());
  EXPECT_GE(p.line_requests, p.counts.wmi());
  EXPECT_LE(p.one_sector, p.line_requests);
  EXPECT_LE(p.intra + p.inter, p.written_lines);
  EXPECT_LE(p.footprint, w->image().size() + 128);
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const WorkloadInfo& i : workload_list()) names.push_back(i.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(All, WorkloadStreams, ::testing::ValuesIn(all_names()),
                         [](const auto& i) { return i.param; });

Properties at_quarter(const std::string& name) {
  return measure(*make_workload(name, {.scale = Scale::quarter}), 20);
}

TEST(Properties, ShowWhatTheWorkloadsAreFor) {
  const Properties covar = at_quarter("covar"), fdtd = at_quarter("fdtd2d"), conv = at_quarter("resnet_conv"),
                   nw = at_quarter("nw"), mis = at_quarter("mis"), sssp = at_quarter("sssp");
  EXPECT_GT(Properties::ratio(covar.one_sector, covar.line_requests), 0.9);
  EXPECT_LT(Properties::ratio(fdtd.one_sector, fdtd.line_requests), 0.2);
  EXPECT_GT(Properties::ratio(conv.shared_requests, conv.load_requests), 0.6);
  EXPECT_GT(nw.lines_per_access(), 1.0);
  EXPECT_GT(Properties::ratio(mis.intra, mis.written_lines), 0.2);
  EXPECT_GT(Properties::ratio(sssp.inter + sssp.intra, sssp.written_lines), 0.5);
}

/// Decided by the width: three planes of a row of the kernel hold the same lines when a row is whole lines.
TEST(Properties, TwoThirdsOfTheIm2colLinesRepeatOnlyAtWidthsOfWholeLines) {
  std::map<int, double> share;
  for (const int side : {128, 208}) {
    const auto w = make_workload("darknet_conv", {.set = {{"side", std::to_string(side)}}});
    w->setup();
    std::map<std::string, int> contents;
    int lines = 0, repeated = 0;
    for (int n = 0; n < 3; ++n) {
      const auto l = w->next_launch();
      const bool im2col = l->shape().kernel == "darknet_im2col";
      for (std::uint32_t b = 0; b < l->shape().blocks; ++b)
        for (const WarpTrace& t : l->run_block(b).warps)
          for (const WarpInstr& i : t.instrs) {
            if (!im2col || i.op != Op::store || i.mask != kAllLanes || t.address(i, 0) % 128 != 0) continue;
            ++lines;
            repeated += contents[std::string(t.data.begin() + i.values, t.data.begin() + i.values + 128)]++ > 0;
          }
    }
    ASSERT_GT(lines, 1000);
    share[side] = static_cast<double>(repeated) / lines;
  }
  EXPECT_NEAR(share[128], 0.667, 0.03);
  EXPECT_NEAR(share[208], 0.333, 0.05);
}

std::string suite_error(const std::string& text) {
  try {
    parse_suite("mine", "mine.toml", text);
  } catch (const WorkloadError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Suites, OneForEachPaperAndOneOfAllAndEveryRunIsAWorkload) {
  EXPECT_EQ(suite_names(), (std::vector<std::string>{"avc", "cmd", "dpc", "justit", "rata", "all"}));
  EXPECT_EQ(load_suite("all").runs.size(), workload_list().size());
  for (const std::string& name : suite_names()) {
    const Suite s = load_suite(name);
    EXPECT_FALSE(s.doc.empty()) << name;
    EXPECT_GE(s.runs.size(), 7u) << name;
    for (const SuiteRun& r : s.runs)
      EXPECT_NO_THROW(make_workload(r.workload, {.set = r.set, .scale = Scale::small}));
  }
}

TEST(Suites, RunsKeepTheirOrderAndTheirParameters) {
  const Suite s = parse_suite(
      "mine", "mine.toml",
      "doc = 'x'\n[[run]]\nworkload = 'vecadd'\n[[run]]\nworkload = 'bfs'\nvertices = 100\ngraph = 'grid'\n");
  ASSERT_EQ(s.runs.size(), 2u);
  EXPECT_EQ(s.runs[0].workload, "vecadd");
  EXPECT_EQ(s.runs[1].set, (std::map<std::string, std::string>{{"graph", "grid"}, {"vertices", "100"}}));
}

TEST(Suites, ErrorsNameFileLineAndWhatWasExpected) {
  EXPECT_EQ(suite_error("doc = 'x'\n"), "mine.toml:1: no [[run]] table: at least one is expected");
  EXPECT_TRUE(suite_error("\n[[run]]\nworkload = 'bsf'\n")
                  .starts_with("mine.toml:2: unknown workload 'bsf', did you mean bfs?"));
  EXPECT_TRUE(
      suite_error("[[run]]\nworkload = 'bfs'\nvertexes = 3\n").starts_with("mine.toml:1: unknown parameter of bfs"));
  EXPECT_TRUE(suite_error("[[run]]\nvertices = 3\n").starts_with("mine.toml:1: [[run]] without a workload"));
  EXPECT_TRUE(suite_error("[[run]]\nworkload = 1.5\n").starts_with("mine.toml:2: workload: an integer or a text"));
  EXPECT_TRUE(suite_error("[[runs]]\nworkload = 'bfs'\n").starts_with("mine.toml:1: unknown key 'runs'"));
  EXPECT_TRUE(suite_error("[[run]\n").starts_with("mine.toml:1: "));
  try {
    load_suite("cdm");
    FAIL();
  } catch (const WorkloadError& e) {
    EXPECT_EQ(
        std::string(e.what()),
        "unknown suite 'cdm', did you mean cmd? Expected avc, cmd, dpc, justit, rata or all; a file ends in .toml");
  }
}

/// The checked-in table names every workload; its figures are made again at full size (one minute).
TEST(Table, IsTheOneInTheRepository) {
  std::ifstream file(tb::in_sources("sim_cpp/workloads/README.md"));
  std::stringstream text;
  text << file.rdbuf();
  for (const WorkloadInfo& info : workload_list())
    EXPECT_NE(text.str().find("\n| " + info.name + " | " + info.suite + " | "), std::string::npos) << info.name;
  std::ifstream paper(tb::in_sources("sim_cpp/workloads/paper_scale.md"));
  std::stringstream paper_text;
  paper_text << paper.rdbuf();
  for (const WorkloadInfo& info : workload_list())
    EXPECT_NE(paper_text.str().find("\n| " + info.name + " | " + info.suite + " | "), std::string::npos) << info.name;
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "figures skipped: set WARPSIEVE_LONG=1";
  for (const WorkloadInfo& info : workload_list()) {
    const Properties p = measure(*make_workload(info.name), 80);
    const std::string row = fmt::format("\n| {} | {} | {} | {:.3f} | ", info.name, info.suite, p.counts.launches,
                                        static_cast<double>(p.counts.wmi()) / 1e6);
    EXPECT_NE(text.str().find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace warpsieve::workloads::test
