#pragma once
#include <cmath>

#include "libfem/math/dual.hpp"

namespace invar {

/// From a filtered density ρ̃ (0 to 1) to the density that counts and the property of the material that follows from
/// it: the resistance of a porous body to flow (1: fluid), or the stiffness of a solid (1: material, 0: void). The
/// numbers change between the stages of an optimisation, which begins with grey that is easy to move and ends with
/// black and white.
struct DensityStage {
  enum class Law {
    resistance,  // of a porous body to flow: convexity, max_resistance
    simp,        // of a solid: penalty, void_share
    ramp         // likewise
  };

  double steepness = 0;         // β of the projection; 0: none
  double threshold = 0.5;       // η: filtered densities above it go to 1
  Law law = Law::resistance;
  double convexity = 0.1;       // q of the resistance: the smaller, the less grey cells resist
  double max_resistance = 0;    // α_max of solid, Pa s/m²
  double penalty = 3;           // p of SIMP (1: no penalty), q of RAMP (0: no penalty)
  double void_share = 1e-9;     // stiffness of void over that of material
  int iterations = 30;          // most accepted steps of a search

  /// ρ = (tanh βη + tanh β(ρ̃ − η)) / (tanh βη + tanh β(1 − η)) (Wang, Lazarov and Sigmund, On
  /// projection methods, convergence and robust formulations in topology optimization, 2011). shift: of η.
  template <class T>
  T density(const T& filtered, double shift = 0) const {
    using std::tanh;
    if (steepness == 0) return filtered;  // the limit
    const double eta = threshold + shift, low = tanh(steepness * eta), high = tanh(steepness * (1 - eta));
    return (tanh(T(steepness * (filtered - eta))) + low) / (low + high);
  }
  /// α = α_max q (1 − ρ)/(q + ρ) (Borrvall and Petersson, Topology optimization of fluids in Stokes
  /// flow, 2003), Pa s/m².
  template <class T>
  T resistance(const T& density) const {
    return (max_resistance * convexity) * (1 - density) / (convexity + density);
  }
  /// E/E₀ = v + (1 − v) s(ρ) with s = ρ^p (SIMP; Bendsøe and Sigmund, Material interpolation schemes in topology
  /// optimization, 1999) or ρ/(1 + q(1 − ρ)) (RAMP; Stolpe and Svanberg, An alternative interpolation scheme for
  /// minimum compliance topology optimization, 2001). Densities below 0, which are round-off, are void.
  template <class T>
  T stiffness(const T& density) const {
    using std::max, std::pow;
    if (law == Law::ramp) return void_share + (1 - void_share) * density / (1 + penalty * (1 - density));
    if (penalty == 1) return void_share + (1 - void_share) * density;
    return void_share + (1 - void_share) * pow(T(max(density, T(0.0))), penalty);
  }
  /// What follows from the density: a resistance, or a stiffness in parts of the material's.
  template <class T>
  T property(const T& density) const {
    return law == Law::resistance ? resistance(density) : stiffness(density);
  }
  /// Whether `property` is an affine function of the filtered density, so that what is convex in the one is in the
  /// other.
  bool affine() const { return steepness == 0 && ((law == Law::simp && penalty == 1) || (law == Law::ramp && penalty == 0)); }
  /// Whether a property exists for the density: the hyperbolas have poles.
  bool exists(double density) const {
    if (law == Law::resistance) return convexity + density > 0;
    return law == Law::ramp ? 1 + penalty * (1 - density) > 0 : std::isfinite(density);
  }
};

}  // namespace invar
