#include "cli/workloads_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/input_option.h"
#include "cli/json_output.h"
#include "cli/numbers.h"
#include "cli/one_of.h"
#include "cli/table.h"
#include "run/interrupt.h"
#include "run/simulate.h"
#include "workloads/input_kinds.h"
#include "workloads/properties.h"
#include "workloads/suites.h"

namespace warpsieve::cli {
namespace {

using nlohmann::ordered_json;
using workloads::Properties;

struct MeasuredWorkload {
  const workloads::WorkloadInfo* info;
  Properties p;
};

std::string percent(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? "-" : fmt::format("{:.1f}", 100 * Properties::ratio(part, all));
}

std::string millions(std::uint64_t n) { return fmt::format("{:.3f}", static_cast<double>(n) / 1e6); }

/// One row of the table, without what is expected.
std::vector<std::string> cells(const MeasuredWorkload& m) {
  const Properties& p = m.p;
  return {m.info->name,
          m.info->suite,
          fmt::format("{}", p.counts.launches),
          millions(p.counts.wmi()),
          percent(p.counts.stores + p.counts.atomics, p.counts.wmi()),
          fmt::format("{:.1f}", p.sectors_per_access()),
          fmt::format("{:.1f}", p.lines_per_access()),
          fmt::format("{:.1f}", static_cast<double>(p.footprint) / (1 << 20)),
          percent(p.one_sector, p.line_requests),
          percent(p.intra, p.written_lines),
          percent(p.inter, p.written_lines),
          percent(p.shared_lines, p.loaded_lines),
          percent(p.shared_requests, p.load_requests),
          percent(p.affine_loads, p.load_vectors),
          percent(p.affine_stores, p.store_vectors)};
}

const std::vector<Table::Column>& columns() {
  static const std::vector<Table::Column> all = {{"workload", Table::Align::left},
                                                 {"suite", Table::Align::left},
                                                 {"launches"},
                                                 {"WMI, M"},
                                                 {"writes, %"},
                                                 {"sectors"},
                                                 {"lines"},
                                                 {"MB"},
                                                 {"one sector, %"},
                                                 {"intra, %"},
                                                 {"inter, %"},
                                                 {"shared, %"},
                                                 {"of loads, %"},
                                                 {"affine ld, %"},
                                                 {"affine st, %"}};
  return all;
}

std::string legend(unsigned sms) {
  return fmt::format(
      "WMI: warp memory instructions (global loads, stores, atomics), in millions. Writes: the stores and atomics "
      "among them. Sectors, lines: distinct 32- and 128-byte pieces per instruction. MB: lines touched. One sector: "
      "requests of an instruction for one line that touch a single sector. Intra: written lines whose words are all "
      "equal at the end of a launch. Inter: other written lines with the content of another one. Shared: loaded "
      "lines "
      "that several SMs load in a launch, when block b runs on SM b mod {}. It is an upper bound of replication. Of "
      "loads: the share of the loads' line requests that go to shared lines. Affine ld, st: loads and stores of "
      "4-byte "
      "elements whose values are base + lane x stride. These are functional runs: no caches, no timing.",
      sms);
}

void print_text(const std::vector<MeasuredWorkload>& all, const WorkloadsOptions& o, double seconds) {
  std::vector<Table::Column> head = columns();
  head.push_back({"expected", Table::Align::left});
  Table table(head);
  for (const MeasuredWorkload& m : all) {
    std::vector<std::string> row = cells(m);
    row.push_back(m.info->expected);
    table.add(row);
  }
  fmt::print("{}\n{}\n{} workloads in {:.1f} CPU seconds\n", table.text(), legend(o.sms), all.size(), seconds);
}

/// The options that are not as usual, as they were given.
std::string given(const WorkloadsOptions& o) {
  const WorkloadsOptions usual;
  std::string text = " --scale " + o.scale;
  for (const std::string& name : o.names) text += " " + name;
  if (!o.input.empty()) text += " --input " + o.input;
  for (const std::string& size : o.sizes) text += " --size " + size;
  if (o.seed != usual.seed) text += fmt::format(" --seed {}", o.seed);
  if (o.sms != usual.sms) text += fmt::format(" --sms {}", o.sms);
  return text;
}

/// Words of one paragraph in lines of at most 118 characters.
std::string wrapped_paragraph(const std::string& text) {
  std::istringstream words(text);
  std::string out, line, word;
  while (words >> word) {
    if (!line.empty() && line.size() + 1 + word.size() > 118) {
      out += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return out + line;
}

/// Names of the suites (papers) that the workload is in.
std::string papers(const std::string& workload) {
  std::vector<std::string> in;
  for (const std::string& name : workloads::suite_names()) {
    if (name == "all") continue;
    const workloads::Suite suite = workloads::load_suite(name);
    if (std::any_of(suite.runs.begin(), suite.runs.end(), [&](const auto& r) { return r.workload == workload; }))
      in.push_back(name);
  }
  return fmt::format("{}", fmt::join(in, ", "));
}

/// The table of scale `paper`: what the suites' standard runs use, and what runs here.
void print_paper_scale(const std::vector<MeasuredWorkload>& all, const WorkloadsOptions& o) {
  fmt::print(
      "# Workloads at scale `paper`\n\nMade by `warpsieve workloads{} --format md`. "
      "The papers name benchmarks, not inputs.\n"
      "So each workload has the input of its suite's standard run. Where that fits into an L2 of 4 MB, ours is at\n"
      "least three times this L2. Inputs that are not known are as large. \"For time\" marks inputs that are cut.\n"
      "What is cut is at least three times the L2 of its paper's machine.\n\n"
      "| workload | suite | papers | input of the standard run | sizes here | MB | WMI, M | warp instructions, M |\n"
      "| --- | --- | --- | --- | --- | --: | --: | --: |\n",
      given(o));
  for (const MeasuredWorkload& m : all) {
    std::vector<std::string> sizes;
    for (const workloads::Parameter& p : m.info->parameters)
      if (p.choices.empty() || !p.paper.empty())
        sizes.push_back(p.name + " " + p.default_for(workloads::Scale::paper));
    fmt::print("| {} | {} | {} | {} | {} | {:.1f} | {:.3f} | {:.1f} |\n", m.info->name, m.info->suite,
               papers(m.info->name), m.info->paper.standard, fmt::join(sizes, ", "),
               static_cast<double>(m.p.footprint) / (1 << 20), static_cast<double>(m.p.counts.wmi()) / 1e6,
               static_cast<double>(m.p.counts.warp_instructions) / 1e6);
  }
}

void print_markdown(const std::vector<MeasuredWorkload>& all, const WorkloadsOptions& o) {
  fmt::print("# Workloads\n\n{}\n\n{}\n\n",
             wrapped_paragraph(fmt::format(
                 "Made by `warpsieve workloads{} --format md`. Every kernel runs functionally, and its result "
                 "is checked against a plain reference.",
                 given(o))),
             wrapped_paragraph(legend(o.sms)));
  std::vector<std::string> titles, rules;
  for (const Table::Column& c : columns()) {
    titles.push_back(c.title);
    rules.emplace_back(c.align == Table::Align::left ? "---" : "--:");
  }
  fmt::print("| {} |\n| {} |\n", fmt::join(titles, " | "), fmt::join(rules, " | "));
  for (const MeasuredWorkload& m : all) fmt::print("| {} |\n", fmt::join(cells(m), " | "));
  fmt::print(
      "\n## What they are, and what the benchmark sources let expect at full size\n\n"
      "| workload | what | expected | input file |\n| --- | --- | --- | --- |\n");
  for (const MeasuredWorkload& m : all)
    fmt::print("| {} | {} | {} | {} |\n", m.info->name, m.info->doc, m.info->expected,
               workloads::input_kind(m.info->input));
  fmt::print("\n## Input files (`--input FILE`)\n\n{}\n| input file | formats | workloads |\n| --- | --- | --- |\n",
             wrapped_paragraph(kInputRules) + "\n");
  for (const auto& kind : workloads::input_kinds())
    fmt::print("| {} | {} | {} |\n", kind.what, kind.formats, fmt::join(kind.workloads, ", "));
  fmt::print("\n## Suites (`warpsieve run --suite NAME`)\n\n| suite | what | workloads |\n| --- | --- | --- |\n");
  for (const std::string& name : workloads::suite_names()) {
    const workloads::Suite suite = workloads::load_suite(name);
    std::vector<std::string> runs;
    for (const auto& run : suite.runs) {
      runs.push_back(run.workload);
      for (const auto& [key, value] : run.set) runs.back() += fmt::format(" ({}={})", key, value);
    }
    fmt::print("| {} | {} | {} |\n", name, suite.doc, fmt::join(runs, ", "));
  }
}

void print_records(const std::vector<MeasuredWorkload>& all, const WorkloadsOptions& o) {
  ordered_json out = {{"format", "warpsieve-workloads-1"},
                      {"scale", o.scale},
                      {"input", o.input},
                      {"sizes", o.sizes},
                      {"seed", o.seed},
                      {"sms", o.sms}};
  out["workloads"] = ordered_json::array();
  for (const MeasuredWorkload& m : all) {
    const Properties& p = m.p;
    out["workloads"].push_back({{"workload", m.info->name},
                                {"suite", m.info->suite},
                                {"launches", p.counts.launches},
                                {"blocks", p.counts.blocks},
                                {"warps", p.counts.warps},
                                {"warp_instructions", p.counts.warp_instructions},
                                {"loads", p.counts.loads},
                                {"stores", p.counts.stores},
                                {"atomics", p.counts.atomics},
                                {"sectors", p.counts.requests},
                                {"line_requests", p.line_requests},
                                {"one_sector_requests", p.one_sector},
                                {"footprint_bytes", p.footprint},
                                {"written_lines", p.written_lines},
                                {"intra_duplicates", p.intra},
                                {"inter_duplicates", p.inter},
                                {"loaded_lines", p.loaded_lines},
                                {"shared_lines", p.shared_lines},
                                {"load_requests", p.load_requests},
                                {"shared_requests", p.shared_requests},
                                {"load_vectors", p.load_vectors},
                                {"affine_loads", p.affine_loads},
                                {"store_vectors", p.store_vectors},
                                {"affine_stores", p.affine_stores},
                                {"wrong", p.wrong},
                                {"expected", m.info->expected}});
  }
  print_json(out);
}

void print(const std::vector<MeasuredWorkload>& all, const WorkloadsOptions& o, std::clock_t start) {
  if (o.format == "json")
    print_records(all, o);
  else if (o.format == "md")
    o.scale == "paper" ? print_paper_scale(all, o) : print_markdown(all, o);
  else
    print_text(all, o, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
}

}  // namespace

void declare_workloads(CLI::App& command, WorkloadsOptions& o) {
  command.add_option("names", o.names, "Workloads; all when none is named");
  command.add_option("--scale", o.scale, fmt::format("Size: {}", workloads::kScales))->capture_default_str();
  command.add_option("--format", o.format, "text, json or md")
      ->check(one_of({"text", "json", "md"}))
      ->capture_default_str();
  add_input(command, o.input, o.sizes);
  command.add_option("--size", o.sizes, "Workload parameter name=value (repeatable)");
  command.add_option("--seed", o.seed, "Seed of generated inputs")->transform(whole_number())->capture_default_str();
  command
      .add_option("--sms", o.sms, "SMs that blocks are dealt to in turn, for the share of lines they have in common")
      ->transform(whole_number(1, 4096))
      ->capture_default_str();
}

ExitCode workloads_command(const WorkloadsOptions& o) {
  const workloads::WorkloadOptions options = {
      .input = o.input, .set = run::size_settings(o.sizes), .scale = workloads::parse_scale(o.scale), .seed = o.seed};
  std::vector<const workloads::WorkloadInfo*> infos;
  if (o.names.empty())
    for (const auto& info : workloads::workload_list()) infos.push_back(&info);
  for (const std::string& name : o.names) infos.push_back(&workloads::workload_info(name));
  for (const workloads::WorkloadInfo* info : infos) workloads::Settings(*info, options);  // before the first is run
  std::vector<MeasuredWorkload> all;
  const std::clock_t start = std::clock();
  std::string problems;
  for (const workloads::WorkloadInfo* info : infos) {
    try {
      const auto w = workloads::make_workload(info->name, options);
      all.push_back({info, workloads::measure(*w, o.sms, run::throw_if_interrupted)});
    } catch (...) {  // interrupted, or an input that this workload cannot take: what was measured is shown
      if (!all.empty()) print(all, o, start);
      throw;
    }
    if (!all.back().p.wrong.empty())
      problems += fmt::format("{}: wrong result: {}\n", info->name, all.back().p.wrong);
  }
  print(all, o, start);
  fmt::print(stderr, "{}", problems);
  return problems.empty() ? kOk : kWrong;
}

}  // namespace warpsieve::cli
