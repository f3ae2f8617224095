#include "apps/invar/chart/wall_chart.hpp"

#include <algorithm>
#include <map>

#include "apps/invar/chart/axis.hpp"

namespace invar {
namespace {

using Column = std::vector<double>;

double extent(const Column& x) {
  const auto [low, high] = std::ranges::minmax(x);
  return high - low;
}

/// "cp from −1.2 at x = 0.31 to 1 at x = 0"
std::string range_words(const std::string& what, const std::string& axis, const Column& x, const Column& y) {
  const auto [low, high] = std::ranges::minmax_element(y);
  const auto at = [&](Column::const_iterator of) { return tick_text(*of) + " at " + axis + " = " + tick_text(x[static_cast<std::size_t>(of - y.begin())]); };
  return what + " from " + at(low) + " to " + at(high) + ".";
}

}  // namespace

std::vector<WallChart> wall_charts(const std::string& name, const std::vector<std::string>& columns, const std::vector<std::vector<double>>& data) {
  const auto find = [&](const std::string& column) {
    const auto at = std::ranges::find(columns, column) - columns.begin();
    return static_cast<std::size_t>(at) < std::min(columns.size(), data.size()) ? &data[static_cast<std::size_t>(at)] : nullptr;
  };
  const Column *piece = find("piece"), *x = find("x"), *y = find("y");
  if (!piece || !x || !y || x->empty()) return {};
  const std::string axis = extent(*x) >= extent(*y) ? "x" : "y";
  const Column& along = axis == "x" ? *x : *y;
  const bool scaled = find("cp") && find("cf");
  std::vector<WallChart> all;
  for (const std::string what : {scaled ? "cp" : "pressure", scaled ? "cf" : "shear"}) {
    const Column* values = find(what);
    if (!values) continue;
    const double sign = what == "cp" ? -1 : 1;
    std::map<double, Chart::Series> pieces;
    for (std::size_t i = 0; i < values->size(); ++i) {
      Chart::Series& line = pieces[(*piece)[i]];
      line.x.push_back(along[i]);
      line.y.push_back(sign * (*values)[i]);
    }
    Chart chart;
    chart.title = what + " along " + name;
    chart.description = range_words(what, axis, along, *values);
    chart.x_label = axis + " in m";
    chart.y_label = what == "cp" ? "−cp" : what == "cf" ? "cf" : what + " in Pa";
    chart.zero_line = true;
    for (auto& [number, line] : pieces) {
      line.name = pieces.size() > 1 ? "piece " + tick_text(number) : chart.y_label;
      chart.series.push_back(std::move(line));
    }
    all.push_back({what, std::move(chart)});
  }
  return all;
}

}  // namespace invar
