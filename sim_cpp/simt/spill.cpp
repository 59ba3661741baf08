#include "simt/spill.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "simt/spill_webs.h"

namespace warpsieve::simt {

class KernelPlan {
 public:
  KernelPlan(std::string kernel, const SpillParams& params) : params_(params) {
    out_.kernel = std::move(kernel);
    sites.address_words = params.address_words;
  }

  Sites sites;

  void apply(BlockTrace& block, const std::deque<Capture>& captures) {
    std::vector<WarpLives> lives;
    lives.reserve(block.warps.size());
    for (std::size_t w = 0; w < block.warps.size(); ++w)
      lives.emplace_back(block.warps[w], captures[w], webs_, readers_);
    choose(lives);
    for (std::size_t w = 0; w < block.warps.size(); ++w) rewrite(block.warps[w], captures[w], lives[w]);
    block.spill_slots = out_.slots;
    block.registers = std::min(out_.registers, std::max(out_.r_base, 1u));
  }
  KernelSpills report() const {
    KernelSpills out = out_;
    out.variables = webs_.variables(false);
    out.spilled = webs_.variables(true);
    return out;
  }

 private:
  struct Slot {
    std::uint32_t busy_until = 0;  ///< last instruction that needs the value
    std::uint32_t valid = 0;
    LaneWords words{};
  };

  void choose(const std::vector<WarpLives>& lives);
  void spill_at(const std::vector<WarpLives>& lives, std::uint32_t warp, std::uint32_t position);
  void rewrite(WarpTrace& trace, const Capture& capture, WarpLives& lives);
  void place(Life& life, std::uint32_t at);
  [[noreturn]] void wrong(std::uint32_t instr) const;

