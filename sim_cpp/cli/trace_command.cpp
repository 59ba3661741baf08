#include "cli/trace_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <bit>
#include <cstdio>
#include <map>

#include "cli/input_option.h"
#include "cli/json_output.h"
#include "cli/measure.h"
#include "cli/numbers.h"
#include "cli/table.h"
#include "core/output_file.h"
#include "core/short_name.h"
#include "run/interrupt.h"
#include "run/simulate.h"
#include "run/version.h"
#include "trace/accelsim/import.h"
#include "trace/reader.h"
#include "trace/replay.h"
#include "trace/writer.h"
#include "workloads/registry.h"

namespace warpsieve::cli {
namespace {

using simt::BlockTrace;
using simt::Op;
using simt::WarpInstr;
using trace::Section;
using trace::TraceReader;

const char* name_of(const WarpInstr& i) {
  static constexpr const char* kOps[] = {"alu", "sfu", "load", "store", "atomic", "shared", "constant", "barrier"};
  static constexpr const char* kAtomics[] = {"atomic.add.u32", "atomic.add.f32",  "atomic.min.u32",
                                             "atomic.max.u32", "atomic.exch.u32", "atomic.cas.u32"};
  return i.op == Op::atomic ? kAtomics[static_cast<unsigned>(i.atomic)] : kOps[static_cast<unsigned>(i.op)];
}

/// Reads to the end block, or with --salvage to the first damaged one. `each` gets every section after it was read.
template <class F>
void read_all(TraceReader& in, const TraceOptions& o, F&& each) {
  try {
    for (Section s = Section::program; s != Section::end;) {
      run::throw_if_interrupted();
      s = in.next();
      each(s);
    }
  } catch (const trace::TraceError& error) {
    if (!o.salvage) throw;
    fmt::print(stderr, "warpsieve: {}; what stands before it was read\n", error.what());
  }
}

void print_totals(const trace::Totals& t, std::FILE* to = stdout) {
  fmt::print(to, "{} launches, {} thread blocks, {} warps, {} records\n", t.launches, t.thread_blocks, t.warps,
             t.records);
}

ExitCode record(const TraceOptions& o) {
  if (trace::names_trace(o.workload))
    throw workloads::WorkloadError(fmt::format(
        "trace record: {}: expected a workload, see run --list: a trace cannot be recorded again", o.workload));
  const workloads::WorkloadOptions options = {
      .input = o.input, .set = run::size_settings(o.sizes), .scale = workloads::parse_scale(o.scale), .seed = o.seed};
  check_not_input(o.file, {o.input});
  const auto workload = workloads::make_workload(o.workload, options);
  trace::ProgramInfo info;
  info.workload = o.workload;
  info.tool = "warpsieve " + run::version();
  info.made_with = fmt::format("scale {} seed {}", o.scale, o.seed);
  if (!o.input.empty()) info.made_with += " input " + o.input;
  if (!o.sizes.empty()) info.made_with += fmt::format(" size {}", fmt::join(o.sizes, " "));
  const trace::Totals totals =
      trace::record(*workload, o.file, info, [](const trace::Totals&) { run::throw_if_interrupted(); });
  std::FILE* const to = beside(o.file);
  fmt::print(to, "{}: ", o.file);
  print_totals(totals, to);
  return kOk;
}

void warn_of(const trace::accelsim::UnknownOpcode& u) {
  std::string line = fmt::format("{}:{}: opcode {} is not known: {} instructions count as {}", u.file, u.line, u.name,
                                 u.count, u.counts_as);
  if (u.accesses) line += fmt::format("; the accesses of {} of them are not simulated", u.accesses);
  fmt::print(stderr, "warpsieve: {}\n", line);
}

nlohmann::ordered_json to_json(const trace::accelsim::ImportReport& r, const TraceOptions& o) {
  auto unknown = nlohmann::ordered_json::array();
  std::uint64_t instructions = 0;
  for (const auto& u : r.unknown) {
    instructions += u.count;
    unknown.push_back({{"opcode", u.name},
                       {"counts_as", u.counts_as},
                       {"instructions", u.count},
                       {"accesses_not_simulated", u.accesses},
                       {"file", u.file},
                       {"line", u.line}});
  }
  return {{"format", "warpsieve-import-1"},
          {"trace", o.file},
          {"values", o.values},
          {"launches", r.totals.launches},
          {"thread_blocks", r.totals.thread_blocks},
          {"warps", r.totals.warps},
          {"records", r.totals.records},
          {"instructions", r.instructions},
          {"inactive", r.inactive},
          {"unknown_instructions", instructions},
          {"unknown_opcodes", unknown},
          {"copies", r.copies},
          {"device_memory_bytes", r.bytes},
          {"sorted_kernels", r.sorted},
          {"skipped_lines", r.skipped}};
}

ExitCode import_list(const TraceOptions& o) {
  const trace::accelsim::ImportOptions options = {.list = o.list,
                                                  .output = o.file,
                                                  .name = o.name,
                                                  .values = trace::accelsim::parse_values(o.values),
                                                  .seed = o.seed,
                                                  .tool = "warpsieve " + run::version(),
                                                  .strict = o.strict};
  const auto report = trace::accelsim::import_trace(options, run::throw_if_interrupted);
  for (const auto& unknown : report.unknown) warn_of(unknown);
  std::FILE* const to = beside(o.file);
  if (o.json) {
    print_json(to_json(report, o), to);
    return kOk;
  }
  fmt::print(to, "{}: ", o.file);
  print_totals(report.totals, to);
  fmt::print(
      to,
      "{} instructions read, {} of them without an active lane left out; {} copies from the host; device memory "
      "{} bytes, values {}\n",
      report.instructions, report.inactive, report.copies, report.bytes, o.values);
  if (report.skipped)
    fmt::print(to, "{} lines of the list skipped, neither kernels nor copies from the host; the first is {}\n",
               report.skipped, report.first_skipped);
  if (!report.unknown.empty()) {
    std::uint64_t instructions = 0;
    for (const auto& u : report.unknown) instructions += u.count;
    fmt::print(to, "{} instructions of {} unknown opcodes; --strict refuses them\n", instructions,
               report.unknown.size());
  }
  if (report.sorted) fmt::print(to, "thread blocks of {} launches put in order\n", report.sorted);
  if (options.values == trace::accelsim::Values::none)
    fmt::print(to,
               "schemes that look at data will refuse this trace; --values zero, random or address makes some up\n");
  return kOk;
}

ExitCode info(const TraceOptions& o) {
  TraceReader in(o.file);
  const trace::ProgramInfo& p = in.program();
  fmt::print("workload {} ({}), written by {}\ndevice memory {} bytes at {:#x}, values {}\n", p.workload, p.made_with,
             p.tool, p.bytes, p.base, p.values);
  struct Kernel {
    std::uint64_t launches = 0, thread_blocks = 0, records = 0;
  };
  std::map<std::string, Kernel> kernels;
  struct Kind {
    std::uint64_t blocks = 0, bytes = 0;
  };
  std::map<Section, Kind> kinds;
  std::uint64_t before = in.file_bytes(), records = 0;
  kinds[Section::program] = {1, before};
  read_all(in, o, [&](Section s) {
    ++kinds[s].blocks;
    kinds[s].bytes += in.file_bytes() - before;
    before = in.file_bytes();
    if (s != Section::launch && s != Section::records) return;
    Kernel& k = kernels[in.launch().kernel];
    k.launches += s == Section::launch;
    k.records += in.totals().records - records;
    records = in.totals().records;
    for (; in.has_thread_block(); in.take_thread_block()) ++k.thread_blocks;
  });
  print_totals(in.totals());
  Table launches({{"kernel", Table::Align::left}, {"launches"}, {"thread blocks"}, {"records"}});
  for (const auto& [name, k] : kernels)
    launches.add({short_name(name, kTableName), fmt::to_string(k.launches), fmt::to_string(k.thread_blocks),
                  fmt::to_string(k.records)});
  Table sections({{"section", Table::Align::left}, {"blocks"}, {"bytes"}, {"bytes per record"}});
  for (const auto& [s, k] : kinds)
    sections.add({std::string(trace::name(s)), fmt::to_string(k.blocks), fmt::to_string(k.bytes),
                  s == Section::records && records
                      ? fmt::format("{:.2f}", static_cast<double>(k.bytes) / static_cast<double>(records))
                      : ""});
  fmt::print("\n{}\n{}", launches.text(), sections.text());
  return kOk;
}

/// Prints instructions until the limit.
class Printer {
 public:
  explicit Printer(std::uint64_t limit) : left_(limit ? limit : ~std::uint64_t{0}) {}
  bool done() const { return left_ == 0; }
  void launch(const simt::LaunchShape& l) const {
    fmt::print("launch {}: {} blocks of {} threads, {} bytes of shared memory, {} registers\n",
               short_name(l.kernel, kTableName), l.blocks, l.threads, l.shared_bytes, l.registers);
  }
  void block(const BlockTrace& b) {
    for (std::size_t w = 0; w < b.warps.size() && left_; ++w) {
      fmt::print("thread block {} warp {}\n", b.block, w);
      for (std::size_t i = 0; i < b.warps[w].instrs.size() && left_; ++i, --left_) instruction(b.warps[w], i);
    }
  }

