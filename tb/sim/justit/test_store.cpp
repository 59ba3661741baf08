// SpareSharedMemory against a plain map with recency lists: hits, data, evictions and their order.
#include <gtest/gtest.h>

#include <list>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "schemes/justit/spare_shared_memory.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using schemes::SpareSharedMemory;
using Sector = SpareSharedMemory::Sector;

Sector content(unsigned seed) {
  Sector out;
  for (unsigned i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint8_t>(seed * 31 + i * 7);
  return out;
}

/// What decision J8 says, without a thought for speed.
class PlainStore {
 public:
  void resize(unsigned bytes) {
    sets_ = bytes / 144;
    recency_.assign(sets_, {});
    data_.clear();
  }
  const Sector* read(std::uint64_t sector) {
    const auto at = data_.find(sector);
    if (at == data_.end()) return nullptr;
    touch(sector);
    return &at->second;
  }
  std::optional<std::uint64_t> insert(std::uint64_t sector, const Sector& data) {
    auto& set = recency_[sector % sets_];
    std::optional<std::uint64_t> out;
    if (!data_.contains(sector) && set.size() == 4) {
      out = set.front();
      erase(set.front());
    }
    data_[sector] = data;
    touch(sector);
    return out;
  }
  bool write(std::uint64_t sector, const Sector& data, std::uint32_t mask) {
    if (!data_.contains(sector)) return false;
    for (unsigned i = 0; i < 32; ++i)
      if (mask >> i & 1) data_[sector][i] = data[i];
    touch(sector);
    return true;
  }
  bool erase(std::uint64_t sector) {
    if (!data_.erase(sector)) return false;
    recency_[sector % sets_].remove(sector);
    return true;
  }
  void clear() {
    data_.clear();
    for (auto& set : recency_) set.clear();
  }
  unsigned sets_ = 0;

 private:
  void touch(std::uint64_t sector) {
    auto& set = recency_[sector % sets_];
    set.remove(sector);
    set.push_back(sector);
  }
  std::vector<std::list<std::uint64_t>> recency_;  ///< oldest first
  std::map<std::uint64_t, Sector> data_;
};

TEST(SpareSharedMemory, SetsAreWholeGroupsOfFourEntriesOf36Bytes) {
  SpareSharedMemory store;
  for (const auto& [bytes, sets] : std::vector<std::pair<unsigned, unsigned>>{
           {0, 0}, {143, 0}, {144, 1}, {287, 1}, {288, 2}, {9152, 63}, {49152, 341}}) {
    store.resize(bytes);
    EXPECT_EQ(store.sets(), sets) << bytes;
    EXPECT_EQ(store.entries(), 4 * sets) << bytes;
  }
}

TEST(SpareSharedMemory, FifthSectorOfASetReplacesTheLeastRecentlyUsed) {
  SpareSharedMemory store;
  store.resize(288);  // sets 0 (even sectors) and 1
  for (const unsigned sector : {0u, 2u, 4u, 6u})
    EXPECT_EQ(store.insert(sector, content(sector).data()), std::nullopt);
  EXPECT_EQ(store.insert(1, content(1).data()), std::nullopt);  // the other set
  ASSERT_NE(store.read(0), nullptr);
  EXPECT_TRUE(store.write(2, content(9).data(), 1));
  EXPECT_EQ(store.insert(8, content(8).data()), std::optional<std::uint64_t>(4));  // 0 was read, 2 written
  EXPECT_EQ(store.insert(10, content(10).data()), std::optional<std::uint64_t>(6));
  EXPECT_TRUE(store.erase(0));
  EXPECT_EQ(store.insert(12, content(12).data()), std::nullopt);  // the free entry first
  EXPECT_EQ(store.read(4), nullptr);
}

TEST(SpareSharedMemory, NoSetHoldsNothingAndTakesNothing) {
  SpareSharedMemory store;
  EXPECT_FALSE(store.holds(3));
  EXPECT_EQ(store.read(3), nullptr);
  EXPECT_FALSE(store.write(3, content(1).data(), 1));
  EXPECT_FALSE(store.erase(3));
  EXPECT_THROW(store.insert(3, content(1).data()), std::logic_error);
}

TEST(SpareSharedMemory, BehavesAsAPlainMapWithRecencyLists) {
  std::uint64_t hits = 0, evictions = 0, writes = 0, erased = 0;
  check_property("spare shared memory", 200, [&] {
    SpareSharedMemory store;
    PlainStore plain;
    const auto pick = [](unsigned n) { return static_cast<unsigned>(*rc::gen::inRange(0, static_cast<int>(n))); };
    const unsigned bytes = 144 * (1 + pick(4)) + pick(144), pool = 1 + pick(40), steps = pick(400);
    store.resize(bytes);
    plain.resize(bytes);
    std::minstd_rand random(pick(1u << 30));
    for (unsigned i = 0; i < steps; ++i) {
      const std::uint64_t sector = random() % pool * 0x10001;  // sets need not see neighbours only
      const Sector data = content(static_cast<unsigned>(random()));
      const unsigned what = static_cast<unsigned>(random() % 100);
      if (what < 40) {
        const auto out = store.insert(sector, data.data());
        RC_ASSERT(out == plain.insert(sector, data));
        evictions += out.has_value();
      } else if (what < 70) {
        const std::uint8_t* found = store.read(sector);
        const Sector* expected = plain.read(sector);
        RC_ASSERT((found != nullptr) == (expected != nullptr));
        if (found) RC_ASSERT(std::equal(expected->begin(), expected->end(), found));
        hits += found != nullptr;
      } else if (what < 90) {
        const auto mask = static_cast<std::uint32_t>(random() * 5);
        const bool present = store.write(sector, data.data(), mask);
        RC_ASSERT(present == plain.write(sector, data, mask));
        writes += present;
      } else if (what < 98) {
        const bool present = store.erase(sector);
        RC_ASSERT(present == plain.erase(sector));
        erased += present;
      } else if (what == 98) {
        store.clear();
        plain.clear();
      } else {
        const unsigned other = 144 * (1 + static_cast<unsigned>(random() % 5));
        store.resize(other);
        plain.resize(other);
      }
    }
  });
  for (const std::uint64_t count : {hits, evictions, writes, erased}) EXPECT_GT(count, 100u);
}

}  // namespace
}  // namespace warpsieve::tb
