// Lane vectors: Vec<T> holds one T for each of the 32 lanes, Mask one condition bit.
//
// A Vec remembers the instruction that produced it; operators record one instruction each (see
// recorder.h). Assignment writes the active lanes only, construction and copying write all lanes.
// Integer arithmetic wraps. Lanes that are not active carry defined but meaningless values.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "simt/recorder.h"

namespace warpsieve::simt {

/// An 8-byte record of two ints, moved by one 8-byte access.
struct Int2 {
  std::int32_t x = 0, y = 0;
  bool operator==(const Int2&) const = default;
};
/// A 16-byte record of four ints, moved by one 16-byte access.
struct alignas(16) Int4 {
  std::int32_t x = 0, y = 0, z = 0, w = 0;
  bool operator==(const Int4&) const = default;
};
/// A 16-byte record of four floats.
struct alignas(16) Float4 {
  float x = 0, y = 0, z = 0, w = 0;
  bool operator==(const Float4&) const = default;
};

namespace detail {
/// Unit that arithmetic on values of this type needs.
template <class T>
inline constexpr Unit kUnit = std::is_same_v<T, float>    ? Unit::single_precision
                              : std::is_same_v<T, double> ? Unit::double_precision
                                                          : Unit::integer;
/// An instruction on values of type T; an sfu is a special function whatever the type.
template <class T>
std::uint32_t record(Op op, std::uint16_t count, std::uint32_t a, std::uint32_t b = kNoProducer,
                     std::uint32_t c = kNoProducer) {
  Recorder* r = Recorder::current();
  return r ? r->arithmetic(op, count, a, b, c, op == Op::sfu ? Unit::special : kUnit<T>) : kNoProducer;
}
inline std::uint32_t active_mask() {
  const Recorder* r = Recorder::current();
  return r ? r->active() : kAllLanes;
}
template <class T>
constexpr T wrap_add(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  else
    return a + b;
}
template <class T>
constexpr T wrap_sub(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) - static_cast<std::make_unsigned_t<T>>(b));
  else
    return a - b;
}
template <class T>
constexpr T wrap_mul(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else
    return a * b;
}
/// Division that is defined in lanes that are not active as well.
template <class T>
constexpr T safe_div(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return b == 0 ? T{0} : static_cast<T>(static_cast<std::int64_t>(a) / static_cast<std::int64_t>(b));
  else
    return a / b;
}
template <class T>
constexpr T safe_mod(T a, T b) {
  return b == 0 ? T{0} : static_cast<T>(static_cast<std::int64_t>(a) % static_cast<std::int64_t>(b));
}
}  // namespace detail

/// One condition bit per lane.
class Mask {
 public:
  Mask() = default;
  explicit Mask(std::uint32_t bits, std::uint32_t producer = kNoProducer) : bits_(bits), producer_(producer) {}
  std::uint32_t bits() const { return bits_; }
  std::uint32_t producer() const { return producer_; }

  friend Mask operator&(const Mask& a, const Mask& b) {
    return Mask(a.bits_ & b.bits_, detail::record<bool>(Op::alu, 1, a.producer_, b.producer_));
  }
  friend Mask operator|(const Mask& a, const Mask& b) {
    return Mask(a.bits_ | b.bits_, detail::record<bool>(Op::alu, 1, a.producer_, b.producer_));
  }
  /// Negation is free: instructions take a predicate either way round.
  friend Mask operator!(const Mask& a) { return Mask(~a.bits_, a.producer_); }

 private:
  std::uint32_t bits_ = 0;
  std::uint32_t producer_ = kNoProducer;
};

template <class T>
class alignas(16) Vec {
 public:
  using value_type = T;

  Vec() : defined_(detail::active_mask()) { lanes_.fill(T{}); }
  Vec(T same) : defined_(detail::active_mask()) { lanes_.fill(same); }  // NOLINT: constants are operands
  Vec(const std::array<T, kLanes>& lanes, std::uint32_t producer)
      : lanes_(lanes), producer_(producer), defined_(detail::active_mask()) {
    if (Recorder* r = Recorder::current()) producer_ = r->keep_result(producer, lanes_);
  }
  Vec(const Vec& o) : lanes_(o.lanes_), producer_(o.producer_), defined_(detail::active_mask()) {}

