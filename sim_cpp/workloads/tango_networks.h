// The convolution layers of AlexNet and ResNet-50 as Tango launches them.
//
// Shapes: Krizhevsky et al., "ImageNet Classification with Deep Convolutional Neural Networks", NIPS 2012; He et al.,
// "Deep Residual Learning for Image Recognition", CVPR 2016, with the layer names of its Caffe model. Launches: Tango
// (Karki et al., ISPASS 2019), kernels execute3DconvolutionCuda and executeFirstLayer.
#pragma once

#include <string>
#include <vector>

namespace warpsieve::workloads::tango {

struct ConvLayer {
  std::string name;
  int kernel, stride, pad;
  int in_side, in_maps;    ///< in_maps: of a group
  int out_side, out_maps;  ///< out_maps: of a group
  int groups = 1;          ///< a launch each
};

std::vector<ConvLayer> alexnet();
std::vector<ConvLayer> resnet50();

}  // namespace warpsieve::workloads::tango
