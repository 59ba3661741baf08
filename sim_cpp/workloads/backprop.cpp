// backprop (Rodinia): one training step of a two-layer network. Blocks of 16 x 16 threads; the weights
// between input and hidden layer are (inputs + 1) x 17 floats, so that rows are 68 bytes apart.
// Kernel 1 multiplies inputs by weights and adds 16 rows per block; the host finishes the hidden and
// output layers and restores the weights (kernel 1 leaves its products there); kernel 2 adjusts them.
// `block` = 32 makes it 32 x 32 threads: 32 hidden units, as the benchmark's WIDTH and HEIGHT do.
#include "workloads/block_shape.h"
#include "workloads/common.h"

namespace warpsieve::workloads {
namespace {

using namespace simt;

constexpr float kRate = 0.3f, kMomentum = 0.3f, kTarget = 0.1f;

template <class T>
T squash(T x) {
  return T{1} / (T{1} + std::exp(-x));
}

class Backprop final : public Program {
 public:
  explicit Backprop(const Settings& s)
      : Program("backprop"), inputs_(s.count("inputs")), side_(side_of_block(s)), pitch_(side_ + 1) {
    if (inputs_ % side_ != 0)
      throw WorkloadError(fmt::format("backprop.inputs = '{}': a multiple of {} is expected", inputs_, side_));
    const auto rows = static_cast<std::size_t>(inputs_) + 1;
    input_values_ = uniform_floats(rows, s.seed());
    input_values_[0] = 1.0f;  // the bias
    const bool centred = s.text("weights") == "centred";
    const double reach = centred ? 2.0 / std::sqrt(static_cast<double>(rows)) : 1.0;
    weight_values_ = uniform_floats(rows * units(), s.seed() + 1, centred ? -reach : 0.0, reach);
    output_weights_ = uniform_floats(units(), s.seed() + 2, centred ? -1.0 : 0.0, 1.0);
  }

 private:
  /// Weights of a row: those of the hidden units behind the bias.
  std::size_t units() const { return static_cast<std::size_t>(pitch_); }

  void build() override {
    const auto blocks = static_cast<std::uint64_t>(inputs_ / side_);
    input_ = memory_.allocate("input", input_values_);
    weights_ = memory_.allocate("weights", weight_values_);
    partial_ = memory_.allocate<float>("partial", blocks * (units() - 1));
    delta_ = memory_.allocate<float>("delta", units());
    momentum_ = memory_.allocate<float>("momentum", weight_values_.size());
  }

  HostCode host() override {
    co_yield forward();
    const std::vector<float> partial = memory_.read(partial_);
    std::vector<float> hidden(units(), 1.0f);
    float out = output_weights_[0];
    for (std::size_t j = 1; j < units(); ++j) {
      float sum = weight_values_[j];
      for (std::size_t k = j - 1; k < partial.size(); k += units() - 1) sum += partial[k];
      hidden[j] = squash(sum);
      out += output_weights_[j] * hidden[j];
    }
    out = squash(out);
    const float error = out * (1.0f - out) * (kTarget - out);
    std::vector<float> delta(units(), 0.0f);
    for (std::size_t j = 1; j < units(); ++j) delta[j] = hidden[j] * (1.0f - hidden[j]) * error * output_weights_[j];
    memory_.write(delta_, 0, std::span<const float>(delta));
    memory_.write(weights_, 0, std::span<const float>(weight_values_));
    co_yield adjust();
  }

  std::unique_ptr<KernelLaunch> forward() {
    const auto rows = static_cast<std::uint32_t>(side_), threads = rows * rows;
    return launch(
        "backprop_forward", static_cast<std::uint32_t>(inputs_ / side_), threads,
        [rows, threads, side = side_, pitch = pitch_, input = input_, weights = weights_,
         partial = partial_](Warp& w) -> Task {
          const Shared<float> nodes{0, rows}, products{4 * rows, threads};
          const int first = side * static_cast<int>(w.block());
          const Vec<int> x = w.thread_x(side), y = w.thread_y(side), cell = w.thread();
          const Vec<int> at = (y + (first + 1)) * pitch + x + 1;
          const Mask row_start = x == 0;
          w.if_(row_start, [&] { w.store(nodes, y, w.load(input, y + (first + 1))); });
          co_await w.barrier();
          w.store(products, cell, w.load(weights, at) * w.load(nodes, y));
          co_await w.barrier();
          for (int reach = 1; reach < side; reach *= 2) {
            w.if_(y % (2 * reach) == 0,
                  [&] { w.store(products, cell, w.load(products, cell) + w.load(products, cell + reach * side)); });
            co_await w.barrier();
          }
          w.store(weights, at, w.load(products, cell));
          co_await w.barrier();
          w.if_(row_start, [&] { w.store(partial, y + static_cast<int>(w.block()) * side, w.load(products, y)); });
        },
        13, 4 * (rows + threads));
  }

