#include "libfem/contact/contact_history.hpp"

#include <algorithm>
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

namespace {

std::string surfaces_of(const ContactQuantityCase::Pair& pair) {
  const bool self = pair.regions.size() == 1;
  return (self ? "parts of '" + pair.regions[0] + "'" : "'" + pair.regions[0] + "' and '" + pair.regions[1] + "'") + " (contact '" + pair.name + "')";
}

std::string place_of(const Overlap& overlap, int dim) {
  char place[96];
  const std::array<double, 3>& x = overlap.place;
  if (dim == 3) std::snprintf(place, sizeof place, "at (%.4g, %.4g, %.4g)", x[0], x[1], x[2]);
  else std::snprintf(place, sizeof place, "at (%.4g, %.4g)", x[0], x[1]);
  return place;
}

}  // namespace

std::string nearest_surfaces(const ContactQuantityCase& c, const EvaluationPoint& u) {
  constexpr double a_little_more = 1 + 1e-6;
  for (const ContactQuantityCase::Pair& pair : c.pairs) {
    SurfacePosition rest = surfaces_at(c, pair, u);
    std::ranges::fill(rest.u, 0.0);
    const std::vector<Overlap> crossed = pair.finder->overlaps(rest, 0);
    if (!crossed.empty()) return surfaces_of(pair) + " intersect " + place_of(crossed.front(), c.dim()) + " before anything moves them";
  }
  double least = std::numeric_limits<double>::infinity();
  std::string words;
  for (const ContactQuantityCase::Pair& pair : c.pairs) {
    const SurfacePosition at = surfaces_at(c, pair, u);
    const double gap = pair.finder->smallest_gap(at);
    if (!(gap < least && gap < c.residual->number(pair.values[1].control, u.given))) continue;
    const std::vector<Overlap> nearest = pair.finder->overlaps(at, gap * a_little_more);
    if (nearest.empty()) continue;
    least = gap;
    char apart[48];
    std::snprintf(apart, sizeof apart, " are %.3g m apart ", gap);
    words = surfaces_of(pair) + apart + place_of(nearest.front(), c.dim());
  }
  return words;
}

}  // namespace invar
