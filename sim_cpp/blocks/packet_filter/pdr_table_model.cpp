#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "blocks/packet_filter/packet_filter_backends.h"
#include "cosim/model_ports.h"
#include "cosim/model_queue.h"

namespace warpsieve::packet_filter {

unsigned row_of(const TableParams& p, unsigned way, std::uint32_t sm, std::uint32_t line) {
  const unsigned set_bits = static_cast<unsigned>(std::countr_zero(p.sets));
  const std::uint64_t tag = (std::uint64_t{sm} << p.line_bits | line) >> set_bits;
  unsigned row = line & (p.sets - 1);
  for (unsigned bit = 0; bit < set_bits; ++bit) {
    std::uint64_t mix = (way * 16 + bit + 1) * 0x9E3779B97F4A7C15ull;
    mix = (mix ^ mix >> 30) * 0xBF58476D1CE4E5B9ull;
    mix = (mix ^ mix >> 27) * 0x94D049BB133111EBull;
    const std::uint32_t chosen = static_cast<std::uint32_t>(mix) & static_cast<std::uint32_t>(mix >> 32);
    row ^= static_cast<unsigned>(std::popcount(tag & chosen) & 1) << bit;
  }
  return row;
}

namespace {

constexpr std::size_t slots = 3;  // items inside per stream, as in the RTL
constexpr std::uint8_t full_mask = 0xf;

class PdrTableModel final : public PdrTable {
 public:
  explicit PdrTableModel(const TableParams& params) : params_(params) {
    connect_ports(*this, req_, fwd_, take_, mask_);
    reset();
  }
  unsigned used() const override { return used_; }
  void reset() override {
    entries_.assign(std::bit_ceil(params_.ways) * std::size_t{params_.sets}, std::nullopt);
    used_ = 0;
    request_.reset();
    leaving_.reset();
    req_.clear();
    take_.clear();
    fwd_.clear();
    mask_.clear();
    req_.open = take_.open = true;
  }
  void tick() override {
    fwd_.settle();
    mask_.settle();
    // The leaving entry still takes its place in this cycle, but nothing merges into it.
    const std::optional<std::uint32_t> freed =
        leaving_ && leaving_->registered ? std::optional(leaving_->token) : std::nullopt;
    if (leaving_) mask_.put(mask_of(*leaving_));
    if (request_) fwd_.put(serve(*request_, freed));
    if (freed) {
      entries_[*freed].reset();
      --used_;
    }
    request_ = req_.taken();
    leaving_ = take_.taken();
    req_.clear();
    take_.clear();
    req_.open = fwd_.size() + request_.has_value() < slots;
    take_.open = mask_.size() + leaving_.has_value() < slots;
  }
  bool idle() const override { return !request_ && !leaving_ && fwd_.size() == 0 && mask_.size() == 0; }

 private:
  struct Entry {
    std::uint32_t sm, line;
    std::uint8_t mask;
  };

  AskedMask mask_of(const Leaving& leaving) const {
    if (!leaving.registered) return {static_cast<std::uint8_t>(leaving.token & full_mask), true};
    const std::uint8_t asked = entries_[leaving.token]->mask;
    return {asked, asked == full_mask};
  }

  Forward serve(const ReadRequest& r, std::optional<std::uint32_t> freed) {
    std::optional<std::uint32_t> free;
    for (unsigned way = 0; way < params_.ways; ++way) {
      const std::uint32_t place = way * params_.sets + row_of(params_, way, r.sm, r.line);
      std::optional<Entry>& entry = entries_[place];
      if (entry && entry->sm == r.sm && entry->line == r.line && place != freed) {
        entry->mask |= r.mask;
        return {Action::merged, place};
      }
      if (!entry && !free) free = place;
    }
    if (r.mask == full_mask) return {Action::full, r.mask};
    if (!free) return {Action::no_room, r.mask};
    entries_[*free] = Entry{r.sm, r.line, r.mask};
    ++used_;
    return {Action::registered, *free};
  }

  TableParams params_;
  std::vector<std::optional<Entry>> entries_;  // way * sets + row
  unsigned used_ = 0;
  std::optional<ReadRequest> request_;  // stage 1
  std::optional<Leaving> leaving_;
  ModelIn<ReadRequest> req_;
  ModelIn<Leaving> take_;
  ModelQueue<Forward> fwd_;
  ModelQueue<AskedMask> mask_;
};

}  // namespace

std::unique_ptr<PdrTable> make_pdr_table_model(const TableParams& params) {
  return std::make_unique<PdrTableModel>(params);
}

}  // namespace warpsieve::packet_filter
