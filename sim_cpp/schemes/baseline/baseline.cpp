#include "schemes/baseline/baseline.h"

#include <fmt/format.h>

namespace warpsieve::schemes {

using namespace memsys;

bool BaselinePath::push_read(Cycle now, unsigned, const ReadRequest& request) {
  if (reads_.full()) return false;
  reads_.push(request);
  host_.wake_path(now + 1);
  return true;
}

bool BaselinePath::push_write(Cycle now, unsigned, const WriteRequest& request) {
  if (writes_.full()) return false;
  writes_.push(request);
  host_.wake_path(now + 1);
  return true;
}

void BaselinePath::on_dram_read(Cycle now, std::uint64_t cookie, const std::uint8_t* data) {
  const auto index = static_cast<std::uint32_t>(cookie >> 2);
  const auto sector = static_cast<unsigned>(cookie & 3);
  ReadReply reply;
  reply.line = open_[index].line;
  reply.tag = open_[index].tag;
  reply.mask = static_cast<SectorMask>(1u << sector);
  std::memcpy(reply.data.sector(sector), data, kSectorBytes);
  open_.give(index);
  --under_way_;
  host_.reply(now, reply);
}

Cycle BaselinePath::tick(Cycle now) {
  bool moved = false;
  if (!writes_.empty()) {
    WriteRequest& w = writes_.front();
    for (unsigned s = 0; s < kSectors; ++s) {
      if (!(w.mask >> s & 1)) continue;
      if (!host_.dram_write(now, std::uint64_t{w.line} * kLineBytes + s * kSectorBytes, RequestKind::write,
                            w.data.sector(s), w.bytes[s]))
        break;
      w.mask &= static_cast<SectorMask>(~(1u << s));
    }
    if (!w.mask) {
      writes_.pop();
      moved = true;
    }
  }
  if (!reads_.empty()) {
    ReadRequest& r = reads_.front();
    bool behind = false;
    for (std::size_t i = 0; i < writes_.size(); ++i) behind = behind || writes_[i].line == r.line;
    for (unsigned s = 0; s < kSectors && !behind; ++s) {
      if (!(r.mask >> s & 1)) continue;
      const std::uint32_t index = open_.take();
      open_[index] = {r.tag, r.line};
      if (!host_.dram_read(now, std::uint64_t{r.line} * kLineBytes + s * kSectorBytes, host_.read_kind(r.line, s),
                           std::uint64_t{index} << 2 | s)) {
        open_.give(index);
        break;
      }
      ++under_way_;
      r.mask &= static_cast<SectorMask>(~(1u << s));
    }
    if (!r.mask) {
      reads_.pop();
      moved = true;
    }
  }
  // What is left was refused by a full DRAM queue (which wakes us) or made room for the next.
  return moved && !(reads_.empty() && writes_.empty()) ? now + 1 : kNever;
}

std::string BaselinePath::describe() const {
  return fmt::format("{} reads and {} writes wait for the DRAM queues, {} sectors under way", reads_.size(),
                     writes_.size(), under_way_);
}

namespace {
class Baseline final : public Scheme {
 public:
  std::string name() const override { return "baseline"; }
  std::unique_ptr<ControllerPath> make_path(unsigned, PathOwner& host, Stats&) override {
    return std::make_unique<BaselinePath>(host);
  }
};

class BaselineFamily final : public SchemeFamily {
 public:
  std::vector<SchemeInfo> schemes() const override {
    return {{.name = "baseline",
             .doc = "L2 and DRAM directly connected",
             .profile = "cmd",
             .ports = {kMemoryPath},
             .reads_values = false,
             .area_note = "the machine without additions"}};
  }
  std::unique_ptr<Scheme> make(std::string_view, const BackendPlan&) const override { return make_baseline(); }
};
}  // namespace

std::unique_ptr<Scheme> make_baseline() { return std::make_unique<Baseline>(); }

std::unique_ptr<SchemeFamily> baseline_family() { return std::make_unique<BaselineFamily>(); }

}  // namespace warpsieve::schemes
