// TableTraffic: random requests and leaving replies for a pdr_table or packet_filter, checked against a plain map
// from key to mask and token: one entry per key, masks the exact OR, tokens unique, entries free when their reply
// left.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <vector>

#include "blocks/packet_filter/pdr_table.h"
#include "support/one_bit_apart.h"

namespace warpsieve::packet_filter {

/// {SM, line}
using Key = std::pair<std::uint32_t, std::uint32_t>;

/// The key whose tag is `key`'s with one bit flipped and whose row in `way` is the same: only the tag's comparison
/// tells them apart there. (Random keys differ in half of their bits, keys one bit apart are in different rows.)
inline Key tag_neighbour(const TableParams& params, unsigned way, const Key& key, unsigned tag_bit) {
  const unsigned row_bits = static_cast<unsigned>(std::countr_zero(params.sets));
  const unsigned line_tag_bits = params.line_bits - row_bits;
  Key other = key;
  if (tag_bit < line_tag_bits) {
    other.second = tb::flip_bit(other.second, row_bits + tag_bit);
  } else {
    other.first = tb::flip_bit(other.first, tag_bit - line_tag_bits);
  }
  // The row is the line's low bits XOR a function of the tag.
  other.second ^= row_of(params, way, key.first, key.second) ^ row_of(params, way, other.first, other.second);
  return other;
}
inline unsigned tag_bits(const TableParams& params) {
  return params.sm_bits + params.line_bits - static_cast<unsigned>(std::countr_zero(params.sets));
}

struct TrafficShape {
  unsigned keys = 12;                                        ///< different keys requested
  unsigned offer = 80, accept = 80, leave = 40, masks = 80;  ///< percent per cycle
  std::uint32_t blur = 0;  ///< bits of the line number that the table is not shown (a planted mistake)
  std::uint32_t seed = 1;
};

class TableTraffic {
 public:
  TableTraffic(PdrTable& table, const TableParams& params, const TrafficShape& shape)
      : table_(table), params_(params), shape_(shape), random_(shape.seed) {
    const std::uint64_t sms = std::uint64_t{1} << params.sm_bits, lines = std::uint64_t{1} << params.line_bits;
    for (unsigned i = 0; i < shape.keys; ++i) {
      keys_.push_back({static_cast<std::uint32_t>(random_() % sms), static_cast<std::uint32_t>(random_() % lines)});
      if (i % 3 == 0) continue;
      // Way 0 more often than the others: a table that is not crowded has most of its entries there.
      const unsigned way = random_() % 2 ? 0 : random_() % params.ways;
      keys_.back() = tag_neighbour(params, way, keys_[i - i % 3], random_() % tag_bits(params));
    }
  }
  /// Runs until `requests` were answered and all replies left; throws std::runtime_error on a broken promise.
  void run(unsigned requests) {
    unsigned stalled = 0;
    while (requests > 0 || stage_request_ || stage_reply_ || !asked_.empty() || !outstanding_.empty() ||
           !leaving_.empty()) {
      const bool moved = cycle(requests);
      stalled = moved ? 0 : stalled + 1;
      require(stalled < 5000, "no progress");
    }
    require(table_.used() == 0, "entries left over");
  }
  unsigned seen(Action action) const { return seen_[static_cast<unsigned>(action)]; }

 private:
  struct Entry {
    std::uint32_t token;
    std::uint8_t mask;
  };
  struct Reply {
    Key key;
    Leaving leaving;
  };
  static void require(bool holds, const std::string& what) {
    if (!holds) throw std::runtime_error("table: " + what);
  }
  bool chance(unsigned percent) { return random_() % 100 < percent; }

