#include "l1_stub.h"

#include <fmt/format.h>

#include <stdexcept>

namespace warpsieve::request_control {

namespace {
void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error("tracker: " + what);
}
}  // namespace

L1Stub::L1Stub(CriticalDataTracker& tracker, const TrackerParams& params, const StubTraffic& traffic)
    : tracker_(tracker), params_(params), traffic_(traffic), random_(traffic.seed), lines_(params.lines),
      entries_(params.mshrs) {}

void L1Stub::run(unsigned requests) {
  to_issue_ = requests;
  const unsigned goal = served_ + requests;
  unsigned stalled = 0;
  while (served_ < goal || !packets_.empty() || !expected_.empty() || !flights_.empty()) {
    progress_ = false;
    if (chance(20)) tracker_.set_prediction(traffic_.predict, {{chance(30), chance(30), chance(30)}, chance(15)});
    take_rsp();
    take_done();
    give_fill();
    give_request();
    if (change_) {
      Line& line = lines_[change_->line];
      if (change_->takes_over) {
        line.tag.reset();
        line.present = 0;
      }
      line.present |= change_->present;
      change_.reset();
    }
    tracker_.tick();
    stalled = progress_ ? 0 : stalled + 1;
    require(stalled < 5000, "no progress");
  }
}

void L1Stub::take_rsp() {
  const TrackerRsp* front = tracker_.rsp().front();
  if (!front || !chance(traffic_.accept)) return;
  const TrackerRsp rsp = *front;
  tracker_.rsp().pop();
  progress_ = true;
  require(!flights_.empty(), "an answer nobody waits for");
  const Flight flight = flights_.front();
  flights_.pop_front();
  const TrackerReq& req = flight.req;
  Entry& entry = entries_[req.mshr];
  if (req.line_hit) --lines_[req.line].flights;
  if (req.mshr_hit || req.alloc) --entry.flights;
  ++seen_[static_cast<unsigned>(rsp.kind)];
  const std::string text = describe(req) + ": " + describe(rsp);

  const auto ask = [&](std::uint8_t base) {
    require(rsp.send != 0 && (rsp.send & (entry.sent | base)) == 0, "asked twice: " + text);
    require((req.mask & ~(rsp.send | entry.sent | entry.brought | base)) == 0, "not all asked: " + text);
    require(traffic_.predict || (rsp.send & ~req.mask) == 0, "widened without prediction: " + text);
    entry.sent |= rsp.send;
    entry.asked |= rsp.reason == Reason::partial ? req.mask : 15;
    packets_.push_back({req.mshr, rsp.send});
  };
  const auto wait = [&] {
    entry.need |= flight.read.mask;
    ++entry.waiting;
  };
  switch (rsp.kind) {
    case Class::hit:
      require(req.line_hit && (req.mask & ~flight.present) == 0, "hit without its bytes: " + text);
      ++served_;
      break;
    case Class::first:
      require(!req.line_hit && !req.mshr_hit && req.alloc, "not a first miss: " + text);
      ask(0);
      wait();
      break;
    case Class::again:
      require(!req.line_hit && req.mshr_hit, "not a subsequent miss: " + text);
      entry.again = true;
      ask(0);
      wait();
      break;
    case Class::merged:
      require(!req.line_hit && req.mshr_hit, "nothing to merge into: " + text);
      if (entry.used) {
        require((req.mask & ~(entry.sent | entry.brought)) == 0, "merged without being asked: " + text);
        entry.asked |= req.mask;
        wait();
      } else {  // its fetch ended while the answer waited
        require((req.mask & ~entry.final_map) == 0, "merged and not served: " + text);
        ++served_;
      }
      break;
    case Class::invalid: {
      Line& line = lines_[req.line];
      const std::uint8_t map = line.refetched.value_or(line.map);
      require(req.line_hit && req.alloc && (line.refetches == 0 || line.refetched), "not a refetch: " + text);
      require((req.mask & ~map) != 0, "refetch of what is there: " + text);
      ++line.refetches;
      line.refetched.reset();
      entry = Entry{};
      entry.used = entry.refetch = true;
      entry.address = flight.read.address;
      entry.line = req.line;
      entry.kept = entry.asked = params_.append ? map : 0;
      ask(entry.kept);
      wait();
      break;
    }
    case Class::wait:
      require(rsp.send == 0, "waits and sends: " + text);
      replays_.push_back(flight.read);
      break;
  }
}

