// make_dedup(), its shadow, and the texts of the payloads.
#include "blocks/dedup/dedup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <stdexcept>

#include "blocks/dedup/dedup_backends.h"
#include "blocks/dedup/dedup_model.h"
#include "cosim/shadow.h"

namespace warpsieve::dedup {

namespace {

class DedupShadow final : public BlockShadow<Dedup> {
 public:
  DedupShadow(std::string name, std::unique_ptr<Dedup> model, std::unique_ptr<Dedup> rtl)
      : BlockShadow(std::move(name), std::move(model), std::move(rtl)) {
    Dedup &m = *model_, &r = *rtl_;
    rd_.emplace(context_, "rd", m.rd(), r.rd());
    wr_.emplace(context_, "wr", m.wr(), r.wr());
    l2_.emplace(context_, "l2", m.l2(), r.l2());
    dram_.emplace(context_, "dram", m.dram(), r.dram());
    dram_rsp_.emplace(context_, "dram_rsp", m.dram_rsp(), r.dram_rsp());
    static constexpr const char* names[kMetas] = {"type", "mask", "addr", "lent"};
    for (unsigned k = 0; k < kMetas; ++k) {
      meta_req_[k].emplace(context_, fmt::format("{}_req", names[k]), m.meta_req(k), r.meta_req(k));
      meta_rsp_[k].emplace(context_, fmt::format("{}_rsp", names[k]), m.meta_rsp(k), r.meta_rsp(k));
    }
    hash_.emplace(context_, "hash", m.hash(), r.hash());
    hash_rsp_.emplace(context_, "hash_rsp", m.hash_rsp(), r.hash_rsp());
    store_.emplace(context_, "store", m.store(), r.store());
    store_rsp_.emplace(context_, "store_rsp", m.store_rsp(), r.store_rsp());
    probe_.emplace(context_, "probe", m.probe(), r.probe());
    probe_rsp_.emplace(context_, "probe_rsp", m.probe_rsp(), r.probe_rsp());
    done_.emplace(context_, "done", m.done(), r.done());
  }
  InPort<ReadReq>& rd() override { return *rd_; }
  InPort<WriteReq>& wr() override { return *wr_; }
  OutPort<L2Rsp>& l2() override { return *l2_; }
  OutPort<DramReq>& dram() override { return *dram_; }
  InPort<DramRsp>& dram_rsp() override { return *dram_rsp_; }
  OutPort<metadata_cache::MetaReq>& meta_req(unsigned which) override { return *meta_req_.at(which); }
  InPort<metadata_cache::MetaRsp>& meta_rsp(unsigned which) override { return *meta_rsp_.at(which); }
  OutPort<md5::LineHashReq>& hash() override { return *hash_; }
  InPort<md5::LineHashRsp>& hash_rsp() override { return *hash_rsp_; }
  OutPort<hash_store::HashStoreReq>& store() override { return *store_; }
  InPort<hash_store::HashStoreRsp>& store_rsp() override { return *store_rsp_; }
  OutPort<ProbeReq>& probe() override { return *probe_; }
  InPort<ProbeRsp>& probe_rsp() override { return *probe_rsp_; }
  OutPort<DoneEvent>& done() override { return *done_; }

 private:
  void compare() const override {
    rd_->compare();
    wr_->compare();
    l2_->compare();
    dram_->compare();
    dram_rsp_->compare();
    for (const auto& port : meta_req_) port->compare();
    for (const auto& port : meta_rsp_) port->compare();
    hash_->compare();
    hash_rsp_->compare();
    store_->compare();
    store_rsp_->compare();
    probe_->compare();
    probe_rsp_->compare();
    done_->compare();
  }

