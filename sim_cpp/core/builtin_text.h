#pragma once

namespace warpsieve {

/// A TOML file of sim_cpp/configs that ws_embed_toml (scripts/cmake/embed_toml.cmake) compiled in.
struct BuiltinText {
  const char* name;  ///< stem of the file
  const char* file;  ///< its path, for messages
  const char* text;
};

}  // namespace warpsieve
