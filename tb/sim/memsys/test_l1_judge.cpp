// What an L1 may hand out (l1/l1_judge.h): every rule, legal on one side and broken on the other. Wrong bytes in the
// L1s of a machine under traffic: tb/sim/cluster/test_traffic.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "memsys/l1/l1_judge.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

constexpr GlobalLine kLine{3};     ///< of eight
constexpr std::uint32_t kWay = 1;  ///< of two

/// One SM's copies above a memory of eight lines; the L2 is the golden memory itself.
class CopyBench {
 public:
  CopyBench() {
    std::vector<std::uint8_t> image(8 * kLineBytes);
    for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::uint8_t>(i * 13 + i / 251);
    context.golden.load(0, image, image.size());
  }
  /// A reply as it leaves the L2 now.
  Packet reply() const {
    Packet p;
    p.mask = p.asked = kAllSectors;
    p.global_line = kLine;
    p.check.version = context.golden.version(kLine);
    p.data = now();
    return p;
  }
  void fill() { copies.filled(kWay, reply(), kAllSectors); }
  /// The SM stores `value` to the first byte of a sector; returns the packet. `l1`: the line it has, which it
  /// updates.
  std::uint32_t send(unsigned sector, std::uint8_t value, LineData* l1 = nullptr) {
    LineAccess access;
    access.line = kLine;
    access.mask = static_cast<SectorMask>(1u << sector);
    access.bytes[sector] = 1;
    access.data.sector(sector)[0] = value;
    if (l1) {
      copies.stored(kWay, access, *l1);
      l1->sector(sector)[0] = value;
    }
    const std::uint32_t handle = context.packets.take();
    Packet& p = context.packets[handle];
    p = {};
    p.kind = PacketKind::write;
    p.mask = access.mask;
    p.global_line = kLine;
    p.bytes = access.bytes;
    p.data = access.data;
    copies.sent(handle);
    return handle;
  }
  /// The L2 performs it.
  void perform(std::uint32_t handle) {
    Packet& p = context.packets[handle];
    for (unsigned s = 0; s < kSectors; ++s)
      merge_sector(context.golden.line(kLine) + s * kSectorBytes, p.data.sector(s), p.bytes[s]);
    p.check.version = context.golden.written(kLine);
  }
  void answer(std::uint32_t handle) {
    copies.performed(handle);
    context.packets.give(handle);
  }
  /// Another SM's store is performed.
  void peer_stores(unsigned sector, std::uint8_t value) {
    context.golden.line(kLine)[sector * kSectorBytes] = value;
    context.golden.written(kLine);
  }
  /// The L1 hands out a line's content, byte `at` flipped.
  unsigned hit(const LineData& content, unsigned at = kLineBytes, SectorMask mask = kAllSectors) {
    LineData data = content;
    if (at < kLineBytes) data.bytes[at] ^= 0x40;
    return copies.check(1, kWay, kLine, mask, data, Source::l1);
  }
  LineData now() const {
    LineData data;
    std::memcpy(data.bytes.data(), context.golden.line(kLine), kLineBytes);
    return data;
  }
  std::string complaint() const {
    return context.golden.first().empty() ? "" : context.golden.first().back().describe();
  }
  bool complains(const char* of) const { return complaint().find(of) != std::string::npos; }

  Context context{Profile{}};
  L1Judge copies{context, 5, 2};
};

TEST(L1Judge, WhatAReplyBroughtIsLegalAndEachSectorOfAHitIsCompared) {
  CopyBench b;
  b.fill();
  EXPECT_EQ(b.hit(b.now()), 0u);
  EXPECT_EQ(b.hit(b.now(), kLineBytes, 0b0110), 0u);
  EXPECT_TRUE(b.context.golden.clean());
  EXPECT_EQ(b.context.golden.checks(Source::l1), 6u);
}

TEST(L1Judge, AnOlderCopyIsLegalButNotAWrongByteInIt) {
  CopyBench b;
  b.fill();
  const LineData old = b.now();
  b.peer_stores(2, 0xee);
  EXPECT_EQ(b.hit(old), 1u);
  EXPECT_TRUE(b.context.golden.clean());
  for (const unsigned at : {0u, 31u, 64u, 127u}) {
    CopyBench wrong;
    wrong.fill();
    wrong.peer_stores(2, 0xee);
    wrong.hit(old, at);
    EXPECT_EQ(wrong.context.golden.mismatches(), 1u) << at;
    EXPECT_TRUE(wrong.complains(fmt::format("sector {} of SM 5 is not what replies", at / 32).c_str()))
        << wrong.complaint();
  }
}

TEST(L1Judge, ItsOwnStoreIsPartOfTheCopyFromTheCycleItWasSent) {
  CopyBench b;
  b.fill();
  LineData merged = b.now();
  const std::uint32_t store = b.send(1, 0xee, &merged);
  EXPECT_EQ(b.hit(merged), 1u) << "newer than the L2's content";
  b.perform(store);
  EXPECT_EQ(b.hit(merged), 0u);
  b.answer(store);
  EXPECT_EQ(b.hit(merged), 0u);
  EXPECT_TRUE(b.context.golden.clean()) << b.complaint();

  CopyBench missed;  // an L1 that did not update the line: equal to the L2's content, and wrong
  missed.fill();
  LineData updated = missed.now();
  missed.send(1, 0xee, &updated);
  EXPECT_EQ(missed.hit(missed.now()), 0u);
  EXPECT_TRUE(missed.complains("sector 1 of SM 5 is not what replies and its own stores")) << missed.complaint();
}

