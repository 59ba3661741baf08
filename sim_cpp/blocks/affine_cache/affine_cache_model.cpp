#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "blocks/affine_cache/affine_cache_backends.h"
#include "blocks/common/plru_tree.h"

namespace warpsieve::affine_cache {

namespace {

class AffineCacheModel final : public AffineCache {
 public:
  explicit AffineCacheModel(const AffineCacheParams& params)
      : p_(params), slot_bits_(log2_of(params.slots)), set_bits_(log2_of(params.sets)),
        plru_(params.sets, params.ways < 2 ? 2 : params.ways) {
    AffineCacheModel::reset();
  }

  void reset() override {
    lines_.assign(std::size_t{p_.sets} * p_.ways, Line{});
    for (Line& line : lines_) line.vectors.resize(p_.slots);
    live_.assign(p_.sets, false);
    plru_.reset();
    phase_ = Phase::run;
    stage_.reset();
    incoming_.reset();
    head_.reset();
    spare_.reset();
    popped_ = false;
    ready_ = true;
  }
  bool ready() const override { return ready_; }
  bool push(const AvcReq& req) override {
    if (ready_) incoming_ = req;
    return ready_;
  }
  const AvcRsp* front() const override { return head_ ? &*head_ : nullptr; }
  void pop() override { popped_ = head_.has_value(); }
  bool idle() const override { return !stage_ && !head_; }

  void tick() override {
    const bool room = !spare_;
    pushed_.reset();
    if (stage_) step(room);
    if (std::exchange(popped_, false)) head_ = std::exchange(spare_, std::nullopt);
    if (pushed_) (head_ ? spare_ : head_) = pushed_;
    if (incoming_) take(*incoming_);
    incoming_.reset();
    ready_ = phase_ == Phase::run && (!stage_ || (!spare_ && !slow(look_up())));
  }

 private:
  enum class Phase { run, sweep, finish, row, pick };
  struct Entry {
    std::uint32_t base = 0, code = 0, valid = 0;
    bool dirty = false;
  };
  struct Line {
    bool valid = false;
    std::uint32_t tag = 0;
    std::vector<Entry> vectors;
  };
  /// The request in the access stage.
  struct Stage {
    AvcOp op = AvcOp::load;
    std::uint32_t tag = 0, set = 0, slot = 0, mask = 0;
    affine::EncodeRsp code{};
  };
  struct Access {
    std::optional<unsigned> way;
    Entry old;                    ///< all 0 without a hit
    std::uint32_t installed = 0;  ///< words to install if affine
    std::uint32_t kept = 0;       ///< older words that stay
    bool same_code = false, install = false, allocate = false, conflict = false;
  };

  static unsigned log2_of(unsigned power_of_two) { return static_cast<unsigned>(std::countr_zero(power_of_two)); }
  Line& line(std::uint32_t set, unsigned way) { return lines_[std::size_t{set} * p_.ways + way]; }
  const Line& line(std::uint32_t set, unsigned way) const { return lines_[std::size_t{set} * p_.ways + way]; }
  std::uint32_t number(std::uint32_t tag, std::uint32_t set, std::uint32_t slot) const {
    const std::uint64_t low = std::uint64_t{set} << slot_bits_ | slot;
    return static_cast<std::uint32_t>(std::uint64_t{tag} << (slot_bits_ + set_bits_) | low);
  }
  Vector values(const Entry& entry) const { return affine::decode(p_.vector, {entry.base, entry.code}).data; }

  void take(const AvcReq& req) {
    Stage stage{.op = req.op, .mask = req.mask & p_.vector.lane_mask()};
    if (req.op != AvcOp::flush) {
      const std::uint64_t number = req.line & ((std::uint64_t{1} << p_.line_bits) - 1);
      stage.slot = static_cast<std::uint32_t>(number % p_.slots);
      stage.set = static_cast<std::uint32_t>(number / p_.slots % p_.sets);
      stage.tag = static_cast<std::uint32_t>(number / p_.slots / p_.sets);
    }
    if (req.op == AvcOp::store || req.op == AvcOp::fill)
      stage.code = affine::encode(p_.vector, {req.data, stage.mask});
    stage_ = stage;
  }

  Access look_up() const {
    Access a;
    const Stage& s = *stage_;
    for (unsigned way = 0; way < p_.ways; ++way) {
      if (line(s.set, way).valid && line(s.set, way).tag == s.tag) a.way = way;
    }
    if (a.way) a.old = line(s.set, *a.way).vectors[s.slot];
    a.installed = s.op == AvcOp::fill ? s.mask & ~a.old.valid : s.mask;
    a.kept = a.old.valid & ~a.installed;
    a.same_code = a.old.base == s.code.base && a.old.code == s.code.stride_code;
    a.install = s.code.affine && a.installed;
    a.allocate = a.install && !a.way;
    a.conflict = a.install && a.kept && !a.same_code && a.old.dirty;
    return a;
  }
  bool slow(const Access& a) const { return a.allocate || a.conflict || stage_->op == AvcOp::flush; }

