// Random kernels for the memory model: loads, stores, atomics, barriers and host writes over a few kilobytes.
//
// Words belong to one warp each for stores and atomics other than add, so that the final image does not
// depend on the order between warps; loads and atomic adds go anywhere. Between them arithmetic of every unit and
// accesses to shared memory.
#pragma once

#include <fmt/format.h>
#include <rapidcheck.h>

#include <random>

#include "toy.h"

namespace warpsieve::tb {

inline constexpr std::size_t kRandomBytes = 8192;
inline constexpr std::size_t kRandomShared = 6144;  ///< from here on: atomic adds only

/// Width of the network's links, and what a crossbar does with packets and queues.
inline std::vector<std::string> random_crossbar() {
  const auto pick = [](const char* name, std::vector<int> values) {
    return fmt::format("{}={}", name, *rc::gen::elementOf(values));
  };
  return {pick("noc.flit_bytes", {8, 32, 40, 64}), pick("noc.header", {0, 1}),
          pick("noc.packet_per_cycle", {0, 0, 1}), pick("noc.virtual_queues", {0, 1})};
}

struct TraceShape {
  unsigned kernels, blocks, warps, instrs;
};

inline void fill_random_warp(WarpBuilder& b, std::minstd_rand& random, unsigned owner, unsigned owners,
                             unsigned count) {
  const auto lanes = [&](auto&& address) {
    WarpBuilder::Lanes l;
    const std::uint32_t mask = random() % 3 ? 0xffffffffu : static_cast<std::uint32_t>(random() * 2654435761u);
    for (unsigned i = 0; i < 32; ++i)
      if (mask >> i & 1) l.emplace_back(i, address(i));
    return l;
  };
  const auto own = [&](unsigned word) {
    return static_cast<simt::Addr>((word / owners * owners + owner) % (kRandomShared / 4 / owners * owners) * 4);
  };
  std::uint32_t last = 0;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned start = static_cast<unsigned>(random() % (kRandomShared / 4));
    const unsigned stride = random() % 2 ? 1 : static_cast<unsigned>(random() % 64);
    std::vector<std::uint32_t> sources;
    if (i && random() % 2) sources.push_back(last);
    switch (random() % 8) {
      case 0: {  // units and conflicts without further random numbers: other traces stay as they are
        const auto count = static_cast<std::uint16_t>(1 + random() % 3);
        const simt::Op op = start % 4 == 0 ? simt::Op::shared : start % 4 == 1 ? simt::Op::sfu : simt::Op::alu;
        last = op == simt::Op::alu ? b.alu(count, sources) : b.op(op, sources);
        simt::WarpInstr& i = b.trace.instrs.back();
        i.set_unit(static_cast<simt::Unit>(start / 4 % 5));
        if (op == simt::Op::shared) i.detail[0] = static_cast<std::uint8_t>(start / 4 % 32);
        break;
      }
      case 1:
      case 2:
      case 3:
        last = b.load(lanes([&](unsigned l) { return (start + l * stride) * 4 % (kRandomBytes - 4); }), 4, sources);
        break;
      case 4: {
        const auto seed = static_cast<std::uint8_t>(random());
        last = b.store(
            lanes([&](unsigned l) { return own(start + l * (stride + owners)); }), 4,
            [=](unsigned lane, unsigned byte) { return static_cast<std::uint8_t>(seed + lane * 3 + byte); }, sources);
        break;
      }
      case 5: {
        const auto seed = static_cast<std::uint8_t>(random());
        last = b.store(
            lanes([&](unsigned l) { return own(start + l * owners) + random() % 4; }), 1,
            [=](unsigned lane, unsigned) { return static_cast<std::uint8_t>(seed ^ lane); }, sources);
        break;
      }
      case 6:
        last = b.atomic(lanes([&](unsigned l) {
                          return kRandomShared + (start + l * stride) * 4 % (kRandomBytes - kRandomShared);
                        }),
                        simt::AtomicOp::add_u32, [&](unsigned lane) { return start + lane; });
        break;
      default: {
        const simt::AtomicOp ops[] = {simt::AtomicOp::exch_u32, simt::AtomicOp::max_u32, simt::AtomicOp::min_u32};
        last = b.atomic(lanes([&](unsigned l) { return own(start + l * stride); }), ops[random() % 3],
                        [&](unsigned lane) { return start * 77 + lane; });
      }
    }
  }
}

