#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "blocks/metadata_cache/metadata_cache_backends.h"
#include "core/ring.h"
#include "cosim/bits.h"

namespace warpsieve::metadata_cache {

namespace {

// As in the RTL; they set when `req` is ready.
constexpr std::size_t rsp_slots = 4;
constexpr std::size_t mem_slots = 2;

unsigned log2_of(unsigned power_of_two) { return static_cast<unsigned>(std::countr_zero(power_of_two)); }

template <class T>
class Inlet final : public InPort<T> {
 public:
  explicit Inlet(const bool& ready) : ready_(ready) {}
  bool ready() const override { return ready_; }
  bool push(const T& item) override {
    if (ready_) item_ = item;
    return ready_;
  }
  /// The item of this cycle, valid until clear().
  const std::optional<T>& taken() const { return item_; }
  void clear() { item_.reset(); }

 private:
  const bool& ready_;
  std::optional<T> item_;
};

template <class T>
class Outlet final : public OutPort<T> {
 public:
  explicit Outlet(std::size_t slots) : items_(slots) {}
  const T* front() const override { return items_.empty() ? nullptr : &items_.front(); }
  void pop() override { popped_ = !items_.empty(); }
  bool popped() const { return popped_; }
  void put(const T& item) { items_.push(item); }
  void settle() {  // the pop of this cycle
    if (popped_) items_.pop();
    popped_ = false;
  }
  void clear() {
    while (!items_.empty()) items_.pop();
    popped_ = false;
  }
  std::size_t size() const { return items_.size(); }

 private:
  Ring<T> items_;
  bool popped_ = false;
};

class MetadataCacheModel final : public MetadataCache {
 public:
  explicit MetadataCacheModel(const MetadataCacheParams& params)
      : params_(params), offset_bits_(log2_of(params.entries_per_sector())),
        sub_bits_(log2_of(params.line_bytes / params.sector_bytes)), index_mask_(low_bits(params.index_bits)),
        entry_mask_(low_bits(params.entry_bits)), id_mask_(low_bits(params.id_bits)),
        offset_mask_(low_bits(offset_bits_)), sub_mask_(low_bits(sub_bits_)), req_(req_ready_),
        mem_rsp_(mem_rsp_ready_), rsp_(rsp_slots), mem_req_(mem_slots) {
    reset();
  }
  InPort<MetaReq>& req() override { return req_; }
  OutPort<MetaRsp>& rsp() override { return rsp_; }
  OutPort<MetaMemReq>& mem_req() override { return mem_req_; }
  InPort<MetaMemRsp>& mem_rsp() override { return mem_rsp_; }

  void reset() override {
    const std::size_t lines = std::size_t{params_.sets} * params_.ways;
    lines_.assign(lines, Line{});
    sectors_.assign(lines << sub_bits_, SectorData{});
    order_.resize(lines);
    for (std::size_t i = 0; i < lines; ++i) order_[i] = static_cast<unsigned>(i % params_.ways);
    tag_stage_.reset();
    data_stage_.reset();
    parks_.clear();
    phase_ = Phase::none;
    writebacks_.clear();
    writeback_read_.reset();
    req_.clear();
    mem_rsp_.clear();
    rsp_.clear();
    mem_req_.clear();
    update_ready();
  }

  bool idle() const override { return at_rest() && mem_req_.size() == 0; }

  bool held() const override { return at_rest() && mem_req_.size() && !mem_req_.popped(); }

  bool hit_at_once(const MetaReq& req, MetaRsp& answer) override {
    if (!at_once_) return false;
    const MetaReq access = cut(req);
    const Place place = place_of(access);
    if (!hits(access, place)) return false;
    use(access, place);
    answer = read_modify(access, data_at(place), false);
    return true;
  }

