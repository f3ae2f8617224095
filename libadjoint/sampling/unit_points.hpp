#pragma once
#include <Eigen/Core>
#include <cstdint>

namespace invar {

// Points in the open unit cube, one a row: rows × dimensions. The same arguments give the same numbers everywhere.

/// Independent ones. A row depends on its index and the seed only: more rows leave those before as they are.
Eigen::MatrixXd random_points(int rows, int dimensions, std::uint64_t seed);
/// In each dimension one point in each of `rows` slices of equal width (McKay, Beckman and Conover 1979). Another
/// number of rows moves all points.
Eigen::MatrixXd latin_hypercube_points(int rows, int dimensions, std::uint64_t seed);
/// Sobol's sequence with the direction numbers of Joe and Kuo (2008), its first point included, in 32 bits; scrambled
/// after Owen (1995) by the hash of Laine and Karras (2011) as corrected by Burley (2020). More rows leave those before
/// as they are; balance is best at powers of two.
Eigen::MatrixXd sobol_points(int rows, int dimensions, std::uint64_t seed);

}  // namespace invar
