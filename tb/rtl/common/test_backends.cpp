// What the shared blocks have in common: refused shapes and backends, idle, and the text of a difference.
#include <gtest/gtest.h>

#include <memory>

#include "blocks/common/fifo.h"
#include "blocks/common/plru_tree.h"
#include "blocks/common/ram_1r1w.h"

namespace warpsieve::common {
namespace {

TEST(CommonBackends, ShapesWithoutCompiledRtlAreRefused) {
  EXPECT_THROW(make_fifo({8, 3}, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make_ram({8, 3}, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make_plru_tree(7, Backend::rtl), std::invalid_argument);
}

TEST(CommonBackends, AMemoryHasNoShadow) { EXPECT_THROW(make_ram({7, 5}, Backend::shadow), std::invalid_argument); }

TEST(CommonBackends, MemoryAndTreeAreAlwaysIdle) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    const auto ram = make_ram({7, 5}, backend);
    ram->write(0, {1});
    EXPECT_TRUE(ram->idle());
    ram->tick();
    EXPECT_TRUE(ram->idle());
  }
  for (const Backend backend : {Backend::model, Backend::rtl, Backend::shadow}) {
    const auto tree = make_plru_tree(5, backend);
    tree->touch(0);
    tree->tick();
    EXPECT_TRUE(tree->idle());
    EXPECT_NE(tree->victim(), 0u) << "way 0 was used last";
  }
}

TEST(CommonBackends, ResetOfAMemoryDropsTheRequestsOfTheCycleAndKeepsTheWords) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    const auto ram = make_ram({7, 5}, backend);
    ram->write(2, {0x55});
    ram->tick();
    ram->write(2, {0x2a});
    ram->reset();
    ram->tick();
    ram->read(2);
    ram->tick();
    EXPECT_EQ(ram->rdata(), RamWord{0x55});
  }
}

}  // namespace
}  // namespace warpsieve::common
