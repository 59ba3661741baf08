#include "blocks/common/stream_skid.h"

#include "blocks/common/fifo_backends.h"
#include "blocks/common/item_fields.h"
#include "cosim/shadow.h"
#include "rtl_points/common/stream_skid.h"

namespace warpsieve::common {

namespace {

std::unique_ptr<StreamSkid> make_stream_skid_rtl(const StreamSkidParams& params, const std::string& name) {
  return make_at_point<rtl_points::stream_skid, StreamSkid>(
      {{"Width", params.width}}, [&]<class V>() { return std::make_unique<ItemRtl<V>>(name); });
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
