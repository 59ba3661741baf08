#include "report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "report/escape.h"

namespace warpsieve::report {

namespace {

constexpr double kFont = 12, kLine = 16, kLetter = 6.6;  // a letter is about this wide
constexpr const char* kInk = "#1c1c1c";
constexpr const char* kGrid = "#d8d8d8";
constexpr std::size_t kShapes = 6;

const char* colour(std::size_t number) { return kPalette[number % kPalette.size()]; }

std::size_t place_of(const std::vector<std::string>& list, const std::string& name) {
  return static_cast<std::size_t>(std::distance(list.begin(), std::find(list.begin(), list.end(), name)));
}

double text_width(const std::string& text) {
  // Bytes that continue a UTF-8 character have no width.
  return kLetter *
         static_cast<double>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

struct Style {
  const char* anchor = "start";
  bool bold = false;
  double rotate = 0, size = kFont;
  const char* fill = "";
};

/// Elements, from back to front.
class Drawing {
 public:
  void rect(double x, double y, double width, double height, const std::string& fill, double opacity = 1,
            const std::string& title = "") {
    body_ +=
        fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"{}>{}</rect>\n", x,
                    y, width, height, fill, opacity < 1 ? fmt::format(" fill-opacity=\"{}\"", opacity) : "",
                    title.empty() ? "" : "<title>" + escaped(title) + "</title>");
  }
  void line(double x1, double y1, double x2, double y2, const std::string& stroke, double width = 1,
            const char* dash = "") {
    body_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", x1,
        y1, x2, y2, stroke, width, *dash ? fmt::format(" stroke-dasharray=\"{}\"", dash) : "");
  }
  void text(double x, double y, const std::string& words, const Style& style = {}) {
    body_ += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}{}{}{}>{}</text>\n", x, y, style.anchor,
        style.bold ? " font-weight=\"bold\"" : "",
        style.size != kFont ? fmt::format(" font-size=\"{}\"", style.size) : "",
        style.rotate != 0 ? fmt::format(" transform=\"rotate({} {:.1f} {:.1f})\"", style.rotate, x, y) : "",
        *style.fill ? fmt::format(" fill=\"{}\"", style.fill) : "", escaped(words));
  }
  /// A shape of its own for each of the first series; a cross is no series.
  void marker(double x, double y, std::size_t shape, const std::string& stroke, const std::string& title = "") {
    const double r = 4.5;
    static const char* const kPaths[kShapes] = {"M-4.5,0a4.5,4.5 0 1 0 9,0a4.5,4.5 0 1 0 -9,0Z",
                                                "M-4,-4h8v8h-8Z",
                                                "M0,-5L5,4H-5Z",
                                                "M0,-5.5L5.5,0L0,5.5L-5.5,0Z",
                                                "M0,5L5,-4H-5Z",
                                                "M-5,0H5M0,-5V5"};
    body_ += fmt::format(
        "<path d=\"{}\" transform=\"translate({:.1f} {:.1f})\" fill=\"white\" stroke=\"{}\" "
        "stroke-width=\"1.5\">{}</path>\n",
        shape < kShapes ? kPaths[shape] : fmt::format("M-{0},-{0}L{0},{0}M-{0},{0}L{0},-{0}", r), x, y, stroke,
        title.empty() ? "" : "<title>" + escaped(title) + "</title>");
  }
  std::string file(double width, double height, const std::string& label) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" role=\"img\" aria-label=\"{2}\" font-family=\"Helvetica, Arial, sans-serif\" "
        "font-size=\"{3}\" fill=\"{4}\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{5}</svg>\n",
        width, height, escaped(label), kFont, kInk, body_);
  }

 private:
  std::string body_;
};

/// Steps of 1, 2 or 5 that cover the values; 0 is always among those of bars.
struct Ticks {
  std::vector<double> at;
  int decimals = 0;
  std::string text(double value) const { return fmt::format("{:.{}f}", value, value == 0 ? 0 : decimals); }
};

