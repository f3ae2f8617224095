#pragma once
#include <Eigen/Core>
#include <cstdint>

namespace invar {

// Points in the open unit cube, one per row [rows × dimensions]. The same arguments give the same numbers on every
// machine.

/// Independent uniform points. A row depends on its index and the seed only, so more rows do not change the earlier
/// ones.
Eigen::MatrixXd random_points(int rows, int dimensions, std::uint64_t seed);
/// Latin hypercube: in each dimension one point in each of `rows` equal slices (McKay, Beckman and Conover 1979).
/// Another number of rows changes all points.
Eigen::MatrixXd latin_hypercube_points(int rows, int dimensions, std::uint64_t seed);
/// Sobol's sequence with the direction numbers of Joe and Kuo (2008), first point included, in 32 bits; scrambled after
/// Owen (1995) by the hash of Laine and Karras (2011) as corrected by Burley (2020). More rows do not change the
/// earlier ones; powers of two are best balanced.
Eigen::MatrixXd sobol_points(int rows, int dimensions, std::uint64_t seed);

}  // namespace invar
