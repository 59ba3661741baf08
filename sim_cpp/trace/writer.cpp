#include "trace/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace warpsieve::trace {
namespace {

constexpr std::size_t kWritesPerBlock = 8192;

Column text(const nlohmann::ordered_json& json) {
  // A name may hold bytes that are no UTF-8; JSON cannot.
  const std::string s = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  Column c;
  c.planes.assign(s.begin(), s.end());
  return c;
}

}  // namespace

TraceWriter::TraceWriter(const std::string& path, const ProgramInfo& info) : out_(path) {
  nlohmann::ordered_json json = {{"workload", info.workload}, {"tool", info.tool}, {"made_with", info.made_with},
                                 {"values", info.values},     {"base", info.base}, {"bytes", info.bytes}};
  json["order_dependent"] = nlohmann::ordered_json::array();
  for (const auto& [at, n] : info.order_dependent) json["order_dependent"].push_back({at, n});
  out_.write(Section::program, {text(json)});
}

void TraceWriter::memory(Section section, std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  ColumnBuilder where(8), what(1);
  where.add(offset);
  what.add(bytes);
  out_.write(section, {where.take(), what.take()});
}

void TraceWriter::image(std::span<const std::uint8_t> bytes) {
  initial_.assign(bytes.begin(), bytes.end());
  for (std::size_t at = 0; at < bytes.size(); at += kImagePart)
    memory(Section::image, at, bytes.subspan(at, std::min(kImagePart, bytes.size() - at)));
}

void TraceWriter::host_writes(const std::vector<simt::HostWrite>& writes) {
  flush();
  ColumnBuilder address(8), size(4), data(1);
  std::size_t parts = 0;
  const auto emit = [&] {
    if (parts == 0) return;
    out_.write(Section::host_write, {address.take(), size.take(), data.take()});
    parts = 0;
  };
  for (const simt::HostWrite& w : writes)
    for (std::size_t done = 0; done < w.bytes.size();) {
      if (parts == kWritesPerBlock || data.bytes() == kImagePart) emit();
      const std::size_t n = std::min(w.bytes.size() - done, kImagePart - data.bytes());
      address.add(w.address + done);
      size.add(static_cast<std::uint32_t>(n) | (done ? kContinues : 0));
      data.add(std::span(w.bytes).subspan(done, n));
      done += n;
      ++parts;
    }
  emit();
}

void TraceWriter::launch(const simt::LaunchShape& shape) {
  flush();
  ++totals_.launches;
  out_.write(Section::launch, {text({{"kernel", shape.kernel},
                                     {"blocks", shape.blocks},
                                     {"threads", shape.threads},
                                     {"shared_bytes", shape.shared_bytes},
                                     {"registers", shape.registers}})});
}

void TraceWriter::thread_block(const simt::BlockTrace& block) {
  ++totals_.thread_blocks;
  for (const simt::WarpTrace& warp : block.warps) {
    ++totals_.warps;
    totals_.records += warp.instrs.size();
    const bool last = &warp == &block.warps.back();
    std::size_t next = 0;
    do {
      if (records_.full()) flush();
      next = records_.add(warp, next, last);
    } while (next < warp.instrs.size());
  }
}

void TraceWriter::flush() {
  if (records_.empty()) return;
  const std::uint64_t before = out_.bytes();
  out_.write(Section::records, records_.take());
  record_bytes_ += out_.bytes() - before;
}

void TraceWriter::finish(std::span<const std::uint8_t> image) {
  flush();
  if (image.size() != initial_.size()) throw std::logic_error("trace: device memory changed its size");
  std::vector<std::uint8_t> part;
  for (std::size_t at = 0; at < image.size(); at += kImagePart) {
    const std::size_t n = std::min(kImagePart, image.size() - at);
    if (std::equal(image.begin() + static_cast<std::ptrdiff_t>(at),
                   image.begin() + static_cast<std::ptrdiff_t>(at + n),
                   initial_.begin() + static_cast<std::ptrdiff_t>(at)))
      continue;
    part.resize(n);
    for (std::size_t i = 0; i < n; ++i) part[i] = image[at + i] ^ initial_[at + i];
    memory(Section::change, at, part);
  }
  ColumnBuilder totals(8);
  for (const std::uint64_t n : {totals_.launches, totals_.thread_blocks, totals_.warps, totals_.records})
    totals.add(n);
  out_.write(Section::end, {totals.take()});
  out_.finish();
}

Totals record(simt::Workload& workload, const std::string& path, ProgramInfo info,
              const std::function<void(const Totals&)>& progress) {
  workload.setup();
  info.base = workload.base();
  info.bytes = workload.image().size();
  info.order_dependent = workload.order_dependent();
  TraceWriter out(path, info);
  out.image(workload.image());
  for (;;) {
    const auto launch = workload.next_launch();
    out.host_writes(workload.take_host_writes());
    if (!launch) break;
    out.launch(launch->shape());
    for (std::uint32_t b = 0; b < launch->shape().blocks; ++b) {
      out.thread_block(launch->run_block(b));
      if (progress) progress(out.totals());
    }
  }
  if (const std::string wrong = workload.verify(); !wrong.empty())
    throw TraceError(fmt::format("{}: not written: {} gives a wrong result: {}", path, info.workload, wrong));
  if (workload.order_dependent() != info.order_dependent)
    throw std::logic_error("trace: the order-dependent ranges changed during the run");
  out.finish(workload.image());
  return out.totals();
}

}  // namespace warpsieve::trace
