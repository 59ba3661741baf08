// Waves: the ports of one module in waveforms that WARPSIEVE_FST leaves behind, cycle by cycle.
//
// A cycle is a rising edge of clk_i: inputs are those that the edge took, outputs those after it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

// The reader comes as C and only as source.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#define FST_CONFIG_INCLUDE "fst_config.h"
#include "gtkwave/fastlz.c"
#include "gtkwave/fstapi.c"
#include "gtkwave/lz4.c"
#pragma GCC diagnostic pop

[[noreturn]] inline void fail(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  std::exit(2);
}

struct Scope {
  std::string name;
  std::map<std::string, fstHandle> signals, parameters;
};

/// What is looked for: a module at these parameters, and its ports.
struct Wanted {
  std::string module;
  std::map<std::string, std::uint64_t> parameters;
  std::vector<std::string> inputs, outputs;
};

class Waves {
 public:
  virtual ~Waves() = default;

  /// Runs through the file; false when it does not hold the module at these parameters. Without a clock among its
  /// ports every moment is a cycle.
  bool follow(const char* path, const Wanted& wanted) {
    void* file = fstReaderOpen(path);
    if (!file) fail(std::string(path) + ": not a waveform in FST");
    const bool found = find(file, wanted);
    if (found) run(file);
    fstReaderClose(file);
    return found;
  }

 protected:
  virtual void cycle() = 0;
  /// Bits of a port, the highest first; nullptr: the waveform does not have it.
  const std::string* input(std::size_t i) const { return &seen_[inputs_[i]]; }
  const std::string* output(std::size_t i) const { return outputs_[i] ? &seen_[outputs_[i]] : nullptr; }
  std::uint64_t time() const { return time_; }

 private:
  static std::uint64_t number(const char* bits) {
    std::uint64_t value = 0;
    for (; *bits; ++bits) value = value << 1 | (*bits == '1');
    return value;
  }

  /// All scopes in order; the parent of each by index.
  static std::vector<std::pair<Scope, int>> scopes_of(void* file) {
    std::vector<std::pair<Scope, int>> scopes;
    std::vector<int> open;
    while (const fstHier* h = fstReaderIterateHier(file)) {
      if (h->htyp == FST_HT_SCOPE) {
        scopes.push_back({{h->u.scope.name, {}, {}}, open.empty() ? -1 : open.back()});
        open.push_back(static_cast<int>(scopes.size()) - 1);
      } else if (h->htyp == FST_HT_UPSCOPE) {
        open.pop_back();
      } else if (h->htyp == FST_HT_VAR && !open.empty()) {
        const std::string full = h->u.var.name;
        const std::string name = full.substr(0, full.find(' '));
        Scope& scope = scopes[static_cast<std::size_t>(open.back())].first;
        (h->u.var.typ == FST_VT_VCD_PARAMETER ? scope.parameters : scope.signals)[name] = h->u.var.handle;
      }
    }
    return scopes;
  }

  bool find(void* file, const Wanted& wanted) {
    const auto scopes = scopes_of(file);
    for (const auto& [scope, parent] : scopes) {
      if (scope.name != wanted.module) continue;
      const bool fits = std::all_of(wanted.parameters.begin(), wanted.parameters.end(), [&](const auto& p) {
        const auto at = scope.parameters.find(p.first);
        if (at == scope.parameters.end()) return false;
        std::vector<char> value(1 << 16);
        const char* text =
            fstReaderGetValueFromHandleAtTime(file, fstReaderGetStartTime(file), at->second, value.data());
        return text && number(text) == p.second;
      });
      if (!fits) continue;
      const auto handle = [&](const std::string& name) -> fstHandle {
        if (const auto at = scope.signals.find(name); at != scope.signals.end()) return at->second;
        if (parent < 0) return 0;  // ports that only pass through are shown one level up
        const auto& above = scopes[static_cast<std::size_t>(parent)].first.signals;
        const auto at = above.find(name);
        return at == above.end() ? 0 : at->second;
      };
      clock_ = handle("clk_i");
      inputs_.clear();
      outputs_.clear();
      for (const std::string& name : wanted.inputs) inputs_.push_back(handle(name));
      for (const std::string& name : wanted.outputs) outputs_.push_back(handle(name));
      if (std::all_of(inputs_.begin(), inputs_.end(), [](fstHandle h) { return h != 0; })) return true;
    }
    return false;
  }

  void run(void* file) {
    seen_.assign(fstReaderGetMaxHandle(file) + 1, {});
    fstReaderClrFacProcessMaskAll(file);
    if (clock_) fstReaderSetFacProcessMask(file, clock_);
    for (const auto* list : {&inputs_, &outputs_})
      for (const fstHandle h : *list)
        if (h) fstReaderSetFacProcessMask(file, h);
    clock_was_ = true;  // the first rise needs a fall before it
    any_ = false;
    fstReaderIterBlocks2(file, change, change_long, this, nullptr);
    if (any_) moment();
  }
  static void change(void* self, std::uint64_t time, fstHandle handle, const unsigned char* value) {
    static_cast<Waves*>(self)->at(time, handle, reinterpret_cast<const char*>(value));
  }
  static void change_long(void* self, std::uint64_t time, fstHandle handle, const unsigned char* value,
                          std::uint32_t) {
    change(self, time, handle, value);
  }
  void at(std::uint64_t time, fstHandle handle, const char* value) {
    if (any_ && time != time_) moment();
    time_ = time;
    any_ = true;
    seen_[handle] = value;
  }
  /// Everything of one point in time is known.
  void moment() {
    const bool high = !clock_ || seen_[clock_] == "1";
    if (high && (!clock_ || !clock_was_)) cycle();
    clock_was_ = high;
  }

  std::vector<fstHandle> inputs_, outputs_;
  fstHandle clock_ = 0;
  std::vector<std::string> seen_;  ///< by handle
  std::uint64_t time_ = 0;
  bool any_ = false, clock_was_ = true;
};