  /// Writes the active lanes. Free when no lane of this vector keeps an older value.
  Vec& operator=(const Vec& o) {
    if (this == &o) return *this;
    Recorder* r = Recorder::current();
    const std::uint32_t active = r ? r->active() : kAllLanes;
    if ((defined_ & ~active) == 0) {
      lanes_ = o.lanes_;
      producer_ = o.producer_;
      return *this;
    }
    if (active == 0) return *this;
    for (unsigned l = 0; l < kLanes; ++l) lanes_[l] = (active >> l) & 1 ? o.lanes_[l] : lanes_[l];
    producer_ = r->assign(o.producer_, producer_, lanes_, defined_);
    return *this;
  }

  const T& operator[](unsigned lane) const { return lanes_[lane]; }
  T& operator[](unsigned lane) { return lanes_[lane]; }
  std::uint32_t producer() const { return producer_; }
  /// producer(), for an instruction that reads this vector under the present mask.
  std::uint32_t read() const {
    if (const Recorder* r = Recorder::current()) r->check_operand(producer_, lanes_);
    return producer_;
  }
  const std::array<T, kLanes>& lanes() const { return lanes_; }

  Vec& operator+=(const Vec& o) { return *this = *this + o; }
  Vec& operator-=(const Vec& o) { return *this = *this - o; }
  Vec& operator*=(const Vec& o) { return *this = *this * o; }
  Vec& operator/=(const Vec& o) { return *this = *this / o; }