  std::unique_ptr<KernelLaunch> adjust() {
    return launch(
        "backprop_adjust", static_cast<std::uint32_t>(inputs_ / side_), static_cast<std::uint32_t>(side_ * side_),
        [side = side_, pitch = pitch_, input = input_, weights = weights_, delta = delta_,
         momentum = momentum_](Warp& w) -> Task {
          const int first = side * static_cast<int>(w.block());
          const Vec<int> x = w.thread_x(side), y = w.thread_y(side);
          const auto change = [&](const Vec<int>& at, const Vec<float>& slope) {
            const Vec<float> step = mad(slope, Vec<float>(kRate), w.load(momentum, at) * kMomentum);
            w.store(weights, at, w.load(weights, at) + step);
            w.store(momentum, at, step);
          };
          change((y + (first + 1)) * pitch + x + 1, w.load(delta, x + 1) * w.load(input, y + (first + 1)));
          co_await w.barrier();
          if (first == 0) w.if_(y == 0, [&] { change(x + 1, w.load(delta, x + 1)); });
        },
        12);
  }

  /// The training step of the whole network, unit by unit, in double precision.
  std::string verify() override {
    const auto rows = static_cast<std::size_t>(inputs_) + 1;
    const std::size_t side = units() - 1;
    std::vector<double> hidden(units()), sums(static_cast<std::size_t>(inputs_ / side_) * side, 0.0);
    double out = output_weights_[0];
    for (std::size_t j = 1; j < units(); ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        const double product = static_cast<double>(input_values_[i]) * weight_values_[i * units() + j];
        sum += product;
        if (i > 0) sums[(i - 1) / side * side + j - 1] += product;
      }
      hidden[j] = squash(sum);
      out += output_weights_[j] * hidden[j];
    }
    if (std::string wrong = mismatch("partial sum", memory_.read(partial_), sums, kFloatTolerance, 1e-6);
        !wrong.empty())
      return wrong;
    out = squash(out);
    const double error = out * (1 - out) * (kTarget - out);
    std::vector<double> weights(weight_values_.begin(), weight_values_.end()), steps(weights.size(), 0.0);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 1; j < units(); ++j) {
        const double slope = hidden[j] * (1 - hidden[j]) * error * output_weights_[j];
        steps[i * units() + j] = kRate * slope * input_values_[i];
        weights[i * units() + j] += steps[i * units() + j];
      }
    if (std::string wrong = mismatch("momentum", memory_.read(momentum_), steps, 1e-3, 1e-7); !wrong.empty())
      return wrong;
    return mismatch("weight", memory_.read(weights_), weights, 1e-6, 1e-6);
  }

  int inputs_, side_, pitch_;  // side: rows and hidden units of a block
  std::vector<float> input_values_, weight_values_, output_weights_;
  Buffer<float> input_, weights_, partial_, delta_, momentum_;
};

}  // namespace

WorkloadEntry backprop_entry() {
  return entry_of<Backprop>(
      {"backprop",
       "Rodinia",
       "training step of a two-layer network: streaming, rows of 68 bytes, all-zero momentum",
       "",
       {size_parameter("inputs", 65536, 16384, 1024, 1 << 22, "units", "input units, a multiple of `block`"),
        choice_parameter("weights", "positive", {"positive", "centred"},
                         "the benchmark's random weights in [0, 1), which saturate the hidden units (all changes "
                         "are 0), or small ones around 0"),
        side_of_blocks()},
       "0.33 M WMI; two-lane loads, misaligned rows, zero-initialised momentum"},
      {"65,536 inputs (9 MB); 262,144 here: three times an L2 of 4 MB", {{"inputs", "262144"}}});
}

}  // namespace warpsieve::workloads