void L1Stub::take_done() {
  const TrackerDone* front = tracker_.done().front();
  if (!front || !chance(traffic_.done)) return;
  const TrackerDone done = *front;
  tracker_.done().pop();
  progress_ = true;
  require(!expected_.empty(), "a fill is answered twice");
  const Expected expected = expected_.front();
  expected_.pop_front();
  const std::string text = describe(done);
  require(done.evicted == expected.old.has_value(), "eviction: " + text);
  if (done.evicted)
    require(done.old == *expected.old, "old content, expected " + describe(*expected.old) + ": " + text);
  if (expected.evict) {
    require(!done.complete, "an eviction completes nothing");
    return;
  }
  Entry& entry = entries_[expected.mshr];
  bool outstanding = false;  // requests sent and not answered
  for (const Packet& packet : packets_) outstanding |= packet.mshr == expected.mshr;
  for (const Expected& later : expected_) outstanding |= !later.evict && later.mshr == expected.mshr;
  if (outstanding) {
    require(!done.complete, "complete while requests are on their way: " + text);
    return;
  }
  if (!done.complete) return;  // a subsequent miss was answered meanwhile, its request leaves now
  const std::uint8_t map = entry.sent | entry.brought | entry.kept;
  require(done.map == map, fmt::format("map, expected {:#06b}: {}", map, text));
  // The answers of MERGED requests may come after their fetch's.
  const auto may_ask = static_cast<std::uint8_t>(entry.asked | in_flight(expected.mshr));
  require((entry.asked & ~done.fetched.map) == 0 && (done.fetched.map & ~may_ask) == 0,
          fmt::format("asked, expected {:#06b} to {:#06b}: {}", entry.asked, may_ask, text));
  require(done.fetched.inconsistent == (entry.again || entry.refetch), "inconsistent flag: " + text);
  require((entry.need & ~map) == 0, "a waiting request is not served: " + text);
  served_ += entry.waiting;
  Line& line = lines_[expected.line];
  line.tag = entry.address;
  line.content = done.fetched;
  line.map = done.map;
  line.refetches -= entry.refetch;
  if (line.refetches == 0) line.refetched.reset();
  if (line.filling == expected.mshr) line.filling.reset();
  const unsigned flights = entry.flights;
  entry = Entry{};
  entry.flights = flights;
  entry.final_map = map;
}

/// Needed by requests that named the entry and are not answered.
std::uint8_t L1Stub::in_flight(unsigned mshr) const {
  std::uint8_t masks = 0;
  for (const Flight& flight : flights_)
    if (flight.req.mshr_hit && flight.req.mshr == mshr) masks |= flight.req.mask;
  return masks;
}

std::optional<unsigned> L1Stub::victim() {
  const unsigned first = random_() % params_.lines;
  for (unsigned i = 0; i < params_.lines; ++i) {
    const unsigned number = (first + i) % params_.lines;
    const Line& line = lines_[number];
    if (!line.filling && line.refetches == 0 && line.flights == 0) return number;
  }
  return std::nullopt;
}

