// DramChecker: judges a command trace against the timing parameters, pair by pair, from the definitions
// and not from the controller's bookkeeping.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "memsys/dram/dram.h"

namespace warpsieve::tb {

/// Empty when every constraint holds, else the first violation.
inline std::string check_dram_trace(const memsys::DramParams& p, const std::vector<memsys::DramCommand>& trace) {
  using K = memsys::DramCommandKind;
  const auto bad = [](const char* rule, const memsys::DramCommand& a, const memsys::DramCommand& b,
                      std::uint64_t gap) {
    return fmt::format("{}: {} cycles wanted between command {} at {} and command {} at {} (banks {}, {})", rule, gap,
                       static_cast<int>(a.kind), a.cycle, static_cast<int>(b.kind), b.cycle, a.bank, b.bank);
  };
  std::vector<bool> open(p.banks());
  std::vector<std::uint64_t> row(p.banks()), activates;
  const std::uint64_t window = p.tRFC + p.tRC + p.tRAS + p.tWL + p.tWR + p.tFAW + p.burst + 64;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto& c = trace[i];
    if (i && trace[i - 1].cycle >= c.cycle) return bad("one command per cycle", trace[i - 1], c, 1);
    const bool column = c.kind == K::read || c.kind == K::write;
    for (std::size_t j = i; j-- > 0 && c.cycle - trace[j].cycle <= window;) {
      const auto& a = trace[j];
      const bool a_column = a.kind == K::read || a.kind == K::write;
      const bool same = a.bank == c.bank, group = a.bank / p.banks_per_group == c.bank / p.banks_per_group;
      const bool closes = c.kind == K::precharge || c.kind == K::precharge_all;
      const bool a_closes = a.kind == K::precharge || a.kind == K::precharge_all;
      const bool hits = same || c.kind == K::precharge_all;
      std::uint64_t gap = 0;
      const char* rule = "";
      const auto want = [&](bool applies, std::uint64_t cycles, const char* name) {
        if (applies && cycles > gap) gap = cycles, rule = name;
      };
      want(a.kind == K::activate && c.kind == K::activate, same ? p.tRC : p.tRRD, same ? "tRC" : "tRRD");
      want(a.kind == K::activate && column && same, p.tRCD, "tRCD");
      want(a.kind == K::activate && closes && hits, p.tRAS, "tRAS");
      want(a_closes && c.kind == K::activate && (same || a.kind == K::precharge_all), p.tRP, "tRP");
      want(a_closes && c.kind == K::refresh, p.tRP, "tRP before refresh");
      want(a.kind == K::read && closes && hits, p.tRTP, "tRTP");
      want(a.kind == K::write && closes && hits, p.tWL + p.burst + p.tWR, "tWR");
      want(a_column && a.kind == c.kind, group ? p.tCCD : p.tCCD_S, group ? "tCCD" : "tCCD_S");
      want(a.kind == K::read && c.kind == K::write, p.tRTW, "tRTW");
      want(a.kind == K::write && c.kind == K::read, p.tWL + p.burst + p.tWTR, "tWTR");
      want(a.kind == K::refresh && (c.kind == K::activate || c.kind == K::refresh), p.tRFC, "tRFC");
      if (c.cycle - a.cycle < gap) return bad(rule, a, c, gap);
    }
    switch (c.kind) {
      case K::activate:
        if (open[c.bank]) return bad("activate of an open bank", c, c, 0);
        if (activates.size() >= 4 && c.cycle - activates[activates.size() - 4] < p.tFAW)
          return bad("tFAW", c, c, p.tFAW);
        activates.push_back(c.cycle);
        open[c.bank] = true;
        row[c.bank] = c.row;
        break;
      case K::precharge:
        if (!open[c.bank]) return bad("precharge of a closed bank", c, c, 0);
        open[c.bank] = false;
        break;
      case K::precharge_all: std::fill(open.begin(), open.end(), false); break;
      case K::refresh:
        for (std::size_t b = 0; b < open.size(); ++b)
          if (open[b]) return bad("refresh with an open bank", c, c, 0);
        break;
      default:
        if (!open[c.bank] || row[c.bank] != c.row) return bad("column command to a row that is not open", c, c, 0);
    }
  }
  return "";
}

}  // namespace warpsieve::tb
