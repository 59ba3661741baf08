// Flow: a request of a memory path, written as a coroutine that waits for locks, metadata tables, DRAM and time.
//
//   Flow Path::read(ReadRequest r) {
//     Hold hold = co_await engine_.lock(r.line);         // flows of one line go one after the other
//     const auto entry = co_await table_.read(r.line);   // schemes/path/cached_table.h
//     Fetch fetch(engine_);
//     fetch.add(address, kind, place);                   // in order behind everything queued before
//     hold.release();
//     co_await fetch;                                    // all its sectors are there
//   }
//
//   owner       a flow is a member function of a class with engine(); the engine owns it
//   order       DRAM requests leave in the order in which they were queued, four sectors per cycle. The channel
//               keeps the order of requests to one sector. So a flow may release its lock when its requests are
//               queued
//   time        a flow runs in the tick in which its wait ends; several flows run in the order of these events
#pragma once

#include <algorithm>
#include <array>
#include <coroutine>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/ring.h"
#include "schemes/path/request_kinds.h"
#include "schemes/scheme.h"

namespace warpsieve::schemes {

class FlowEngine;

/// What a member function that is a flow returns.
struct Flow {
  struct promise_type;
};

/// Takes the sectors of reads.
class SectorSink {
 public:
  virtual void on_sector(Cycle now, std::uint32_t which, const std::uint8_t* data) = 0;

 protected:
  ~SectorSink() = default;
};

/// A lock that is held; released at the end of its scope at the latest.
class [[nodiscard]] Hold {
 public:
  Hold(FlowEngine& engine, std::uint32_t key) : engine_(&engine), key_(key) {}
  Hold(Hold&& other) noexcept : engine_(std::exchange(other.engine_, nullptr)), key_(other.key_) {}
  Hold& operator=(Hold&&) = delete;
  ~Hold() { release(); }
  void release();

 private:
  FlowEngine* engine_;
  std::uint32_t key_;
};

class FlowEngine {
 public:
  using Handle = std::coroutine_handle<>;

  explicit FlowEngine(PathOwner& host) : host_(host) {}
  ~FlowEngine();
  FlowEngine(const FlowEngine&) = delete;
  FlowEngine& operator=(const FlowEngine&) = delete;

  /// Before flows are started from outside of a tick.
  void at(Cycle now) { now_ = now; }
  Cycle now() const { return now_; }
  PathOwner& host() { return host_; }

  /// Cookies with the highest bit belong to the engine.
  static bool owns(std::uint64_t cookie) { return cookie >> 63; }
  void on_dram_read(Cycle now, std::uint64_t cookie, const std::uint8_t* sector);
  /// Runs all flows that can; true when some could.
  bool run(Cycle now);
  /// Offers queued requests to the DRAM channel; true when some were taken.
  bool drain(Cycle now);
  /// When the engine wants to run next, whatever DRAM brings.
  Cycle next() const;
  bool idle() const { return flows_ == 0 && queue_.empty() && tickets_.used() == 0; }
  std::string describe() const;

  struct Acquire;
  Acquire lock(std::uint32_t key);
  struct Delay;
  Delay wait(Cycle cycles);

  /// `sink` gets the sector when it is there.
  void queue_read(std::uint64_t address, memsys::RequestKind kind, SectorSink& sink, std::uint32_t which);
  void queue_write(std::uint64_t address, memsys::RequestKind kind, const std::uint8_t* sector);
  std::uint64_t ticket(SectorSink& sink, std::uint32_t which);

  /// Resumed by the next run(): for what happens before it in a tick.
  void wake(Handle flow) { ready_.push_back(flow); }

 private:
  friend struct Flow;
  friend class Hold;
  static constexpr unsigned kSectorsPerCycle = 4;
  void unlock(std::uint32_t key);

  struct Timer {
    Cycle due;
    std::uint64_t seq;
    Handle flow;
    bool operator>(const Timer& other) const { return due != other.due ? due > other.due : seq > other.seq; }
  };
  struct Request {
    std::uint64_t address;
    memsys::RequestKind kind;
    SectorSink* sink;  ///< nullptr: a write
    std::uint32_t which;
    std::array<std::uint8_t, memsys::kSectorBytes> data;
  };
  struct Ticket {
    SectorSink* sink = nullptr;
    std::uint32_t which = 0;
  };

