// cmd: GPU memory deduplication (CMD paper): duplicate writes are removed, duplicate reads are answered
// from metadata or from the L2, clean victims of the L2 get a second chance in a small FIFO.
//
//   dedup       intra- and inter-duplicate writes removed (IV.A, IV.B)
//   dedup+car   and cache-assisted read (IV.C)
//   cmd         and the read-only FIFO of each L2 slice (IV.D)
//
// Secure options, not in the paper (what each protects against: rtl/dedup/README.md):
//   cmd+siphash  the fingerprint is SipHash-2-4-128, keyed by a secret of the boot, instead of MD5
//   cmd+verify   MD5, but contents are compared before two lines share
//   cmd+domain   lines of two tenants never share. A tenant's memory is one of 2^domain_bits equal, contiguous
//                ranges of the device memory, so the domain of a line is the upper part of its address
//   cmd+secure   siphash and verify
//
// sieve: this project's recommendation, the same RTL with other parameters. Fingerprints are keyed, lines of two
// tenants never share (sieve.tenant_bits), reads of regions without mapped lines need no metadata, more writes wait.
// Partly written sectors go to DRAM with their byte masks, unhashed (sieve.byte_masks, decision C28), or the L2
// completes them first, so that they are hashed: merge_duel decides which (sieve.leader_bits, C34).
// sieve.verify=1 compares contents before lines share. It has no FIFO of clean victims: the FIFO's look-ups delay
// random reads by more than its hits save.
//
// Zero-latency hash (the paper's motivation study, Figure 6): with cmd.instant_hash=1, MD5 digests take one cycle.
//
// cmd+bpc: what the unit writes to DRAM, unique content, is compressed (V.E; schemes/bpc/compressed_memory.h).
//
// esd: our adaptation of ESD (HPCA'23; decision C22) to the same machine, as the paper compares it. The SEC-DED
// check bits that the memory has anyway are the fingerprint of a line, so nothing is hashed; they are weak, so
// every match is verified by a read of the reference. The hash store keeps the fingerprints that are referenced
// often: only those of count 1 are replaced. No intra-duplicates, no cache-assisted read, no FIFO.
//
//   L2 slices ─▶ DedupUnit (one per controller) ─▶ DRAM channel
//                    data lines | spare lines | type, mask, address-map and lent tables
//
// Blocks, each model, rtl or shadow per instance (instances mc0, mc1, ...; the FIFOs mc0.slice0, ...):
// dedup, line_hasher, hash_store, type_cache, mask_cache, address_cache, lent_cache, victim_fifo, merge_duel.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/params.h"
#include "cosim/backend_plan.h"
#include "schemes/scheme.h"

namespace warpsieve::schemes {

/// What a scheme name stands for.
struct CmdVariant {
  std::string name, doc;
  bool car = false, fifo = false;
  bool siphash = false, verify = false, domain = false;
  bool esd = false, bpc = false;
  bool sieve = false;
};

/// Defaults are the paper's sizes per controller (IV.E, Table II) as decisions C8, C9, C11, C15, C16, C18
/// read them. RTL exists for the default sizes of blocks; others run as models.
struct CmdParams {
  std::uint32_t hash_sets, hash_ways;
  std::uint32_t type_sets, mask_sets, address_sets, lent_sets;
  std::uint32_t buffer_entries, contexts, hash_units, free_entries;
  std::uint32_t steps_per_cycle, hash_cycles_per_chunk, metadata_cycles, probe_cycles, bypass_level;
  std::uint32_t spare_shift, fifo_entries, fifo_queue, fifo_read_only;
  std::uint32_t half_rounds_per_cycle, hash_key, domain_bits, potential, instant_hash;
  std::uint32_t sieve_buffer_entries, sieve_hash_units, sieve_region_bits, sieve_tenant_bits, sieve_verify;
  std::uint32_t sieve_metadata_cycles, sieve_bypass_level, sieve_byte_masks, sieve_pass;
  std::uint32_t sieve_sleep, sieve_wake_cycles, sieve_unit_clock, sieve_leader_bits;
  CmdParams();
  void declare(ParamSet& set);
  /// Scheme sieve has its own value of what follows from its hardware or is its policy.
  std::uint32_t buffer_entries_of(const CmdVariant& v) const {
    return v.sieve ? sieve_buffer_entries : buffer_entries;
  }
  std::uint32_t hash_units_of(const CmdVariant& v) const { return v.sieve ? sieve_hash_units : hash_units; }
  std::uint32_t metadata_cycles_of(const CmdVariant& v) const {
    return v.sieve ? sieve_metadata_cycles : metadata_cycles;
  }
  std::uint32_t bypass_level_of(const CmdVariant& v) const { return v.sieve ? sieve_bypass_level : bypass_level; }
  std::uint32_t tenant_bits_of(const CmdVariant& v) const {
    return v.sieve ? sieve_tenant_bits : v.domain ? domain_bits : 0;
  }
  /// Of a controller of scheme sieve. Without byte masks there is nothing to decide.
  bool has_duel() const { return sieve_leader_bits != 0 && sieve_byte_masks != 0; }
};

const std::vector<CmdVariant>& cmd_variants();

}  // namespace warpsieve::schemes
