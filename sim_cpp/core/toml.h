// toml++, the same way everywhere.
#pragma once

// toml++ 3.3 asserts that a key follows "[[" before it looks, so that a line end there would end the program. Without
// the assertion it goes on to its own error, which names the line (tb/fuzz, corpus config/key_missing).
#define TOML_ASSERT(expr) static_cast<void>(0)
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>
