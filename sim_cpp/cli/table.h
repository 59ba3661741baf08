// Text tables on standard output, laid out by libsmartcols (aligned columns on a terminal and in logs).
#pragma once

#include <memory>
#include <string>
#include <vector>

struct libscols_table;

namespace warpsieve::cli {

class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::right;
  };
  enum class Colour { none, green, red, grey };
  struct Cell {
    std::string text;
    Colour colour = Colour::none;
  };
  /// Without `colours`, those of the cells are left out.
  explicit Table(const std::vector<Column>& columns, bool colours = false);
  /// One cell per column.
  void add(const std::vector<std::string>& cells);
  void add_cells(const std::vector<Cell>& cells);
  std::string text() const;

 private:
  struct Release {
    void operator()(libscols_table* table) const;
  };
  std::unique_ptr<libscols_table, Release> table_;
};

}  // namespace warpsieve::cli
