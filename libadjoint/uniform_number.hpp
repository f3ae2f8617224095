#pragma once
#include <random>

namespace invar {

/// A uniform random number in [0, 1). The random engine is standardised, the distributions of the standard library are
/// not: this function gives the same numbers everywhere.
inline double uniform_number(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

}  // namespace invar