 private:
  static void instruction(const simt::WarpTrace& w, std::size_t number) {
    const WarpInstr& i = w.instrs[number];
    std::string line = fmt::format("  {} {} mask {:08x}", number, name_of(i), i.mask);
    if (i.count != 1) line += fmt::format(" x{}", i.count);
    if (i.op == Op::alu && i.singles()) line += fmt::format(" single {}", i.singles());
    if (i.op == Op::alu && i.doubles()) line += fmt::format(" double {}", i.doubles());
    if (i.unit() == simt::Unit::matrix) line += " matrix";
    if (i.op == Op::sfu && i.unit() == simt::Unit::double_precision) line += " double";
    if (i.op == Op::shared && i.passes() > 1) line += fmt::format(" passes {}", i.passes());
    if (i.sources) line += fmt::format(" from {}", fmt::join(i.source, i.source + i.sources, ","));
    if (trace::is_memory(i.op)) {
      const auto lanes = static_cast<unsigned>(std::popcount(i.mask));
      line += fmt::format(" {} bytes at", i.bytes);
      for (unsigned l = 0; l < lanes; ++l) line += fmt::format(" {:#x}", w.address(i, l));
      if (i.op != Op::load) {
        line += " data";
        for (unsigned l = 0; l < lanes; ++l) {
          line += ' ';
          for (unsigned b = i.bytes; b-- > 0;) line += fmt::format("{:02x}", w.data[i.values + l * i.bytes + b]);
        }
      }
    }
    fmt::print("{}\n", line);
  }

