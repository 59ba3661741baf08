#pragma once

namespace warpsieve {

/// A file that scripts/cmake/embed_files.cmake compiled in.
struct BuiltinText {
  const char* name;  ///< stem of the file
  const char* file;  ///< its path, for messages
  const char* text;
};

}  // namespace warpsieve
