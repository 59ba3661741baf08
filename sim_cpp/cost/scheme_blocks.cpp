#include "cost/scheme_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/edit_distance.h"
#include "cost/embedded.h"

namespace warpsieve::cost {

using nlohmann::ordered_json;

namespace {

constexpr const char* kFile = "sim_cpp/cost/data/schemes.json";

Per per_from(const std::string& text) {
  for (const Per per : {Per::controller, Per::slice, Per::cluster, Per::sm}) {
    if (to_string(per) == text) return per;
  }
  throw std::logic_error(fmt::format("{}: per '{}'", kFile, text));
}

BlockUse block_use(const ordered_json& j) {
  BlockUse b;
  b.block = j.at("block");
  b.module = j.at("module");
  b.point = j.at("point");
  b.what = j.at("what");
  b.per = per_from(j.at("per"));
  b.count = j.at("count");
  b.count_parameter = j.value("count_parameter", "");
  b.addition = j.value("addition", false);
  b.paper_bits = j.value("paper_bits", std::uint64_t{0});
  for (const auto& a : j.value("arrays", ordered_json::array()))
    b.arrays.push_back({a.at("name"), a.at("width"), a.at("depth"), a.at("copies"),
                        a.value("ports", "1R1W") == "1RW" ? Ports::rw1 : Ports::r1w1});
  const ordered_json sizes = j.value("sizes", ordered_json::object());
  for (const auto& [name, value] : sizes.items()) b.sizes.emplace_back(name, value.get<std::uint64_t>());
  return b;
}

struct Data {
  std::vector<SchemeBlocks> schemes;
  std::vector<Machine> machines;
  Data() {
    const ordered_json file = ordered_json::parse(embedded(kFile));
    for (const auto& [name, m] : file.at("machines").items()) {
      machines.push_back({name, m.at("doc"), m.at("sms"), m.at("clusters"), m.at("controllers"), m.at("slices"),
                          m.at("l2_slice_bytes"), m.at("l2_ways"), 0, m.at("core_mhz")});
    }
    for (const auto& [name, s] : file.at("schemes").items()) {
      SchemeBlocks scheme{name, s.at("doc"), s.at("profile"), {}, {}};
      for (const auto& key : s.at("blocks"))
        scheme.blocks.push_back(block_use(file.at("blocks").at(key.get<std::string>())));
      for (const auto& key : s.at("dram_bits")) {
        for (const auto& d : file.at("dram_bits").at(key.get<std::string>()))
          scheme.dram_bits.push_back({d.at("name"), d.at("bits"), d.at("addition")});
      }
      schemes.push_back(std::move(scheme));
    }
  }
};

const Data& data() {
  static const Data once;
  return once;
}

}  // namespace

std::string to_string(Per per) {
  switch (per) {
    case Per::controller: return "controller";
    case Per::slice: return "slice";
    case Per::cluster: return "cluster";
    default: return "sm";
  }
}

std::uint32_t Machine::count(Per per) const {
  switch (per) {
    case Per::controller: return controllers;
    case Per::slice: return slices;
    case Per::cluster: return clusters;
    default: return sms;
  }
}

std::string unknown_name(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  const auto near = std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
    return edit_distance(name, a) < edit_distance(name, b);
  });
  const bool close = near != known.end() && edit_distance(name, *near) <= std::max<std::size_t>(2, name.size() / 3);
  return fmt::format("unknown {} '{}': {}expected one of {}", what, name,
                     close ? fmt::format("did you mean '{}'? ", *near) : "", fmt::join(known, ", "));
}

const std::vector<SchemeBlocks>& all_schemes() { return data().schemes; }

namespace {

const SchemeBlocks* find_scheme(std::string_view name) {
  const auto& all = all_schemes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const SchemeBlocks& s) { return s.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// The parts of a combination, "dpc+dedup+car" as dpc and dedup+car; empty: none that are known make it up.
std::vector<const SchemeBlocks*> parts_of(std::string_view name) {
  if (const SchemeBlocks* whole = find_scheme(name)) return {whole};
  for (std::size_t end = name.rfind('+'); end != std::string_view::npos && end > 0; end = name.rfind('+', end - 1)) {
    const SchemeBlocks* first = find_scheme(name.substr(0, end));
    if (!first) continue;
    std::vector<const SchemeBlocks*> rest = parts_of(name.substr(end + 1));
    if (rest.empty()) continue;
    rest.insert(rest.begin(), first);
    return rest;
  }
  return {};
}

SchemeBlocks combined(const std::string& name, const std::vector<const SchemeBlocks*>& parts) {
  SchemeBlocks all{name, "", parts.front()->profile, {}, {}};
  for (const SchemeBlocks* part : parts) {
    all.doc += (all.doc.empty() ? "" : "; ") + part->doc;
    all.blocks.insert(all.blocks.end(), part->blocks.begin(), part->blocks.end());
    all.dram_bits.insert(all.dram_bits.end(), part->dram_bits.begin(), part->dram_bits.end());
  }
  return all;
}

}  // namespace

const SchemeBlocks& scheme_blocks(const std::string& name) {
  static std::map<std::string, SchemeBlocks> combinations;
  if (const SchemeBlocks* one = find_scheme(name)) return *one;
  const std::vector<const SchemeBlocks*> parts = parts_of(name);
  if (!parts.empty()) return combinations.try_emplace(name, combined(name, parts)).first->second;
  std::vector<std::string> known;
  for (const SchemeBlocks& s : all_schemes()) known.push_back(s.name);
  throw CostError(unknown_name("scheme", name, known));
}

std::vector<std::string> size_notes(const SchemeBlocks& scheme, const ordered_json& parameters) {
  std::vector<std::string> notes;
  for (const BlockUse& use : scheme.blocks) {
    std::vector<std::string> built, asked;
    for (const auto& [name, value] : use.sizes) {
      const auto at = parameters.find(name);
      if (at == parameters.end() || *at == value) continue;
      built.push_back(fmt::format("{} = {}", name, value));
      asked.push_back(at->dump(-1, ' ', true, ordered_json::error_handler_t::replace));
    }
    if (!built.empty())
      notes.push_back(fmt::format("{}: {}@{} is counted as synthesized, for {}; the run has {}: not scaled to it",
                                  scheme.name, use.module, use.point, fmt::join(built, ", "),
                                  fmt::join(asked, ", ")));
  }
  return notes;
}

const std::vector<Machine>& all_machines() { return data().machines; }

const Machine* find_machine(const std::string& name) {
  for (const Machine& m : all_machines()) {
    if (m.name == name) return &m;
  }
  return nullptr;
}

std::optional<Synthesis> synthesis(const std::string& block, const std::string& module, const std::string& point) {
  static std::map<std::string, ordered_json> files;
  const std::string name = fmt::format("synth/baseline/{}.json", block);
  auto file = files.find(name);
  if (file == files.end()) {
    for (unsigned i = 0; i < kEmbeddedCount; ++i) {
      if (kEmbedded[i].name == name) file = files.emplace(name, ordered_json::parse(kEmbedded[i].text)).first;
    }
    if (file == files.end()) return {};
  }
  const auto line = file->second.find(module + "@" + point);
  if (line == file->second.end()) return {};
  Synthesis s;
  s.ge = line->at("ge");
  s.area_um2 = line->at("area");
  s.ns = line->at("ns");
  s.fo4 = line->at("fo4");
  s.registers = line->at("registers");
  s.storage_bits = line->at("storage_bits");
  return s;
}

}  // namespace warpsieve::cost
