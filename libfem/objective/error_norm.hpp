#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "libfem/objective/linear_observable.hpp"

namespace invar {

/// L2 norm ‖u − û‖ of some components against given functions, over the region where they live (axisymmetric: over the meridian plane,
/// without 2πr). Quadrature of degree 8, because errors are no polynomials.
class ErrorNorm {
 public:
  /// components: one or more, of the same region. target(c, x): û of component c at a point x [3, m]. without_mean: subtracts the mean of u − û, for pressures that
  /// are determined up to a constant. Collective.
  ErrorNorm(const std::shared_ptr<const DofMap>& dofs, const std::vector<int>& components,
            const std::function<double(int c, const double* x)>& target, bool without_mean = false);

  /// In the unit of u times m^(dim/2). Collective.
  double evaluate(const EvaluationPoint& u) const;
  /// A mesh size that halves under regular refinement: (measure of the region / cells of the mesh)^(1/dim) [m].
  double cell_size() const { return cell_size_; }

 private:
  std::shared_ptr<LinearObservable> samples_;  // √w u at quadrature points; the weights w sum to 1
  std::vector<double> target_;                 // √w û
  std::vector<double> ones_;                   // √w; given where the mean of the difference is taken away
  double measure_ = 0;                         // of the region, m² or m³
  double cell_size_ = 0;
};

/// Observed order p of e ~ h^p from two mesh sizes h and errors e.
double observed_order(double coarse_size, double coarse_error, double fine_size, double fine_error);

}  // namespace invar
