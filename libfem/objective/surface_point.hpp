#pragma once
#include <array>
#include <memory>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// A material point of a surface: a weighted mean of nodes (global numbers) with constant weights.
struct SurfacePoint {
  std::vector<long long> nodes;
  std::vector<double> weights;
  std::vector<double> place;  // in the undeformed mesh, m
};

/// Intersections of the line x = station with a facet region of a 2-D mesh, from below, without duplicates. Throws std::invalid_argument
/// if the region does not exist. Collective.
std::vector<SurfacePoint> cut_at(const Mesh& mesh, const std::string& region, double station);

/// The node of a region with the smallest x (the lowest of several). Collective.
SurfacePoint foremost(const Mesh& mesh, const std::string& region);

/// A coordinate [m] of a material point of a mesh with designed coordinates. Independent of the unknown.
class PointPlace final : public Observable {
 public:
  PointPlace(std::shared_ptr<FormResidual> residual, const SurfacePoint& point, int component);

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot, const Controls* d_dot,
                   const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  double sum(const double* nodal) const;

  std::shared_ptr<FormResidual> residual_;
  std::vector<std::pair<std::size_t, double>> entries_;  // of owned nodes: positions among coordinates, weights
};

/// Distance of two material points.
std::shared_ptr<Observable> make_point_distance(const std::shared_ptr<FormResidual>& residual, const std::array<SurfacePoint, 2>& points);

/// Radius of the circle through three material points of a 2-D mesh.
std::shared_ptr<Observable> make_circle_radius(const std::shared_ptr<FormResidual>& residual, const std::array<SurfacePoint, 3>& points);

}  // namespace invar
