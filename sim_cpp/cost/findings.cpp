// What we find for each hardware figure of the papers. Every number in the arithmetic is computed here, from
// synthesis, CACTI and the paper's own figures; nothing is copied from an earlier output.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cost/claims.h"
#include "cost/energy.h"
#include "cost/timing.h"

namespace warpsieve::cost {

namespace {

constexpr std::uint64_t kKb = 1024, kMb = 1024 * 1024;
constexpr double kF2PerCell = 146;         // CACTI's SRAM cell, in squares of the feature size
constexpr double kNangate45Nand2 = 0.798;  // um2, NAND2_X1 of the Nangate 45 nm open cell library
constexpr double kSmMhz = 1365;            // CMD Table II
constexpr std::uint32_t kNode = 16;

std::string grouped(double value) {
  std::string text = fmt::format("{:.0f}", value);
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

class Finder {
 public:
  explicit Finder(Source& cacti) : cacti_(cacti) {}

  double ram(std::uint64_t bytes, std::uint32_t word_bits, std::uint32_t node = kNode, Ports ports = Ports::rw1) {
    Query q;
    q.bytes = bytes;
    q.word_bits = word_bits;
    q.node_nm = node;
    q.ports = ports;
    return evaluate(cacti_, q).area_mm2();
  }
  double cache(std::uint64_t bytes, std::uint32_t line, std::uint32_t ways, std::uint32_t bus_bits, Access access) {
    Query q;
    q.kind = Kind::cache;
    q.bytes = bytes;
    q.line_bytes = line;
    q.word_bits = bus_bits;
    q.ways = ways;
    q.access = access;
    q.node_nm = kNode;
    return evaluate(cacti_, q).area_mm2();
  }

  /// A finding for a row of claims.csv.
  Finding claim(const std::string& id) const {
    for (const Claim& c : all_claims()) {
      if (c.id != id) continue;
      Finding f;
      f.id = id;
      f.what = c.metric;
      f.scope = c.scope;
      f.unit = c.unit;
      f.where = c.where;
      f.paper = c.value;
      f.bound = c.metric.find("bound") != std::string::npos;
      return f;
    }
    throw std::logic_error("claims.csv has no " + id);
  }
  static Finding other(std::string id, std::string what, std::string unit, std::string where,
                       std::optional<double> paper) {
    Finding f;
    f.id = std::move(id);
    f.what = std::move(what);
    f.unit = std::move(unit);
    f.where = std::move(where);
    f.paper = paper;
    f.in_claims = false;
    return f;
  }
  static void missing(Finding& f, const std::string& name) {
    f.why = fmt::format("{}: no synthesis baseline, so nothing to compare", name);
  }

  std::vector<Finding> cmd();
  std::vector<Finding> rata();
  std::vector<Finding> justit();
  std::vector<Finding> avc();
  std::vector<Finding> sieve();

 private:
  Finding md5_gates();
  Finding md5_area();
  Finding md5_cycles();
  Finding metadata(const AreaReport& built);
  Finding fifo(const AreaReport& built);
  Finding total(const AreaReport& built);
  Finding one_megabyte(const AreaReport& built);
  Finding dram();
  Finding codec_area();
  Finding codec_energy();
  Finding decoder_latency();
  Finding sram_energy();
  Finding sram_area();
  Finding side_bits();
  Finding sm_share();

  Source& cacti_;
};

Finding Finder::md5_gates() {
  Finding f = claim("cmd.md5_gates");
  const auto hasher = synthesis("md5", "line_hasher", "s1"), core = synthesis("md5", "md5_core", "s1");
  if (!hasher || !core) return missing(f, "line_hasher@s1"), f;
  f.ours = hasher->ge;
  f.why = "ours is one step per cycle and holds the 128-byte line; the paper takes its figure from a survey of cores";
  f.arithmetic = {
      fmt::format("line_hasher@s1: {:.0f} GE = MD5 core {:.0f} GE + line and padding {:.0f} GE ({} registers)",
                  hasher->ge, core->ge, hasher->ge - core->ge, hasher->registers),
      fmt::format("ours / paper = {} / {} = {:.2f}", grouped(*f.ours), grouped(*f.paper), *f.ours / *f.paper)};
  return f;
}

Finding Finder::md5_area() {
  Finding f = claim("cmd.md5_area");
  const auto hasher = synthesis("md5", "line_hasher", "s1");
  if (!hasher) return missing(f, "line_hasher@s1"), f;
  const double gates = 8 * 16259.0, paper_gate = *f.paper * 1e6 / gates;
  const double gate = Library::kNand2 * Library::area_factor(kNode);
  const double nangate = kNangate45Nand2 * (16 / 45.0) * (16 / 45.0);
  f.ours = 8 * hasher->area_um2 * Library::area_factor(kNode) / 1e6;
  f.why = fmt::format(
      "gate counts agree; the difference is the area of a gate: a 180 nm library scaled by F^2 has gates {:.1f} "
      "times "
      "the paper's, a 45 nm one has about its",
      gate / paper_gate);
  f.arithmetic = {
      fmt::format("paper: 8 x 16,259 = {} gates in {} mm2: {:.4f} um2 per gate", grouped(gates), *f.paper,
                  paper_gate),
      fmt::format(
          "Nangate 45 nm NAND2_X1 {} um2 x (16/45)^2 = {:.4f} um2: 130,072 of them are {:.4f} mm2, which fits "
          "the paper's",
          kNangate45Nand2, nangate, gates * nangate / 1e6),
      fmt::format("ours: {} NAND2X1 {} um2 x (16/180)^2 = {:.4f} um2 (scaled); 8 x {} GE x {:.4f} = {:.4f} mm2",
                  Library::kName, Library::kNand2, gate, grouped(hasher->ge), gate, *f.ours),
      fmt::format("with the paper's area of a gate our netlist is 8 x {} x {:.4f} um2 = {:.4f} mm2",
                  grouped(hasher->ge), paper_gate, 8 * hasher->ge * paper_gate / 1e6)};
  return f;
}

Finding Finder::md5_cycles() {
  Finding f = claim("cmd.md5_cycles");
  const auto hasher = synthesis("md5", "line_hasher", "s1");
  if (!hasher) return missing(f, "line_hasher@s1"), f;
  constexpr double own_cycles = 2 + 64 * 3;  // rtl/md5/line_hasher.sv: 2 + 64 n, and 128 B + padding are 3 chunks
  const double fo4 = paced_fo4(*hasher, kSmMhz, kNode), per = path_cycles(fo4, kSmMhz, kNode);
  f.ours = own_cycles * per;
  f.why = "64 steps per 64-byte chunk in ours; the paper's 228 = 3 x 76 has 12 cycles more for each chunk";
  if (per > 1)
    f.why += fmt::format(
        "; its path is {:.1f} % longer than the SM clock, so the rule (whole cycles) charges {:.0f} for each step",
        100 * (fo4 / period_fo4(kSmMhz, kNode) - 1), per);
  else if (fo4 < hasher->fo4)
    f.why += fmt::format("; the netlist for 45 FO4 counts here, as the smallest one ({:.1f} FO4) misses the SM clock",
                         hasher->fo4);
  f.arithmetic = {
      fmt::format("128 B + padding = 3 chunks; 2 + 64 x 3 = {:.0f} cycles of line_hasher@s1", own_cycles),
      fmt::format("path {:.1f} FO4 in {}; the {:.0f} MHz SM clock has {:.3f} ns = {:.1f} FO4: {:.0f} SM cycle(s) per "
                  "step",
                  fo4, Library::kName, kSmMhz, 1000 / kSmMhz, period_fo4(kSmMhz, kNode), per)};
  return f;
}

Finding Finder::metadata(const AreaReport& built) {
  Finding f = claim("cmd.meta_area");
  const std::uint64_t sizes[] = {48 * kKb, 10 * kKb,
                                 5 * kKb};  // address, mask, type; the hash store has 22-byte entries
  const double hash_ram = ram(48 * kKb, 176), hash_cache = cache(48 * kKb, 22, 4, 176, Access::normal);
  const auto rams = [&](std::uint32_t word) {
    double sum = 8 * hash_ram;
    for (const std::uint64_t bytes : sizes) sum += 8 * ram(bytes, word);
    return sum;
  };
  const auto caches = [&](std::uint32_t line) {
    double sum = 8 * hash_cache;
    for (const std::uint64_t bytes : sizes) sum += 8 * cache(bytes, line, 4, 8 * line, Access::normal);
    return sum;
  };
  const double cells = 888.0 * kKb * 8 * kF2PerCell * kNode * kNode * 1e-12;
  const double w8 = rams(64), w16 = rams(128), w32 = rams(256), c8 = caches(8), c16 = caches(16), c32 = caches(32),
               least = std::min({c8, c16, c32}), most = std::max({c8, c16, c32});
  double storage = 0, single = 0, logic = 0;
  std::uint64_t bits = 0;
  for (const BlockArea& b : built.blocks) {
    if (b.use.block != "hash_store" && b.use.block != "metadata_cache") continue;
    storage += b.count * b.storage_mm2, single += b.count * b.single_ported_mm2, logic += b.count * b.logic_mm2;
    bits += b.count * b.bits;
  }
  f.ours = w16;
  f.why = fmt::format(
      "it does not include tags: data arrays alone, single-ported, are {:.2f} to {:.2f} mm2; with tags "
      "{:.2f} to {:.2f} mm2; ours as built, with control logic, {:.2f} mm2",
      std::min({w8, w16, w32}), std::max({w8, w16, w32}), least, most, storage + logic);
  f.arithmetic = {
      fmt::format("8 x (48 + 48 + 10 + 5) KB = 888 KB; its cells alone: 888 x 1024 x 8 bits x 146 F^2 = {:.3f} mm2",
                  cells),
      fmt::format("paper: {} mm2 / 888 KB = {:.3f} mm2 per MB: cells at {:.0f} % of the area, no room for tags",
                  *f.paper, *f.paper * 1024 / 888, 100 * cells / *f.paper),
      fmt::format("data arrays as ram 1RW (scaled from 22 nm): hash store 22-byte words, others 8 B "
                  "{:.3f}, 16 B {:.3f}, 32 B {:.3f} mm2",
                  w8, w16, w32),
      fmt::format("4-way caches, data + tags (scaled from 22 nm): lines of 8 B {:.3f}, 16 B {:.3f}, 32 B "
                  "{:.3f} mm2: {:.0f} to {:.0f} % above the paper",
                  c8, c16, c32, 100 * (least / *f.paper - 1), 100 * (most / *f.paper - 1)),
      fmt::format("ours as built (hash store, type, mask, address and lent caches with tags, {} bits): {:.3f} mm2, "
                  "the caches with one read and one write port; {:.3f} mm2 if all had a single port; control logic "
                  "{:.3f} mm2",
                  grouped(static_cast<double>(bits)), storage, single, logic)};
  return f;
}

Finding Finder::fifo(const AreaReport& built) {
  Finding f = claim("cmd.fifo_area");
  const double as_ram = 16 * ram(512, 128), searched = 16 * cache(512, 32, 0, 256, Access::normal);
  double logic = 0, storage = 0;
  for (const BlockArea& b : built.blocks) {
    if (b.use.block != "victim_fifo") continue;
    logic = b.count * b.logic_mm2, storage = b.count * b.storage_mm2;
  }
  f.ours = logic + storage;
  f.why =
      "neither RAM nor fully associative: it fits the L2's area times 8 KB / 4 MB. Small arrays are less dense, and "
      "the tags, their comparators and the FIFO order are not in it; still a few percent of the L2";
  f.arithmetic = {
      fmt::format("16 slices x 512 B = 8 KB = {:.2f} % of 4 MB; x 0.40 mm2 per MB = {:.5f} mm2, which fits the "
                  "paper's figure",
                  100 * 8.0 / 4096, 0.40 * 8 / 1024),
      fmt::format("as RAM (16 x 512 B, 128-bit words, 1RW, scaled from 22 nm): {:.5f} mm2 = {:.1f} x the paper",
                  as_ram, as_ram / *f.paper),
      fmt::format("fully associative by CACTI (16 x 16 lines of 32 B, scaled from 22 nm): {:.4f} mm2 = {:.0f} x the "
                  "paper",
                  searched, searched / *f.paper),
      fmt::format("ours: sectors in a RAM {:.4f} mm2 (1RW) + tags in registers, comparators, order {:.4f} mm2 = "
                  "{:.4f} mm2 = {:.1f} x the paper, {:.2f} % of the L2",
                  storage, logic, *f.ours, *f.ours / *f.paper, 100 * *f.ours / built.l2_mm2.value_or(NAN))};
  return f;
}

Finding Finder::total(const AreaReport& built) {
  Finding f = claim("cmd.total_area");
  f.ours = built.total_mm2();
  unsigned hashers = 0;
  double hasher_mm2 = 0;
  for (const BlockArea& b : built.blocks) {
    if (b.use.block == "md5") hashers = b.count, hasher_mm2 = b.logic_mm2 + b.storage_mm2;
  }
  const double md5 = 8 * hasher_mm2;  // the paper has one per controller
  const double megabyte = built.l2_mm2.value_or(NAN) / 4;
  const double like = md5 + 8 * (ram(48 * kKb, 176) + ram(48 * kKb, 128) + ram(10 * kKb, 128) + ram(5 * kKb, 128)) +
                      16 * ram(512, 128);
  const double paper_gate = 0.014e6 / (8 * 16259), gate = Library::kNand2 * Library::area_factor(kNode),
               favourable = built.logic_mm2 * paper_gate / gate;
  f.why = fmt::format(
      "the paper counts the gates of 8 MD5 units and data arrays only: so counted ours is {:.2f} mm2. Our machine "
      "has "
      "{} units ({:.2f} mm2 more): one per controller would be the bottleneck of every write (cmd.hash_gap, decision "
      "C8). Tags, second ports and the control logic of eight controllers, which the paper leaves out, make the "
      "rest: "
      "CMD costs {:.1f} MB of L2, not 0.9 MB",
      like, hashers, (hashers - 8) * hasher_mm2, *f.ours / megabyte);
  f.arithmetic = {
      fmt::format("paper: 0.014 + 0.36 + 0.00313 = {:.3f} mm2, {:.0f} % of its 1 MB (0.41 mm2)",
                  0.014 + 0.36 + 0.00313, 100 * 0.377 / 0.41),
      fmt::format("counted as the paper does: 8 MD5 units {:.3f} + 888 KB of ram 1RW + FIFO as ram 1RW = {:.3f} mm2",
                  md5, like),
      fmt::format("ours as built: logic {:.3f} + storage {:.3f} = {:.3f} mm2 (scaled), of which additions {:.3f} mm2",
                  built.logic_mm2, built.storage_mm2, *f.ours, built.addition_mm2),
      fmt::format(
          "most favourable (the paper's area of a gate, one port on every memory): {:.3f} + {:.3f} = {:.3f} mm2 = "
          "{:.2f} MB of L2",
          favourable, built.single_ported_mm2, favourable + built.single_ported_mm2,
          (favourable + built.single_ported_mm2) / megabyte),
      fmt::format("1 MB of our L2 (a quarter of 16 slices of 256 KB, data + tags): {:.3f} mm2; ours / that = {:.2f}",
                  megabyte, *f.ours / megabyte)};
  return f;
}

Finding Finder::one_megabyte(const AreaReport& built) {
  Finding f = other("cmd.cache_1mb_area", "area, 1 MB of cache at 16 nm", "mm2", "IV.E", 0.41);
  const double narrow = ram(kMb, 64), wide = ram(kMb, 128), tagged = cache(kMb, 128, 8, 128, Access::sequential);
  f.ours = wide;
  f.why = "data array without tags, as for the metadata";
  f.arithmetic = {
      fmt::format("ram 1 MB, 1RW (scaled from 22 nm): 64-bit words {:.3f}, 128-bit words {:.3f} mm2", narrow, wide),
      fmt::format("8-way, 128 B lines, 128-bit bus, sequential, data + tags: {:.3f} mm2", tagged),
      fmt::format("a quarter of the 4 MB L2 in 16 slices (16 ways, 256-bit bus): {:.3f} mm2",
                  built.l2_mm2.value_or(NAN) / 4)};
  return f;
}

Finding Finder::dram() {
  Finding f = claim("cmd.dram_overhead");
  double paper_bits = 0, bits = 0;
  std::string sum;
  for (const DramBits& d : scheme_blocks("cmd").dram_bits) {
    bits += d.bits;
    if (!d.addition) paper_bits += d.bits;
    sum += fmt::format("{}{} {}", sum.empty() ? "" : " + ", d.name, d.bits);
  }
  f.ours = 100 * bits / 1024;
  f.why =
      "the paper's sum is right; what lets a writer leave a shared block (additions, decision C11) takes a bit per "
      "block, "
      "and spare lines that the paper does not have";
  f.arithmetic = {fmt::format("paper: (32 + 2 + 4) / 1024 bits = {:.2f} %", 100 * paper_bits / 1024),
                  fmt::format("ours: ({}) / 1024 bits = {:.2f} %", sum, *f.ours)};
  return f;
}

std::vector<Finding> Finder::cmd() {
  const AreaReport built = area_of(scheme_blocks("cmd"), *find_machine("cmd"), cacti_, kNode);
  return {md5_gates(), md5_area(),   md5_cycles(),        metadata(built),
          fifo(built), total(built), one_megabyte(built), dram()};
}

std::vector<Finding> Finder::rata() {
  Finding f = other("rata.bits_per_cluster", "storage, one RATA (64 sets x 16 ways)", "bits", "II, R1", {});
  const double entries = 64 * 16, entry = 1 + 27 + 3;
  f.ours = entries * entry;
  f.why = "the paper gives the entry (1 + 27 + 3 bits) and not the size; 40 - 7 - 27 address bits leave 64 sets";
  f.arithmetic = {
      fmt::format("64 x 16 entries x 31 bits = {} bits = {:.2f} KB per cluster, {:.1f} KB for ten", grouped(*f.ours),
                  *f.ours / 8192, 10 * *f.ours / 8192),
      fmt::format("a row of 16 entries as ram (496-bit words, 1R1W, scaled from 22 nm): {:.4f} mm2; as lanes "
                  "of 256 bits {:.4f} mm2",
                  ram(3968, 496, kNode, Ports::r1w1), 2 * ram(2048, 256, kNode, Ports::r1w1))};
  if (const auto s = synthesis("rata", "rata", "paper")) {
    f.arithmetic.push_back(fmt::format("rata@paper holds {} bits in memories, {} registers, and is {} GE",
                                       grouped(static_cast<double>(s->storage_bits)), s->registers, grouped(s->ge)));
  } else {
    f.arithmetic.push_back("rata@paper: no synthesis baseline");
  }
  return {f};
}

std::vector<Finding> Finder::justit() {
  Finding f = other("justit.bits_per_sm", "storage, both Bloom arrays of one SM", "bits", "2, J4", {});
  f.ours = 2.0 * 4096 * 2;
  f.why = "the paper gives neither the number nor the width of the counters (decision J4)";
  f.arithmetic = {fmt::format("2 arrays x 4,096 counters x 2 bits = {} bits = {:.0f} KB per SM", grouped(*f.ours),
                              *f.ours / 8192),
                  fmt::format("as ram: 2 x 1 KB, 8-bit words, 1R1W, scaled from 22 nm: {:.4f} mm2 per SM",
                              2 * ram(kKb, 8, kNode, Ports::r1w1))};
  if (const auto s = synthesis("bloom_predictor", "bloom_predictor", "paper")) {
    f.arithmetic.push_back(fmt::format("bloom_predictor@paper holds {} bits in memories, {} registers, and is {} GE",
                                       grouped(static_cast<double>(s->storage_bits)), s->registers, grouped(s->ge)));
  } else {
    f.arithmetic.push_back("bloom_predictor@paper: no synthesis baseline");
  }
  return {f};
}

Finding Finder::decoder_latency() {
  Finding f = claim("avc.decoder_latency");
  const auto decoder = synthesis("affine", "affine_decoder", "paper");
  if (!decoder) return missing(f, "affine_decoder@paper"), f;
  f.ours = decoder->ns * Library::time_factor(90);
  f.why =
      "the paper takes a 500 ps custom adder; ours is mapped for area to the smallest netlist under 90 FO4, with "
      "its register slice";
  f.arithmetic = {fmt::format("affine_decoder@paper: {:.2f} ns = {:.1f} FO4 in {}, x 90/180 = {:.2f} ns (scaled)",
                              decoder->ns, decoder->fo4, Library::kName, *f.ours)};
  return f;
}

Finding Finder::codec_area() {
  Finding f = claim("avc.codec_area");
  const auto encoder = synthesis("affine", "affine_encoder", "paper"),
             decoder = synthesis("affine", "affine_decoder", "paper");
  if (!encoder || !decoder) return missing(f, "affine_encoder@paper"), f;
  const double k = Library::area_factor(40);
  f.ours = (encoder->area_um2 + decoder->area_um2) * k;
  const double adder = 32 * 4.256 * (40 / 45.0) * (40 / 45.0);
  f.why = fmt::format(
      "80 um2 is less than one 32-bit adder, and each unit has a row of 32; the paper calls it a "
      "back-of-the-envelope "
      "estimate. The 64 adders alone are {:.0f} times as large",
      64 * adder / *f.paper);
  f.arithmetic = {
      fmt::format("encoder {} GE + decoder {} GE; x {} um2 x (40/180)^2 = {} um2 (scaled), {:.0f} x the paper",
                  grouped(encoder->ge), grouped(decoder->ge), Library::kNand2, grouped(*f.ours), *f.ours / *f.paper),
      fmt::format(
          "one ripple adder of 32 full adders (Nangate 45 nm FA_X1 4.256 um2, x (40/45)^2): {:.0f} um2; 64 of "
          "them {} um2",
          adder, grouped(64 * adder))};
  return f;
}

Finding Finder::codec_energy() {
  Finding f = claim("avc.codec_energy");
  const auto encoder = logic_energy("affine", "affine_encoder", "paper"),
             decoder = logic_energy("affine", "affine_decoder", "paper");
  if (!encoder || !decoder) {
    f.why = "affine_encoder@paper: its energy was not measured (scripts/energy), so nothing to compare";
    return f;
  }
  constexpr double volts = 1.2;  // 90 nm
  const double scale = Library::time_factor(90) * (volts * volts) / (Library::kVolts * Library::kVolts);
  f.ours = std::max(encoder->pj, decoder->pj) * scale;  // an access either encodes or decodes
  f.why =
      "toggles of the mapped netlists under random vectors (scripts/energy), without glitches and clock; real "
      "vectors, "
      "most of them affine, toggle less";
  f.arithmetic = {
      fmt::format("encoder {:.1f} pJ per {}, decoder {:.1f} pJ per {} in {} at {} V", encoder->pj, encoder->event,
                  decoder->pj, decoder->event, Library::kName, Library::kVolts),
      fmt::format(
          "at 90 nm and {} V (load x 90/180, V squared): {:.1f} and {:.1f} pJ (scaled); clock pins {:.1f} pJ per "
          "cycle more",
          volts, encoder->pj * scale, decoder->pj * scale, (encoder->clock_pj + decoder->clock_pj) * scale)};
  return f;
}

Finding Finder::sram_energy() {
  Finding f = claim("avc.sram_energy");
  Query q;
  q.bytes = 16 * kKb;
  q.word_bits = 64;
  q.node_nm = 45;
  const Result r = evaluate(cacti_, q);
  f.ours = r.read_nj * 1000;
  f.why = "same model, later version";
  f.arithmetic = {
      fmt::format("{}: read {:.2f} pJ, write {:.2f} pJ", q.describe(), r.read_nj * 1000, r.write_nj * 1000)};
  return f;
}

Finding Finder::sram_area() {
  Finding f = other("avc.sram_5kbit_area", "area, 5 Kbit of SRAM cells at 40 nm", "um2", "5.2", 1000);
  const double cells = 5120 * kF2PerCell * 40 * 40 * 1e-6;
  f.ours = cells;
  const double narrow = 1e6 * ram(640, 8, 40), wide = 1e6 * ram(640, 64, 40);
  f.why = fmt::format(
      "cells only; an array of its own, with decoder and sense amplifiers, is {:.1f} times as large, "
      "which the paper avoids by widening an array that exists",
      narrow / *f.paper);
  f.arithmetic = {fmt::format("5,120 cells x 146 F^2 at 40 nm = {} um2", grouped(cells)),
                  fmt::format("array of 640 B, 1RW, 40 nm: 8-bit words {} um2, 64-bit words {} um2", grouped(narrow),
                              grouped(wide))};
  return f;
}

Finding Finder::side_bits() {
  Finding f = other("avc.side_bits", "storage beside the arrays, 32K L1 + 16K AVC", "bits", "5.2, A7", 5 * 1024);
  const double vectors = 16.0 * kKb / 8, l1_lines = 32.0 * kKb / 128, lines = 16.0 * kKb / 128;
  f.ours = vectors * (3 + 1) + l1_lines * 32;
  f.why =
      "the paper's 5 Kbit is nearly stride minus shorter tags; dirty bits and the L1's word-valid bits are not in it";
  f.arithmetic = {
      fmt::format("{} vectors x 3-bit stride = {} bits; tags 4 bits shorter in {:.0f} lines: - {:.0f} = {} bits, the "
                  "paper's 5 Kbit within 10 %",
                  grouped(vectors), grouped(3 * vectors), lines, 4 * lines, grouped(3 * vectors - 4 * lines)),
      fmt::format("ours: {} x (3 stride + 1 dirty) + {:.0f} L1 lines x 32 word-valid bits = {} bits",
                  grouped(vectors), l1_lines, grouped(*f.ours))};
  return f;
}

Finding Finder::sm_share() {
  Finding f =
      other("avc.sm_share", "area, codec + 5 Kbit, share of a 15.6 mm2 SM at 40 nm", "%", "5.2", 100 * 1080 / 15.6e6);
  const auto encoder = synthesis("affine", "affine_encoder", "paper"),
             decoder = synthesis("affine", "affine_decoder", "paper");
  if (!encoder || !decoder) return missing(f, "affine_encoder@paper"), f;
  const double codec = (encoder->area_um2 + decoder->area_um2) * Library::area_factor(40),
               array = 1e6 * ram(640, 64, 40);
  f.ours = 100 * (codec + array) / 15.6e6;
  f.why = fmt::format("{:.0f} times the paper's order of 10^-4, and still negligible, which is what it concludes",
                      *f.ours / 1e-2);
  f.arithmetic = {fmt::format("paper: (80 + 1,000) um2 / 15.6 mm2 = {:.4f} %", *f.paper),
                  fmt::format("ours: ({} + {}) um2 / 15.6 mm2 = {:.3f} %, {:.0f} x", grouped(codec), grouped(array),
                              *f.ours, *f.ours / *f.paper)};
  return f;
}

std::vector<Finding> Finder::avc() {
  return {decoder_latency(), codec_area(), codec_energy(), sram_energy(), sram_area(), side_bits(), sm_share()};
}

std::vector<Finding> Finder::sieve() {
  const Machine& machine = *find_machine("cmd");
  Finding f = other("sieve.gates", "logic of a controller, hashers and caches with it", "kGE", "goal", {});
  f.ours = 0;
  for (const BlockArea& block : area_of(scheme_blocks("sieve"), machine, cacti_, kNode).blocks) {
    if (block.use.per != Per::controller || !block.synthesis) continue;
    const double kge = block.use.count * block.synthesis->ge / 1e3;
    *f.ours += kge;
    f.arithmetic.push_back(fmt::format("{}@{}: {} x {} GE = {:.1f} kGE", block.use.module, block.use.point,
                                       block.use.count, grouped(block.synthesis->ge), kge));
  }
  f.why =
      "the control compares, borrows slots and filters regions beside what the paper describes, and the hashers keep "
      "pace with the DRAM";
  return {f};
}

}  // namespace

std::vector<Finding> findings(const std::string& paper, Source& cacti) {
  Finder finder(cacti);
  if (paper == "cmd") return finder.cmd();
  if (paper == "rata") return finder.rata();
  if (paper == "justit") return finder.justit();
  if (paper == "avc") return finder.avc();
  if (paper == "sieve") return finder.sieve();
  return {};  // the DPC thesis states no hardware figure
}

}  // namespace warpsieve::cost
