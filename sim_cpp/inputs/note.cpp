#include "inputs/note.h"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>
#include <set>

#include "core/errors.h"

namespace warpsieve::inputs {

constexpr std::size_t kMost = 1000;  ///< lines; a file that makes more of them has been read by a fuzzer

void note(const std::string& file, std::string_view text) {
  static std::mutex lock;
  static std::set<std::string> said;
  const std::string line = one_line(fmt::format("{}: {}", file, text));
  const std::lock_guard hold(lock);
  if (said.size() < kMost && said.insert(line).second) fmt::print(stderr, "warpsieve: note: {}\n", line);
}

}  // namespace warpsieve::inputs
