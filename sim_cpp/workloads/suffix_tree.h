// Suffix tree of a sequence of bases, as the host builds it for the kernels of mummergpu (Ukkonen's construction).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "simt/vec.h"

namespace warpsieve::workloads {

/// Number of a base among the children of a node; 4 for one that matches nothing.
int base_code(char base);

/// Node 0 is the root. A node's edge from its parent is text[start, end). The last suffixes, which are prefixes of
/// others, end inside of edges.
struct SuffixTree {
  struct Node {
    int start = 0, end = 0;
    int depth = 0;               ///< bases from the root to the node's lower end
    int link = 0;                ///< suffix link; -1 for a leaf
    std::array<int, 4> child{};  ///< 0: none
  };
  explicit SuffixTree(const std::string& text);
  std::vector<Node> nodes;
};

}  // namespace warpsieve::workloads
