#include "libfem/design/boundary/linear_boundary_map.hpp"

#include <stdexcept>

namespace invar {

using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using MutableVector = Eigen::Map<Eigen::VectorXd>;

LinearBoundaryMap::LinearBoundaryMap(SparseMatrix B, int dim, std::vector<std::string> names)
    : B_(std::move(B)), dim_(dim), names_(std::move(names)) {
  if (dim != 2 && dim != 3) throw std::invalid_argument("a boundary map has points of 2 or 3 coordinates");
  if (B_.rows() % dim != 0 || B_.cols() != static_cast<int>(names_.size()))
    throw std::invalid_argument(
        "the matrix of a boundary map has a row per component of every point and a column "
        "per name");
  B_.makeCompressed();
}

void LinearBoundaryMap::displace(const double* theta, double* w) const {
  MutableVector(w, B_.rows()).noalias() = B_ * ConstVector(theta, B_.cols());
}

void LinearBoundaryMap::jvp(const double*, const double* theta_dot, double* w_dot) const { displace(theta_dot, w_dot); }

void LinearBoundaryMap::vjp(const double*, const double* w_bar, double* theta_bar) const {
  MutableVector(theta_bar, B_.cols()).noalias() += B_.transpose() * ConstVector(w_bar, B_.rows());
}

}  // namespace invar
