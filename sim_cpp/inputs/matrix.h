// Square matrices in the text format of Rodinia's lud and gaussian: the order n, then n rows of n
// numbers; gaussian adds n numbers of the right-hand side (what follows is not read).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inputs/text_reader.h"

namespace warpsieve::inputs {

inline constexpr int kMaxOrder = 16384;
inline constexpr const char* kMatrixFiles = "text: n, then n x n values (gaussian: then n more)";

struct Matrix {
  int order = 0;
  std::vector<float> values;      ///< row by row
  std::vector<float> right_side;  ///< as many as rows, or empty: the file ends before
  float& at(int row, int column) {
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(order) + static_cast<std::size_t>(column)];
  }
};

Matrix read_matrix(const std::string& path);
/// The same from memory; `name` is used for messages.
Matrix parse_matrix(const std::string& name, std::string_view text);

}  // namespace warpsieve::inputs
