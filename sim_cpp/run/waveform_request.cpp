#include "run/waveform_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "core/name_lookup.h"
#include "core/number.h"
#include "core/params.h"
#include "cosim/backend_plan.h"
#include "run/atomic_file.h"

namespace warpsieve::run {

namespace {

[[noreturn]] void refuse(const WaveformRequest& request, const std::string& why) {
  throw ConfigError(fmt::format("--fst '{}': {}", request.text, why));
}

/// What the user's own settings make of the block.
Backend backend_of(const WaveformRequest& request, Backend fallback, const schemes::SchemeOptions& options) {
  BackendPlan plan(fallback);
  for (const std::string& rule : options.backends) plan.add(rule, schemes::block_names());
  return plan.of(request.block, request.instance);
}

}  // namespace

WaveformRequest parse_waveform(const std::string& text) {
  WaveformRequest out;
  out.text = text;
  const auto at = text.find('@'), colon = text.rfind(':');
  const auto dash = colon == std::string::npos ? colon : text.find('-', colon);
  const auto first =
      dash == std::string::npos ? std::nullopt : to_number<Cycle>(text.substr(colon + 1, dash - colon - 1));
  const auto last = dash == std::string::npos ? std::nullopt : to_number<Cycle>(text.substr(dash + 1));
  if (at == std::string::npos || colon == std::string::npos || at > colon || !first || !last)
    refuse(out, "expected block@instance:first-last with two cycles, as in hash_store@mc0:10000-12000");
  out.block = text.substr(0, at);
  out.instance = text.substr(at + 1, colon - at - 1);
  out.first = *first;
  out.last = *last;
  const std::vector<std::string> known = schemes::block_names();
  if (std::find(known.begin(), known.end(), out.block) == known.end())
    refuse(out, unknown_name("block", out.block, known));
  if (out.first > out.last)
    refuse(out, fmt::format("the window ends in cycle {}, before it begins ({})", out.last, out.first));
  return out;
}

std::vector<WaveformWindow> waveform_windows(const std::vector<WaveformRequest>& requests, const std::string& prefix,
                                             std::string_view scheme, const memsys::Profile& machine,
                                             schemes::SchemeOptions& options) {
  std::vector<WaveformWindow> out;
  for (const WaveformRequest& request : requests) {
    const std::vector<std::string> instances = schemes::block_instances(scheme, request.block, machine);
    if (instances.empty()) {
      out.push_back({"", request.first, request.last, prefix});
      continue;
    }
    if (std::find(instances.begin(), instances.end(), request.instance) == instances.end())
      refuse(request, fmt::format("no instance '{}' of {}{} (there are {} to {})", request.instance, request.block,
                                  did_you_mean(request.instance, instances), instances.front(), instances.back()));
    if (backend_of(request, Backend::rtl, options) == Backend::model)
      refuse(request, "a --block rule makes it a model; a waveform needs rtl or shadow");
    if (backend_of(request, options.backend, options) == Backend::model)
      options.backends.push_back(fmt::format("{}@{}=rtl", request.block, request.instance));
    const std::string model = request.instance + "." + request.block;
    for (std::size_t i = 0; i < out.size(); ++i)
      if (out[i].model == model && out[i].first <= request.last && request.first <= out[i].last)
        refuse(request, fmt::format("overlaps '{}'", requests[i].text));
    check_writable(fmt::format("{}{}.{}-{}.fst", prefix, model, request.first, request.last));
    out.push_back({model, request.first, request.last, prefix});
  }
  return out;
}

}  // namespace warpsieve::run
