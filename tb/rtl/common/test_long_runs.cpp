// The shared blocks over more than a million transactions, all points; a block of its own and those inside others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "blocks/common/fifo.h"
#include "blocks/common/h3_hash.h"
#include "blocks/common/lru.h"
#include "blocks/common/lru_rtl.h"
#include "blocks/common/plru_tree.h"
#include "blocks/common/ram_1r1w.h"
#include "blocks/common/ram_1rw.h"
#include "blocks/common/stream_skid.h"
#include "support/lockstep.h"
#include "support/long_run.h"

namespace warpsieve::common {
namespace {

class CommonLong : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for a million transactions";
  }
  /// Items in order through a block that keeps order, in bursts under random pressure on both sides.
  void stream(Block<FifoItem, FifoItem>& block, unsigned width) {
    block.reset();
    for (unsigned burst = 0; burst < 150; ++burst) {
      std::vector<FifoItem> items(1000);
      for (auto& item : items) item.data = random() & ((std::uint64_t{1} << width) - 1);
      const tb::Pressure pressure{10 + below(91), 10 + below(91), 1 + below(1u << 30)};
      ASSERT_EQ(tb::drive_stream(block, items, items.size(), pressure), items) << "width " << width;
    }
    tb::report_transactions(150 * 1000);
  }
  unsigned below(unsigned limit) { return static_cast<unsigned>(random() % limit); }
  std::mt19937_64 random{3};
};

TEST_F(CommonLong, FifosPass450000ItemsInOrder) {
  for (const FifoParams& params : {FifoParams{1, 1}, FifoParams{7, 5}, FifoParams{32, 8}})
    stream(*make_fifo(params, Backend::shadow), params.width);
}

TEST_F(CommonLong, SkidsPass450000ItemsInOrder) {
  for (const unsigned width : {1u, 7u, 32u}) stream(*make_stream_skid({width}, Backend::shadow), width);
}

TEST_F(CommonLong, MemoriesGiveTheModelsWordsIn300000Cycles) {
  for (const RamParams& params : {RamParams{1, 1}, RamParams{7, 5}, RamParams{256, 16}}) {
    auto model = make_ram(params, Backend::model);
    auto rtl = make_ram(params, Backend::rtl);
    unsigned compared = 0;
    for (unsigned cycle = 0; cycle < 100'000; ++cycle) {
      if (below(2)) {
        RamWord word((params.width + 7) / 8);
        for (auto& byte : word) byte = static_cast<std::uint8_t>(random());
        if (params.width % 8) word.back() &= static_cast<std::uint8_t>((1u << params.width % 8) - 1);
        const unsigned address = below(params.depth);
        model->write(address, word);
        rtl->write(address, word);
      }
      if (below(2)) {
        const unsigned address = below(params.depth);
        model->read(address);
        rtl->read(address);
      }
      model->tick();
      rtl->tick();
      if (model->rdata().empty()) continue;  // not written yet
      ASSERT_EQ(model->rdata(), rtl->rdata()) << "width " << params.width << " cycle " << cycle;
      ++compared;
    }
    EXPECT_GT(compared, 99'000u);
    tb::report_transactions(compared);
  }
}

TEST_F(CommonLong, SinglePortMemoriesGiveTheModelsLanesIn400000Cycles) {
  for (const PortParams& params : {PortParams{1, 1, 1, false}, PortParams{9, 5, 3, true},
                                   PortParams{256, 128, 16, false}, PortParams{256, 16, 1, true}}) {
    auto model = make_port_ram(params, Backend::model);
    auto rtl = make_port_ram(params, Backend::rtl);
    unsigned compared = 0;
    for (unsigned cycle = 0; cycle < 100'000; ++cycle) {
      const unsigned address = below(params.depth), access = below(4);
      if (access == 0) {
        RamWord word((params.width + 7) / 8);
        for (auto& byte : word) byte = static_cast<std::uint8_t>(random());
        if (params.width % 8) word.back() &= static_cast<std::uint8_t>((1u << params.width % 8) - 1);
        const std::uint32_t mask = below(1u << params.mask_bits);
        model->write(address, word, mask);
        rtl->write(address, word, mask);
      } else if (access < 3) {
        model->read(address);
        rtl->read(address);
      }
      model->tick();
      rtl->tick();
      for (unsigned lane = 0; lane < params.mask_bits; ++lane) {
        if (!model->lane(lane)) continue;  // undefined
        ASSERT_EQ(model->lane(lane), rtl->lane(lane)) << "width " << params.width << " cycle " << cycle;
        compared += lane == 0;
      }
    }
    EXPECT_GT(compared, 50'000u);
    tb::report_transactions(compared);
  }
}

TEST_F(CommonLong, TreesAgreeOnEveryVictimIn250000Touches) {
  for (const unsigned ways : {2u, 3u, 5u, 6u, 16u}) {
    auto plru = make_plru_tree(ways, Backend::shadow);
    plru->reset();
    for (unsigned cycle = 0; cycle < 50'000; ++cycle) {
      const unsigned way = below(ways + 1);  // `ways`: a cycle without a touch
      if (way < ways) plru->touch(way);
      plru->tick();
      ASSERT_LT(plru->victim(), ways);
      ASSERT_TRUE(way == ways || plru->victim() != way);
    }
    tb::report_transactions(50'000);
  }
}

TEST_F(CommonLong, OrdersAndHashesAreTheModelsFor350000Inputs) {
  for (const unsigned ways : {1u, 2u, 3u, 6u, 16u}) {
    auto rtl = make_lru_rtl(ways);
    LruSets model(1, ways);
    for (unsigned i = 0; i < 50'000; ++i) {
      const unsigned way = below(ways);
      const std::uint64_t eligible = random() & ((std::uint64_t{1} << ways) - 1);
      const auto got = rtl->eval(model.order(0), way, eligible);
      ASSERT_EQ(got.victim, model.victim(0, eligible)) << ways << " ways";  // of the order before the touch
      model.touch(0, way);
      ASSERT_TRUE(std::equal(got.order.begin(), got.order.end(), model.order(0).begin())) << ways << " ways";
    }
    tb::report_transactions(50'000);
  }
  for (const H3Params& params : {H3Params{1, 1, 1}, H3Params{13, 7, 5}, H3Params{32, 6, 1}, H3Params{35, 10, 2}}) {
    auto rtl = make_h3_rtl(params);
    const H3Hash model(params);
    for (unsigned i = 0; i < 25'000; ++i) {
      const std::uint64_t key = random() & ((std::uint64_t{1} << params.key_bits) - 1);
      ASSERT_EQ(rtl->eval(key), model(key)) << params.key_bits << " bits";
    }
    tb::report_transactions(25'000);
  }
}

}  // namespace
}  // namespace warpsieve::common
