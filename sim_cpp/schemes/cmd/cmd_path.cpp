#include "schemes/cmd/cmd_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace warpsieve::schemes {

using namespace memsys;
using dedup::kMetas;

namespace {

constexpr const char* kMetaNames[kMetas] = {"type_cache", "mask_cache", "address_cache", "lent_cache"};

// What a DRAM read was for, in the low bits of its cookie.
enum Purpose : unsigned { home, slot, old_content, table };
std::uint64_t cookie_of(Purpose purpose, unsigned sector_or_table, std::uint64_t number) {
  return number << 4 | sector_or_table << 2 | purpose;
}

/// The key of one controller (splitmix64 of the seed): each has its own.
siphash::Key boot_key(std::uint32_t seed, unsigned controller) {
  siphash::Key key;
  std::uint64_t state = std::uint64_t{seed} << 32 | controller;
  for (unsigned half = 0; half < 2; ++half) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    for (unsigned b = 0; b < 8; ++b) key[8 * half + b] = static_cast<std::uint8_t>(z >> 8 * b);
  }
  return key;
}

dedup::DedupUnitParams unit_params(const CmdParams& p, const CmdVariant& variant, unsigned controller,
                                   std::uint32_t data_lines) {
  dedup::DedupUnitParams unit;
  unit.dedup.buffer_entries = p.buffer_entries_of(variant);
  unit.dedup.contexts = p.contexts;
  unit.dedup.free_entries = p.free_entries;
  unit.dedup.lookups = std::gcd(unit.dedup.buffer_entries, 8u);
  unit.dedup.hash_units = p.hash_units_of(variant);
  unit.dedup.byte_masks = variant.sieve && p.sieve_byte_masks;
  unit.config.pass = unit.dedup.byte_masks && p.sieve_pass;
  unit.dedup.region_bits = variant.sieve ? p.sieve_region_bits : 0;
  unit.config.region = unit.dedup.region_bits != 0;
  unit.store.sets = p.hash_sets;
  unit.store.ways = p.hash_ways;
  unit.dedup.index_bits = unit.store.index_bits();
  unit.config.spare_lines = std::max<std::uint32_t>(64, data_lines >> p.spare_shift);
  unit.config.total_lines = data_lines + unit.config.spare_lines;
  unit.dedup.line_bits = std::max<unsigned>(unit.dedup.line_bits, std::bit_width(unit.config.total_lines - 1));
  unit.store.ref_bits = unit.dedup.line_bits;
  // Twice as many places as entries: a set of references is rarely full, and no entry has to leave for that.
  unit.store.ref_sets = 2 * p.hash_sets;
  unit.store.ref_ways = std::max(2u, p.hash_ways);
  for (auto& cache : unit.caches) {
    cache.index_bits = unit.dedup.line_bits;
    cache.id_bits = std::max<unsigned>(cache.id_bits, std::bit_width(p.contexts + unit.dedup.lookups + 1));
  }
  unit.hasher.steps_per_cycle = p.steps_per_cycle;
  unit.caches[dedup::meta_type].sets = p.type_sets;
  unit.caches[dedup::meta_mask].sets = p.mask_sets;
  unit.caches[dedup::meta_map].sets = p.address_sets;
  unit.caches[dedup::meta_lent].sets = p.lent_sets;
  unit.hash_cycles_per_chunk = p.hash_cycles_per_chunk;
  unit.metadata_cycles = p.metadata_cycles_of(variant);
  unit.keep_lines = p.potential != 0;
  unit.config.car = variant.car;
  unit.dedup.verify = unit.config.verify = variant.sieve ? p.sieve_verify != 0 : variant.verify;
  unit.dedup.domain_bits = unit.store.domain_bits = p.tenant_bits_of(variant);
  unit.fingerprint = variant.siphash ? dedup::Fingerprint::siphash : dedup::Fingerprint::md5;
  if (variant.esd) {
    unit.config.intra = false;
    unit.fingerprint = dedup::Fingerprint::ecc;
    unit.store.domain_bits = dedup::kEccDomainBits;
  }
  unit.instant_hash = p.instant_hash != 0 && unit.fingerprint == dedup::Fingerprint::md5;
  unit.siphash = {.half_rounds_per_cycle = p.half_rounds_per_cycle, .key = boot_key(p.hash_key, controller)};
  // The input of the block is as wide as its fill; a level beyond that is never reached.
  if (const std::uint32_t level = p.bypass_level_of(variant); level <= unit.dedup.buffer_entries)
    unit.config.bypass_level = level;
  if (unit.dedup.line_bits > 31) {
    throw ConfigError(fmt::format("cmd: {} lines per controller, at most {} fit into the address map",
                                  unit.config.total_lines, 1u << 31));
  }
  return unit;
}

