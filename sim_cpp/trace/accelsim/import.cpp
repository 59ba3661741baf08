#include "trace/accelsim/import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <set>
#include <utility>

#include "core/output_file.h"
#include "trace/accelsim/warp_builder.h"
#include "trace/writer.h"

namespace warpsieve::trace::accelsim {
namespace {

/// What the first reading finds.
struct Survey {
  MemoryMap map;
  std::vector<LocalMemory> local;  ///< of each launch
  std::vector<bool> in_order;      ///< thread blocks of each launch
  UnknownOpcodes unknown;
  std::set<std::uint32_t> tracers, machines;
};

void use_memory(Survey& survey, LocalMemory& local, const KernelReader& in, const Instruction& i) {
  if (i.space != Space::global && i.space != Space::local) return;
  const auto lanes = static_cast<unsigned>(std::popcount(i.mask));
  const bool atomic = i.opcode.kind == OpClass::global_atomic || i.opcode.kind == OpClass::generic_atomic;
  for (unsigned k = 0; k < lanes; ++k) {
    const std::uint64_t at = i.address[k];
    if (!atomic && at % i.opcode.bytes != 0)
      in.fail(fmt::format("addresses that are multiples of {}", i.opcode.bytes), fmt::format("{:#x}", at));
    if (i.space == Space::global) {
      if (!survey.map.use(at, i.opcode.bytes))
        in.fail("at most 4 GiB of device memory in pages of 64 KiB", fmt::format("more, at address {:#x}", at));
      continue;
    }
    const std::uint64_t word = local_word(in.header(), i, k);
    local.first = std::min(local.first, word);
    local.last = std::max(local.last, word + std::max(1u, i.opcode.bytes / 4) - 1);
    if (local.words() * 4 > LocalMemory::kMaxBytesPerThread)
      in.fail(fmt::format("local addresses of a kernel within {} bytes", LocalMemory::kMaxBytesPerThread),
              fmt::format("{:#x} beside {:#x}", 4 * local.last, 4 * local.first));
  }
}

Survey survey_all(const std::vector<Command>& commands, const ImportOptions& o,
                  const std::function<void()>& progress) {
  const std::string& list = o.list;
  Survey out;
  for (const Command& command : commands) {
    if (command.kind == Command::Kind::copy_to_device) {
      if (command.bytes != 0 && command.address + (command.bytes - 1) < command.address)
        throw TraceError(fmt::format("{}:{}: expected addresses from 0 to 2^64 - 1, found {:#x} + {}", list,
                                     command.line, command.address, command.bytes - 1));
      if (!out.map.use(command.address, command.bytes))
        throw TraceError(
            fmt::format("{}:{}: expected at most 4 GiB of device memory in pages of 64 KiB, found a copy of "
                        "{} bytes to {:#x}",
                        list, command.line, command.bytes, command.address));
      continue;
    }
    check_read_twice(command.kernel);
    KernelReader in(command.kernel, o.strict ? nullptr : &out.unknown);
    LocalMemory& local = out.local.emplace_back();
    while (in.next_thread_block([&](std::uint32_t, const Instruction& i) { use_memory(out, local, in, i); }))
      if (progress) progress();
    out.in_order.push_back(in.in_order());
    local.lay_out(in.header());
    if (local.used() && !out.map.use_local(local.bytes()))
      in.fail("at most 4 GiB of device memory", fmt::format("{} bytes of local memory more", local.bytes()));
    out.tracers.insert(in.header().tracer_version);
    out.machines.insert(in.header().binary_version);
  }
  if (out.local.empty()) throw TraceError(fmt::format("{}:1: expected at least one kernel, found none", list));
  out.map.settle();
  return out;
}

/// Where there is room for something as large as the output.
std::string spill_folder(const std::string& output) {
  const OutputTarget target = output_target(output);
  std::error_code ignored;
  return target.direct ? std::filesystem::temp_directory_path(ignored).string()
                       : std::filesystem::path(target.path).parent_path().string();
}

std::string name_of(const ImportOptions& o) {
  if (!o.name.empty()) return o.name;
  std::error_code ignored;
  const std::string folder = std::filesystem::absolute(o.list, ignored).lexically_normal().parent_path().filename();
  return folder.empty() ? "accel-sim" : folder;
}

}  // namespace

ImportReport import_trace(const ImportOptions& o, const std::function<void()>& progress) {
  const CommandList list = read_command_list(o.list);
  const std::vector<Command>& commands = list.commands;
  std::vector<std::string> inputs = {o.list};
  for (const Command& command : commands) inputs.push_back(command.kernel);
  check_not_input(o.output, inputs);
  Survey survey = survey_all(commands, o, progress);
  ProgramInfo info;
  info.workload = name_of(o);
  info.tool = o.tool;
  info.values = name(o.values);
  info.made_with = fmt::format("Accel-Sim tracer version {}, sm_{}, values {}", fmt::join(survey.tracers, " and "),
                               fmt::join(survey.machines, " and sm_"), info.values);
  if (o.values == Values::random) info.made_with += fmt::format(" seed {}", o.seed);
  if (survey.unknown.instructions())
    info.made_with += fmt::format(", {} instructions of unknown opcodes", survey.unknown.instructions());
  info.base = MemoryMap::kBase;
  info.bytes = survey.map.bytes();

  const ValueRule rule(o.values, o.seed);
  DeviceMemory memory{survey.map, rule, 0, std::vector<std::uint8_t>(rule.all_zero() ? 0 : info.bytes)};
  rule.fill(memory.image, info.base, 0);
  TraceWriter out(o.output, info);
  out.image(memory.image);  // none where all is zero
  ImportReport report;
  report.bytes = info.bytes;
  report.skipped = list.skipped;
  report.first_skipped = list.first_skipped;
  report.unknown = survey.unknown.list();
  UnknownOpcodes again;  // they have been counted
  std::vector<simt::HostWrite> copies;
  std::size_t launch = 0;
  for (const Command& command : commands) {
    if (launch != 0 || command.kind == Command::Kind::launch) ++memory.epoch;
    if (command.kind == Command::Kind::copy_to_device) {
      ++report.copies;
      if (launch == 0 || command.bytes == 0) continue;  // the image at the start holds it
      simt::HostWrite& copy = copies.emplace_back();
      copy.address = survey.map.device(command.address);
      for (std::uint64_t done = 0; done < command.bytes; done += kImagePart)
        memory.write(copy.address + done,
                     static_cast<unsigned>(std::min<std::uint64_t>(kImagePart, command.bytes - done)), copy.bytes);
      continue;
    }
    KernelReader in(command.kernel, &again);
    if (!survey.in_order.at(launch)) {
      ++report.sorted;
      in.sort(spill_folder(o.output), progress);
    }
    const KernelHeader& header = in.header();
    out.host_writes(std::exchange(copies, {}));
    out.launch({header.name, header.blocks(), header.threads(), header.shared_bytes, header.registers});
    WarpBuilder builder(memory, header, survey.local.at(launch++));
    for (std::uint32_t b = 0;; ++b) {
      simt::BlockTrace block;
      block.block = b;
      block.warps.resize(header.warps());
      std::uint32_t now = 0;
      builder.start(b, now);
      const bool more = in.next_thread_block([&](std::uint32_t warp, const Instruction& i) {
        while (now < warp) {  // warps without an instruction included
          block.warps[now++] = builder.take();
          builder.start(b, now);
        }
        ++report.instructions;
        report.inactive += i.mask == 0;
        if (i.mask != 0) builder.add(i);
      });
      if (!more) break;
      block.warps[now] = builder.take();
      out.thread_block(block);
      if (progress) progress();
    }
  }
  out.host_writes(copies);
  out.finish(memory.image);
  report.totals = out.totals();
  return report;
}

}  // namespace warpsieve::trace::accelsim
