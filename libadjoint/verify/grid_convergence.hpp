#pragma once
#include <limits>
#include <span>

namespace invar {

/// How far a value still depends on the mesh or the step that it was computed with.
struct GridConvergence {
  // observed; NaN: of two values, or of three that do not converge
  double order = std::numeric_limits<double>::quiet_NaN();
  double assumed = 0;    // order that the index goes by
  double safety = 3;     // factor of the index
  double gci = std::numeric_limits<double>::quiet_NaN();     // of the finest value, relative to it
  double gci_of_run = std::numeric_limits<double>::quiet_NaN();  // of the first, coarsest value, relative to the finest
  double limit = std::numeric_limits<double>::quiet_NaN();   // extrapolated to h = 0
  bool monotone = false; // three values, and their differences fall with one sign
};

/// The grid convergence index of two or three values, the coarsest first, of which each was computed with a cell size
/// or step `ratio` times smaller than the one before:
///
///     gci = F |f_n − f_{n−1}| / (ratio^p − 1) / |f_n|
///
/// with F = 1.25 and the observed order p where three values converge monotonically, else F = 3 and the order `formal`,
/// that of the method (Roache, Perspective: a method for uniform reporting of grid refinement studies, J. Fluids Eng.
/// 116, 1994; Celik et al., J. Fluids Eng. 130, 2008). The index of the coarsest value is F |f_n − f_0| + gci |f_n|, as a part
/// of |f_n|. Not relative where f_n is zero. Equal values: 0. Throws std::invalid_argument for other numbers of values,
/// ratio ≤ 1 or formal ≤ 0.
GridConvergence grid_convergence(std::span<const double> values, double ratio, double formal);

}  // namespace invar
