#include "memsys/request_kind.h"

#include <algorithm>
#include <deque>
#include <stdexcept>

namespace warpsieve::memsys {
namespace {

/// Addresses stay valid while it grows. Made at the first use: kinds are registered before main().
std::deque<std::string>& names() {
  static std::deque<std::string> all{"write", "data_read", "read_only"};
  return all;
}

}  // namespace

RequestKind register_request_kind(const std::string& name) {
  auto& all = names();
  const auto known = std::find(all.begin(), all.end(), name);
  const auto number = static_cast<std::size_t>(known - all.begin());
  if (number > 0xff) throw std::logic_error("too many kinds of DRAM requests");
  if (known == all.end()) all.push_back(name);
  return static_cast<RequestKind>(number);
}

std::size_t request_kinds() { return names().size(); }

const std::string& name(RequestKind kind) { return names().at(static_cast<std::size_t>(kind)); }

}  // namespace warpsieve::memsys
