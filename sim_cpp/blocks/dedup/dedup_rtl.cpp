#include <functional>

#include "blocks/dedup/dedup_backends.h"
#include "cosim/verilated.h"
#include "rtl_points/dedup/dedup.h"

namespace warpsieve::dedup {

namespace {

template <class T>
struct RtlIn final : InPort<T> {
  std::function<bool()> is_ready;
  std::function<void(const T&)> drive;  ///< sets valid and payload
  bool ready() const override { return is_ready(); }
  bool push(const T& item) override {
    drive(item);
    return is_ready();
  }
};

template <class T>
struct RtlOut final : OutPort<T> {
  std::function<bool()> is_valid;
  std::function<void(T&)> read;
  std::function<void()> take;  ///< sets ready
  bool valid = false;
  T item;
  const T* front() const override { return valid ? &item : nullptr; }
  void pop() override { take(); }
  void fetch() {
    valid = is_valid();
    if (valid) read(item);
  }
};

template <class Port>
LineData line_from(const Port& port, unsigned mask) {
  LineData data;
  port_to_bytes(port, data);
  return masked(data, mask);
}

template <class V>
class DedupRtl final : public Dedup {
 public:
  DedupRtl(const DedupParams& params, const DedupConfig& config, const std::string& name)
      : domain_mask_((1u << params.domain_bits) - 1), rtl_(name) {
    V& t = rtl_.top();
    t.cfg_car_i = config.car;
    t.cfg_hash_i = config.hash;
    t.cfg_verify_i = config.verify;
    t.cfg_region_i = config.region;
    t.cfg_fresh_i = config.fresh;
    t.cfg_bypass_level_i = config.bypass_level;
    t.cfg_total_lines_i = config.total_lines;
    t.cfg_spare_lines_i = config.spare_lines;
    bind();
    reset();
  }
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
  InPort<ReadReq>& rd() override { return rd_; }
  InPort<WriteReq>& wr() override { return wr_; }
  OutPort<L2Rsp>& l2() override { return l2_; }
  OutPort<DramReq>& dram() override { return dram_; }
  InPort<DramRsp>& dram_rsp() override { return dram_rsp_; }
  OutPort<metadata_cache::MetaReq>& meta_req(unsigned which) override { return meta_req_.at(which); }
  InPort<metadata_cache::MetaRsp>& meta_rsp(unsigned which) override { return meta_rsp_.at(which); }
  OutPort<md5::LineHashReq>& hash() override { return hash_; }
  InPort<md5::LineHashRsp>& hash_rsp() override { return hash_rsp_; }
  OutPort<hash_store::HashStoreReq>& store() override { return store_; }
  InPort<hash_store::HashStoreRsp>& store_rsp() override { return store_rsp_; }
  OutPort<ProbeReq>& probe() override { return probe_; }
  InPort<ProbeRsp>& probe_rsp() override { return probe_rsp_; }
  OutPort<DoneEvent>& done() override { return done_; }

