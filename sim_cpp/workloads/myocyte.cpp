// myocyte (Rodinia): the action potential of a heart cell. The host integrates (Runge-Kutta-Fehlberg with variable
// steps) and launches a kernel of 2 blocks of 32 threads for every evaluation: one lane of the first block does the
// membrane, three lanes of the second, one after another, the calmodulin reactions of a compartment each. So every
// access is a single 4-byte word, and the two blocks keep two SMs busy with arithmetic.
#include "workloads/common.h"
#include "workloads/myocyte_model.h"

namespace warpsieve::workloads {
namespace myocyte {

std::vector<float> resting_state() {
  std::vector<float> y(kEquations, 0);
  const std::array<double, kMembrane> rest{-84.55, 0.0017, 0.983, 0.9895, 0.003, 0.99999, 0.0057, 1.78e-4};
  for (std::size_t i = 0; i < rest.size(); ++i) y[i] = static_cast<float>(rest[i]);
  for (const int at : kCompartment)
    for (std::size_t s = 0; s < kSpecies; ++s) y[static_cast<std::size_t>(at) + s] = static_cast<float>(kStart[s]);
  return y;
}

std::vector<double> derivative(const std::vector<double>& y, double stimulus) {
  std::vector<double> dy(kEquations, 0);
  std::array<double, kMembrane> m;
  std::copy_n(y.begin(), m.size(), m.begin());
  m = membrane<double, double>(m, stimulus);
  std::copy(m.begin(), m.end(), dy.begin());
  for (std::size_t part = 0; part < kCompartment.size(); ++part) {
    std::array<double, kSpecies> s;
    std::copy_n(y.begin() + kCompartment[part], s.size(), s.begin());
    s = calmodulin<double, double>(s, y[kCa] * 1000 * kCalciumShare[part]);
    std::copy(s.begin(), s.end(), dy.begin() + kCompartment[part]);
  }
  return dy;
}

std::vector<double> reference_state(double milliseconds, double on, double off, double stimulus) {
  constexpr double kStep = 0.005;
  const std::vector<float> rest = resting_state();
  std::vector<double> y(rest.begin(), rest.end());
  const auto steps = static_cast<int>(std::lround(milliseconds / kStep));
  for (int i = 0; i < steps; ++i) {
    const double middle = (i + 0.5) * kStep, now = middle > on && middle < off ? stimulus : 0;
    const auto ahead = [&](const std::vector<double>& k, double h) {
      std::vector<double> z = y;
      for (std::size_t e = 0; e < z.size(); ++e) z[e] += h * k[e];
      return derivative(z, now);
    };
    const std::vector<double> k1 = derivative(y, now), k2 = ahead(k1, kStep / 2), k3 = ahead(k2, kStep / 2),
                              k4 = ahead(k3, kStep);
    for (std::size_t e = 0; e < y.size(); ++e) y[e] += kStep / 6 * (k1[e] + 2 * k2[e] + 2 * k3[e] + k4[e]);
  }
  return y;
}

}  // namespace myocyte

namespace {

using namespace simt;
using namespace myocyte;

constexpr double kOn = 0.5, kOff = 1.5, kStimulus = -80;  ///< ms, ms, uA/cm2
constexpr double kTolerance = 1e-4;                       ///< per step, relative to the larger of scale and value
constexpr double kFirstStep = 0.01, kShortest = 1e-5, kLongest = 1;  ///< ms

/// Fehlberg's coefficients: stages, and the two results of orders 4 and 5.
constexpr std::size_t kStages = 6;
constexpr std::array<std::array<double, kStages>, kStages> kStage{{
    {},
    {1.0 / 4},
    {3.0 / 32, 9.0 / 32},
    {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
    {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
    {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40},
}};
constexpr std::array<double, kStages> kAt{0, 1.0 / 4, 3.0 / 8, 12.0 / 13, 1, 1.0 / 2};
constexpr std::array<double, kStages> kFourth{25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0};
constexpr std::array<double, kStages> kFifth{16.0 / 135, 0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55};

class Myocyte final : public Program {
 public:
  explicit Myocyte(const Settings& s) : Program("myocyte"), milliseconds_(s.count("milliseconds")) {}

 private:
  enum : int { kTime, kStimulusOn, kStimulusOff, kStrength, kShares, kParameters = 16 };

  void build() override {
    std::vector<float> parameters(kParameters, 0);
    parameters[kStimulusOn] = static_cast<float>(kOn);
    parameters[kStimulusOff] = static_cast<float>(kOff);
    parameters[kStrength] = static_cast<float>(kStimulus);
    for (std::size_t i = 0; i < kCalciumShare.size(); ++i)
      parameters[kShares + i] = static_cast<float>(1000 * kCalciumShare[i]);
    state_ = resting_state();
    y_ = memory_.allocate("initvalu", state_);
    dy_ = memory_.allocate<float>("finavalu", kEquations);
    parameters_ = memory_.allocate("params", parameters);
  }

  HostCode host() override {
    double now = 0, step = kFirstStep;
    while (now < milliseconds_ - kShortest / 2) {
      step = std::min(step, milliseconds_ - now);
      for (const double edge : {kOn, kOff})  // the derivatives jump there
        if (now < edge - kShortest / 2) step = std::min(step, edge - now);
      std::array<std::vector<float>, kStages> k;
      for (std::size_t stage = 0; stage < kStages; ++stage) {
        std::vector<float> y = state_;
        for (std::size_t before = 0; before < stage; ++before) add(y, step * kStage[stage][before], k[before]);
        memory_.write(y_, 0, std::span<const float>(y));
        // A stage at the end of the step still belongs to it.
        memory_.write(parameters_, kTime, static_cast<float>(now + step * std::min(kAt[stage], 0.999)));
        co_yield master();
        k[stage] = memory_.read(dy_);
      }
      std::vector<float> fourth = state_, fifth = state_;
      for (std::size_t stage = 0; stage < kStages; ++stage) {
        add(fourth, step * kFourth[stage], k[stage]);
        add(fifth, step * kFifth[stage], k[stage]);
      }
      double error = 0;
      for (std::size_t e = 0; e < kEquations; ++e)
        error = std::max(error, std::fabs(double{fifth[e]} - double{fourth[e]}) /
                                    (kTolerance * std::max(scale(e), std::fabs(double{fifth[e]}))));
      if (error <= 1 || step <= kShortest) {
        state_ = fifth;
        now += step;
      }
      step *= std::clamp(0.9 * std::pow(std::max(error, 1e-6), -0.2), 0.2, 4.0);
      step = std::clamp(step, kShortest, kLongest);
    }
  }
  static void add(std::vector<float>& y, double factor, const std::vector<float>& dy) {
    for (std::size_t e = 0; e < y.size(); ++e) y[e] = static_cast<float>(double{y[e]} + factor * double{dy[e]});
  }
  /// Below this the error of a variable is taken as absolute.
  static double scale(std::size_t equation) { return equation == kV ? 10 : equation == kCa ? 1e-3 : 0.1; }

  std::unique_ptr<KernelLaunch> master() {
    return launch(
        "myocyte_master", 2, kLanes,
        [y = y_, dy = dy_, parameters = parameters_](Warp& w) {
          const auto parameter = [&](int which) { return w.load(parameters, Vec<int>(which)); };
          if (w.block() == 0) {
            w.if_(w.thread() == 0, [&] {
              const Vec<float> time = parameter(kTime);
              Vec<float> stimulus = 0;
              w.if_((time >= parameter(kStimulusOn)) & (time < parameter(kStimulusOff)),
                    [&] { stimulus = parameter(kStrength); });
              std::array<Vec<float>, kMembrane> values;
              for (int i = 0; i < kMembrane; ++i) values[static_cast<std::size_t>(i)] = w.load(y, Vec<int>(i));
              values = membrane<Vec<float>, float>(values, stimulus);
              for (int i = 0; i < kMembrane; ++i) w.store(dy, Vec<int>(i), values[static_cast<std::size_t>(i)]);
            });
            return;
          }
          for (int part = 0; part < static_cast<int>(kCompartment.size()); ++part)
            w.if_(w.thread() == part, [&] {
              const int at = kCompartment[static_cast<std::size_t>(part)];
              const Vec<float> calcium = w.load(y, Vec<int>(kCa)) * parameter(kShares + part);
              std::array<Vec<float>, kSpecies> values;
              for (int i = 0; i < kSpecies; ++i) values[static_cast<std::size_t>(i)] = w.load(y, Vec<int>(at + i));
              values = calmodulin<Vec<float>, float>(values, calcium);
              for (int i = 0; i < kSpecies; ++i) w.store(dy, Vec<int>(at + i), values[static_cast<std::size_t>(i)]);
            });
        },
        48);
  }

  std::string verify() override {
    const std::vector<double> want = reference_state(milliseconds_, kOn, kOff, kStimulus);
    for (std::size_t e = 0; e < kEquations; ++e)
      if (!(std::fabs(double{state_[e]} - want[e]) <= 5e-3 * std::max(scale(e), std::fabs(want[e]))))
        return fmt::format("variable {} is {}, expected {}", e, state_[e], want[e]);
    // The last evaluation, at what the host wrote for it.
    const std::vector<float> y = memory_.read(y_);
    const double time = memory_.read(parameters_, kTime);
    return mismatch("derivative", memory_.read(dy_),
                    derivative({y.begin(), y.end()}, time >= kOn && time < kOff ? kStimulus : 0), 1e-2, 1e-2);
  }

  int milliseconds_;
  std::vector<float> state_;
  Buffer<float> y_, dy_, parameters_;
};

}  // namespace

WorkloadEntry myocyte_entry() {
  return entry_of<Myocyte>({"myocyte",
                            "Rodinia",
                            "action potential of a heart cell: single-lane accesses of 4 bytes, long arithmetic",
                            "",
                            {size_parameter("milliseconds", 100, 20, 3, 1000, "ms", "simulated time")},
                            "2 blocks x 32 threads; 32-byte consistent accesses at scattered small offsets",
                            false},
                           {"100 ms", {}});
}

}  // namespace warpsieve::workloads
