#include "apps/invar/chart/l_curve_chart.hpp"

#include <algorithm>
#include <cstdio>

#include "apps/invar/chart/axis.hpp"

namespace invar {
Chart l_curve_chart(const LCurve& curve) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < curve.weight.size(); ++i)
    if (curve.misfit[i] > 0 && curve.penalty[i] > 0) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return curve.weight[i]; });
  Chart chart;
  chart.title = "L-curve of '" + curve.of + "'";
  chart.x_label = "misfit χ²";
  chart.y_label = "penalty";
  chart.log_x = chart.log_y = true;
  Chart::Series line{"weights in order", {}, {}, false}, tried{"tried weights", {}, {}, true};
  for (const std::size_t i : order)
    for (Chart::Series* s : {&line, &tried}) s->x.push_back(curve.misfit[i]), s->y.push_back(curve.penalty[i]);
  chart.series = {line, tried};
  chart.description = "Misfit and penalty of " + std::to_string(order.size()) + " weights.";
  const auto mark = [&](const std::string& what, double weight) {
    for (const std::size_t i : order) {
      if (curve.weight[i] != weight) continue;
      char text[32];
      std::snprintf(text, sizeof text, "%.3g", weight);
      chart.series.push_back({what + ", weight " + text, {curve.misfit[i]}, {curve.penalty[i]}, true});
      chart.description += ' ' + chart.series.back().name + ": misfit " + tick_text(curve.misfit[i]) + ", penalty " + tick_text(curve.penalty[i]) + '.';
      return;
    }
  };
  mark("chosen", curve.chosen);
  mark("corner", curve.corner);
  return chart;
}

}  // namespace invar