 private:
  void bind() {
    V& t = rtl_.top();
    rd_.is_ready = [&t] { return t.rd_ready_o; };
    rd_.drive = [&t](const ReadReq& r) {
      t.rd_valid_i = 1;
      t.rd_line_i = r.line;
      t.rd_mask_i = r.mask;
      t.rd_tag_i = r.tag;
    };
    wr_.is_ready = [&t] { return t.wr_ready_o; };
    wr_.drive = [&t, mask = domain_mask_](const WriteReq& w) {
      t.wr_valid_i = 1;
      t.wr_line_i = w.line;
      t.wr_mask_i = w.mask;
      port_from_bytes(t.wr_data_i, w.data);
      t.wr_domain_i = w.domain & mask;
    };
    l2_.is_valid = [&t] { return t.l2_valid_o; };
    l2_.take = [&t] { t.l2_ready_i = 1; };
    l2_.read = [&t](L2Rsp& r) {
      r = {t.l2_tag_o, t.l2_mask_o, static_cast<Source>(t.l2_source_o), line_from(t.l2_data_o, t.l2_mask_o)};
    };
    dram_.is_valid = [&t] { return t.dram_valid_o; };
    dram_.take = [&t] { t.dram_ready_i = 1; };
    dram_.read = [&t](DramReq& r) {
      const auto kind = static_cast<DramKind>(t.dram_kind_o);
      r = {kind, t.dram_line_o, t.dram_mask_o, t.dram_tag_o,
           line_from(t.dram_data_o, kind == DramKind::write ? t.dram_mask_o : 0)};
    };
    dram_rsp_.is_ready = [&t] { return t.dram_rsp_ready_o; };
    dram_rsp_.drive = [&t](const DramRsp& r) {
      t.dram_rsp_valid_i = 1;
      t.dram_rsp_tag_i = r.tag;
      port_from_bytes(t.dram_rsp_data_i, r.data);
    };
    // One line per metadata port; the names differ only in their first word.
    const auto meta = [this](unsigned k, auto& valid, auto& ready, auto& write, auto& index, auto& data, auto& id,
                             auto& rsp_valid, auto& rsp_ready, auto& rsp_data, auto& rsp_id) {
      meta_req_[k].is_valid = [&valid] { return valid != 0; };
      meta_req_[k].take = [&ready] { ready = 1; };
      meta_req_[k].read = [&write, &index, &data, &id](metadata_cache::MetaReq& r) {
        r = {write != 0, index, data, id};
      };
      meta_rsp_[k].is_ready = [&rsp_ready] { return rsp_ready != 0; };
      meta_rsp_[k].drive = [&rsp_valid, &rsp_data, &rsp_id](const metadata_cache::MetaRsp& r) {
        rsp_valid = 1;
        rsp_data = r.data;
        rsp_id = r.id;
      };
    };
    meta(meta_type, t.type_req_valid_o, t.type_req_ready_i, t.type_req_write_o, t.type_req_index_o, t.type_req_data_o,
         t.type_req_id_o, t.type_rsp_valid_i, t.type_rsp_ready_o, t.type_rsp_data_i, t.type_rsp_id_i);
    meta(meta_mask, t.mask_req_valid_o, t.mask_req_ready_i, t.mask_req_write_o, t.mask_req_index_o, t.mask_req_data_o,
         t.mask_req_id_o, t.mask_rsp_valid_i, t.mask_rsp_ready_o, t.mask_rsp_data_i, t.mask_rsp_id_i);
    meta(meta_map, t.addr_req_valid_o, t.addr_req_ready_i, t.addr_req_write_o, t.addr_req_index_o, t.addr_req_data_o,
         t.addr_req_id_o, t.addr_rsp_valid_i, t.addr_rsp_ready_o, t.addr_rsp_data_i, t.addr_rsp_id_i);
    meta(meta_lent, t.lent_req_valid_o, t.lent_req_ready_i, t.lent_req_write_o, t.lent_req_index_o, t.lent_req_data_o,
         t.lent_req_id_o, t.lent_rsp_valid_i, t.lent_rsp_ready_o, t.lent_rsp_data_i, t.lent_rsp_id_i);
    hash_.is_valid = [&t] { return t.hash_valid_o; };
    hash_.take = [&t] { t.hash_ready_i = 1; };
    hash_.read = [&t](md5::LineHashReq& r) {
      r = {line_from(t.hash_data_o, t.hash_mask_o), static_cast<std::uint8_t>(t.hash_mask_o)};
    };
    hash_rsp_.is_ready = [&t] { return t.hash_rsp_ready_o; };
    hash_rsp_.drive = [&t](const md5::LineHashRsp& r) {
      t.hash_rsp_valid_i = 1;
      port_from_bytes(t.hash_rsp_digest_i, r.digest);
    };
    store_.is_valid = [&t] { return t.store_valid_o; };
    store_.take = [&t] { t.store_ready_i = 1; };
    store_.read = [&t](hash_store::HashStoreReq& r) {  // fields that the operation does not use are 0
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
    };
    store_rsp_.is_ready = [&t] { return t.store_rsp_ready_o; };
    store_rsp_.drive = [&t](const hash_store::HashStoreRsp& r) {
      t.store_rsp_valid_i = 1;
      t.store_rsp_hit_i = r.hit;
      t.store_rsp_index_i = r.index;
      t.store_rsp_ref_i = r.ref;
      t.store_rsp_count_i = r.count;
      t.store_rsp_ok_i = r.ok;
      t.store_rsp_evicted_i = r.evicted;
    };
    probe_.is_valid = [&t] { return t.probe_valid_o; };
    probe_.take = [&t] { t.probe_ready_i = 1; };
    probe_.read = [&t](ProbeReq& r) {
      r = {t.probe_line_o, static_cast<std::uint8_t>(t.probe_mask_o), t.probe_id_o};
    };
    probe_rsp_.is_ready = [&t] { return t.probe_rsp_ready_o; };
    probe_rsp_.drive = [&t](const ProbeRsp& r) {
      t.probe_rsp_valid_i = 1;
      t.probe_rsp_id_i = r.id;
      t.probe_rsp_mask_i = r.mask;
      port_from_bytes(t.probe_rsp_data_i, r.data);
    };
    done_.is_valid = [&t] { return t.done_valid_o; };
    done_.take = [] {};
    done_.read = [&t](DoneEvent& e) {
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
           .read = t.done_read_o,
           .verify_read = t.done_verify_o,
           .written = t.done_written_o};
    };
  }
  void lower() {
    V& t = rtl_.top();
    t.rd_valid_i = t.wr_valid_i = t.dram_rsp_valid_i = t.hash_rsp_valid_i = t.store_rsp_valid_i = 0;
    t.probe_rsp_valid_i = t.type_rsp_valid_i = t.mask_rsp_valid_i = t.addr_rsp_valid_i = t.lent_rsp_valid_i = 0;
    t.l2_ready_i = t.dram_ready_i = t.hash_ready_i = t.store_ready_i = t.probe_ready_i = 0;
    t.type_req_ready_i = t.mask_req_ready_i = t.addr_req_ready_i = t.lent_req_ready_i = 0;
  }
  void fetch() {
    l2_.fetch();
    dram_.fetch();
    for (auto& port : meta_req_) port.fetch();
    hash_.fetch();
    store_.fetch();
    probe_.fetch();
    done_.fetch();
  }

