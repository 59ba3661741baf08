// JSON on standard output, the same way in every command.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace warpsieve::cli {

/// One space per level; bytes that are no UTF-8 (names of files may hold them) come out as U+FFFD.
inline void print_json(const nlohmann::ordered_json& json, std::FILE* to = stdout) {
  fmt::print(to, "{}\n", json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace warpsieve::cli
