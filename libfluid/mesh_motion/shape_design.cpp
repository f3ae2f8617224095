#include "libfluid/mesh_motion/shape_design.hpp"

namespace invar {

void ShapeDesign::want(std::vector<Controls>& d_bar) const {
  for (const Target& t : targets_) d_bar[t.case_index][t.control] = zeros();
}

/// Sum of all cases' derivatives by the coordinates.
std::vector<double> ShapeDesign::sum(const std::vector<Controls>& d_bar) const {
  std::vector<double> x_bar = zeros();
  for (const Target& t : targets_)
    for (std::size_t i = 0; i < x_bar.size(); ++i) x_bar[i] += d_bar[t.case_index][t.control][i];
  return x_bar;
}

// ---- forward, then reverse, then second order -----------------------------------------------------

Evaluation ShapeDesign::apply(const DesignVector& theta, std::vector<Controls>& d) {
  std::vector<double> boundary = zeros(), coordinates;
  if (const Evaluation e = source_->displace(theta, boundary); !e.ok) return e;
  if (const Evaluation e = motion_->move(boundary, coordinates); !e.ok) return e;
  for (const Target& t : targets_) d[t.case_index][t.control] = coordinates;
  return Evaluation::success(0);
}

Evaluation ShapeDesign::jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) {
  std::vector<double> boundary_dot = zeros(), x_dot;
  if (const Evaluation e = source_->jvp(theta, theta_dot, boundary_dot); !e.ok) return e;
  if (const Evaluation e = motion_->jvp(boundary_dot, x_dot); !e.ok) return e;
  for (const Target& t : targets_) d_dot[t.case_index][t.control] = x_dot;
  return Evaluation::success(0);
}

Evaluation ShapeDesign::vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) {
  std::vector<double> boundary_bar;
  if (const Evaluation e = motion_->vjp(sum(d_bar), boundary_bar); !e.ok) return e;
  return source_->vjp(theta, boundary_bar, theta_bar);
}

Evaluation ShapeDesign::vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot,
                                    const std::vector<Controls>& d_bar, std::vector<Controls>& d_bar_dot,
                                    DesignVector& theta_bar_dot) {
  const std::vector<double> x_bar = sum(d_bar);
  std::vector<double> boundary_dot = zeros(), boundary_bar, boundary_bar_dot;
  if (const Evaluation e = source_->jvp(theta, theta_dot, boundary_dot); !e.ok) return e;
  if (const Evaluation e = motion_->vjp_tangent(boundary_dot, x_bar, sum(d_bar_dot), boundary_bar_dot); !e.ok) return e;
  if (const Evaluation e = source_->vjp(theta, boundary_bar_dot, theta_bar_dot); !e.ok) return e;
  if (const Evaluation e = motion_->vjp(x_bar, boundary_bar); !e.ok) return e;
  return source_->vjp_curvature(theta, theta_dot, boundary_bar, theta_bar_dot);
}

}  // namespace invar
