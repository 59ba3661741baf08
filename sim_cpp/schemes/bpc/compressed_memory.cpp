#include "schemes/bpc/compressed_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "cosim/ask.h"

namespace warpsieve::schemes {

using namespace memsys;

BpcParams::BpcParams() {
  ParamSet set;
  declare(set);
}

void BpcParams::declare(ParamSet& set) {
  set.declare(size_sets, "bpc.size_sets", "sets", 128, 1, 4096, "sets of the size cache, lines of 128 B",
              "decision C22: as much as CMD's caches and hash store, 111 KB");
  set.declare(size_ways, "bpc.size_ways", "ways", 7, 1, 64, "ways of the size cache", "112 KB with 128 sets");
  set.declare(metadata_cycles, "bpc.metadata_cycles", "cycles", 20, 0, 10000, "size cache latency", "CMD Table II");
  set.declare(encode_cycles, "bpc.encode_cycles", "cycles", 12, 0, 10000, "a line compressed, pipelined",
              "our choice, the order of published line codecs");
  set.declare(decode_cycles, "bpc.decode_cycles", "cycles", 12, 0, 10000, "a line decompressed, pipelined",
              "our choice, the order of published line codecs");
  set.declare(buffer_entries, "bpc.buffer_entries", "lines", 32, 1, 256, "writes in progress",
              "as CMD's write buffer, C8");
}

std::vector<SchemeBlock> bpc_blocks() {
  return {{"bpc_encoder", Place::controller}, {"bpc_decoder", Place::controller}, {"size_cache", Place::controller}};
}

namespace {

/// The codes without the flag of the stream, which the size table replaces; and back.
LineData pack(const bpc::Encoded& encoded) {
  LineData code;
  for (unsigned i = 0; i < kLineBytes; ++i)
    code.bytes[i] = static_cast<std::uint8_t>(encoded.bits[i] >> 1 | (encoded.bits[i + 1] & 1) << 7);
  return code;
}
bpc::Bits unpack(const LineData& code) {
  bpc::Bits bits{1};
  for (unsigned i = 0; i < kLineBytes; ++i) {
    bits[i] |= static_cast<std::uint8_t>(code.bytes[i] << 1);
    bits[i + 1] = code.bytes[i] >> 7;
  }
  return bits;
}

/// Answer of an encoder or decoder; a line takes about two cycles per word.
template <class Req, class Rsp>
Rsp answer_of(Block<Req, Rsp>& block, const Req& request) {
  return ask_held(block, request, "bpc", 256);
}

metadata_cache::MetadataCacheParams size_cache(const BpcParams& params) {
  metadata_cache::MetadataCacheParams cache = metadata_cache::size_cache;
  cache.sets = params.size_sets;
  cache.ways = params.size_ways;
  return cache;
}

}  // namespace

CompressedMemory::Counters::Counters(Stats& stats) {
  for (unsigned n = 1; n <= kSectors; ++n)
    stored[n] = stats.add(fmt::format("bpc.lines_{}", n), "writes", "whole lines written in this many sectors");
  partial_raw = stats.add("bpc.partial_raw", "writes", "parts of raw lines written as they are");
  rewrites = stats.add("bpc.rewrites", "writes", "parts of compressed lines: read, merged and compressed again");
  raw_sectors = stats.add("bpc.raw_read_sectors", "sectors", "read from raw lines");
  compressed_reads = stats.add("bpc.compressed_reads", "reads", "reads of compressed lines");
  compressed_sectors = stats.add("bpc.compressed_read_sectors", "sectors", "sectors of codes read for them");
}

CompressedMemory::CompressedMemory(FlowEngine& engine, const BpcParams& params, std::uint32_t lines,
                                   std::uint64_t table_base, const BackendPlan& backends, const std::string& instance,
                                   LineReader& reader, Stats& stats, OldContent old_content)
    : engine_(engine), params_(params), reader_(reader), old_content_(std::move(old_content)),
      sizes_(engine, {size_cache(params), params.metadata_cycles, table_base, lines},
             backends.of("size_cache", instance), instance + ".size_cache", "size_cache", stats),
      counters_(stats) {
  const Backend encoder = backends.of("bpc_encoder", instance), decoder = backends.of("bpc_decoder", instance);
  if (encoder != Backend::model) {
    encoder_ = bpc::make_bpc_encoder({}, encoder, instance + ".bpc_encoder");
    encoder_->reset();
  }
  if (decoder != Backend::model) {
    decoder_ = bpc::make_bpc_decoder({}, decoder, instance + ".bpc_decoder");
    decoder_->reset();
  }
}

bpc::Encoded CompressedMemory::encode(const LineData& data) {
  return encoder_ ? answer_of(*encoder_, bpc::EncodeReq{to_words(data.bytes)}) : bpc::encode(data.bytes);
}

LineData CompressedMemory::decode(const LineData& code) {
  const bpc::Bits bits = unpack(code);
  LineData data;
  data.bytes = decoder_ ? to_line(answer_of(*decoder_, bpc::DecodeReq{bits}).words) : bpc::decode(bits);
  return data;
}

void CompressedMemory::fetch_code(Fetch& fetch, LocalLine line, unsigned sectors, RequestKind kind) const {
  for (unsigned s = 0; s < sectors; ++s) fetch.add(address(line, s), kind, s);
}

Flow CompressedMemory::reading(LocalLine line, SectorMask mask, Kinds kinds, std::uint32_t token) {
  Hold hold = co_await engine_.lock(line);
  const unsigned sectors = co_await sizes_.read(line);
  if (sectors == 0) {
    RelayFetch fetch(engine_, reader_, token);
    counters_.raw_sectors += count_sectors(mask);
    for (unsigned s = 0; s < kSectors; ++s)
      if (mask >> s & 1) fetch.add(address(line, s), kinds[s], s);
    hold.release();
    co_await fetch;
    co_return;
  }
  Fetch fetch(engine_);
  fetch_code(fetch, line, sectors, kinds[static_cast<unsigned>(std::countr_zero(mask))]);
  hold.release();
  co_await fetch;
  co_await engine_.wait(params_.decode_cycles);
  ++counters_.compressed_reads;
  counters_.compressed_sectors += sectors;
  reader_.on_data(engine_.now(), token, mask, decode(fetch.data));
}

Flow CompressedMemory::writing(LocalLine line, SectorMask mask, const LineData& given) {
  LineData data = given;  // before the first wait: the caller's is gone then
  const std::uint64_t number = writes_.begin(line, mask);
  Hold hold = co_await engine_.lock(line);
  const unsigned before = co_await sizes_.read(line);
  unsigned after = 0;
  if (mask != kAllSectors && before == 0) {
    ++counters_.partial_raw;
  } else {
    if (mask != kAllSectors) {
      ++counters_.rewrites;
      Fetch fetch(engine_);
      fetch_code(fetch, line, before, kDedupRead);
      co_await fetch;
      co_await engine_.wait(params_.decode_cycles);
      const LineData old = decode(fetch.data);
      if (old_content_) old_content_(line, static_cast<SectorMask>(~writes_.covered(line) & kAllSectors), old);
      copy_sectors(data, old, static_cast<SectorMask>(~mask & kAllSectors));
      mask = kAllSectors;
    }
    const bpc::Encoded encoded = encode(data);
    co_await engine_.wait(params_.encode_cycles);
    const unsigned sectors = encoded.compressed() ? bpc::sectors(encoded.payload_bits()) : kSectors;
    ++counters_.stored[sectors];
    if (sectors < kSectors) {
      after = sectors;
      data = pack(encoded);
      mask = static_cast<SectorMask>((1u << sectors) - 1);
    }
  }
  for (unsigned s = 0; s < kSectors; ++s)
    if (mask >> s & 1) engine_.queue_write(address(line, s), RequestKind::write, data.sector(s));
  if (after != before) sizes_.write(line, after);
  writes_.end(number);
  engine_.host().wake_slices(engine_.now() + 1);
}

std::string CompressedMemory::describe() const {
  return fmt::format("{}; sizes {}", engine_.describe(), sizes_.describe());
}

Cycle CompressedMemory::tick(Cycle now) {
  sizes_.answers(now);
  engine_.run(now);
  const bool more = sizes_.tick(now), moved = engine_.drain(now);
  return more || moved ? now + 1 : engine_.next();
}

}  // namespace warpsieve::schemes
