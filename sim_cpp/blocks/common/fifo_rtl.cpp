#include <Vfifo_min.h>
#include <Vfifo_odd.h>
#include <Vfifo_paper.h>
#include <fmt/format.h>

#include "blocks/common/fifo_backends.h"
#include "blocks/common/item_fields.h"
#include "cosim/shadow.h"

namespace warpsieve::common {

std::unique_ptr<Fifo> make_fifo_rtl(const FifoParams& params, const std::string& name) {
  if (params == FifoParams{1, 1}) return std::make_unique<ItemRtl<Vfifo_min>>(name);
  if (params == FifoParams{7, 5}) return std::make_unique<ItemRtl<Vfifo_odd>>(name);
  if (params == FifoParams{32, 8}) return std::make_unique<ItemRtl<Vfifo_paper>>(name);
  throw std::invalid_argument(fmt::format("fifo: no RTL compiled for width {} depth {}: see rtl/common/points.txt",
                                          params.width, params.depth));
}

std::string describe(const FifoItem& item) { return fmt::format("{:#x}", item.data); }

std::unique_ptr<Fifo> make_fifo(const FifoParams& params, Backend backend, std::string name) {
  return make_backend<FifoItem, FifoItem>(
      backend, name, [&] { return make_fifo_model(params); }, [&] { return make_fifo_rtl(params, name); });
}

}  // namespace warpsieve::common
