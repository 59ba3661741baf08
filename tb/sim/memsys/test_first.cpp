#include <gtest/gtest.h>
#include <iostream>
#include "toy.h"
namespace warpsieve::tb {
TEST(First, Dump) {
  ToyWorkload w(1<<16);
  WarpBuilder a;
  const auto l = a.load_line(0);
  const auto l2 = a.load_line(0);
  a.alu(3, {l,l2});
  a.store_line(128, 3);
  a.load_line(128);
  w.add({a});
  ToyRun run(tiny(), w);
  std::cout << run.result.stats.dump(1) << "\n";
}
}
