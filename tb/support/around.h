// Test doubles around a real memory path or its host: whatever a test does not override passes through.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "memsys/ports.h"

namespace warpsieve::tb {

class PathAround : public memsys::ControllerPath {
 public:
  explicit PathAround(std::unique_ptr<memsys::ControllerPath> inner) : inner_(std::move(inner)) {}
  bool push_read(Cycle now, unsigned slice, const memsys::ReadRequest& request) override {
    return inner_->push_read(now, slice, request);
  }
  bool push_write(Cycle now, unsigned slice, const memsys::WriteRequest& request) override {
    return inner_->push_write(now, slice, request);
  }
  bool takes_partial_sectors() const override { return inner_->takes_partial_sectors(); }
  bool wants_whole_sectors(memsys::LocalLine line) override { return inner_->wants_whole_sectors(line); }
  bool refuses_reads() const override { return inner_->refuses_reads(); }
  void on_dram_read(Cycle now, std::uint64_t cookie, const std::uint8_t* sector) override {
    inner_->on_dram_read(now, cookie, sector);
  }
  void on_room() override { inner_->on_room(); }
  Cycle tick(Cycle now) override { return inner_->tick(now); }
  bool idle() const override { return inner_->idle(); }
  std::string describe() const override { return inner_->describe(); }

 protected:
  std::unique_ptr<memsys::ControllerPath> inner_;
};

class HostAround : public memsys::PathOwner {
 public:
  explicit HostAround(memsys::PathOwner& host) : host_(host) {}
  bool dram_read(Cycle now, std::uint64_t address, memsys::RequestKind kind, std::uint64_t cookie) override {
    return host_.dram_read(now, address, kind, cookie);
  }
  bool dram_write(Cycle now, std::uint64_t address, memsys::RequestKind kind, const std::uint8_t* sector,
                  std::uint32_t bytes) override {
    return host_.dram_write(now, address, kind, sector, bytes);
  }
  void reply(Cycle now, const memsys::ReadReply& reply) override { host_.reply(now, reply); }
  memsys::SectorMask probe(Cycle now, memsys::LocalLine line, memsys::SectorMask mask,
                           memsys::LineData& data) override {
    return host_.probe(now, line, mask, data);
  }
  memsys::RequestKind read_kind(memsys::LocalLine line, unsigned sector) const override {
    return host_.read_kind(line, sector);
  }
  void check(Cycle now, memsys::LocalLine line, memsys::SectorMask mask, const memsys::LineData& data,
             memsys::Source source) override {
    host_.check(now, line, mask, data, source);
  }
  void wake_path(Cycle at) override { host_.wake_path(at); }
  void wake_slices(Cycle at) override { host_.wake_slices(at); }
  std::uint32_t data_lines() const override { return host_.data_lines(); }

 protected:
  memsys::PathOwner& host_;
};

}  // namespace warpsieve::tb
