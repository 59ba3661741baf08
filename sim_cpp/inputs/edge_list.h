// Graphs as lists of edges, and as the binary files of the ECL suite.
//
// Edge list: one edge per line, two vertex numbers between blanks, tabs, commas or semicolons; a third column is the
// weight, others are left out. Lines that start with '#' or '%' are comments, and the first line may name the
// columns. Vertex numbers may start anywhere and have gaps: they are numbered anew from 0, in their order. Edges are
// arcs, unless a comment says that the graph is undirected (SNAP "# Undirected", KONECT "% sym", "% bip").
//
// ECL .egr: 32-bit little-endian words: vertices n, arcs m, n + 1 first arcs, m heads, and, optional, m weights.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inputs/graph.h"

namespace warpsieve::inputs {

/// The words of a line, between blanks, tabs, commas or semicolons.
std::vector<std::string_view> words_of(std::string_view line);
Graph read_edge_list(const std::string& name, std::string_view text);

/// Whether the length of the file is what its first two words say, and it starts as the rows do.
bool is_egr(std::string_view bytes);
Graph read_egr(const std::string& name, std::string_view bytes);

}  // namespace warpsieve::inputs
