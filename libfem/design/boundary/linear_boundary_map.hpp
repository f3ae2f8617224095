#pragma once
#include <Eigen/SparseCore>

#include "libfem/design/boundary/boundary_map.hpp"

namespace invar {

/// w = B θ with a constant sparse B: lattices, splines, bumps and other linear maps.
class LinearBoundaryMap final : public BoundaryMap {
 public:
  using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  /// B: [points · dim × names], the components of a point in successive rows. Throws std::invalid_argument if the sizes
  /// do not fit.
  LinearBoundaryMap(SparseMatrix B, int dim, std::vector<std::string> names);

  std::vector<std::string> names() const override { return names_; }
  int point_count() const override { return static_cast<int>(B_.rows()) / dim_; }
  void displace(const double* theta, double* w) const override;
  void jvp(const double* theta, const double* theta_dot, double* w_dot) const override;
  void vjp(const double* theta, const double* w_bar, double* theta_bar) const override;
  void vjp_tangent(const double*, const double*, const double*, double*) const override {}

  const SparseMatrix& matrix() const { return B_; }

 private:
  SparseMatrix B_;
  int dim_;
  std::vector<std::string> names_;
};

}  // namespace invar
