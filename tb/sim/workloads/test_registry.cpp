// Names, parameters and their errors; every workload at its small size is right, repeatable, and its
// own check notices when nothing was computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "inputs/text_reader.h"
#include "sim/workloads/support.h"

namespace warpsieve::workloads::test {
namespace {

std::string error_of(const std::string& name, const WorkloadOptions& options = {}) {
  try {
    make_workload(name, options);
  } catch (const WorkloadError& e) {
    return e.what();
  }
  return "no error";
}

TEST(ScalePaper, EveryWorkloadNamesTheStandardInputAndHasValidSizes) {
  for (const WorkloadInfo& info : workload_list()) {
    EXPECT_NE(info.paper.standard, "") << info.name;
    EXPECT_NO_THROW(Settings(info, {.scale = Scale::paper})) << info.name;
    const auto paper = Settings(info, {.scale = Scale::paper}).values();
    for (const auto& [name, value] : info.paper.sizes) EXPECT_EQ(paper.at(name), value) << info.name;
    for (const Parameter& p : info.parameters)
      if (!info.paper.sizes.contains(p.name)) EXPECT_EQ(paper.at(p.name), p.full) << info.name << " " << p.name;
  }
  EXPECT_EQ(parse_scale("paper"), Scale::paper);
}

TEST(Registry, EveryEntryIsDocumented) {
  std::vector<std::string> names;
  for (const WorkloadInfo& i : workload_list()) {
    names.push_back(i.name);
    EXPECT_FALSE(i.doc.empty());
    EXPECT_EQ(i.doc.find('\n'), i.doc.npos);
    for (const Parameter& p : i.parameters) {
      EXPECT_FALSE(p.doc.empty()) << i.name << "." << p.name;
      EXPECT_TRUE(!p.choices.empty() || !p.unit.empty()) << i.name << "." << p.name;
      EXPECT_TRUE(!p.choices.empty() || p.min < p.max) << i.name << "." << p.name;
    }
  }
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const char* one : {"bfs", "cfd", "gather", "kmeans", "pagerank", "vecadd"})
    EXPECT_EQ(std::count(names.begin(), names.end(), one), 1) << one;
}

TEST(Registry, UnknownNamesGetTheNearestKnownOne) {
  EXPECT_TRUE(
      error_of("pagernak")
          .starts_with("unknown workload 'pagernak', did you mean pagerank? warpsieve run --list names all "));
  EXPECT_EQ(error_of("bfs", {.set = {{"vertexes", "4"}}}),
            "unknown parameter of bfs 'vertexes', did you mean vertices? Expected vertices, arcs, graph or source");
  EXPECT_EQ(error_of("cfd", {.set = {{"boundary", "wal"}}}),
            "unknown value of cfd.boundary 'wal', did you mean wall? Expected far or wall");
  EXPECT_THROW(parse_scale("half"), WorkloadError);
}

TEST(Registry, ValuesOutOfRangeAreRefused) {
  for (const char* bad : {"0", "-1", "1e3", "", "99999999999999999999", "12x"})
    EXPECT_NE(error_of("vecadd", {.set = {{"elements", bad}}}).find("an integer from 1 to"), std::string::npos)
        << bad;
  EXPECT_NE(error_of("vecadd", {.input = "x.gr"}).find("takes no input file"), std::string::npos);
  EXPECT_NE(error_of("bfs", {.set = {{"source", "65536"}}}).find("a vertex below 65536"), std::string::npos);
  EXPECT_NE(error_of("kmeans", {.set = {{"points", "4"}}}).find("at most the number of points, 4"),
            std::string::npos);
  EXPECT_THROW(make_workload("bfs", {.input = "/no/such/graph"}), inputs::InputError);
}

class EachWorkload : public ::testing::TestWithParam<std::string> {};

TEST_P(EachWorkload, SmallSizeIsRightAndRepeatable) {
  const WorkloadOptions small{.scale = Scale::small};
  const auto a = make_workload(GetParam(), small), b = make_workload(GetParam(), small);
  a->setup();
  b->setup();
  const simt::RunCounts n = simt::run_launches(*a), again = simt::run_launches(*b);
  EXPECT_EQ(a->verify(), "");
  EXPECT_EQ(n.warp_instructions, again.warp_instructions);
  EXPECT_TRUE(std::equal(a->image().begin(), a->image().end(), b->image().begin(), b->image().end()));
  EXPECT_EQ(a->base() % 256, 0u);
  EXPECT_GT(n.warp_instructions, n.wmi());
}

TEST_P(EachWorkload, OwnCheckNoticesThatNothingRan) {
  const auto w = make_workload(GetParam(), {.scale = Scale::small});
  w->setup();
  EXPECT_NE(w->verify(), "");
}

TEST_P(EachWorkload, SeedChangesTheDataUnlessItIsAFormula) {
  const auto a = make_workload(GetParam(), {.scale = Scale::small, .seed = 1}),
             b = make_workload(GetParam(), {.scale = Scale::small, .seed = 2});
  for (simt::Workload* w : {a.get(), b.get()}) {
    w->setup();
    simt::run_launches(*w);
    EXPECT_EQ(w->verify(), "");
  }
  EXPECT_EQ(a->image().size() == b->image().size() &&
                std::equal(a->image().begin(), a->image().end(), b->image().begin(), b->image().end()),
            !workload_info(GetParam()).uses_seed);
}

/// What the run stored last are results: damage to the first and last byte of such a word is seen.
TEST_P(EachWorkload, OwnCheckNoticesASingleDamagedWord) {
  const auto w = make_workload(GetParam(), {.scale = Scale::small});
  w->setup();
  std::vector<std::set<simt::Addr>> stored;
  run_warps(*w, [&](const simt::LaunchShape&, std::uint64_t launch, const WarpTrace& t) {
    stored.resize(launch + 1);
    for (const WarpInstr& i : t.instrs)
      if (i.op == simt::Op::store || i.op == simt::Op::atomic)
        for (int l = 0; l < std::popcount(i.mask); ++l) stored[launch].insert(t.address(i, static_cast<unsigned>(l)));
  });
  ASSERT_EQ(w->verify(), "");
  std::size_t tried = 0, noticed = 0;
  // Late launches first: an early one may only have written intermediate values.
  for (auto launch = stored.rbegin(); launch != stored.rend() && noticed == 0; ++launch)
    for (std::size_t k = 0; k < 8 && !launch->empty(); ++k) {
      const simt::Addr at = *std::next(launch->begin(), static_cast<std::ptrdiff_t>(k * launch->size() / 8));
      const std::size_t first = at - w->base(), last = std::min(first + 3, w->image().size() - 1);
      const auto damage = [&] {
        for (const std::size_t byte : {first, last}) const_cast<std::uint8_t&>(w->image()[byte]) ^= 0x55;
      };
      damage();
      ++tried;
      noticed += !w->verify().empty();
      damage();
    }
  EXPECT_GT(noticed, 0u) << tried << " places tried";
  EXPECT_EQ(w->verify(), "");
}

TEST_P(EachWorkload, ParametersOutOfRangeGiveOneLineThatNamesThem) {
  for (const Parameter& p : workload_info(GetParam()).parameters)
    for (const std::string& bad : {std::string("x"), std::to_string(p.min - 1), std::to_string(p.max + 1)}) {
      const std::string error = error_of(GetParam(), {.set = {{p.name, bad}}, .scale = Scale::small});
      EXPECT_NE(error.find(p.name), std::string::npos) << error;
      EXPECT_NE(error.find("'" + bad + "'"), std::string::npos) << error;
      EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    }
}

std::vector<std::string> registered_names() {
  std::vector<std::string> names;
  for (const WorkloadInfo& i : workload_list()) names.push_back(i.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EachWorkload, ::testing::ValuesIn(registered_names()),
                         [](const auto& i) { return i.param; });

TEST(Registry, TwoWorkloadsOfTheSameKindDoNotDisturbEachOther) {
  const auto a = make_workload("bfs", {.scale = Scale::small}),
             b = make_workload("bfs", {.scale = Scale::small, .seed = 5});
  a->setup();
  b->setup();
  for (bool more = true; more;) {
    more = false;
    for (simt::Workload* w : {a.get(), b.get()})
      if (const auto l = w->next_launch()) {
        more = true;
        for (std::uint32_t k = 0; k < l->shape().blocks; ++k) l->run_block(k);
      }
  }
  EXPECT_EQ(a->verify(), "");
  EXPECT_EQ(b->verify(), "");
}

TEST(Registry, FullSizesFollowTheWorkloadDocument) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for full-size runs";
  // Millions of warp memory instructions. The document counts full warps: pagerank's hubs, the columns of
  // heartwall's windows, and mars_pvc's comparisons of equal keys make more; gaussian's idle blocks fewer.
  const std::map<std::string, std::pair<double, double>> expected = {
      {"cfd", {0.6, 0.95}},           {"lud", {0.37, 0.38}},
      {"backprop", {0.32, 0.34}},     {"pagerank", {1.2, 2.6}},
      {"covar", {1.05, 1.2}},         {"resnet_conv", {0.56, 0.58}},
      {"darknet_conv", {1.5, 1.8}},   {"bfs", {0.3, 0.6}},
      {"kmeans", {0.48, 0.5}},        {"nw", {0.57, 0.58}},
      {"srad", {0.8, 0.9}},           {"hotspot", {0.38, 0.46}},
      {"gaussian", {0.18, 0.25}},     {"mis", {0.2, 0.3}},
      {"color", {0.3, 0.5}},          {"sssp", {0.7, 0.9}},
      {"alexnet_conv", {0.75, 0.85}}, {"dwt2d", {0.45, 0.55}},
      {"fdtd2d", {0.56, 0.58}},       {"mars_sm", {0.26, 0.4}},
      {"heartwall", {0.5, 1.0}},      {"fdtd3d", {0.29, 0.31}},
      {"apsp", {0.22, 0.28}},         {"mars_pvc", {0.4, 1.7}}};
  ASSERT_EQ(expected.size(), 24u);
  for (const auto& [name, range] : expected) {
    const auto w = make_workload(name);
    w->setup();
    const simt::RunCounts n = simt::run_launches(*w);
    EXPECT_EQ(w->verify(), "") << name;
    EXPECT_GE(static_cast<double>(n.wmi()) / 1e6, range.first) << name;
    EXPECT_LE(static_cast<double>(n.wmi()) / 1e6, range.second) << name;
  }
}

}  // namespace
}  // namespace warpsieve::workloads::test
