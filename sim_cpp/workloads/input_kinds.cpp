#include "workloads/input_kinds.h"

#include <algorithm>
#include <tuple>

#include "workloads/graph_input.h"
#include "workloads/registry.h"

namespace warpsieve::workloads {

std::string input_kind(const std::string& text) { return text.substr(0, text.find(": ")); }

std::string formats_of(const WorkloadInfo& info) {
  const std::string what = input_kind(info.input);
  if (what.size() == info.input.size()) return what;
  std::string formats = info.input.substr(what.size() + 2);
  constexpr std::string_view kAsGraph = "as graph";
  if (formats.starts_with(kAsGraph))
    formats.replace(0, kAsGraph.size(), std::string_view(kGraphFiles).substr(std::string_view("graph: ").size()));
  return formats;
}

std::vector<InputKind> input_kinds() {
  std::vector<InputKind> kinds;
  for (const WorkloadInfo& info : workload_list()) {
    if (info.input.empty()) continue;
    const std::string what = input_kind(info.input),
                      formats = what.size() == info.input.size() ? "text" : info.input.substr(what.size() + 2);
    const auto same = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const InputKind& k) { return k.what == what && k.formats == formats; });
    if (same == kinds.end())
      kinds.push_back({what, formats, {info.name}});
    else
      same->workloads.push_back(info.name);
  }
  std::sort(kinds.begin(), kinds.end(), [](const InputKind& a, const InputKind& b) {
    return std::tie(a.what, a.formats) < std::tie(b.what, b.formats);
  });
  return kinds;
}

}  // namespace warpsieve::workloads
