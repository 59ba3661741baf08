// MeshRouter: the buffers of one router of the mesh (mesh.h), and what of them can move.
//
//   channels   input and output channel port * 2 + class; a set of channels is a word with one bit each
//   moves      an input channel and an output port: bit port * 10 + channel of a word. Which moves are possible in a
//              cycle is found for all ports at once
//   front      the flit in front of an input channel; `ready` holds the channels whose front can cross the switch,
//              `coming` those whose front has to wait for its cycle
//   cycles     the low 32 bits of a cycle; flits wait less than 2^31 cycles for the switch
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/timing_wheel.h"

namespace warpsieve::memsys {

class MeshRouter {
 public:
  enum Port : std::uint8_t { kLocal, kEast, kWest, kNorth, kSouth };
  static constexpr unsigned kPorts = 5;
  static constexpr unsigned kClasses = 2;  ///< 0 requests, 1 replies: one virtual channel each
  static constexpr unsigned kChannels = kPorts * kClasses;
  using ChannelSet = std::uint32_t;
  using MoveSet = std::uint64_t;
  static constexpr unsigned channel_of(unsigned port, unsigned cls) { return port * kClasses + cls; }

  class Flit {
   public:
    Flit() = default;
    Flit(std::uint32_t transit, bool head, bool tail, Cycle ready)
        : word_(transit << 2 | (head ? 2u : 0u) | (tail ? 1u : 0u)), ready_(static_cast<std::uint32_t>(ready)) {}
    std::uint32_t transit() const { return word_ >> 2; }
    bool head() const { return word_ & 2; }
    bool tail() const { return word_ & 1; }
    std::uint32_t ready() const { return ready_; }
    Flit at(Cycle ready) const { return {transit(), head(), tail(), ready}; }

   private:
    std::uint32_t word_ = 0, ready_ = 0;
  };

  /// `depth`: flits of each input channel, and credits of each output channel, 1 to 1024.
  explicit MeshRouter(std::uint32_t depth)
      : depth_(depth), open_(kAllMoves), places_(std::size_t{kChannels} * depth) {
    credits_.fill(static_cast<std::uint16_t>(depth));
  }

  bool empty() const { return flits_ == 0; }
  bool full(unsigned channel) const { return size_[channel] == depth_; }
  const Flit& front(unsigned channel) const { return places_[channel * depth_ + head_[channel]]; }

  void push(unsigned channel, const Flit& flit) {
    const std::uint32_t end = std::uint32_t{head_[channel]} + size_[channel];
    places_[channel * depth_ + (end >= depth_ ? end - depth_ : end)] = flit;
    ++flits_;
    if (size_[channel]++ == 0) new_front(channel);
  }
  void pop(unsigned channel) {
    head_[channel] = head_[channel] + 1u == depth_ ? 0 : static_cast<std::uint16_t>(head_[channel] + 1);
    --size_[channel];
    --flits_;
    ready_ &= ~(1u << channel);
    if (size_[channel]) new_front(channel);
  }

  /// Heads among the fronts whose cycle has come by `now`, each once: the caller says by which port they leave.
  ChannelSet arrive(Cycle now) {
    const auto at = static_cast<std::uint32_t>(now);
    if (!coming_ || later(soonest_, at)) return 0;
    ChannelSet come = 0;
    std::uint32_t soonest = at + 1;
    bool any = false;
    for (ChannelSet left = coming_; left; left &= left - 1) {
      const auto c = static_cast<unsigned>(std::countr_zero(left));
      if (later(from_[c], at)) {
        if (!any || later(soonest, from_[c])) soonest = from_[c];
        any = true;
      } else {
        come |= 1u << c;
      }
    }
    soonest_ = soonest;
    coming_ &= ~come;
    ready_ |= come;
    return come & heads_;
  }
  void ask(unsigned channel, unsigned port) { asks_ |= move(channel, port); }

