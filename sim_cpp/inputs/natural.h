// Generators of inputs that behave like real files, by measured statistics (statistics.h; the real files' figures are
// in data/real_statistics.json). They serve `warpsieve inputs write`; the workloads' defaults are other generators.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inputs/graph.h"
#include "inputs/image.h"
#include "inputs/mesh.h"
#include "inputs/rodinia_files.h"

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

}  // namespace warpsieve::inputs
