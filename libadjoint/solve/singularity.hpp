#pragma once
#include <string>

#include "libadjoint/petsc.hpp"

namespace invar {

/// An error message about the entries of a matrix; empty if all are finite and no row is empty. `row`: global number of the first bad
/// row, else −1. Collective.
std::string find_bad_row(Mat A, PetscInt& row);

/// Fills v with numbers of both signs that have components in all directions.
void scatter(Vec v);

/// Row-scaled residual ‖w − A z‖/‖w‖ of a solve with the factors, for a load w with components in all directions: of order one if A
/// is singular, even if pivots were perturbed. One back-substitution; HUGE_VAL: not finite. Collective.
double probed_residual(PC factors, Mat A);

/// Approximate singular vector of the smallest singular value, by inverse iteration with the factors.
struct WeakestMode {
  double stiffness;  // ‖S y‖/‖y‖ of the row- and column-scaled matrix S = D^-½ A D^-½; ~1e-16: null; 0: not finite
  PetscInt dof;      // global row with the largest entry of the mode; −1, not looked for, if the stiffness is above 1e-9
};

/// Below this a matrix counts as singular to round-off.
inline constexpr double singular_stiffness = 1e-14;

/// `factors` must be a complete exact factorisation of A. One back-substitution for a regular matrix, three for a suspicious one. D
/// is the largest magnitude of each row; if A is singular in this scaling, D is recomputed by equilibration of a copy of A, because
/// mixed units (a pressure in Pa beside displacements in m) can look like a singular mode. Throws PetscError on every rank if a
/// back-substitution fails on any. Collective.
WeakestMode weakest_mode(PC factors, Mat A, bool symmetric);

}  // namespace invar
