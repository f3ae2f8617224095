#include "libfem/contact/contact_history.hpp"

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

}  // namespace invar
