#include "cost/area.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>
#include <utility>

#include "cost/timing.h"

namespace warpsieve::cost {

using nlohmann::ordered_json;

namespace {

/// Smallest ram of CACTI for words of so many bytes: 32 rows and 64 bytes.
std::uint64_t least_bytes(std::uint32_t word_bytes) { return std::max<std::uint64_t>(64, 32ull * word_bytes); }

ArrayArea array_area(const Array& array, Source& cacti, std::uint32_t node_nm) {
  ArrayArea a;
  a.array = array;
  a.plan = plan_storage(array.width, array.depth, array.ports, node_nm);
  a.each = evaluate(cacti, a.plan.query);
  a.mm2 = a.each.area_mm2() * a.plan.lanes * array.copies;
  const StoragePlan single = plan_storage(array.width, array.depth, Ports::rw1, node_nm);
  a.single_ported_mm2 = evaluate(cacti, single.query).area_mm2() * single.lanes * array.copies;
  return a;
}

/// The ways that the scheme adds to every slice of this L2.
BlockArea added_ways(const Machine& machine, const Query& slice, Source& cacti, std::vector<std::string>& notes) {
  Query more = slice;
  more.ways += machine.l2_added_ways;
  more.bytes += slice.bytes / slice.ways * machine.l2_added_ways;
  BlockArea b;
  b.use.block = b.use.module = "l2";
  b.use.point = fmt::format("{}_ways", more.ways);
  b.use.what =
      fmt::format("{} ways beside {} in each slice of the L2: data and tags", machine.l2_added_ways, slice.ways);
  b.use.per = Per::slice;
  b.count = machine.slices;
  notes.push_back(fmt::format("l2@{}: its logic is not counted", b.use.point));
  b.bits = 8 * (more.bytes - slice.bytes);
  b.storage_mm2 = b.single_ported_mm2 =
      cache_figures(cacti, more, "l2", notes).area_mm2() - evaluate(cacti, slice).area_mm2();
  return b;
}

}  // namespace

StoragePlan plan_storage(std::uint32_t width, std::uint32_t depth, Ports ports, std::uint32_t node_nm) {
  StoragePlan plan;
  plan.lanes = (width + 255) / 256;
  const std::uint32_t lane = (width + plan.lanes - 1) / plan.lanes;
  std::uint32_t word = 1;
  while (8 * word < lane) word *= 2;
  const std::uint64_t bytes = std::max<std::uint64_t>((std::uint64_t{lane} * depth + 7) / 8, 64);
  while (word > 1 && bytes < least_bytes(word)) word /= 2;
  plan.query.bytes = bytes;
  plan.query.word_bits = 8 * word;
  plan.query.ports = ports;
  plan.query.node_nm = node_nm;
  return plan;
}

std::string no_l2_note(std::uint64_t lines) {
  return fmt::format("an L2 of one set, {} lines per slice, stands for none: not counted", lines);
}

Result cache_figures(Source& cacti, Query q, const std::string& name, std::vector<std::string>& notes) {
  // GPGPU-Sim's L1s have one set or four; CACTI's caches of so many ways are not recorded, and no L1 is built so.
  const std::uint32_t wanted = q.ways;
  std::exception_ptr first;
  for (;;) {
    try {
      const Result r = evaluate(cacti, q);
      if (q.ways != wanted)
        notes.push_back(
            fmt::format("{}: {} ways are not recorded, figures of {} ways at its capacity", name, wanted, q.ways));
      return r;
    } catch (const CactiError&) {
      if (!first) first = std::current_exception();
      if (q.ways <= 1) std::rethrow_exception(first);
      q.ways = std::has_single_bit(q.ways) ? q.ways / 2 : std::bit_floor(q.ways);
    }
  }
}

AreaReport area_of(const SchemeBlocks& scheme, const Machine& machine, Source& cacti, std::uint32_t node_nm) {
  AreaReport r;
  r.scheme = scheme;
  r.machine = machine;
  r.node_nm = node_nm;
  r.cacti = cacti.name();
  for (const BlockUse& use : scheme.blocks) {
    BlockArea b;
    b.use = use;
    b.count = use.count * machine.count(use.per);
    const std::string name = use.module + "@" + use.point;
    if (b.count == 0) {
      r.notes.push_back(
          fmt::format("{}: one per {}, and profile '{}' has none", name, to_string(use.per), machine.name));
    }
    b.synthesis = synthesis(use.block, use.module, use.point);
    std::vector<Array> arrays = use.arrays;
    std::uint64_t listed = 0;
    for (const Array& a : arrays) listed += a.bits();
    if (b.synthesis) {
      b.bits = b.synthesis->storage_bits;
      b.logic_mm2 = b.synthesis->area_um2 * Library::area_factor(node_nm) / 1e6;
      const double path = paced_fo4(*b.synthesis, machine.core_mhz, node_nm);
      b.cycles = path_cycles(path, machine.core_mhz, node_nm);
      if (b.cycles > 1)
        r.notes.push_back(
            fmt::format("{}: its worst path of {:.1f} FO4 misses the clock of {} MHz ({:.1f} FO4): clocked "
                        "every {} cycles",
                        name, path, machine.core_mhz, period_fo4(machine.core_mhz, node_nm), b.cycles));
      if (!arrays.empty() && listed != b.bits) {
        r.notes.push_back(
            fmt::format("{}: the arrays listed hold {} bits, synthesis finds {} bits; the latter as one "
                        "array of 64-bit words",
                        name, listed, b.bits));
        arrays.clear();
      }
    } else {
      b.bits = listed ? listed : use.paper_bits;
      r.notes.push_back(fmt::format("{}: no synthesis baseline (synth/baseline/{}.json): logic not counted{}", name,
                                    use.block, b.bits && !listed ? ", storage by the paper's description" : ""));
    }
    if (arrays.empty() && b.bits)
      arrays.push_back({"memories", 64, static_cast<std::uint32_t>((b.bits + 63) / 64), 1, Ports::r1w1});
    for (const Array& a : arrays) {
      b.arrays.push_back(array_area(a, cacti, node_nm));
      b.storage_mm2 += b.arrays.back().mm2;
      b.single_ported_mm2 += b.arrays.back().single_ported_mm2;
    }
    r.logic_mm2 += b.count * b.logic_mm2;
    r.storage_mm2 += b.count * b.storage_mm2;
    r.single_ported_mm2 += b.count * b.single_ported_mm2;
    if (use.addition) r.addition_mm2 += b.total_mm2();
    r.blocks.push_back(std::move(b));
  }
  if (machine.slices && stands_for_no_l2(machine.l2_slice_bytes / (128 * machine.l2_ways))) {
    r.notes.push_back(no_l2_note(machine.l2_ways));
  } else if (machine.slices) {
    Query q;
    q.kind = Kind::cache;
    q.bytes = machine.l2_slice_bytes;
    q.word_bits = 256;  // one sector at a time
    q.line_bytes = 128;
    q.ways = machine.l2_ways;
    q.access = Access::sequential;  // a wide set read in normal mode gives unrealistic area
    q.node_nm = node_nm;
    r.l2_query = q;
    try {
      r.l2_mm2 = machine.slices * evaluate(cacti, q).area_mm2();
      if (machine.l2_added_ways) {
        r.blocks.push_back(added_ways(machine, q, cacti, r.notes));
        r.storage_mm2 += r.blocks.back().total_mm2();
        r.single_ported_mm2 += r.blocks.back().total_mm2();
      }
    } catch (const CactiError& error) {
      r.notes.push_back(fmt::format("the L2's area is unknown: {}", error.what()));
    }
  }
  return r;
}

ordered_json to_json(const AreaReport& r) {
  ordered_json blocks = ordered_json::array();
  for (const BlockArea& b : r.blocks) {
    ordered_json arrays = ordered_json::array();
    for (const ArrayArea& a : b.arrays) {
      arrays.push_back({{"name", a.array.name},
                        {"width_bits", a.array.width},
                        {"depth", a.array.depth},
                        {"copies", a.array.copies},
                        {"lanes", a.plan.lanes},
                        {"cacti", a.plan.query.describe()},
                        {"basis", a.each.basis()},
                        {"mm2", a.mm2},
                        {"single_ported_mm2", a.single_ported_mm2}});
    }
    ordered_json j = {{"block", b.use.block},      {"module", b.use.module},      {"point", b.use.point},
                      {"what", b.use.what},        {"per", to_string(b.use.per)}, {"count", b.count},
                      {"addition", b.use.addition}};
    if (b.synthesis) {
      j["ge"] = b.synthesis->ge;
      j["library_um2"] = b.synthesis->area_um2;
      j["logic_mm2"] = b.logic_mm2;
      j["path_fo4"] = b.synthesis->fo4;
      j["clock_cycles"] = b.cycles;
    } else {
      j["ge"] = j["library_um2"] = j["logic_mm2"] = nullptr;
    }
    j["storage_bits"] = b.bits;
    j["storage_mm2"] = b.storage_mm2;
    j["single_ported_mm2"] = b.single_ported_mm2;
    j["total_mm2"] = b.total_mm2();
    j["arrays"] = std::move(arrays);
    blocks.push_back(std::move(j));
  }
  ordered_json out = {{"scheme", r.scheme.name},
                      {"profile",
                       {{"name", r.machine.name},
                        {"sms", r.machine.sms},
                        {"clusters", r.machine.clusters},
                        {"controllers", r.machine.controllers},
                        {"slices", r.machine.slices},
                        {"core_mhz", r.machine.core_mhz}}},
                      {"node_nm", r.node_nm},
                      {"library", Library::kName},
                      {"logic_scaled_by", Library::area_factor(r.node_nm)},
                      {"cacti", r.cacti},
                      {"blocks", std::move(blocks)},
                      {"logic_mm2", r.logic_mm2},
                      {"storage_mm2", r.storage_mm2},
                      {"single_ported_storage_mm2", r.single_ported_mm2},
                      {"total_mm2", r.total_mm2()},
                      {"addition_mm2", r.addition_mm2}};
  out["l2_mm2"] = r.l2_mm2 ? ordered_json(*r.l2_mm2) : ordered_json(nullptr);
  out["dram_bits"] = ordered_json::array();
  for (const DramBits& d : r.scheme.dram_bits)
    out["dram_bits"].push_back({{"name", d.name}, {"bits", d.bits}, {"addition", d.addition}});
  out["notes"] = r.notes;
  return out;
}

}  // namespace warpsieve::cost
