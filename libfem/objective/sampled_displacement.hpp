#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libfem/objective/linear_observable.hpp"

namespace invar {

/// Where a linear observable reads the unknown.
struct Sample {
  std::vector<double> point;  // [dim], undeformed, m
  int component;
};

/// The unknown at points anywhere in the mesh. `distance`: of each sample's point from the mesh, 0
/// inside, infinite where the component does not live in the cell there; what to do about others is for the caller.
/// level: the value, or a rate of it. Collective.
std::unique_ptr<LinearObservable> make_point_samples(std::shared_ptr<const DofMap> dofs,
                                                     const std::vector<Sample>& samples,
                                                     std::vector<double>& distance, Level level = Level::value);

/// √w u_c(x_q) at every quadrature point of a region and every component asked for, w the point's
/// weight times its measure over the measure of the region: sums of squares of differences are mean
/// squares over the region. `target(c, x)` is what to compare with; `targets` receives √w target.
/// dim: of the region. Collective; rows are ordered by rank.
std::unique_ptr<LinearObservable> make_field_samples(std::shared_ptr<const DofMap> dofs, const std::string& region,
                                                     int dim, int degree, const std::vector<int>& components,
                                                     const std::function<double(int, const double*)>& target,
                                                     std::vector<double>& targets);

/// Length, area or volume of a region, not of what it generates by revolution [m^dim]. dim: of the region. Collective.
double region_measure(std::shared_ptr<const DofMap> dofs, const std::string& region, int dim, int degree);

}  // namespace invar
