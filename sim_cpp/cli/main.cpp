// The program `warpsieve`: subcommands, and one place that turns errors into a line and an exit code.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <functional>

#include "cli/area_command.h"
#include "cli/dram_command.h"
#include "cli/energy_command.h"
#include "cli/run_command.h"
#include "cli/workloads_command.h"
#include "core/params.h"
#include "inputs/text_reader.h"
#include "workloads/registry.h"

namespace {

using namespace warpsieve;

int fail(cli::ExitCode code, const char* what) {
  fmt::print(stderr, "warpsieve: {}\n", what);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Hardware blocks that sieve redundant traffic out of a GPU's memory system, in a cycle-level memory model.");
  app.footer(
      "Exit codes: 0 all clean; 1 corrupt data, wrong result, deadlock or a model that disagrees with its RTL; "
      "2 bad arguments, configuration or input file.");
  app.set_version_flag("--version", "warpsieve " WARPSIEVE_VERSION);
  app.require_subcommand(1);
  std::function<cli::ExitCode()> chosen;  // the subcommand that was given
  cli::RunOptions run_options;
  cli::declare_run(*app.add_subcommand("run", "Run workloads under schemes and compare")->final_callback([&] {
    chosen = [&] { return cli::run(run_options); };
  }),
                   run_options);
  cli::DramOptions dram_options;
  cli::declare_dram(*app.add_subcommand("dram", "Replay a text trace on one DRAM channel")->final_callback([&] {
    chosen = [&] { return cli::dram(dram_options); };
  }),
                    dram_options);
  cli::AreaOptions area_options;
  cli::declare_area(*app.add_subcommand("area", "Area of a scheme's hardware")->final_callback([&] {
    chosen = [&] { return cli::area(area_options); };
  }),
                    area_options);
  cli::EnergyOptions energy_options;
  cli::declare_energy(*app.add_subcommand("energy", "Energy of finished runs, per component")->final_callback([&] {
    chosen = [&] { return cli::energy(energy_options); };
  }),
                      energy_options);
  cli::ClaimsOptions claims_options;
  cli::declare_claims(*app.add_subcommand("claims", "The papers' claims beside our figures")->final_callback([&] {
    chosen = [&] { return cli::claims(claims_options); };
  }),
                      claims_options);
  cli::WorkloadsOptions workloads_options;
  cli::declare_workloads(
      *app.add_subcommand("workloads", "Measured properties of the workloads")->final_callback([&] {
        chosen = [&] { return cli::workloads_command(workloads_options); };
      }),
      workloads_options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    // CLI11 only says that a subcommand is required.
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
      names.push_back(command->get_name());
    const std::string known = fmt::format("{}", fmt::join(names, ", "));
    if (argc < 2)
      return fail(cli::kBadInput, fmt::format("no subcommand given (there is: {}), see --help", known).c_str());
    if (argv[1][0] != '-' && std::find(names.begin(), names.end(), argv[1]) == names.end()) {
      return fail(cli::kBadInput, fmt::format("unknown subcommand '{}' (there is: {})", argv[1], known).c_str());
    }
    return fail(cli::kBadInput, error.what());
  }
  try {
    return chosen();
  } catch (const ConfigError& error) {
    return fail(cli::kBadInput, error.what());
  } catch (const workloads::WorkloadError& error) {
    return fail(cli::kBadInput, error.what());
  } catch (const inputs::InputError& error) {
    return fail(cli::kBadInput, error.what());
  } catch (const std::invalid_argument& error) {
    return fail(cli::kBadInput, error.what());
  } catch (const std::exception& error) {  // ShadowMismatch, RtlAssertion, memsys::Deadlock, ...
    return fail(cli::kWrong, error.what());
  }
}
