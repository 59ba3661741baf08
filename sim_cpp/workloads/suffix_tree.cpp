#include "workloads/suffix_tree.h"

#include <algorithm>

namespace warpsieve::workloads {

int base_code(char base) {
  const auto code = std::string_view("ACGT").find(base);
  return code == std::string_view::npos ? 4 : static_cast<int>(code);
}

SuffixTree::SuffixTree(const std::string& text) : nodes(1) {
  const int n = static_cast<int>(text.size());
  std::vector<int> code(text.size());
  std::transform(text.begin(), text.end(), code.begin(), base_code);
  int active = 0, edge = 0, length = 0, left = 0;  // active point, and suffixes that are not in the tree yet
  const auto child = [&](int parent, int base) -> int& {
    return nodes[static_cast<std::size_t>(parent)].child[static_cast<std::size_t>(base)];
  };
  const auto add = [&](int start, int end, int link) {
    nodes.push_back({.start = start, .end = end, .link = link});
    return static_cast<int>(nodes.size()) - 1;
  };
  for (int i = 0; i < n; ++i) {
    int without_link = 0;
    const auto link = [&](int node) {
      if (without_link != 0) nodes[static_cast<std::size_t>(without_link)].link = node;
      without_link = node;
    };
    for (++left; left > 0;) {
      if (length == 0) edge = i;
      const int first = code[static_cast<std::size_t>(edge)], next = child(active, first);
      if (next == 0) {
        child(active, first) = add(i, n, -1);
        link(active);
      } else {
        // Copies: nodes grow below.
        const int start = nodes[static_cast<std::size_t>(next)].start;
        const int end = std::min(nodes[static_cast<std::size_t>(next)].end, i + 1);
        if (length >= end - start) {
          edge += end - start;
          length -= end - start;
          active = next;
          continue;
        }
        if (code[static_cast<std::size_t>(start + length)] == code[static_cast<std::size_t>(i)]) {
          ++length;
          link(active);
          break;
        }
        const int split = add(start, start + length, 0);
        child(active, first) = split;
        const int leaf = add(i, n, -1);
        child(split, code[static_cast<std::size_t>(i)]) = leaf;
        nodes[static_cast<std::size_t>(next)].start += length;
        child(split, code[static_cast<std::size_t>(start + length)]) = next;
        link(split);
      }
      --left;
      if (active == 0 && length > 0) {
        --length;
        edge = i - left + 1;
      } else if (active != 0) {
        active = nodes[static_cast<std::size_t>(active)].link;
      }
    }
  }
  // Depths from the root down.
  std::vector<int> order{0};
  for (std::size_t k = 0; k < order.size(); ++k)
    for (const int c : nodes[static_cast<std::size_t>(order[k])].child) {
      if (c == 0) continue;
      Node& node = nodes[static_cast<std::size_t>(c)];
      node.depth = nodes[static_cast<std::size_t>(order[k])].depth + node.end - node.start;
      order.push_back(c);
    }
}

}  // namespace warpsieve::workloads