  std::uint64_t left_;
};

ExitCode cat(const TraceOptions& o) {
  TraceReader in(o.file);
  Printer printer(o.limit);
  struct Enough {};
  try {
    read_all(in, o, [&](Section s) {
      if (s == Section::launch) printer.launch(in.launch());
      while (in.has_thread_block()) printer.block(in.take_thread_block());
      if (s == Section::host_write) {
        std::vector<simt::HostWrite> writes;
        in.append_host_writes(writes);
        for (const simt::HostWrite& w : writes)
          fmt::print("host writes {} bytes at {:#x}\n", w.bytes.size(), w.address);
      }
      if (printer.done()) throw Enough{};
    });
    printer.block(in.take_partial());
  } catch (const Enough&) {
  }
  return kOk;
}

ExitCode verify(const TraceOptions& o) {
  const double start = cpu_seconds();
  TraceReader in(o.file);
  read_all(in, o, [&](Section) {
    while (in.has_thread_block()) in.take_thread_block();
  });
  const double seconds = cpu_seconds() - start;
  print_totals(in.totals());
  fmt::print("{} bytes read in {:.3f} CPU seconds: {:.2f} million records/s\n", in.file_bytes(), seconds,
             static_cast<double>(in.totals().records) / 1e6 / std::max(seconds, 1e-9));
  return kOk;
}

}  // namespace

void declare_trace(CLI::App& command, TraceOptions& o) {
  command.require_subcommand(1);
  command.footer("A trace stands for its workload: warpsieve run --workload trace:FILE");
  CLI::App& record = *command.add_subcommand("record", "Run a workload functionally and write its launches");
  record.add_option("workload", o.workload, "Workload, see run --list")->required();
  record.add_option("-o,--output", o.file, "Trace file")->required();
  record.add_option("--scale", o.scale, fmt::format("Size: {}", workloads::kScales))->capture_default_str();
  add_input(record, o.input, o.sizes);
  record.add_option("--size", o.sizes, "Workload parameter name=value (repeatable)");
  record.add_option("--seed", o.seed, "Seed of generated inputs")->transform(whole_number())->capture_default_str();
  CLI::App& importing =
      *command.add_subcommand("import", "Turn an Accel-Sim trace (tracer versions 3 to 5) into one");
  importing.add_option("list", o.list, "kernelslist.g, beside its .traceg files (plain, .gz or .xz)")->required();
  importing.add_option("-o,--output", o.file, "Trace file")->required();
  importing
      .add_option("--values", o.values,
                  "Data, which the trace does not hold: none (schemes that look at data refuse it), zero, random, or "
                  "address (every word holds its address)")
      ->capture_default_str();
  importing.add_option("--seed", o.seed, "Seed of --values random")->transform(whole_number())->capture_default_str();
  importing.add_flag("--strict", o.strict,
                     "Refuse opcodes that are not known; otherwise each counts as one instruction of its family");
  importing.add_flag("--json", o.json, "Summary as JSON");
  importing.add_option("--name", o.name, "Name of the program (default: the list's folder)");
  CLI::App& info = *command.add_subcommand("info", "What a trace holds, per kernel and per section");
  CLI::App& cat = *command.add_subcommand("cat", "Print warp instructions as text");
  cat.add_option("--limit", o.limit, "Stop after so many warp instructions (0: none)")
      ->transform(whole_number())
      ->capture_default_str();
  CLI::App& verify = *command.add_subcommand("verify", "Read and check everything; print the speed");
  for (CLI::App* reading : {&info, &cat, &verify}) {
    reading->add_option("file", o.file, "Trace file")->required();
    reading->add_flag("--salvage", o.salvage, "Read up to the first damaged block instead of refusing the file");
  }
  for (CLI::App* action : {&record, &importing, &info, &cat, &verify})
    action->final_callback([&o, action] { o.action = action->get_name(); });
}

ExitCode trace_command(const TraceOptions& o) {
  if (o.action == "record") return record(o);
  if (o.action == "import") return import_list(o);
  if (o.action == "info") return info(o);
  if (o.action == "cat") return cat(o);
  return verify(o);
}

}  // namespace warpsieve::cli