  friend Vec operator+(const Vec& a, const Vec& b) {
    return map(Op::alu, 1, a, b, [](T x, T y) { return detail::wrap_add(x, y); });
  }
  friend Vec operator-(const Vec& a, const Vec& b) {
    return map(Op::alu, 1, a, b, [](T x, T y) { return detail::wrap_sub(x, y); });
  }
  friend Vec operator*(const Vec& a, const Vec& b) {
    return map(Op::alu, 1, a, b, [](T x, T y) { return detail::wrap_mul(x, y); });
  }
  friend Vec operator/(const Vec& a, const Vec& b) {
    constexpr bool real = std::is_floating_point_v<T>;
    return map(real ? Op::sfu : Op::alu, real ? 1 : 8, a, b, [](T x, T y) { return detail::safe_div(x, y); });
  }
  friend Vec operator%(const Vec& a, const Vec& b) requires std::is_integral_v<T> {
    return map(Op::alu, 8, a, b, [](T x, T y) { return detail::safe_mod(x, y); });
  }
  friend Vec operator&(const Vec& a, const Vec& b) requires std::is_integral_v<T> {
    return map(Op::alu, 1, a, b, [](T x, T y) { return static_cast<T>(x & y); });
  }
  friend Vec operator|(const Vec& a, const Vec& b) requires std::is_integral_v<T> {
    return map(Op::alu, 1, a, b, [](T x, T y) { return static_cast<T>(x | y); });
  }
  friend Vec operator^(const Vec& a, const Vec& b) requires std::is_integral_v<T> {
    return map(Op::alu, 1, a, b, [](T x, T y) { return static_cast<T>(x ^ y); });
  }
  friend Vec operator<<(const Vec& a, unsigned n) requires std::is_integral_v<T> {
    return map(Op::alu, 1, a, a,
               [n](T x, T) { return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) << n); });
  }
  friend Vec operator>>(const Vec& a, unsigned n) requires std::is_integral_v<T> {
    return map(Op::alu, 1, a, a, [n](T x, T) { return static_cast<T>(x >> n); });
  }
  friend Vec operator-(const Vec& a) {
    return map(Op::alu, 1, a, a, [](T x, T) { return detail::wrap_sub(T{0}, x); });
  }

  friend Mask operator<(const Vec& a, const Vec& b) {
    return test(a, b, [](T x, T y) { return x < y; });
  }
  friend Mask operator<=(const Vec& a, const Vec& b) {
    return test(a, b, [](T x, T y) { return x <= y; });
  }
  friend Mask operator>(const Vec& a, const Vec& b) {
    return test(a, b, [](T x, T y) { return x > y; });
  }
  friend Mask operator>=(const Vec& a, const Vec& b) {
    return test(a, b, [](T x, T y) { return x >= y; });
  }
  friend Mask operator==(const Vec& a, const Vec& b) {
    return test(a, b, [](T x, T y) { return x == y; });
  }
  friend Mask operator!=(const Vec& a, const Vec& b) {
    return test(a, b, [](T x, T y) { return x != y; });
  }

  friend Vec min(const Vec& a, const Vec& b) {
    return map(Op::alu, 1, a, b, [](T x, T y) { return y < x ? y : x; });
  }
  friend Vec max(const Vec& a, const Vec& b) {
    return map(Op::alu, 1, a, b, [](T x, T y) { return x < y ? y : x; });
  }
  /// a * b + c, rounded twice, one instruction.
  friend Vec mad(const Vec& a, const Vec& b, const Vec& c) {
    std::array<T, kLanes> out;
    for (unsigned l = 0; l < kLanes; ++l)
      out[l] = detail::wrap_add(detail::wrap_mul(a.lanes_[l], b.lanes_[l]), c.lanes_[l]);
    return Vec(out, detail::record<T>(Op::alu, 1, a.read(), b.read(), c.read()));
  }
  /// Per lane: yes where the condition holds, no elsewhere.
  friend Vec select(const Mask& m, const Vec& yes, const Vec& no) {
    std::array<T, kLanes> out;
    for (unsigned l = 0; l < kLanes; ++l) out[l] = (m.bits() >> l) & 1 ? yes.lanes_[l] : no.lanes_[l];
    return Vec(out, detail::record<T>(Op::alu, 1, m.producer(), yes.producer_, no.producer_));
  }

  template <class F>
  static Vec map(Op op, std::uint16_t count, const Vec& a, const Vec& b, F&& f) {
    std::array<T, kLanes> out;
    for (unsigned l = 0; l < kLanes; ++l) out[l] = f(a.lanes_[l], b.lanes_[l]);
    return Vec(out, detail::record<T>(op, count, a.read(), b.read()));
  }
  template <class F>
  static Mask test(const Vec& a, const Vec& b, F&& f) {
    std::uint32_t bits = 0;
    for (unsigned l = 0; l < kLanes; ++l) bits |= std::uint32_t{f(a.lanes_[l], b.lanes_[l])} << l;
    return Mask(bits, detail::record<T>(Op::alu, 1, a.read(), b.read()));
  }

 private:
  std::array<T, kLanes> lanes_;
  std::uint32_t producer_ = kNoProducer;
  std::uint32_t defined_;  ///< lanes that were active when the variable was made
};

inline Vec<float> sqrt(const Vec<float>& a) {
  return Vec<float>::map(Op::sfu, 1, a, a, [](float x, float) { return std::sqrt(x); });
}
inline Vec<float> exp(const Vec<float>& a) {
  return Vec<float>::map(Op::sfu, 1, a, a, [](float x, float) { return std::exp(x); });
}
inline Vec<float> log(const Vec<float>& a) {
  return Vec<float>::map(Op::sfu, 1, a, a, [](float x, float) { return std::log(x); });
}

/// Conversion between number types; one alu instruction (integer unit), except widening a byte, which its load does.
template <class To, class From>
Vec<To> to(const Vec<From>& a) {
  std::array<To, kLanes> out;
  for (unsigned l = 0; l < kLanes; ++l) out[l] = static_cast<To>(a[l]);
  const bool free = std::is_same_v<From, std::uint8_t> && std::is_integral_v<To>;
  return Vec<To>(out, free ? a.producer() : detail::record<int>(Op::alu, 1, a.read()));
}

/// One member of a wide record: free, it is a register of its own.
template <class R, class M>
Vec<M> member(const Vec<R>& a, M R::*which) {
  std::array<M, kLanes> out;
  for (unsigned l = 0; l < kLanes; ++l) out[l] = a[l].*which;
  return Vec<M>(out, a.producer());
}

}  // namespace warpsieve::simt
