#pragma once
#include <vector>

#include "libadjoint/petsc.hpp"
#include "libfem/form/repeated_rows.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// Chebyshev iteration as a fixed linear map P ≈ A⁻¹, for a symmetric matrix A and a diagonal M > 0 with A − M positive semidefinite: a
/// polynomial of M⁻¹A with as many terms as needed to reduce the error of M⁻¹b by the given factor (Golub and Varga, Chebyshev
/// semi-iterative methods, successive overrelaxation iterative methods, and second order Richardson iterative methods, Numer. Math. 3,
/// 1961). The number of terms depends on A and M only, so P is the same linear map in every call and on any number of ranks, and Pᵀ = P
/// to round-off even if P is a rough inverse. If A x = M x, then P A x = x.
/// Vectors have a numbering of their own, by rows of mesh nodes, in which the rows of A repeat on cells of equal size.
class ChebyshevInverse {
 public:
  /// dofs: one component. A: AIJ. M: vector of the space. Collective.
  ChebyshevInverse(const DofMap& dofs, Mat A, Vec M, double error);

  /// Number of products with A in one application.
  int terms() const { return terms_; }
  /// [local dof of the space] position in the local arrays of `create_vector`.
  const std::vector<int>& place() const { return place_; }
  /// A zero vector with ghost entries.
  VecHandle create_vector() const;
  /// x = P b; x and b must differ. Collective.
  void apply(Vec b, Vec x);

 private:
  void number(const DofMap& dofs);
  void read_rows(const DofMap& dofs, Mat A);

  MPI_Comm comm_;
  std::vector<int> place_;
  int n_owned_;
  std::vector<PetscInt> ghosts_;
  RepeatedRows rows_;              // of M⁻¹A
  std::vector<double> inverse_;    // [owned] of M
  double largest_ = 1;             // upper bound of the eigenvalues of M⁻¹A; their lower bound is 1
  int terms_ = 0;
  VecHandle scaled_, other_;
};

}  // namespace invar
