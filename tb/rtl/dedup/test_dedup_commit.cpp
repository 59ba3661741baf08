// dedup: commits cycle by cycle, model and RTL in lock step: when the hash store is asked, when the line's data are
// loaded, when they go to DRAM, when the write is done.
#include <gtest/gtest.h>

#include <deque>

#include "checked_world.h"
#include "world.h"

namespace warpsieve::dedup {
namespace {

/// The block alone. Every line is untouched until it was written; metadata and digests come in the next cycle, the
/// hash store answers `store_cycles` after it was asked: always the same answer.
class Commits {
 public:
  explicit Commits(const DedupConfig& config = {.total_lines = 20, .spare_lines = 2})
      : block_(make_dedup(odd_dedup, config, Backend::shadow)) {}

  hash_store::HashStoreRsp answer{.ok = true};  ///< of lookups and inserts
  unsigned store_cycles = 2;
  bool hold_dram = false;
  LineData reference{};  ///< what verify reads return

  // Cycles of the events, in order.
  std::vector<unsigned> asked, written, done;
  std::vector<DoneEvent> events;
  std::vector<DramReq> dram;
  unsigned cycle = 0;

  void write(std::uint32_t line, const LineData& data) { offers_.push_back({line, 0xf, data, 0}); }
  void run(unsigned cycles) {
    for (unsigned k = 0; k < cycles; ++k) step();
  }
  void until_asked(std::size_t times) {
    for (unsigned k = 0; k < 500 && asked.size() < times; ++k) step();
    ASSERT_EQ(asked.size(), times);
  }
  /// Cycles in which the banks were loaded, from the last lookup on: rd() is closed then, and not for anything else,
  /// because the only line in the block has been prepared.
  std::vector<unsigned> loads() const {
    std::vector<unsigned> out;
    std::copy_if(closed_.begin(), closed_.end(), std::back_inserter(out),
                 [&](unsigned c) { return c >= asked.back(); });
    return out;
  }

 private:
  void step() {
    if (!offers_.empty() && block_->wr().push(offers_.front())) offers_.pop_front();
    for (unsigned which = 0; which < kMetas; ++which) {
      auto& port = block_->meta_req(which);
      if (const auto* req = port.front()) {
        std::uint32_t& entry = metadata_[which][req->index];
        answers_[which].push_back({entry, req->id, false});
        if (req->write) entry = req->data;
        port.pop();
      } else if (!answers_[which].empty() && block_->meta_rsp(which).push(answers_[which].front())) {
        answers_[which].pop_front();
      }
    }
    if (const auto* req = block_->hash().front()) {
      digests_.push_back({md5::line_digest(req->mask, req->data)});
      block_->hash().pop();
    }
    if (!digests_.empty() && block_->hash_rsp().push(digests_.front())) digests_.pop_front();
    if (const auto* req = block_->store().front()) {
      if (req->op == hash_store::HashStoreOp::lookup) asked.push_back(cycle);
      store_due_ = cycle + store_cycles;
      block_->store().pop();
    }
    if (store_due_ == cycle && block_->store_rsp().push(answer)) store_due_.reset();
    if (const auto* req = block_->dram().front(); req && !hold_dram) {
      dram.push_back(*req);
      if (req->kind == DramKind::write) written.push_back(cycle);
      if (req->kind == DramKind::verify_read) verify_tag_ = req->tag;
      block_->dram().pop();
    }
    if (verify_tag_ && block_->dram_rsp().push({reference, *verify_tag_})) verify_tag_.reset();
    if (const auto* req = block_->probe().front()) {
      probed_ = req->id;
      block_->probe().pop();
    }
    if (probed_ && block_->probe_rsp().push({*probed_, 0, {}})) probed_.reset();
    if (const auto* event = block_->done().front()) {
      events.push_back(*event);
      done.push_back(cycle);
    }
    if (!block_->rd().ready()) closed_.push_back(cycle);
    block_->tick();
    ++cycle;
  }

