#include "blocks/common/stream_skid.h"

#include <Vstream_skid_min.h>
#include <Vstream_skid_odd.h>
#include <Vstream_skid_paper.h>
#include <fmt/format.h>

#include <stdexcept>

#include "blocks/common/fifo_backends.h"
#include "blocks/common/item_fields.h"
#include "cosim/shadow.h"

namespace warpsieve::common {

namespace {

std::unique_ptr<StreamSkid> make_stream_skid_rtl(const StreamSkidParams& params, const std::string& name) {
  switch (params.width) {
    case 1: return std::make_unique<ItemRtl<Vstream_skid_min>>(name);
    case 7: return std::make_unique<ItemRtl<Vstream_skid_odd>>(name);
    case 32: return std::make_unique<ItemRtl<Vstream_skid_paper>>(name);
  }
  throw std::invalid_argument(
      fmt::format("stream_skid: no RTL compiled for width {}: see rtl/common/points.txt", params.width));
}

}  // namespace

std::unique_ptr<StreamSkid> make_stream_skid(const StreamSkidParams& params, Backend backend, std::string name) {
  return make_backend<FifoItem, FifoItem>(
      backend, name,
      [&] {
        return make_fifo_model({params.width, 2});
      },
      [&] { return make_stream_skid_rtl(params, name); });
}

}  // namespace warpsieve::common
