#include "run/simulate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <new>

#include "core/errors.h"
#include "core/name_lookup.h"
#include "run/content_hash.h"
#include "run/interrupt.h"
#include "schemes/own_machine.h"
#include "schemes/registry.h"
#include "trace/replay.h"
#include "workloads/block_shape.h"
#include "workloads/graph_input.h"
#include "workloads/registry.h"

namespace warpsieve::run {

namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

workloads::WorkloadOptions workload_options(const RunSpec& spec) {
  workloads::WorkloadOptions out;
  out.input = spec.input;
  out.seed = spec.seed;
  const bool quarter = spec.profile.ends_with("-quarter");
  out.scale = spec.scale.empty() ? (quarter ? workloads::Scale::quarter : workloads::Scale::full)
                                 : workloads::parse_scale(spec.scale);
  out.set = size_settings(spec.sizes);
  return out;
}

/// Names one of the two kinds of parameters, or the nearest of both is named.
void check_parameter(const std::string& assignment) {
  const std::string name = assignment.substr(0, assignment.find('='));
  std::vector<std::string> known = schemes::scheme_parameter_names();
  memsys::Profile profile;
  ParamSet set;
  profile.declare(set);
  for (const Param& p : set.list()) known.push_back(p.name);
  if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end())
    throw ConfigError(unknown_name("parameter", name, known));
}

/// The machine, and the scheme that goes with it.
struct Machine {
  memsys::Profile profile;
  std::unique_ptr<schemes::Scheme> scheme;
  std::vector<WaveformWindow> windows;
  nlohmann::ordered_json asked_for;  ///< its parameters before the scheme changed some (l2_5mb)
};

void repeat(memsys::Profile& profile, unsigned repetition) {
  if (profile.noc.topology == memsys::kMeshTopology) {  // it has no noc.latency
    profile.dram.latency += repetition;
    return;
  }
  profile.noc.latency += repetition % 3;
  profile.dram.latency += repetition / 3;
}

Machine build(const RunSpec& spec) {
  for (const std::string& assignment : spec.set) check_parameter(assignment);
  schemes::Settings settings = schemes::split_settings(spec.set);
  schemes::SchemeOptions options;
  options.backend = backend_from_string(spec.backend);
  options.backends = spec.blocks;
  options.set = std::move(settings.scheme);
  Machine machine{memsys::load_profile(spec.profile, settings.machine), nullptr, {}, {}};
  schemes::check_machine(spec.scheme, machine.profile);
  machine.asked_for = machine.profile.parameters();
  repeat(machine.profile, spec.repetition);
  options.machine = &machine.profile;
  machine.windows = waveform_windows(spec.waveforms, spec.waveform_prefix, spec.scheme, machine.profile, options);
  machine.scheme = schemes::make_scheme(spec.scheme, options);
  return machine;
}

/// Refuses what a trace cannot be asked for.
void check_trace(const RunSpec& spec, const std::string& values) {
  if (!spec.sizes.empty() || !spec.input.empty() || !spec.scale.empty())
    throw workloads::WorkloadError(
        fmt::format("{}: --scale, --size and --input were chosen when the trace was recorded", spec.workload));
  if (values == "none" && schemes::needs_values(spec.scheme))
    throw workloads::WorkloadError(
        fmt::format("{}: the trace has no data values, and scheme {} looks at them: import it with --values zero, "
                    "random or address to make some up",
                    spec.workload, spec.scheme));
}

/// A workload of the registry, or a trace. `values` says where a trace's data are from if not from its program.
std::unique_ptr<simt::Workload> make_program(const RunSpec& spec, std::string& values) {
  if (!trace::names_trace(spec.workload)) return workloads::make_workload(spec.workload, workload_options(spec));
  auto out = std::make_unique<trace::TraceWorkload>(trace::trace_path(spec.workload));
  check_trace(spec, out->values());
  if (out->values() != trace::kValues[0]) values = out->values();
  return out;
}