TEST(L1Judge, AWrongByteStaysOneWhenTheSectorIsStoredTo) {
  CopyBench b;
  b.fill();
  LineData wrong = b.now();
  wrong.sector(1)[9] ^= 1;
  b.send(1, 0xee, &wrong);
  b.hit(wrong);
  EXPECT_EQ(b.context.golden.mismatches(), 1u);
  EXPECT_TRUE(b.complains("sector 1 of SM 5")) << b.complaint();
}

TEST(L1Judge, WhatNobodyStoredToIsWhatTheL2Holds) {
  CopyBench b;
  Packet altered = b.reply();  // on its way from the L2
  altered.data.bytes[70] ^= 1;
  b.copies.filled(kWay, altered, kAllSectors);
  EXPECT_EQ(b.hit(altered.data), 1u);
  EXPECT_TRUE(b.complains("sector 2 of SM 5 is not what the L2 holds")) << b.complaint();
}

TEST(L1Judge, AReplyWithoutAnOlderStoreOfTheSmMustNotBeKept) {
  CopyBench b;
  const Packet before = b.reply();
  const std::uint32_t store = b.send(1, 0xee);
  b.copies.filled(kWay, before, 0b1101);  // as the L1 does: the sector that was overtaken is left out
  b.hit(before.data, kLineBytes, 0b1101);
  EXPECT_TRUE(b.context.golden.clean()) << b.complaint();
  b.copies.filled(kWay, before, 0b0010);
  b.hit(before.data, kLineBytes, 0b1101);
  EXPECT_TRUE(b.context.golden.clean()) << "not this sector";
  b.hit(before.data, kLineBytes, 0b0010);
  EXPECT_TRUE(b.complains("SM 5 kept a reply without its own older store")) << b.complaint();
  // Performed, and even answered, the store is still missing; a reply that left the L2 after it has it.
  b.perform(store);
  b.answer(store);
  const std::uint64_t known = b.context.golden.mismatches();
  b.hit(before.data, kLineBytes, 0b0010);
  EXPECT_EQ(b.context.golden.mismatches(), known + 1);
  b.fill();
  b.hit(b.now());
  EXPECT_EQ(b.context.golden.mismatches(), known + 1);
}

TEST(L1Judge, AReplyThatLeftTheL2AfterTheStoreMayBeKeptWhileItsAnswerIsOnItsWay) {
  CopyBench b;
  b.perform(b.send(1, 0xee));
  b.fill();
  EXPECT_EQ(b.hit(b.now()), 0u);
  EXPECT_TRUE(b.context.golden.clean()) << b.complaint();
}

TEST(L1Judge, OnlyWhatIsHereCanBeHit) {
  for (const int how : {0, 1, 2, 3, 4}) {
    CopyBench b;
    LineAccess atomic;
    atomic.line = kLine;
    atomic.mask = 0b1000;
    Packet other = b.reply();
    other.global_line = GlobalLine{kLine + 1};
    if (how == 1) b.copies.filled(kWay, b.reply(), 0b0111);
    if (how >= 2) b.fill();
    if (how == 2) b.copies.outdated(kWay, atomic);
    if (how == 3) b.copies.gone(kWay);
    if (how == 4) b.copies.filled(kWay, other, kAllSectors);
    b.hit(b.now(), kLineBytes, 0b1000);
    EXPECT_TRUE(b.complains("SM 5 holds what no reply of this kernel brought")) << how;
  }
}

TEST(L1Judge, APeersCopyComesWithItsHistory) {
  // A peer's copy is older than the L2's content: legal, and its version is the peer's.
  CopyBench b;
  b.fill();
  const LineData old = b.now();
  b.peer_stores(0, 0xee);
  const L1Judge::Copy of_peer = b.copies.of(kWay);
  L1Judge mine(b.context, 6, 2);
  Packet reply = b.reply();
  reply.from_peer = true;
  reply.check.version = 0;
  reply.data = old;
  mine.expect(reply, of_peer);
  mine.filled(0, reply, kAllSectors);
  EXPECT_EQ(mine.check(1, 0, kLine, kAllSectors, old, Source::l1), 1u);
  EXPECT_TRUE(b.context.golden.clean()) << b.complaint();
  EXPECT_THROW(mine.filled(0, reply, kAllSectors), std::logic_error) << "its history is taken once";
}

TEST(L1Judge, BooksThatDoNotBalanceAreErrors) {
  CopyBench b;
  const std::uint32_t store = b.send(0, 1);
  EXPECT_THROW(b.copies.end_kernel(), std::logic_error);
  b.answer(store);
  EXPECT_NO_THROW(b.copies.end_kernel());
  EXPECT_THROW(b.copies.performed(store), std::logic_error);
}

}  // namespace
}  // namespace warpsieve::tb
