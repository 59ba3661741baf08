#include "core/worker_team.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace warpsieve {

namespace {

constexpr unsigned kLooks = 2000;  // some 30 us

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Returns when `word` is another than `old`, and what it is.
std::uint32_t wait_for_change(const std::atomic<std::uint32_t>& word, std::uint32_t old) {
  for (unsigned i = 0; i < kLooks; ++i) {
    if (const std::uint32_t now = word.load(std::memory_order_acquire); now != old) return now;
    relax();
  }
  word.wait(old, std::memory_order_acquire);
  return word.load(std::memory_order_acquire);
}

std::uint64_t nanoseconds() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

}  // namespace

WorkerTeam::WorkerTeam(unsigned threads) : used_(std::max(threads, 1u)), of_(used_) {
  for (unsigned i = 0; i < used_; ++i) lanes_.push_back(std::make_unique<Lane>());
  for (unsigned i = 1; i < used_; ++i) lanes_[i]->thread = std::thread([this, i] { serve(i); });
}

WorkerTeam::~WorkerTeam() {
  of_.store(0, std::memory_order_release);
  of_.notify_all();
  started_.fetch_add(1, std::memory_order_release);
  started_.notify_all();
  for (auto& lane : lanes_)
    if (lane->thread.joinable()) lane->thread.join();
}

void WorkerTeam::use(unsigned threads) {
  used_ = std::clamp(threads, 1u, this->threads());
  of_.store(used_, std::memory_order_release);
  of_.notify_all();
}

/// The life of a thread other than the caller's.
void WorkerTeam::serve(unsigned number) {
  for (std::uint32_t seen = 0;;) {
    const std::uint32_t of = of_.load(std::memory_order_acquire);
    if (of == 0) return;
    if (number >= of) {
      of_.wait(of, std::memory_order_acquire);
      continue;
    }
    seen = wait_for_change(started_, seen);
    const std::uint64_t from = nanoseconds();
    const std::uint32_t done = work(number);
    if (!done) continue;
    lanes_[number]->working[work_.kind] += nanoseconds() - from;
    if (left_.fetch_sub(done, std::memory_order_acq_rel) == done) left_.notify_one();
  }
}

bool WorkerTeam::take(Lane& lane, bool back, std::uint32_t& step) {
  std::uint64_t range = lane.range.load(std::memory_order_acquire);
  for (;;) {
    const auto begin = static_cast<std::uint32_t>(range & 0xffff),
               end = static_cast<std::uint32_t>(range >> 16 & 0xffff);
    if (begin == end) return false;
    const std::uint64_t rest = back ? range - 0x10000 : range + 1;
    if (!lane.range.compare_exchange_weak(range, rest, std::memory_order_acq_rel, std::memory_order_acquire))
      continue;
    step = back ? end - 1 : begin;
    return true;
  }
}

/// Returns how many steps it has done.
std::uint32_t WorkerTeam::work(unsigned number) {
  Lane& own = *lanes_[number];
  std::uint32_t done = 0;
  const auto all_of = [&](Lane& lane, bool back) {
    for (std::uint32_t step = 0; take(lane, back, step); ++done) {
      try {
        work_.call(work_.context, step);
      } catch (...) {
        if (own.error && own.failed < step) continue;
        own.error = std::current_exception();
        own.failed = step;
      }
    }
  };
  all_of(own, false);
  for (unsigned i = 1; i < lanes_.size(); ++i) all_of(*lanes_[(number + i) % lanes_.size()], true);
  return done;
}

void WorkerTeam::run_on_all(std::uint32_t steps, Work work) {
  if (steps > kMostSteps) throw std::logic_error("WorkerTeam: too many steps");
  const std::uint64_t from = nanoseconds();
  work_ = work;
  left_.store(steps, std::memory_order_relaxed);
  const std::uint32_t call = started_.load(std::memory_order_relaxed) + 1;
  for (unsigned i = 0; i < used_; ++i) {
    const std::uint64_t begin = std::uint64_t{steps} * i / used_, end = std::uint64_t{steps} * (i + 1) / used_;
    lanes_[i]->range.store(std::uint64_t{call} << 32 | end << 16 | begin, std::memory_order_release);
  }
  started_.store(call, std::memory_order_release);
  started_.notify_all();
  const std::uint32_t done = this->work(0);
  lanes_[0]->working[work.kind] += nanoseconds() - from;
  if (left_.fetch_sub(done, std::memory_order_acq_rel) != done)
    for (std::uint32_t left; (left = left_.load(std::memory_order_acquire)) != 0;) wait_for_change(left_, left);
  ++calls_[work.kind];
  inside_[work.kind] += (nanoseconds() - from) * used_;
  rethrow();
}

void WorkerTeam::rethrow() {
  Lane* first = nullptr;
  for (auto& lane : lanes_)
    if (lane->error && (!first || lane->failed < first->failed)) first = lane.get();
  if (!first) return;
  const std::exception_ptr error = first->error;
  for (auto& lane : lanes_) lane->error = nullptr;
  std::rethrow_exception(error);
}

WorkerTeam::Times WorkerTeam::times(unsigned kind) const {
  Times out{calls_[kind], 1e-9 * static_cast<double>(inside_[kind]), 0};
  for (const auto& lane : lanes_) out.working += 1e-9 * static_cast<double>(lane->working[kind]);
  return out;
}

WorkerTeam::Times WorkerTeam::times() const {
  Times all;
  for (unsigned kind = 0; kind < kKinds; ++kind) {
    const Times of = times(kind);
    all.calls += of.calls;
    all.inside += of.inside;
    all.working += of.working;
  }
  return all;
}

}  // namespace warpsieve
