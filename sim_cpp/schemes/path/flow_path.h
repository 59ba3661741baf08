// FlowPath: what memory paths made of flows have in common: the reads that are open, their replies, the limit of
// writes in progress, the golden check of old content.
#pragma once

#include <string>
#include <vector>

#include "schemes/path/request_flow.h"

namespace warpsieve::schemes {

/// Writes in progress, in the order in which they came.
class WritesUnderWay {
 public:
  /// The number of the write, for end().
  std::uint64_t begin(LocalLine line, SectorMask mask) {
    list_.push_back({line, mask, next_});
    return next_++;
  }
  void end(std::uint64_t number) {
    std::erase_if(list_, [&](const Write& w) { return w.number == number; });
  }
  /// Sectors of `line` that a write in progress replaces.
  SectorMask covered(LocalLine line) const {
    unsigned mask = 0;
    for (const Write& w : list_)
      if (w.line == line) mask |= w.mask;
    return static_cast<SectorMask>(mask);
  }
  std::size_t size() const { return list_.size(); }

 private:
  struct Write {
    LocalLine line;
    SectorMask mask;
    std::uint64_t number;
  };
  std::vector<Write> list_;
  std::uint64_t next_ = 0;
};

class FlowPath : public ControllerPath, protected LineReader {
 public:
  FlowEngine& engine() { return engine_; }
  void on_dram_read(Cycle now, std::uint64_t cookie, const std::uint8_t* sector) final {
    engine_.on_dram_read(now, cookie, sector);
  }

 protected:
  explicit FlowPath(PathOwner& host) : host_(host), engine_(host) {}
  /// A read that came in: its token.
  std::uint32_t open(Cycle now, const memsys::ReadRequest& request) {
    engine_.at(now);
    host_.wake_path(now + 1);
    const std::uint32_t token = open_.take();
    open_[token] = {request.line, request.tag, request.mask};
    return token;
  }
  std::size_t open_reads() const { return open_.used(); }
  void reply(Cycle now, std::uint32_t token, SectorMask mask, const memsys::LineData& data, memsys::Source source) {
    Open& open = open_[token];
    memsys::ReadReply reply;
    reply.line = open.line;
    reply.tag = open.tag;
    reply.mask = mask;
    reply.source = source;
    reply.data = data;
    open.missing &= static_cast<SectorMask>(~mask);
    if (!open.missing) open_.give(token);
    host_.reply(now, reply);
  }
  void on_data(Cycle now, std::uint32_t token, SectorMask mask, const memsys::LineData& data) override {
    reply(now, token, mask, data, memsys::Source::dram);
  }

  PathOwner& host_;

 private:
  struct Open {
    LocalLine line;
    std::uint32_t tag = 0;
    SectorMask missing = 0;
  };
  Pool<Open> open_;

 protected:
  FlowEngine engine_;
};

}  // namespace warpsieve::schemes
