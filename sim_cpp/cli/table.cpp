#include "cli/table.h"

#include <libsmartcols.h>

#include <cstdlib>
#include <stdexcept>

namespace warpsieve::cli {

namespace {

const char* sequence_of(Table::Colour colour) {
  return colour == Table::Colour::green ? "\033[32m" : colour == Table::Colour::red ? "\033[31m" : "\033[90m";
}

}  // namespace

void Table::Release::operator()(libscols_table* table) const { scols_unref_table(table); }

Table::Table(const std::vector<Column>& columns, bool colours) : table_(scols_new_table()) {
  if (!table_) throw std::bad_alloc();
  scols_table_enable_colors(table_.get(), colours);
  scols_table_enable_maxout(table_.get(), 0);
  scols_table_set_termforce(table_.get(), SCOLS_TERMFORCE_NEVER);  // no cutting at the terminal's width
  for (const Column& column : columns) {
    scols_table_new_column(table_.get(), column.title.c_str(), 0, column.align == Align::right ? SCOLS_FL_RIGHT : 0);
  }
}

void Table::add(const std::vector<std::string>& cells) {
  std::vector<Cell> plain;
  for (const std::string& text : cells) plain.push_back({text});
  add_cells(plain);
}

void Table::add_cells(const std::vector<Cell>& cells) {
  libscols_line* line = scols_table_new_line(table_.get(), nullptr);
  if (!line) throw std::bad_alloc();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    scols_line_set_data(line, i, cells[i].text.c_str());
    if (cells[i].colour != Colour::none)
      scols_cell_set_color(scols_line_get_cell(line, i), sequence_of(cells[i].colour));
  }
}

std::string Table::text() const {
  char* raw = nullptr;
  if (scols_print_table_to_string(table_.get(), &raw) != 0) throw std::runtime_error("cannot lay out a table");
  std::string text = raw;
  std::free(raw);
  return text;
}

}  // namespace warpsieve::cli
