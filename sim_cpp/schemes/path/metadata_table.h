// MetadataTable: the DRAM side of one metadata cache: a table behind the data lines, read and written in
// sectors of 32 bytes (metadata_read, metadata_write). What the table holds before its first write-back comes
// from `initial`, so that no initialization is simulated.
//
//   DRAM address of sector n: base + 32 n
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

#include "blocks/metadata_cache/metadata_cache.h"
#include "schemes/path/request_kinds.h"
#include "schemes/scheme.h"

namespace warpsieve::schemes {

class MetadataTable {
 public:
  using Initial = std::function<metadata_cache::SectorData(std::uint32_t sector)>;
  MetadataTable(PathOwner& host, std::uint64_t base, std::uint32_t sectors, Initial initial)
      : host_(host), base_(base), written_(sectors), initial_(std::move(initial)) {}
  std::uint64_t end() const { return base_ + 32ull * written_.size(); }

  /// Hands one request of the cache to the DRAM queue; on_dram_read() follows a fetch with this cookie.
  template <class CookieOf>
  bool take(Cycle now, OutPort<metadata_cache::MetaMemReq>& from, CookieOf&& cookie_of) {
    const metadata_cache::MetaMemReq* req = from.front();
    refused_ = req != nullptr;
    if (!req) return false;
    const std::uint64_t address = base_ + 32ull * req->sector;
    if (req->write) {
      if (!host_.dram_write(now, address, kMetadataWrite, req->data.data())) return false;
      written_[req->sector] = true;
    } else {
      if (!host_.dram_read(now, address, kMetadataRead, cookie_of(req->sector))) return false;
      ++reads_;
    }
    from.pop();
    refused_ = false;
    return true;
  }
  /// The DRAM queue had no room for the request on offer.
  bool refused() const { return refused_; }
  /// It may have now.
  void on_room() { refused_ = false; }
  void on_dram_read(std::uint32_t sector, const std::uint8_t* data) {
    metadata_cache::MetaMemRsp fill;
    fill.sector = sector;
    if (written_[sector]) {
      std::copy_n(data, fill.data.size(), fill.data.begin());
    } else {
      fill.data = initial_(sector);
    }
    --reads_;
    fills_.push_back(fill);
  }
  bool has_fill() const { return !fills_.empty(); }
  /// Hands one fill to the cache.
  bool give(InPort<metadata_cache::MetaMemRsp>& to) {
    if (fills_.empty() || !to.push(fills_.front())) return false;
    fills_.pop_front();
    return true;
  }
  bool idle() const { return reads_ == 0 && fills_.empty(); }

 private:
  PathOwner& host_;
  std::uint64_t base_;
  std::vector<bool> written_;  ///< sectors that no longer hold the initial image
  Initial initial_;
  std::uint64_t reads_ = 0;
  bool refused_ = false;
  std::deque<metadata_cache::MetaMemRsp> fills_;
};

}  // namespace warpsieve::schemes