void L1Stub::give_fill() {
  if (!tracker_.fill().ready()) return;
  if (chance(traffic_.evict)) {
    const auto number = victim();
    if (!number) return;
    Line& line = lines_[*number];
    tracker_.fill().push({true, *number, static_cast<std::uint32_t>(random_() % params_.mshrs),
                          static_cast<std::uint8_t>(random_() % 16), static_cast<std::uint8_t>(random_() % 16)});
    expected_.push_back({true, 0, *number, line.tag ? std::optional(line.content) : std::nullopt});
    change_ = {*number, true, 0};
    return;
  }
  if (packets_.empty() || !chance(traffic_.reply)) return;
  const Packet first = packets_[random_() % packets_.size()];
  Entry& entry = entries_[first.mshr];
  if (!entry.line) entry.line = victim();
  if (!entry.line) return;
  std::uint8_t asked = 0;
  const bool merge = chance(50);  // the memory controller merged what was asked of this line
  for (auto packet = packets_.begin(); packet != packets_.end();) {
    const bool mine = packet->mshr == first.mshr && (merge || packet->asked == first.asked);
    if (mine) asked |= packet->asked;
    packet = mine ? packets_.erase(packet) : packet + 1;
  }
  const auto mask =
      static_cast<std::uint8_t>(asked | (chance(traffic_.more) ? (chance(70) ? 15 : random_() % 16) : 0));
  Line& line = lines_[*entry.line];
  tracker_.fill().push({false, *entry.line, first.mshr, asked, mask});
  progress_ = true;
  const bool takes_over = !line.filling && line.refetches == 0;  // other content leaves
  expected_.push_back(
      {false, first.mshr, *entry.line, takes_over && line.tag ? std::optional(line.content) : std::nullopt});
  change_ = {*entry.line, takes_over, mask};
  line.filling = first.mshr;
  entry.brought |= mask;
  bool last = entry.refetch;  // a refetch has no subsequent misses: its last reply is known
  for (const Packet& packet : packets_) last &= packet.mshr != first.mshr;
  if (last) line.refetched = static_cast<std::uint8_t>(entry.sent | entry.brought | entry.kept);
}

void L1Stub::give_request() {
  if (!tracker_.req().ready() || !chance(traffic_.offer)) return;
  const bool replay = !replays_.empty() && (to_issue_ == 0 || chance(60));
  if (!replay && to_issue_ == 0) return;
  const Read read = replay ? replays_.front()
                           : Read{static_cast<unsigned>(random_() % traffic_.addresses),
                                  static_cast<std::uint8_t>(chance(20) ? 15 : 1 + random_() % 15)};
  Flight flight{read, {.mask = read.mask}, 0};
  TrackerReq& req = flight.req;
  req.line = random_() % params_.lines;
  req.mshr = random_() % params_.mshrs;
  for (unsigned number = 0; number < params_.lines; ++number) {
    if (lines_[number].tag != read.address) continue;
    req.line_hit = true;
    req.line = number;
    flight.present = lines_[number].present;
  }
  for (unsigned number = 0; number < params_.mshrs && !req.line_hit; ++number) {
    const Entry& entry = entries_[number];
    if (!entry.used || entry.address != read.address) continue;
    req.mshr_hit = true;
    req.mshr = number;
  }
  if (!req.mshr_hit) {
    const unsigned first = random_() % params_.mshrs;
    for (unsigned i = 0; i < params_.mshrs && !req.alloc; ++i) {
      const Entry& entry = entries_[(first + i) % params_.mshrs];
      if (entry.used || entry.flights > 0) continue;
      req.alloc = true;
      req.mshr = (first + i) % params_.mshrs;
    }
  }
  tracker_.req().push(req);
  if (replay) {
    replays_.pop_front();
  } else {
    --to_issue_;
  }
  if (req.line_hit) ++lines_[req.line].flights;
  if (req.alloc && !req.line_hit) {  // a first miss for certain
    entries_[req.mshr] = Entry{};
    entries_[req.mshr].used = true;
    entries_[req.mshr].address = read.address;
  }
  if (req.mshr_hit || req.alloc) ++entries_[req.mshr].flights;
  flights_.push_back(flight);
}

}  // namespace warpsieve::request_control
