#include "libfem/design/field/material_field.hpp"

namespace invar {

MaterialField::MaterialField(std::shared_ptr<HelmholtzFilter> filter, const std::string& region,
                             const VariableTransform& transform, const FieldRange& range, std::vector<Target> targets)
    : filter_(std::move(filter)), constant_(filter_->mesh(), region, transform, range, std::move(targets)),
      start_(transform.coordinate(range.start)), outside_(transform.coordinate(range.outside)),
      bounds_(transform.bounds(range.lower, range.upper)) {
  for (int c = 0; c < filter_->cell_count(); ++c)
    if (constant_.designed()[c] && filter_->owned()[c]) cells_.push_back(c);
}

std::vector<double> MaterialField::filled(const DesignVector& theta, double outside) const {
  std::vector<double> all(constant_.designed().size(), outside);
  for (std::size_t i = 0; i < cells_.size(); ++i) all[cells_[i]] = theta.local[i];
  return all;
}

Evaluation MaterialField::apply(const DesignVector& theta, std::vector<Controls>& d) {
  std::vector<double> smooth;
  if (const Evaluation e = filter_->apply(filled(theta, outside_), smooth); !e.ok) return e;
  return constant_.apply(std::move(smooth), d);
}

// ---- forward, then reverse ----------------------------------------------------------------------

Evaluation MaterialField::jvp(const DesignVector&, const DesignVector& theta_dot, std::vector<Controls>& d_dot) {
  std::vector<double> smooth_dot;
  const Evaluation e = filter_->apply(filled(theta_dot, 0), smooth_dot);
  if (e.ok) constant_.jvp(smooth_dot, d_dot);
  return e;
}

Evaluation MaterialField::pull_back(const std::vector<double>& smooth_bar, DesignVector& theta_bar) {
  std::vector<double> rho_bar;
  const Evaluation e = filter_->vjp(smooth_bar, rho_bar);
  for (std::size_t i = 0; i < cells_.size() && e.ok; ++i) theta_bar.local[i] += rho_bar[cells_[i]];
  return e;
}

Evaluation MaterialField::vjp(const DesignVector&, std::vector<Controls>& d_bar, DesignVector& theta_bar) {
  return pull_back(constant_.vjp(d_bar), theta_bar);
}

Evaluation MaterialField::vjp_tangent(const DesignVector&, const DesignVector& theta_dot,
                                      const std::vector<Controls>& d_bar, std::vector<Controls>& d_bar_dot,
                                      DesignVector& theta_bar_dot) {
  std::vector<double> smooth_dot;
  if (const Evaluation e = filter_->apply(filled(theta_dot, 0), smooth_dot); !e.ok) return e;
  return pull_back(constant_.vjp_tangent(smooth_dot, d_bar, d_bar_dot), theta_bar_dot);
}

}  // namespace invar
