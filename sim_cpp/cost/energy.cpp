#include "cost/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cost/area.h"
#include "cost/embedded.h"

namespace warpsieve::cost {

using nlohmann::ordered_json;

namespace {

constexpr const char* kEnergyFile = "sim_cpp/cost/data/energy.json";

const ordered_json& data() {
  static const ordered_json once = ordered_json::parse(embedded(kEnergyFile));
  return once;
}

/// A whole number of at least 0, whether the parser took it for signed or not.
bool whole(const ordered_json& j) {
  return j.is_number_integer() && (j.is_number_unsigned() || j.get<std::int64_t>() >= 0);
}

double constant(const char* group, const char* name) { return data().at(group).at(name).at("value").get<double>(); }
std::string source(const char* group, const char* name) {
  return data().at(group).at(name).at("source").get<std::string>();
}

EnergyComponent dram_component(const RunFigures& run) {
  const DramEnergy e = dram_energy(run);
  const std::string why =
      fmt::format("currents of GDDR6 x {:.2f} (published {} pJ/bit at peak)", e.scale, constant("dram", "device"));
  const auto reads = static_cast<double>(run.counter("dram.reads")),
             writes = static_cast<double>(run.counter("dram.writes"));
  EnergyComponent c{"dram", {}, 0, 0};
  c.terms = {{"activate and precharge", static_cast<double>(run.counter("dram.activates")), e.activate, why},
             {"read burst of 32 bytes", reads, e.read, why},
             {"write burst of 32 bytes", writes, e.write, why},
             {"32 bytes over the pins", reads + writes, e.io, why + "; " + source("dram", "termination")},
             {"refresh", static_cast<double>(run.counter("dram.refreshes")), e.refresh, why}};
  c.leakage_mw = e.standby_mw * static_cast<double>(run.parameter("gpu.controllers"));
  return c;
}

/// A cache of the machine, one 32-byte sector at a time.
EnergyComponent cache_component(const std::string& name, const RunFigures& run, Source& cacti, std::uint32_t node,
                                double count, double reads, double writes, std::vector<std::string>& notes) {
  if (name == "l2" && stands_for_no_l2(run.parameter("l2.sets"))) {
    notes.push_back(no_l2_note(run.parameter("l2.ways")));
    return {name, {}, 0, 0};
  }
  Query q;
  q.kind = Kind::cache;
  q.line_bytes = 128;
  q.word_bits = 256;
  q.bytes = 128 * run.parameter(name + ".sets") * run.parameter(name + ".ways");
  q.ways = static_cast<std::uint32_t>(run.parameter(name + ".ways"));
  q.access = Access::sequential;
  q.node_nm = node;
  const Result r = cache_figures(cacti, q, name, notes);
  EnergyComponent c{name, {}, 0, 0};
  c.terms = {{"sector read", reads, 1000 * r.read_nj, r.basis()},
             {"sector written", writes, 1000 * r.write_nj, r.basis()}};
  c.leakage_mw = r.leakage_mw * count;
  return c;
}

/// Sectors that a scheme keeps in shared memory (JUSTIT, decision J8): four tags of a word are read at a time, data
/// are 8 words. The kernels' own accesses are the cores' and not counted, nor is its leakage, for it is there
/// already.
void add_shared_memory(EnergyComponent& c, const RunFigures& run, Source& cacti, std::uint32_t node) {
  const auto n = [&](const char* name) { return static_cast<double>(run.counter(name)); };
  if (n("justit.shm_lookups") == 0) return;
  Query bank;
  bank.bytes = run.size("sm.shared_bytes") / static_cast<std::uint64_t>(constant("shared", "banks"));
  bank.word_bits = 32;
  bank.node_nm = node;
  const Result r = evaluate(cacti, bank);
  const std::string why = fmt::format("{}, {}; {}", bank.describe(), r.basis(), source("shared", "banks"));
  const double changed_tags = n("justit.shm_hits") + n("justit.shm_stores") + n("justit.shm_fills");  // LRU order
  c.terms.push_back({"word read from shared memory", 4 * n("justit.shm_lookups") + 8 * n("justit.shm_hits"),
                     1000 * r.read_nj, why});
  c.terms.push_back({"word written to shared memory",
                     8 * (n("justit.shm_stores") + n("justit.shm_fills")) + changed_tags + n("justit.shm_dropped"),
                     1000 * r.write_nj, why});
}

/// A lookup is a read whether it hits or not, as in the L2: of loads, unless spare shared memory has the sector, of
/// private loads that no scheme's port answers, and of peers.
EnergyComponent l1_component(const RunFigures& run, Source& cacti, std::uint32_t node,
                             std::vector<std::string>& notes) {
  const auto n = [&](const char* name) { return static_cast<double>(run.counter(name)); };
  const double stores = run.parameter("l1.store_evicts", 0) ? 0 : n("l1.store_hit_sectors");  // else they are dropped
  EnergyComponent c = cache_component("l1", run, cacti, node, static_cast<double>(run.parameter("gpu.sms")),
                                      n("l1.load_sectors") - n("justit.shm_hits") + n("l1.peer_sectors") +
                                          n("local.l1_read_sectors") + n("local.l1_written_back_sectors"),
                                      stores + n("l1.fill_sectors") + n("local.l1_written_sectors"), notes);
  add_shared_memory(c, run, cacti, node);
  return c;
}

/// Runs whose parameters do not name the flits' size have 32 bytes with the header inside.
EnergyComponent noc_component(const RunFigures& run, Source& cacti, std::uint32_t node) {
  EnergyComponent c{"noc", {}, 0, 0};
  const double bits = 8.0 * static_cast<double>(run.parameter("noc.flit_bytes", 32));
  const double header_bits = run.parameter("noc.header", 0) ? 64 : 0;  // beside the flits
  const double per_mm = constant("noc", "flit_mm") * bits / 256, header_per_mm = constant("noc", "flit_mm") / 4;
  const auto both = [&](const char* what) {
    return static_cast<double>(run.counter(std::string("noc.request_") + what) +
                               run.counter(std::string("noc.reply_") + what));
  };
  const double flits = both("flits"), packets = both("packets");
  const std::string wire = source("noc", "flit_mm") + "; ";
  if (run.parameter("noc.topology") == 0) {
    const double mm = constant("noc", "crossbar_mm");
    const std::string why = wire + source("noc", "crossbar_mm");
    c.terms.push_back({"flit through the crossbar", flits, per_mm * mm, why});
    if (header_bits > 0) c.terms.push_back({"header through the crossbar", packets, header_per_mm * mm, why});
    return c;
  }
  const auto hops = static_cast<double>(run.counter("noc.flit_hops"));
  const double mm = constant("noc", "hop_mm");
  const std::string why = wire + source("noc", "hop_mm");
  c.terms.push_back({"flit over one link", hops, per_mm * mm, why});
  if (header_bits > 0 && flits > 0)  // flits and headers go as far
    c.terms.push_back({"header over one link", hops * packets / flits, header_per_mm * mm, why});
  // Each router writes a flit into a buffer and reads it again; the smallest memory CACTI takes stands for it.
  const StoragePlan plan = plan_storage(static_cast<std::uint32_t>(bits + header_bits),
                                        static_cast<std::uint32_t>(run.parameter("noc.vc_flits")), Ports::r1w1, node);
  const Result r = evaluate(cacti, plan.query);
  const double lanes = (bits + header_bits) / plan.query.word_bits;
  c.terms.push_back({"flit into and out of a router's buffer", hops + flits, 1000 * (r.read_nj + r.write_nj) * lanes,
                     plan.query.describe() + ", " + r.basis()});
  return c;
}

/// ConfigError when it charges accesses to a memory that the block does not have.
const ordered_json* events_of(const BlockUse& use) {
  for (const auto& b : data().at("blocks")) {
    if (b.at("module") != use.module || (b.contains("point") && b.at("point") != use.point)) continue;
    if (const auto access = b.find("access"); access != b.end())
      for (const auto& [name, words] : access->items())
        if (std::ranges::find(use.arrays, name, &Array::name) == use.arrays.end())
          throw ConfigError(fmt::format("{}: {}: 'access': no memory is named '{}'", kEnergyFile, use.module, name));
    return &b;
  }
  return nullptr;
}

/// pJ of the clock pins of blocks with gates in these cycles: in front of the gates, and behind them by event.
double gated_clock(const LogicEnergy::Gated& gated, double cycles, double count, const ordered_json& block,
                   const RunFigures& run) {
  double pj = gated.idle_pj * cycles + gated.events.front().second * count;
  for (std::size_t i = 1; i < gated.events.size(); ++i) {
    const auto& [event, each] = gated.events[i];
    for (const auto& counter : block.at("clocks").at(event))
      pj += each * static_cast<double>(run.counter(counter.get<std::string>()));
  }
  return pj;
}

/// pJ of the clock pins of a block's copies, which did `count` of the events together.
double clock_energy(const LogicEnergy& logic, Clock clock, double cycles, double count, const ordered_json& block,
                    const RunFigures& run) {
  const double always = logic.clock_pj * cycles;
  if (clock == Clock::always) return always;
  if (logic.gated) return std::min(gated_clock(*logic.gated, cycles, count, block, run), always);
  return block.contains("busy") ? std::min(logic.clock_pj * count * block.at("busy").get<double>(), always) : always;
}

/// Of the controllers' units: how many have their supply. One that a write woke is charged for the whole run.
double awake_share(const RunFigures& run) {
  if (!run.counters.contains("dedup.woken")) return 1;
  return static_cast<double>(run.counter("dedup.woken")) / static_cast<double>(run.parameter("gpu.controllers"));
}

EnergyComponent controller_component(const RunFigures& run, Source& cacti, std::uint32_t node, Clock clock,
                                     std::vector<std::string>& notes) {
  EnergyComponent c{"controller", {}, 0, 0};
  const SchemeBlocks& scheme = scheme_blocks(run.scheme);
  const double volts = constant("logic", "volts") / Library::kVolts;
  const double logic_scale = Library::time_factor(node) * volts * volts;  // C in proportion to F, times V^2
  const double awake = awake_share(run);
  if (awake < 1)
    notes.push_back(fmt::format(
        "{:.0f} % of the controllers' units slept for the whole run: without leakage and clock", 100 * (1 - awake)));
  for (const BlockUse& use : scheme.blocks) {
    const std::string name = use.module + "@" + use.point;
    const ordered_json* events = events_of(use);
    if (!events) {
      notes.push_back(fmt::format("{}: no events are listed for it ({}): not counted", name, kEnergyFile));
      continue;
    }
    double count = 0;
    for (const auto& counter : events->at("event"))
      count += static_cast<double>(run.counter(counter.get<std::string>()));
    const std::string what = events->at("what").get<std::string>();
    const auto copies =
        static_cast<double>(use.count_parameter.empty() ? use.count : run.parameter(use.count_parameter, use.count));
    // Where `copies` is set, every copy works on each event; else one of them does.
    const double logic_events = events->value("logic", 1.0) * (events->value("copies", false) ? copies : 1.0);
    const auto instances = use.per == Per::slice ? 2 * run.parameter("gpu.controllers")
                           : use.per == Per::sm  ? run.parameter("gpu.sms")
                           : use.per == Per::cluster
                               ? (run.parameter("gpu.sms") + run.size("noc.cluster") - 1) / run.size("noc.cluster")
                               : run.parameter("gpu.controllers");
    const double blocks = static_cast<double>(instances) * copies;
    const double powered = use.per == Per::controller ? blocks * awake : blocks;
    double pj = 0;
    std::string basis;
    for (const Array& a : use.arrays) {
      const StoragePlan plan = plan_storage(a.width, a.depth, a.ports, node);
      const Result r = evaluate(cacti, plan.query);
      const double rams = double{plan.lanes * 1.0} * a.copies;
      c.leakage_mw += r.leakage_mw * rams * powered;
      if (!events->contains("access") || !events->at("access").contains(a.name)) continue;
      const auto& access = events->at("access").at(a.name);
      // Words narrower than the array's (plan_storage) are read together.
      const double words = std::ceil(double{a.width * 1.0} / (plan.lanes * plan.query.word_bits));
      pj += 1000 * rams * words * (access[0].get<double>() * r.read_nj + access[1].get<double>() * r.write_nj);
      basis += fmt::format("{}{}: {}", basis.empty() ? "" : "; ", a.name, r.basis());
    }
    if (pj > 0) c.terms.push_back({fmt::format("{}: memories, per {}", name, what), count, pj, basis});
    if (const auto logic = logic_energy(use.block, use.module, use.point)) {
      c.terms.push_back(
          {fmt::format("{}: logic, per {}", name, what), count, logic->pj * logic_events * logic_scale,
           fmt::format("measured: {:.1f} pJ per {} in {} ({}){}, times {:.4f}", logic->pj, logic->event,
                       Library::kName, logic->workload,
                       logic_events == 1 ? "" : fmt::format(", {:g} of them", logic_events), logic_scale)});
      const double cycles = static_cast<double>(run.cycles) * powered;
      c.clock_nj += clock_energy(*logic, clock, cycles, count * logic_events, *events, run) * logic_scale / 1000;
    } else {
      notes.push_back(fmt::format("{}: its logic was not measured (scripts/energy): not counted", name));
    }
  }
  return c;
}

/// Of a scheme, or of the parts of a combination, each under its name.
void add_parameters(ordered_json& parameters, const ordered_json& report) {
  if (!report.is_object()) return;
  const auto own = report.find("parameters");
  if (own != report.end() && own->is_object()) parameters.update(*own);
  for (const auto& [name, part] : report.items())
    if (part.is_object() && part.contains("parameters") && part["parameters"].is_object())
      parameters.update(part["parameters"]);
}

}  // namespace

RunFigures RunFigures::from_json(const ordered_json& run) {
  RunFigures r;
  for (const char* key : {"workload", "scheme", "profile", "cycles", "counters", "parameters"})
    if (!run.contains(key))
      throw CostError(fmt::format("a run without '{}': expected what `warpsieve run --json` writes", key));
  try {
    r.workload = run.at("workload").get<std::string>();
    r.scheme = run.at("scheme").get<std::string>();
    r.profile = run.at("profile").get<std::string>();
    r.cycles = run.at("cycles").get<std::uint64_t>();
    r.counters = run.at("counters");
    r.parameters = run.at("parameters");
    if (run.contains("scheme_report")) add_parameters(r.parameters, run["scheme_report"]);
  } catch (const nlohmann::json::exception&) {
    throw CostError("a run with a field of the wrong type: expected what `warpsieve run --json` writes");
  }
  if (!r.counters.is_object() || !r.parameters.is_object())
    throw CostError(
        "a run whose 'counters' or 'parameters' is no object: expected what `warpsieve run --json` writes");
  return r;
}

std::uint64_t RunFigures::counter(const std::string& name) const {
  const auto at = counters.find(name);
  return at == counters.end() || !whole(*at) ? 0 : at->get<std::uint64_t>();
}

std::uint64_t RunFigures::parameter(const std::string& name) const {
  const auto at = parameters.find(name);
  if (at == parameters.end() || !whole(*at))
    throw CostError(fmt::format("a run of {} without the parameter '{}'", workload, name));
  return at->get<std::uint64_t>();
}

std::uint64_t RunFigures::parameter(const std::string& name, std::uint64_t otherwise) const {
  return parameters.contains(name) ? parameter(name) : otherwise;
}

std::uint64_t RunFigures::size(const std::string& name) const {
  const std::uint64_t value = parameter(name);
  if (value == 0 || value > 0xffffffffu)
    throw CostError(fmt::format("a run of {} with {} = {}: expected 1 to 2^32 - 1", workload, name, value));
  return value;
}

double RunFigures::seconds() const {
  return static_cast<double>(cycles) / (1e6 * static_cast<double>(size("dram.core_mhz")));
}

DramEnergy dram_energy(const RunFigures& run) {
  const auto p = [&](const char* name) { return static_cast<double>(run.parameter(std::string("dram.") + name)); };
  for (const char* divisor : {"dram.command_mhz", "dram.burst", "dram.tREFI"}) run.size(divisor);
  const auto c = [](const char* name) { return constant("dram", name); };
  const double ns = 1000 / p("command_mhz"), volts = c("volts");
  DramEnergy e;  // mA x V x ns = pJ
  e.activate = volts * ns * (c("idd0") * p("tRC") - c("idd3n") * p("tRAS") - c("idd2n") * (p("tRC") - p("tRAS")));
  e.read = volts * ns * p("burst") * (c("idd4r") - c("idd3n"));
  e.write = volts * ns * p("burst") * (c("idd4w") - c("idd3n"));
  e.refresh = volts * ns * p("tRFC") * (c("idd5") - c("idd3n"));
  e.standby_mw = volts * c("idd3n");
  // Half of the bits of every pin are low for the whole burst.
  e.io = volts * volts / c("termination") * 1000 * 0.5 * c("pins") * ns * p("burst");
  // A stream: one activate per row, reads back to back, standby and refreshes all the time.
  const double row = std::exp2(p("column_bits")), time = ns * p("burst");
  const double stream = e.activate / row + e.read + e.io + e.standby_mw * time + e.refresh * time / (ns * p("tREFI"));
  e.scale = c("device") * 256 / stream;
  for (double* x : {&e.activate, &e.read, &e.write, &e.io, &e.refresh, &e.standby_mw}) *x *= e.scale;
  return e;
}

std::optional<LogicEnergy> logic_energy(const std::string& block, const std::string& module,
                                        const std::string& point) {
  const std::string name = fmt::format("synth/energy/{}.json", block);
  for (unsigned i = 0; i < kEmbeddedCount; ++i) {
    if (kEmbedded[i].name != name) continue;
    const ordered_json file = ordered_json::parse(kEmbedded[i].text);
    const auto at = file.find(module + "@" + point);
    if (at == file.end()) return std::nullopt;
    LogicEnergy logic{at->at("pj_per_event").get<double>(), at->at("clock_pj_per_cycle").get<double>(),
                      at->at("event").get<std::string>(), at->at("workload").get<std::string>(), std::nullopt};
    if (const auto form = at->find("gated"); form != at->end()) {
      logic.gated.emplace().idle_pj = form->at("idle_clock_pj").get<double>();
      for (const auto& e : form->at("clock_events"))
        logic.gated->events.emplace_back(e.at("event").get<std::string>(), e.at("pj").get<double>());
    }
    return logic;
  }
  return std::nullopt;
}

double EnergyComponent::dynamic_nj() const {
  double sum = 0;
  for (const EnergyTerm& t : terms) sum += t.nj();
  return sum;
}

double EnergyReport::total_nj() const {
  double sum = 0;
  for (const EnergyComponent& c : components) sum += c.total_nj();
  return sum;
}

double EnergyReport::off_chip_nj() const {
  double sum = 0;
  for (const EnergyComponent& c : components)
    if (c.name == "dram" || c.name == "controller" || c.name == "l2") sum += c.total_nj();
  return sum;
}

double dram_nj(const RunFigures& run) {
  const EnergyComponent c = dram_component(run);
  return c.dynamic_nj() + c.leakage_mw * run.seconds() * 1e6;
}

EnergyReport energy_of(const RunFigures& run, Source& cacti, std::uint32_t node, Clock clock) {
  EnergyReport r;
  for (const char* name : {"dram.reads", "dram.writes", "dram.activates", "l1.load_sectors", "l1.fill_sectors",
                           "l2.read_sectors", "l2.write_sectors", "l2.atomic_sectors"})
    if (!run.counters.contains(name))
      throw CostError(fmt::format("a run of {} without the counter '{}': of another version?", run.workload, name));
  r.run = run;
  r.node_nm = node;
  const auto n = [&](const char* name) { return static_cast<double>(run.counter(name)); };
  r.components.push_back(dram_component(run));
  r.components.push_back(controller_component(run, cacti, node, clock, r.notes));
  r.size_notes = size_notes(scheme_blocks(run.scheme), run.parameters);
  r.notes.insert(r.notes.end(), r.size_notes.begin(), r.size_notes.end());
  r.components.push_back(cache_component(
      "l2", run, cacti, node, 2.0 * static_cast<double>(run.parameter("gpu.controllers")),
      // Atomics are among the reads; what goes into the FIFO of clean victims is read like what is written back.
      n("l2.read_sectors") + n("l2.write_back_sectors") + n("l2.probe_hits") + n("victim_fifo.inserted"),
      n("l2.write_sectors") + n("l2.read_misses") + n("l2.merge_fetches") + n("l2.pair_sectors") +
          n("l2.atomic_sectors") + n("l2.victim_hits"),
      r.notes));
  r.components.push_back(l1_component(run, cacti, node, r.notes));
  r.components.push_back(noc_component(run, cacti, node));
  for (EnergyComponent& c : r.components) {
    c.leakage_nj = c.leakage_mw * run.seconds() * 1e6;
    if (run.cycles > 0) c.clock_mw = c.clock_nj / (run.seconds() * 1e6);
  }
  if (node != 16)
    r.notes.push_back(fmt::format("logic at {} nm: capacitance scaled, supply left at the {} V of 16 nm", node,
                                  constant("logic", "volts")));
  r.notes.emplace_back("leakage of logic is not counted: the library's, of 180 nm, says nothing about the node");
  return r;
}

ordered_json to_json(const EnergyReport& r) {
  ordered_json components = ordered_json::array();
  for (const EnergyComponent& c : r.components) {
    ordered_json terms = ordered_json::array();
    for (const EnergyTerm& t : c.terms)
      terms.push_back({{"event", t.event}, {"count", t.count}, {"pj", t.pj}, {"nj", t.nj()}, {"source", t.source}});
    components.push_back({{"name", c.name},
                          {"dynamic_nj", c.dynamic_nj()},
                          {"leakage_mw", c.leakage_mw},
                          {"leakage_nj", c.leakage_nj},
                          {"clock_mw", c.clock_mw},
                          {"clock_nj", c.clock_nj},
                          {"total_nj", c.total_nj()},
                          {"terms", std::move(terms)}});
  }
  return {{"workload", r.run.workload},
          {"scheme", r.run.scheme},
          {"profile", r.run.profile},
          {"node_nm", r.node_nm},
          {"total_nj", r.total_nj()},
          {"dram_controller_l2_nj", r.off_chip_nj()},
          {"components", std::move(components)},
          {"notes", r.notes}};
}

}  // namespace warpsieve::cost
