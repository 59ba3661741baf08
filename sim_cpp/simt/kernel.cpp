#include "simt/kernel.h"

#include <fmt/format.h>

#include "simt/spill.h"

namespace warpsieve::simt {
namespace {

/// Makes `warp` the one that operators record into, for the time of one turn.
class Turn {
 public:
  explicit Turn(Warp& warp) : outer_(detail::current_recorder) { detail::current_recorder = &warp; }
  ~Turn() { detail::current_recorder = outer_; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Recorder* outer_;
};

}  // namespace

KernelLaunch::KernelLaunch(DeviceMemory& memory, LaunchShape shape, PlainKernel kernel)
    : memory_(memory), shape_(std::move(shape)), plain_(std::move(kernel)) {
  check_shape();
}

KernelLaunch::KernelLaunch(DeviceMemory& memory, LaunchShape shape, BarrierKernel kernel)
    : memory_(memory), shape_(std::move(shape)), barrier_(std::move(kernel)) {
  check_shape();
}

KernelLaunch::~KernelLaunch() = default;

void KernelLaunch::check_shape() const {
  if (shape_.blocks == 0 || shape_.threads == 0 || shape_.threads > 1024)
    throw std::invalid_argument(
        fmt::format("kernel '{}': {} blocks of {} threads; at least 1 block of 1 to 1024 threads", shape_.kernel,
                    shape_.blocks, shape_.threads));
}

BlockTrace KernelLaunch::run_block(std::uint32_t index) {
  if (index != next_ || index >= shape_.blocks)
    throw std::logic_error(fmt::format("kernel '{}': block {} of {} asked for, block {} is next", shape_.kernel,
                                       index, shape_.blocks, next_));
  shared_.assign(shape_.shared_bytes, 0);
  BlockTrace out;
  out.block = index;
  out.warps.reserve((shape_.threads + kLanes - 1) / kLanes);
  captures_.clear();
  if (plain_)
    run_plain(out);
  else
    run_barrier(out);
  if (spiller_) spiller_->apply(shape_.kernel, out, captures_);
  const WarpTrace& w = out.warps.front();
  instr_hint_ = w.instrs.size();
  address_hint_ = w.addresses.size();
  data_hint_ = w.data.size();
  for (WarpTrace& trace : out.warps) trace.trim();
  ++next_;
  *finished_ = next_ == shape_.blocks;
  return out;
}

void KernelLaunch::open(Warp& warp) {
  warp.reserve(instr_hint_, address_hint_, data_hint_);
  if (!count_passes_) warp.skip_shared_passes();
  if (spiller_) warp.keep_results(captures_.emplace_back(spiller_->sites(shape_.kernel)));
}

void KernelLaunch::run_plain(BlockTrace& out) {
  for (std::uint32_t i = 0; i * kLanes < shape_.threads; ++i) {
    Warp warp(memory_, shape_, next_, i, shared_);
    open(warp);
    const Turn turn(warp);
    plain_(warp);
    out.warps.push_back(warp.take_trace());
  }
}

void KernelLaunch::run_barrier(BlockTrace& out) {
  std::deque<Warp> warps;
  std::vector<Task> tasks;
  for (std::uint32_t i = 0; i * kLanes < shape_.threads; ++i) {
    Warp& warp = warps.emplace_back(memory_, shape_, next_, i, shared_);
    open(warp);
    const Turn turn(warp);
    tasks.push_back(barrier_(warp));
  }
  for (bool running = true; running;) {
    std::size_t done = 0;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const Turn turn(warps[i]);
      tasks[i].resume();
      done += tasks[i].done();
    }
    running = done == 0;
    if (done != 0 && done != tasks.size())
      throw DeviceFault(fmt::format("kernel '{}', block {}: {} of {} warps ended while the others wait at a barrier",
                                    shape_.kernel, next_, done, tasks.size()));
  }
  for (Warp& warp : warps) out.warps.push_back(warp.take_trace());
}

}  // namespace warpsieve::simt
