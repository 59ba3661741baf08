#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "blocks/metadata_cache/metadata_cache_backends.h"

namespace warpsieve::metadata_cache {

namespace {

// As in the RTL; they set when `req` is ready.
constexpr std::size_t rsp_slots = 4;
constexpr std::size_t mem_slots = 2;

unsigned log2_of(unsigned power_of_two) { return static_cast<unsigned>(std::countr_zero(power_of_two)); }
std::uint32_t low_bits(unsigned bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }

template <class T>
class Inlet final : public InPort<T> {
 public:
  explicit Inlet(const bool& ready) : ready_(ready) {}
  bool ready() const override { return ready_; }
  bool push(const T& item) override {
    if (ready_) item_ = item;
    return ready_;
  }
  std::optional<T> take() { return std::exchange(item_, std::nullopt); }

 private:
  const bool& ready_;
  std::optional<T> item_;
};

template <class T>
class Outlet final : public OutPort<T> {
 public:
  const T* front() const override { return items_.empty() ? nullptr : &items_.front(); }
  void pop() override { popped_ = !items_.empty(); }
  void put(const T& item) { items_.push_back(item); }
  void settle() {  // the pop of this cycle
    if (popped_) items_.pop_front();
    popped_ = false;
  }
  void clear() {
    items_.clear();
    popped_ = false;
  }
  std::size_t size() const { return items_.size(); }

 private:
  std::deque<T> items_;
  bool popped_ = false;
};

class MetadataCacheModel final : public MetadataCache {
 public:
  explicit MetadataCacheModel(const MetadataCacheParams& params)
      : params_(params), offset_bits_(log2_of(params.entries_per_sector())),
        sub_bits_(log2_of(params.line_bytes / params.sector_bytes)), req_(req_ready_), mem_rsp_(mem_rsp_ready_) {
    reset();
  }
  InPort<MetaReq>& req() override { return req_; }
  OutPort<MetaRsp>& rsp() override { return rsp_; }
  OutPort<MetaMemReq>& mem_req() override { return mem_req_; }
  InPort<MetaMemRsp>& mem_rsp() override { return mem_rsp_; }

  void reset() override {
    sets_.assign(params_.sets, Set{});
    for (Set& set : sets_) {
      set.lines.assign(params_.ways, Line{});
      for (Line& line : set.lines) line.sectors.resize(std::size_t{1} << sub_bits_);
      for (unsigned way = 0; way < params_.ways; ++way) set.order.push_back(way);
    }
    tag_stage_.reset();
    data_stage_.reset();
    parks_.clear();
    phase_ = Phase::none;
    writebacks_.clear();
    writeback_read_.reset();
    req_.take();
    mem_rsp_.take();
    rsp_.clear();
    mem_req_.clear();
    update_ready();
  }

  bool idle() const override {
    return !tag_stage_ && !data_stage_ && phase_ == Phase::none && rsp_.size() == 0 && mem_req_.size() == 0;
  }

  void tick() override {
    // What this cycle's registers decide, oldest work first; then the new registers.
    const bool replay_slot = rsp_free();
    const bool writeback_slot = mem_req_.size() + writeback_read_.has_value() < mem_slots;
    rsp_.settle();
    mem_req_.settle();
    if (data_stage_) finish(*data_stage_);
    data_stage_.reset();
    if (writeback_read_) mem_req_.put(*writeback_read_);
    writeback_read_.reset();
    if (tag_stage_) look_up(*tag_stage_);
    tag_stage_.reset();
    install(replay_slot, writeback_slot);
    if (auto req = req_.take()) {
      req->index &= low_bits(params_.index_bits);
      req->data &= low_bits(params_.entry_bits);
      req->id &= low_bits(params_.id_bits);
      tag_stage_ = Access{*req, false};
    }
    update_ready();
  }

 private:
  struct Sector {
    bool valid = false, dirty = false;
    SectorData data{};
  };
  struct Line {
    std::uint32_t number = 0;  // meaningful while a sector is valid
    unsigned held = 0;         // valid sectors
    std::vector<Sector> sectors;
    bool present() const { return held != 0; }
  };
  struct Set {
    std::vector<Line> lines;
    std::vector<unsigned> order;  // most recent way first
  };
  struct Access {
    MetaReq req;
    bool replayed;
  };
  struct DataAccess {
    MetaReq req;
    bool replayed;
    Sector* sector;
  };
  // Installing a fill: read the tags, choose the way, write back the victim, write the sector, replay.
  enum class Phase { none, tags, choose, writeback, write, replay };

  std::uint32_t sector_of(const MetaReq& req) const {
    return static_cast<std::uint32_t>(std::uint64_t{req.index} >> offset_bits_);
  }
  Set& set_of(std::uint32_t sector) { return sets_[(sector >> sub_bits_) & (params_.sets - 1)]; }
  unsigned sub_of(std::uint32_t sector) const { return sector & low_bits(sub_bits_); }
  std::optional<unsigned> find_way(const Set& set, std::uint32_t line_number) const {
    for (unsigned way = 0; way < params_.ways; ++way) {
      if (set.lines[way].number == line_number && set.lines[way].present()) return way;
    }
    return std::nullopt;
  }
  static void touch(Set& set, unsigned way) {
    const auto at = std::find(set.order.begin(), set.order.end(), way);
    std::rotate(set.order.begin(), at, at + 1);
  }
  std::deque<Access>::iterator find_park(std::uint32_t sector) {
    return std::find_if(parks_.begin(), parks_.end(),
                        [&](const Access& parked) { return sector_of(parked.req) == sector; });
  }

