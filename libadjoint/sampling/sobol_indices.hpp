#pragma once
#include <Eigen/Core>
#include <cstdint>

namespace invar {

/// Sobol' sensitivity indices: shares of the variance of y = f(x) due to independent inputs.
struct SobolIndices {
  double variance = 0;
  Eigen::VectorXd first;  // first-order index of each input
  Eigen::VectorXd total;  // total index of each input, interactions included
  // standard errors for independent blocks; too large for Sobol' sequences
  Eigen::VectorXd first_error, total_error;
  int used = 0;           // blocks with all values
};

/// Points in the unit cube for `sobol_indices`: in each of `blocks` blocks A, B, and for each input i the point A with
/// its i-th coordinate from B; [(inputs + 2)·blocks × inputs]. More blocks do not change the earlier ones. Saltelli et
/// al., Comput. Phys. Commun. 181 (2010) 259, with Sobol's sequence.
Eigen::MatrixXd saltelli_points(int blocks, int inputs, std::uint64_t seed);

/// Indices from the values at these points, in the same order. Blocks with a NaN are left out. First-order indices:
/// Saltelli 2010 (b) with the mean subtracted; total: Jansen (1999); errors: delta method for ratios of means. NaN if y
/// does not vary.
SobolIndices sobol_indices(const Eigen::VectorXd& values, int inputs);

}  // namespace invar
