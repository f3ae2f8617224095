#include "libfem/objective/energy_balance.hpp"

#include <algorithm>
#include <cmath>

namespace invar {
namespace {

/// Whether the equation is of first order in time, with masses that multiply rates. Its unknown need not be a velocity, so no
/// kinetic energy can be derived from the mass.
bool is_of_first_order(const FormResidual& r) {
  bool first = false;
  for (int f = 0; f < r.form_count(); ++f) {
    if (!r.is_of_equation(f)) continue;
    if (r.form_traits(f).reads[Level::acceleration]) return false;
    first |= r.form_traits(f).reads[Level::rate];
  }
  return first;
}

std::string why_not_constant(const FormResidual& r) {
  if (is_of_first_order(r)) return "an equation of first order in time conserves no energy";
  bool moves = false;
  for (int f = 0; f < r.form_count(); ++f) moves |= r.is_of_equation(f) && r.form_traits(f).inertia();
  if (!moves) return "there is no inertia";
  for (int f = 0; f < r.form_count(); ++f) {
    if (!r.is_of_equation(f)) continue;
    const std::string name = r.form_name(f).empty() ? "a term of the equation" : r.form_name(f);
    const FormTraits traits = r.form_traits(f);
    if (!traits.inertia() && !traits.potential) return name + " takes or gives energy";
    if (r.form_varies(f)) return name + " varies in time";
  }
  for (const DirichletCondition& c : r.dirichlet_conditions())
    if (r.varies(c.value)) return "the support '" + c.region + "' moves";
  return {};
}

}  // namespace

EnergyBalance::EnergyBalance(std::shared_ptr<FormResidual> equation)
    : equation_(std::move(equation)), reason_(why_not_constant(*equation_)) {}

double EnergyBalance::kinetic(const EvaluationPoint& u) {
  const VecHandle momentum = equation_->create_vector();
  EvaluationPoint rate(State{}, u.given);
  rate.levels[Level::acceleration] = u.levels[Level::rate];
  double sum = 0;
  for (int f = 0; f < equation_->form_count(); ++f) {
    if (!equation_->is_of_equation(f) || !equation_->form_traits(f).inertia()) continue;
    equation_->form_residual(f, rate, momentum);
    double twice = 0;
    check(VecDot(momentum, u.levels[Level::rate], &twice));
    sum += 0.5 * twice;
  }
  return sum;
}

double EnergyBalance::potential(const EvaluationPoint& u) {
  double sum = 0;
  for (int f = 0; f < equation_->form_count(); ++f)
    if (equation_->is_of_equation(f) && equation_->form_traits(f).potential) sum += equation_->form_value(f, u);
  return sum;
}

EnergyHistory EnergyBalance::history(Case& process) {
  EnergyHistory h;
  h.kinetic.resize(process.times().size());
  h.potential.resize(process.times().size());
  process.visit_states([&](int step, const EvaluationPoint& u) {
    h.kinetic[step] = kinetic(u);
    h.potential[step] = potential(u);
  });
  double size = 0;
  for (std::size_t k = 0; k < h.kinetic.size(); ++k) size = std::max({size, h.kinetic[k], std::abs(h.potential[k])});
  if (size == 0) return h;
  const auto change = [&](std::size_t k) { return (h.kinetic[k] + h.potential[k] - h.kinetic[0] - h.potential[0]) / size; };
  h.drift = change(h.kinetic.size() - 1);
  for (std::size_t k = 0; k < h.kinetic.size(); ++k) h.largest_drift = std::max(h.largest_drift, std::abs(change(k)));
  return h;
}

}  // namespace invar
