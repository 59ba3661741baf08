#include "cost/scheme_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cost/embedded.h"
#include "schemes/own_machine.h"
#include "schemes/registry.h"

namespace warpsieve::cost {

using nlohmann::ordered_json;

namespace {

Per per(schemes::Place place) {
  switch (place) {
    case schemes::Place::controller: return Per::controller;
    case schemes::Place::slice: return Per::slice;
    case schemes::Place::cluster: return Per::cluster;
    case schemes::Place::sm: break;
  }
  return Per::sm;
}

BlockUse block_use(const schemes::HardwareBlock& h) {
  BlockUse b;
  b.block = h.block;
  b.module = h.module;
  b.point = h.point;
  b.what = h.what;
  b.per = per(h.place);
  b.count = h.count;
  b.count_parameter = h.count_parameter;
  b.addition = h.addition;
  b.sizes = h.sizes;
  for (const schemes::HardwareMemory& m : h.memories)
    b.arrays.push_back({m.name, m.width, m.depth, m.copies, m.single_port ? Ports::rw1 : Ports::r1w1});
  return b;
}

SchemeBlocks blocks_of(const schemes::SchemeInfo& info) {
  SchemeBlocks out{info.name, info.area_note, schemes::own_profile(info.name), {}, {}};
  for (const schemes::HardwareBlock& h : info.hardware) out.blocks.push_back(block_use(h));
  for (const schemes::MetadataBits& d : info.dram_bits) out.dram_bits.push_back({d.name, d.bits, d.addition});
  return out;
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

const std::vector<SchemeBlocks>& all_schemes() {
  static const std::vector<SchemeBlocks> all = [] {
    std::vector<SchemeBlocks> out;
    for (const schemes::SchemeInfo& info : schemes::scheme_list()) out.push_back(blocks_of(info));
    return out;
  }();
  return all;
}

const SchemeBlocks& scheme_blocks(const std::string& name) {
  static std::map<std::string, SchemeBlocks> known;
  if (const auto found = known.find(name); found != known.end()) return found->second;
  std::vector<std::string> parts;
  try {
    parts = schemes::scheme_parts(name);
  } catch (const ConfigError& error) {
    throw CostError(error.what());
  }
  SchemeBlocks all = blocks_of(schemes::scheme_info(parts.front()));
  all.name = name;
  all.profile = schemes::own_profile(name);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const SchemeBlocks part = blocks_of(schemes::scheme_info(parts[i]));
    all.doc += "; " + part.doc;
    all.blocks.insert(all.blocks.end(), part.blocks.begin(), part.blocks.end());
    all.dram_bits.insert(all.dram_bits.end(), part.dram_bits.begin(), part.dram_bits.end());
  }
  return known.emplace(name, std::move(all)).first->second;
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

const std::vector<Machine>& all_machines() {
  static const std::vector<Machine> all = [] {
    std::vector<Machine> out;
    const ordered_json file = ordered_json::parse(embedded("sim_cpp/cost/data/machines.json"));
    for (const auto& [name, m] : file.items())
      out.push_back({name, m.at("doc"), m.at("sms"), m.at("clusters"), m.at("controllers"), m.at("slices"),
                     m.at("l2_slice_bytes"), m.at("l2_ways"), 0, m.at("core_mhz")});
    return out;
  }();
  return all;
}

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
  if (const auto fast = line->find("fast"); fast != line->end()) s.fast_fo4 = fast->at("clock");
  return s;
}

}  // namespace warpsieve::cost
