// Result times against a plain list of all instructions.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "memsys/sm/result_times.h"

namespace warpsieve::memsys::test {
namespace {

TEST(ResultTimes, AsAPlainList) {
  std::mt19937 random(1);
  ResultTimes times;
  for (int warp = 0; warp < 40; ++warp) {
    times.start();
    std::vector<Cycle> plain;
    std::vector<std::uint32_t> under_way;
    Cycle now = static_cast<Cycle>(warp) * 100000;
    std::size_t far = 0;
    for (int step = 0; step < 3000; ++step) {
      now += 1 + (random() % 16 == 0 ? random() % 50 : 0);
      Cycle at = now + 1 + random() % 24;
      if (random() % 4 == 0 && under_way.size() < 12) {
        at = kNever;
        under_way.push_back(static_cast<std::uint32_t>(plain.size()));
      }
      times.issued(now, at);
      plain.push_back(at);
      if (!under_way.empty() && random() % 6 == 0) {
        const std::size_t i = random() % under_way.size();
        const std::uint32_t instr = under_way[i];
        under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(i));
        far += plain.size() - instr > ResultTimes::kRecent;
        times.arrive(instr, plain[instr] = now + random() % 8);
      }
      for (int look = 0; look < 8; ++look) {
        const std::size_t back = look < 4 ? random() % 80 : random() % plain.size();
        if (back >= plain.size()) continue;
        const auto instr = static_cast<std::uint32_t>(plain.size() - 1 - back);
        const Cycle want = plain[instr], got = times.at(instr);
        if (want > now)
          ASSERT_EQ(got, want) << instr;
        else
          ASSERT_LE(got, now) << instr;
      }
    }
    EXPECT_GT(far, 10u) << "of those that came late";
  }
}

TEST(ResultTimes, AnotherWarpHasNoneOfTheLast) {
  ResultTimes times;
  times.start();
  times.issued(0, kNever);
  for (Cycle now = 1; now <= ResultTimes::kRecent; ++now) times.issued(now, now + 4);
  EXPECT_EQ(times.at(0), kNever);
  times.start();
  times.issued(100, 104);
  EXPECT_EQ(times.at(0), 104u);
}

}  // namespace
}  // namespace warpsieve::memsys::test
