#pragma once
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// An error message about the entries of a matrix; empty when all are finite and no row is empty. `row` receives the
/// global number of the first bad row, else −1. Collective.
std::string find_bad_row(Mat A, PetscInt& row);

/// ‖w − A z‖/‖w‖, scaled by rows, of what the factors make of a load w with a part in every direction: of the order of one where A is
/// singular, whatever perturbed pivots let the factors say. One back-substitution; HUGE_VAL: not finite. Collective.
double probed_residual(PC factors, Mat A);

/// Approximate singular vector of the smallest singular value, by inverse iteration with the factors of the matrix.
struct WeakestMode {
  double stiffness;  // ‖S y‖/‖y‖ of the row- and column-scaled matrix S = D^-½ A D^-½; ~1e-16: null; 0: not finite
  PetscInt dof;      // global row with the largest entry of the mode
};

/// Below this the matrix is singular to round-off.
inline constexpr double singular_stiffness = 1e-14;

/// `factors` must be a set-up exact factorisation of A. One back-substitution for a sound matrix,
/// three for a suspicious one. D holds the largest magnitude of each row; where A is singular by that, D is found again
/// by equilibration, with a copy of A: a pressure beside displacements in Pa and m is no motion without resistance.
/// Throws PetscError on every rank where a back-substitution fails on any. Collective.
WeakestMode weakest_mode(PC factors, Mat A, bool symmetric);

}  // namespace invar
