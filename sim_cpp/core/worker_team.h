// WorkerTeam: threads that share the steps of one loop, again and again, with only microseconds between two calls.
//
//   WorkerTeam team(4);                          // the caller and three more
//   team.run(80, [&](std::uint32_t i) { ... });  // every i once, on some thread; returns when all are done
//
//   order      each thread takes a range of neighbouring steps, from its front; the same one in each call, so that
//              what a step touches stays in the cache of one core. A thread that is through takes steps from the back
//              of the others' ranges
//   end        run() waits for steps that have been taken, never for a thread: one that sleeps, or that the host does
//              not run, is left out
//   waiting    a bounded number of looks at one variable, some 30 us, then sleep
//   memory     what was written before run() is seen by each step, and what steps wrote after it
//   errors     the exception of the first step that threw one is thrown again; the steps after it may have been run
// Steps must not depend on each other, and no step may call run(). One thread: a plain loop.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpsieve {

class WorkerTeam {
 public:
  static constexpr std::uint32_t kMostSteps = 0xffff;

  /// `threads`: with the caller's; at least 1.
  explicit WorkerTeam(unsigned threads);
  ~WorkerTeam();
  WorkerTeam(const WorkerTeam&) = delete;
  WorkerTeam& operator=(const WorkerTeam&) = delete;

  unsigned threads() const { return static_cast<unsigned>(lanes_.size()); }
  /// So many of them work from now on; the others sleep.
  void use(unsigned threads);
  unsigned used() const { return used_; }

  /// step(i) for each i below `steps`, which is at most kMostSteps. `kind`: for times().
  template <class Step>
  void run(std::uint32_t steps, Step&& step, unsigned kind = 0) {
    if (used_ == 1 || steps < 2) {
      for (std::uint32_t i = 0; i < steps; ++i) step(i);
      return;
    }
    using Plain = std::remove_reference_t<Step>;
    run_on_all(steps, {[](void* context, std::uint32_t i) { (*static_cast<Plain*>(context))(i); },
                       const_cast<void*>(static_cast<const void*>(std::addressof(step))), kind});
  }

  /// Time since the team was made, of calls of run() that more than one thread shared.
  struct Times {
    std::uint64_t calls = 0;
    double inside = 0;   ///< seconds from call to return, times the threads in use
    double working = 0;  ///< seconds of these in which a thread had a step
  };
  static constexpr unsigned kKinds = 4;
  Times times(unsigned kind) const;
  /// Of all kinds.
  Times times() const;

 private:
  struct Work {
    void (*call)(void* context, std::uint32_t step) = nullptr;
    void* context = nullptr;
    unsigned kind = 0;
  };
  /// Steps that a thread has before it: number of the call, end and begin of the range in one word, so that taking
  /// one from either side is one exchange, and a thread that comes late takes nothing of another call.
  struct alignas(64) Lane {
    std::atomic<std::uint64_t> range{0};
    std::array<std::uint64_t, kKinds> working{};  ///< nanoseconds
    std::uint32_t failed = 0;                     ///< step of `error`
    std::exception_ptr error;
    std::thread thread;
  };

  void run_on_all(std::uint32_t steps, Work work);
  void serve(unsigned number);
  std::uint32_t work(unsigned number);
  static bool take(Lane& lane, bool back, std::uint32_t& step);
  void rethrow();

  std::vector<std::unique_ptr<Lane>> lanes_;
  unsigned used_;
  Work work_;
  std::array<std::uint64_t, kKinds> calls_{}, inside_{};
  alignas(64) std::atomic<std::uint32_t> started_{0};  ///< number of the call
  std::atomic<std::uint32_t> of_;                      ///< threads in use; 0: the end
  alignas(64) std::atomic<std::uint32_t> left_{0};     ///< steps that are not done
};

}  // namespace warpsieve
