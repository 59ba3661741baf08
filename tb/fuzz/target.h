// What every fuzz target shares. A target is one file with one entry point: it reads the bytes as its reader would
// read a file, and must come back. A refusal is the reader's own error type, in one line; anything else that is
// thrown, and anything that a sanitizer sees, is a finding.
//
// Built twice: by clang with libFuzzer (make fuzz), and by any compiler with driver.cpp (a test over the corpus).
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace warpsieve::fuzz {

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Runs `read`; an Error must be one line that is not empty.
template <class Error, class F>
int refuses(F&& read) {
  try {
    read();
  } catch (const Error& error) {
    const std::string_view what = error.what();
    if (!what.empty() && what.find('\n') == what.npos) return 0;
    std::fprintf(stderr, "an error message must be one line: '%s'\n", error.what());
    std::abort();
  }
  return 0;
}

/// For readers that take a path: a file in memory with these bytes.
class File {
 public:
  explicit File(std::string_view bytes = {}) {
    const std::filesystem::path memory = "/dev/shm";
    std::error_code ignored;
    const auto folder =
        std::filesystem::is_directory(memory, ignored) ? memory : std::filesystem::temp_directory_path();
    path_ = (folder / ("warpsieve-fuzz-" + std::to_string(getpid()))).string();
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~File() { std::remove(path_.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Takes bytes from the front of an input; zeros behind its end.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), left_(size) {}
  bool empty() const { return left_ == 0; }
  std::uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *at_++;
  }
  std::string_view take(std::size_t n) {
    n = n < left_ ? n : left_;
    const std::string_view out = text(at_, n);
    at_ += n;
    left_ -= n;
    return out;
  }

 private:
  const std::uint8_t* at_;
  std::size_t left_;
};

}  // namespace warpsieve::fuzz