  void tick() override {
    // What this cycle's registers decide, oldest work first; then the new registers.
    const bool replay_slot = rsp_free();
    const bool writeback_slot = mem_req_.size() + writeback_read_.has_value() < mem_slots;
    rsp_.settle();
    mem_req_.settle();
    if (data_stage_) rsp_.put(read_modify(data_stage_->req, *data_stage_->data, data_stage_->replayed));
    data_stage_.reset();
    if (writeback_read_) mem_req_.put(*writeback_read_);
    writeback_read_.reset();
    if (tag_stage_) look_up(*tag_stage_);
    tag_stage_.reset();
    install(replay_slot, writeback_slot);
    if (const auto& req = req_.taken()) {
      tag_stage_ = Access{cut(*req), false};
      req_.clear();
    }
    update_ready();
  }

 private:
  struct Line {
    std::uint32_t number = 0;            // meaningful while a sector is valid
    std::uint16_t valid = 0, dirty = 0;  // bit = sector
    bool present() const { return valid != 0; }
  };
  struct Access {
    MetaReq req;
    bool replayed;
  };
  struct DataAccess {
    MetaReq req;
    bool replayed;
    SectorData* data;
  };
  // Installing a fill: read the tags, choose the way, write back the victim, write the sector, replay.
  enum class Phase { none, tags, choose, writeback, write, replay };

  std::uint32_t sector_of(const MetaReq& req) const {
    return static_cast<std::uint32_t>(std::uint64_t{req.index} >> offset_bits_);
  }
  std::size_t set_of(std::uint32_t sector) const { return (sector >> sub_bits_) & (params_.sets - 1); }
  Line& line_of(std::size_t set, unsigned way) { return lines_[set * params_.ways + way]; }
  SectorData& sector_at(std::size_t set, unsigned way, std::uint32_t sub) {
    return sectors_[((set * params_.ways + way) << sub_bits_) + sub];
  }
  unsigned sub_of(std::uint32_t sector) const { return sector & sub_mask_; }
  /// The way that holds the line, or the number of ways.
  unsigned find_way(std::size_t set, std::uint32_t line_number) const {
    const Line* lines = lines_.data() + set * params_.ways;
    const auto holds = [&](unsigned way) { return lines[way].number == line_number && lines[way].present(); };
    if (const unsigned recent = order_[set * params_.ways]; holds(recent)) return recent;  // the most common case
    unsigned way = 0;
    while (way < params_.ways && !holds(way)) ++way;
    return way;
  }
  void touch(std::size_t set, unsigned way) {
    unsigned* order = order_.data() + set * params_.ways;
    unsigned moved = way;
    for (unsigned i = 0;; ++i) {
      std::swap(moved, order[i]);
      if (moved == way) break;
    }
  }
  std::vector<Access>::iterator find_park(std::uint32_t sector) {
    return std::find_if(parks_.begin(), parks_.end(),
                        [&](const Access& parked) { return sector_of(parked.req) == sector; });
  }

  /// As wide as the wires.
  MetaReq cut(const MetaReq& req) const {
    return {req.write, req.index & index_mask_, req.data & entry_mask_, req.id & id_mask_};
  }

  /// Nothing is under way inside; requests to the memory may be on offer.
  bool at_rest() const { return !tag_stage_ && !data_stage_ && phase_ == Phase::none && rsp_.size() == 0; }
  bool rsp_free() const { return rsp_.size() + tag_stage_.has_value() + data_stage_.has_value() < rsp_slots; }
  void update_ready() {
    mem_rsp_ready_ = phase_ == Phase::none;
    req_ready_ = phase_ == Phase::none && rsp_free() && parks_.size() + tag_stage_.has_value() < params_.parks &&
                 mem_req_.size() + tag_stage_.has_value() < mem_slots;
    // With all parks but one taken, a request in the tag stage would hold off the next.
    at_once_ = req_ready_ && idle() && parks_.size() + 1 < params_.parks;
  }

