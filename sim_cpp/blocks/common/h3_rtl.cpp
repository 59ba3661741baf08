#include <Vh3_hash_cell.h>
#include <Vh3_hash_min.h>
#include <Vh3_hash_odd.h>
#include <Vh3_hash_paper.h>
#include <fmt/format.h>

#include <stdexcept>

#include "blocks/common/h3_hash.h"
#include "cosim/verilated.h"

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
  if (p == H3Params{1, 1, 1}) return std::make_unique<H3RtlAt<Vh3_hash_min>>(p.key_bits, name);
  if (p == H3Params{13, 7, 5}) return std::make_unique<H3RtlAt<Vh3_hash_odd>>(p.key_bits, name);
  if (p == H3Params{32, 6, 1}) return std::make_unique<H3RtlAt<Vh3_hash_cell>>(p.key_bits, name);
  if (p == H3Params{35, 10, 2}) return std::make_unique<H3RtlAt<Vh3_hash_paper>>(p.key_bits, name);
  throw std::invalid_argument(
      fmt::format("h3_hash: no RTL compiled for key_bits {} hash_bits {} seed {}: see "
                  "rtl/common/points.txt",
                  p.key_bits, p.hash_bits, p.seed));
}

}  // namespace warpsieve::common
