// make_dedup(), and the texts of the payloads.
#include "blocks/dedup/dedup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "blocks/dedup/dedup_backends.h"
#include "blocks/dedup/dedup_model.h"
#include "cosim/shadow.h"

namespace warpsieve::dedup {

namespace {

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
      (c.region && p.region_bits == 0) || (c.pass && !p.byte_masks)) {
    throw std::invalid_argument(
        fmt::format("dedup: configuration out of range: total_lines {} spare_lines {} "
                    "bypass_level {} verify {} region {} pass {}",
                    c.total_lines, c.spare_lines, c.bypass_level, c.verify, c.region, c.pass));
  }
}

std::string of_bytes(const ByteMask& bytes) {
  return bytes == kAllBytes ? "" : fmt::format(" bytes {:08x}", fmt::join(bytes, ":"));
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
  return fmt::format("write {:#x} mask {:x} domain {}{}{}", w.line, w.mask, w.domain, of_bytes(w.bytes),
                     hex(w.data, w.mask));
}
std::string describe(const L2Rsp& r) {
  static constexpr const char* names[] = {"forward", "intra", "copy"};
  return fmt::format("tag {} mask {:x} {}{}", r.tag, r.mask, names[static_cast<unsigned>(r.source)],
                     hex(r.data, r.mask));
}
std::string describe(const DramReq& r) {
  static constexpr const char* names[] = {"home_read", "slot_read", "dedup_read", "write", "verify_read"};
  return fmt::format("{} {:#x} mask {:x} tag {}{}{}", names[static_cast<unsigned>(r.kind)], r.line, r.mask, r.tag,
                     of_bytes(r.bytes), r.kind == DramKind::write ? hex(r.data, r.mask) : "");
}
std::string describe(const DramRsp& r) { return fmt::format("tag {}{}", r.tag, hex(r.data, 0xf)); }
std::string describe(const ProbeReq& p) { return fmt::format("probe {:#x} mask {:x} id {}", p.line, p.mask, p.id); }
std::string describe(const ProbeRsp& p) {
  return fmt::format("id {} mask {:x}{}", p.id, p.mask, hex(p.data, p.mask));
}
std::string describe(const DoneEvent& e) {
  return fmt::format(
      "{:#x} {} no_entry {} saturated {} partial_limit {} evicted {} scanned {} verified {} collision {} passed {} "
      "read {:x} verify_read {:x} written {:x}",
      e.line, to_string(e.outcome), e.no_entry, e.saturated, e.partial_limit, e.evicted, e.scanned, e.verified,
      e.collision, e.passed, e.read, e.verify_read, e.written);
}

OutPort<metadata_cache::MetaReq>& Dedup::meta_req(unsigned which) const {
  const std::array<const PortSlot<OutPort<metadata_cache::MetaReq>>*, kMetas> slots{&type_req, &mask_req, &addr_req,
                                                                                    &lent_req};
  return (*slots.at(which))();
}
InPort<metadata_cache::MetaRsp>& Dedup::meta_rsp(unsigned which) const {
  const std::array<const PortSlot<InPort<metadata_cache::MetaRsp>>*, kMetas> slots{&type_rsp, &mask_rsp, &addr_rsp,
                                                                                   &lent_rsp};
  return (*slots.at(which))();
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
  return make_backend<PortShadow<Dedup>>(
      backend, name, [&] { return make_dedup_model(params, config, faults); },
      [&] { return make_dedup_rtl(params, config, name); });
}

std::unique_ptr<Dedup> make_dedup_model(const DedupParams& params, const DedupConfig& config,
                                        const DedupFaults& faults) {
  return std::make_unique<DedupModel>(params, config, faults);
}

}  // namespace warpsieve::dedup
