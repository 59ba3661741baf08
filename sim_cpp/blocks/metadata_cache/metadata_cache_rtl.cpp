#include "blocks/metadata_cache/metadata_cache_backends.h"
#include "cosim/bits.h"
#include "cosim/verilated.h"
#include "rtl_points/metadata_cache/metadata_cache.h"

namespace warpsieve::metadata_cache {

namespace {

template <class V>
class MetadataCacheRtl final : public MetadataCache {
 public:
  MetadataCacheRtl(const MetadataCacheParams& params, const std::string& name)
      : params_(params), rtl_(name), req_(*this), rsp_(*this), mem_req_(*this), mem_rsp_(*this) {
    reset();
  }
  InPort<MetaReq>& req() override { return req_; }
  OutPort<MetaRsp>& rsp() override { return rsp_; }
  OutPort<MetaMemReq>& mem_req() override { return mem_req_; }
  InPort<MetaMemRsp>& mem_rsp() override { return mem_rsp_; }
  void reset() override {
    lower();
    rtl_.reset();
    fetch();
  }
  void tick() override {
    rtl_.tick();
    lower();
    fetch();
  }
  bool idle() const override { return !rtl_.top().busy_o; }

 private:
  struct Req final : InPort<MetaReq> {
    explicit Req(MetadataCacheRtl& cache) : c(cache) {}
    bool ready() const override { return c.rtl_.top().req_ready_o; }
    bool push(const MetaReq& req) override {
      V& top = c.rtl_.top();
      top.req_valid_i = 1;
      top.req_write_i = req.write;
      top.req_index_i = req.index & low_bits(c.params_.index_bits);
      top.req_data_i = req.data & low_bits(c.params_.entry_bits);
      top.req_id_i = req.id & low_bits(c.params_.id_bits);
      return ready();
    }
    MetadataCacheRtl& c;
  };
  struct Rsp final : OutPort<MetaRsp> {
    explicit Rsp(MetadataCacheRtl& cache) : c(cache) {}
    const MetaRsp* front() const override { return c.rtl_.top().rsp_valid_o ? &item : nullptr; }
    void pop() override { c.rtl_.top().rsp_ready_i = 1; }
    MetadataCacheRtl& c;
    MetaRsp item;
  };
  struct MemReq final : OutPort<MetaMemReq> {
    explicit MemReq(MetadataCacheRtl& cache) : c(cache) {}
    const MetaMemReq* front() const override { return c.rtl_.top().mem_req_valid_o ? &item : nullptr; }
    void pop() override { c.rtl_.top().mem_req_ready_i = 1; }
    MetadataCacheRtl& c;
    MetaMemReq item;
  };
  struct MemRsp final : InPort<MetaMemRsp> {
    explicit MemRsp(MetadataCacheRtl& cache) : c(cache) {}
    bool ready() const override { return c.rtl_.top().mem_rsp_ready_o; }
    bool push(const MetaMemRsp& rsp) override {
      V& top = c.rtl_.top();
      top.mem_rsp_valid_i = 1;
      top.mem_rsp_sector_i = rsp.sector;
      port_from_bytes(top.mem_rsp_data_i, rsp.data);
      return ready();
    }
    MetadataCacheRtl& c;
  };

  void lower() {
    V& top = rtl_.top();
    top.req_valid_i = 0;
    top.rsp_ready_i = 0;
    top.mem_req_ready_i = 0;
    top.mem_rsp_valid_i = 0;
  }
  void fetch() {
    const V& top = rtl_.top();
    if (top.rsp_valid_o) rsp_.item = {top.rsp_data_o, top.rsp_id_o, top.rsp_missed_o != 0};
    if (!top.mem_req_valid_o) return;
    mem_req_.item = {top.mem_req_write_o != 0, top.mem_req_sector_o, {}};
    port_to_bytes(top.mem_req_data_o, std::span(mem_req_.item.data).first(params_.sector_bytes));
  }

  MetadataCacheParams params_;
  RtlClock<V> rtl_;
  Req req_;
  Rsp rsp_;
  MemReq mem_req_;
  MemRsp mem_rsp_;
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
       {"IdBits", p.id_bits}},
      [&]<class V>() { return std::make_unique<MetadataCacheRtl<V>>(p, name); });
}

}  // namespace warpsieve::metadata_cache
