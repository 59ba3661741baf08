#include "cli/run_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "cli/table.h"
#include "cli/terminal.h"
#include "core/spread.h"

namespace warpsieve::cli {

namespace {

using Cell = Table::Cell;
using Colour = Table::Colour;

/// "+3.1 %"; of several repetitions "+3.1 ±0.4 %", and "~ +0.2 ±0.5 %" when 0 is inside the noise.
Cell change(const RunRow& row, const std::vector<double>& changes, bool more_is_better) {
  if (!row.has_base) return {};
  if (changes.empty()) return {"-"};
  const Spread s = spread_of(changes);
  const bool noise = changes.size() > 1 && s.inside_noise();
  const std::string figure = fmt::format("{:+.1f}", s.mean);
  const Colour colour = noise                                  ? Colour::grey
                        : figure == "+0.0" || figure == "-0.0" ? Colour::none
                        : (s.mean > 0) == more_is_better       ? Colour::green
                                                               : Colour::red;
  if (changes.size() == 1) return {figure + " %", colour};
  return {fmt::format("{}{} ±{:.1f} %", noise ? "~ " : "", figure, s.half), colour};
}

struct Column {
  std::string title, unit, better, what;
  Table::Align align = Table::Align::right;
  std::function<Cell(const RunRow&)> cell;
  std::string dropped = {};  ///< why it is not shown; empty: it is
};

std::vector<Column> all_columns() {
  using Align = Table::Align;
  std::vector<Column> out = {
      {"workload", "-", "-", "What ran; sizes and inputs: run --list WORKLOAD", Align::left,
       [](const RunRow& r) { return Cell{r.workload}; }},
      {"scheme", "-", "-", "What was added to the machine; the first one is what the others compare with",
       Align::left, [](const RunRow& r) { return Cell{r.scheme}; }},
      {"cycles", "core cycles", "lower", "Time of all kernel launches together", Align::right,
       [](const RunRow& r) { return Cell{r.cycles}; }},
      {"IPC", "warp instr./cycle", "higher", "Warp instructions per core cycle, all SMs together", Align::right,
       [](const RunRow& r) { return Cell{fmt::format("{:.3f}", spread_of(r.ipc).mean)}; }},
      {"IPC change", "%", "higher", "IPC against the first scheme", Align::right,
       [](const RunRow& r) { return change(r, r.ipc_changes, true); }},
      {"off-chip", "32-byte requests", "lower", "Requests to DRAM, the sum of the columns behind it", Align::right,
       [](const RunRow& r) { return Cell{fmt::format("{}", r.off_chip)}; }},
      {"change", "%", "lower", "Off-chip requests against the first scheme", Align::right,
       [](const RunRow& r) { return change(r, r.request_changes, false); }}};
  for (std::size_t i = 0; i < request_columns().size(); ++i)
    out.push_back({request_columns()[i].title, "32-byte requests", "lower", request_columns()[i].what, Align::right,
                   [i](const RunRow& r) { return Cell{fmt::format("{}", r.kinds.at(i))}; }});
  out.push_back({"data", "-", "clean", "clean: every byte read from L2 and DRAM matched a golden memory", Align::left,
                 [](const RunRow& r) {
                   return Cell{r.data, r.data.starts_with("clean") ? Colour::none : Colour::red};
                 }});
  return out;
}

bool is_kind(const Column& column) {
  return std::any_of(request_columns().begin(), request_columns().end(),
                     [&](const RequestColumn& k) { return column.title == k.title; });
}

std::string laid_out(const std::vector<Column>& columns, const std::vector<const RunRow*>& rows, bool colours) {
  std::vector<Table::Column> titles;
  for (const Column& c : columns)
    if (c.dropped.empty()) titles.push_back({c.title, c.align});
  Table table(titles, colours);
  for (const RunRow* row : rows) {
    std::vector<Cell> cells;
    for (const Column& c : columns)
      if (c.dropped.empty()) cells.push_back(c.cell(*row));
    table.add_cells(cells);
  }
  return table.text();
}

}  // namespace

const std::vector<RequestColumn>& request_columns() {
  static const std::vector<RequestColumn> all = {
      {"write", {"write"}, "Data that the L2 writes back"},
      {"data-read", {"data_read"}, "Data read that was written back earlier in the run"},
      {"read-only", {"read_only"}, "Data read that was not written back before"},
      {"metadata", {"metadata_read", "metadata_write"}, "Tables of a scheme, read and written"},
      {"dedup-read", {"dedup_read"}, "Old content read to complete partial writes"},
      {"verify-read", {"verify_read"}, "Lines read only to compare contents before they are shared"}};
  return all;
}

RunTable run_table(const std::vector<const RunRow*>& rows, std::size_t width, bool colours) {
  std::vector<Column> columns = all_columns();
  // What few schemes have is no column of the others, however much room there is.
  std::erase_if(columns, [&](const Column& c) {
    return c.title == "verify-read" &&
           std::all_of(rows.begin(), rows.end(), [&](const RunRow* r) { return c.cell(*r).text == "0"; });
  });
  const auto fits = [&] { return width == 0 || width_of_text(laid_out(columns, rows, false)) <= width; };
  const auto drop_last = [&](auto&& which, const std::string& why) {
    for (auto c = columns.rbegin(); c != columns.rend() && !fits(); ++c)
      if (c->dropped.empty() && which(*c)) c->dropped = why;
  };
  drop_last(
      [&](const Column& c) {
        return is_kind(c) &&
               std::all_of(rows.begin(), rows.end(), [&](const RunRow* r) { return c.cell(*r).text == "0"; });
      },
      " (0)");
  drop_last(is_kind, " ");
  drop_last([](const Column& c) { return c.title == "cycles"; }, " ");
  RunTable out{laid_out(columns, rows, colours), ""};
  std::vector<std::string> gone;
  for (const Column& c : columns)
    if (!c.dropped.empty()) gone.push_back(c.title + (c.dropped == " " ? "" : c.dropped));
  if (!gone.empty())
    out.left_out = fmt::format("not shown in {} columns: {}; --wide shows all\n", width, fmt::join(gone, ", "));
  return out;
}

std::string explained_columns() {
  Table table({{"column", Table::Align::left},
               {"unit", Table::Align::left},
               {"better", Table::Align::left},
               {"meaning", Table::Align::left}});
  for (const Column& c : all_columns()) table.add({c.title, c.unit, c.better, c.what});
  return table.text() + "\n";
}

}  // namespace warpsieve::cli
