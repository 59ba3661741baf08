#include "schemes/cmd/cmd_hardware.h"

#include "schemes/path/metadata_hardware.h"

namespace warpsieve::schemes {

namespace {

HardwareBlock hasher(const CmdVariant& v) {
  HardwareBlock block = {.block = "md5",
                         .module = "line_hasher",
                         .point = "s1",
                         .what = "MD5 of a line (IV.A)",
                         .count = 32,
                         .count_parameter = "cmd.hash_units",
                         .sizes = {{"cmd.steps_per_cycle", 1}, {"cmd.instant_hash", 0}}};
  if (v.siphash) {
    block.block = "siphash";
    block.module = "siphash_line_hasher";
    block.point = "paper";
    block.what = "keyed hash of a line, against crafted collisions";
    block.sizes = {{"cmd.half_rounds_per_cycle", 2}};
  }
  if (v.sieve)  // its hashers share a memory, a RAM for each word of a line but the first
    block = {.block = "siphash",
             .module = "siphash_line_hashers",
             .point = "sieve",
             .what = "keyed hash of eight lines at a time, against crafted collisions",
             .memories = {{"lines", 64, 8, 15}},
             .sizes = {{"cmd.half_rounds_per_cycle", 2}, {"sieve.hash_units", 8}}};
  return block;
}

HardwareBlock control(const CmdVariant& v) {
  const bool secure = v.verify || v.domain;
  if (v.sieve)
    return {.block = "dedup",
            .module = "dedup",
            .point = "sieve",
            .what = "the control with comparison, domains, byte masks and a region filter",
            .memories = {{"write buffer", 288, 64, 4},  // a bit beside each byte
                         {"maps", 32, 64},
                         {"digests", 128, 64},
                         {"free list", 21, 256},
                         {"lenders", 72, 1024},
                         {"regions", 64, 1024}},
            .sizes = {{"sieve.buffer_entries", 64},
                      {"cmd.contexts", 16},
                      {"cmd.free_entries", 256},
                      {"sieve.hash_units", 8},
                      {"sieve.region_bits", 5},
                      {"sieve.byte_masks", 1}}};
  HardwareBlock block = {
      .block = "dedup",
      .module = "dedup",
      .point = secure ? "secure" : "paper",
      .what =
          secure ? "the control with comparison and domains" : "write and read path, detector, write buffer, slots",
      .memories = {{"write buffer", 256, 32, 4},
                   {"maps", 32, 32},
                   {"digests", 128, 32},
                   {"free list", 21, 256},
                   {"lenders", 72, 1024}},  // by group of lines (C33)
      .sizes = {{"cmd.buffer_entries", 32}, {"cmd.contexts", 16}, {"cmd.free_entries", 256}, {"cmd.hash_units", 32}}};
  if (secure)
    block.memories.push_back({"regions", 64, 1024});  // the point has the filter, the scheme does not use it
  return block;
}

/// One request at a time, taken when the one before has written: single ports are enough.
HardwareBlock store(bool secure) {
  return {.block = "hash_store",
          .module = "hash_store",
          .point = secure ? "secure" : "paper",
          .what = secure ? "hash with a domain of 4 bits, reference, count" : "hash, reference, count (IV.B)",
          .memories = {{"hash + reference", secure ? 153u : 149u, 128, 16, true},
                       {"counts", 16, 128, 16, true},
                       {"valid, order", 80, 128, 1, true},
                       {"entry of a reference", 25, 256, 16, true}},
          .sizes = {{"cmd.hash_sets", 128}, {"cmd.hash_ways", 16}}};
}

}  // namespace

std::vector<HardwareBlock> cmd_hardware(const CmdVariant& v) {
  std::vector<HardwareBlock> out;
  if (!v.esd) out.push_back(hasher(v));
  out.push_back(control(v));
  out.push_back(store(v.domain || v.esd));
  out.push_back(metadata_hardware("address", "48 KB of address map", 1536, 64, 126, "cmd.address_sets"));
  out.push_back(metadata_hardware("mask", "10 KB of masks", 320, 16, 100, "cmd.mask_sets"));
  out.push_back(metadata_hardware("type", "5 KB of type flags", 160, 8, 100, "cmd.type_sets"));
  out.push_back(metadata_hardware("lent", "2.5 KB of lent-slot bits (addition, C11)", 80, 4, 100, "cmd.lent_sets"));
  out.back().addition = true;
  if (v.sieve)
    out.push_back({.block = "merge_duel",
                   .module = "merge_duel",
                   .point = "paper",
                   .what = "decides whether partly written sectors are completed (C34)",
                   .memories = {{"groups", 2, 1024}},
                   .sizes = {{"sieve.leader_bits", 7}}});
  if (v.fifo)  // an operation either inserts or looks up: one port
    out.push_back({.block = "victim_fifo",
                   .module = "victim_fifo",
                   .point = "paper",
                   .what = "16 clean sectors (IV.D); tags are registers",
                   .place = Place::slice,
                   .memories = {{"sectors", 256, 16, 1, true}},
                   .sizes = {{"cmd.fifo_entries", 16}}});
  if (v.bpc)
    for (HardwareBlock& block : bpc_hardware()) out.push_back(std::move(block));
  return out;
}

std::vector<MetadataBits> cmd_dram_bits(const CmdVariant& v) {
  std::vector<MetadataBits> out = {{"address map", 32},
                                   {"type", 2},
                                   {"mask", 4},
                                   {"slot lent to another block (C11)", 1, true},
                                   {"spare lines, 1 in 64 (C11)", 16, true}};
  if (v.bpc)
    for (MetadataBits& bits : bpc_dram_bits()) out.push_back(std::move(bits));
  return out;
}

std::string cmd_area_note(const CmdVariant& v) {
  if (v.esd)
    return "our adaptation: CMD's unit with comparison, ECC bits for a fingerprint; the ECC logic is there already "
           "and "
           "not counted";
  if (v.bpc) return "CMD, unique lines compressed";
  if (v.sieve) return "CMD with keyed fingerprints, comparison, domains, byte masks, set dueling and a region filter";
  if (v.siphash && v.verify) return "CMD with keyed fingerprints and comparison";
  if (v.siphash) return "CMD with keyed SipHash fingerprints instead of MD5";
  if (v.verify) return "CMD, contents compared before lines share";
  if (v.domain) return "CMD, lines of two tenants never share";
  if (v.fifo) return "CMD: deduplication, cache-assisted read and the FIFO of clean victims";
  if (v.car) return "with cache-assisted read: a mode of the same control, no block more";
  return "CMD without cache-assisted read and FIFO: the same unit per controller";
}

std::vector<HardwareBlock> bpc_hardware() {
  std::vector<HardwareBlock> out = {
      {.block = "bpc", .module = "bpc_encoder", .point = "paper", .what = "compressor (D10)"},
      {.block = "bpc", .module = "bpc_decoder", .point = "paper", .what = "decompressor (D10)"},
      metadata_hardware("size", "112 KB of line sizes, as much as CMD's caches and hash store (C22)", 3584, 128, 112,
                        "bpc.size_sets")};
  out.back().sizes.emplace_back("bpc.size_ways", 7);
  return out;
}

std::vector<MetadataBits> bpc_dram_bits() { return {{"size", 2}}; }

}  // namespace warpsieve::schemes
