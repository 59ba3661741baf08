// Helpers of the input tests: the message of an error, temporary files, damaged copies of a valid file.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "inputs/random.h"
#include "inputs/text_reader.h"
#include "support/shared_inputs.h"

namespace warpsieve::inputs::test {

inline std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text)
      : path_(std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "_" + name)) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Calls `read` with every truncation of `text`, and with 3,000 copies in which one to three bytes were
/// changed, inserted or removed. `read` must return or throw InputError with a message of one line.
inline void damage(const std::string& text, const std::function<void(const std::string&)>& read) {
  int refused = 0;
  const auto attempt = [&](const std::string& bad) {
    try {
      read(bad);
    } catch (const InputError& e) {
      ++refused;
      const std::string what = e.what();
      ASSERT_EQ(what.find('\n'), std::string::npos) << what;
      ASSERT_NE(what.find(": expected "), std::string::npos) << what;
      ASSERT_LT(what.size(), 400u) << what;
    }
  };
  ASSERT_NO_THROW(read(text));
  for (std::size_t n = 0; n < text.size(); ++n) attempt(text.substr(0, n));
  Random random(99);
  for (int k = 0; k < 3000; ++k) {
    std::string bad = text;
    for (std::uint32_t edits = 1 + random.below(3); edits > 0 && !bad.empty(); --edits) {
      const std::size_t at = random.below(static_cast<std::uint32_t>(bad.size()));
      const char any = static_cast<char>(random.below(256)), digit = static_cast<char>('0' + random.below(10));
      switch (random.below(5)) {
        case 0: bad[at] = any; break;
        case 1: bad[at] = digit; break;
        case 2: bad.insert(at, 1, digit); break;
        case 3: bad.insert(at, 1, '-'); break;
        default: bad.erase(at, 1 + random.below(4)); break;
      }
    }
    attempt(bad);
  }
  EXPECT_GT(refused, 500);
}

}  // namespace warpsieve::inputs::test
