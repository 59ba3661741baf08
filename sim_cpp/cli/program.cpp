#include "cli/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <new>
#include <system_error>
#include <vector>

#include "cli/area_command.h"
#include "cli/bench_command.h"
#include "cli/claims_command.h"
#include "cli/dram_command.h"
#include "cli/energy_command.h"
#include "cli/inputs_command.h"
#include "cli/listing.h"
#include "cli/mistakes.h"
#include "cli/report_command.h"
#include "cli/run_command.h"
#include "cli/sweep_command.h"
#include "cli/trace_command.h"
#include "cli/validate_command.h"
#include "cli/workloads_command.h"
#include "core/errors.h"
#include "core/params.h"
#include "core/shell.h"
#include "run/interrupt.h"
#include "run/simulate.h"
#include "run/version.h"

namespace warpsieve {

namespace {

int fail(cli::ExitCode code, const std::string& what) {
  // A mistake in the input is one line, whatever of the input it quotes; a deadlock's report has more.
  fmt::print(stderr, "warpsieve: {}\n", code == cli::kBadInput ? one_line(what) : what);
  return code;
}

/// A full disk behind standard output shows only at the end.
int finish(int code) {
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return fail(cli::kBadInput, fmt::format("standard output: cannot write: {}", std::strerror(errno)));
  return code;
}

}  // namespace

int program_main(int argc, char** argv) {
  const std::vector<std::string> words = cli::as_options({argv, argv + argc});
  std::vector<const char*> pointers;
  pointers.reserve(words.size());
  for (const std::string& word : words) pointers.push_back(word.c_str());
  std::setlocale(LC_CTYPE, "");  // tables show names of files in the terminal's letters
  CLI::App app(
      "Hardware blocks that sieve redundant traffic out of a GPU's memory system, in a cycle-level memory model.");
  app.footer(
      "Exit codes: 0 all clean; 1 corrupt data, wrong result, deadlock or a model that disagrees with its RTL; "
      "2 bad arguments, configuration, input or output file, or not enough memory for the sizes; 130 interrupted "
      "(Ctrl-C), with what was finished kept.");
  app.set_version_flag("-V,--version", "warpsieve " + run::version());
  app.require_subcommand(1);
  std::function<cli::ExitCode()> chosen;  // the subcommand that was given
  cli::RunOptions run_options;
  cli::declare_run(*app.add_subcommand("run", "Run workloads under schemes and compare")->final_callback([&] {
    chosen = [&] {
      const CLI::App& run = *app.get_subcommand("run");
      if (run.count("--list") > 0) {
        if (run.count("--json") > 0)
          cli::write_listing(app, run_options.listed, run_options.json);
        else
          cli::print_listing(run_options.listed);
        return cli::kOk;
      }
      run_options.asks_for_json = run.count("--json") > 0;
      run_options.command = cli::results_command(run);
      return cli::run(run_options);
    };
  }),
                   run_options);
  cli::SweepOptions sweep_options;
  cli::declare_sweep(*app.add_subcommand("sweep", "Many runs from one file, here or on Slurm")->final_callback([&] {
    chosen = [&] { return cli::sweep_command(sweep_options); };
  }),
                     sweep_options);
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
  cli::SimulatedClaimsOptions simulated_options;
  CLI::App* claims = app.add_subcommand("claims", "The papers' claims beside our figures")->final_callback([&] {
    chosen = [&] {
      if (!claims_options.energy.empty()) {
        simulated_options.energy = true;
        simulated_options.results.push_back(claims_options.energy);
        if (simulated_options.paper.empty()) simulated_options.paper = "cmd";
      }
      if (!cli::asks_for_runs(simulated_options)) {
        if (!simulated_options.paper.empty()) throw ConfigError("claims: --paper goes with --results or --run");
        return cli::claims(claims_options);
      }
      simulated_options.cacti = claims_options.cacti;
      simulated_options.json = claims_options.json;
      simulated_options.markdown = claims_options.markdown;
      return cli::simulated_claims(simulated_options);
    };
  });
  cli::declare_claims(*claims, claims_options);
  cli::declare_simulated_claims(*claims, simulated_options);
  cli::ReportOptions report_options;
  for (int i = 0; i < argc; ++i) report_options.command += (i ? " " : "") + shell_quoted(argv[i]);
  cli::declare_report(*app.add_subcommand("report", "One HTML file from results")->final_callback([&] {
    chosen = [&] { return cli::report(report_options); };
  }),
                      report_options);
  cli::TraceOptions trace_options;
  cli::declare_trace(*app.add_subcommand("trace", "Record a workload's launches, look at them")->final_callback([&] {
    chosen = [&] { return cli::trace_command(trace_options); };
  }),
                     trace_options);
  cli::BenchOptions bench_options;
  cli::declare_bench(*app.add_subcommand("bench", "Speed and memory of this build on this host")->final_callback([&] {
    chosen = [&] { return cli::bench(bench_options); };
  }),
                     bench_options);
  cli::ValidateOptions validate_options;
  cli::declare_validate(
      *app.add_subcommand("validate", "The machines beside published and recorded figures")->final_callback([&] {
        chosen = [&] { return cli::validate_command(validate_options); };
      }),
      validate_options);
  cli::InputsOptions inputs_options;
  cli::declare_inputs(*app.add_subcommand("inputs", "Generated input files, statistics of any")->final_callback([&] {
    chosen = [&] { return cli::inputs_command(inputs_options); };
  }),
                      inputs_options);
  cli::WorkloadsOptions workloads_options;
  cli::declare_workloads(
      *app.add_subcommand("workloads", "Measured properties of the workloads")->final_callback([&] {
        chosen = [&] { return cli::workloads_command(workloads_options); };
      }),
      workloads_options);
  try {
    app.parse(static_cast<int>(pointers.size()), pointers.data());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return fail(cli::kBadInput, cli::describe_mistake(app, words, error));
    const std::string unknown = cli::describe_unknown_command(app, words);
    return unknown.empty() ? finish(app.exit(error)) : fail(cli::kBadInput, unknown);
  }
  try {
    run::catch_interrupts();
    return finish(chosen());
  } catch (const run::Interrupted&) {
    return fail(static_cast<cli::ExitCode>(128 + run::interrupt_signal()),
                "interrupted; what was finished before is kept");
  } catch (const std::bad_alloc&) {
    return fail(cli::kBadInput, NotEnoughMemory(report_options.command).what());
  } catch (const std::exception& error) {
    if (run::is_callers_mistake(error)) return fail(cli::kBadInput, error.what());
    if (dynamic_cast<const std::system_error*>(&error))  // of fmt: what was printed does not fit
      return fail(cli::kBadInput, fmt::format("standard output: {}", error.what()));
    return fail(cli::kWrong, error.what());  // ShadowMismatch, RtlAssertion, memsys::Deadlock, ...
  }
}

}  // namespace warpsieve
