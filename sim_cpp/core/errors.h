// Errors that the caller of the program made: one line each, printed as it is, exit code 2. Faults of the model are
// std::logic_error.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace warpsieve {

/// The text with control characters written out, as \n or \x1b: what a file holds must not break up a message.
std::string one_line(std::string_view text);

/// A mistake in a file, an option or a name: one line, whatever the input that it quotes holds. Each reader has its
/// own kind.
class BadInput : public std::runtime_error {
 public:
  explicit BadInput(std::string_view what) : std::runtime_error(one_line(what)) {}
};

/// Of a parameter, a configuration or an output, with file and line number where there is a file.
class ConfigError : public BadInput {
 public:
  using BadInput::BadInput;
};

/// "not enough memory: WHAT; give HINT": the simulating machine does not hold the sizes that the caller chose.
class NotEnoughMemory : public BadInput {
 public:
  explicit NotEnoughMemory(std::string_view what, std::string_view hint = "a smaller input or smaller sizes");
};

}  // namespace warpsieve
