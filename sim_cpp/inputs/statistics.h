// Measured statistics of input files, of the values as a workload keeps them in memory.
//
// Images become 8-bit samples; graphs the 32-bit heads of their arcs, row by row; tables, maps and weights 32-bit
// floats; any other file its bytes. A line is 128 bytes; an incomplete last line is left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inputs/graph.h"
#include "inputs/image.h"

namespace warpsieve::inputs {

enum class Content { image, graph, table, map, weights, bytes };
std::string_view name_of(Content content);
/// Throws InputError, which names the known ones.
Content content_named(std::string_view name);
std::vector<std::string> content_names();

struct Statistics {
  Content content = Content::bytes;
  std::uint64_t bytes = 0, lines = 0;
  double intra = 0;     ///< share of lines whose 32 words are equal
  double inter = 0;     ///< share of the lines that equal an earlier one, and are not intra
  double entropy = 0;   ///< bits per byte, of the distribution of bytes
  double repeated = 0;  ///< share of values equal to their neighbour: pixel to the left, row above, or value before
  double step = 0;      ///< image: mean difference of neighbours in a row, in levels
  // Graphs.
  std::int64_t vertices = 0, arcs = 0;
  double degree_mean = 0;
  std::int64_t degree_max = 0;
  std::vector<double> degrees;  ///< share of vertices of degree 0, 1 ... 4, and more
  double near = 0;              ///< share of arcs at most 32 vertices long: values of one line or the next
};

/// An input as a workload keeps it in memory, and what was measured of it.
struct Contents {
  Statistics statistics;
  std::string bytes;
};

Statistics statistics_of(const Image& image);
Statistics statistics_of(const Graph& graph);
Contents contents_of(const Image& image);
Contents contents_of(const Graph& graph);
Contents contents_of(Content content, const std::vector<float>& values, std::size_t columns);
/// `columns`: values of a row; 1 compares each value with the one before.
Statistics statistics_of(Content content, const std::vector<float>& values, std::size_t columns);
Statistics statistics_of(std::string_view bytes);

/// What a file is, by its first bytes and, where that leaves a choice, by its name.
Content content_of(const std::string& path, std::string_view bytes);
/// Reads `path` as `content`.
Contents read_contents(const std::string& path, Content content);
Contents read_contents(const std::string& path);
/// At most `most` bytes of `bytes`, as 64 pieces from places that are the same distance apart.
std::string sample(const std::string& bytes, std::size_t most);
Statistics measure_file(const std::string& path, Content content);
Statistics measure_file(const std::string& path);

/// Weights of a network: a manifest of TensorFlow.js with its shards beside it (uint8 values are scaled back), or a
/// file of 32-bit little-endian floats.
std::vector<float> read_weights(const std::string& path);

}  // namespace warpsieve::inputs
