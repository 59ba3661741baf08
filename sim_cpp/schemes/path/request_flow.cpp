#include "schemes/path/request_flow.h"

#include <fmt/format.h>

#include <new>

namespace warpsieve::schemes {

using namespace memsys;

namespace {

/// Free frames by size; there are as many sizes as kinds of flows.
class FramePool {
 public:
  ~FramePool() {
    for (auto& [size, frames] : free_)
      for (void* frame : frames) ::operator delete(frame, kAlign);
  }
  void* take(std::size_t size) {
    auto& frames = of(size);
    if (frames.empty()) return ::operator new(size, kAlign);
    void* frame = frames.back();
    frames.pop_back();
    return frame;
  }
  void give(void* frame, std::size_t size) { of(size).push_back(frame); }

 private:
  static constexpr std::align_val_t kAlign{32};
  std::vector<void*>& of(std::size_t size) {
    for (auto& [known, frames] : free_)
      if (known == size) return frames;
    return free_.emplace_back(size, std::vector<void*>{}).second;
  }
  std::vector<std::pair<std::size_t, std::vector<void*>>> free_;
};
thread_local FramePool frame_pool;

}  // namespace

void* Flow::promise_type::operator new(std::size_t size) { return frame_pool.take(size); }
void Flow::promise_type::operator delete(void* frame, std::size_t size) { frame_pool.give(frame, size); }

FlowEngine::~FlowEngine() {
  closing_ = true;  // locks and sinks of what is destroyed now mean nothing any more
  while (first_) std::coroutine_handle<Flow::promise_type>::from_promise(*first_).destroy();
}

void FlowEngine::unlock(std::uint32_t key) {
  if (closing_) return;
  const auto lock = locks_.find(key);
  if (lock->second.empty()) {
    locks_.erase(lock);
    return;
  }
  ready_.push_back(lock->second.front());  // which now holds it
  lock->second.pop_front();
  host_.wake_path(now_ + 1);
}

std::uint64_t FlowEngine::ticket(SectorSink& sink, std::uint32_t which) {
  const std::uint32_t index = tickets_.take();
  tickets_[index] = {&sink, which};
  return std::uint64_t{1} << 63 | index;
}

void FlowEngine::queue_read(std::uint64_t address, RequestKind kind, SectorSink& sink, std::uint32_t which) {
  queue_.push_back({address, kind, &sink, which, {}});
}

void FlowEngine::queue_write(std::uint64_t address, RequestKind kind, const std::uint8_t* sector) {
  queue_.push_back({address, kind, nullptr, 0, {}});
  std::copy_n(sector, kSectorBytes, queue_.back().data.begin());
}

void FlowEngine::on_dram_read(Cycle now, std::uint64_t cookie, const std::uint8_t* sector) {
  now_ = now;
  const auto index = static_cast<std::uint32_t>(cookie);
  const Ticket ticket = tickets_[index];
  tickets_.give(index);
  ticket.sink->on_sector(now, ticket.which, sector);
  host_.wake_path(now);  // DRAM comes before the path in a cycle
}

bool FlowEngine::run(Cycle now) {
  now_ = now;
  bool moved = false;
  while (!timers_.empty() && timers_.top().due <= now) {
    ready_.push_back(timers_.top().flow);
    timers_.pop();
  }
  while (!ready_.empty()) {
    const Handle flow = ready_.front();
    ready_.pop_front();
    flow.resume();
    moved = true;
  }
  return moved;
}

bool FlowEngine::drain(Cycle now) {
  unsigned taken = 0;
  while (taken < kSectorsPerCycle && !queue_.empty()) {
    const Request& r = queue_.front();
    if (r.sink) {
      const std::uint64_t cookie = ticket(*r.sink, r.which);
      if (!host_.dram_read(now, r.address, r.kind, cookie)) {
        tickets_.give(static_cast<std::uint32_t>(cookie));
        break;  // the partition wakes the path when there is room
      }
    } else if (!host_.dram_write(now, r.address, r.kind, r.data.data())) {
      break;
    }
    queue_.pop_front();
    ++taken;
  }
  return taken != 0;
}

std::string FlowEngine::describe() const {
  return fmt::format("{} flows, {} of them ready, {} locks, {} requests wait for the DRAM queues, {} for DRAM",
                     flows_, ready_.size(), locks_.size(), queue_.size(), tickets_.used());
}

Cycle FlowEngine::next() const {
  if (!ready_.empty()) return now_ + 1;
  return timers_.empty() ? kNever : timers_.top().due;
}

}  // namespace warpsieve::schemes
