#include "blocks/rata/rata.h"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>
#include <utility>

#include "blocks/rata/rata_backends.h"
#include "cosim/shadow.h"

namespace warpsieve::rata {

namespace {

class RataShadow final : public BlockShadow<Rata> {
 public:
  RataShadow(const RataParams& params, const std::string& name)
      : BlockShadow(name, make_rata_model(params), make_rata_rtl(params, name)),
        lookup_(context_, "lookup", model_->lookup(), rtl_->lookup()),
        rsp_(context_, "rsp", model_->rsp(), rtl_->rsp()),
        update_(context_, "update", model_->update(), rtl_->update()) {}
  bool idle() const override { return same_idle(); }
  InPort<RataLookup>& lookup() override { return lookup_; }
  OutPort<RataRsp>& rsp() override { return rsp_; }
  InPort<RataUpdate>& update() override { return update_; }

 private:
  void compare() const override {
    lookup_.compare();
    rsp_.compare();
    update_.compare();
  }
  ShadowIn<RataLookup> lookup_;
  ShadowOut<RataRsp> rsp_;
  ShadowIn<RataUpdate> update_;
};

}  // namespace

std::string describe(const RataLookup& lookup) { return fmt::format("line {:#x} sm {}", lookup.line, lookup.sm); }

std::string describe(const RataRsp& rsp) { return rsp.hit ? fmt::format("hit owner {}", rsp.owner) : "miss"; }

std::string describe(const RataUpdate& update) {
  static constexpr const char* names[] = {"allocate", "invalidate", "drop", "clear"};
  return fmt::format("{} line {:#x} sm {}", names[static_cast<unsigned>(update.op)], update.line, update.sm);
}

std::unique_ptr<Rata> make_rata(const RataParams& p, Backend backend, std::string name) {
  if (p.sets < 2 || !std::has_single_bit(p.sets) || p.ways < 2 || p.tag_bits < 1 || p.sm_bits < 1 || p.sm_bits > 8 ||
      p.tag_bits + std::countr_zero(p.sets) > 64) {
    throw std::invalid_argument(fmt::format("rata: parameters out of range: sets {} ways {} tag_bits {} sm_bits {}",
                                            p.sets, p.ways, p.tag_bits, p.sm_bits));
  }
  switch (backend) {
    case Backend::model: return make_rata_model(p);
    case Backend::rtl: return make_rata_rtl(p, name);
    case Backend::shadow: break;
  }
  return std::make_unique<RataShadow>(p, name);
}

}  // namespace warpsieve::rata