  /// Stage 1 of the request answered next must be judged with the entries as they were then, so the map follows the
  /// items two cycles after they were taken.
  bool cycle(unsigned& requests) {
    bool moved = false;
    std::optional<Reply> reply;
    std::optional<ReadRequest> request;
    // Offered whether ready or not: what is not taken must leave no trace.
    if (!outstanding_.empty() && chance(shape_.leave)) {
      std::swap(outstanding_[random_() % outstanding_.size()], outstanding_.back());
      if (table_.take().push(outstanding_.back().leaving)) {
        reply = outstanding_.back();
        outstanding_.pop_back();
      }
    }
    if (requests > 0 && chance(shape_.offer)) {
      const Key& key = keys_[random_() % keys_.size()];
      request = ReadRequest{key.first, key.second, static_cast<std::uint8_t>(chance(15) ? 15 : 1 + random_() % 15)};
      ReadRequest shown = *request;
      shown.line &= ~shape_.blur;
      if (table_.req().push(shown)) {
        --requests;
      } else {
        request.reset();
      }
    }
    if (const Forward* front = table_.fwd().front(); front && chance(shape_.accept)) {
      require(!asked_.empty(), "an answer nobody asked for");
      const auto [asked, expected] = asked_.front();
      asked_.pop_front();
      const std::string text = describe(asked) + ": " + describe(*front);
      ++seen_[static_cast<unsigned>(front->action)];
      require(front->action == expected.action, "expected " + describe(expected) + ": " + text);
      require(front->token == expected.token, "token, expected " + describe(expected) + ": " + text);
      if (front->action != Action::merged) {
        outstanding_.push_back({{asked.sm, asked.line}, {front->action == Action::registered, front->token}});
      }
      table_.fwd().pop();
      moved = true;
    }
    if (const AskedMask* front = table_.mask().front(); front && chance(shape_.masks)) {
      require(!leaving_.empty(), "a mask nobody asked for");
      require(*front == leaving_.front(), "mask, expected " + describe(leaving_.front()) + ": " + describe(*front));
      leaving_.pop_front();
      table_.mask().pop();
      moved = true;
    }
    table_.tick();
    // What was in stage 1 during the cycle that just ended.
    stage_one();
    stage_reply_ = reply;
    stage_request_ = request;
    require(table_.used() == entries_.size(), "number of entries");
    return moved;
  }

  void stage_one() {
    std::optional<Key> freed;
    if (stage_reply_) {
      const auto& [key, leaving] = *stage_reply_;
      AskedMask expected{static_cast<std::uint8_t>(leaving.token & 15), true};
      if (leaving.registered) {
        const auto entry = entries_.find(key);
        require(entry != entries_.end() && entry->second.token == leaving.token, "an entry is lost");
        expected = {entry->second.mask, entry->second.mask == 15};
        freed = key;
      }
      leaving_.push_back(expected);
    }
    if (stage_request_) asked_.push_back({*stage_request_, judge(*stage_request_, freed)});
    if (freed) {
      taken_[entries_.at(*freed).token] = false;
      entries_.erase(*freed);
    }
    if (waiting_) entries_.insert(*waiting_);  // registered in the cycle in which the entry of its key was freed
    waiting_.reset();
  }

  Forward judge(const ReadRequest& r, const std::optional<Key>& freed) {
    const Key key{r.sm, r.line};
    const auto found = entries_.find(key);
    if (found != entries_.end() && freed != key) {
      found->second.mask |= r.mask;
      return {Action::merged, found->second.token};
    }
    if (r.mask == 15) return {Action::full, 15};
    for (unsigned way = 0; way < params_.ways; ++way) {
      const std::uint32_t place = way * params_.sets + row_of(params_, way, r.sm, r.line);
      if (taken_[place]) continue;
      taken_[place] = true;
      if (freed == key) {
        waiting_ = {key, Entry{place, r.mask}};
      } else {
        entries_[key] = {place, r.mask};
      }
      return {Action::registered, place};
    }
    return {Action::no_room, r.mask};
  }

  PdrTable& table_;
  TableParams params_;
  TrafficShape shape_;
  std::minstd_rand random_;
  std::vector<Key> keys_;
  std::map<Key, Entry> entries_;
  std::vector<bool> taken_ = std::vector<bool>(64 * params_.sets);  // by token
  std::optional<std::pair<Key, Entry>> waiting_;
  std::optional<Reply> stage_reply_;
  std::optional<ReadRequest> stage_request_;
  std::vector<Reply> outstanding_;  // at the L2
  std::deque<std::pair<ReadRequest, Forward>> asked_;
  std::deque<AskedMask> leaving_;
  std::array<unsigned, 4> seen_{};
};

}  // namespace warpsieve::packet_filter
