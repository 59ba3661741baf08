// CheckedWorld: a world of the control in lock step that reads everything back at its end.
#pragma once

#include <gtest/gtest.h>

#include "world.h"

namespace warpsieve::dedup {

/// A world whose errors fail the test.
struct CheckedWorld : World {
  explicit CheckedWorld(const DedupUnitParams& params = quick_unit()) : World(params, control_in_shadow(), {}) {}
  ~CheckedWorld() {
    check_all();
    EXPECT_TRUE(errors.empty()) << errors.front();
  }
  CheckedWorld(const CheckedWorld&) = delete;
  CheckedWorld& operator=(const CheckedWorld&) = delete;
};

}  // namespace warpsieve::dedup
