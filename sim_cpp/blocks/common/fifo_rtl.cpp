#include <fmt/format.h>

#include "blocks/common/fifo_backends.h"
#include "blocks/common/item_fields.h"
#include "cosim/shadow.h"
#include "rtl_points/common/fifo.h"

namespace warpsieve::common {

std::unique_ptr<Fifo> make_fifo_rtl(const FifoParams& params, const std::string& name) {
  return make_at_point<rtl_points::fifo, Fifo>({{"Width", params.width}, {"Depth", params.depth}},
                                               [&]<class V>() { return std::make_unique<ItemRtl<V>>(name); });
}

std::string describe(const FifoItem& item) { return fmt::format("{:#x}", item.data); }

std::unique_ptr<Fifo> make_fifo(const FifoParams& params, Backend backend, std::string name) {
  return make_backend<FifoItem, FifoItem>(
      backend, name, [&] { return make_fifo_model(params); }, [&] { return make_fifo_rtl(params, name); });
}

}  // namespace warpsieve::common
