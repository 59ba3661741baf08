#include "trace/replay.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpsieve::trace {
namespace {

class ReplayLaunch final : public simt::Launch {
 public:
  explicit ReplayLaunch(TraceReader& reader) : reader_(reader), shape_(reader.launch()) {}
  const simt::LaunchShape& shape() const override { return shape_; }
  simt::BlockTrace run_block(std::uint32_t index) override {
    if (index != next_ || index >= shape_.blocks)
      throw std::logic_error(fmt::format("trace of kernel '{}': block {} of {} asked for, block {} is next",
                                         shape_.kernel, index, shape_.blocks, next_));
    ++next_;
    // The reader refuses the block behind a launch that is not complete, so this ends.
    while (!reader_.has_thread_block()) reader_.next();
    return reader_.take_thread_block();
  }

 private:
  TraceReader& reader_;
  simt::LaunchShape shape_;
  std::uint32_t next_ = 0;
};

std::string checked(const std::string& path) {
  check_read_twice(path);
  check_file(path);
  return path;
}

}  // namespace

Totals check_file(const std::string& path) {
  TraceReader reader(path);
  while (reader.next() != Section::end)
    while (reader.has_thread_block()) reader.take_thread_block();
  return reader.totals();
}

TraceWorkload::TraceWorkload(const std::string& path)
    : reader_(checked(path)), name_(fmt::format("trace:{}", reader_.program().workload)) {
  if (values() != kValues[0]) name_ += fmt::format(" [values {}]", values());
}

void TraceWorkload::setup() {
  image_ = ZeroedBytes(reader_.program().bytes);
  blank_ = values() == "none";
  for (; (section_ = reader_.next()) == Section::image; blank_ = false) {
    const auto part = reader_.bytes();
    std::copy(part.begin(), part.end(), image_.data() + reader_.offset());
  }
}

std::unique_ptr<simt::Launch> TraceWorkload::next_launch() {
  // After the first launch the block under way is its last records block.
  while (section_ != Section::end) {
    if (section_ == Section::host_write) {
      reader_.append_host_writes(host_writes_);
    } else if (section_ == Section::change) {
      const auto part = reader_.bytes();
      for (std::size_t i = 0; i < part.size(); ++i) image_.data()[reader_.offset() + i] ^= part[i];
    } else if (section_ == Section::launch) {
      section_ = Section::records;
      return std::make_unique<ReplayLaunch>(reader_);
    }
    section_ = reader_.next();
  }
  return nullptr;
}

}  // namespace warpsieve::trace
