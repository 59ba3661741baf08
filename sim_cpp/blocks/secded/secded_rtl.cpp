#include "blocks/secded/secded.h"
#include "cosim/verilated.h"
#include "rtl_points/secded/secded.h"

namespace warpsieve::secded {

namespace {

template <class V>
class SecdedRtlAt final : public SecdedRtl {
 public:
  explicit SecdedRtlAt(const std::string& name) : top_(&context_, name.c_str()) {}
  ~SecdedRtlAt() override { top_.final(); }
  Pins eval(std::uint64_t data, std::uint8_t check) override {
    top_.data_i = static_cast<decltype(top_.data_i + 0)>(data);
    top_.check_i = check;
    top_.eval();
    return {top_.check_o, {top_.data_o, top_.single_o != 0, top_.fatal_o != 0}};
  }

 private:
  VerilatedContext context_;
  V top_;
};

}  // namespace

std::unique_ptr<SecdedRtl> make_secded_rtl(unsigned width, const std::string& name) {
  return make_at_point<rtl_points::secded, SecdedRtl>(
      {{"Width", width}}, [&]<class V>() { return std::make_unique<SecdedRtlAt<V>>(name); });
}

}  // namespace warpsieve::secded