Ticks ticks_of(double low, double high, double most = 7) {
  if (high <= low) high = low + 1;
  const double rough = (high - low) / most, unit = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * unit;
  for (const double s : {1.0, 2.0, 5.0})
    if (s * unit >= rough) {
      step = s * unit;
      break;
    }
  Ticks out;
  out.decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step * 1.0001))));
  for (double v = std::floor(low / step) * step; v < high + 0.999 * step; v += step)
    out.at.push_back(std::abs(v) < step / 1000 ? 0 : v);
  return out;
}

std::string axis_title(const std::string& label, const std::string& unit) {
  return unit.empty() ? label : fmt::format("{} ({})", label, unit);
}

/// The frame that all kinds share: title, legend, axis of values, notes.
class Chart {
 public:
  explicit Chart(const Figure& figure) : f_(figure) {}

  std::string draw() {
    switch (f_.kind) {
      case Figure::Kind::bars:
      case Figure::Kind::stack: bars(); break;
      case Figure::Kind::lines:
      case Figure::Kind::dots: points(); break;
      case Figure::Kind::map: map(); break;
    }
    return d_.file(width_, bottom_, f_.title);
  }

 private:
  using Mark = std::function<void(double x, double y, std::size_t number)>;

  /// Title and legend; `top_` is where the plot may begin.
  void head(const std::vector<std::string>& names, const Mark& mark) {
    words(f_.title, {.anchor = "start", .bold = true, .size = 13});
    double x = kLeft;
    if (names.size() > 1 || mark_always_) {
      for (std::size_t i = 0; i < names.size(); ++i) {
        const double wide = 30 + text_width(names[i]);
        if (x > kLeft && x + wide > width_ - kRight) x = kLeft, top_ += kLine;
        mark(x + 6, top_ + 10, i);
        d_.text(x + 18, top_ + 14, names[i]);
        x += wide;
      }
      top_ += kLine + 8;
    }
  }

