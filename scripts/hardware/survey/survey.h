// Duplication survey: runs workloads and counts duplicate lines of all device arrays after every launch.
//
//   "workloads": [{"workload": "bfs", "launches": 22, "clean": true, "hash": "...",
//                  "buffers": [{"name": "cost", "bytes": 262144, "lines": 45056, "intra": {spread}, "inter":
//                  {spread}}]}]
//
// lines: lines of the array times launches. intra, inter: shares of them in %, spread over the runs.
// hash: of device memory after every launch; the same on the GPU and on the host. clean: the same in all runs.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "../options.h"
#include "../report.h"
#include "programs.h"

namespace warpsieve::hardware {

struct BufferCounts {
  std::string name;
  std::size_t bytes = 0;
  LineCounts sum;  ///< over the launches
};

struct SurveyRun {
  std::uint64_t hash = 0xcbf29ce484222325u, launches = 0;
  std::vector<BufferCounts> buffers;

  /// Notes device memory after a launch.
  void add(const std::string& kernel, const std::vector<std::uint8_t>& image, const std::vector<Region>& regions) {
    mix(kernel.data(), kernel.size());
    mix(image.data(), image.size());
    if (buffers.empty())
      for (const Region& r : regions) buffers.push_back({r.name, r.bytes, {}});
    const std::vector<LineCounts> counts = count_duplicates(image, regions);
    for (std::size_t b = 0; b < counts.size(); ++b) buffers[b].sum += counts[b];
    ++launches;
  }

 private:
  /// FNV-1a over 8-byte words.
  void mix(const void* data, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, static_cast<const char*>(data) + i, std::min<std::size_t>(8, bytes - i));
      hash = (hash ^ word) * 0x100000001b3u;
      hash ^= hash >> 29;
    }
  }
};

inline SurveyRun survey_once(const ProgramEntry& entry, const Setup& setup) {
  SurveyRun run;
  const std::unique_ptr<Program> program = entry.make(setup);
  program->run([&](const std::string& kernel, Memory& memory) { run.add(kernel, memory.fetch(), memory.regions()); });
  return run;
}

inline void write_survey_runs(JsonWriter& w, const char* name, const std::vector<SurveyRun>& runs) {
  const SurveyRun& first = runs.front();
  bool clean = true;
  for (const SurveyRun& r : runs) clean = clean && r.hash == first.hash;
  char hash[20];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(first.hash));
  w.object().key("workload").value(name).key("launches").value(first.launches);
  w.key("clean").value(clean).key("hash").value(hash).key("buffers").array();
  for (std::size_t b = 0; b < first.buffers.size(); ++b) {
    const BufferCounts& buffer = first.buffers[b];
    w.object().key("name").value(buffer.name).key("bytes").value(buffer.bytes).key("lines").value(buffer.sum.lines);
    for (const auto& [key, member] :
         {std::pair("intra", &LineCounts::intra), std::pair("inter", &LineCounts::inter)}) {
      std::vector<double> shares;
      for (const SurveyRun& r : runs)
        shares.push_back(100.0 * static_cast<double>(r.buffers[b].sum.*member) /
                         static_cast<double>(r.buffers[b].sum.lines));
      w.key(key).object();
      write_spread(w, spread_of(shares));
      w.end();
    }
    w.end();
  }
  w.end().end();
}

/// Writes the member "workloads" of an open object.
inline void write_survey(JsonWriter& w, const Options& o) {
  const Scale scale = o.scale == "full" ? Scale::full : o.scale == "quarter" ? Scale::quarter : Scale::small;
  if (!o.only.empty()) program_entry(o.only);
  for (const auto& [name, file] : o.input)
    if (!program_entry(name).takes_input) throw OptionError("--input: the workload " + name + " takes no file");
  w.key("scale").value(o.scale).key("workloads").array();
  for (const ProgramEntry& entry : kPrograms) {
    if (!o.only.empty() && o.only != entry.name) continue;
    Setup setup{scale};
    if (const auto file = o.input.find(entry.name); file != o.input.end()) setup.input = file->second;
    std::vector<SurveyRun> runs;
    for (int r = 0; r < o.runs; ++r) runs.push_back(survey_once(entry, setup));
    write_survey_runs(w, entry.name, runs);
  }
  w.end();
}

}  // namespace warpsieve::hardware
