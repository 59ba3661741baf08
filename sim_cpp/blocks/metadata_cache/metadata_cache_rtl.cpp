#include "blocks/metadata_cache/metadata_cache_backends.h"
#include "cosim/bits.h"
#include "cosim/rtl_block.h"
#include "rtl_points/metadata_cache/metadata_cache.h"

namespace warpsieve::metadata_cache {

namespace {

struct Fields {
  MetadataCacheParams params;
  void put(auto& top, const MetaReq& req) const {
    top.req_write_i = req.write;
    top.req_index_i = req.index & low_bits(params.index_bits);
    top.req_data_i = req.data & low_bits(params.entry_bits);
    top.req_id_i = req.id & low_bits(params.id_bits);
  }
  void get(const auto& top, MetaRsp& rsp) const { rsp = {top.rsp_data_o, top.rsp_id_o, top.rsp_missed_o != 0}; }
  void get(const auto& top, MetaMemReq& req) const {
    req = {top.mem_req_write_o != 0, top.mem_req_sector_o, {}};
    port_to_bytes(top.mem_req_data_o, std::span(req.data).first(params.sector_bytes));
  }
  void put(auto& top, const MetaMemRsp& rsp) const {
    top.mem_rsp_sector_i = rsp.sector;
    port_from_bytes(top.mem_rsp_data_i, rsp.data);
  }
};

template <class V>
class MetadataCacheRtl final : public RtlBlock<V, rtl_points::metadata_cache, MetadataCache, Fields> {
 public:
  using Base = RtlBlock<V, rtl_points::metadata_cache, MetadataCache, Fields>;
  using Base::Base;
  void reset() override {
    Base::reset();
    corrected_ = 0;
  }
  void tick() override {
    corrected_ += this->top().corrected_o;
    Base::tick();
  }
  void flip(std::uint32_t bits) override { this->top().flip_i = bits; }
  std::uint64_t corrected() const override { return corrected_; }
  bool fatal() const override { return this->top().fatal_o != 0; }

 private:
  std::uint64_t corrected_ = 0;
};

}  // namespace

std::unique_ptr<MetadataCache> make_metadata_cache_rtl(const MetadataCacheParams& p, const std::string& name) {
  return make_at_point<rtl_points::metadata_cache, MetadataCache>(
      {{"EntryBits", p.entry_bits},
       {"IndexBits", p.index_bits},
       {"Sets", p.sets},
       {"Ways", p.ways},
       {"LineBytes", p.line_bytes},
       {"SectorBytes", p.sector_bytes},
       {"Parks", p.parks},
       {"IdBits", p.id_bits},
       {"Secded", p.secded ? 1u : 0u}},
      [&]<class V>() { return std::make_unique<MetadataCacheRtl<V>>(name, Fields{p}); });
}

}  // namespace warpsieve::metadata_cache
