#include "inputs/matrix.h"

namespace warpsieve::inputs {

Matrix read_matrix(const std::string& path) { return parse_matrix(path, read_file(path)); }

Matrix parse_matrix(const std::string& name, std::string_view text) {
  TextReader in(name, text);
  Matrix m;
  m.order = static_cast<int>(in.integer("the order of the matrix", 1, kMaxOrder));
  const auto n = static_cast<std::size_t>(m.order);
  in.check_count(static_cast<std::int64_t>(n * n), 2, "matrix values");
  m.values.reserve(n * n);
  for (std::size_t i = 0; i < n * n; ++i) m.values.push_back(static_cast<float>(in.real("a matrix value")));
  if (in.at_end()) return m;
  for (std::size_t i = 0; i < n; ++i)
    m.right_side.push_back(static_cast<float>(in.real("a value of the right-hand side")));
  return m;
}

}  // namespace warpsieve::inputs
