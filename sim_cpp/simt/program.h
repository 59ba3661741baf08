// A workload written as it would be in CUDA: setup, then host code that launches kernels.
//
// build() allocates and fills device memory. host() is a coroutine: each co_yield hands one launch to
// the caller and comes back when every block of it has been executed, so the host code may read
// results, and write device memory for the next launch (noted as host writes).
#pragma once

#include <coroutine>
#include <exception>
#include <memory>
#include <utility>

#include "simt/kernel.h"

namespace warpsieve::simt {

class HostCode {
 public:
  struct promise_type {
    std::unique_ptr<KernelLaunch> launch;
    std::exception_ptr error;
    HostCode get_return_object() { return HostCode(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(std::unique_ptr<KernelLaunch> l) {
      launch = std::move(l);
      return {};
    }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }
  };

  HostCode() = default;
  HostCode(HostCode&& o) noexcept : handle_(std::exchange(o.handle_, {})) {}
  HostCode& operator=(HostCode&& o) noexcept {
    std::swap(handle_, o.handle_);
    return *this;
  }
  ~HostCode() {
    if (handle_) handle_.destroy();
  }
  explicit operator bool() const { return static_cast<bool>(handle_); }
  /// The next launch, or nullptr at the end.
  std::unique_ptr<KernelLaunch> next() {
    if (handle_.done()) return nullptr;
    handle_.resume();
    if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
    return std::move(handle_.promise().launch);
  }

 private:
  explicit HostCode(std::coroutine_handle<promise_type> h) : handle_(h) {}
  std::coroutine_handle<promise_type> handle_;
};

/// Base of all workloads. Must outlive the launches it hands out.
class Program : public Workload {
 public:
  explicit Program(std::string name) : name_(std::move(name)) {}

  const std::string& name() const override { return name_; }
  void setup() override;
  Addr base() const override { return memory_.base(); }
  std::span<const std::uint8_t> image() const override { return memory_.image(); }
  std::unique_ptr<Launch> next_launch() override;
  std::vector<HostWrite> take_host_writes() override { return memory_.take_host_writes(); }
  std::vector<std::pair<Addr, std::uint64_t>> order_dependent() const override { return {}; }

 protected:
  virtual void build() = 0;
  virtual HostCode host() = 0;

  template <class F>
  std::unique_ptr<KernelLaunch> launch(std::string kernel, std::uint32_t blocks, std::uint32_t threads, F f,
                                       std::uint32_t registers = 32, std::uint32_t shared_bytes = 0) {
    return make_launch(memory_, {std::move(kernel), blocks, threads, shared_bytes, registers}, std::move(f));
  }

  DeviceMemory memory_;

 private:
  std::string name_;
  HostCode host_;
  std::shared_ptr<const bool> previous_finished_;
};

/// Totals of a functional run.
struct RunCounts {
  std::uint64_t launches = 0, blocks = 0, warps = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t loads = 0, stores = 0, atomics = 0;  ///< warp memory instructions
  std::uint64_t requests = 0;                        ///< 32-byte sectors touched, per instruction
  std::uint64_t wmi() const { return loads + stores + atomics; }
  void add(const BlockTrace& block);
};

/// Executes all launches of a workload that has been set up.
RunCounts run_launches(Workload& w);

}  // namespace warpsieve::simt
