// What the caller got wrong.
#pragma once

#include <stdexcept>
#include <string_view>

#include "core/one_line.h"

namespace warpsieve {

/// A mistake in a file, an option or a name: one line, whatever the input that it quotes holds. Each reader has its
/// own kind.
class BadInput : public std::runtime_error {
 public:
  explicit BadInput(std::string_view what) : std::runtime_error(one_line(what)) {}
};

}  // namespace warpsieve
