// Names of schemes and combinations, which part of a combination makes what, and machines that a scheme amends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schemes/combined.h"
#include "support.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const Pattern kCombinedP = ramp(3);

std::string error_of(const std::string& name) {
  try {
    scheme_of(name);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SchemeNames, APlusBelongsToTheLongestNameThatFits) {
  EXPECT_THAT(schemes::scheme_parts("cmd"), ElementsAre("cmd"));
  EXPECT_THAT(schemes::scheme_parts("cmd+siphash"), ElementsAre("cmd+siphash"));
  EXPECT_THAT(schemes::scheme_parts("l2_5mb+cmd+siphash"), ElementsAre("l2_5mb", "cmd+siphash"));
  EXPECT_THAT(schemes::scheme_parts("dedup+car+l2_5mb"), ElementsAre("l2_5mb", "dedup+car"));
}

TEST(SchemeNames, OneMachineHasOneName) {
  for (const char* name : {"cmd+siphash+l2_5mb", "l2_5mb+cmd+siphash"})
    EXPECT_EQ(scheme_of(name)->name(), "l2_5mb+cmd+siphash");
  for (const schemes::SchemeInfo& info : schemes::scheme_list()) {
    const auto scheme = scheme_of(info.name);
    EXPECT_EQ(scheme->name(), info.name);
    const auto report = scheme->report();  // also before a run, when nothing has been counted
    EXPECT_TRUE(report.is_null() || report.is_object()) << info.name;
  }
}

TEST(SchemeNames, ErrorsNameTheNearestScheme) {
  EXPECT_THAT(error_of("cdm"), HasSubstr("unknown scheme 'cdm', did you mean cmd?"));
  EXPECT_THAT(error_of("cmd+siphsh"), HasSubstr("did you mean cmd+siphash?"));
  EXPECT_THAT(error_of("cmd+l2_6mb"), HasSubstr("('l2_6mb'), did you mean cmd+l2_5mb?"));
  EXPECT_THAT(error_of("l2_5mb+cmd+verfy"), HasSubstr("did you mean l2_5mb+cmd+verify?"));
  for (const char* name : {"", "+", "cmd+", "+cmd", "cmd++siphash", "cmd siphash"})
    EXPECT_THAT(error_of(name), HasSubstr("unknown scheme")) << name;
}

// Found by fuzzing: looking for the nearest of what 120 words might have meant took seconds.
TEST(SchemeNames, NamesLongerThanAllSchemesTogetherAreNotCompared) {
  EXPECT_THAT(error_of("cmd" + std::string(5000, '+')),
              AllOf(HasSubstr("unknown scheme 'cmd++++"), HasSubstr("...' of 5003 characters: expected one of "),
                    Not(HasSubstr("did you mean"))));
  std::string twice = "cmd";
  for (int i = 0; i < 100'000; ++i) twice += "+cmd";
  EXPECT_THAT(error_of(twice), HasSubstr("400003 characters"));
  EXPECT_THAT(error_of(std::string(1'000'000, 'x')), HasSubstr("1000000 characters"));
}

TEST(SchemeNames, PartsThatPlugIntoOnePlaceAreRefused) {
  EXPECT_THAT(error_of("cmd+dedup"),
              HasSubstr("'cmd' and 'dedup' cannot be combined, both plug into the memory path"));
  EXPECT_THAT(error_of("baseline+cmd"), HasSubstr("cannot be combined"));
  EXPECT_THAT(error_of("l2_5mb+l2_5mb"), HasSubstr("named twice"));
}

// Found by an audit: dpc+lamar ran as dpc, slower than either.
TEST(SchemeNames, PartsThatSetAParameterToDifferentValuesAreRefused) {
  EXPECT_THAT(error_of("dpc+lamar"),
              HasSubstr("scheme 'dpc+lamar': 'dpc' and 'lamar' cannot be combined, 'dpc' sets l1.line_fill = 1 and "
                        "'lamar' sets 0 (a miss fetches all sectors that the line lacks)"));
  EXPECT_THAT(error_of("justit+dpc"), HasSubstr("'justit' sets l1.line_fill = 0 and 'dpc' sets 1"));
  for (const char* name : {"cmd+lamar+shm+dpc", "dpc+rata+lamar+bypass"})
    EXPECT_THAT(error_of(name), AllOf(HasSubstr("l1.line_fill"), Not(HasSubstr("\n")))) << name;
  for (const char* name : {"rata+lamar", "rata+dpc", "dpc+cmd", "lamar+l2_5mb", "avc+dpc", "avc+rata"})
    EXPECT_EQ(error_of(name), "no error");
}

/// No list says which combinations are refused: of all pairs, those whose order would make another machine.
TEST(SchemeNames, EveryPairThatIsAcceptedAmendsTheMachineAlikeInBothOrders) {
  unsigned refused = 0;
  for (const schemes::SchemeInfo& a : schemes::scheme_list())
    for (const schemes::SchemeInfo& b : schemes::scheme_list()) {
      if (&a == &b) continue;
      const std::string error = error_of(a.name + "+" + b.name);
      if (error.find("both plug into") != std::string::npos) continue;
      Profile one, other;
      scheme_of(a.name)->amend(one);
      scheme_of(b.name)->amend(one);
      scheme_of(b.name)->amend(other);
      scheme_of(a.name)->amend(other);
      EXPECT_EQ(error == "no error", one.parameters() == other.parameters()) << a.name << " " << b.name << error;
      refused += error != "no error";
    }
  EXPECT_EQ(refused, 8u) << "dpc with lamar, lamar+bypass, lamar+shm and justit, in both orders";
}

/// Makes what its name says.
class Part final : public Scheme {
 public:
  explicit Part(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  void amend(Profile& profile) const override { profile.l2.ways += 1; }
  std::unique_ptr<L2VictimPort> make_victim_port(unsigned controller, unsigned, Stats&) override {
    if (name_ != "victims" || controller != 1) return nullptr;
    return std::make_unique<Port>();
  }
  nlohmann::ordered_json report() const override { return {{"is", name_}}; }

  struct Port final : L2VictimPort {
    void offer(Cycle, LocalLine, unsigned, const std::uint8_t*, bool) override {}
    Taken take(Cycle, LocalLine, SectorMask, LineData&) override { return {}; }
    unsigned invalidate(Cycle, LocalLine, SectorMask) override { return 0; }
  };

 private:
  std::string name_;
};

std::unique_ptr<Scheme> parts(const std::vector<std::string>& names) {
  std::vector<std::unique_ptr<Scheme>> list;
  for (const std::string& name : names) list.push_back(std::make_unique<Part>(name));
  return schemes::make_combined(std::move(list));
}

TEST(Combination, EachPlaceIsFilledByThePartThatHasSomethingForIt) {
  const auto both = parts({"other", "victims"});
  EXPECT_EQ(both->name(), "other+victims");
  Stats stats;
  EXPECT_EQ(both->make_victim_port(0, 0, stats), nullptr);
  EXPECT_NE(dynamic_cast<Part::Port*>(both->make_victim_port(1, 0, stats).get()), nullptr);
  Profile profile;
  both->amend(profile);
  EXPECT_EQ(profile.l2.ways, 18u) << "every part amends";
  EXPECT_EQ(both->report().dump(), R"({"other":{"is":"other"},"victims":{"is":"victims"}})");
  EXPECT_EQ(parts({"victims"})->report().dump(), R"({"is":"victims"})");
}

TEST(Combination, WithoutAMemoryPathItHasTheBaselines) {
  const Steps steps = Steps().store(0, kCombinedP).load(2).load(0).load(4).load(6);
  SchemeRun alone(parts({"other"}), steps.workload()), baseline(scheme_of("baseline"), steps.workload(), [] {
    Profile profile = one_line_slices();
    profile.l2.ways += 1;
    return profile;
  }());
  EXPECT_TRUE(alone.result.clean);
  EXPECT_EQ(alone.result.stats["counters"].dump(), baseline.result.stats["counters"].dump());
  EXPECT_EQ(alone.result.cycles, baseline.result.cycles);
}

TEST(Combination, AMachineWithoutAMemoryPathIsRefused) {
  Part part("other");
  ToyWorkload workload = Steps().load(0).workload();
  EXPECT_THROW(Gpu(one_line_slices(), part, workload), std::logic_error);
}

TEST(LargerL2, AQuarterMoreWaysInEveryProfile) {
  for (const char* name : {"cmd", "cmd-quarter"}) {
    Profile profile = load_profile(name);
    scheme_of("l2_5mb")->amend(profile);
    EXPECT_EQ(profile.l2.ways, 20u);
    EXPECT_EQ(profile.l2.sets, load_profile(name).l2.sets);
  }
  Profile profile = load_profile("plain");
  scheme_of("l2_5mb", {"l2_5mb.quarters=4"})->amend(profile);
  EXPECT_EQ(profile.l2.ways, 32u);
}

TEST(LargerL2, WaysThatHaveNoQuarterAreAnErrorOfOneLine) {
  try {
    SchemeRun run(scheme_of("l2_5mb"), Steps().load(0).workload(), tiny({"l2.ways=6"}));
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("l2.ways = 6: expected a multiple of 4"));
  }
}

TEST(LargerL2, TheFifthWayHoldsAFifthLine) {
  // Five even lines of slice 0, one set: with four ways the fifth load evicts the first line.
  Steps steps;
  for (unsigned line = 0; line < 10; line += 2) steps.load(line);
  steps.load(0);
  const Profile profile = tiny({"l2.sets=1", "l2.ways=4"});
  SchemeRun four(scheme_of("baseline"), steps.workload(), profile),
      five(scheme_of("l2_5mb"), steps.workload(), profile);
  EXPECT_EQ(four.stat("dram.requests_read_only"), 24u);
  EXPECT_EQ(five.stat("dram.requests_read_only"), 20u);
  EXPECT_TRUE(five.result.clean);
  EXPECT_EQ(five.result.stats["scheme"], "l2_5mb");
  EXPECT_EQ(five.result.stats["parameters"]["l2.ways"], 5);
}

TEST(LargerL2, CombinesWithCmd) {
  Steps steps;
  steps.store(0, kCombinedP).store(2, kCombinedP);
  for (unsigned line = 4; line < 14; line += 2) steps.load(line);
  SchemeRun run(scheme_of("l2_5mb+cmd"), steps.workload(), tiny({"l2.sets=1", "l2.ways=4"}));
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.result.stats["scheme"], "l2_5mb+cmd");
  EXPECT_EQ(run.stat("dedup.writes"), 2u);
  EXPECT_EQ(run.result.stats["scheme_report"]["cmd"]["parameters"]["cmd.fifo_entries"], 16);
}

}  // namespace
}  // namespace warpsieve::tb
