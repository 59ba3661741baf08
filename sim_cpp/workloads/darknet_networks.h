// The layers of Darknet's networks, in the order of its cfg files.
//
// Sources, by Redmon: darknet.cfg (the reference network), tiny.cfg, yolov2.cfg and yolov3.cfg of
// github.com/pjreddie/darknet, with the 80 classes of COCO. Layer numbers are those of the cfg files, from 0.
#pragma once

#include <string_view>
#include <vector>

namespace warpsieve::workloads::darknet {

enum class Kind {
  convolution,  ///< `size` x `size`, padded to keep the side at stride 1
  max_pool,     ///< 2 x 2, stride 2
  average,      ///< one value per channel
  shortcut,     ///< the layer before plus layer from[0]
  route,        ///< the channels of the layers `from`, one after the other
  upsample,     ///< each pixel twice in both directions
  reorg,        ///< each 2 x 2 pixels become four channels
  head          ///< softmax, region or yolo: evaluates the output; launches nothing here
};

struct LayerSpec {
  Kind kind;
  int filters = 0, size = 0, stride = 1;  ///< convolution
  bool normalised = true, leaky = true;   ///< convolution: batch normalisation; leaky rectifier or linear
  std::vector<int> from = {};             ///< shortcut, route: layer numbers
};

/// "darknet", "tiny", "yolo2" or "yolo3".
std::vector<LayerSpec> network(std::string_view name);

}  // namespace warpsieve::workloads::darknet
