#include "memsys/dispatcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace warpsieve::memsys {

void Dispatcher::start(simt::Launch& launch, const simt::LaunchShape& shape) {
  launch_ = &launch;
  shape_ = shape;
  executed_.clear();
  streams_.clear();
  pending_.reset();
  execute_next_ = next_block_ = blocks_done_ = turn_ = 0;
  room_ = false;
}

simt::BlockTrace Dispatcher::execute() {
  simt::BlockTrace trace = launch_->run_block(execute_next_++);
  streams_.share(trace);
  return trace;
}

simt::BlockTrace Dispatcher::next() {
  if (executed_.empty()) return execute();
  Executed first = std::move(executed_.front());
  executed_.pop_front();
  if (first.error) std::rethrow_exception(first.error);
  return std::move(first.trace);
}

/// With spills it is the block's stream that tells how many registers the kernel needs; a later one may need more.
void Dispatcher::prepare() {
  pending_ = next();
  if (pending_->registers) shape_.registers = pending_->registers;
  if (!sms_[0]->can_hold(shape_))
    throw std::invalid_argument(
        fmt::format("kernel {}: a block of {} threads, {} registers per thread and {} bytes of "
                    "shared memory does not fit into an SM",
                    shape_.kernel, shape_.threads, shape_.registers, shape_.shared_bytes));
}

void Dispatcher::dispatch(Cycle now) {
  bool more = false;
  const auto count = static_cast<std::uint32_t>(sms_.size());
  for (std::uint32_t i = 0; i < count && next_block_ < shape_.blocks; ++i) {
    Sm& sm = *sms_[turn_];
    turn_ = turn_ + 1 == count ? 0 : turn_ + 1;
    if (sm.ran() > now || !sm.has_room(shape_)) continue;
    if (!pending_) {
      prepare();
      if (!sm.has_room(shape_)) continue;
    }
    sm.start(now, shape_, *std::exchange(pending_, std::nullopt));
    ++next_block_;
    ++context_.progress;
    more = true;
  }
  room_ = more && next_block_ < shape_.blocks;
  from_ = now + 1;
}

std::uint32_t Dispatcher::ahead() const {
  if (!launch_ || (!executed_.empty() && executed_.back().error)) return 0;
  const auto most = static_cast<std::uint32_t>(std::max<std::size_t>(sms_.size() / 4, 4));
  const auto have = static_cast<std::uint32_t>(executed_.size());
  return std::min({have < most ? most - have : 0, shape_.blocks - execute_next_, kAtOnce});
}

void Dispatcher::execute_ahead() {
  for (std::uint32_t left = ahead(); left > 0; --left) {
    Executed& block = executed_.emplace_back();
    try {
      block.trace = execute();
    } catch (...) {
      block.error = std::current_exception();
      return;
    }
  }
}

}  // namespace warpsieve::memsys
