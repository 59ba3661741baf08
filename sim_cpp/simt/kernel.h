// Runs a kernel block by block: the functional half of a launch.
//
// A kernel is a function of one warp: `void(Warp&)`, or `Task(Warp&)` as a coroutine when it waits at
// barriers (co_await w.barrier()). The warps of a block run in order, each up to its next barrier; a
// barrier that only some of the warps reach is an error. Shared memory starts as zeros in each block.
#pragma once

#include <coroutine>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "simt/warp.h"

namespace warpsieve::simt {

/// The coroutine of one warp.
class Task {
 public:
  struct promise_type {
    std::exception_ptr error;
    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }
  };

  Task() = default;
  Task(Task&& o) noexcept : handle_(std::exchange(o.handle_, {})) {}
  Task& operator=(Task&& o) noexcept {
    std::swap(handle_, o.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }
  bool done() const { return handle_.done(); }
  /// Runs to the next barrier or the end; passes on what the kernel threw.
  void resume() {
    handle_.resume();
    if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> h) : handle_(h) {}
  std::coroutine_handle<promise_type> handle_;
};

using PlainKernel = std::function<void(Warp&)>;
using BarrierKernel = std::function<Task(Warp&)>;

/// A launch of a kernel on `memory`, which must outlive it.
class KernelLaunch : public Launch {
 public:
  KernelLaunch(DeviceMemory& memory, LaunchShape shape, PlainKernel kernel);
  KernelLaunch(DeviceMemory& memory, LaunchShape shape, BarrierKernel kernel);
  ~KernelLaunch() override;

  const LaunchShape& shape() const override { return shape_; }
  BlockTrace run_block(std::uint32_t index) override;
  bool spill_with(Spiller& spiller) override {
    spiller_ = &spiller;
    return true;
  }
  void skip_shared_passes() override { count_passes_ = false; }

  /// True once every block has been executed; survives the launch.
  std::shared_ptr<const bool> finished() const { return finished_; }

 private:
  void check_shape() const;
  void run_plain(BlockTrace& out);
  void run_barrier(BlockTrace& out);
  /// Prepares the warp's recording.
  void open(Warp& warp);

  DeviceMemory& memory_;
  LaunchShape shape_;
  PlainKernel plain_;
  BarrierKernel barrier_;
  std::uint32_t next_ = 0;
  Spiller* spiller_ = nullptr;
  bool count_passes_ = true;
  std::deque<Capture> captures_;  ///< of the block's warps, when there is a spiller
  std::vector<std::uint8_t> shared_;
  std::size_t instr_hint_ = 0, address_hint_ = 0, data_hint_ = 0;  ///< sizes of the last warp's stream
  std::shared_ptr<bool> finished_ = std::make_shared<bool>(false);
};

template <class F>
std::unique_ptr<KernelLaunch> make_launch(DeviceMemory& memory, LaunchShape shape, F kernel) {
  if constexpr (std::is_same_v<std::invoke_result_t<F&, Warp&>, Task>)
    return std::make_unique<KernelLaunch>(memory, std::move(shape), BarrierKernel(std::move(kernel)));
  else
    return std::make_unique<KernelLaunch>(memory, std::move(shape), PlainKernel(std::move(kernel)));
}

/// Blocks that cover `items` threads.
inline std::uint32_t blocks_for(std::uint64_t items, std::uint32_t threads) {
  return static_cast<std::uint32_t>((items + threads - 1) / threads);
}

/// Device fill: 256 threads, one element per thread, coalesced.
template <class T>
std::unique_ptr<KernelLaunch> make_fill(DeviceMemory& memory, const Buffer<T>& dst, T value,
                                        std::string name = "fill") {
  const int n = static_cast<int>(dst.count);
  return make_launch(memory, {std::move(name), blocks_for(dst.count, 256), 256, 0, 8}, [=](Warp& w) {
    const Vec<int> i = w.global_thread();
    w.exit_if(i >= n);
    w.store(dst, i, Vec<T>(value));
  });
}

/// Device-to-device copy: 256 threads, one element per thread, coalesced.
template <class T>
std::unique_ptr<KernelLaunch> make_copy(DeviceMemory& memory, const Buffer<T>& dst, const Buffer<T>& src,
                                        std::string name = "copy") {
  if (dst.count != src.count) throw std::logic_error("copy between arrays of different length");
  const int n = static_cast<int>(dst.count);
  return make_launch(memory, {std::move(name), blocks_for(dst.count, 256), 256, 0, 10}, [=](Warp& w) {
    const Vec<int> i = w.global_thread();
    w.exit_if(i >= n);
    w.store(dst, i, w.load(src, i));
  });
}

}  // namespace warpsieve::simt
