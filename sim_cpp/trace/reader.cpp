#include "trace/reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace warpsieve::trace {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxBytes = std::uint64_t{4} << 30;  ///< as simt::kMaxImageBytes

/// Calls `read` with the JSON of the block's only column.
template <class F>
void with_json(const Block& block, const BlockReader& in, F&& read) {
  const auto& text = block.columns[0].planes;
  try {
    read(json::parse(text.begin(), text.end()));
  } catch (const json::exception& error) {
    in.fail(fmt::format("{} block: {}", name(block.section), error.what()));
  }
}

/// The library would cut what does not fit.
template <class Whole>
void get_whole(const json& value, const char* key, const BlockReader& in, Whole& out) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<Whole>::max())
    in.fail(fmt::format("'{}' is {}: expected a whole number of at most {}", key, value.dump(),
                        std::numeric_limits<Whole>::max()));
  out = value.get<Whole>();
}

}  // namespace

TraceReader::TraceReader(const std::string& path) : in_(path) {
  in_.next(block_);
  if (block_.section != Section::program)
    in_.fail(fmt::format("a {} block: expected the program block", name(block_.section)));
  read_program();
  decoder_ = RecordDecoder(program_.base, program_.bytes);
}

void TraceReader::expect_columns(std::initializer_list<unsigned> widths) const {
  bool right = block_.columns.size() == widths.size();
  if (right) {
    std::size_t c = 0;
    for (const unsigned width : widths) right &= block_.columns[c++].width == width;
  }
  if (!right) in_.fail(fmt::format("{} block: wrong number or width of columns", name(block_.section)));
}

void TraceReader::read_program() {
  expect_columns({1});
  with_json(block_, in_, [this](const json& j) {
    j.at("workload").get_to(program_.workload);
    j.at("tool").get_to(program_.tool);
    j.at("made_with").get_to(program_.made_with);
    j.at("values").get_to(program_.values);
    get_whole(j.at("base"), "base", in_, program_.base);
    get_whole(j.at("bytes"), "bytes", in_, program_.bytes);
    for (const json& range : j.at("order_dependent").get<std::vector<json>>()) {
      auto& [at, n] = program_.order_dependent.emplace_back();
      get_whole(range.at(0), "order_dependent", in_, at);
      get_whole(range.at(1), "order_dependent", in_, n);
    }
  });
  const auto inside = [this](simt::Addr at, std::uint64_t n) {
    return at >= program_.base && at - program_.base <= program_.bytes && n <= program_.bytes - (at - program_.base);
  };
  if (std::find(std::begin(kValues), std::end(kValues), program_.values) == std::end(kValues))
    in_.fail(fmt::format("values '{}': expected one of {}", program_.values, fmt::join(kValues, ", ")));
  if (program_.base % 256 != 0 || program_.base >= kAddressSpace || program_.bytes > kMaxBytes ||
      program_.bytes % 256 != 0 || program_.base + program_.bytes > kAddressSpace)
    in_.fail(
        fmt::format("device memory of {} bytes at {:#x}: expected multiples of 256, at most {} bytes, below 2^40",
                    program_.bytes, program_.base, kMaxBytes));
  for (const auto& [at, n] : program_.order_dependent)
    if (!inside(at, n)) in_.fail(fmt::format("order-dependent range at {:#x} outside of device memory", at));
}

void TraceReader::check_order(Section s) {
  const bool after_image = last_ == Section::program || last_ == Section::image;
  bool right = false;
  switch (s) {
    case Section::program: break;
    case Section::image: right = after_image; break;
    case Section::launch:
    case Section::host_write: right = last_ != Section::change; break;
    case Section::records: right = last_ == Section::launch || last_ == Section::records; break;
    case Section::change: right = true; break;
    case Section::end: right = true; break;
  }
  if (!right) in_.fail(fmt::format("a {} block after a {} block", name(s), name(last_)));
  if (!after_image || s == Section::image) return;
  const bool all_zero = program_.values == "none" || program_.values == "zero";
  if (image_end_ != program_.bytes && !(all_zero && image_end_ == 0))
    in_.fail(fmt::format("the image blocks hold {} bytes: expected {}", image_end_, program_.bytes));
}

Section TraceReader::next() {
  in_.next(block_);
  const Section s = block_.section;
  check_order(s);
  if (s != Section::records && in_launch_) {
    if (decoder_.thread_blocks() != launch_.blocks || !decoder_.between_thread_blocks())
      in_.fail(fmt::format("the launch of {} before it has {} of {} thread blocks", launch_.kernel,
                           decoder_.thread_blocks(), launch_.blocks));
    in_launch_ = false;
  }
  switch (s) {
    case Section::program: break;
    case Section::image:
    case Section::change: check_memory(); break;
    case Section::launch: read_launch(); break;
    case Section::records: decoder_.decode(block_, in_); break;
    case Section::host_write: check_host_writes(); break;
    case Section::end: check_end(); break;
  }
  last_ = s;
  return s;
}

