#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "libfem/math/tensor.hpp"

namespace invar {

/// Samples of a contact surface at rest and their displacements. They are stored separately to avoid cancellation in gaps that are
/// small compared with coordinates: x_a − x_b = (X_a − X_b) + (u_a − u_b).
struct SurfacePosition {
  int dim = 0;
  std::vector<double> X, u;  // [n_samples × dim], m

  /// Vector from sample b to sample a.
  template <int D>
  Vector<double, D> difference(int a, int b) const {
    Vector<double, D> r;
    for (int d = 0; d < D; ++d) r[d] = (X[a * D + d] - X[b * D + d]) + (u[a * D + d] - u[b * D + d]);
    return r;
  }
  /// Diagonal of the bounding box of all samples, m.
  double diagonal() const {
    double square = 0;
    for (int d = 0; d < dim; ++d) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t i = d; i < X.size(); i += dim) low = std::min(low, X[i] + u[i]), high = std::max(high, X[i] + u[i]);
      square += (high - low) * (high - low);
    }
    return std::sqrt(square);
  }
  template <int D>
  Vector<double, D> at(int a) const {
    Vector<double, D> r;
    for (int d = 0; d < D; ++d) r[d] = X[a * D + d] + u[a * D + d];
    return r;
  }
};

}  // namespace invar