  std::unique_ptr<Dedup> block_;
  std::deque<WriteReq> offers_;
  std::array<std::map<std::uint32_t, std::uint32_t>, kMetas> metadata_;
  std::array<std::deque<metadata_cache::MetaRsp>, kMetas> answers_;
  std::deque<md5::LineHashRsp> digests_;
  std::optional<unsigned> store_due_;
  std::optional<std::uint32_t> verify_tag_, probed_;
  std::vector<unsigned> closed_;
};

using Cycles = std::vector<unsigned>;

TEST(DedupCommit, DataAreLoadedWhileTheHashStoreIsAsked) {
  for (const unsigned wait : {2u, 3u, 9u}) {
    Commits commits;
    commits.store_cycles = wait;
    commits.write(3, pattern(1));
    commits.run(100);
    ASSERT_EQ(commits.asked.size(), 1u);
    const unsigned asked = commits.asked[0];
    EXPECT_EQ(commits.loads(), Cycles{asked});
    EXPECT_EQ(commits.written, Cycles{asked + wait + 4});   // answer, Decide, Write, two registers
    EXPECT_EQ(commits.done, Cycles{asked + 2 * wait + 4});  // the answer of the insertion
    EXPECT_EQ(commits.dram, (std::vector<DramReq>{{DramKind::write, 3, 0xf, 0, pattern(1)}}));
    EXPECT_EQ(commits.events[0].outcome, Outcome::unique_home);
  }
}

TEST(DedupCommit, TheNextCommitWaitsForTheAnswerOfAnInsertion) {
  for (const unsigned wait : {2u, 7u, 30u}) {
    Commits commits;
    commits.store_cycles = wait;
    commits.write(3, pattern(1));
    commits.write(4, pattern(2));
    commits.run(300);
    ASSERT_EQ(commits.done.size(), 2u);
    EXPECT_EQ(commits.done[0], commits.asked[0] + 2 * wait + 4);
    EXPECT_GE(commits.asked[1], commits.done[0]) << "insertions are answered after " << wait << " cycles";
  }
}

// The DRAM takes the data of the line before at any time: before, during and after the lookup of the next one.
TEST(DedupCommit, LoadWaitsUntilTheDramHasTheLineBefore) {
  for (unsigned late = 0; late < 12; ++late) {
    SCOPED_TRACE(late);
    Commits commits;
    commits.hold_dram = true;
    commits.write(3, pattern(1));
    commits.run(60);
    ASSERT_EQ(commits.done.size(), 1u);  // done, its data still on offer
    commits.write(4, pattern(2));
    commits.until_asked(2);
    const unsigned asked = commits.asked[1];
    while (commits.cycle < asked + late) commits.run(1);
    const unsigned taken = commits.cycle;
    commits.hold_dram = false;
    commits.run(60);
    // Decide: asked to asked + 3, then Fetch.
    const unsigned load = taken + 1;
    EXPECT_EQ(commits.loads(), Cycles{load});
    EXPECT_EQ(commits.written, (Cycles{taken, load <= asked + 3 ? asked + 6 : load + 3}));
    EXPECT_EQ(commits.dram, (std::vector<DramReq>{{DramKind::write, 3, 0xf, 0, pattern(1)},
                                                  {DramKind::write, 4, 0xf, 0, pattern(2)}}));
  }
}

TEST(DedupCommit, DuplicateWastesOneLoad) {
  Commits commits;
  commits.answer = {.hit = true, .ref = 9, .count = 1, .ok = true};
  commits.write(3, pattern(1));
  commits.run(60);
  EXPECT_EQ(commits.loads(), Cycles{commits.asked[0]});
  ASSERT_EQ(commits.events.size(), 1u);
  EXPECT_EQ(commits.events[0].outcome, Outcome::inter);
  EXPECT_TRUE(commits.dram.empty());
}

/// Cycles of the commit of line 4, which is prepared before it begins; line 3 asks the hash store long enough.
/// `before`: what line 4 holds.
unsigned commit_cycles(const std::vector<LineData>& before, const LineData& data, bool hit = false,
                       bool hash = true) {
  Commits commits({.hash = hash, .total_lines = 20, .spare_lines = 2});
  for (const LineData& old : before) commits.write(4, old);
  commits.run(100);
  const std::size_t first = commits.done.size();
  EXPECT_EQ(first, before.size());
  if (hash)
    commits.store_cycles = 100;
  else
    commits.hold_dram = true;
  commits.write(3, pattern(7));
  commits.write(4, data);
  commits.run(90);
  commits.store_cycles = 2;
  commits.run(12);  // line 3's lookup is answered, its insert takes two
  if (hit) commits.answer = {.hit = true, .ref = 9, .count = 0, .ok = true};
  commits.hold_dram = false;
  commits.run(100);
  EXPECT_EQ(commits.done.size(), first + 2);
  return commits.done[first + 1] - commits.done[first];
}
TEST(DedupCommit, CyclesOfEachKind) {
  EXPECT_EQ(commit_cycles({}, flat(1)), 4u);
  EXPECT_EQ(commit_cycles({flat(1)}, flat(2)), 4u);
  EXPECT_EQ(commit_cycles({pattern(1)}, flat(2)), 9u);  // has a slot to leave
  EXPECT_EQ(commit_cycles({}, pattern(2)), 8u);
  EXPECT_EQ(commit_cycles({flat(1)}, pattern(2)), 13u);
  EXPECT_EQ(commit_cycles({pattern(1)}, pattern(2)), 13u);  // resident as before: no metadata change
  EXPECT_EQ(commit_cycles({}, pattern(2), true), 11u);
}

TEST(DedupCommit, VerificationUsesTheDataLoadedDuringTheLookup) {
  for (const bool equal : {true, false}) {
    Commits commits({.verify = true, .total_lines = 20, .spare_lines = 2});
    commits.answer = {.hit = true, .ref = 9, .count = 1, .ok = true};
    commits.reference = equal ? pattern(1) : pattern(2);
    commits.write(3, pattern(1));
    commits.run(60);
    EXPECT_EQ(commits.loads(), Cycles{commits.asked[0]});  // a refuted one has its data, too
    ASSERT_EQ(commits.events.size(), 1u);
    EXPECT_EQ(commits.events[0].outcome, equal ? Outcome::inter : Outcome::unique_home);
    EXPECT_EQ(commits.events[0].collision, !equal);
    EXPECT_EQ(commits.dram.size(), equal ? 1u : 2u);
    EXPECT_EQ(commits.dram[0].kind, DramKind::verify_read);
    if (!equal) {
      EXPECT_EQ(commits.dram[1], (DramReq{DramKind::write, 3, 0xf, 0, pattern(1)}));
    }
  }
}

TEST(DedupCommit, VerificationWaitsForItsDataWhileTheDramHasNotTakenThoseBefore) {
  for (const bool equal : {true, false}) {
    Commits commits({.verify = true, .total_lines = 20, .spare_lines = 2});
    commits.hold_dram = true;
    commits.write(3, pattern(7));
    commits.run(60);
    ASSERT_EQ(commits.done.size(), 1u);
    commits.answer = {.hit = true, .ref = 9, .count = 1, .ok = true};
    commits.reference = equal ? pattern(1) : pattern(2);
    commits.write(4, pattern(1));
    commits.run(60);
    ASSERT_EQ(commits.asked.size(), 2u);
    EXPECT_TRUE(commits.loads().empty());
    const unsigned taken = commits.cycle;
    commits.hold_dram = false;
    commits.run(60);
    EXPECT_EQ(commits.loads(), Cycles{taken + 1});
    ASSERT_EQ(commits.events.size(), 2u);
    EXPECT_EQ(commits.events[1].outcome, equal ? Outcome::inter : Outcome::unique_home);
    EXPECT_EQ(commits.dram[0], (DramReq{DramKind::write, 3, 0xf, 0, pattern(7)}));
    EXPECT_EQ(commits.dram[1].kind, DramKind::verify_read);
    if (!equal) {
      EXPECT_EQ(commits.dram.back(), (DramReq{DramKind::write, 4, 0xf, 0, pattern(1)}));
    }
  }
}

/// Line 3 is written while another write waits for the DRAM: at bypass level 2 it is not hashed.
DoneEvent write_unhashed(World& world, const LineData& content) {
  for (const unsigned line : {9u, 10u}) world.write(line, 0xf, pattern(2 * line));  // their metadata are cached now
  world.hold_dram = true;
  for (const unsigned line : {9u, 10u, 3u}) {
    world.offer_write(line, 0xf, line == 3 ? content : pattern(2 * line + 1));
    world.until_taken();
    wait(world, 100);
  }
  world.hold_dram = false;
  DoneEvent event;
  for (unsigned k = 0; k < 400 && event.line != 3; ++k) {
    world.step();
    if (world.done_now()) event = *world.done_now();
  }
  EXPECT_EQ(event.line, 3u);
  EXPECT_TRUE(event.no_entry);
  world.drain();
  return event;
}
DedupUnitParams bypassing_unit() {
  DedupUnitParams params = quick_unit();
  params.config.bypass_level = 2;
  return params;
}

// A line that is not hashed has no lookup to load its data in: they come while the lent flag of the borrowed slot is
// on its way. It is mapped from then on: without its map it would read its home, which line 5 uses.
TEST(DedupCommit, LineThatIsNotHashedBorrowsASlot) {
  const auto borrow = [](World& world) {
    world.write(3, 0xf, pattern(1));
    EXPECT_EQ(world.write(5, 0xf, pattern(1)).outcome, Outcome::inter);
    EXPECT_EQ(write_unhashed(world, pattern(4)).outcome, Outcome::unique_borrowed);
    world.check_all();
  };
  World world(bypassing_unit(), control_in_shadow(), {});
  borrow(world);
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
  World broken(bypassing_unit(), {}, {}, {.forget_borrowed = true});
  borrow(broken);
  EXPECT_FALSE(broken.errors.empty());
}

// Nothing refers to a line that was not hashed and is at home. So it counts as untouched: it has no entry to lose and
// no old sectors to read.
TEST(DedupCommit, LineThatWasNotHashedCountsAsUntouched) {
  CheckedWorld world(bypassing_unit());
  world.write(3, 0xf, pattern(1));
  EXPECT_EQ(write_unhashed(world, pattern(4)).outcome, Outcome::unique_in_place);
  const DoneEvent event = world.write(3, 0x4, pattern(5));
  EXPECT_EQ(event.outcome, Outcome::unique_home);
  EXPECT_EQ(event.read, 0);
  EXPECT_FALSE(event.no_entry);
  EXPECT_EQ(world.write(5, 0x4, pattern(5)).outcome, Outcome::inter);
}

// From a slot it goes home when the home is free.
TEST(DedupCommit, MappedLineThatIsNotHashedGoesHomeAndCountsAsUntouched) {
  CheckedWorld world(bypassing_unit());
  world.write(5, 0xf, pattern(1));
  EXPECT_EQ(world.write(3, 0xf, pattern(1)).outcome, Outcome::inter);
  EXPECT_EQ(write_unhashed(world, pattern(4)).outcome, Outcome::unique_home);
  world.read(3, 0xf);
  const DoneEvent event = world.write(3, 0xf, pattern(6));
  EXPECT_EQ(event.outcome, Outcome::unique_home);
}

}  // namespace
}  // namespace warpsieve::dedup
