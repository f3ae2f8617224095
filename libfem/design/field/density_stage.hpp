#pragma once
#include <cmath>

#include "libadjoint/param_spec.hpp"
#include "libfem/math/dual.hpp"

namespace invar {

/// From a filtered density ρ̃ (0 solid, 1 fluid) to the density that counts and the resistance of the
/// porous body. The numbers change between the stages of an optimisation, which begins with grey that is
/// easy to move and ends with black and white.
struct DensityStage {
  double steepness = 0;         // β of the projection; 0: none
  double threshold = 0.5;       // η: filtered densities above it go to 1
  double convexity = 0.1;       // q of the resistance: the smaller, the less grey cells resist
  double max_resistance = 0;    // α_max of solid, Pa s/m²

  /// ρ = (tanh βη + tanh β(ρ̃ − η)) / (tanh βη + tanh β(1 − η)) (Wang, Lazarov and Sigmund, On
  /// projection methods, convergence and robust formulations in topology optimization, 2011).
  template <class T>
  T density(const T& filtered) const {
    using std::tanh;
    if (steepness == 0) return filtered;  // the limit
    const double low = tanh(steepness * threshold), high = tanh(steepness * (1 - threshold));
    return (tanh(T(steepness * (filtered - threshold))) + low) / (low + high);
  }
  /// α = α_max q (1 − ρ)/(q + ρ) (Borrvall and Petersson, Topology optimization of fluids in Stokes
  /// flow, 2003), Pa s/m².
  template <class T>
  T resistance(const T& density) const {
    return (max_resistance * convexity) * (1 - density) / (convexity + density);
  }
};

inline constexpr ParamSpec density_stage_params[] = {
    {.key = "steepness", .unit = "1", .doc = "how sharply filtered densities are projected to 0 and 1; 0: not at all",
     .default_value = 0, .lower = 0, .may_be_field = false},
    {.key = "threshold", .unit = "1", .doc = "filtered densities above it are projected to 1",
     .default_value = 0.5, .lower = 0, .upper = 1, .may_be_field = false},
    {.key = "convexity", .unit = "1", .doc = "q of the resistance over the density: the smaller, the less grey cells resist",
     .default_value = 0.1, .lower = 0, .lower_open = true, .may_be_field = false},
    {.key = "max_resistance", .unit = "Pa s/m^2", .doc = "α_max, resistance of solid to the flow through it",
     .lower = 0, .lower_open = true, .may_be_field = false},
};

}  // namespace invar
