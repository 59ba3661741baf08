#include "cli/dram_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "core/number.h"
#include "core/output_file.h"
#include "core/params.h"
#include "inputs/text_reader.h"
#include "memsys/dram/replay.h"
#include "memsys/profile.h"
#include "run/atomic_file.h"

namespace warpsieve::cli {
namespace {

memsys::DramParams channel(const DramOptions& options) {
  // gddr6 is the channel of the default machine: CMD Table II and the declared defaults.
  const std::string profile = options.config == "gddr6" ? "cmd-gddr6" : options.config;
  for (const std::string& assignment : options.set) {
    if (!assignment.starts_with("dram."))
      throw ConfigError(fmt::format("--set '{}': only dram.* has an effect here", assignment));
  }
  return memsys::load_profile(profile, options.set).dram;
}

std::vector<memsys::DramAccess> read_trace(const std::string& path, const memsys::DramParams& params,
                                           const memsys::DramMap& map) {
  const std::string text = inputs::read_file(path);
  inputs::TextReader in(path, text);
  std::vector<memsys::DramAccess> out;
  out.reserve(text.size() / 12);
  while (true) {
    in.skip_lines_starting_with('#');
    if (in.at_end()) break;
    memsys::DramAccess access;
    access.cycle = static_cast<std::uint64_t>(in.integer("a command cycle", 0, 1000000000000000));
    if (in.line_ended()) in.fail_here("a hexadecimal address");
    std::string_view word = in.word();
    std::string_view digits = word;
    if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
    const auto address = to_number<std::uint64_t>(digits, 16);
    if (!address) in.fail("a hexadecimal address", word);
    access.address = *address;
    if (access.address % memsys::kSectorBytes) in.fail("an address that is a multiple of 32", word);
    if (access.address >= map.bytes()) in.fail(fmt::format("an address below {:#x}", map.bytes()), word);
    if (in.line_ended()) in.fail_here("R or W");
    word = in.word();
    if (word != "R" && word != "W") in.fail("R or W", word);
    access.write = word == "W";
    in.expect_line_end("a line 'cycle hex-address R|W'");
    access.address = map.channel_address(params, access.address);
    out.push_back(access);
  }
  if (out.empty())
    throw inputs::InputError(fmt::format("{}: expected lines 'cycle hex-address R|W', found none", path));
  return out;
}

void write_commands(const std::string& path, const std::vector<memsys::DramCommand>& commands) {
  static constexpr const char* kNames[] = {"ACT", "PRE", "PREA", "RD", "WR", "REF"};
  std::string out = "# command-cycle command bank-group bank row\n";
  for (const memsys::DramCommand& c : commands)
    out += fmt::format("{} {} {} {}\n", c.cycle, kNames[static_cast<unsigned>(c.kind)], c.bank, c.row);
  run::write_atomically(path, out);
}

}  // namespace

void declare_dram(CLI::App& command, DramOptions& o) {
  command.add_option("--config", o.config, "Channel: gddr6, or the DRAM of a profile (name or TOML file)")
      ->capture_default_str();
  command.add_option("--trace", o.trace, "Text file, lines 'cycle hex-address R|W'; cycle 0: as soon as possible")
      ->required();
  command.add_option("--map", o.map, "Address bits from bit 0 up: offset, column, bank group, bank, row")
      ->capture_default_str();
  command.add_option("--set", o.set, "Parameter dram.name=value (repeatable)");
  command.add_option("--commands", o.commands, "Write every DRAM command to this file");
  command.add_flag("--json", o.json, "Print JSON");
}

ExitCode dram(const DramOptions& options) {
  if (!options.commands.empty()) {
    check_not_input(options.commands, {options.trace, options.config});
    run::check_writable(options.commands);
  }
  const memsys::DramParams params = channel(options);
  const memsys::DramMap map(params, options.map);
  const auto accesses = read_trace(options.trace, params, map);
  std::vector<memsys::DramCommand> commands;
  const memsys::DramReplay r = memsys::replay(params, accesses, options.commands.empty() ? nullptr : &commands);
  if (!options.commands.empty()) write_commands(options.commands, commands);

  std::FILE* const to = beside(options.commands);
  const double latency = r.reads ? static_cast<double>(r.read_latency) / static_cast<double>(r.reads) : 0;
  const double ns = static_cast<double>(r.cycles) * 1000.0 / params.command_mhz;
  const double bytes = static_cast<double>(r.reads + r.writes) * memsys::kSectorBytes;
  const double bandwidth = ns > 0 ? bytes / ns : 0;
  const double hits = r.bursts ? 100.0 * static_cast<double>(r.row_hits) / static_cast<double>(r.bursts) : 0;
  if (options.json) {
    const nlohmann::ordered_json json = {{"format", "warpsieve-dram-1"},
                                         {"reads", r.reads},
                                         {"writes", r.writes},
                                         {"command_cycles", r.cycles},
                                         {"command_mhz", params.command_mhz},
                                         {"average_read_latency_cycles", latency},
                                         {"worst_read_latency_cycles", r.worst_read},
                                         {"gbytes_per_second", bandwidth},
                                         {"peak_gbytes_per_second", params.peak_gbytes()},
                                         {"bursts", r.bursts},
                                         {"row_hits", r.row_hits},
                                         {"activates", r.activates},
                                         {"refreshes", r.refreshes},
                                         {"forwarded_reads", r.forwarded},
                                         {"data_bus_cycles", r.data_bus_cycles}};
    fmt::print(to, "{}\n", json.dump(1));
    return kOk;
  }
  fmt::print(to, "accesses              {} reads, {} writes of 32 bytes\n", r.reads, r.writes);
  fmt::print(to, "cycles                {} command cycles at {} MHz ({:.1f} ns)\n", r.cycles, params.command_mhz, ns);
  fmt::print(to, "average read latency  {:.2f} command cycles ({:.2f} ns), worst {}\n", latency,
             latency * 1000.0 / params.command_mhz, r.worst_read);
  fmt::print(to, "bandwidth             {:.3f} GB/s, {:.1f} % of the peak of {:.1f} GB/s\n", bandwidth,
             100.0 * bandwidth / params.peak_gbytes(), params.peak_gbytes());
  fmt::print(
      to,
      "row hits              {} of {} bursts ({:.1f} %), {} activates, {} refreshes, {} reads from the write queue\n",
      r.row_hits, r.bursts, hits, r.activates, r.refreshes, r.forwarded);
  return kOk;
}

}  // namespace warpsieve::cli
