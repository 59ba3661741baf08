#include "blocks/dedup/dedup_backends.h"
#include "cosim/rtl_block.h"
#include "rtl_points/dedup/dedup.h"

namespace warpsieve::dedup {

namespace {

using Module = rtl_points::dedup;

template <class Port>
LineData line_from(const Port& port, unsigned mask) {
  LineData data;
  port_to_bytes(port, data);
  return masked(data, mask);
}

struct Fields {
  DedupConfig config;
  unsigned domain_mask;

  void setup(auto& t) const {
    t.cfg_car_i = config.car;
    t.cfg_hash_i = config.hash;
    t.cfg_verify_i = config.verify;
    t.cfg_region_i = config.region;
    t.cfg_pass_i = config.pass;
    t.cfg_fresh_i = config.fresh;
    t.cfg_bypass_level_i = config.bypass_level;
    t.cfg_total_lines_i = config.total_lines;
    t.cfg_spare_lines_i = config.spare_lines;
  }
  void put(auto& t, const ReadReq& r) const {
    t.rd_line_i = r.line;
    t.rd_mask_i = r.mask;
    t.rd_tag_i = r.tag;
  }
  void put(auto& t, const WriteReq& w) const {
    t.wr_line_i = w.line;
    t.wr_mask_i = w.mask;
    for (unsigned s = 0; s < 4; ++s) t.wr_bytes_i[s] = w.bytes[s];
    port_from_bytes(t.wr_data_i, w.data);
    t.wr_domain_i = w.domain & domain_mask;
  }
  void put(auto& t, const DramRsp& r) const {
    t.dram_rsp_tag_i = r.tag;
    port_from_bytes(t.dram_rsp_data_i, r.data);
  }
  template <PortName port>
  void put(auto& t, const metadata_cache::MetaRsp& r, PortTag<port>) const {
    signal<Module, port + "_data_i">(t) = r.data;
    signal<Module, port + "_id_i">(t) = r.id;
  }
  void put(auto& t, const md5::LineHashRsp& r) const { port_from_bytes(t.hash_rsp_digest_i, r.digest); }
  void put(auto& t, const hash_store::HashStoreRsp& r) const {
    t.store_rsp_hit_i = r.hit;
    t.store_rsp_index_i = r.index;
    t.store_rsp_ref_i = r.ref;
    t.store_rsp_count_i = r.count;
    t.store_rsp_ok_i = r.ok;
    t.store_rsp_evicted_i = r.evicted;
  }
  void put(auto& t, const ProbeRsp& r) const {
    t.probe_rsp_id_i = r.id;
    t.probe_rsp_mask_i = r.mask;
    port_from_bytes(t.probe_rsp_data_i, r.data);
  }
  void get(const auto& t, L2Rsp& r) const {
    r = {t.l2_tag_o, t.l2_mask_o, static_cast<Source>(t.l2_source_o), line_from(t.l2_data_o, t.l2_mask_o)};
  }
  void get(const auto& t, DramReq& r) const {
    const auto kind = static_cast<DramKind>(t.dram_kind_o);
    r = {kind, t.dram_line_o, t.dram_mask_o, t.dram_tag_o, {}};
    if (kind != DramKind::write) return;
    for (unsigned s = 0; s < 4; ++s)
      if (r.mask >> s & 1) r.bytes[s] = t.dram_bytes_o[s];
    r.data = masked(line_from(t.dram_data_o, r.mask), r.mask, r.bytes);
  }
  template <PortName port>
  void get(const auto& t, metadata_cache::MetaReq& r, PortTag<port>) const {
    r = {signal<Module, port + "_write_o">(t) != 0, signal<Module, port + "_index_o">(t),
         signal<Module, port + "_data_o">(t), signal<Module, port + "_id_o">(t)};
  }
  void get(const auto& t, md5::LineHashReq& r) const {
    r = {line_from(t.hash_data_o, t.hash_mask_o), static_cast<std::uint8_t>(t.hash_mask_o)};
  }
  void get(const auto& t, hash_store::HashStoreReq& r) const {  // fields that the operation does not use are 0
    using hash_store::HashStoreOp;
    r = {};
    r.op = static_cast<HashStoreOp>(t.store_op_o);
    if (r.op == HashStoreOp::lookup || r.op == HashStoreOp::insert) {
      std::array<std::uint8_t, 17> hash{};  // {domain, digest}
      port_to_bytes(t.store_hash_o, std::span(hash).first(sizeof(t.store_hash_o) > 16 ? 17 : 16));
      std::copy_n(hash.begin(), 16, r.hash.begin());
      r.domain = hash[16];
    }
    if (r.op != HashStoreOp::lookup) r.ref = t.store_ref_o;
    if (r.op == HashStoreOp::increment) r.index = t.store_index_o;
  }
  void get(const auto& t, ProbeReq& r) const {
    r = {t.probe_line_o, static_cast<std::uint8_t>(t.probe_mask_o), t.probe_id_o};
  }
  void get(const auto& t, DoneEvent& e) const {
    const unsigned flags = t.done_flags_o;
    e = {.line = t.done_line_o,
         .outcome = static_cast<Outcome>(t.done_outcome_o),
         .no_entry = (flags & 1) != 0,
         .saturated = (flags & 2) != 0,
         .partial_limit = (flags & 4) != 0,
         .evicted = (flags & 8) != 0,
         .scanned = (flags & 16) != 0,
         .verified = (flags & 32) != 0,
         .collision = (flags & 64) != 0,
         .passed = (flags & 128) != 0,
         .read = t.done_read_o,
         .verify_read = t.done_verify_o,
         .written = t.done_written_o};
  }
};

}  // namespace

std::unique_ptr<Dedup> make_dedup_rtl(const DedupParams& params, const DedupConfig& config, const std::string& name) {
  if (!config.intra) throw std::invalid_argument("dedup: no RTL without intra-duplicate detection: only the model");
  // A point with the secure options serves units without them: the comparison stays off, the domain 0.
  return make_at_point<Module, Dedup>({{"LineBits", params.line_bits},
                                       {"IndexBits", params.index_bits},
                                       {"CountBits", params.count_bits},
                                       {"BufferEntries", params.buffer_entries},
                                       {"Contexts", params.contexts},
                                       {"FreeEntries", params.free_entries},
                                       {"TagBits", params.tag_bits},
                                       {"Lookups", params.lookups},
                                       {"HashUnits", params.hash_units},
                                       {"Verify", params.verify, true},
                                       {"DomainBits", params.domain_bits, true},
                                       {"RegionBits", params.region_bits, params.region_bits == 0},
                                       {"ByteMasks", params.byte_masks, true}},
                                      [&]<class V>() {
                                        return std::make_unique<RtlBlock<V, Module, Dedup, Fields>>(
                                            name, Fields{config, (1u << params.domain_bits) - 1});
                                      });
}

}  // namespace warpsieve::dedup