dedup::DedupUnitBackends unit_backends(const BackendPlan& plan, const CmdVariant& variant,
                                       const std::string& instance) {
  dedup::DedupUnitBackends backends;
  if (!variant.esd) backends.dedup = plan.of("dedup", instance);  // the RTL always looks for intra-duplicates
  backends.hasher = plan.of("line_hasher", instance);
  backends.store = plan.of("hash_store", instance);
  for (unsigned k = 0; k < kMetas; ++k) backends.caches[k] = plan.of(kMetaNames[k], instance);
  return backends;
}

}  // namespace

CmdPath::Counters::Counters(Stats& stats) {
  for (unsigned i = 0; i < dedup::kOutcomes; ++i) {
    outcomes[i] = stats.add(fmt::format("dedup.writes_{}", dedup::to_string(static_cast<dedup::Outcome>(i))),
                            "writes", "line writes that ended this way");
  }
  writes = stats.add("dedup.writes", "writes", "dirty lines that reached the unit and were processed");
  write_sectors = stats.add("dedup.write_sectors", "sectors", "dirty sectors accepted from the L2");
  sectors_written = stats.add("dedup.sectors_written", "sectors", "sectors the unit wrote to DRAM");
  no_entry = stats.add("dedup.unique_without_entry", "writes", "unique content that got no hash-store entry");
  saturated = stats.add("dedup.count_saturated", "writes", "duplicates refused by a full count");
  partial_limit =
      stats.add("dedup.partial_limit", "writes", "duplicates refused by the bound on partly written lines");
  evicted = stats.add("dedup.entries_evicted", "entries", "hash-store entries replaced");
  scanned = stats.add("dedup.slots_scanned", "writes", "borrowed slots found by scanning");
  verified = stats.add("dedup.verified", "writes", "hits whose content was compared with the reference");
  collisions = stats.add("dedup.collisions", "writes", "hits whose content was another one: written as unique");
  for (unsigned k = 0; k < kMetas; ++k) {
    requests[k] = stats.add(fmt::format("{}.requests", kMetaNames[k]), "requests", "lookups and updates");
    misses[k] = stats.add(fmt::format("{}.misses", kMetaNames[k]), "requests", "requests that waited for DRAM");
  }
  hashed_chunks = stats.add("dedup.hashed_chunks", "chunks", "64-byte chunks hashed, of an MD5 message");
  probes = stats.add("car.probes", "probes", "L2 lookups of a reference line");
  copied_sectors = stats.add("car.copied_sectors", "sectors", "read from the L2 copy of the reference");
  reference_sectors = stats.add("car.reference_sectors", "sectors", "read from the reference in DRAM");
  intra_sectors = stats.add("dedup.intra_sectors", "sectors", "reads made from a value in the metadata");
  forwarded_sectors = stats.add("dedup.forwarded_sectors", "sectors", "reads answered by the write buffer");
}

