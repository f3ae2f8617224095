#pragma once
#include <array>

namespace invar {

/// The perceptually uniform colour map viridis (S. van der Walt and N. Smith, matplotlib, CC0), smooth
/// through 18 of its colours: red, green and blue in [0, 1] at t in [0, 1].
std::array<double, 3> viridis(double t);

}  // namespace invar
