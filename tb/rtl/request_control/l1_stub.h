// L1Stub: an L1 that keeps the tracker's rules (critical_data_tracker.h), with a memory that answers in any order,
// merges requests of one fetch and sometimes sends more than was asked. It checks the contract from outside: a hit
// has its bytes, nothing is asked twice, merged maps are exact, what is brought only is not asked, everybody who
// waits is served.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <vector>

#include "blocks/request_control/critical_data_tracker.h"

namespace warpsieve::request_control {

struct StubTraffic {
  unsigned addresses = 8;  ///< lines requested
  unsigned offer = 80, accept = 80, done = 80, reply = 50, evict = 5,
           more = 25;  ///< percent per cycle (more: per reply)
  bool predict = true;
  std::uint32_t seed = 1;
};

class L1Stub {
 public:
  L1Stub(CriticalDataTracker& tracker, const TrackerParams& params, const StubTraffic& traffic);
  /// Issues `requests` reads and runs until all are served. Throws std::runtime_error on a broken promise.
  void run(unsigned requests);
  /// Answers seen, by class.
  unsigned seen(Class kind) const { return seen_[static_cast<unsigned>(kind)]; }

 private:
  struct Read {
    unsigned address;
    std::uint8_t mask;
  };
  struct Flight {
    Read read;
    TrackerReq req;
    std::uint8_t present;  // sub-blocks of the address that the named line held when the request was taken
  };
  struct Line {
    std::optional<unsigned> tag;
    LineEvent content;                      // as its fetch was reported
    std::uint8_t map = 0;                   // what may be hit
    std::uint8_t present = 0;               // written since the tag was given
    unsigned flights = 0;                   // requests inside that hit it
    unsigned refetches = 0;                 // HI outstanding, or done_* of one not seen yet
    std::optional<unsigned> filling;        // the entry whose replies come
    std::optional<std::uint8_t> refetched;  // map that a refetch gave it, while its done_* waits
  };
  struct Entry {
    bool used = false, refetch = false, again = false;
    unsigned address = 0, flights = 0, waiting = 0;
    std::optional<unsigned> line;
    std::uint8_t sent = 0, asked = 0, brought = 0, kept = 0, need = 0, final_map = 0;
  };
  struct Packet {
    unsigned mshr;
    std::uint8_t asked;
  };
  struct Change {  // what a fill does to the L1's own view, from the next cycle on
    unsigned line;
    bool takes_over;
    std::uint8_t present;
  };
  struct Expected {
    bool evict;
    unsigned mshr, line;
    std::optional<LineEvent> old;
  };

  bool chance(unsigned percent) { return random_() % 100 < percent; }
  void take_done();
  std::uint8_t in_flight(unsigned mshr) const;
  void take_rsp();
  void give_fill();
  void give_request();
  std::optional<unsigned> victim();

  CriticalDataTracker& tracker_;
  TrackerParams params_;
  StubTraffic traffic_;
  std::minstd_rand random_;
  std::vector<Line> lines_;
  std::vector<Entry> entries_;
  std::deque<Read> replays_;
  std::deque<Flight> flights_;
  std::vector<Packet> packets_;
  std::deque<Expected> expected_;
  std::optional<Change> change_;
  std::array<unsigned, 6> seen_{};
  unsigned to_issue_ = 0, served_ = 0;
  bool progress_ = false;
};

}  // namespace warpsieve::request_control
