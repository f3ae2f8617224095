#include "libfem/design/field/material_field.hpp"

#include <cmath>
#include <stdexcept>

#include "libadjoint/number_text.hpp"

namespace invar {
namespace {

/// Given values in optimiser coordinates.
GivenCells in_coordinates(GivenCells cells, const VariableTransform& transform) {
  for (double& v : cells.value) v = transform.coordinate(v);
  return cells;
}

}  // namespace

MaterialField::MaterialField(std::shared_ptr<CellFilter> filter, const std::string& region, const VariableTransform& transform,
                             const FieldRange& range, std::vector<Target> targets, const std::vector<PassiveCells>& passive)
    : cells_(filter, in_coordinates(given_cells(filter->mesh(), region, range.outside, passive), transform)),
      constant_(filter->mesh(), given_cells(filter->mesh(), region, range.outside, passive), transform, range, std::move(targets)),
      start_(transform.coordinate(range.start)), bounds_(transform.bounds(range.lower, range.upper)) {}

void MaterialField::project(std::vector<double>& q) {
  using Inner = Dual<double, 1>;
  using Outer = Dual<Inner, 1>;
  slope_.assign(q.size(), 0.0);
  bend_.assign(q.size(), 0.0);
  const double low = bounds_[0], width = bounds_[1] - low;
  for (std::size_t c = 0; c < q.size(); ++c) {
    if (!cells_.designed()[c]) continue;
    const Outer y = (*projection_)(Outer::variable(Inner::variable((q[c] - low) / width, 0), 0));
    q[c] = low + width * y.value.value;
    slope_[c] = y.grad[0].value;
    bend_[c] = y.grad[0].grad[0] / width;
  }
}

void MaterialField::scale_by_slope(std::vector<double>& q_dot) const {
  for (std::size_t c = 0; c < slope_.size(); ++c) q_dot[c] *= slope_[c];
}

Evaluation MaterialField::apply(const DesignVector& theta, std::vector<Controls>& d) {
  std::vector<double> q;
  if (const Evaluation e = cells_.apply(theta.local, q); !e.ok) return e;
  if (projection_) project(q);
  return constant_.apply(std::move(q), d);
}

// ---- forward, then reverse ----------------------------------------------------------------------

Evaluation MaterialField::jvp(const DesignVector&, const DesignVector& theta_dot, std::vector<Controls>& d_dot) {
  std::vector<double> q_dot;
  const Evaluation e = cells_.jvp(theta_dot.local, q_dot);
  if (!e.ok) return e;
  scale_by_slope(q_dot);
  constant_.jvp(q_dot, d_dot);
  return e;
}

Evaluation MaterialField::vjp(const DesignVector&, std::vector<Controls>& d_bar, DesignVector& theta_bar) {
  std::vector<double> q_bar = constant_.vjp(d_bar);
  scale_by_slope(q_bar);
  return cells_.vjp(std::move(q_bar), theta_bar.local);
}

Evaluation MaterialField::vjp_tangent(const DesignVector&, const DesignVector& theta_dot,
                                      const std::vector<Controls>& d_bar, std::vector<Controls>& d_bar_dot,
                                      DesignVector& theta_bar_dot) {
  std::vector<double> smooth_dot;
  if (const Evaluation e = cells_.jvp(theta_dot.local, smooth_dot); !e.ok) return e;
  std::vector<double> q_dot = smooth_dot;
  scale_by_slope(q_dot);
  std::vector<double> q_bar_dot = constant_.vjp_tangent(q_dot, d_bar, d_bar_dot);
  scale_by_slope(q_bar_dot);
  if (!bend_.empty()) {
    const std::vector<double> q_bar = constant_.vjp(d_bar);
    for (std::size_t c = 0; c < q_bar.size(); ++c) q_bar_dot[c] += bend_[c] * smooth_dot[c] * q_bar[c];
  }
  return cells_.vjp(std::move(q_bar_dot), theta_bar_dot.local);
}

// ---- projection -----------------------------------------------------------------------------------

ProjectedField::ProjectedField(std::shared_ptr<CellFilter> filter, const std::string& region, const VariableTransform& transform, const FieldRange& range,
                               std::vector<Target> targets, double threshold, std::vector<Stage> stages, const std::vector<PassiveCells>& passive)
    : MaterialField(std::move(filter), region, transform, range, std::move(targets), passive), threshold_(threshold), stages_(std::move(stages)) {
  if (!std::isfinite(bounds()[0]) || !std::isfinite(bounds()[1]) || bounds()[0] == bounds()[1])
    throw std::invalid_argument("a field is projected to two different, finite bounds");
  begin_stage(0);
}

std::string ProjectedField::stage_text(int stage) const { return "stage " + std::to_string(stage + 1) + ": steepness " + number_text(stages_.at(stage).steepness); }

}  // namespace invar
