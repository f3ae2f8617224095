#include "apps/invar/chart/chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "apps/invar/chart/axis.hpp"
#include "apps/invar/chart/chart_style.hpp"

namespace invar {
namespace {

constexpr double left = 80, right = 14, top = 14, below = 46, legend_row = 20;

std::string coordinate_text(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", v);
  return text;
}

/// Maps the values of a chart to positions.
struct PlotArea {
  Axis x, y;
  double x0, x1, y0, y1;  // of the plotted area; y0 is its bottom

  double px(double v) const { return x0 + x.place(v) * (x1 - x0); }
  double py(double v) const { return y0 + y.place(v) * (y1 - y0); }
  std::string point(double a, double b) const { return coordinate_text(px(a)) + ',' + coordinate_text(py(b)); }
};

PlotArea plot_area_of(const Chart& chart, double legend) {
  std::vector<double> x, y;
  const auto add = [](std::vector<double>& all, const std::vector<double>& more) { all.insert(all.end(), more.begin(), more.end()); };
  for (const Chart::Series& s : chart.series) add(x, s.x), add(y, s.y);
  for (const Chart::Band& b : chart.bands) add(x, b.x), add(y, b.lower), add(y, b.upper);
  if (chart.zero_line) y.push_back(0);
  return {Axis::of(x, chart.log_x, 6), Axis::of(y, chart.log_y, 5), left, chart.width - right, chart.height - below, top + legend};
}

std::string grid(const PlotArea& f) {
  std::string out = "<g class=\"grid\">";
  for (const double t : f.y.ticks)
    out += "<line x1=\"" + coordinate_text(f.x0) + "\" x2=\"" + coordinate_text(f.x1) + "\" y1=\"" + coordinate_text(f.py(t)) + "\" y2=\"" + coordinate_text(f.py(t)) + "\"/>";
  out += "</g><g class=\"ticks\">";
  for (const double t : f.y.ticks)
    out += "<text x=\"" + coordinate_text(f.x0 - 8) + "\" y=\"" + coordinate_text(f.py(t) + 4) + "\" text-anchor=\"end\">" + tick_text(t) + "</text>";
  for (const double t : f.x.ticks)
    out += "<line x1=\"" + coordinate_text(f.px(t)) + "\" x2=\"" + coordinate_text(f.px(t)) + "\" y1=\"" + coordinate_text(f.y0) + "\" y2=\"" + coordinate_text(f.y0 + 4) +
           "\"/><text x=\"" + coordinate_text(f.px(t)) + "\" y=\"" + coordinate_text(f.y0 + 18) + "\" text-anchor=\"middle\">" + tick_text(t) + "</text>";
  return out + "</g>";
}

/// One of four markers around a point.
std::string marker(double x, double y, std::size_t form) {
  switch (form % 4) {
    case 0: return "<circle cx=\"" + coordinate_text(x) + "\" cy=\"" + coordinate_text(y) + "\" r=\"3.2\"/>";
    case 1: return "<rect x=\"" + coordinate_text(x - 3) + "\" y=\"" + coordinate_text(y - 3) + "\" width=\"6\" height=\"6\"/>";
    case 2: return "<path d=\"M" + coordinate_text(x) + ',' + coordinate_text(y - 4) + "l4,7h-8z\"/>";
    default: return "<path d=\"M" + coordinate_text(x) + ',' + coordinate_text(y - 4) + "l4,4l-4,4l-4,-4z\"/>";
  }
}

std::string drawn(const PlotArea& f, const Chart::Series& s, std::size_t k) {
  const std::string colour = " series-" + std::to_string(k % 6);
  std::string out;
  if (s.points) {
    out = "<g class=\"points" + colour + "\">";
    for (std::size_t i = 0; i < s.x.size(); ++i)
      if (f.x.shows(s.x[i]) && f.y.shows(s.y[i])) out += marker(f.px(s.x[i]), f.py(s.y[i]), k);
    return out + "</g>";
  }
  out = "<path class=\"line" + colour + " dash-" + std::to_string(k % 4) + "\" d=\"";
  bool pen = false;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    const bool shown = f.x.shows(s.x[i]) && f.y.shows(s.y[i]);
    if (shown) out += (pen ? 'L' : 'M') + f.point(s.x[i], s.y[i]);
    pen = shown;
  }
  return out + "\"/>";
}

std::string drawn(const PlotArea& f, const Chart::Band& b) {
  std::string forth, back;
  for (std::size_t i = 0; i < b.x.size(); ++i)
    if (f.x.shows(b.x[i]) && f.y.shows(b.lower[i]) && f.y.shows(b.upper[i])) {
      forth += (forth.empty() ? 'M' : 'L') + f.point(b.x[i], b.upper[i]);
      back = 'L' + f.point(b.x[i], b.lower[i]) + back;
    }
  return forth.empty() ? "" : "<path class=\"band-" + std::to_string(b.shade) + "\" d=\"" + forth + back + "z\"/>";
}

/// The CSS rules with the light colours instead of variables.
std::string rules_on_paper() {
  std::string rules(chart_rules);
  for (std::size_t at; (at = rules.find("var(")) != std::string::npos;) {
    const std::size_t end = rules.find(')', at);
    const std::string name = rules.substr(at + 4, end - at - 4) + ':';
    const std::size_t colour = light_colours.find(name) + name.size();
    rules.replace(at, end + 1 - at, light_colours.substr(colour, light_colours.find(';', colour) - colour));
  }
  return rules;
}

/// Approximate width of a text in the font of the page.
double legend_width_of(const std::string& text) { return 7.2 * static_cast<double>(text.size()); }

/// Names with a sample of each form; returns the height that they take.
double legend(const Chart& chart, std::string& out) {
  const std::size_t count = chart.series.size() + chart.bands.size();
  if (count < 2) return 0;
  double x = left, y = top;
  const auto place = [&](const std::string& name, const auto& sample) {
    if (x > left && x + 34 + legend_width_of(name) > chart.width - right) x = left, y += legend_row;
    out += sample(x, y);
    out += "<text class=\"name\" x=\"" + coordinate_text(x + 28) + "\" y=\"" + coordinate_text(y + 4) + "\">" + escaped(name) + "</text>";
    x += 46 + legend_width_of(name);
  };
  for (std::size_t k = 0; k < chart.series.size(); ++k)
    place(chart.series[k].name, [&](double a, double b) {
      const std::string colour = " series-" + std::to_string(k % 6);
      if (chart.series[k].points) return "<g class=\"points" + colour + "\">" + marker(a + 12, b, k) + "</g>";
      return "<path class=\"line" + colour + " dash-" + std::to_string(k % 4) + "\" d=\"M" + coordinate_text(a) + ',' + coordinate_text(b) + "h22\"/>";
    });
  for (const Chart::Band& band : chart.bands)
    place(band.name, [&](double a, double b) {
      return "<rect class=\"band-" + std::to_string(band.shade) + "\" x=\"" + coordinate_text(a) + "\" y=\"" + coordinate_text(b - 6) + "\" width=\"22\" height=\"12\"/>";
    });
  return y - top + legend_row;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  return out;
}

std::string Chart::svg(const std::string& id) const {
  std::string names;
  const double taken = legend(*this, names);
  const PlotArea f = plot_area_of(*this, taken);
  std::string out = "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 " + coordinate_text(width) + ' ' + coordinate_text(height) + "\" aria-labelledby=\"" + id +
                    "-title " + id + "-desc\"><title id=\"" + id + "-title\">" + escaped(title) + "</title><desc id=\"" + id + "-desc\">" +
                    escaped(description) + "</desc>" + grid(f);
  for (const Band& b : bands) out += drawn(f, b);
  if (zero_line && !log_y)
    out += "<line class=\"zero\" x1=\"" + coordinate_text(f.x0) + "\" x2=\"" + coordinate_text(f.x1) + "\" y1=\"" + coordinate_text(f.py(0)) + "\" y2=\"" + coordinate_text(f.py(0)) + "\"/>";
  for (std::size_t k = 0; k < series.size(); ++k) out += drawn(f, series[k], k);
  out += names;
  out += "<text class=\"axis\" x=\"" + coordinate_text(0.5 * (f.x0 + f.x1)) + "\" y=\"" + coordinate_text(height - 8) + "\" text-anchor=\"middle\">" + escaped(x_label) + "</text>";
  const std::string middle = coordinate_text(0.5 * (f.y0 + f.y1));
  out += "<text class=\"axis\" x=\"14\" y=\"" + middle + "\" text-anchor=\"middle\" transform=\"rotate(-90 14 " + middle + ")\">" + escaped(y_label) + "</text>";
  return out + "</svg>";
}

std::string Chart::document() const {
  std::string picture = svg("chart");
  const std::string size = " width=\"" + coordinate_text(width) + "\" height=\"" + coordinate_text(height) + "\"";
  picture.insert(picture.find(" class="), " xmlns=\"http://www.w3.org/2000/svg\"" + size + " font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\"");
  const std::size_t inside = picture.find("</desc>") + 7;
  picture.insert(inside, "<style>" + rules_on_paper() + "</style><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
  return picture + '\n';
}

}  // namespace invar