  std::optional<ShadowIn<ReadReq>> rd_;
  std::optional<ShadowIn<WriteReq>> wr_;
  std::optional<ShadowOut<L2Rsp>> l2_;
  std::optional<ShadowOut<DramReq>> dram_;
  std::optional<ShadowIn<DramRsp>> dram_rsp_;
  std::array<std::optional<ShadowOut<metadata_cache::MetaReq>>, kMetas> meta_req_;
  std::array<std::optional<ShadowIn<metadata_cache::MetaRsp>>, kMetas> meta_rsp_;
  std::optional<ShadowOut<md5::LineHashReq>> hash_;
  std::optional<ShadowIn<md5::LineHashRsp>> hash_rsp_;
  std::optional<ShadowOut<hash_store::HashStoreReq>> store_;
  std::optional<ShadowIn<hash_store::HashStoreRsp>> store_rsp_;
  std::optional<ShadowOut<ProbeReq>> probe_;
  std::optional<ShadowIn<ProbeRsp>> probe_rsp_;
  std::optional<ShadowOut<DoneEvent>> done_;
};

void check(const DedupParams& p, const DedupConfig& c) {
  const bool sizes =
      p.line_bits >= 1 && p.line_bits <= 31 && p.index_bits >= 1 && p.index_bits <= 32 && p.count_bits >= 1 &&
      p.count_bits <= 31 && p.buffer_entries >= 1 && p.contexts >= 1 && p.free_entries >= 1 && p.tag_bits >= 1 &&
      p.tag_bits <= 32 && p.domain_bits <= 8 && p.lookups >= 1 && p.buffer_entries % p.lookups == 0 &&
      p.buffer_entries < std::uint64_t{1} << p.tag_bits && p.hash_units >= 1 && p.region_bits < p.line_bits;
  if (!sizes) {
    throw std::invalid_argument(
        fmt::format("dedup: parameters out of range: line_bits {} index_bits {} count_bits {} "
                    "buffer_entries {} contexts {} free_entries {} tag_bits {} lookups {} hash_units {} domain_bits "
                    "{} region_bits {}",
                    p.line_bits, p.index_bits, p.count_bits, p.buffer_entries, p.contexts, p.free_entries, p.tag_bits,
                    p.lookups, p.hash_units, p.domain_bits, p.region_bits));
  }
  if (c.total_lines == 0 || c.total_lines > std::uint64_t{1} << p.line_bits || c.spare_lines == 0 ||
      c.spare_lines >= c.total_lines || c.bypass_level > p.buffer_entries || (c.verify && !p.verify) ||
      (c.region && p.region_bits == 0)) {
    throw std::invalid_argument(
        fmt::format("dedup: configuration out of range: total_lines {} spare_lines {} "
                    "bypass_level {} verify {} region {}",
                    c.total_lines, c.spare_lines, c.bypass_level, c.verify, c.region));
  }
}

std::string hex(const LineData& data, unsigned mask) {
  std::string text;
  for (unsigned s = 0; s < 4; ++s) {
    if (mask >> s & 1) {
      text += fmt::format(" s{}:{:02x}", s, fmt::join(data.begin() + 32 * s, data.begin() + 32 * (s + 1), ""));
    }
  }
  return text;
}

}  // namespace

std::string_view to_string(Outcome outcome) {
  static constexpr std::string_view names[kOutcomes] = {
      "intra", "inter", "unique_home", "unique_in_place", "unique_kept", "unique_borrowed", "silent"};
  return names[static_cast<unsigned>(outcome)];
}
std::string describe(const ReadReq& r) { return fmt::format("read {:#x} mask {:x} tag {}", r.line, r.mask, r.tag); }
std::string describe(const WriteReq& w) {
  return fmt::format("write {:#x} mask {:x} domain {}{}", w.line, w.mask, w.domain, hex(w.data, w.mask));
}
std::string describe(const L2Rsp& r) {
  static constexpr const char* names[] = {"forward", "intra", "copy"};
  return fmt::format("tag {} mask {:x} {}{}", r.tag, r.mask, names[static_cast<unsigned>(r.source)],
                     hex(r.data, r.mask));
}
std::string describe(const DramReq& r) {
  static constexpr const char* names[] = {"home_read", "slot_read", "dedup_read", "write", "verify_read"};
  return fmt::format("{} {:#x} mask {:x} tag {}{}", names[static_cast<unsigned>(r.kind)], r.line, r.mask, r.tag,
                     r.kind == DramKind::write ? hex(r.data, r.mask) : "");
}
std::string describe(const DramRsp& r) { return fmt::format("tag {}{}", r.tag, hex(r.data, 0xf)); }
std::string describe(const ProbeReq& p) { return fmt::format("probe {:#x} mask {:x} id {}", p.line, p.mask, p.id); }
std::string describe(const ProbeRsp& p) {
  return fmt::format("id {} mask {:x}{}", p.id, p.mask, hex(p.data, p.mask));
}
std::string describe(const DoneEvent& e) {
  return fmt::format(
      "{:#x} {} no_entry {} saturated {} partial_limit {} evicted {} scanned {} verified {} collision {} read {:x} "
      "verify_read {:x} written {:x}",
      e.line, to_string(e.outcome), e.no_entry, e.saturated, e.partial_limit, e.evicted, e.scanned, e.verified,
      e.collision, e.read, e.verify_read, e.written);
}

Dedup::State Dedup::state() {
  unsigned offers = 0;
  for (unsigned k = 0; k < kMetas; ++k)
    if (meta_req(k).front()) offers |= 1u << k;
  if (l2().front()) offers |= offer_l2;
  if (dram().front()) offers |= offer_dram;
  if (hash().front()) offers |= offer_hash;
  if (store().front()) offers |= offer_store;
  if (probe().front()) offers |= offer_probe;
  if (done().front()) offers |= offer_done;
  return {offers, idle(), false, rd().ready()};
}

std::unique_ptr<Dedup> make_dedup(const DedupParams& params, const DedupConfig& config, Backend backend,
                                  std::string name, const DedupFaults& faults) {
  check(params, config);
  switch (backend) {
    case Backend::model: return make_dedup_model(params, config, faults);
    case Backend::rtl: return make_dedup_rtl(params, config, name);
    case Backend::shadow: break;
  }
  return std::make_unique<DedupShadow>(name, make_dedup_model(params, config, faults),
                                       make_dedup_rtl(params, config, name));
}

std::unique_ptr<Dedup> make_dedup_model(const DedupParams& params, const DedupConfig& config,
                                        const DedupFaults& faults) {
  return std::make_unique<DedupModel>(params, config, faults);
}

}  // namespace warpsieve::dedup
