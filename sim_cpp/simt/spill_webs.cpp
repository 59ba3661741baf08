#include "simt/spill_webs.h"

#include <algorithm>
#include <numeric>

#include "simt/lane_pattern.h"

namespace warpsieve::simt {

std::uint32_t Webs::find(std::uint32_t site) {
  if (site >= parent_.size()) {
    const auto before = static_cast<std::uint32_t>(parent_.size());
    parent_.resize(site + 1);
    std::iota(parent_.begin() + before, parent_.end(), before);
    facts_.resize(site + 1);
  }
  while (parent_[site] != site) site = parent_[site] = parent_[parent_[site]];
  return site;
}

void Webs::join(std::uint32_t a, std::uint32_t b) {
  a = find(a);
  b = find(b);
  if (a == b) return;
  if (b < a) std::swap(a, b);
  parent_[b] = a;
  Facts &to = facts_[a], &from = facts_[b];
  to.uses += from.uses;
  to.live += from.live;
  to.values += from.values;
  to.generic += from.generic;
  to.spilled = to.spilled || from.spilled;
  to.slots.insert(to.slots.end(), from.slots.begin(), from.slots.end());
  from = {};
}

std::uint32_t Webs::variables(bool spilled_only) const {
  return static_cast<std::uint32_t>(std::count_if(
      facts_.begin(), facts_.end(), [&](const Facts& f) { return f.live != 0 && (f.spilled || !spilled_only); }));
}

WarpLives::WarpLives(const WarpTrace& trace, const Capture& capture, Webs& webs,
                     std::unordered_map<std::uint64_t, std::uint32_t>& readers) {
  const auto count = static_cast<std::uint32_t>(trace.instrs.size());
  last_read.assign(count, 0);
  std::vector<std::uint32_t> last_update(count, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    const WarpInstr& instr = trace.instrs[i];
    for (unsigned k = 0; k < instr.sources; ++k) {
      const std::uint32_t s = instr.source[k];
      if (!reads(capture, i, s)) continue;
      last_read[s] = i;
      const std::uint32_t site = capture.results[s].site;
      ++webs[site].uses;
      const std::uint64_t operand = std::uint64_t{capture.results[i].site} << 2 | k;
      webs.join(site, readers.try_emplace(operand, site).first->second);
    }
    if (capture.results[i].updates != Capture::kNone) last_update[capture.results[i].updates] = i;
  }
  of.assign(count, kNone);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Capture::Result& r = capture.results[i];
    if (!r.words) continue;
    const std::uint32_t old = r.updates;
    if (old != Capture::kNone) webs.join(r.site, capture.results[old].site);
    // In place only when the old value is not needed afterwards; else the variable moves to another register.
    const bool in_place = old != Capture::kNone && last_update[old] == i && last_read[old] <= i;
    if (in_place) {
      of[i] = of[old];
    } else {
      of[i] = static_cast<std::uint32_t>(lives.size());
      lives.push_back({.site = r.site, .first = i, .last = i, .words = r.words, .slots = {}});
    }
    Life& life = lives[of[i]];
    life.last = std::max({life.last, last_read[i], last_update[i]});
    for (unsigned w = 0; w < r.words; ++w) {
      Webs::Facts& facts = webs[r.site];
      ++facts.values;
      facts.generic += has_no_code(lane_pattern(capture.values[r.first + w], trace.instrs[i].mask));
    }
  }
  for (const Life& life : lives) webs[life.site].live += std::uint64_t{life.words} * (life.last - life.first);
}

std::vector<std::int32_t> WarpLives::pressure(Webs& webs, bool all) const {
  std::vector<std::int32_t> words(of.size() + 2, 0);
  for (const Life& life : lives) {
    if (!life.used() || (!all && webs[life.site].spilled)) continue;
    words[life.first + 1] += life.words;
    words[life.last + 1] -= life.words;
  }
  std::partial_sum(words.begin(), words.end(), words.begin());
  return words;
}

}  // namespace warpsieve::simt
