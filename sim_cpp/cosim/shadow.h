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
#include <utility>

#include "cosim/block.h"

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

template <class T>
class ShadowIn : public InPort<T> {
 public:
  ShadowIn(const ShadowContext& context, std::string port, InPort<T>& model, InPort<T>& rtl)
      : context_(context), port_(std::move(port)), model_(model), rtl_(rtl) {}
  bool ready() const override {
    compare();
    return model_.ready();
  }
  bool push(const T& item) override {
    compare();
    const bool taken = model_.push(item);
    if (rtl_.push(item) != taken) context_.fail(port_, "push taken by one backend only");
    return taken;
  }
  void compare() const {
    const bool m = model_.ready(), r = rtl_.ready();
    if (m != r) context_.fail(port_, fmt::format("ready: model {} rtl {}", m, r));
  }

 private:
  const ShadowContext& context_;
  std::string port_;
  InPort<T>& model_;
  InPort<T>& rtl_;
};

template <class T>
class ShadowOut : public OutPort<T> {
 public:
  ShadowOut(const ShadowContext& context, std::string port, OutPort<T>& model, OutPort<T>& rtl)
      : context_(context), port_(std::move(port)), model_(model), rtl_(rtl) {}
  const T* front() const override {
    compare();
    return model_.front();
  }
  void pop() override {
    compare();
    model_.pop();
    rtl_.pop();
  }
  void compare() const {
    const T* m = model_.front();
    const T* r = rtl_.front();
    if ((m == nullptr) != (r == nullptr)) {
      context_.fail(port_, fmt::format("valid: model {} rtl {}", m != nullptr, r != nullptr));
    }
    if (m && !(*m == *r)) {
      context_.fail(port_, fmt::format("payload: model {} rtl {}", describe(*m), describe(*r)));
    }
  }

 private:
  const ShadowContext& context_;
  std::string port_;
  OutPort<T>& model_;
  OutPort<T>& rtl_;
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
  ShadowContext context_;
  std::unique_ptr<AnyBlock> model_, rtl_;
};

/// Shadow of a one-stream block.
template <class Req, class Rsp>
class Shadow : public BlockShadow<Block<Req, Rsp>> {
 public:
  Shadow(std::string name, std::unique_ptr<Block<Req, Rsp>> model, std::unique_ptr<Block<Req, Rsp>> rtl)
      : BlockShadow<Block<Req, Rsp>>(std::move(name), std::move(model), std::move(rtl)),
        in_(this->context_, "in", *this->model_, *this->rtl_),
        out_(this->context_, "out", *this->model_, *this->rtl_) {}
  bool ready() const override { return in_.ready(); }
  bool push(const Req& item) override { return in_.push(item); }
  const Rsp* front() const override { return out_.front(); }
  void pop() override { out_.pop(); }

 private:
  void compare() const override {
    in_.compare();
    out_.compare();
  }
  ShadowIn<Req> in_;
  ShadowOut<Rsp> out_;
};

/// Builds the asked backend of a one-stream block from its two factories.
template <class Req, class Rsp, class MakeModel, class MakeRtl>
std::unique_ptr<Block<Req, Rsp>> make_backend(Backend backend, std::string name, MakeModel&& make_model,
                                              MakeRtl&& make_rtl) {
  switch (backend) {
    case Backend::model: return make_model();
    case Backend::rtl: return make_rtl();
    case Backend::shadow: break;
  }
  return std::make_unique<Shadow<Req, Rsp>>(std::move(name), make_model(), make_rtl());
}

}  // namespace warpsieve
