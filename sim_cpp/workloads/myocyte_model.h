// The heart cell of the workload myocyte: membrane currents and the calmodulin reactions of three compartments.
//
// Equations for any number type with arithmetic, exp, log and select: the kernel's lane vectors and the reference's
// doubles. Membrane: Luo and Rudy's model of 1991 (Circulation Research 68, 1501), 8 equations. Calmodulin: mass
// action of calcium, a buffer, a kinase and a phosphatase, 15 equations per compartment as in the benchmark, whose
// own rates are not public outside of its source; these are made up and of the same order.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace warpsieve::workloads::myocyte {

/// Places in the state vector; the compartments start where the benchmark's do.
enum : int { kV, kM, kH, kJ, kD, kF, kX, kCa, kMembrane };
inline constexpr int kEquations = 91, kSpecies = 15;
inline constexpr std::array<int, 3> kCompartment{46, 61, 76};
/// Calcium of a compartment over that of the cell.
inline constexpr std::array<double, 3> kCalciumShare{10, 2, 1};

inline double select(bool c, double yes, double no) { return c ? yes : no; }

/// Time derivatives per ms of the membrane's variables, in mV and mM; `stimulus` in uA/cm2.
template <class V, class Scalar>
std::array<V, kMembrane> membrane(const std::array<V, kMembrane>& y, const V& stimulus) {
  using std::exp;
  using std::log;
  const auto c = [](double x) { return V(static_cast<Scalar>(x)); };
  const auto e = [&](double scale, const V& x) { return exp(c(scale) * x); };
  const V& v = y[kV];
  std::array<V, kMembrane> dy;

  // Fast sodium current and its gates.
  const V sodium = c(23) * y[kM] * y[kM] * y[kM] * y[kH] * y[kJ] * (v - c(54.4));
  const V vm = v + c(47.13);
  const V am = c(0.32) * vm / (c(1) - e(-0.1, vm)), bm = c(0.08) * e(-1 / 11.0, v);
  const auto high = v >= c(-40);
  const V low = select(high, c(-40), v);  // where the formulas of the low range are evaluated
  const V ah = select(high, c(0), c(0.135) * e(-1 / 6.8, low + c(80)));
  const V bh = select(high, c(1) / (c(0.13) * (c(1) + e(-1 / 11.1, v + c(10.66)))),
                      c(3.56) * e(0.079, low) + c(3.1e5) * e(0.35, low));
  const V aj = select(high, c(0),
                      (c(-1.2714e5) * e(0.2444, low) - c(3.474e-5) * e(-0.04391, low)) * (low + c(37.78)) /
                          (c(1) + e(0.311, low + c(79.23))));
  const V bj = select(high, c(0.3) * e(-2.535e-7, v) / (c(1) + e(-0.1, v + c(32))),
                      c(0.1212) * e(-0.01052, low) / (c(1) + e(-0.1378, low + c(40.14))));

  // Slow inward current, its gates, and the calcium it brings.
  const V inward = c(0.09) * y[kD] * y[kF] * (v - c(7.7) + c(13.0287) * log(y[kCa]));
  const V ad = c(0.095) * e(-0.01, v - c(5)) / (c(1) + e(-0.072, v - c(5)));
  const V bd = c(0.07) * e(-0.017, v + c(44)) / (c(1) + e(0.05, v + c(44)));
  const V af = c(0.012) * e(-0.008, v + c(28)) / (c(1) + e(0.15, v + c(28)));
  const V bf = c(0.0065) * e(-0.02, v + c(30)) / (c(1) + e(-0.2, v + c(30)));

  // Potassium currents: time-dependent, time-independent, plateau; background.
  const V vk = v + c(77);
  const V rectified = c(2.837) * (e(0.04, vk) - c(1)) / (vk * e(0.04, v + c(35)));
  const V potassium = c(0.282) * y[kX] * select(v > c(-100), rectified, c(1)) * vk;
  const V ax = c(0.0005) * e(0.083, v + c(50)) / (c(1) + e(0.057, v + c(50)));
  const V bx = c(0.0013) * e(-0.06, v + c(20)) / (c(1) + e(-0.04, v + c(20)));
  const V vk1 = v + c(87.89);  // Nernst potential of 5.4 and 145 mM at 310 K
  const V ak1 = c(1.02) / (c(1) + e(0.2385, vk1 - c(59.215)));
  const V bk1 =
      (c(0.49124) * e(0.08032, vk1 + c(5.476)) + e(0.06175, vk1 - c(594.31))) / (c(1) + e(-0.5143, vk1 + c(4.753)));
  const V potassium1 = c(0.6047) * ak1 / (ak1 + bk1) * vk1;
  const V plateau = c(0.0183) / (c(1) + e(-1 / 5.98, v - c(7.488))) * vk1;
  const V background = c(0.03921) * (v + c(59.87));

  dy[kV] = -(sodium + inward + potassium + potassium1 + plateau + background + stimulus);
  const auto gate = [&](int g, const V& open, const V& close) {
    const auto i = static_cast<std::size_t>(g);
    dy[i] = open * (c(1) - y[i]) - close * y[i];
  };
  gate(kM, am, bm);
  gate(kH, ah, bh);
  gate(kJ, aj, bj);
  gate(kD, ad, bd);
  gate(kF, af, bf);
  gate(kX, ax, bx);
  dy[kCa] = c(-1e-4) * inward + c(0.07) * (c(1e-4) - y[kCa]);
  return dy;
}