  struct Place {
    std::size_t set;
    unsigned way;  ///< the number of ways: the line is not here
    std::uint32_t sub;
  };
  Place place_of(const MetaReq& req) const {
    const std::uint32_t sector = sector_of(req);
    const std::size_t set = set_of(sector);
    return {set, find_way(set, sector >> sub_bits_), sub_of(sector)};
  }
  SectorData& data_at(const Place& place) { return sector_at(place.set, place.way, place.sub); }
  bool waits(const MetaReq& req) { return !parks_.empty() && find_park(sector_of(req)) != parks_.end(); }
  bool hits(const MetaReq& req, const Place& place) {
    return place.way < params_.ways && line_of(place.set, place.way).valid >> place.sub & 1 && !waits(req);
  }
  void use(const MetaReq& req, const Place& place) {
    touch(place.set, place.way);
    if (req.write) line_of(place.set, place.way).dirty |= bit(place.sub);
  }
  static std::uint16_t bit(std::uint32_t sub) { return static_cast<std::uint16_t>(1u << sub); }

  void look_up(const Access& access) {
    const Place place = place_of(access.req);
    if (access.replayed || hits(access.req, place)) {
      use(access.req, place);
      data_stage_ = DataAccess{access.req, access.replayed, &data_at(place)};
    } else {
      if (!waits(access.req)) mem_req_.put({false, sector_of(access.req), {}});
      parks_.push_back({access.req, true});
    }
  }

  MetaRsp read_modify(const MetaReq& req, SectorData& sector, bool missed) const {
    const unsigned first = (req.index & offset_mask_) * params_.entry_bits;
    std::uint8_t* bytes = sector.data() + first / 32 * 4;  // no entry crosses a word
    const unsigned shift = first % 32;
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);  // little-endian host, as everywhere in the simulator
    const MetaRsp answer{word >> shift & entry_mask_, req.id, missed};
    if (!req.write) return answer;
    word = (word & ~(entry_mask_ << shift)) | (req.data & entry_mask_) << shift;
    std::memcpy(bytes, &word, sizeof word);
    return answer;
  }

  void install(bool replay_slot, bool writeback_slot) {
    switch (phase_) {
      case Phase::none:
        if (const auto& fill = mem_rsp_.taken()) {
          fill_ = *fill;
          mem_rsp_.clear();
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
        writebacks_.erase(writebacks_.begin());
        if (writebacks_.empty()) phase_ = Phase::write;
        break;
      case Phase::write:
        std::copy_n(fill_.data.begin(), params_.sector_bytes, filled_->begin());
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
    const std::size_t set = set_of(fill_.sector);
    const std::uint32_t number = fill_.sector >> sub_bits_;
    unsigned way = find_way(set, number);
    if (way == params_.ways) {
      way = order_[set * params_.ways + params_.ways - 1];
      Line& victim = line_of(set, way);
      for (std::uint32_t sub = 0; sub < 1u << sub_bits_; ++sub)
        if (victim.dirty >> sub & 1)
          writebacks_.push_back({true, victim.number << sub_bits_ | sub, sector_at(set, way, sub)});
      victim = {.number = number};
    }
    touch(set, way);
    filled_ = &sector_at(set, way, sub_of(fill_.sector));
    line_of(set, way).valid |= bit(sub_of(fill_.sector));
  }

  MetadataCacheParams params_;
  unsigned offset_bits_, sub_bits_;
  std::uint32_t index_mask_, entry_mask_, id_mask_, offset_mask_, sub_mask_;
  std::vector<Line> lines_;          // set by set
  std::vector<SectorData> sectors_;  // of these lines
  std::vector<unsigned> order_;      // the ways of each set, most recent first
  std::optional<Access> tag_stage_;
  std::optional<DataAccess> data_stage_;
  std::vector<Access> parks_;  // arrival order
  Phase phase_ = Phase::none;
  MetaMemRsp fill_;
  SectorData* filled_ = nullptr;
  std::vector<MetaMemReq> writebacks_;
  std::optional<MetaMemReq> writeback_read_;
  bool req_ready_ = false, mem_rsp_ready_ = false;
  bool at_once_ = false;  ///< hit_at_once() may say something
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
