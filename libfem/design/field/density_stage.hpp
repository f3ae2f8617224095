#pragma once
#include <cmath>

#include "libfem/math/dual.hpp"

namespace invar {

/// From a filtered density ρ̃ (0 to 1) to the projected density and the material property: the resistance of a porous body to flow (1:
/// fluid), or the stiffness of a solid (1: material, 0: void). The parameters change between stages of an optimisation (continuation),
/// from grey to black-and-white designs.
struct DensityStage {
  enum class Law {
    resistance,  // of a porous body to flow: convexity, max_resistance
    simp,        // of a solid: penalty, void_share
    ramp         // likewise
  };

  double steepness = 0;         // β of the projection; 0: none
  double threshold = 0.5;       // η: filtered densities above it tend to 1
  Law law = Law::resistance;
  double convexity = 0.1;       // q of the resistance: smaller values lower the resistance of grey cells
  double max_resistance = 0;    // α_max of solid, Pa s/m²
  double penalty = 3;           // p of SIMP (1: no penalty), q of RAMP (0: no penalty)
  double void_share = 1e-9;     // stiffness of void relative to material
  double linear_below = 0.01, linear_steepness = 500;  // s below which finite-strain laws become linear, steepness of the transition; 0: never
  int iterations = 30;          // largest number of accepted steps of a search

  /// ρ = (tanh βη + tanh β(ρ̃ − η)) / (tanh βη + tanh β(1 − η)) (Wang, Lazarov and Sigmund, On
  /// projection methods, convergence and robust formulations in topology optimization, 2011); of β = 0 the limit ρ̃.
  struct Projection {
    double beta, eta, low, high;
    Projection(double steepness, double threshold)
        : beta(steepness), eta(threshold), low(std::tanh(beta * eta)), high(std::tanh(beta * (1 - eta))) {}
    template <class T>
    T operator()(const T& x) const {
      using std::tanh;
      if (beta == 0) return x;
      return (tanh(T(beta * (x - eta))) + low) / (low + high);
    }
    double inverse(double density) const { return beta == 0 ? density : eta + std::atanh(density * (low + high) - low) / beta; }
  };
  /// From ρ̃ to ρ. shift: of η.
  Projection projection(double shift = 0) const { return {steepness, threshold + shift}; }
  /// α = α_max q (1 − ρ)/(q + ρ) (Borrvall and Petersson, Topology optimization of fluids in Stokes
  /// flow, 2003), Pa s/m².
  template <class T>
  T resistance(const T& density) const {
    return (max_resistance * convexity) * (1 - density) / (convexity + density);
  }
  /// s(ρ) = ρ^p (SIMP; Bendsøe and Sigmund, Material interpolation schemes in topology optimization, 1999) or
  /// ρ/(1 + q(1 − ρ)) (RAMP; Stolpe and Svanberg, An alternative interpolation scheme for minimum compliance topology
  /// optimization, 2001). Densities below 0, which are round-off, are void.
  template <class T>
  T solidity(const T& density) const {
    using std::max, std::pow;
    if (law == Law::ramp) return density / (1 + penalty * (1 - density));
    if (penalty == 1) return density;
    return pow(T(max(density, T(0.0))), penalty);
  }
  /// E/E₀ = v + (1 − v) s(ρ).
  template <class T>
  T stiffness(const T& density) const {
    return void_share + (1 - void_share) * solidity(density);
  }
  /// γ of `DistributedMaterial`: 1 in material, 0 in void, by the same projection of s(ρ), with s₀ = `linear_below` (Wang, Lazarov,
  /// Sigmund and Jensen, Interpolation scheme for fictitious domain techniques and topology optimization of finite strain elastic
  /// problems, 2014).
  template <class T>
  T finite_share(const T& density) const {
    if (linear_below == 0) return T(1.0);
    return Projection(linear_steepness, linear_below)(solidity(density));
  }
  /// The property for a density: a resistance, or a stiffness relative to full material.
  template <class T>
  T property(const T& density) const {
    return law == Law::resistance ? resistance(density) : stiffness(density);
  }
  /// Whether `property` is an affine function of the filtered density, so that convexity is preserved.
  bool affine() const { return steepness == 0 && ((law == Law::simp && penalty == 1) || (law == Law::ramp && penalty == 0)); }
  /// Whether the property exists for the density: the hyperbolas have poles.
  bool exists(double density) const {
    if (law == Law::resistance) return convexity + density > 0;
    return law == Law::ramp ? 1 + penalty * (1 - density) > 0 : std::isfinite(density);
  }
};

}  // namespace invar
