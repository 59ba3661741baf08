// secded_ram: every stored bit wrong once, pairs of wrong bits, hold and collision, random traffic with errors.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <stdexcept>

#include "blocks/secded/secded.h"
#include "blocks/secded/secded_ram.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::secded {
namespace {

using Random = std::mt19937_64;

class SecdedRamPoints : public ::testing::TestWithParam<SecdedRamParams> {
 protected:
  unsigned parts() const { return GetParam().parts(); }
  unsigned word_bits() const { return GetParam().word_bits; }
  unsigned check_bits() const { return Code(word_bits()).check_bits(); }
  unsigned stored() const { return word_bits() + check_bits(); }
  Parts word(Random& random) const {
    Parts made(parts());
    for (auto& part : made) part = random() >> (64 - word_bits());
    return made;
  }
  SecdedRead whole(const Parts& data) const { return {data, std::vector<bool>(parts()), std::vector<bool>(parts())}; }
  /// Wrong bits by their places in the stored word.
  struct Flips {
    Parts data, check;
  };
  Flips flips(std::initializer_list<unsigned> places) const {
    Flips made{Parts(parts()), Parts(parts())};
    for (const unsigned place : places) {
      const unsigned bit = place % stored();
      if (bit < word_bits())
        made.data[place / stored()] ^= std::uint64_t{1} << bit;
      else
        made.check[place / stored()] ^= std::uint64_t{1} << (bit - word_bits());
    }
    return made;
  }
  void write(SecdedRam& ram, unsigned address, const Parts& data, const Flips& wrong) const {
    ram.write(address, data, wrong.data, wrong.check);
    ram.tick();
  }
  SecdedRead read(SecdedRam& ram, unsigned address) const {
    ram.read(address);
    ram.tick();
    return ram.out();
  }
};
INSTANTIATE_TEST_SUITE_P(Points, SecdedRamPoints,
                         ::testing::Values(SecdedRamParams{1, 1, 1, 1}, SecdedRamParams{22, 5, 11, 1},
                                           SecdedRamParams{256, 1536, 64, 0}),
                         [](const auto& info) {
                           return "W" + std::to_string(info.param.width) + "D" + std::to_string(info.param.depth);
                         });

TEST_P(SecdedRamPoints, EveryWrongBitIsCorrectedAndReportedInItsPart) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    auto ram = make_secded_ram(GetParam(), backend);
    Random random(1);
    for (unsigned place = 0; place < parts() * stored(); ++place) {
      const unsigned address = place % GetParam().depth;
      const Parts data = word(random);
      write(*ram, address, data, flips({place}));
      SecdedRead expected = whole(data);
      expected.single[place / stored()] = true;
      EXPECT_EQ(read(*ram, address), expected) << to_string(backend) << " place " << place;
      ram->write(address, data);  // what is written again is whole again
      ram->tick();
      EXPECT_EQ(read(*ram, address), whole(data)) << to_string(backend) << " place " << place;
    }
  }
}

TEST_P(SecdedRamPoints, TwoWrongBitsAreFatalInOnePartAndCorrectedInTwo) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    auto ram = make_secded_ram(GetParam(), backend);
    Random random(2);
    for (unsigned high = 1; high < parts() * stored(); ++high) {
      const unsigned low = static_cast<unsigned>(random() % high), last = GetParam().depth - 1;
      const Parts data = word(random);
      write(*ram, last, data, flips({low, high}));
      const SecdedRead out = read(*ram, last);
      SecdedRead expected = whole(data);
      if (low / stored() == high / stored()) {
        expected.fatal[low / stored()] = true;
        expected.data = out.data;
      } else {
        expected.single[low / stored()] = expected.single[high / stored()] = true;
      }
      EXPECT_EQ(out, expected) << to_string(backend) << " places " << low << ", " << high;
    }
  }
}

