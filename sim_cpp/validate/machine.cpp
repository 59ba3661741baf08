#include "validate/machine.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "core/params.h"
#include "memsys/gpu.h"
#include "run/atomic_file.h"
#include "run/interrupt.h"
#include "run/simulate.h"
#include "schemes/registry.h"
#include "trace/accelsim/import.h"

namespace warpsieve::validate {

namespace {

constexpr const char* kScheme = "baseline";

double percent(double part, double whole) { return whole > 0 ? 100.0 * part / whole : 0.0; }

Figures figures_of(const memsys::Result& result) {
  if (!result.clean || !result.verify.empty())
    throw std::runtime_error(fmt::format("validate: a run was not clean: {}", result.integrity.dump()));
  const auto& counters = result.stats.at("counters");
  const auto count = [&](const char* name) { return counters.at(name).get<double>(); };
  const double reads = count("l2.read_sectors"), writes = count("l2.write_sectors");
  const double read_hits = count("l2.read_hits"), write_hits = count("l2.write_hits");
  return {.cycles = static_cast<double>(result.cycles),
          .l1_hit = percent(count("l1.hit_sectors"), count("l1.load_sectors")),
          .l2_accesses = reads + writes,
          .l2_read_hit = percent(reads - count("l2.read_misses"), reads),
          .l2_hit = percent(read_hits + write_hits, reads + writes),
          .dram_reads = count("dram.reads"),
          .dram_writes = count("dram.writes"),
          .atomics = count("l2.atomics")};
}

}  // namespace

TraceFolder::TraceFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "warpsieve-validate-XXXXXX").string();
  if (!mkdtemp(name.data())) throw ConfigError(fmt::format("{}: cannot create: {}", name, std::strerror(errno)));
  path_ = name;
}

TraceFolder::~TraceFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

const std::string& TraceFolder::trace(const std::string& arguments) {
  std::string& made = made_[arguments];
  if (!made.empty()) return made;
  const auto folder = path_ / fmt::format("{}", made_.size());
  std::filesystem::create_directory(folder);
  const std::string list = folder / "kernelslist.g", kernel = folder / "kernel-1.traceg";
  run::write_atomically(list, "kernel-1.traceg\n");
  run::write_atomically(kernel, traceg(parse_trace(arguments)));
  const std::string output = folder / "trace";
  trace::accelsim::ImportOptions options;
  options.list = list;
  options.output = output;
  options.name = arguments;
  options.tool = "warpsieve validate";
  trace::accelsim::import_trace(options, run::throw_if_interrupted);
  std::filesystem::remove(kernel);
  return made = output;
}

Figures run_trace(const MachineSpec& machine, const std::string& trace_file) {
  run::RunSpec spec;
  spec.workload = "trace:" + trace_file;
  spec.scheme = kScheme;
  spec.profile = machine.profile;
  spec.set = machine.set;
  return figures_of(run::simulate(spec).result);
}

Figures run_program(const MachineSpec& machine, simt::Workload& program) {
  run::throw_if_interrupted();
  memsys::Profile profile = memsys::load_profile(machine.profile, machine.set);
  schemes::SchemeOptions options;
  options.machine = &profile;
  const auto scheme = schemes::make_scheme(kScheme, options);
  memsys::Gpu gpu(profile, *scheme, program);
  return figures_of(gpu.run([](const memsys::Progress&) { run::throw_if_interrupted(); }));
}

}  // namespace warpsieve::validate
