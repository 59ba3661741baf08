#include "workloads/darknet_networks.h"

#include <fmt/format.h>

#include <initializer_list>
#include <stdexcept>
#include <utility>

namespace warpsieve::workloads::darknet {
namespace {

class Builder {
 public:
  Builder& conv(int filters, int size, int stride = 1) { return add({Kind::convolution, filters, size, stride}); }
  /// The last convolution before a head: biases only.
  Builder& last(int filters, bool leaky = false) { return add({Kind::convolution, filters, 1, 1, false, leaky}); }
  Builder& add(LayerSpec layer) {
    layers_.push_back(std::move(layer));
    return *this;
  }
  Builder& pool() { return add({Kind::max_pool}); }
  /// `steps`: relative to this layer where negative, as in the cfg files.
  Builder& from(Kind kind, std::initializer_list<int> steps) {
    LayerSpec layer{kind};
    for (const int s : steps) layer.from.push_back(s < 0 ? static_cast<int>(layers_.size()) + s : s);
    return add(std::move(layer));
  }
  /// 1 x 1 to half of the filters, 3 x 3 back.
  Builder& squeeze(int filters) { return conv(filters / 2, 1).conv(filters, 3); }
  Builder& residual(int filters, int times) {
    for (int i = 0; i < times; ++i) squeeze(filters).from(Kind::shortcut, {-3});
    return *this;
  }
  std::vector<LayerSpec> take() { return std::move(layers_); }

 private:
  std::vector<LayerSpec> layers_;
};

std::vector<LayerSpec> reference() {
  Builder b;
  for (const int filters : {16, 32, 64, 128, 256, 512}) b.conv(filters, 3).pool();
  return b.conv(1024, 3).last(1000, true).add({Kind::average}).add({Kind::head}).take();
}

std::vector<LayerSpec> tiny() {
  Builder b;
  b.conv(16, 3).pool().conv(32, 3).pool();
  for (const auto& [narrow, wide] : {std::pair(16, 128), std::pair(32, 256)})
    b.conv(narrow, 1).conv(wide, 3).conv(narrow, 1).conv(wide, 3).pool();
  b.conv(64, 1).conv(512, 3).conv(64, 1).conv(512, 3).conv(128, 1);
  return b.last(1000).add({Kind::average}).add({Kind::head}).take();
}

std::vector<LayerSpec> yolo2() {
  Builder b;
  b.conv(32, 3).pool().conv(64, 3).pool();
  b.conv(128, 3).squeeze(128).pool().conv(256, 3).squeeze(256).pool();
  b.conv(512, 3).squeeze(512).squeeze(512).pool();
  b.conv(1024, 3).squeeze(1024).squeeze(1024).conv(1024, 3).conv(1024, 3);
  b.from(Kind::route, {-9}).conv(64, 1).add({Kind::reorg}).from(Kind::route, {-1, -4});
  return b.conv(1024, 3).last(425).add({Kind::head}).take();
}

std::vector<LayerSpec> yolo3() {
  Builder b;
  b.conv(32, 3).conv(64, 3, 2).residual(64, 1).conv(128, 3, 2).residual(128, 2).conv(256, 3, 2).residual(256, 8);
  b.conv(512, 3, 2).residual(512, 8).conv(1024, 3, 2).residual(1024, 4);
  b.squeeze(1024).squeeze(1024).squeeze(1024).last(255).add({Kind::head});
  for (const auto& [filters, skip] : {std::pair(512, 61), std::pair(256, 36)}) {
    b.from(Kind::route, {-4}).conv(filters / 2, 1).add({Kind::upsample}).from(Kind::route, {-1, skip});
    b.squeeze(filters).squeeze(filters).squeeze(filters).last(255).add({Kind::head});
  }
  return b.take();
}

}  // namespace

std::vector<LayerSpec> network(std::string_view name) {
  if (name == "darknet") return reference();
  if (name == "tiny") return tiny();
  if (name == "yolo2") return yolo2();
  if (name == "yolo3") return yolo3();
  throw std::logic_error(fmt::format("no network '{}'", name));
}

}  // namespace warpsieve::workloads::darknet