  /// A text over the whole width, in as many lines as it needs.
  void words(const std::string& text, const Style& style) {
    std::string line;
    const auto flush = [&] {
      d_.text(8, top_ + 13, line, style);
      top_ += kLine + 1;
      line.clear();
    };
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t end = std::min(text.find(' ', i), text.size());
      const std::string word = text.substr(i, end - i);
      if (!line.empty() && text_width(line + " " + word) * style.size / kFont > width_ - 16) flush();
      line += (line.empty() ? "" : " ") + word;
      i = end + 1;
    }
    if (!line.empty()) flush();
  }

  void foot() {
    top_ = bottom_ + 4;
    if (!f_.note.empty()) words(f_.note, {.size = 11});
    bottom_ = top_ + 8;
  }

  /// Grid and labels of the values; y() is known afterwards.
  void values(double low, double high, double height) {
    const Ticks ticks = ticks_of(low, high);
    low_ = ticks.at.front();
    high_ = ticks.at.back();
    height_ = height;
    top_ += 6;
    for (const double v : ticks.at) {
      d_.line(kLeft, y(v), width_ - kRight, y(v), v == 0 ? kInk : kGrid);
      d_.text(kLeft - 6, y(v) + 4, ticks.text(v), {.anchor = "end"});
    }
    d_.text(14, top_ + height / 2, axis_title(f_.y_label, f_.unit), {.anchor = "middle", .rotate = -90});
    bottom_ = top_ + height;
  }
  double y(double value) const { return top_ + height_ * (high_ - value) / (high_ - low_); }

  std::string said(const FigureRow& r) const {
    return fmt::format("{}, {}{}{}: {}{}{}", r.group, r.series, r.part.empty() ? "" : ", ", r.part,
                       r.value ? short_number(*r.value, f_.unit == "%") : "none", f_.unit.empty() ? "" : " ",
                       f_.unit);
  }

  void bars() {
    const bool stack = f_.kind == Figure::Kind::stack;
    const double bar = std::max(stack ? 20.0 : 12.0,
                                std::min(34.0, 560.0 / static_cast<double>(f_.groups.size() * f_.series.size())));
    const double gap = 18, step = bar * static_cast<double>(f_.series.size()) + gap;
    const double means = f_.means ? gap : 0;
    width_ = std::max(300.0, kLeft + step * static_cast<double>(f_.groups.size()) + means + kRight);
    head(stack ? f_.parts : f_.series,
         [&](double x, double at, std::size_t i) { d_.rect(x - 6, at - 6, 12, 12, colour(i)); });
    double low = 0, high = 0;
    std::map<std::pair<std::string, std::string>, std::pair<double, double>> sums;  // below and above 0
    for (const FigureRow& r : f_.rows) {
      if (!r.value) continue;
      auto& [below, above] = sums[{r.group, stack ? r.series : r.series + r.part}];
      (*r.value < 0 ? below : above) += *r.value;
      low = std::min({low, below, r.low.value_or(0)});
      high = std::max({high, above, r.high.value_or(0)});
    }
    if (!stack) {  // room for the labels beyond the bars
      const double room = 0.17 * (high - low);
      low -= low < 0 ? room : 0;
      high += room;
    }
    values(low, high, 240);
    const auto left = [&](const std::string& group, const std::string& series) {
      const std::size_t g = place_of(f_.groups, group);
      return kLeft + gap / 2 + step * static_cast<double>(g) + (g + f_.means >= f_.groups.size() ? means : 0) +
             bar * static_cast<double>(place_of(f_.series, series));
    };
    std::map<std::pair<std::string, std::string>, std::pair<double, double>> drawn;
    for (const FigureRow& r : f_.rows) {
      const double x = left(r.group, r.series);
      if (!r.value) {
        d_.text(x + bar / 2 + 4, y(0) - 4, "none", {.rotate = -90, .size = 10});
        continue;
      }
      auto& [below, above] = drawn[{r.group, r.series}];
      double& from = *r.value < 0 ? below : above;
      const double to = from + *r.value;
      const bool noise = r.low && *r.low <= 0 && *r.high >= 0;
      d_.rect(x + 1, std::min(y(from), y(to)), bar - 2, std::max(0.5, std::abs(y(from) - y(to))),
              colour(stack ? place_of(f_.parts, r.part) : place_of(f_.series, r.series)), noise ? 0.4 : 1, said(r));
      from = to;
      if (r.low) {
        const double middle = x + bar / 2;
        d_.line(middle, y(*r.low), middle, y(*r.high), kInk);
        for (const double end : {*r.low, *r.high}) d_.line(middle - 3, y(end), middle + 3, y(end), kInk);
      }
      if (!stack) {
        // Beyond bar and whisker, on the side that the value is on.
        const double end = *r.value < 0 ? y(r.low.value_or(to)) + 4 : y(r.high.value_or(to)) - 4;
        d_.text(x + bar / 2 + 3.5, end, short_number(*r.value, true),
                {.anchor = *r.value < 0 ? "end" : "start", .rotate = -90, .size = 10});
      }
    }
    if (stack)
      for (const auto& [where, sum] : drawn)
        d_.marker(left(where.first, where.second) + bar / 2, y(sum.first + sum.second), 3, kInk);
    below(left, bar, step - gap, stack);
    if (f_.means) {
      const double at = left(f_.groups[f_.groups.size() - f_.means], f_.series.front()) - gap / 2 - means / 2;
      d_.line(at, top_, at, top_ + height_, kInk, 1, "2,3");
    }
    foot();
  }

  /// Names of groups, slanted where they are long; in stacks of several series, these above them.
  void below(const std::function<double(const std::string&, const std::string&)>& left, double bar, double wide,
             bool stack) {
    double deepest = 0;
    const bool series = stack && f_.series.size() > 1;
    double longest = 0;
    for (const std::string& name : f_.series) longest = std::max(longest, text_width(name) * 10 / kFont);
    if (series)
      for (const std::string& group : f_.groups)
        for (const std::string& name : f_.series)
          d_.text(left(group, name) + bar / 2 + 3.5, bottom_ + 6, name, {.anchor = "end", .rotate = -90, .size = 10});
    bottom_ += series ? longest + 6 : 0;
    const bool flat =
        std::all_of(f_.groups.begin(), f_.groups.end(), [&](const auto& g) { return text_width(g) < wide + 12; });
    for (std::size_t i = 0; i < f_.groups.size(); ++i) {
      const std::string& name = f_.groups[i];
      const double middle = left(name, f_.series.front()) + wide / 2;
      Style style{
          .anchor = flat ? "middle" : "end", .bold = i + f_.means >= f_.groups.size(), .rotate = flat ? 0.0 : -40.0};
      d_.text(flat ? middle : middle + 4, bottom_ + (flat ? 16 : 14), name, style);
      deepest = std::max(deepest, flat ? kLine : 12 + 0.68 * text_width(name));
    }
    bottom_ += deepest + 8;
  }

  void points() {
    const bool lines = f_.kind == Figure::Kind::lines;
    width_ = 640;
    mark_always_ = lines;
    head(f_.series, [&](double x, double at, std::size_t i) {
      if (lines) d_.line(x - 8, at, x + 10, at, colour(i), 2, i >= kHues ? "6,3" : "");
      d_.marker(x, at, i % kShapes, colour(i));
    });
    double low = 1e300, high = -1e300, first = 1e300, last = -1e300;
    for (const FigureRow& r : f_.rows) {
      if (!r.value) continue;
      low = std::min(low, *r.value), high = std::max(high, *r.value);
      first = std::min(first, x_of(r)), last = std::max(last, x_of(r));
    }
    if (f_.unit == "%") low = std::min(low, 0.0), high = std::max(high, 0.0);
    if (low > high) low = 0, high = 1, first = 0, last = 1;
    values(low, high, 260);
    const bool logarithmic = f_.numbers && first > 0 && last / first >= 8;
    const auto scaled = [&](double v) { return logarithmic ? std::log(v) : v; };
    const double from = kLeft + 12, room = width_ - kRight - 12 - from, span = scaled(last) - scaled(first);
    const auto x = [&](double v) {
      return span > 0 ? from + room * (scaled(v) - scaled(first)) / span : from + room / 2;
    };
    if (lines) {
      double free = -1e300;  // labels that would touch are left out
      for (const FigureRow& r : in_order()) {
        const std::string label = f_.numbers ? place_label(r.x) : r.group;
        const double at = x(x_of(r)), half = text_width(label) / 2;
        if (at - half <= free) continue;
        d_.line(at, bottom_, at, bottom_ + 4, kInk);
        d_.text(at, bottom_ + 17, label, {.anchor = "middle"});
        free = at + half + 5;
      }
    } else {
      const auto labels = logarithmic ? decades(first, last) : ticks_of(first, last).at;
      for (const double v : labels)
        if (x(v) >= kLeft && x(v) <= width_ - kRight) {
          d_.line(x(v), bottom_, x(v), bottom_ + 4, kInk);
          d_.text(x(v), bottom_ + 17, short_number(v), {.anchor = "middle"});
        }
    }
    d_.text(kLeft + (width_ - kLeft - kRight) / 2, bottom_ + 36, f_.x_label, {.anchor = "middle"});
    for (std::size_t s = 0; s < f_.series.size(); ++s) {
      const FigureRow* before = nullptr;
      for (const FigureRow& r : f_.rows) {
        if (r.series != f_.series[s] || !r.value || !r.part.empty()) continue;
        if (lines && before)
          d_.line(x(x_of(*before)), y(*before->value), x(x_of(r)), y(*r.value), colour(s), 2,
                  s >= kHues ? "6,3" : "");
        before = &r;
      }
    }
    for (const FigureRow& r : f_.rows)
      if (const std::size_t s = place_of(f_.series, r.series); r.value)
        d_.marker(x(x_of(r)), y(*r.value), r.part.empty() ? s % kShapes : kShapes, colour(s), said(r));
    bottom_ += 44;
    foot();
  }
  double x_of(const FigureRow& r) const {
    return f_.numbers ? r.x : static_cast<double>(place_of(f_.groups, r.group));
  }
  /// A row of each x of lines.
  std::vector<FigureRow> in_order() const {
    std::map<double, FigureRow> out;
    for (const FigureRow& r : f_.rows)
      if (r.part.empty()) out.try_emplace(x_of(r), r);
    std::vector<FigureRow> rows;
    for (const auto& [x, r] : out) rows.push_back(r);
    return rows;
  }
  /// A value of x is no measurement: whole numbers in full.
  static std::string place_label(double v) {
    return v == std::floor(v) && std::abs(v) < 1e15 ? fmt::format("{:.0f}", v) : short_number(v);
  }
  static std::vector<double> decades(double first, double last) {
    std::vector<double> out;
    for (double v = std::pow(10, std::floor(std::log10(first))); v <= last; v *= 10)
      for (const double s : {1.0, 2.0, 5.0})
        if (s * v >= first && s * v <= last) out.push_back(s * v);
    return out;
  }

  void map() {
    const double cell = std::max(44.0, std::min(80.0, 520.0 / static_cast<double>(f_.groups.size())));
    double longest = 0, low = 1e300, high = -1e300;
    for (const std::string& name : f_.series) longest = std::max(longest, text_width(name));
    for (const FigureRow& r : f_.rows)
      if (r.value) low = std::min(low, *r.value), high = std::max(high, *r.value);
    const double left = 30 + longest;
    width_ = std::max(420.0, left + cell * static_cast<double>(f_.groups.size()) + kRight);
    head({}, {});
    d_.text(8, top_ + 12, fmt::format("{}; rows: {}", axis_title(f_.y_label, f_.unit), f_.series_name));
    top_ += kLine + 6;
    for (const FigureRow& r : f_.rows) {
      const double x = left + cell * static_cast<double>(place_of(f_.groups, r.group));
      const double top = top_ + 28 * static_cast<double>(f_.series.size() - 1 - place_of(f_.series, r.series));
      const double share = r.value && high > low ? (*r.value - low) / (high - low) : 0;
      const std::size_t step = std::min(kSteps.size() - 1, static_cast<std::size_t>(share * kSteps.size()));
      d_.rect(x + 0.5, top + 0.5, cell - 1, 27, kSteps[step], 1, said(r));
      if (r.value) cell_text(x + cell / 2, top + 18, short_number(*r.value, true), step >= kSteps.size() / 2 + 1);
    }
    for (std::size_t s = 0; s < f_.series.size(); ++s)
      d_.text(left - 6, top_ + 28 * static_cast<double>(f_.series.size() - 1 - s) + 18, f_.series[s],
              {.anchor = "end"});
    bottom_ = top_ + 28 * static_cast<double>(f_.series.size());
    for (std::size_t g = 0; g < f_.groups.size(); ++g)
      d_.text(left + cell * (static_cast<double>(g) + 0.5), bottom_ + 16, f_.groups[g], {.anchor = "middle"});
    d_.text(left + cell * static_cast<double>(f_.groups.size()) / 2, bottom_ + 34, f_.x_label, {.anchor = "middle"});
    bottom_ += 42;
    foot();
  }
  void cell_text(double x, double at, const std::string& words, bool dark) {
    d_.text(x, at, words, {.anchor = "middle", .fill = dark ? "black" : "white"});
  }

  static constexpr double kLeft = 66, kRight = 20;
  const Figure& f_;
  Drawing d_;
  double width_ = 640, top_ = 4, bottom_ = 0, low_ = 0, high_ = 1, height_ = 1;
  bool mark_always_ = false;
};

}  // namespace

std::string to_svg(const Figure& figure) { return Chart(figure).draw(); }

}  // namespace warpsieve::report