simt::BlockTrace TraceReader::take_thread_block() {
  simt::BlockTrace out = std::move(decoder_.ready().front());
  decoder_.ready().pop_front();
  return out;
}

void TraceReader::check_memory() {
  expect_columns({8, 1});
  if (block_.columns[0].size() != 1) in_.fail(fmt::format("{} block: expected one offset", name(block_.section)));
  offset_ = block_.columns[0].get<8>(0);
  const std::uint64_t n = bytes().size();
  if (block_.section == Section::change && image_end_ == 0)
    in_.fail("a change block in a trace without image blocks");
  std::uint64_t& end = block_.section == Section::image ? image_end_ : change_end_;
  const bool gap = block_.section == Section::image && offset_ != end;
  if (gap || offset_ < end || n == 0 || offset_ > program_.bytes || n > program_.bytes - offset_)
    in_.fail(fmt::format("{} block: {} bytes at offset {} of {}, after {}", name(block_.section), n, offset_,
                         program_.bytes, end));
  end = offset_ + n;
}

void TraceReader::read_launch() {
  expect_columns({1});
  with_json(block_, in_, [this](const json& j) {
    j.at("kernel").get_to(launch_.kernel);
    get_whole(j.at("blocks"), "blocks", in_, launch_.blocks);
    get_whole(j.at("threads"), "threads", in_, launch_.threads);
    get_whole(j.at("shared_bytes"), "shared_bytes", in_, launch_.shared_bytes);
    get_whole(j.at("registers"), "registers", in_, launch_.registers);
  });
  if (launch_.blocks == 0 || launch_.threads == 0 || launch_.threads > 1024)
    in_.fail(fmt::format("kernel {}: {} blocks of {} threads: expected at least 1 of 1 to 1024", launch_.kernel,
                         launch_.blocks, launch_.threads));
  decoder_.start(launch_);
  in_launch_ = true;
}

void TraceReader::check_host_writes() {
  expect_columns({8, 4, 1});
  const Column &address = block_.columns[0], &size = block_.columns[1];
  if (size.size() != address.size()) in_.fail("host write block: as many sizes as addresses expected");
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < size.size(); ++i) {
    const simt::Addr at = address.get<8>(i);
    const std::uint64_t n = size.get<4>(i) & ~std::uint64_t{kContinues};
    sum += n;
    const bool continues = (size.get<4>(i) & kContinues) != 0;
    if (continues && (at != write_end_ || (i == 0 && last_ != Section::host_write)))
      in_.fail(fmt::format("host write at {:#x} continues nothing", at));
    write_end_ = at + n;
    if (at < program_.base || at - program_.base > program_.bytes || n > program_.bytes - (at - program_.base))
      in_.fail(fmt::format("host write of {} bytes at {:#x} outside of device memory", n, at));
  }
  if (sum != block_.columns[2].size())
    in_.fail(fmt::format("host write block: {} bytes for {}", block_.columns[2].size(), sum));
}

void TraceReader::append_host_writes(std::vector<simt::HostWrite>& writes) {
  const Column &address = block_.columns[0], &size = block_.columns[1];
  const std::uint8_t* data = block_.columns[2].planes.data();
  for (std::size_t i = 0; i < size.size(); ++i) {
    const auto word = static_cast<std::uint32_t>(size.get<4>(i));
    const std::uint32_t n = word & ~kContinues;
    if (!(word & kContinues) || writes.empty()) writes.push_back({address.get<8>(i), {}});
    writes.back().bytes.insert(writes.back().bytes.end(), data, data + n);
    data += n;
  }
}

void TraceReader::check_end() {
  expect_columns({8});
  const Totals& t = decoder_.totals();
  const std::uint64_t want[] = {t.launches, t.thread_blocks, t.warps, t.records};
  bool right = block_.columns[0].size() == std::size(want);
  for (std::size_t i = 0; right && i < std::size(want); ++i) right = block_.columns[0].get<8>(i) == want[i];
  if (!right)
    in_.fail(fmt::format("totals differ from the {} launches, {} thread blocks, {} warps and {} records before",
                         t.launches, t.thread_blocks, t.warps, t.records));
  in_.expect_end();
}

}  // namespace warpsieve::trace
