// The spill model: counts by hand on a small kernel, the right values in every reload, whatever the control flow.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "run.h"
#include "simt/lane_pattern.h"
#include "simt/spill.h"
#include "support/property.h"

namespace warpsieve::simt {
namespace {

struct Spilled {
  std::vector<BlockTrace> blocks;
  KernelSpills report;
};

template <class F>
Spilled spill(DeviceMemory& memory, const SpillParams& params, F kernel, std::uint32_t blocks = 1,
              std::uint32_t threads = 32, std::uint32_t shared = 0) {
  Spiller spiller(params);
  const auto launch = make_launch(memory, {"kernel", blocks, threads, shared, 32}, std::move(kernel));
  launch->spill_with(spiller);
  Spilled out;
  for (std::uint32_t b = 0; b < blocks; ++b) out.blocks.push_back(launch->run_block(b));
  out.report = spiller.report().front();
  return out;
}

/// Private memory as the stream leaves it, step by step: every global store that gets its value from a reload must
/// store what was reloaded, and no reload reads a word that was never stored. Returns how many stores were compared.
unsigned replay(const WarpTrace& t) {
  struct Word {
    std::uint32_t value = 0;
    bool valid = false;
  };
  std::map<std::pair<Addr, unsigned>, Word> memory;
  unsigned compared = 0;
  std::map<std::uint32_t, std::vector<LaneWords>> reloads;
  for (std::uint32_t i = 0; i < t.instrs.size(); ++i) {
    const WarpInstr& in = t.instrs[i];
    for (unsigned s = 0; s < in.sources; ++s) EXPECT_LT(in.source[s], i);
    const std::uint8_t* data = t.data.data() + in.values;
    if (in.op == Op::local_store)
      for (unsigned w = 0; w < in.bytes / 4u; ++w)
        for (std::uint32_t m = in.mask; m; m &= m - 1, data += 4) {
          Word& word = memory[{t.addresses[in.payload + w], static_cast<unsigned>(std::countr_zero(m))}];
          std::memcpy(&word.value, data, 4);
          word.valid = true;
        }
    if (in.op == Op::local_load) {
      std::vector<LaneWords>& words = reloads[i];
      for (unsigned w = 0; w < in.bytes / 4u; ++w) {
        words.emplace_back();
        for (std::uint32_t m = in.mask; m; m &= m - 1) {
          const auto lane = static_cast<unsigned>(std::countr_zero(m));
          const Word& word = memory[{t.addresses[in.payload + w], lane}];
          EXPECT_TRUE(word.valid) << "instruction " << i << " lane " << lane;
          words.back()[lane] = word.value;
        }
      }
    }
    if (in.op == Op::store && in.bytes == 4 && in.sources == 2)
      if (const auto it = reloads.find(in.source[1]); it != reloads.end() && it->second.size() == 1) {
        ++compared;
        for (std::uint32_t m = in.mask; m; m &= m - 1, data += 4) {
          std::uint32_t stored;
          std::memcpy(&stored, data, 4);
          EXPECT_EQ(it->second[0][static_cast<unsigned>(std::countr_zero(m))], stored) << "instruction " << i;
        }
      }
  }
  return compared;
}

struct Arrays {
  DeviceMemory memory;
  Buffer<int> a = memory.allocate<int>("a", 64), b = memory.allocate<int>("b", 64), c = memory.allocate<int>("c", 64),
              out = memory.allocate<int>("out", 64);
  Arrays() {
    for (int i = 0; i < 64; ++i) {
      memory.write(a, static_cast<std::uint64_t>(i), i * 4);
      memory.write(b, static_cast<std::uint64_t>(i), i * i * 7919);
      memory.write(c, static_cast<std::uint64_t>(i), 5);
    }
  }
  auto straight() {
    return [=, this](Warp& w) {
      const Vec<int> i = w.global_thread();                                 // 0, uses 1 3 5 10
      const Vec<int> x = w.load(a, i), y = w.load(b, i), z = w.load(c, i);  // 2 4 6, addresses 1 3 5
      const Vec<int> s = x + y, t = s * z;                                  // 7 8
      w.store(out, i, t + x);                                               // 9, address 10, store 11
    };
  }
};

struct ByHand {
  std::uint32_t registers, spilled, slots;
  std::uint64_t loads, stores;
};

TEST(Spill, CountsByHandOnAStraightKernel) {
  // Live before 7: i x y z; before 8: i x z s. Uses per live step: x 2/7, y 1/3, i 4/10, z 1/2, s 1/1.
  for (const ByHand& want :
       {ByHand{4, 0, 0, 0, 0}, ByHand{3, 1, 1, 2, 1}, ByHand{2, 3, 3, 7, 3}, ByHand{1, 4, 4, 8, 4}}) {
    Arrays m;
    const Spilled got = spill(m.memory, {.registers = want.registers}, m.straight());
    SCOPED_TRACE(want.registers);
    EXPECT_EQ(got.report.r_base, 4u);
    EXPECT_EQ(got.report.spilled, want.spilled);
    EXPECT_EQ(got.report.slots, want.slots);
    EXPECT_EQ(got.report.loads, want.loads);
    EXPECT_EQ(got.report.stores, want.stores);
    const WarpTrace& t = got.blocks[0].warps[0];
    EXPECT_EQ(test::only(t, Op::local_load).size(), want.loads);
    EXPECT_EQ(test::only(t, Op::local_store).size(), want.stores);
    EXPECT_EQ(t.instrs.size(), 12 + want.loads + want.stores);
    EXPECT_EQ(got.blocks[0].spill_slots, want.slots);
    EXPECT_EQ(got.blocks[0].registers, want.registers);
    replay(t);
  }
}

TEST(Spill, PercentIsRoundedUpAndLeavesSmallKernelsAlone) {
  Arrays m;
  EXPECT_EQ(spill(m.memory, {.percent = 60, .min_base = 4}, m.straight()).report.registers, 3u);
  EXPECT_EQ(spill(m.memory, {.percent = 50, .min_base = 4}, m.straight()).report.registers, 2u);
  EXPECT_EQ(spill(m.memory, {.percent = 50}, m.straight()).report.registers, 0u);
}

TEST(Spill, AStoreFollowsTheResultAndALoadPrecedesTheUse) {
  Arrays m;
  const WarpTrace t = spill(m.memory, {.registers = 3}, m.straight()).blocks[0].warps[0];
  std::vector<Op> ops;
  for (const WarpInstr& i : t.instrs) ops.push_back(i.op);
  using enum Op;
  EXPECT_EQ(ops, (std::vector<Op>{alu, alu, load, local_store, alu, load, alu, load, local_load, alu, alu, local_load,
                                  alu, alu, store}));
  EXPECT_EQ(test::sources(t.instrs[3]), (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(test::sources(t.instrs[9]), (std::vector<std::uint32_t>{8, 5}));
  EXPECT_EQ(test::sources(t.instrs[12]), (std::vector<std::uint32_t>{10, 11}));
  // The data are the lanes of x: lane * 4.
  for (unsigned l = 0; l < 32; ++l) {
    std::uint32_t v;
    std::memcpy(&v, t.data.data() + t.instrs[3].values + 4 * l, 4);
    EXPECT_EQ(v, l * 4);
  }
}

TEST(Spill, MaskedAssignmentStoresItsLanesIntoTheSameSlot) {
  Arrays m;
  const Spilled got = spill(m.memory, {.registers = 1}, [&](Warp& w) {
    const Vec<int> i = w.global_thread();
    Vec<int> x = w.load(m.a, i);
    w.if_(i < 8, [&] { x = w.load(m.b, i); });
    w.store(m.out, i, x);
  });
  const WarpTrace& t = got.blocks[0].warps[0];
  std::vector<std::pair<Addr, std::uint32_t>> stores;
  for (const WarpInstr& i : test::only(t, Op::local_store)) stores.emplace_back(t.addresses[i.payload], i.mask);
  ASSERT_GE(stores.size(), 2u);
  EXPECT_EQ(stores[stores.size() - 2].first, stores.back().first);
  EXPECT_EQ(stores[stores.size() - 2].second, kAllLanes);
  EXPECT_EQ(stores.back().second, 0xffu);
  EXPECT_EQ(replay(t), 1u);
}

TEST(Spill, AWindowOfLiveValuesTakesOneSlotEach) {
  Arrays m;
  const Spilled got = spill(m.memory, {.registers = 1}, [&](Warp& w) {
    const Vec<int> i = w.global_thread();
    Vec<int> p0 = w.load(m.a, i), p1 = w.load(m.b, i), p2 = w.load(m.c, i);
    for ([[maybe_unused]] const int k : w.range(0, 6)) {
      w.store(m.out, i, p0 + p2);
      p0 = p1;
      p1 = p2;
      p2 = w.load(m.b, i + 1);
    }
    w.store(m.out, i, p0 - p1);
  });
  EXPECT_GE(got.report.slots, 4u);  // i and three planes
  EXPECT_LE(got.report.slots, 7u);
  replay(got.blocks[0].warps[0]);
}

TEST(Spill, EightByteValuesCountTwoRegistersAndMoveAtOnce) {
  DeviceMemory memory;
  const Buffer<Int2> in = memory.allocate<Int2>("in", 32);
  const Buffer<int> out = memory.allocate<int>("out", 32);
  for (int i = 0; i < 32; ++i) memory.write(in, static_cast<std::uint64_t>(i), Int2{i, -i * 3});
  const Spilled got = spill(memory, {.registers = 1}, [&](Warp& w) {
    const Vec<int> i = w.thread();
    const Vec<Int2> pair = w.load(in, i);
    w.store(out, i, member(pair, &Int2::x) * member(pair, &Int2::y));
  });
  EXPECT_EQ(got.report.r_base, 2u);  // the thread number costs nothing
  const auto loads = test::only(got.blocks[0].warps[0], Op::local_load);
  EXPECT_EQ(std::count_if(loads.begin(), loads.end(), [](const WarpInstr& i) { return i.bytes == 8; }), 1);
  EXPECT_EQ(got.report.slots, 2u);
  replay(got.blocks[0].warps[0]);
}

TEST(Spill, ARecordPackedFromSeveralVectorsIsAMove) {
  DeviceMemory memory;
  const Buffer<Int2> out = memory.allocate<Int2>("out", 32);
  const Buffer<int> in = memory.allocate<int>("in", 32);
  for (int i = 0; i < 32; ++i) memory.write(in, static_cast<std::uint64_t>(i), i * i);
  const Spilled got = spill(memory, {.registers = 1}, [&](Warp& w) {
    const Vec<int> i = w.global_thread(), x = w.load(in, i);
    std::array<Int2, kLanes> pair;
    for (unsigned l = 0; l < kLanes; ++l) pair[l] = {x[l], i[l]};
    w.store(out, i, Vec<Int2>(pair, x.producer()));
  });
  EXPECT_EQ(got.report.r_base, 3u);
  const WarpTrace& t = got.blocks[0].warps[0];
  const auto loads = test::only(t, Op::local_load);
  EXPECT_EQ(std::count_if(loads.begin(), loads.end(), [](const WarpInstr& i) { return i.bytes == 8; }), 1);
  replay(t);
  EXPECT_EQ(memory.read(out, 7), (Int2{49, 7}));
}

TEST(Spill, GenericFirstSpillsTheGenericVariable) {
  Arrays m;
  const auto first_stored = [&](std::uint32_t generic_first) {
    const WarpTrace t =
        spill(m.memory, {.registers = 3, .generic_first = generic_first}, m.straight()).blocks[0].warps[0];
    LaneWords words{};
    std::memcpy(words.data(), t.data.data() + test::only(t, Op::local_store)[0].values, 128);
    return lane_pattern(words, kAllLanes);
  };
  EXPECT_EQ(first_stored(0), LanePattern::affine);   // x
  EXPECT_EQ(first_stored(1), LanePattern::generic);  // y
}

TEST(Spill, AnAddressIsARegisterThatLaterAccessesAtTheIndexUseAgain) {
  Arrays m;
  const auto kernel = [&m](Warp& w) {
    const Vec<int> i = w.global_thread();   // 0
    const Vec<int> x = w.load(m.a, i);      // address 1, load 2
    const Vec<int> y = w.load(m.b, i) + x;  // address 3, load 4, sum 5
    w.store(m.a, i, y);                     // store 6 at the address of 1
    w.store(m.b, i, x);                     // store 7 at the address of 3
  };
  // Live before 5: x, the loaded b and both addresses; without them x, b and i, whose last use is then 6 or 7.
  EXPECT_EQ(spill(m.memory, {.registers = 99}, kernel).report.r_base, 3u);
  EXPECT_EQ(spill(m.memory, {.registers = 99, .address_words = 1}, kernel).report.r_base, 4u);
  EXPECT_EQ(spill(m.memory, {.registers = 99, .address_words = 2}, kernel).report.r_base, 6u);
  const Spilled none = spill(m.memory, {.registers = 99}, kernel);
  EXPECT_EQ(none.blocks[0].warps[0].instrs.size(), 10u);
  for (const std::uint32_t words : {1u, 2u}) {
    const Spilled got = spill(m.memory, {.registers = 1, .address_words = words}, kernel);
    const WarpTrace& t = got.blocks[0].warps[0];
    EXPECT_EQ(t.instrs.size() - got.report.loads - got.report.stores, 8u);
    replay(t);
    // What is spilled first is the first address: array a from lane 0 on, four bytes apart.
    LaneWords low{};
    for (const WarpInstr& instr : t.instrs) {
      if (instr.op != Op::local_store || instr.bytes != 4 * words) continue;
      std::memcpy(low.data(), t.data.data() + instr.values, 128);
      if (low[0] == static_cast<std::uint32_t>(m.a.base)) break;
    }
    for (unsigned l = 0; l < 32; ++l) EXPECT_EQ(low[l], static_cast<std::uint32_t>(m.a.base) + 4 * l);
  }
}

TEST(Spill, AnAddressOfFewerLanesIsNotUsedForMore) {
  Arrays m;
  const Spilled got = spill(m.memory, {.registers = 99, .address_words = 1}, [&m](Warp& w) {
    const Vec<int> t = w.thread();
    w.if_(t < 8, [&] { w.store(m.a, t, t); });
    w.store(m.a, t, t + 1);                     // a new address for all lanes
    w.if_(t < 4, [&] { w.store(m.a, t, t); });  // that one
  });
  // thread, test, branch, address, store; sum, address, store; test, branch, store
  EXPECT_EQ(got.blocks[0].warps[0].instrs.size(), 11u);
  EXPECT_EQ(m.memory.read(m.a, 3), 3);
  EXPECT_EQ(m.memory.read(m.a, 5), 6);
}

TEST(Spill, AnOperandThatIsNotTheResultItClaimsToBeIsNoticed) {
  Sites sites;
  Capture capture(sites);
  Recorder r;
  r.keep_results(capture);
  std::array<int, 32> lanes{};
  const std::uint32_t n = r.arithmetic(Op::alu, 1);
  r.keep_result(n, lanes);
  r.check_operand(n, lanes);
  lanes[7] = 1;
  EXPECT_THROW(r.check_operand(n, lanes), std::logic_error);
}

TEST(LanePatterns, AreWhatThePaperCallsThem) {
  LaneWords v{};
  const auto set = [&](auto&& f) {
    for (unsigned l = 0; l < 32; ++l) v[l] = f(l);
  };
  EXPECT_EQ(lane_pattern(v, kAllLanes), LanePattern::zero);
  set([](unsigned) { return 9u; });
  EXPECT_EQ(lane_pattern(v, kAllLanes), LanePattern::uniform);
  set([](unsigned l) { return 128 + l * 4; });
  EXPECT_EQ(lane_pattern(v, kAllLanes), LanePattern::affine);
  EXPECT_EQ(lane_pattern(v, 0x80000001u), LanePattern::affine);
  set([](unsigned l) { return 129 + l * 4; });  // base not a multiple of the stride
  EXPECT_EQ(lane_pattern(v, kAllLanes), LanePattern::unaligned);
  EXPECT_EQ(lane_pattern(v, 0x80000100u), LanePattern::unaligned);
  set([](unsigned l) { return 31 + l * 64; });
  EXPECT_EQ(lane_pattern(v, kAllLanes), LanePattern::unaligned);
  v[17] ^= 1;
  EXPECT_EQ(lane_pattern(v, kAllLanes), LanePattern::generic);
  EXPECT_EQ(lane_pattern(v, ~(1u << 17)), LanePattern::unaligned);
  set([](unsigned l) { return l * 4 - 60; });  // base 2^32 - 60
  EXPECT_EQ(lane_pattern(v, kAllLanes), LanePattern::affine);
  set([](unsigned l) { return l * 4 - 62; });
  EXPECT_EQ(lane_pattern(v, kAllLanes), LanePattern::unaligned);
  set([](unsigned l) { return 62 - l * 4; });  // strides are positive
  EXPECT_EQ(lane_pattern(v, kAllLanes), LanePattern::generic);
  set([](unsigned l) { return (l + 1) / 2 * 8; });  // 0 8 8 16 ...: a stride only for every other lane
  EXPECT_EQ(lane_pattern(v, 0x55555555u), LanePattern::affine);
  EXPECT_EQ(lane_pattern(v, kAllLanes), LanePattern::generic);
  set([](unsigned l) { return l * 4; });
  EXPECT_EQ(lane_pattern(v, 0x10), LanePattern::uniform);  // one lane
  EXPECT_EQ(lane_pattern(v, 0x1), LanePattern::zero);
  set([](unsigned l) { return l * 3; });
  EXPECT_EQ(lane_pattern(v, kAllLanes), LanePattern::generic);
  set([](unsigned l) { return l * 128; });
  EXPECT_EQ(lane_pattern(v, kAllLanes), LanePattern::generic);
}

/// A random program of masked updates, copies, nested branches and loops over five variables.
void random_kernel(Warp& w, const std::vector<int>& code, const Arrays& m) {
  const Vec<int> i = w.global_thread();
  std::array<Vec<int>, 5> v = {w.load(m.a, i), w.load(m.b, i), Vec<int>(3), i * 2, Vec<int>(0)};
  std::size_t pc = 0;
  const auto next = [&](int n) { return static_cast<std::size_t>(code[pc++ % code.size()] % n); };
  const std::function<void(int)> body = [&](int depth) {
    for (std::size_t step = 0, n = 1 + next(4); step < n && pc < 60; ++step) {
      const std::size_t to = next(5), x = next(5), y = next(5);
      switch (next(7)) {
        case 0: v[to] = v[x]; break;
        case 1: v[to] = v[x] + v[y]; break;
        case 2: v[to] = static_cast<int>(next(9)); break;
        case 3: v[to] = select(v[x] < v[y], v[x], v[y] - 1); break;
        case 4: w.store(m.out, i, v[x]); break;
        case 5:
          if (depth < 3)
            w.if_else_((v[x] & 3) == static_cast<int>(next(4)), [&] { body(depth + 1); }, [&] { body(depth + 1); });
          break;
        default:
          if (depth < 2) {
            Vec<int> k = v[x] & 3;
            const std::size_t again = pc;
            w.while_([&] { return k > 0; },
                     [&] {
                       pc = again;
                       body(depth + 1);
                       k -= 1;
                     });
          }
      }
    }
  };
  body(0);
  for (const Vec<int>& x : v) w.store(m.out, i, x);
}

TEST(Spill, RandomKernelsReloadWhatTheyComputedAndStoreTheSame) {
  unsigned compared = 0, spilled = 0;
  tb::check_property("spill_random", 300, [&] {
    const auto code = *rc::gen::container<std::vector<int>>(60, rc::gen::inRange(0, 1000));
    const auto registers = *rc::gen::inRange<std::uint32_t>(1, 8), words = *rc::gen::inRange<std::uint32_t>(0, 3);
    Arrays plain, limited;
    test::run_blocks(plain.memory, 2, 32, [&](Warp& w) { random_kernel(w, code, plain); });
    const Spilled got = spill(
        limited.memory, {.registers = registers, .address_words = words},
        [&](Warp& w) { random_kernel(w, code, limited); }, 2);
    RC_ASSERT(plain.memory.read(plain.out) == limited.memory.read(limited.out));
    RC_ASSERT(got.report.registers == registers);
    for (const BlockTrace& b : got.blocks)
      for (const WarpTrace& t : b.warps) compared += replay(t);
    spilled += got.report.spilled != 0;
    RC_ASSERT(!::testing::Test::HasFailure());
  });
  EXPECT_GT(compared, 500u);
  EXPECT_GT(spilled, 200u);
}

TEST(Spill, BarrierKernelsKeepTheirWarpsApart) {
  Arrays m;
  const Spilled got = spill(
      m.memory, {.registers = 1},
      [&m](Warp& w) -> Task {
        const Shared<int> s{0, 64};
        const Vec<int> t = w.thread();
        const Vec<int> x = w.load(m.b, t) + 1, y = w.load(m.a, t) * 3;
        w.store(s, t, x);
        co_await w.barrier();
        w.store(m.out, t, w.load(s, t) + x - y);
      },
      1, 64, 256);
  EXPECT_GT(got.report.loads, 0u);
  for (const WarpTrace& t : got.blocks[0].warps) replay(t);
  EXPECT_EQ(m.memory.read(m.out, 40), 2 * (40 * 40 * 7919 + 1) - 480);
}

}  // namespace
}  // namespace warpsieve::simt