  bool rsp_free() const { return rsp_.size() + tag_stage_.has_value() + data_stage_.has_value() < rsp_slots; }
  void update_ready() {
    mem_rsp_ready_ = phase_ == Phase::none;
    req_ready_ = phase_ == Phase::none && rsp_free() && parks_.size() + tag_stage_.has_value() < params_.parks &&
                 mem_req_.size() + tag_stage_.has_value() < mem_slots;
  }

  void look_up(const Access& access) {
    const std::uint32_t sector = sector_of(access.req);
    const bool waiting = find_park(sector) != parks_.end();
    Set& set = set_of(sector);
    const auto way = find_way(set, sector >> sub_bits_);
    const bool hit = way && set.lines[*way].sectors[sub_of(sector)].valid;
    if (access.replayed || (hit && !waiting)) {
      Sector& place = set.lines[*way].sectors[sub_of(sector)];
      touch(set, *way);
      place.dirty |= access.req.write;
      data_stage_ = DataAccess{access.req, access.replayed, &place};
    } else {
      parks_.push_back({access.req, true});
      if (!waiting) mem_req_.put({false, sector, {}});
    }
  }

  void finish(const DataAccess& access) {
    const unsigned bit = (access.req.index & low_bits(offset_bits_)) * params_.entry_bits;
    std::uint8_t* bytes = access.sector->data.data() + bit / 8;
    const unsigned shift = bit % 8, size = std::max(1u, params_.entry_bits / 8);
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, size);  // little-endian host, as everywhere in the simulator
    const std::uint32_t mask = low_bits(params_.entry_bits);
    rsp_.put({word >> shift & mask, access.req.id, access.replayed});
    if (!access.req.write) return;
    word = (word & ~(mask << shift)) | (access.req.data & mask) << shift;
    std::memcpy(bytes, &word, size);
  }

  void install(bool replay_slot, bool writeback_slot) {
    switch (phase_) {
      case Phase::none:
        if (auto fill = mem_rsp_.take()) {
          fill_ = *fill;
          phase_ = Phase::tags;
        }
        break;
      case Phase::tags: phase_ = Phase::choose; break;
      case Phase::choose:
        choose();
        phase_ = writebacks_.empty() ? Phase::write : Phase::writeback;
        break;
      case Phase::writeback:
        if (!writeback_slot) break;
        writeback_read_ = writebacks_.front();
        writebacks_.pop_front();
        if (writebacks_.empty()) phase_ = Phase::write;
        break;
      case Phase::write:
        std::copy_n(fill_.data.begin(), params_.sector_bytes, filled_->data.begin());
        phase_ = Phase::replay;
        break;
      case Phase::replay: {
        if (!replay_slot) break;
        const auto park = find_park(fill_.sector);
        if (park != parks_.end()) {
          tag_stage_ = *park;
          parks_.erase(park);
        }
        if (find_park(fill_.sector) == parks_.end()) phase_ = Phase::none;
        break;
      }
    }
  }

  void choose() {
    Set& set = set_of(fill_.sector);
    const std::uint32_t number = fill_.sector >> sub_bits_;
    auto way = find_way(set, number);
    if (!way) {
      way = set.order.back();
      Line& victim = set.lines[*way];
      for (unsigned sub = 0; sub < victim.sectors.size(); ++sub) {
        Sector& sector = victim.sectors[sub];
        if (sector.dirty) writebacks_.push_back({true, victim.number << sub_bits_ | sub, sector.data});
        sector.valid = sector.dirty = false;
      }
      victim.number = number;
      victim.held = 0;
    }
    touch(set, *way);
    filled_ = &set.lines[*way].sectors[sub_of(fill_.sector)];
    set.lines[*way].held += !filled_->valid;
    filled_->valid = true;
  }

  MetadataCacheParams params_;
  unsigned offset_bits_, sub_bits_;
  std::vector<Set> sets_;
  std::optional<Access> tag_stage_;
  std::optional<DataAccess> data_stage_;
  std::deque<Access> parks_;  // arrival order
  Phase phase_ = Phase::none;
  MetaMemRsp fill_;
  Sector* filled_ = nullptr;
  std::deque<MetaMemReq> writebacks_;
  std::optional<MetaMemReq> writeback_read_;
  bool req_ready_ = false, mem_rsp_ready_ = false;
  Inlet<MetaReq> req_;
  Inlet<MetaMemRsp> mem_rsp_;
  Outlet<MetaRsp> rsp_;
  Outlet<MetaMemReq> mem_req_;
};

}  // namespace

std::unique_ptr<MetadataCache> make_metadata_cache_model(const MetadataCacheParams& params) {
  return std::make_unique<MetadataCacheModel>(params);
}

}  // namespace warpsieve::metadata_cache