  SpillParams params_;
  KernelSpills out_;
  Webs webs_;
  std::unordered_map<std::uint64_t, std::uint32_t> readers_;
  bool limited_ = false;     ///< the limit has been set
  std::vector<Slot> slots_;  ///< of the warp being rewritten
};

void KernelPlan::choose(const std::vector<WarpLives>& lives) {
  // r_base counts everything; the pressure that matters leaves spilled variables out.
  std::vector<std::vector<std::int32_t>> pressure;
  std::int32_t base = 0;
  for (const WarpLives& w : lives) {
    const std::vector<std::int32_t> all = w.pressure(webs_, true);
    base = std::max(base, *std::max_element(all.begin(), all.end()));
    pressure.push_back(w.pressure(webs_));
  }
  out_.r_base = std::max(out_.r_base, static_cast<std::uint32_t>(base));
  if (!limited_) {
    limited_ = true;
    if (params_.registers)
      out_.registers = params_.registers;
    else if (out_.r_base >= params_.min_base)
      out_.registers = std::max(1u, (out_.r_base * params_.percent + 99) / 100);
  }
  if (!out_.registers) return;
  for (;;) {
    std::uint32_t warp = 0, position = 0;
    std::int32_t highest = 0;
    for (std::uint32_t w = 0; w < pressure.size(); ++w)
      for (std::uint32_t p = 0; p < pressure[w].size(); ++p)
        if (pressure[w][p] > highest) highest = pressure[w][p], warp = w, position = p;
    if (highest <= static_cast<std::int32_t>(out_.registers)) return;
    spill_at(lives, warp, position);
    for (std::uint32_t w = 0; w < pressure.size(); ++w) pressure[w] = lives[w].pressure(webs_);
  }
}

/// Spills the variable that is cheapest among those live before instruction `position`.
void KernelPlan::spill_at(const std::vector<WarpLives>& lives, std::uint32_t warp, std::uint32_t position) {
  std::uint32_t best = WarpLives::kNone;
  for (const Life& life : lives[warp].lives) {
    if (!life.used() || position <= life.first || position > life.last) continue;
    const std::uint32_t web = webs_.find(life.site);
    const Webs::Facts& facts = webs_[web];
    if (facts.spilled || web == best) continue;
    if (best == WarpLives::kNone) {
      best = web;
      continue;
    }
    const Webs::Facts& other = webs_[best];
    if (params_.generic_first && facts.mostly_generic() != other.mostly_generic()) {
      if (facts.mostly_generic()) best = web;
      continue;
    }
    if (facts.cheaper_than(other) || (!other.cheaper_than(facts) && web < best)) best = web;
  }
  webs_[best].spilled = true;
}

/// Gives the words of a new value slots that are free at instruction `at`.
void KernelPlan::place(Life& life, std::uint32_t at) {
  std::vector<std::uint32_t>& own = webs_[life.site].slots;
  const auto free = [&](std::uint32_t s) { return slots_[s].busy_until <= at; };
  for (unsigned w = 0; w < life.words; ++w) {
    std::uint32_t slot = out_.slots;
    if (const auto it = std::find_if(own.begin(), own.end(), free); it != own.end()) {
      slot = *it;
    } else {
      for (std::uint32_t s = 0; s < out_.slots && slot == out_.slots; ++s)
        if (free(s)) slot = s;
      if (slot == out_.slots) {
        ++out_.slots;
        slots_.emplace_back();
      }
      own.push_back(slot);
    }
    slots_[slot].busy_until = life.last;
    slots_[slot].valid = 0;
    life.slots.push_back(slot);
  }
}

void KernelPlan::wrong(std::uint32_t instr) const {
  throw std::logic_error(fmt::format(
      "spill model: kernel '{}', instruction {}: a spilled register has not kept its value", out_.kernel, instr));
}

void KernelPlan::rewrite(WarpTrace& trace, const Capture& capture, WarpLives& lives) {
  slots_.assign(out_.slots, Slot{});
  std::vector<WarpInstr> old = std::move(trace.instrs);
  trace.instrs.clear();
  trace.instrs.reserve(old.size());
  std::vector<std::uint32_t> number;  // of the instruction in the new stream
  number.reserve(old.size());
  const auto spilled = [&](std::uint32_t result) {
    return lives.of[result] != WarpLives::kNone && webs_[lives.lives[lives.of[result]].site].spilled;
  };
  const auto note_slots = [&](const Life& life) {
    const auto offset = static_cast<std::uint32_t>(trace.addresses.size());
    trace.addresses.insert(trace.addresses.end(), life.slots.begin(), life.slots.end());
    return offset;
  };
  const auto reload = [&](std::uint32_t result, std::uint32_t mask, std::uint32_t at) {
    const Life& life = lives.lives[lives.of[result]];
    const Capture::Result& r = capture.results[result];
    for (unsigned w = 0; w < r.words; ++w) {
      const Slot& slot = slots_[life.slots[w]];
      if (mask & ~slot.valid) wrong(at);
      for (std::uint32_t m = mask; m; m &= m - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(m));
        if (slot.words[lane] != capture.values[r.first + w][lane]) wrong(at);
      }
    }
    WarpInstr load;
    load.op = Op::local_load;
    load.bytes = static_cast<std::uint8_t>(4 * r.words);
    load.mask = mask;
    load.payload = note_slots(life);
    trace.instrs.push_back(load);
    ++out_.loads;
    return static_cast<std::uint32_t>(trace.instrs.size() - 1);
  };
  const auto keep = [&](std::uint32_t result, std::uint32_t mask) {
    const Life& life = lives.lives[lives.of[result]];
    const Capture::Result& r = capture.results[result];
    WarpInstr store;
    store.op = Op::local_store;
    store.bytes = static_cast<std::uint8_t>(4 * r.words);
    store.mask = mask;
    store.sources = 1;
    store.source[0] = number[result];
    store.payload = note_slots(life);
    store.values = static_cast<std::uint32_t>(trace.data.size());
    for (unsigned w = 0; w < r.words; ++w) {
      Slot& slot = slots_[life.slots[w]];
      slot.valid |= mask;
      for (std::uint32_t m = mask; m; m &= m - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(m));
        const std::uint32_t value = slot.words[lane] = capture.values[r.first + w][lane];
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
        trace.data.insert(trace.data.end(), bytes, bytes + 4);
      }
    }
    trace.instrs.push_back(store);
    ++out_.stores;
  };

  for (std::uint32_t i = 0; i < old.size(); ++i) {
    WarpInstr instr = old[i];
    const Capture::Result& r = capture.results[i];
    const bool spill = spilled(i) && lives.lives[lives.of[i]].used();
    const bool moves = r.updates != Capture::kNone && lives.of[i] != lives.of[r.updates];
    std::array<std::uint32_t, 3> sources{};
    std::uint8_t count = 0;
    for (unsigned k = 0; k < instr.sources; ++k) {
      const std::uint32_t s = instr.source[k];
      if (!spilled(s)) {
        sources[count++] = number[s];
        continue;
      }
      std::uint32_t mask = reads(capture, i, s) ? instr.mask & capture.results[s].defined : 0;
      if (moves && s == r.updates) mask |= r.defined & capture.results[s].defined;
      if (mask) sources[count++] = reload(s, mask, i);
    }
    instr.sources = count;
    std::copy(sources.begin(), sources.end(), instr.source);
    number.push_back(static_cast<std::uint32_t>(trace.instrs.size()));
    trace.instrs.push_back(instr);
    if (!spill) continue;
    Life& life = lives.lives[lives.of[i]];
    const bool fresh = life.first == i;
    if (fresh) place(life, i);
    keep(i, fresh ? r.defined : instr.mask);
  }
}

Spiller::Spiller(const SpillParams& params) : params_(params) {}
Spiller::~Spiller() = default;

KernelPlan& Spiller::plan(const std::string& kernel) {
  std::unique_ptr<KernelPlan>& plan = plans_[kernel];
  if (!plan) plan = std::make_unique<KernelPlan>(kernel, params_);
  return *plan;
}

Sites& Spiller::sites(const std::string& kernel) { return plan(kernel).sites; }

void Spiller::apply(const std::string& kernel, BlockTrace& block, const std::deque<Capture>& captures) {
  plan(kernel).apply(block, captures);
}

std::vector<KernelSpills> Spiller::report() const {
  std::vector<KernelSpills> out;
  for (const auto& [name, plan] : plans_) out.push_back(plan->report());
  return out;
}

}  // namespace warpsieve::simt
