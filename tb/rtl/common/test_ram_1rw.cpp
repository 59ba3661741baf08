// ram_1rw: lanes, what holds and what does not, and random traffic against the model.
#include <gtest/gtest.h>

#include "blocks/common/ram_1rw.h"
#include "support/property.h"

namespace warpsieve::common {
namespace {

class PortPoints : public ::testing::TestWithParam<PortParams> {
 protected:
  unsigned lanes() const { return GetParam().mask_bits; }
  std::uint32_t all_lanes() const { return static_cast<std::uint32_t>((std::uint64_t{1} << lanes()) - 1); }
  std::uint64_t lane_mask() const {
    return GetParam().lane_bits() < 64 ? (std::uint64_t{1} << GetParam().lane_bits()) - 1 : ~std::uint64_t{0};
  }
  /// All lanes hold `value`, as far as it fits.
  RamWord word_of(std::uint64_t value) const {
    const unsigned width = GetParam().width;
    RamWord bytes((width + 7) / 8);
    for (unsigned bit = 0; bit < width; ++bit)
      bytes[bit / 8] |= static_cast<std::uint8_t>((value >> (bit % GetParam().lane_bits()) & 1) << bit % 8);
    return bytes;
  }
  RamWord random_word(std::uint32_t seed) const {
    RamWord bytes((GetParam().width + 7) / 8);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>((seed = seed * 1664525 + 1013904223) >> 24);
    if (GetParam().width % 8) bytes.back() &= static_cast<std::uint8_t>((1u << GetParam().width % 8) - 1);
    return bytes;
  }
};
INSTANTIATE_TEST_SUITE_P(Points, PortPoints,
                         ::testing::Values(PortParams{1, 1, 1, false}, PortParams{9, 5, 3, true},
                                           PortParams{256, 128, 16, false}, PortParams{256, 16, 1, true}),
                         [](const auto& info) {
                           return "W" + std::to_string(info.param.width) + "D" + std::to_string(info.param.depth);
                         });

TEST_P(PortPoints, AWriteChangesTheLanesOfItsMaskOnly) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    auto ram = make_port_ram(GetParam(), backend);
    const unsigned last = GetParam().depth - 1;
    for (unsigned changed = 0; changed < lanes(); ++changed) {
      ram->write(last, word_of(0), all_lanes());
      ram->tick();
      ram->write(last, word_of(~std::uint64_t{0}), 1u << changed);
      ram->tick();
      ram->read(last);
      ram->tick();
      for (unsigned lane = 0; lane < lanes(); ++lane)
        EXPECT_EQ(ram->lane(lane), lane == changed ? lane_mask() : 0) << to_string(backend) << " lane " << lane;
    }
    ram->write(last, word_of(0), 0);
    ram->tick();
    ram->read(last);
    ram->tick();
    EXPECT_EQ(ram->lane(lanes() - 1), lane_mask()) << to_string(backend) << ": a write of no lane";
  }
}

TEST_P(PortPoints, RdataHoldsWithoutAccessAndAcrossAWriteAsPromised) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    auto ram = make_port_ram(GetParam(), backend);
    ram->write(0, word_of(1), all_lanes());
    ram->tick();
    ram->read(0);
    ram->tick();
    ram->tick();
    EXPECT_EQ(ram->lane(0), 1u) << to_string(backend) << ": no access";
    ram->write(0, word_of(0), all_lanes());
    ram->tick();
    if (GetParam().hold_data) {
      EXPECT_EQ(ram->lane(0), 1u) << to_string(backend) << ": a write";
    } else if (backend == Backend::model) {
      EXPECT_EQ(ram->lane(0), std::nullopt);
    }
    ram->read(0);
    ram->tick();
    EXPECT_EQ(ram->lane(0), 0u) << to_string(backend);
  }
}

TEST_P(PortPoints, AWriteBesideAReadIsDoneAndTheReadUndefined) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    auto ram = make_port_ram(GetParam(), backend);
    ram->write(0, word_of(1), all_lanes());
    ram->read(0);
    ram->tick();
    if (backend == Backend::model) {
      EXPECT_EQ(ram->lane(0), std::nullopt);
    }
    ram->read(0);
    ram->tick();
    EXPECT_EQ(ram->lane(0), 1u) << to_string(backend);
  }
}

TEST_P(PortPoints, RandomTrafficMatchesTheModel) {
  const unsigned depth = GetParam().depth;
  tb::check_property("single-port ram traffic", 400, [&] {
    auto model = make_port_ram(GetParam(), Backend::model);
    auto rtl = make_port_ram(GetParam(), Backend::rtl);
    const auto count = *rc::gen::inRange(1, 100);
    for (int i = 0; i < count; ++i) {
      const unsigned address = *rc::gen::inRange(0u, std::min(depth, 6u));
      const int access = *rc::gen::inRange(0, 3);
      if (access == 0) {
        const RamWord data = random_word(*rc::gen::arbitrary<std::uint32_t>());
        const std::uint32_t mask = *rc::gen::arbitrary<std::uint32_t>() & all_lanes();
        model->write(address, data, mask);
        rtl->write(address, data, mask);
      } else if (access == 1) {
        model->read(address);
        rtl->read(address);
      }
      model->tick();
      rtl->tick();
      for (unsigned lane = 0; lane < lanes(); ++lane)
        if (model->lane(lane)) RC_ASSERT(model->lane(lane) == rtl->lane(lane));
    }
  });
}

TEST(PortBackends, ShapesWithoutCompiledRtlAndShadowsAreRefused) {
  EXPECT_THROW(make_port_ram({8, 3, 1, false}, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make_port_ram({9, 5, 3, true}, Backend::shadow), std::invalid_argument);
}

TEST(PortBackends, ResetDropsTheRequestsOfTheCycleAndKeepsTheWords) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    const auto ram = make_port_ram({9, 5, 3, true}, backend);
    EXPECT_TRUE(ram->idle());
    ram->write(2, {0x55, 1}, 7);
    ram->tick();
    ram->write(2, {0x2a, 0}, 7);
    ram->reset();
    ram->tick();
    ram->read(2);
    ram->tick();
    EXPECT_EQ(ram->lane(0), 5u) << to_string(backend);
    EXPECT_EQ(ram->lane(1), 2u) << to_string(backend);
    EXPECT_EQ(ram->lane(2), 5u) << to_string(backend);
  }
}

}  // namespace
}  // namespace warpsieve::common
