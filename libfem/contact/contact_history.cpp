#include "libfem/contact/contact_history.hpp"

#include <cstdio>
#include <limits>

#include "libfem/contact/contact_forms.hpp"
#include "libfem/contact/surface_fields.hpp"

namespace invar {

SurfacePosition surfaces_at(const QuantityCase& c, const ContactQuantityCase::Pair& pair, const EvaluationPoint& u) {
  const SurfaceTransfer transfer(pair.finder->surface(), pair.finder->nodes(), c.dofs);
  const LocalArray local(u);
  SurfacePosition at;
  at.dim = c.dim();
  at.X = transfer.of_coordinates(c.residual->coordinates(u.given).data());
  at.u = transfer.of_unknown(local.data());
  return at;
}

std::vector<std::pair<std::string, Measurement>> contact_step_numbers(const ContactQuantityCase& c) {
  std::vector<std::pair<std::string, Measurement>> all;
  const auto add = [&](const std::string& name, auto value) {
    Measurement m;
    m.value = value;
    all.emplace_back(name, std::move(m));
  };
  for (const ContactQuantityCase::Pair& pair : c.pairs) {
    add(pair.name + ".pairs", [c, pair](const EvaluationPoint& u) {
      const double d_hat = c.residual->number(pair.values[1].control, u.given);
      return static_cast<double>(pair.finder->pair_count(surfaces_at(c, pair, u), d_hat));
    });
    add(pair.name + ".smallest_gap", [c, pair](const EvaluationPoint& u) { return pair.finder->smallest_gap(surfaces_at(c, pair, u)); });
    if (!pair.friction) continue;
    add(pair.name + ".friction_power", [power = c.integral(make_friction_power(pair.finder, c.dofs), pair.values)](const EvaluationPoint& u) {
      double value = 0;
      power->evaluate(u, &value);
      return value;
    });
  }
  return all;
}

std::string nearest_surfaces(const ContactQuantityCase& c, const EvaluationPoint& u) {
  constexpr double a_little_more = 1 + 1e-6;
  double least = std::numeric_limits<double>::infinity();
  std::string words;
  for (const ContactQuantityCase::Pair& pair : c.pairs) {
    const SurfacePosition at = surfaces_at(c, pair, u);
    const double gap = pair.finder->smallest_gap(at);
    if (!(gap < least && gap < c.residual->number(pair.values[1].control, u.given))) continue;
    const std::vector<Overlap> nearest = pair.finder->overlaps(at, gap * a_little_more);
    if (nearest.empty()) continue;
    least = gap;
    const std::array<double, 3>& x = nearest.front().place;
    char place[160];
    if (c.dim() == 3) std::snprintf(place, sizeof place, "%.3g m apart at (%.4g, %.4g, %.4g)", gap, x[0], x[1], x[2]);
    else std::snprintf(place, sizeof place, "%.3g m apart at (%.4g, %.4g)", gap, x[0], x[1]);
    const bool self = pair.regions.size() == 1;
    words = (self ? "parts of '" + pair.regions[0] + "'" : "'" + pair.regions[0] + "' and '" + pair.regions[1] + "'") + " (contact '" + pair.name + "') are " + place;
  }
  return words;
}

}  // namespace invar
