#include "workloads/tango_networks.h"

#include <array>

namespace warpsieve::workloads::tango {

std::vector<ConvLayer> alexnet() {
  return {{"conv1", 11, 4, 0, 227, 3, 55, 96},
          {"conv2", 5, 1, 2, 27, 48, 27, 128, 2},
          {"conv3", 3, 1, 1, 13, 256, 13, 384},
          {"conv4", 3, 1, 1, 13, 192, 13, 192, 2},
          {"conv5", 3, 1, 1, 13, 192, 13, 128, 2}};
}

std::vector<ConvLayer> resnet50() {
  std::vector<ConvLayer> layers = {{"conv1", 7, 2, 3, 224, 3, 112, 64}};
  const std::array<int, 4> blocks = {3, 4, 6, 3};
  int side = 56, maps = 64;
  for (int stage = 0; stage < 4; ++stage) {
    const int narrow = 64 << stage;
    for (int block = 0; block < blocks[static_cast<std::size_t>(stage)]; ++block) {
      const std::string name = "res" + std::to_string(stage + 2) + static_cast<char>('a' + block) + "_branch";
      const int stride = block == 0 && stage > 0 ? 2 : 1, out = side / stride;
      if (block == 0) layers.push_back({name + "1", 1, stride, 0, side, maps, out, 4 * narrow});
      layers.push_back({name + "2a", 1, stride, 0, side, maps, out, narrow});
      layers.push_back({name + "2b", 3, 1, 1, out, narrow, out, narrow});
      layers.push_back({name + "2c", 1, 1, 0, out, narrow, out, 4 * narrow});
      side = out;
      maps = 4 * narrow;
    }
  }
  return layers;
}

}  // namespace warpsieve::workloads::tango
