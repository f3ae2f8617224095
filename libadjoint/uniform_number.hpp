#pragma once
#include <random>

namespace invar {

/// Uniform in [0, 1). The engine is standardised, the library's distributions are not: this gives
/// the same numbers everywhere.
inline double uniform_number(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

}  // namespace invar