/// The same for the runs of one experiment, whatever the scheme: only those may be compared with each other. The seed
/// stands beside it in results.
std::string experiment_of(const RunSpec& spec, const nlohmann::ordered_json& machine) {
  nlohmann::ordered_json all = {{"machine", machine}};
  if (trace::names_trace(spec.workload)) {
    all["trace"] = file_hash(trace::trace_path(spec.workload));
  } else {
    const workloads::WorkloadInfo& info = workloads::workload_info(spec.workload);
    const workloads::WorkloadOptions options = workload_options(spec);
    auto sizes = workloads::Settings(info, options).values();
    for (const workloads::Parameter& p : info.parameters)  // runs without it are those from before it was there
      if ((p.name == workloads::kBlock || p.name == workloads::kWeights) &&
          sizes[p.name] == p.default_for(options.scale))
        sizes.erase(p.name);
    all["sizes"] = sizes;
    all["input"] = spec.input.empty() ? "" : input_hash(spec.workload, spec.input);
  }
  return content_hash(all.dump());
}

/// A run that does not fit into memory is told apart from one that went wrong, and named with what was set for it.
template <class F>
auto in_memory(const RunSpec& spec, F&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    std::vector<std::string> given = spec.sizes;
    given.insert(given.end(), spec.set.begin(), spec.set.end());
    throw NotEnoughMemory(fmt::format("{} under {} on {}{}{}", spec.workload, spec.scheme, spec.profile,
                                      given.empty() ? "" : ", ", fmt::join(given, " ")),
                          "a smaller workload (--scale, --size) or a smaller machine (--profile, --set)");
  }
}

}  // namespace

bool is_callers_mistake(const std::exception& error) {
  return dynamic_cast<const BadInput*>(&error) || dynamic_cast<const std::invalid_argument*>(&error) ||
         dynamic_cast<const std::filesystem::filesystem_error*>(&error);
}

std::map<std::string, std::string> size_settings(const std::vector<std::string>& sizes) {
  std::map<std::string, std::string> out;
  for (const std::string& size : sizes) {
    const auto equals = size.find('=');
    if (equals == std::string::npos)
      throw workloads::WorkloadError(fmt::format("--size '{}': expected name=value", size));
    out[size.substr(0, equals)] = size.substr(equals + 1);
  }
  return out;
}

namespace {

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value && *value;
}

/// Waveforms are written by one thread, as they come.
bool dumps(const std::vector<WaveformWindow>& windows) { return !windows.empty() || is_set("WARPSIEVE_FST"); }

Simulated::Shared shared_work(const memsys::Windows* windows, const memsys::Profile& profile) {
  Simulated::Shared out{{}, {}, profile.sms, profile.controllers};
  if (!windows) return out;
  for (unsigned phase = 0; phase < out.phases.size(); ++phase) out.phases[phase] = windows->team().times(phase);
  out.windows = windows->counts();
  return out;
}

Simulated simulate_in_memory(const RunSpec& spec, const ProgressFunction& progress) {
  const Machine machine = build(spec);
  std::string values;
  const auto program = make_program(spec, values);
  const double start = cpu_seconds();
  const auto began = std::chrono::steady_clock::now();
  Simulated out;
  WaveformWindows windows(machine.windows);
  {
    memsys::Gpu gpu(
        machine.profile, *machine.scheme, *program,
        {.most = dumps(machine.windows) ? 1 : spec.threads,
         .by = is_set("WARPSIEVE_ALL_THREADS") ? memsys::Threads::By::force : memsys::Threads::By::measurement});
    windows.follow(&gpu.now());
    out.result = gpu.run([&progress](const memsys::Progress& p) {
      throw_if_interrupted();
      if (progress) progress(p);
    });
    out.last_cycle = gpu.now();
    out.shared = shared_work(gpu.windows(), machine.profile);
    windows.follow(nullptr);
  }  // the blocks are gone, their files finished
  if (!values.empty()) out.result.stats["values"] = values;
  out.result.stats["experiment"] = experiment_of(spec, machine.asked_for);
  out.cpu_seconds = cpu_seconds() - start;
  out.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  out.waveforms = windows.written();
  for (const WrittenWaveform& w : out.waveforms)
    if (!w.problem.empty()) throw ConfigError(fmt::format("{}: {}", w.path, w.problem));
  return out;
}

}  // namespace

Simulated simulate(const RunSpec& spec, const ProgressFunction& progress) {
  return in_memory(spec, [&] { return simulate_in_memory(spec, progress); });
}

void check(const RunSpec& spec) {
  if (trace::names_trace(spec.workload)) {
    const std::string path = trace::trace_path(spec.workload);
    trace::check_read_twice(path);
    check_trace(spec, trace::TraceReader(path).program().values);
  } else {
    workloads::Settings(workloads::workload_info(spec.workload), workload_options(spec));
  }
  in_memory(spec, [&] { build(spec); });
}

}  // namespace warpsieve::run