  std::uint8_t domain_mask_;
  RtlClock<V> rtl_;
  RtlIn<ReadReq> rd_;
  RtlIn<WriteReq> wr_;
  RtlOut<L2Rsp> l2_;
  RtlOut<DramReq> dram_;
  RtlIn<DramRsp> dram_rsp_;
  std::array<RtlOut<metadata_cache::MetaReq>, kMetas> meta_req_;
  std::array<RtlIn<metadata_cache::MetaRsp>, kMetas> meta_rsp_;
  RtlOut<md5::LineHashReq> hash_;
  RtlIn<md5::LineHashRsp> hash_rsp_;
  RtlOut<hash_store::HashStoreReq> store_;
  RtlIn<hash_store::HashStoreRsp> store_rsp_;
  RtlOut<ProbeReq> probe_;
  RtlIn<ProbeRsp> probe_rsp_;
  RtlOut<DoneEvent> done_;
};

}  // namespace

std::unique_ptr<Dedup> make_dedup_rtl(const DedupParams& params, const DedupConfig& config, const std::string& name) {
  if (!config.intra) throw std::invalid_argument("dedup: no RTL without intra-duplicate detection: only the model");
  // A point with the secure options serves units without them: the comparison stays off, the domain 0.
  return make_at_point<rtl_points::dedup, Dedup>(
      {{"LineBits", params.line_bits},
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
       {"RegionBits", params.region_bits, params.region_bits == 0}},
      [&]<class V>() { return std::make_unique<DedupRtl<V>>(params, config, name); });
}

}  // namespace warpsieve::dedup
