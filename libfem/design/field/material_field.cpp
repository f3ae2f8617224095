#include "libfem/design/field/material_field.hpp"

#include "libfem/design/field/region_cells.hpp"

namespace invar {

MaterialField::MaterialField(std::shared_ptr<HelmholtzFilter> filter, const std::string& region,
                             const VariableTransform& transform, const FieldRange& range, std::vector<Target> targets)
    : filter_(std::move(filter)), transform_(transform), range_(range), targets_(std::move(targets)),
      start_(transform.coordinate(range.start)), outside_(transform.coordinate(range.outside)),
      bounds_(transform.bounds(range.lower, range.upper)), designed_(cells_in_region(filter_->mesh(), region)) {
  for (int c = 0; c < filter_->cell_count(); ++c)
    if (designed_[c] && filter_->owned()[c]) cells_.push_back(c);
}

std::vector<double> MaterialField::filled(const DesignVector& theta, double outside) const {
  std::vector<double> all(designed_.size(), outside);
  for (std::size_t i = 0; i < cells_.size(); ++i) all[cells_[i]] = theta.local[i];
  return all;
}

Evaluation MaterialField::apply(const DesignVector& theta, std::vector<Controls>& d) {
  if (const Evaluation e = filter_->apply(filled(theta, outside_), smooth_); !e.ok) return e;
  std::vector<double> values(smooth_.size(), range_.outside);
  int sound = 1;
  for (std::size_t c = 0; c < smooth_.size(); ++c) {
    if (!designed_[c]) continue;
    values[c] = transform_.physical(smooth_[c]);
    sound &= values[c] >= range_.least && values[c] <= range_.greatest;  // false for NaN
  }
  MPI_Allreduce(MPI_IN_PLACE, &sound, 1, MPI_INT, MPI_MIN, filter_->mesh().comm);
  if (!sound) return Evaluation::failure("material field: a filtered value is not admissible");
  for (const Target& t : targets_) d[t.case_index][t.control] = values;
  return Evaluation::success(0);
}

void MaterialField::want(std::vector<Controls>& d_bar) const {
  for (const Target& t : targets_) d_bar[t.case_index][t.control].assign(designed_.size(), 0.0);
}

// ---- forward, then reverse ----------------------------------------------------------------------

Evaluation MaterialField::jvp(const DesignVector&, const DesignVector& theta_dot, std::vector<Controls>& d_dot) {
  std::vector<double> smooth_dot;
  if (const Evaluation e = filter_->apply(filled(theta_dot, 0), smooth_dot); !e.ok) return e;
  for (std::size_t c = 0; c < smooth_dot.size(); ++c)
    smooth_dot[c] *= designed_[c] ? transform_.derivative(smooth_[c]) : 0.0;
  for (const Target& t : targets_) d_dot[t.case_index][t.control] = smooth_dot;
  return Evaluation::success(0);
}

Evaluation MaterialField::pull_back(const std::vector<double>& smooth_bar, DesignVector& theta_bar) {
  std::vector<double> rho_bar;
  const Evaluation e = filter_->vjp(smooth_bar, rho_bar);
  for (std::size_t i = 0; i < cells_.size() && e.ok; ++i) theta_bar.local[i] += rho_bar[cells_[i]];
  return e;
}

Evaluation MaterialField::vjp(const DesignVector&, std::vector<Controls>& d_bar, DesignVector& theta_bar) {
  std::vector<double> smooth_bar(smooth_.size(), 0.0);
  for (const Target& t : targets_)
    for (int c : cells_) smooth_bar[c] += transform_.derivative(smooth_[c]) * d_bar[t.case_index][t.control][c];
  return pull_back(smooth_bar, theta_bar);
}

Evaluation MaterialField::vjp_tangent(const DesignVector&, const DesignVector& theta_dot,
                                      const std::vector<Controls>& d_bar, std::vector<Controls>& d_bar_dot,
                                      DesignVector& theta_bar_dot) {
  std::vector<double> smooth_dot, smooth_bar_dot(smooth_.size(), 0.0);
  if (const Evaluation e = filter_->apply(filled(theta_dot, 0), smooth_dot); !e.ok) return e;
  for (const Target& t : targets_)
    for (int c : cells_) {
      const double bend = transform_.second_derivative(smooth_[c]) * smooth_dot[c];
      smooth_bar_dot[c] += transform_.derivative(smooth_[c]) * d_bar_dot[t.case_index][t.control][c] +
                           bend * d_bar[t.case_index][t.control][c];
    }
  return pull_back(smooth_bar_dot, theta_bar_dot);
}

}  // namespace invar
