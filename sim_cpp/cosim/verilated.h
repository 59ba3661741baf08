// RtlClock: one verilated model with its clock, reset and waveform.
//
// All outputs of our blocks depend on state only, so they are settled after tick() and may be read
// before this cycle's inputs are set. Inputs are valid for one cycle: the owner lowers the valids
// and readies after tick().
//
// Waveforms: cosim/waveform.h. A failing RTL assertion throws RtlAssertion.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "cosim/waveform.h"

namespace warpsieve {

/// An `assert` inside the RTL failed, or the RTL called $stop.
struct RtlAssertion : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Seed for the random initial state of registers that reset does not clear.
int random_reset_seed();

/// The models have gated clocks: a latch takes the inputs of a cycle while the clock is low. Set with the runtime.
extern const bool kInputsSettleFirst;

template <class V>
class RtlClock {
 public:
  explicit RtlClock(const std::string& block) : context_(std::make_unique<VerilatedContext>()) {
    context_->randReset(2);  // unreset payload flops start random: nothing may depend on them
    context_->randSeed(random_reset_seed());
    waveform_ = Waveform::of(block);
    if (waveform_) context_->traceEverOn(true);
    top_ = std::make_unique<V>(context_.get(), block.c_str());
    if (waveform_) {
      top_->trace(&waveform_->trace(), 99);
      waveform_->attached();
    }
  }
  ~RtlClock() {
    waveform_.reset();
    // Verilator's scopes leave whatever context the thread made last, which may be another block's and
    // gone by now: point the thread at ours for the goodbye, then at one that is never destroyed.
    Verilated::threadContextp(context_.get());
    top_->final();
    top_.reset();
    static VerilatedContext* const resting = new VerilatedContext;
    Verilated::threadContextp(resting);
  }
  V& top() { return *top_; }
  const V& top() const { return *top_; }

  /// Reset with the inputs as they stand.
  void reset(unsigned cycles = 2) {
    top_->rst_ni = 0;
    while (cycles--) tick();
    top_->rst_ni = 1;
    top_->eval();
  }
  void tick() {
    if (kInputsSettleFirst) top_->eval();
    if (waveform_ && waveform_->wants_inputs()) {
      top_->eval();
      waveform_->settled();
    }
    top_->clk_i = 1;
    top_->eval();
    if (waveform_) waveform_->rose();
    top_->clk_i = 0;
    top_->eval();
    if (waveform_) waveform_->fell();
  }

 private:
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<V> top_;
  std::unique_ptr<Waveform> waveform_;  // nullptr: none
};

/// Copies bits between byte arrays (little-endian, bit 0 of byte 0 first) and a Verilator port of any
/// width. `port` is a CData/SData/IData/QData lvalue or a VlWide.
template <class Port>
void port_from_bytes(Port& port, std::span<const std::uint8_t> bytes) {
  if constexpr (std::is_integral_v<Port>) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size() && i < 8; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
    port = static_cast<Port>(value);
  } else {
    constexpr std::size_t words = sizeof(Port) / sizeof(EData);
    for (std::size_t w = 0; w < words; ++w) {
      EData value = 0;
      for (std::size_t b = 0; b < 4 && 4 * w + b < bytes.size(); ++b) {
        value |= EData{bytes[4 * w + b]} << (8 * b);
      }
      port[w] = value;
    }
  }
}

template <class Port>
void port_to_bytes(const Port& port, std::span<std::uint8_t> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if constexpr (std::is_integral_v<Port>) {
      bytes[i] = i < sizeof(Port) ? static_cast<std::uint8_t>(std::uint64_t{port} >> (8 * i)) : 0;
    } else {
      bytes[i] = static_cast<std::uint8_t>(port[i / 4] >> (8 * (i % 4)));
    }
  }
}

}  // namespace warpsieve
