#pragma once
#include <mpi.h>

#include <cmath>
#include <vector>

namespace invar {

/// A point, direction or gradient in design space. `shared` entries (material constants, load factors) are the same on
/// every rank; `local` entries (fields) belong to this rank alone.
struct DesignVector {
  std::vector<double> shared;  // [n_shared], identical on all ranks
  std::vector<double> local;   // [n_local], this rank's part of the field entries

  static DesignVector zeros_like(const DesignVector& x) {
    return {std::vector<double>(x.shared.size(), 0.0), std::vector<double>(x.local.size(), 0.0)};
  }
  /// this += alpha * x
  void axpy(double alpha, const DesignVector& x) {
    for (std::size_t i = 0; i < shared.size(); ++i) shared[i] += alpha * x.shared[i];
    for (std::size_t i = 0; i < local.size(); ++i) local[i] += alpha * x.local[i];
  }
  void scale(double alpha) {
    for (double& v : shared) v *= alpha;
    for (double& v : local) v *= alpha;
  }
  bool operator==(const DesignVector&) const = default;
};

/// Euclidean inner product over all ranks (collective).
inline double dot(const DesignVector& a, const DesignVector& b, MPI_Comm comm) {
  double local = 0;
  for (std::size_t i = 0; i < a.local.size(); ++i) local += a.local[i] * b.local[i];
  double sum = 0;
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  for (std::size_t i = 0; i < a.shared.size(); ++i) sum += a.shared[i] * b.shared[i];
  return sum;
}

inline double norm(const DesignVector& a, MPI_Comm comm) { return std::sqrt(dot(a, a, comm)); }

}  // namespace invar