CmdPath::CmdPath(const CmdParams& params, const CmdVariant& variant, const BpcParams& compression,
                 const BackendPlan& backends, unsigned controller, PathOwner& host, Stats& stats)
    : host_(host), probe_cycles_(params.probe_cycles),
      unit_(unit_params(params, variant, controller, host.data_lines()),
            unit_backends(backends, variant, fmt::format("mc{}", controller)), fmt::format("mc{}", controller)),
      counters_(stats), unit_clock_(variant.sieve ? params.sieve_unit_clock : 1),
      asleep_(variant.sieve && params.sieve_sleep), wake_cycles_(params.sieve_wake_cycles),
      answers_(params.buffer_entries_of(variant) + 1), compressed_writes_(compression.buffer_entries), engine_(host) {
  if (takes_partial_sectors())
    counters_.passed = stats.add("dedup.passed", "writes", "of some bytes or sectors: neither hashed nor looked at");
  if (asleep_) counters_.woken = stats.add("dedup.woken", "controllers", "whose unit was woken by a write");
  if (variant.sieve && params.has_duel()) {
    const std::string instance = fmt::format("mc{}", controller);
    duel_ = merge_duel::make_merge_duel({.line_bits = unit_.params().dedup.line_bits,
                                         .tag_bits = std::bit_width(kUnitTags - 1),
                                         .leader_bits = params.sieve_leader_bits},
                                        backends.of("merge_duel", instance), instance + ".merge_duel");
    duel_->reset();
    counters_.duel_asks = stats.add("merge_duel.asks", "evictions", "with partly written sectors");
    counters_.duel_whole = stats.add("merge_duel.whole", "evictions", "of these: the sectors were completed first");
    counters_.duel_sent = stats.add("merge_duel.sent", "requests", "of reads to DRAM that it saw");
  }
  std::uint64_t base = std::uint64_t{unit_.params().config.total_lines} * kLineBytes;
  for (unsigned k = 0; k < kMetas; ++k) {
    const std::uint32_t per_sector = unit_.params().caches[k].entries_per_sector();
    tables_.emplace_back(host, base, (unit_.params().config.total_lines + per_sector - 1) / per_sector,
                         [this, k](std::uint32_t sector) { return unit_.initial_metadata(k, sector); });
    base = tables_.back().end();
  }
  if (variant.bpc)
    compressed_ =
        std::make_unique<CompressedMemory>(engine_, compression, unit_.params().config.total_lines, base, backends,
                                           fmt::format("mc{}", controller), static_cast<LineReader&>(*this), stats);
  if (params.potential) unlimited_ = std::make_unique<UnlimitedStore>(host.data_lines(), stats);
}

void CmdPath::take_read(Cycle now, const ReadRequest& request) {
  const std::uint32_t tag = open_.take();
  open_[tag] = {request.line, request.tag, request.mask};
  if (asleep_) {
    skid_.push({dedup::DramKind::home_read, request.line, request.mask, tag, {}});
  } else {
    catch_up(now + 1);
    unit_.rd().push({request.line, request.mask, tag});
    if (duel_) clock_duel({.open = {{tag, request.line}}});
  }
  read_pushed_ = true;
  host_.wake_path(now + 1);
}

bool CmdPath::push_write(Cycle now, unsigned, const WriteRequest& request) {
  if (asleep_) {
    if (wakes_at_ == kNever) {
      wakes_at_ = now + wake_cycles_;
      host_.wake_path(wakes_at_);
    }
    return false;
  }
  if (pushed_line_ != kNoLine || !unit_.wr_ready()) return false;
  catch_up(now + 1);
  LineData data = request.data;
  for (unsigned s = 0; s < kSectors; ++s) {
    if (!(request.mask >> s & 1)) std::memset(data.sector(s), 0, kSectorBytes);
  }
  unit_.wr().push({request.line, request.mask, data.bytes, domain_of(request.line), request.bytes});
  counters_.write_sectors += count_sectors(request.mask);
  accepted_.push_back({request.line, request.mask, false});
  pushed_line_ = request.line;
  host_.wake_path(now + 1);
  return true;
}

