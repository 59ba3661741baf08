// ram_1r1w: collision and hold behaviour, and random traffic against the model.
#include <gtest/gtest.h>

#include "blocks/common/ram_1r1w.h"
#include "support/property.h"

namespace warpsieve::common {
namespace {

class RamPoints : public ::testing::TestWithParam<RamParams> {
 protected:
  RamWord word(std::uint32_t seed) const {
    RamWord bytes((GetParam().width + 7) / 8);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>((seed = seed * 1664525 + 1013904223) >> 24);
    if (GetParam().width % 8) bytes.back() &= (1u << GetParam().width % 8) - 1;
    return bytes;
  }
};
INSTANTIATE_TEST_SUITE_P(Points, RamPoints, ::testing::Values(RamParams{1, 1}, RamParams{7, 5}, RamParams{256, 16}),
                         [](const auto& info) {
                           return "W" + std::to_string(info.param.width) + "D" + std::to_string(info.param.depth);
                         });

TEST_P(RamPoints, CollisionReturnsTheOldWordAndRdataHoldsWithoutRead) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    auto ram = make_ram(GetParam(), backend);
    const unsigned last = GetParam().depth - 1;
    // complementary words, so that width 1 tells old from new as well
    const RamWord old_word = word(7);
    RamWord new_word = old_word;
    new_word[0] ^= 1;
    ram->write(last, old_word);
    ram->tick();
    ram->write(last, new_word);
    ram->read(last);
    ram->tick();
    EXPECT_EQ(ram->rdata(), old_word) << to_string(backend);
    ram->write(last, new_word);
    ram->tick();
    EXPECT_EQ(ram->rdata(), old_word) << to_string(backend) << ": hold";
    ram->read(last);
    ram->tick();
    EXPECT_EQ(ram->rdata(), new_word) << to_string(backend);
  }
}

TEST_P(RamPoints, RandomTrafficMatchesTheModel) {
  const unsigned depth = GetParam().depth;
  tb::check_property("ram traffic", 400, [&] {
    auto model = make_ram(GetParam(), Backend::model);
    auto rtl = make_ram(GetParam(), Backend::rtl);
    const auto count = *rc::gen::inRange(1, 100);
    for (int i = 0; i < count; ++i) {
      if (*rc::gen::arbitrary<bool>()) {
        const unsigned address = *rc::gen::inRange(0u, depth);
        const RamWord data = word(*rc::gen::arbitrary<std::uint32_t>());
        model->write(address, data);
        rtl->write(address, data);
      }
      if (*rc::gen::arbitrary<bool>()) {
        const unsigned address = *rc::gen::inRange(0u, depth);
        model->read(address);
        rtl->read(address);
      }
      model->tick();
      rtl->tick();
      if (!model->rdata().empty()) RC_ASSERT(model->rdata() == rtl->rdata());
    }
  });
}

}  // namespace
}  // namespace warpsieve::common
