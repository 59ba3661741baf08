// The host's memory does not hold what was asked for: of the sizes that the caller chose, not of a fault in a model.
#pragma once

#include <fmt/format.h>

#include "core/bad_input.h"

namespace warpsieve {

/// "not enough memory: WHAT; give HINT"
class NotEnoughMemory : public BadInput {
 public:
  explicit NotEnoughMemory(std::string_view what, std::string_view hint = "a smaller input or smaller sizes")
      : BadInput(fmt::format("not enough memory: {}; give {}", what, hint)) {}
};

}  // namespace warpsieve