  void answer(const Access& a) {
    const Stage& s = *stage_;
    AvcRsp rsp{.affine = s.code.affine, .line = number(s.tag, s.set, s.slot), .data = values(a.old)};
    switch (s.op) {
      case AvcOp::load: rsp.mask = a.old.valid; break;
      case AvcOp::store: rsp.mask = s.mask; break;
      case AvcOp::fill: rsp.mask = s.code.affine ? a.installed : ~a.old.valid & p_.vector.lane_mask(); break;
      case AvcOp::flush: break;
    }
    pushed_ = rsp;
    stage_.reset();
    phase_ = Phase::run;
  }
  void write_back(std::uint32_t line_number, std::uint32_t mask, const Entry& entry) {
    pushed_ = AvcRsp{.write_back = true, .line = line_number, .mask = mask, .data = values(entry)};
  }
  void touch(unsigned way) {
    if (p_.ways > 1) plru_.touch(stage_->set, way);
  }
  unsigned choose() const {
    for (unsigned way = 0; way < p_.ways; ++way) {
      if (!line(stage_->set, way).valid) return way;
    }
    return p_.ways > 1 ? plru_.victim(stage_->set) : 0;
  }
  void install(const Access& a, unsigned way) {
    const Stage& s = *stage_;
    const bool extends = a.same_code && a.kept;
    line(s.set, way).vectors[s.slot] = {s.code.base, s.code.stride_code,
                                        (a.same_code ? a.old.valid : 0) | a.installed,
                                        s.op == AvcOp::store || (extends && a.old.dirty)};
    touch(way);
  }

  void step(bool room) {
    switch (phase_) {
      case Phase::run: return run(room);
      case Phase::sweep: return sweep(room);
      case Phase::finish: return finish(room);
      case Phase::row: phase_ = Phase::pick; return;
      case Phase::pick: return pick();
    }
  }

  void run(bool room) {
    const Stage& s = *stage_;
    const Access a = look_up();
    if (s.op == AvcOp::flush) {
      victim_ = 0;
      phase_ = Phase::row;
    } else if (a.allocate) {
      victim_ = choose();
      begin_sweep();
    } else if (room && a.conflict) {
      victim_ = *a.way;
      write_back(number(s.tag, s.set, s.slot), a.kept, a.old);
      phase_ = Phase::finish;
    } else if (room) {
      if (a.install) {
        install(a, *a.way);
      } else if (a.way && s.op == AvcOp::store && !s.code.affine) {
        line(s.set, *a.way).vectors[s.slot].valid = a.kept;
      } else if (s.op == AvcOp::load && (a.old.valid & s.mask)) {
        touch(*a.way);
      }
      answer(a);
    }
  }

  void begin_sweep() {
    swept_ = 0;
    reading_ = false;
    phase_ = Phase::sweep;
  }

  /// One vector of the victim per cycle; the first cycle only reads.
  void sweep(bool room) {
    Line& victim = line(stage_->set, victim_);
    if (!std::exchange(reading_, true) || !room) return;
    Entry& entry = victim.vectors[swept_];
    if (victim.valid && entry.dirty && entry.valid) {
      write_back(number(victim.tag, stage_->set, swept_), entry.valid, entry);
    }
    entry = {};
    if (++swept_ < p_.slots) return;
    if (stage_->op == AvcOp::flush)
      next_line();
    else
      phase_ = Phase::finish;
  }

  void finish(bool room) {
    if (!room) return;
    const Stage& s = *stage_;
    Access a = look_up();
    if (s.op != AvcOp::flush) {
      if (!a.way) {
        line(s.set, victim_).valid = true;
        line(s.set, victim_).tag = s.tag;
        live_[s.set] = true;
      }
      install(a, victim_);
    }
    answer(a);
  }

  void pick() {
    if (line(stage_->set, victim_).valid)
      begin_sweep();
    else
      next_line();
  }

  void next_line() {
    const std::uint32_t set = stage_->set;
    if (live_[set] && victim_ + 1 < p_.ways) {
      ++victim_;
      phase_ = Phase::pick;
      return;
    }
    for (unsigned way = 0; way < p_.ways; ++way) line(set, way).valid = false;
    live_[set] = false;
    victim_ = 0;
    phase_ = set + 1 == p_.sets ? Phase::finish : Phase::row;
    stage_->set = (set + 1) % p_.sets;
  }

  AffineCacheParams p_;
  unsigned slot_bits_, set_bits_;
  std::vector<Line> lines_;
  std::vector<bool> live_;  ///< set holds a line, or did since reset or flush
  common::PlruSets plru_;
  Phase phase_ = Phase::run;
  std::optional<Stage> stage_;
  unsigned victim_ = 0, swept_ = 0;
  bool reading_ = false;
  std::optional<AvcReq> incoming_;
  std::optional<AvcRsp> head_, spare_, pushed_;
  bool popped_ = false, ready_ = true;
};

}  // namespace

std::unique_ptr<AffineCache> make_affine_cache_model(const AffineCacheParams& params) {
  return std::make_unique<AffineCacheModel>(params);
}

}  // namespace warpsieve::affine_cache