  /// Moves of the fronts, as far as this router's own state says.
  MoveSet moves() const { return asks_ & open_ & of_channels(ready_) & ~(held_ & of_channels(heads_)); }
  /// Channels of the port's moves.
  static ChannelSet of_port(MoveSet moves, unsigned port) {
    return static_cast<ChannelSet>(moves >> (port * kChannels)) & kAll;
  }
  ChannelSet heads() const { return heads_; }
  /// The first port with a move, from port `first` on and round.
  static unsigned port_of(MoveSet moves, unsigned first) {
    const MoveSet after = moves & ~((MoveSet{1} << (first * kChannels)) - 1);
    return static_cast<unsigned>(std::countr_zero(after ? after : moves)) / kChannels;
  }
  static MoveSet move(unsigned channel, unsigned port) { return MoveSet{1} << (port * kChannels + channel); }
  static MoveSet of_all(unsigned port) { return MoveSet{kAll} << (port * kChannels); }
  /// Without those of an output port, and without those of a channel's input port: each passes one flit a cycle.
  static MoveSet without(MoveSet moves, unsigned port, unsigned channel) {
    constexpr ChannelSet kOfPort = (1u << kClasses) - 1;
    return moves & ~(of_all(port) | of_channels(kOfPort << (channel / kClasses * kClasses)));
  }

  /// The channel that the port takes, of those that can leave: the one whose turn it is, or the first after it.
  unsigned choose(unsigned port, ChannelSet can) {
    const ChannelSet after = can & ~((1u << turn_[port]) - 1);
    const auto channel = static_cast<unsigned>(std::countr_zero(after ? after : can));
    turn_[port] = static_cast<std::uint8_t>(channel + 1 == kChannels ? 0 : channel + 1);
    return channel;
  }
  /// A flit of the channel leaves by the port: a packet holds the output channel from its head to its tail.
  void leaves(unsigned channel, unsigned port, bool tail) {
    const MoveSet output = of_output(channel_of(port, channel % kClasses));
    held_ = tail ? held_ & ~output : held_ | output;
    if (tail) asks_ &= ~move(channel, port);
  }
  void credit(unsigned output) {
    ++credits_[output];
    open_ |= of_output(output);
  }
  void spend(unsigned output) {
    if (--credits_[output] == 0) open_ &= ~of_output(output);
  }
  /// Nothing is left of any packet.
  bool clean() const {
    bool out = flits_ == 0 && held_ == 0;
    for (unsigned c = 0; c < kChannels; ++c) out = out && size_[c] == 0 && credits_[c] == depth_;
    return out;
  }

 private:
  static constexpr ChannelSet kAll = (1u << kChannels) - 1;
  static constexpr MoveSet kAllMoves = (MoveSet{1} << (kPorts * kChannels)) - 1;
  /// All moves of the channels.
  static constexpr MoveSet of_channels(ChannelSet channels) { return channels * (kAllMoves / kAll); }
  /// All moves into an output channel: those of its class by its port.
  static constexpr MoveSet of_output(unsigned output) {
    constexpr MoveSet kOfClass0 = kAll / ((1u << kClasses) - 1);
    return kOfClass0 << (output % kClasses) << (output / kClasses * kChannels);
  }

  static bool later(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) > 0; }
  void new_front(unsigned channel) {
    const ChannelSet bit = 1u << channel;
    const Flit& flit = front(channel);
    heads_ = flit.head() ? heads_ | bit : heads_ & ~bit;
    from_[channel] = flit.ready();
    if (!coming_ || later(soonest_, flit.ready())) soonest_ = flit.ready();
    coming_ |= bit;
  }

  std::uint32_t depth_, flits_ = 0;
  ChannelSet coming_ = 0, ready_ = 0, heads_ = 0;
  MoveSet held_ = 0, open_;    ///< moves into output channels that a packet holds, and that have credits
  MoveSet asks_ = 0;           ///< of each packet, from when its head is ready to when its tail has left
  std::uint32_t soonest_ = 0;  ///< of `coming_`: the first cycle of any
  std::array<std::uint32_t, kChannels> from_{};  ///< cycles of the fronts
  std::array<std::uint16_t, kChannels> credits_{}, head_{}, size_{};
  std::array<std::uint8_t, kPorts> turn_{};
  std::vector<Flit> places_;
};

}  // namespace warpsieve::memsys
