// The part of CUDA that the survey's kernels use, on one thread of the host: blocks one after another; the threads of
// a block are coroutines with a stack each (ucontext), and every one of them runs until a barrier or its end.
//
// Slow (about a microsecond per thread and barrier) and free of races: for tests, and to check what a GPU computed.
#pragma once

#include <ucontext.h>

#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#define __global__ inline
#define __device__ inline
#define __shared__ static  // blocks run one after another

struct HostGridIndex {
  unsigned x = 0;
};
inline HostGridIndex threadIdx, blockIdx, blockDim, gridDim;

namespace warpsieve::hardware {

class HostBlock {
 public:
  static HostBlock& instance() {
    static HostBlock block;
    return block;
  }

  /// Runs `body` once per thread.
  void run(unsigned threads, const std::function<void()>& body) {
    body_ = &body;
    while (threads_.size() < threads) threads_.push_back(std::make_unique<Thread>());
    for (unsigned t = 0; t < threads; ++t) {
      Thread& thread = *threads_[t];
      getcontext(&thread.context);
      thread.context.uc_stack.ss_sp = thread.stack.data();
      thread.context.uc_stack.ss_size = thread.stack.size();
      thread.context.uc_link = &scheduler_;
      thread.ended = false;
      makecontext(&thread.context, &HostBlock::enter, 0);
    }
    for (unsigned live = threads; live > 0;)
      for (unsigned t = 0; t < threads; ++t) {
        if (threads_[t]->ended) continue;
        threadIdx.x = t;
        swapcontext(&scheduler_, &threads_[t]->context);
        live -= threads_[t]->ended;
      }
  }

  /// The running thread waits until all others have come here or ended.
  void barrier() { swapcontext(&threads_[threadIdx.x]->context, &scheduler_); }

 private:
  struct Thread {
    ucontext_t context{};
    std::vector<char> stack = std::vector<char>(std::size_t{64} << 10);
    bool ended = false;
  };
  static void enter() {
    HostBlock& block = instance();
    (*block.body_)();
    block.threads_[threadIdx.x]->ended = true;
  }

  ucontext_t scheduler_{};
  std::vector<std::unique_ptr<Thread>> threads_;
  const std::function<void()>* body_ = nullptr;
};

template <class... P>
void run_grid(void (*kernel)(P...), unsigned blocks, unsigned threads, std::type_identity_t<P>... arguments) {
  blockDim.x = threads;
  gridDim.x = blocks;
  const std::function<void()> body = [&] { kernel(arguments...); };
  for (unsigned b = 0; b < blocks; ++b) {
    blockIdx.x = b;
    HostBlock::instance().run(threads, body);
  }
}

}  // namespace warpsieve::hardware

inline void __syncthreads() { warpsieve::hardware::HostBlock::instance().barrier(); }
