// What a user asks to be dumped of a run: a block instance and cycles, "hash_store@mc0:10000-12000".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/waveform.h"
#include "memsys/profile.h"
#include "schemes/registry.h"

namespace warpsieve::run {

struct WaveformRequest {
  std::string text;  ///< as the user wrote it, for messages
  std::string block, instance;
  std::uint64_t first = 0, last = 0;  ///< cycles of the simulation
};

/// Throws ConfigError unless `text` has the form above and names a block of some scheme.
WaveformRequest parse_waveform(const std::string& text);

/// The requests whose block the scheme has, as windows in the same order (a request that is left out gets a window
/// that no model has). Adds to `options` the rules that make these blocks RTL where they are not RTL or shadow
/// already. Throws ConfigError for an instance that the machine does not have, for windows of one block that
/// overlap, for a block that a rule of the user makes a model, and for a file that cannot be written.
std::vector<WaveformWindow> waveform_windows(const std::vector<WaveformRequest>& requests, const std::string& prefix,
                                             std::string_view scheme, const memsys::Profile& machine,
                                             schemes::SchemeOptions& options);

}  // namespace warpsieve::run