  PathOwner& host_;
  Cycle now_ = 0;
  bool closing_ = false;
  std::deque<Handle> ready_;
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::uint64_t seq_ = 0;
  std::unordered_map<std::uint32_t, std::deque<Handle>> locks_;  ///< held keys and the flows that wait for them
  std::deque<Request> queue_;
  Pool<Ticket> tickets_;
  Flow::promise_type* first_ = nullptr;  ///< all flows
  std::size_t flows_ = 0;
};

struct Flow::promise_type {
  template <class Owner, class... Arguments>
  explicit promise_type(Owner& owner, Arguments&...) : engine(owner.engine()) {
    next = engine.first_;
    if (next) next->previous = this;
    engine.first_ = this;
    ++engine.flows_;
  }
  ~promise_type() {
    (previous ? previous->next : engine.first_) = next;
    if (next) next->previous = previous;
    --engine.flows_;
  }
  /// Frames hold line data, which wants 32-byte alignment; freed ones are kept for the next flow.
  static void* operator new(std::size_t size);
  static void operator delete(void* frame, std::size_t size);
  promise_type(const promise_type&) = delete;
  promise_type& operator=(const promise_type&) = delete;
  Flow get_return_object() { return {}; }
  std::suspend_never initial_suspend() noexcept { return {}; }
  std::suspend_never final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() { throw; }  // out of whoever resumed it; the engine still owns the frame

  FlowEngine& engine;
  promise_type *next = nullptr, *previous = nullptr;
};

struct FlowEngine::Acquire {
  FlowEngine& engine;
  std::uint32_t key;
  bool await_ready() const { return engine.locks_.try_emplace(key).second; }
  void await_suspend(Handle flow) const { engine.locks_[key].push_back(flow); }
  Hold await_resume() const { return {engine, key}; }
};

struct FlowEngine::Delay {
  FlowEngine& engine;
  Cycle due;
  bool await_ready() const { return due <= engine.now_; }
  void await_suspend(Handle flow) const { engine.timers_.push({due, engine.seq_++, flow}); }
  void await_resume() const {}
};

inline FlowEngine::Acquire FlowEngine::lock(std::uint32_t key) { return {*this, key}; }
inline FlowEngine::Delay FlowEngine::wait(Cycle cycles) { return {*this, now_ + cycles}; }

/// Reads of up to four sectors that one flow waits for; sector `which` goes to bytes 32 * which of `data`.
class Fetch : public SectorSink {
 public:
  explicit Fetch(FlowEngine& engine) : engine_(engine) {}
  Fetch(const Fetch&) = delete;
  Fetch& operator=(const Fetch&) = delete;
  void add(std::uint64_t address, memsys::RequestKind kind, unsigned which) {
    ++missing_;
    engine_.queue_read(address, kind, *this, which);
  }
  bool await_ready() const { return missing_ == 0; }
  void await_suspend(FlowEngine::Handle flow) { waiter_ = flow; }
  void await_resume() const {}
  memsys::LineData data;

 protected:
  void on_sector(Cycle, std::uint32_t which, const std::uint8_t* sector) override {
    std::copy_n(sector, memsys::kSectorBytes, data.sector(which));
    if (--missing_ == 0 && waiter_) engine_.wake(waiter_);
  }

 private:
  FlowEngine& engine_;
  unsigned missing_ = 0;
  FlowEngine::Handle waiter_;
};

/// Gets the data of a read in parts; the masks of a token add up to that of its read.
class LineReader {
 public:
  virtual void on_data(Cycle now, std::uint32_t token, SectorMask mask, const memsys::LineData& data) = 0;

 protected:
  ~LineReader() = default;
};

/// Hands each sector on as it comes.
class RelayFetch final : public Fetch {
 public:
  RelayFetch(FlowEngine& engine, LineReader& reader, std::uint32_t token)
      : Fetch(engine), reader_(reader), token_(token) {}

 private:
  void on_sector(Cycle now, std::uint32_t which, const std::uint8_t* sector) override {
    Fetch::on_sector(now, which, sector);
    reader_.on_data(now, token_, static_cast<SectorMask>(1u << which), data);
  }
  LineReader& reader_;
  std::uint32_t token_;
};

inline void Hold::release() {
  if (auto* engine = std::exchange(engine_, nullptr)) engine->unlock(key_);
}

}  // namespace warpsieve::schemes
