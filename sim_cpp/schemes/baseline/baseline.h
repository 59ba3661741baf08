// baseline: a wire between the L2 slices and the DRAM channel.
//
//   queues   4 reads and 4 writes; one request of each (up to 4 sectors) goes on per cycle, sector by sector
//   order    a read never passes a queued write of its line
//   latency  1 cycle
// Also the base for tests of other paths.
#pragma once

#include "core/ring.h"
#include "schemes/scheme.h"

namespace warpsieve::schemes {

class BaselinePath final : public ControllerPath {
 public:
  explicit BaselinePath(PathOwner& host) : host_(host), reads_(kQueue), writes_(kQueue) {}
  bool push_read(Cycle now, unsigned slice, const memsys::ReadRequest& request) override;
  bool push_write(Cycle now, unsigned slice, const memsys::WriteRequest& request) override;
  bool takes_partial_sectors() const override { return true; }
  void on_dram_read(Cycle now, std::uint64_t cookie, const std::uint8_t* sector) override;
  Cycle tick(Cycle now) override;
  bool idle() const override { return reads_.empty() && writes_.empty() && under_way_ == 0; }
  std::string describe() const override;

 private:
  static constexpr std::size_t kQueue = 4;
  PathOwner& host_;
  Ring<memsys::ReadRequest> reads_;
  Ring<memsys::WriteRequest> writes_;
  struct Open {
    std::uint32_t tag = 0;
    memsys::LocalLine line;
  };
  Pool<Open> open_;
  std::uint64_t under_way_ = 0;
};

}  // namespace warpsieve::schemes
