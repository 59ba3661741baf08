// Lists of names in the order in which they appear.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace warpsieve::report {

inline void add_once(std::vector<std::string>& list, const std::string& value) {
  if (!value.empty() && std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

}  // namespace warpsieve::report
