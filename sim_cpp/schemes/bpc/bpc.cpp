// bpc: lines travel between L2 and DRAM in bit-plane code (ISCA'16), as CMD compares with it (decision C22).
//
//   L2 slices ─▶ CompressedMemory ─▶ DRAM channel     (schemes/bpc/compressed_memory.h)
//
//   reads       any number, each with one open entry
//   writes      bpc.buffer_entries in progress
//   golden      the old content of rewritten lines is compared; what goes to the L2 is compared by the L2
// A sector of a compressed line costs the whole code: sectored reads and compression get in each other's way.
#include <fmt/format.h>

#include "schemes/bpc/compressed_memory.h"

namespace warpsieve::schemes {

using namespace memsys;

namespace {

class BpcPath final : public FlowPath {
 public:
  BpcPath(const BpcParams& params, const BackendPlan& backends, unsigned controller, PathOwner& host, Stats& stats)
      : FlowPath(host), params_(params),
        memory_(engine_, params, host.data_lines(), host.data_bytes(), backends, fmt::format("mc{}", controller),
                *this, stats, [this](LocalLine line, SectorMask mask, const LineData& data) {
                  host_.check(engine_.now(), line, mask, data, Source::dedup_read);
                }) {}

  bool push_read(Cycle now, unsigned, const ReadRequest& request) override {
    CompressedMemory::Kinds kinds;
    for (unsigned s = 0; s < kSectors; ++s) kinds[s] = host_.read_kind(request.line, s);
    memory_.read(request.line, request.mask, kinds, open(now, request));
    return true;
  }
  bool push_write(Cycle now, unsigned, const WriteRequest& request) override {
    if (memory_.writes_under_way() >= params_.buffer_entries) return false;
    engine_.at(now);
    memory_.write(request.line, request.mask, request.data);
    host_.wake_path(now + 1);
    return true;
  }
  Cycle tick(Cycle now) override { return memory_.tick(now); }
  bool idle() const override { return memory_.idle() && open_reads() == 0; }
  std::string describe() const override {
    return fmt::format("{} reads open, {} writes in progress; {}", open_reads(), memory_.writes_under_way(),
                       memory_.describe());
  }

 private:
  BpcParams params_;
  CompressedMemory memory_;
};

class Bpc final : public Scheme {
 public:
  Bpc(const BpcParams& params, const BackendPlan& backends) : params_(params), backends_(backends) {}
  std::string name() const override { return "bpc"; }
  std::unique_ptr<ControllerPath> make_path(unsigned controller, PathOwner& host, Stats& stats) override {
    return std::make_unique<BpcPath>(params_, backends_, controller, host, stats);
  }
  nlohmann::ordered_json report() const override { return {{"parameters", values_of(params_)}}; }

 private:
  BpcParams params_;
  BackendPlan backends_;
};

}  // namespace

std::unique_ptr<Scheme> make_bpc(const BpcParams& params, const BackendPlan& backends) {
  return std::make_unique<Bpc>(params, backends);
}

}  // namespace warpsieve::schemes