/// left + right + calcium^calcium -> product; -1: nothing. Rates per uM and ms, and per ms.
struct Reaction {
  int left, right, product;
  int calcium;  ///< calcium ions bound, 0 or 2
  double forward, back;
};
/// Species: 0-2 calmodulin with 0, 2, 4 calcium; 3-5 the same on the buffer; 6 free buffer; 7 free kinase, 8 bound,
/// 9 phosphorylated, 10 phosphorylated without calmodulin; 11 free phosphatase, 12-14 it with 0-2.
inline constexpr std::array<Reaction, 12> kReactions{{
    {0, -1, 1, 2, 0.02, 0.05},
    {1, -1, 2, 2, 0.01, 0.2},
    {3, -1, 4, 2, 0.005, 0.2},
    {4, -1, 5, 2, 0.002, 0.4},
    {0, 6, 3, 0, 0.001, 0.01},
    {1, 6, 4, 0, 0.0004, 0.02},
    {2, 7, 8, 0, 0.01, 0.05},
    {8, -1, 9, 0, 0.004, 0.0005},
    {10, 2, 9, 0, 0.008, 0.001},
    {0, 11, 12, 0, 0.0005, 0.1},
    {1, 11, 13, 0, 0.005, 0.02},
    {2, 11, 14, 0, 0.02, 0.004},
}};
inline constexpr std::array<double, kSpecies> kStart{5,   0.5, 0.1, 3, 0.3, 0.05, 20, 10,
                                                     0.5, 0.2, 0.1, 3, 0.2, 0.2,  0.3};

/// Time derivatives of a compartment's species (uM); `calcium` in uM.
template <class V, class Scalar>
std::array<V, kSpecies> calmodulin(const std::array<V, kSpecies>& y, const V& calcium) {
  const auto c = [](double x) { return V(static_cast<Scalar>(x)); };
  std::array<V, kSpecies> dy;
  dy.fill(c(0));
  for (const Reaction& r : kReactions) {
    V rate = c(r.forward) * y[static_cast<std::size_t>(r.left)];
    if (r.right >= 0) rate = rate * y[static_cast<std::size_t>(r.right)];
    if (r.calcium == 2) rate = rate * calcium * calcium;
    rate = rate - c(r.back) * y[static_cast<std::size_t>(r.product)];
    dy[static_cast<std::size_t>(r.left)] = dy[static_cast<std::size_t>(r.left)] - rate;
    if (r.right >= 0) dy[static_cast<std::size_t>(r.right)] = dy[static_cast<std::size_t>(r.right)] - rate;
    dy[static_cast<std::size_t>(r.product)] = dy[static_cast<std::size_t>(r.product)] + rate;
  }
  return dy;
}

/// A cell at rest.
std::vector<float> resting_state();
/// Of the whole cell.
std::vector<double> derivative(const std::vector<double>& y, double stimulus);
/// By the classical Runge-Kutta method with steps of 0.005 ms, stimulated from `on` to `off` ms.
std::vector<double> reference_state(double milliseconds, double on, double off, double stimulus);

}  // namespace warpsieve::workloads::myocyte
