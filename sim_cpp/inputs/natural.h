// Generators of inputs that behave like real files, by measured statistics (statistics.h; the real files' figures are
// in data/real_statistics.json).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inputs/graph.h"
#include "inputs/image.h"
#include "inputs/mesh.h"
#include "inputs/rodinia_files.h"
#include "inputs/statistics.h"

namespace warpsieve::inputs {

/// A photograph: shades of several scales, edges of objects, grain that differs from place to place.
Image photograph(int width, int height, int channels, std::uint64_t seed);
/// A drawn picture: gradients without grain, flat areas, hard edges.
Image picture(int width, int height, int channels, std::uint64_t seed);
/// A connected road network of about `vertices` vertices: streets of a grid with gaps, dead ends, numbers along a
/// Hilbert curve; symmetric, weights 1 to 1000.
Graph road_graph(int vertices, std::uint64_t seed);
/// Records of network connections, 34 features each: long runs of one kind, of which few features change.
Points connection_table(int rows, std::uint64_t seed);
/// Temperatures in kelvin of a square chip, as hotspot reads them.
Map temperature_map(int side, std::uint64_t seed);
/// Power in watts per cell of the same chip: a floorplan of flat units.
Map power_map(int side, std::uint64_t seed);
/// Weights of a trained network, layer by layer, each quantised to 256 levels.
std::vector<float> trained_weights(int values, std::uint64_t seed);
/// Weights of one convolution layer as trained in floats: `each` per filter, filter by filter. Mean 0, mean square
/// 2 / each; the filters' own scales spread so that the kurtosis of the layer is that of a trained one.
std::vector<float> trained_filters(int filters, int each, std::uint64_t seed);

/// The kinds below, each fitted to one real file.
std::vector<std::string> fitted_kinds();
/// A generated input of the kind, as large as the real file that its generator was fitted to.
Contents fitted_contents(std::string_view kind, std::uint64_t seed);

}  // namespace warpsieve::inputs