/// Controllers, slices and sets by a hash, and sometimes an L1 of many ways; `pick(n)` draws from 1 to n.
template <class Pick>
std::vector<std::string> random_hashing(Pick&& pick) {
  const unsigned hash = pick(3) - 1;  // of controllers, which then are a power of two
  std::vector<std::string> set = {fmt::format("gpu.hash={}", hash)};
  for (const char* level : {"l1", "l2"}) {
    set.push_back(fmt::format("{}.sets={}", level, 1u << (pick(2) - 1)));
    set.push_back(fmt::format("{}.set_hash={}", level, pick(3) - 1));
  }
  if (hash) set.push_back(fmt::format("gpu.controllers={}", 1u << (pick(3) - 1)));
  if (pick(2) == 1) set.push_back(fmt::format("l1.ways={}", 32 + pick(8)));
  return set;
}

/// Parameters of the SM's front end; `pick(n)` gives 1 to n.
template <class Pick>
std::vector<std::string> random_front_end(Pick&& pick) {
  const auto set = [](const char* name, unsigned v) { return fmt::format("sm.{}={}", name, v); };
  return {
      set("schedulers", pick(4)),          set("scheduler", pick(2) - 1),     set("lsu_fair", pick(2) - 1),
      set("alu_chain", pick(3) * 50 - 50), set("int_latency", pick(8)),       set("fp_latency", pick(8)),
      set("dp_latency", pick(8)),          set("tensor_latency", pick(8)),    set("int_interval", pick(3)),
      set("fp_interval", pick(3)),         set("dp_interval", pick(9)),       set("sfu_interval", pick(9)),
      set("tensor_interval", pick(9)),     set("constant_interval", pick(3)), set("shared_interval", pick(3) - 1)};
}

/// Partly written sectors with or without byte masks, atomic units and data ports of every throughput; `pick(n)`
/// draws from 1 to n.
template <class Pick>
std::vector<std::string> random_writes(Pick&& pick) {
  return {fmt::format("l2.partial_writes={}", pick(2) - 1), fmt::format("l2.atomic_ops={}", pick(9) - 1),
          fmt::format("l2.atomic_same_address={}", pick(4) - 1), fmt::format("l2.port_sectors={}", pick(5) - 1),
          fmt::format("l2.fetch_sectors={}", pick(2))};
}

inline void random_traces(ToyWorkload& w, const TraceShape& s, unsigned seed) {
  std::minstd_rand random(seed);
  const unsigned owners = s.blocks * s.warps;
  for (unsigned k = 0; k < s.kernels; ++k) {
    for (unsigned b = 0; b < s.blocks; ++b) {
      std::vector<WarpBuilder> warps(s.warps);
      for (unsigned i = 0; i < s.warps; ++i)
        fill_random_warp(warps[i], random, b * s.warps + i, owners, static_cast<unsigned>(random() % (s.instrs + 1)));
      if (random() % 2)  // a barrier in every warp, at the end of what it has
        for (auto& builder : warps) builder.barrier();
      for (unsigned i = 0; i < s.warps; ++i) fill_random_warp(warps[i], random, b * s.warps + i, owners, 3);
      if (b == 0)
        w.add(std::move(warps));
      else
        w.block(std::move(warps));
    }
    if (random() % 2)
      w.kernels.back().before = {
          {kBase + random() % 4000,
           std::vector<std::uint8_t>(1 + random() % 1000, static_cast<std::uint8_t>(random()))}};
  }
}

/// Three times out of four each: random parameters of the front end, of the hashes, of the L2's writes. A random
/// crossbar always.
template <class Pick>
void add_random_parts(std::vector<std::string>& machine, Pick&& pick) {
  const auto add = [&machine](std::vector<std::string> more) {
    machine.insert(machine.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  if (pick(4) > 1) add(random_front_end(pick));
  if (pick(4) > 1) add(random_hashing(pick));
  if (pick(4) > 1) add(random_writes(pick));
  add(random_crossbar());
}

}  // namespace warpsieve::tb