void CmdPath::on_dram_read(Cycle now, std::uint64_t cookie, const std::uint8_t* sector) {
  if (FlowEngine::owns(cookie)) return engine_.on_dram_read(now, cookie, sector);
  const auto purpose = static_cast<Purpose>(cookie & 3);
  const auto which = static_cast<unsigned>(cookie >> 2 & 3);
  const std::uint64_t number = cookie >> 4;
  if (purpose == table) {
    tables_[which].on_dram_read(static_cast<std::uint32_t>(number), sector);
    ++for_unit_;
    host_.wake_path(now);
    return;
  }
  --reads_under_way_;
  if (purpose == old_content) {
    on_old_content(static_cast<std::uint32_t>(number), which, sector);
  } else {
    ReadReply answer;
    answer.mask = static_cast<SectorMask>(1u << which);
    answer.source = purpose == home ? Source::dram : Source::reference;
    std::memcpy(answer.data.sector(which), sector, kSectorBytes);
    if (purpose == slot) ++counters_.reference_sectors;
    reply(now, static_cast<std::uint32_t>(number), answer);
    // The unit does not see it, but while it works the slices may offer again what was refused.
    if (!unit_.idle()) host_.wake_path(now);
    return;
  }
  host_.wake_path(now);
}

void CmdPath::reply(Cycle now, std::uint32_t unit_tag, ReadReply& answer) {
  Open& open = open_[unit_tag];
  answer.line = open.line;
  answer.tag = open.tag;
  open.missing &= static_cast<SectorMask>(~answer.mask);
  if (!open.missing) {
    open_.give(unit_tag);
    host_.wake_slices(now + 1);
  }
  host_.reply(now, answer);
}

bool CmdPath::take_l2(Cycle now) {
  const dedup::L2Rsp* rsp = unit_.l2().front();
  if (!rsp) return false;
  ReadReply answer;
  answer.mask = rsp->mask;
  answer.source = Source::buffered;
  answer.data.bytes = rsp->data;
  const unsigned sectors = count_sectors(rsp->mask);
  switch (rsp->source) {
    case dedup::Source::forward: counters_.forwarded_sectors += sectors; break;
    case dedup::Source::intra: answer.source = Source::generated, counters_.intra_sectors += sectors; break;
    case dedup::Source::copy: answer.source = Source::cache_assisted, counters_.copied_sectors += sectors; break;
  }
  reply(now, rsp->tag, answer);
  unit_.l2().pop();
  return true;
}

void CmdPath::on_old_content(std::uint32_t tag, unsigned sector, const std::uint8_t* data) {
  Answer& answer = answers_[tag];
  std::memcpy(answer.rsp.data.data() + sector * kSectorBytes, data, kSectorBytes);
  answer.missing &= static_cast<SectorMask>(~(1u << sector));
  if (answer.missing) return;
  ready_answers_.push_back(tag);
  ++for_unit_;
}

/// From the compressed memory; the token is a purpose and the tag inside the unit.
void CmdPath::on_data(Cycle now, std::uint32_t token, SectorMask mask, const LineData& data) {
  const auto purpose = static_cast<Purpose>(token & 3);
  if (purpose == old_content) {
    for (unsigned s = 0; s < kSectors; ++s)
      if (mask >> s & 1) on_old_content(token >> 2, s, data.sector(s));
    return;
  }
  if (purpose == slot) counters_.reference_sectors += count_sectors(mask);
  ReadReply answer;
  answer.mask = mask;
  answer.source = purpose == home ? Source::dram : Source::reference;
  answer.data = data;
  reply(now, token >> 2, answer);
}

bool CmdPath::queue_compressed(const dedup::DramReq& req) {
  if (req.kind == dedup::DramKind::write) {
    if (compressed_->writes_under_way() >= compressed_writes_) return false;
    LineData data;
    data.bytes = req.data;
    compressed_->write(LocalLine{req.line}, req.mask, data);
    return true;
  }
  CompressedMemory::Kinds kinds;
  std::uint32_t token = req.tag << 2 | old_content;
  for (unsigned s = 0; s < kSectors; ++s) {
    switch (req.kind) {
      case dedup::DramKind::dedup_read: kinds[s] = kDedupRead; break;
      case dedup::DramKind::verify_read: kinds[s] = kVerifyRead; break;
      default: kinds[s] = host_.read_kind(open_[req.tag].line, s);
    }
  }
  if (req.kind == dedup::DramKind::home_read) token = req.tag << 2 | home;
  if (req.kind == dedup::DramKind::slot_read) token = req.tag << 2 | slot;
  compressed_->read(LocalLine{req.line}, req.mask, kinds, token);
  return true;
}

