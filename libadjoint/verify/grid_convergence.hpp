#pragma once
#include <limits>
#include <span>

namespace invar {

/// Estimated discretisation error of a value: its dependence on mesh size or time step.
struct GridConvergence {
  // observed order; NaN: for two values, or three that do not converge
  double order = std::numeric_limits<double>::quiet_NaN();
  double assumed = 0;    // order used for the index
  double safety = 3;     // safety factor of the index
  double gci = std::numeric_limits<double>::quiet_NaN();     // of the finest value, relative to it
  double gci_of_run = std::numeric_limits<double>::quiet_NaN();  // of the first, coarsest value, relative to the finest
  double limit = std::numeric_limits<double>::quiet_NaN();   // extrapolated to h = 0
  bool monotone = false; // three values whose differences decrease with one sign
};

/// Grid convergence index of two or three values, the coarsest first; each was computed with a mesh size or step `ratio` times
/// smaller than the previous one:
///   gci = F |f_n − f_{n−1}| / (ratio^p − 1) / |f_n|
/// F = 1.25 and p is the observed order if three values converge monotonically; else F = 3 and p = `formal`, the order of the
/// method (Roache, J. Fluids Eng. 116, 1994; Celik et al., J. Fluids Eng. 130, 2008). The index of the coarsest value is (F
/// |f_n − f_0| + gci |f_n|) / |f_n|. The index is absolute if f_n is zero. Equal values: 0. Throws std::invalid_argument for
/// other numbers of values, ratio ≤ 1 or formal ≤ 0.
GridConvergence grid_convergence(std::span<const double> values, double ratio, double formal);

}  // namespace invar
