// Energy of a finished run: events x energy per event + leakage x time, per component.
//
//   dram        activates, bursts, I/O, refreshes, standby       currents of a GDDR6 channel (data/energy.json)
//   controller  the scheme's blocks: SRAM by CACTI, logic by the toggles of the mapped netlist (scripts/energy)
//   l2, l1      32-byte accesses and leakage by CACTI
//   noc         flits of noc.flit_bytes x millimetres of wire, routers' flit buffers by CACTI
// CMD's own comparison (V.C, figure 16) is dram + controller + l2; the other two are extra. Cores are not counted.
// Units: nJ per run, mW; everything at one node, scaled like areas (area.h) where the source has another.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cost/cacti/query.h"
#include "cost/scheme_blocks.h"

namespace warpsieve::cost {

/// What a run of the simulator left behind that costs energy.
struct RunFigures {
  std::string workload, scheme, profile;
  std::uint64_t cycles = 0;
  nlohmann::ordered_json counters, parameters;  ///< parameters: the machine's and the scheme's
  /// From one entry of `warpsieve run --json`; throws CostError naming what is missing.
  static RunFigures from_json(const nlohmann::ordered_json& run);
  std::uint64_t counter(const std::string& name) const;    ///< 0 when the run does not have it
  std::uint64_t parameter(const std::string& name) const;  ///< throws CostError
  std::uint64_t size(const std::string& name) const;       ///< a parameter of 1 to 2^32 - 1; throws CostError
  std::uint64_t parameter(const std::string& name, std::uint64_t otherwise) const;
  double seconds() const;
};

struct EnergyTerm {
  std::string event;
  double count = 0, pj = 0;  ///< events, energy of one
  std::string source;
  double nj() const { return count * pj / 1000; }
};

struct EnergyComponent {
  std::string name;
  std::vector<EnergyTerm> terms;
  double leakage_mw = 0, leakage_nj = 0;
  double clock_mw = 0, clock_nj = 0;  ///< clock pins of the logic, without the clock tree; mean power and energy
  double dynamic_nj() const;          ///< the terms
  double total_nj() const { return dynamic_nj() + leakage_nj + clock_nj; }
};

struct EnergyReport {
  RunFigures run;
  std::uint32_t node_nm = 16;
  std::vector<EnergyComponent> components;  ///< dram, controller, l2, l1, noc
  std::vector<std::string> notes;           ///< what is not counted, and why
  std::vector<std::string> size_notes;      ///< those about blocks that are counted in other sizes than the run's
  double total_nj() const;
  double off_chip_nj() const;  ///< dram + controller + l2, as CMD compares
};

enum class Clock {
  always,  ///< every flip-flop in every cycle: the RTL as it is
  gated    ///< blocks with clock gates: what their gates pass, as measured; codecs: `busy` cycles per event
};

/// Throws CactiError, CostError.
EnergyReport energy_of(const RunFigures& run, Source& cacti, std::uint32_t node_nm, Clock clock = Clock::always);
/// The DRAM alone, which needs no CACTI: nJ, standby included.
double dram_nj(const RunFigures& run);
nlohmann::ordered_json to_json(const EnergyReport& report);

/// Energy of one DRAM event in pJ, from the currents, scaled to the device's published average.
struct DramEnergy {
  double activate = 0, read = 0, write = 0, io = 0, refresh = 0;
  double standby_mw = 0;  ///< one channel
  double scale = 1;       ///< published average over what the currents give
};
DramEnergy dram_energy(const RunFigures& run);

/// Energy of one event of a block's logic as scripts/energy measured it, at the library's node and supply.
struct LogicEnergy {
  double pj = 0, clock_pj = 0;  ///< of one event; of the clock pins in one cycle
  std::string event, workload;
  /// Of the form with clock gates, where the module has some: pins in front of the gates in one cycle, and those
  /// behind them for one event. The first is that of `event`.
  struct Gated {
    double idle_pj = 0;
    std::vector<std::pair<std::string, double>> events;
  };
  std::optional<Gated> gated;
};
/// Nothing when synth/energy has no such module.
std::optional<LogicEnergy> logic_energy(const std::string& block, const std::string& module,
                                        const std::string& point);

}  // namespace warpsieve::cost