/// Sector by sector; false: some are left for a later cycle.
bool CmdPath::queue_sectors(Cycle now, const dedup::DramReq& req) {
  for (unsigned left = req.mask & ~dram_done_; left; left &= left - 1) {
    // If not, the partition wakes the path when there is room.
    if (!queue_sector(now, req, static_cast<unsigned>(std::countr_zero(left)))) return false;
    reads_under_way_ += req.kind != dedup::DramKind::write;
    dram_done_ |= static_cast<SectorMask>(left & -left);
  }
  dram_done_ = 0;
  return true;
}

bool CmdPath::queue_sector(Cycle now, const dedup::DramReq& req, unsigned s) {
  const std::uint64_t address = std::uint64_t{req.line} * kLineBytes + s * kSectorBytes;
  const auto read = [&](RequestKind kind, Purpose purpose) {
    return host_.dram_read(now, address, kind, cookie_of(purpose, s, req.tag));
  };
  switch (req.kind) {
    case dedup::DramKind::write:
      return host_.dram_write(now, address, RequestKind::write, req.data.data() + s * kSectorBytes, req.bytes[s]);
    case dedup::DramKind::dedup_read: return read(kDedupRead, old_content);
    case dedup::DramKind::verify_read: return read(kVerifyRead, old_content);
    case dedup::DramKind::home_read: return read(host_.read_kind(open_[req.tag].line, s), home);
    case dedup::DramKind::slot_read: return read(host_.read_kind(open_[req.tag].line, s), slot);
  }
  return false;
}

bool CmdPath::take_dram(Cycle now) {
  const dedup::DramReq* req = unit_.dram().front();
  if (!req) return false;
  const bool for_unit = req->kind == dedup::DramKind::dedup_read || req->kind == dedup::DramKind::verify_read;
  // Before the first sector is queued: its data may be there before the last one is.
  if (for_unit && !dram_done_) answers_[req->tag] = {req->mask, {{}, req->tag}};
  const bool taken = compressed_ ? queue_compressed(*req) : queue_sectors(now, *req);
  dram_refused_ = !taken && !compressed_;
  if (!taken) return false;
  if (duel_ && (req->kind == dedup::DramKind::home_read || req->kind == dedup::DramKind::slot_read)) {
    clock_duel({.sent = {{req->tag, req->mask}}});
    ++counters_.duel_sent;
  }
  unit_.dram().pop();
  return true;
}

bool CmdPath::take_probes(Cycle now, bool offered) {
  bool moved = false;
  if (const dedup::ProbeReq* req = offered ? unit_.probe().front() : nullptr) {
    probes_.push_back({now + probe_cycles_, *req});
    unit_.probe().pop();
    ++counters_.probes;
    moved = true;
  }
  if (!probes_.empty() && probes_.front().due <= now) {
    const dedup::ProbeReq& req = probes_.front().request;
    LineData data;
    dedup::ProbeRsp answer;
    answer.id = req.id;
    // A verification also asks for the owners of spare slots, lines that no L2 address has.
    answer.mask =
        req.line < host_.data_lines() ? host_.probe(now, LocalLine{req.line}, req.mask, data) : SectorMask{0};
    answer.data = dedup::masked(data.bytes, answer.mask);
    probe_answers_.push_back(answer);
    ++for_unit_;
    probes_.pop_front();
    moved = true;
  }
  return moved;
}

