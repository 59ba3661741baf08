// Shadow: two implementations of one block, driven alike and compared in every cycle.
//
// A payload type takes part by providing operator== and `std::string describe(const T&)` (found by
// argument-dependent lookup).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cosim/ports.h"

namespace warpsieve {

/// Model and RTL disagree; what() names block, port, cycle and both values.
struct ShadowMismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Name and cycle count shared by the ports of one shadowed block.
struct ShadowContext {
  std::string block;
  std::uint64_t cycle = 0;
  [[noreturn]] void fail(std::string_view port, std::string_view what) const {
    throw ShadowMismatch(fmt::format("shadow: {}.{} cycle {}: {}", block, port, cycle, what));
  }
};

/// One port of both backends.
template <class Port>
struct ShadowedPort {
  const ShadowContext& context;
  std::string_view name;
  Port& model;
  Port& rtl;
};
template <class Port>
ShadowedPort(const ShadowContext&, std::string_view, Port&, Port&) -> ShadowedPort<Port>;

template <class T>
class ShadowIn final : public InPort<T> {
 public:
  explicit ShadowIn(const ShadowedPort<InPort<T>>& port) : port_(port) {}
  bool ready() const override {
    compare();
    return port_.model.ready();
  }
  bool push(const T& item) override {
    compare();
    const bool taken = port_.model.push(item);
    if (port_.rtl.push(item) != taken) port_.context.fail(port_.name, "push taken by one backend only");
    return taken;
  }
  void compare() const {
    const bool m = port_.model.ready(), r = port_.rtl.ready();
    if (m != r) port_.context.fail(port_.name, fmt::format("ready: model {} rtl {}", m, r));
  }

 private:
  ShadowedPort<InPort<T>> port_;
};

template <class T>
class ShadowOut final : public OutPort<T> {
 public:
  explicit ShadowOut(const ShadowedPort<OutPort<T>>& port) : port_(port) {}
  const T* front() const override {
    compare();
    return port_.model.front();
  }
  void pop() override {
    compare();
    port_.model.pop();
    port_.rtl.pop();
  }
  void compare() const {
    const T* m = port_.model.front();
    const T* r = port_.rtl.front();
    if ((m == nullptr) != (r == nullptr)) {
      port_.context.fail(port_.name, fmt::format("valid: model {} rtl {}", m != nullptr, r != nullptr));
    }
    if (m && !(*m == *r)) {
      port_.context.fail(port_.name, fmt::format("payload: model {} rtl {}", describe(*m), describe(*r)));
    }
  }

 private:
  ShadowedPort<OutPort<T>> port_;
};

/// Shadow of any block: holds both backends, drives their clock and has them compared before and after each edge.
/// The derived class holds the ports (ShadowIn, ShadowOut) and compares them in compare().
template <class AnyBlock>
class BlockShadow : public AnyBlock {
 public:
  BlockShadow(std::string name, std::unique_ptr<AnyBlock> model, std::unique_ptr<AnyBlock> rtl)
      : context_{std::move(name)}, model_(std::move(model)), rtl_(std::move(rtl)) {}
  void reset() override {
    model_->reset();
    rtl_->reset();
    context_.cycle = 0;
  }
  void tick() override {
    compare();
    model_->tick();
    rtl_->tick();
    ++context_.cycle;
    compare();
  }
  bool idle() const override { return model_->idle() && rtl_->idle(); }

 protected:
  virtual void compare() const = 0;
  /// For blocks whose model knows exactly when the RTL is busy.
  bool same_idle() const {
    if (model_->idle() != rtl_->idle()) context_.fail("idle", "one backend only");
    return model_->idle();
  }
  /// A level of the block, which both backends must agree on.
  template <class T>
  T same_level(std::string_view level, const T& model, const T& rtl) const {
    if (model == rtl) return model;
    if constexpr (std::is_arithmetic_v<T>)
      context_.fail(level, fmt::format("model {} rtl {}", model, rtl));
    else
      context_.fail(level, fmt::format("model {} rtl {}", describe(model), describe(rtl)));
  }
  ShadowContext context_;
  std::unique_ptr<AnyBlock> model_, rtl_;
};

/// Shadow of a one-stream block; `AnyBlock` is its interface where it has more than the streams.
template <class Req, class Rsp, class AnyBlock = Block<Req, Rsp>>
class Shadow : public BlockShadow<AnyBlock> {
 public:
  Shadow(std::string name, std::unique_ptr<AnyBlock> model, std::unique_ptr<AnyBlock> rtl)
      : BlockShadow<AnyBlock>(std::move(name), std::move(model), std::move(rtl)),
        in_({this->context_, "in", *this->model_, *this->rtl_}),
        out_({this->context_, "out", *this->model_, *this->rtl_}) {}
  bool ready() const override { return in_.ready(); }
  bool push(const Req& item) override { return in_.push(item); }
  const Rsp* front() const override { return out_.front(); }
  void pop() override { out_.pop(); }

 protected:
  void compare() const override {
    in_.compare();
    out_.compare();
  }

 private:
  ShadowIn<Req> in_;
  ShadowOut<Rsp> out_;
};

/// Shadow of a block that declares its ports by visit_ports(). A derived class adds what is no port. `exact_idle`:
/// the model is idle exactly when the RTL is.
template <class AnyBlock, bool exact_idle = false>
class PortShadow : public BlockShadow<AnyBlock> {
 public:
  PortShadow(std::string name, std::unique_ptr<AnyBlock> model, std::unique_ptr<AnyBlock> rtl)
      : BlockShadow<AnyBlock>(std::move(name), std::move(model), std::move(rtl)), ports_(make_ports()) {
    std::apply([this](auto&... port) { connect_ports(*this, port...); }, ports_);
  }
  bool idle() const override {
    if constexpr (exact_idle) return this->same_idle();
    return BlockShadow<AnyBlock>::idle();
  }

 protected:
  void compare() const override {
    std::apply([](const auto&... port) { (port.compare(), ...); }, ports_);
  }

 private:
  template <class Slot>
  using Port = std::conditional_t<Slot::is_in, ShadowIn<typename Slot::Item>, ShadowOut<typename Slot::Item>>;
  using Ports = PortTuple<AnyBlock, Port>;

  Ports make_ports() {
    return this->model_->visit_ports([this](auto&... model) {
      return this->rtl_->visit_ports([&](auto&... rtl) {
        return Ports(ShadowedPort{this->context_, model.name.view(), model(), rtl()}...);
      });
    });
  }
  Ports ports_;
};

/// Builds the asked backend of a block from its two factories.
template <class AnyShadow, class MakeModel, class MakeRtl>
auto make_backend(Backend backend, std::string name, MakeModel&& make_model, MakeRtl&& make_rtl) {
  switch (backend) {
    case Backend::model: return make_model();
    case Backend::rtl: return make_rtl();
    case Backend::shadow: break;
  }
  return decltype(make_model())(std::make_unique<AnyShadow>(std::move(name), make_model(), make_rtl()));
}

template <class Req, class Rsp, class MakeModel, class MakeRtl>
std::unique_ptr<Block<Req, Rsp>> make_backend(Backend backend, std::string name, MakeModel&& make_model,
                                              MakeRtl&& make_rtl) {
  const auto model = [&]() -> std::unique_ptr<Block<Req, Rsp>> { return make_model(); };
  return make_backend<Shadow<Req, Rsp>>(backend, std::move(name), model, make_rtl);
}

}  // namespace warpsieve
