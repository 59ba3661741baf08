// workload_counts [--scale full|quarter|small] [--input FILE] [NAME [PARAMETER=VALUE]...]
// Runs workloads functionally and prints, for each, its counts and how fast they were generated.
#include <fmt/format.h>

#include <chrono>

#include "simt/program.h"
#include "workloads/registry.h"

using namespace warpsieve;

namespace {

void run(const std::string& name, const workloads::WorkloadOptions& options) {
  const auto w = workloads::make_workload(name, options);
  const auto begin = std::chrono::steady_clock::now();
  w->setup();
  const auto ready = std::chrono::steady_clock::now();
  const simt::RunCounts n = simt::run_launches(*w);
  const std::chrono::duration<double> setup = ready - begin, run = std::chrono::steady_clock::now() - ready;
  const std::string wrong = w->verify();
  fmt::print("{:10} {:8} {:5} {:12} {:10} {:10} {:9} {:9} {:11} {:7.1f} {:6.2f} {:6.2f} {:6.2f}  {}\n", name,
             options.scale == workloads::Scale::full      ? "full"
             : options.scale == workloads::Scale::quarter ? "quarter"
                                                          : "small",
             n.launches, n.warp_instructions, n.wmi(), n.loads, n.stores, n.atomics, n.requests,
             static_cast<double>(w->image().size()) / (1 << 20), setup.count(), run.count(),
             static_cast<double>(n.warp_instructions) / 1e6 / run.count(), wrong.empty() ? "right" : wrong);
}

}  // namespace

int main(int argc, char** argv) {
  workloads::WorkloadOptions options;
  std::vector<std::string> names;
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string a = argv[i];
      if (a == "--scale" && i + 1 < argc)
        options.scale = workloads::parse_scale(argv[++i]);
      else if (a == "--input" && i + 1 < argc)
        options.input = argv[++i];
      else if (const auto eq = a.find('='); eq != a.npos)
        options.set[a.substr(0, eq)] = a.substr(eq + 1);
      else
        names.push_back(a);
    }
    if (names.empty())
      for (const auto& info : workloads::workload_list()) names.push_back(info.name);
    fmt::print("{:10} {:8} {:>5} {:>12} {:>10} {:>10} {:>9} {:>9} {:>11} {:>7} {:>6} {:>6} {:>6}\n", "name", "scale",
               "runs", "warp instr", "WMI", "loads", "stores", "atomics", "sectors", "MB", "setup", "run s", "M/s");
    for (const std::string& name : names) run(name, options);
  } catch (const std::exception& e) {
    fmt::print(stderr, "workload_counts: {}\n", e.what());
    return 2;
  }
  return 0;
}
