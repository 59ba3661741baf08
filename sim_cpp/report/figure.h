// A figure: the numbers of one chart. The page draws it (web/src/charts.js), svg.h draws it, and it is written as
// CSV.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warpsieve::report {

/// Okabe and Ito's colours, which every kind of colour vision tells apart; yellow is left out, it is too light.
/// Darker and lighter shades of them follow for the eighth series and on.
inline constexpr std::array kPalette = {"#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#888888",
                                        "#4d8fd6", "#9a6a00", "#5fc9a5", "#8a3d00", "#2c7ba6", "#8c4f70", "#b8b8b8"};
inline constexpr std::size_t kHues = 7;  ///< of them; further series are dashed
inline constexpr const char* kPaletteName = "Okabe and Ito";
/// Of maps, from low to high: steps of cividis, which is ordered by lightness for every kind of colour vision.
inline constexpr std::array kSteps = {"#00224e", "#123570", "#3b496c", "#575d6d",
                                      "#707173", "#8a8678", "#a59c74", "#c3b369"};

struct FigureRow {
  std::string group = {};   ///< of bars; the label of x elsewhere
  std::string series = {};  ///< its colour, or in stacks its bar
  std::string part = {};    ///< of a stack; "published" is a reference among lines
  double x = 0;             ///< of lines over numbers and of dots
  std::optional<double> value = {};
  std::optional<double> low = {}, high = {};  ///< 95 % confidence interval, of several runs
  std::size_t runs = 1;
  std::vector<std::size_t> at = {};  ///< place on the axes of a sweep
};

struct Figure {
  /// bars: grouped, around 0, with whiskers. stack: the parts of each bar, those below 0 downwards. map: x by y.
  enum class Kind { bars, stack, lines, dots, map };
  std::string id;       ///< name of its files
  std::string section;  ///< of the page
  Kind kind = Kind::bars;
  std::string title, note;
  std::string group_name, series_name, x_label, y_label, unit;  ///< of `value`: y_label with its unit
  std::vector<std::string> groups, series, parts;
  std::size_t means = 0;  ///< the last groups are means of the others
  bool numbers = false;   ///< x is a number
  std::vector<FigureRow> rows;
};

nlohmann::ordered_json to_json(const Figure& figure);
/// One line for each row, numbers in full; a heading names the columns with their units.
std::string to_csv(const Figure& figure);
/// The rows at one place on the axes.
Figure at_place(const Figure& figure, const std::vector<std::size_t>& at);

/// Three significant digits: "0.970", "12.3", "1,230"; whole numbers below 1000 as they are. `sign`: "+12.3".
std::string short_number(double value, bool sign = false);

}  // namespace warpsieve::report
