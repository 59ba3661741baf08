// The coalescer against a plain one that goes lane by lane and byte by byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "memsys/sm/coalescer.h"

namespace warpsieve::memsys::test {
namespace {

constexpr simt::Addr kBase = 0x10000, kSize = 1 << 14;

AddressMap map() {
  AddressMap m;
  m.base = kBase;
  m.size = kSize;
  return m;
}

/// One memory instruction with a stream of its own.
struct Access {
  simt::WarpTrace trace;
  simt::WarpInstr instr;
};

Access make(simt::Op op, unsigned bytes, const std::vector<simt::Addr>& at, std::mt19937& random) {
  Access a;
  a.trace.addresses = {1, 2, 3};  // of others before it
  a.trace.data = {4, 5};
  a.instr.op = op;
  a.instr.bytes = static_cast<std::uint8_t>(bytes);
  a.instr.mask = at.empty() ? 0 : ~0u >> (32 - at.size());
  a.instr.payload = 3;
  a.instr.values = 2;
  a.trace.addresses.insert(a.trace.addresses.end(), at.begin(), at.end());
  if (op == simt::Op::store)
    for (std::size_t i = 0; i < at.size() * bytes; ++i) a.trace.data.push_back(static_cast<std::uint8_t>(random()));
  return a;
}

void expect_as_lane_by_lane(Coalescer& coalescer, const Access& access, const std::vector<simt::Addr>& at) {
  const bool store = access.instr.op == simt::Op::store;
  std::vector<LineAccess> want;
  const std::uint8_t* value = access.trace.data.data() + access.instr.values;
  for (const simt::Addr a : at) {
    std::uint32_t last = ~0u;
    for (unsigned b = 0; b < access.instr.bytes; ++b) {
      const GlobalLine line{static_cast<std::uint32_t>((a - kBase + b) / kLineBytes)};
      const unsigned offset = (a - kBase + b) % kLineBytes;
      auto found = std::find_if(want.begin(), want.end(), [&](const LineAccess& l) { return l.line == line; });
      if (found == want.end()) {
        want.emplace_back().line = line;
        found = want.end() - 1;
      }
      found->mask |= static_cast<SectorMask>(1u << offset / kSectorBytes);
      if (store) {
        found->bytes[offset / kSectorBytes] |= 1u << offset % kSectorBytes;
        found->data.bytes[offset] = *value++;
      } else if (line != last) {
        found->lane_bytes = access.instr.bytes;
        found->offset[found->ops++] = static_cast<std::uint8_t>(offset);
      }
      last = line;
    }
  }
  coalescer.split(access.trace, access.instr);
  ASSERT_EQ(coalescer.size(), want.size());
  for (std::uint32_t i = 0; i < want.size(); ++i) {
    const LineAccess &got = coalescer[i], &w = want[i];
    ASSERT_EQ(got.line, w.line);
    ASSERT_EQ(coalescer.number(i), w.line);
    ASSERT_EQ(got.mask, w.mask);
    ASSERT_EQ(got.ops, w.ops);
    ASSERT_EQ(got.bytes, w.bytes);
    for (unsigned k = 0; k < w.ops; ++k) ASSERT_EQ(got.offset[k], w.offset[k]);
    if (w.ops) {
      ASSERT_EQ(got.lane_bytes, w.lane_bytes);
    }
    for (unsigned b = 0; b < kLineBytes; ++b) {
      if (!(w.bytes[b / kSectorBytes] >> b % kSectorBytes & 1)) continue;
      ASSERT_EQ(got.data.bytes[b], w.data.bytes[b]);
    }
  }
}

TEST(Coalescer, AgreesWithOneThatGoesLaneByLane) {
  std::mt19937 random(3);
  const AddressMap m = map();
  Coalescer coalescer(m);
  for (unsigned n = 0; n < 40000; ++n) {
    const unsigned bytes = 1u << random() % 5, lanes = random() % 4 ? 32 : random() % 33;
    const auto op = random() % 2 ? simt::Op::load : simt::Op::store;
    // Rows from anywhere, aligned or not; rows with a lane out of place; one place for all; other pitches; anything.
    const unsigned form = random() % 6, shift = random() % 3 ? 0 : random() % bytes;
    const simt::Addr first = kBase + random() % (kSize - 1024) / bytes * bytes + shift;
    const unsigned pitch = form == 2 ? 0 : form == 3 ? random() % 24 : bytes;
    std::vector<simt::Addr> at;
    for (unsigned l = 0; l < lanes; ++l)
      at.push_back(form == 4 ? kBase + random() % (kSize - 16) : first + l * pitch);
    if (form == 1 && lanes) at[random() % lanes] = first + random() % 64;
    Access access = make(op, bytes, at, random);
    if (random() % 4) access.trace.pack(lanes);
    expect_as_lane_by_lane(coalescer, access, at);
    if (HasFatalFailure()) FAIL() << "access " << n << ", form " << form << ", " << bytes << " bytes";
  }
}

TEST(Coalescer, ARowOverTheEndOfMemoryThrows) {
  std::mt19937 random(3);
  const AddressMap m = map();
  Coalescer coalescer(m);
  for (const simt::Addr first :
       {kBase + kSize - 124, kBase - 4, kBase + kSize, (simt::Addr{1} << simt::kAddressBits) - 128}) {
    for (const simt::Op op : {simt::Op::load, simt::Op::store}) {
      std::vector<simt::Addr> at;
      for (unsigned l = 0; l < 32; ++l) at.push_back(first + l * 4);
      Access access = make(op, 4, at, random);
      EXPECT_THROW(coalescer.split(access.trace, access.instr), std::out_of_range);
      access.trace.pack(32);
      EXPECT_THROW(coalescer.split(access.trace, access.instr), std::out_of_range);
    }
  }
  std::vector<simt::Addr> at;
  for (unsigned l = 0; l < 32; ++l) at.push_back(kBase + kSize - 128 + l * 4);
  Access last = make(simt::Op::load, 4, at, random);
  last.trace.pack(32);
  EXPECT_NO_THROW(coalescer.split(last.trace, last.instr));
}

}  // namespace
}  // namespace warpsieve::memsys::test