TEST_P(SecdedRamPoints, ACollisionReadsTheOldWordAndTheOutputsHoldWithoutARead) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    if (backend == Backend::rtl && GetParam().old_data == 0) continue;
    auto ram = make_secded_ram(GetParam(), backend);
    Random random(3);
    const Parts old_word = word(random);
    Parts new_word = old_word;
    new_word[0] ^= 1;
    write(*ram, 0, old_word, flips({0}));
    ram->write(0, new_word);
    SecdedRead expected = whole(old_word);
    expected.single[0] = true;
    EXPECT_EQ(read(*ram, 0), expected) << to_string(backend);
    ram->write(0, new_word);
    ram->tick();
    EXPECT_EQ(ram->out(), expected) << to_string(backend) << ": hold";
    EXPECT_EQ(read(*ram, 0), whole(new_word)) << to_string(backend);
  }
}

/// Writes with up to three wrong bits and reads, in model and RTL alike.
class Traffic {
 public:
  explicit Traffic(const SecdedRamParams& params)
      : params_(params), check_bits_(Code(params.word_bits).check_bits()),
        model_(make_secded_ram(params, Backend::model)), rtl_(make_secded_ram(params, Backend::rtl)) {}
  /// One cycle; whether both gave the same.
  bool cycle(Random& random) {
    const unsigned kinds = static_cast<unsigned>(random() % 4);
    unsigned written = params_.depth;
    if (kinds & 1) {
      written = address(random);
      Parts data(params_.parts()), wrong(params_.parts()), wrong_check(params_.parts());
      for (auto& part : data) part = random() >> (64 - params_.word_bits);
      for (unsigned left = static_cast<unsigned>(random() % 4); left > 0; --left) {
        const auto part = random() % params_.parts();
        if (random() % 4)
          wrong[part] ^= std::uint64_t{1} << random() % params_.word_bits;
        else
          wrong_check[part] ^= std::uint64_t{1} << random() % check_bits_;
      }
      model_->write(written, data, wrong, wrong_check);
      rtl_->write(written, data, wrong, wrong_check);
    }
    const unsigned at = address(random);
    if (kinds & 2 && (params_.old_data != 0 || at != written)) {
      model_->read(at);
      rtl_->read(at);
    }
    model_->tick();
    rtl_->tick();
    return model_->out().data.empty() || model_->out() == rtl_->out();
  }

 private:
  /// Of few words, so that reads find what was written.
  unsigned address(Random& random) const {
    return params_.depth - 1 - static_cast<unsigned>(random() % std::min(params_.depth, 8u));
  }
  SecdedRamParams params_;
  unsigned check_bits_;
  std::unique_ptr<SecdedRam> model_, rtl_;
};

TEST_P(SecdedRamPoints, RandomTrafficMatchesTheModel) {
  tb::check_property("secded_ram traffic", 200, [&] {
    Random random(*rc::gen::arbitrary<std::uint32_t>());
    Traffic traffic(GetParam());
    for (int left = *rc::gen::inRange(1, 100); left > 0; --left) RC_ASSERT(traffic.cycle(random));
  });
}

TEST_P(SecdedRamPoints, AQuarterOfAMillionCycles) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 250,000 cycles per point";
  Random random(4);
  Traffic traffic(GetParam());
  for (unsigned left = 250'000; left > 0; --left) ASSERT_TRUE(traffic.cycle(random));
  tb::report_transactions(250'000);
}

TEST(SecdedRam, OtherShapesAreRefused) {
  EXPECT_THROW(make_secded_ram({7, 5, 2}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_secded_ram({7, 0, 7}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_secded_ram({7, 5, 7}, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make_secded_ram({64, 5, 64}, Backend::shadow), std::invalid_argument);
}

TEST(SecdedRam, MismatchesNameTheWord) {
  EXPECT_EQ(describe({{0xab, 0x1}, {true, false}, {false, true}}), "data ab 1 single 10 fatal 01");
}

TEST(SecdedRam, AnAccessThatIsTakenBackDoesNothing) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    auto ram = make_secded_ram({22, 5, 11, 1}, backend);
    const auto cycle = [&] {
      ram->tick();
      return ram->out();
    };
    ram->write(1, {7, 8});
    ram->tick();
    ram->read(1);
    const SecdedRead before = cycle();
    ram->write(1, {9, 10});
    ram->read(0);
    ram->reset();
    EXPECT_EQ(cycle(), before) << to_string(backend);
    ram->read(1);
    EXPECT_EQ(cycle(), before) << to_string(backend);
    EXPECT_TRUE(ram->idle());
  }
}

}  // namespace
}  // namespace warpsieve::secded
