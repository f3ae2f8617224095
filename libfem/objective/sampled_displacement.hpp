#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libfem/objective/linear_observable.hpp"

namespace invar {

/// A point where a linear observable evaluates the unknown.
struct Sample {
  std::vector<double> point;  // [dim], undeformed, m
  int component;
};

/// Sets `places` and `components` of measured values: MeasuredSet.
inline void tell_places(const std::vector<Sample>& samples, std::vector<double>& places, std::vector<int>& components) {
  for (const Sample& s : samples) {
    places.insert(places.end(), s.point.begin(), s.point.end());
    components.push_back(s.component);
  }
}

/// The unknown at arbitrary points of the mesh. `distance`: of each point from the mesh, 0 inside, infinite if the
/// component does not exist in the cell; the caller decides what to accept. level: the value, or a rate. Collective.
std::unique_ptr<LinearObservable> make_point_samples(std::shared_ptr<const DofMap> dofs,
                                                     const std::vector<Sample>& samples,
                                                     std::vector<double>& distance, Level level = Level::value);

/// √w u_c(x_q) at every quadrature point of a region for each component, with w the quadrature weight times the
/// measure, relative to the measure of the region: sums of squared differences are mean squares over the region.
/// `target(c, x)`: reference values; `targets` receives √w target. dim: of the region. Collective; rows are ordered by
/// rank.
std::unique_ptr<LinearObservable> make_field_samples(std::shared_ptr<const DofMap> dofs, const std::string& region,
                                                     int dim, int degree, const std::vector<int>& components,
                                                     const std::function<double(int, const double*)>& target,
                                                     std::vector<double>& targets);

/// Length, area or volume of a region (not of its body of revolution) [m^dim]. dim: of the region. Collective.
double region_measure(std::shared_ptr<const DofMap> dofs, const std::string& region, int dim, int degree);

}  // namespace invar
