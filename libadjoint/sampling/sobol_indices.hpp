#pragma once
#include <Eigen/Core>
#include <cstdint>

namespace invar {

/// Shares of the variance of y = f(x) that independent inputs account for.
struct SobolIndices {
  double variance = 0;
  Eigen::VectorXd first;  // of each input by itself
  Eigen::VectorXd total;  // of each with all that it acts together with
  // their standard errors, as if blocks were independent: on Sobol's sequence too large
  Eigen::VectorXd first_error, total_error;
  int used = 0;           // blocks whose values were all there
};

/// Points in the unit cube at which indices want f: `blocks` times, one after the other, A, B and for each input i A
/// with the i-th number of B; (inputs + 2)·blocks × inputs. More blocks leave those before as they are. Saltelli et
/// al., Comput. Phys. Commun. 181 (2010) 259, on Sobol's sequence.
Eigen::MatrixXd saltelli_points(int blocks, int inputs, std::uint64_t seed);

/// From the values at those points, in their order. Blocks with a value that is not a number are left out. First
/// indices after Saltelli 2010 (b) with the mean taken off, total ones after Jansen (1999), errors by the
/// delta method for ratios of means. Not-a-number where nothing varies.
SobolIndices sobol_indices(const Eigen::VectorXd& values, int inputs);

}  // namespace invar
