#include "blocks/common/h3_hash.h"
#include "cosim/verilated.h"
#include "rtl_points/common/h3_hash.h"

namespace warpsieve::common {

namespace {

template <class V>
class H3RtlAt final : public H3Rtl {
 public:
  H3RtlAt(unsigned key_bits, const std::string& name)
      : mask_(key_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << key_bits) - 1),
        top_(&context_, name.c_str()) {}
  ~H3RtlAt() override { top_.final(); }
  std::uint32_t eval(std::uint64_t key) override {
    top_.key_i = key & mask_;
    top_.eval();
    return top_.hash_o;
  }

 private:
  std::uint64_t mask_;
  VerilatedContext context_;
  V top_;
};

}  // namespace

std::unique_ptr<H3Rtl> make_h3_rtl(const H3Params& p, const std::string& name) {
  return make_at_point<rtl_points::h3_hash, H3Rtl>(
      {{"KeyBits", p.key_bits}, {"HashBits", p.hash_bits}, {"Seed", p.seed}},
      [&]<class V>() { return std::make_unique<H3RtlAt<V>>(p.key_bits, name); });
}

}  // namespace warpsieve::common