bool CmdPath::give_answers() {
  bool moved = false;
  if (!ready_answers_.empty() && unit_.dram_rsp().push(answers_[ready_answers_.front()].rsp)) {
    ready_answers_.pop_front();
    --for_unit_;
    moved = true;
  }
  if (!probe_answers_.empty() && unit_.probe_rsp().push(probe_answers_.front())) {
    probe_answers_.pop_front();
    --for_unit_;
    moved = true;
  }
  for (unsigned k = 0; for_unit_ && k < kMetas; ++k) {
    if (!tables_[k].has_fill() || !tables_[k].give(unit_.meta_mem_rsp(k))) continue;
    --for_unit_;
    moved = true;
  }
  return moved;
}

void CmdPath::take_done(Cycle now) {
  const dedup::DoneEvent* event = unit_.done().front();
  if (!event) return;
  ++counters_.writes;
  ++counters_.outcomes[static_cast<unsigned>(event->outcome)];
  counters_.sectors_written += count_sectors(event->written);
  counters_.no_entry += event->no_entry;
  counters_.saturated += event->saturated;
  counters_.partial_limit += event->partial_limit;
  counters_.evicted += event->evicted;
  counters_.scanned += event->scanned;
  counters_.verified += event->verified;
  counters_.collisions += event->collision;
  if (event->passed) ++counters_.passed;
  const LocalLine line{event->line};
  if (duel_) {
    const unsigned sectors =
        count_sectors(event->written) + count_sectors(event->read) + count_sectors(event->verify_read);
    clock_duel({.done = {{event->line, static_cast<std::uint8_t>(sectors)}}});
  }
  if (unlimited_) {
    if (const auto hashed = unit_.take_hashed())
      unlimited_->write(line, hashed->mask, hashed->data.data(), domain_of(line));
    else
      unlimited_->write_intra(line);
  }
  const SectorMask newer = not_done(line);
  if (event->read && !event->passed) {
    // Old content the unit fetched for this write. A sector written again since may already be newer in the
    // golden memory, and the copy is then no longer comparable.
    LineData data;
    data.bytes = answers_[done_entry_].rsp.data;
    host_.check(now, line, static_cast<SectorMask>(event->read & ~newer), data, Source::dedup_read);
  }
  done_entry_ = (done_entry_ + 1) % unit_.params().dedup.buffer_entries;
  unit_.done().pop();
}

/// A write of the line is done: the sectors of those that may not be. The unit has at most two entries of a line.
/// What came before the line's last done write is done now. Otherwise the first one made the entry that is done,
/// and whether the others were merged with it is not visible outside.
SectorMask CmdPath::not_done(LocalLine line) {
  bool older = false;
  for (const Accepted& write : accepted_) older |= write.line == line && write.older;
  bool first = !older;
  unsigned mask = 0;
  std::erase_if(accepted_, [&](Accepted& write) {
    if (write.line != line) return false;
    if (write.older || std::exchange(first, false)) return true;
    write.older = true;
    mask |= write.mask;
    return false;
  });
  return static_cast<SectorMask>(mask);
}

void CmdPath::count_metadata(unsigned changed) {
  const dedup::DedupUnitStats& stats = unit_.stats();
  for (unsigned left = changed & ((1u << kMetas) - 1); left; left &= left - 1) {
    const auto k = static_cast<unsigned>(std::countr_zero(left));
    counters_.requests[k] += stats.requests[k] - seen_.requests[k];
    counters_.misses[k] += stats.misses[k] - seen_.misses[k];
    seen_.requests[k] = stats.requests[k];
    seen_.misses[k] = stats.misses[k];
  }
  if (!(changed & dedup::DedupUnit::kCountedHashes)) return;
  counters_.hashed_chunks += stats.hashed_chunks - seen_.hashed_chunks;
  seen_.hashed_chunks = stats.hashed_chunks;
}

