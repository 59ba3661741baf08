// Check of an argument that is one of a few words.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "core/name_lookup.h"

namespace warpsieve::cli {

inline CLI::Validator one_of(const std::vector<std::string>& known) {
  return {[known](std::string& text) {
            const bool there = std::find(known.begin(), known.end(), text) != known.end();
            return there ? std::string() : expected_one_of(text, known);
          },
          fmt::format("{{{}}}", fmt::join(known, ","))};
}

}  // namespace warpsieve::cli