/// The unit is off: nothing of it is clocked.
Cycle CmdPath::sleep(Cycle now) {
  read_pushed_ = false;
  if (!skid_.empty() && !dram_refused_) {
    if (queue_sectors(now, skid_.front()))
      skid_.pop();
    else
      dram_refused_ = true;  // the partition wakes the path when there is room
  }
  if (now >= wakes_at_ && skid_.empty()) {
    asleep_ = false;
    wakes_at_ = kNever;
    unit_ticks_from_ = now;
    ++counters_.woken;
    return now + 1;
  }
  if (!skid_.empty() && !dram_refused_) return now + 1;
  return std::max(wakes_at_, now + 1);
}

Cycle CmdPath::work(Cycle now) {
  catch_up(now);
  bool moved = step(now);
  // When its first tick is not needed, those after it are not either.
  for (unsigned t = 1; t < unit_clock_ && unit_ticks_from_ > now; ++t) {
    unit_ticks_from_ = now;
    unit_due_ = now;
    moved |= step(now);
  }
  // What was moved may have gone to the compressed memory after its turn.
  const bool again = waits_for_unit() || (compressed_ && moved) || offered() || table_waits();
  const Cycle wants = again ? now + 1 : std::min(unit_due_, memory_due_);
  return std::min(wants, probes_.empty() ? kNever : probes_.front().due);
}

/// What was moved, and then a tick of the unit, if it has to see one.
bool CmdPath::step(Cycle now) {
  const bool pushed = read_pushed_ || pushed_line_ != kNoLine;
  const unsigned offers = offered();
  if (offers & dedup::offer_done) take_done(now);
  memory_due_ = compressed_ ? compressed_->tick(now) : kNever;
  bool moved = (offers & dedup::offer_l2) && take_l2(now);
  moved |= (offers & dedup::offer_dram) && take_dram(now);
  for (unsigned left = unit_.meta_offers(); left; left &= left - 1) {
    const auto k = static_cast<unsigned>(std::countr_zero(left));
    if (tables_[k].refused()) continue;  // the partition wakes the path when there is room
    moved |= tables_[k].take(now, unit_.meta_mem_req(k),
                             [k](std::uint32_t sector) { return cookie_of(table, k, sector); });
  }
  const bool probe = offers & dedup::offer_probe;
  if (probe || !probes_.empty()) moved |= take_probes(now, probe);
  if (waits_for_unit()) moved |= give_answers();
  if (pushed || moved || now >= unit_due_) {
    unit_.tick();
    unit_ticks_from_ = now + 1;
    if (const unsigned changed = unit_.take_counted()) count_metadata(changed);
    read_pushed_ = false;
    pushed_line_ = kNoLine;
    const std::uint64_t quiet = unit_.quiet();
    unit_due_ = quiet == dedup::DedupUnit::kForever ? kNever : now + 1 + quiet / unit_clock_;
  }
  return moved;
}

bool CmdPath::table_waits() const {
  for (unsigned left = unit_.meta_offers(); left; left &= left - 1)
    if (!tables_[static_cast<unsigned>(std::countr_zero(left))].refused()) return true;
  return false;
}

bool CmdPath::idle() const {
  const auto quiet = [](const MetadataTable& t) { return t.idle(); };
  return unit_.idle() && skid_.empty() && wakes_at_ == kNever && reads_under_way_ == 0 &&
         (!compressed_ || compressed_->idle()) && std::all_of(tables_.begin(), tables_.end(), quiet) &&
         probes_.empty() && probe_answers_.empty() && ready_answers_.empty() && !read_pushed_ &&
         pushed_line_ == kNoLine;
}

std::string CmdPath::describe() const {
  std::string out = fmt::format(
      "dedup unit {}: {} L2 reads open, {} DRAM sectors under way, {} probes, {} probe answers and {} old contents "
      "wait",
      asleep_        ? "asleep"
      : unit_.idle() ? "idle"
                     : "busy",
      open_.used(), reads_under_way_, probes_.size(), probe_answers_.size(), ready_answers_.size());
  for (unsigned k = 0; k < kMetas; ++k)
    if (!tables_[k].idle()) out += fmt::format(", {} waits for DRAM", kMetaNames[k]);
  return compressed_ ? out + "; " + compressed_->describe() : out;
}

}  // namespace warpsieve::schemes
