#pragma once
#include <array>
#include <span>
#include <string_view>

#include "libadjoint/param_spec.hpp"
#include "libfem/math/spectral.hpp"
#include "libfem/math/stretch_network.hpp"
#include "libfem/solid/green_strain.hpp"

namespace invar {

/// A learned law of rubber: separable convex networks of the principal stretches and of their inverses, 1 to 4 neurons
/// each.
///   W = Σ_a [Σ_i φ_i(λ̄_a) + Σ_i ψ_i(1/λ̄_a)] − W(rest) + κ/2 (J − 1)²
///   φ(l), ψ(l) = stress/sharpness · ln(1 + exp(sharpness (l − knee)))
/// stress [Pa] ≥ 0, sharpness [1] > 0, knee [1], κ bulk modulus [Pa], λ̄_a = J^(−1/3) λ_a. Each neuron is convex and
/// grows, so W is polyconvex in the stretches for any weights within their bounds (Ball 1977), and no stress is left at
/// rest. Its slope rises from 0 to `stress` where the stretch passes the knee.
/// Networks of principal stretches: St. Pierre, Linka, Kuhl, Brain Multiphysics 4 (2023); convexity as of Amos, Xu,
/// Kolter (2017).
struct ConvexNetwork {
  template <class T>
  using Measure = GreenStrain<T>;

  static constexpr std::string_view name = "convex_network";
  static constexpr std::string_view doc =
      "Learned law of convex networks: W = Σ_a [Σ_i φ_i(λ̄_a) + Σ_i ψ_i(1/λ̄_a)] + κ/2 (J − 1)², φ = stress/sharpness ln(1 + exp(sharpness (λ − knee)))";
  static constexpr int terms = 4;
  static constexpr auto isochoric_parameters = [] {
    constexpr std::string_view keys[4][6] = {
        {"stretch1_stress", "stretch1_sharpness", "stretch1_knee", "inverse1_stress", "inverse1_sharpness", "inverse1_knee"},
        {"stretch2_stress", "stretch2_sharpness", "stretch2_knee", "inverse2_stress", "inverse2_sharpness", "inverse2_knee"},
        {"stretch3_stress", "stretch3_sharpness", "stretch3_knee", "inverse3_stress", "inverse3_sharpness", "inverse3_knee"},
        {"stretch4_stress", "stretch4_sharpness", "stretch4_knee", "inverse4_stress", "inverse4_sharpness", "inverse4_knee"}};
    std::array<ParamSpec, 6 * terms> all{};
    for (int i = 0; i < terms; ++i)
      for (int k = 0; k < 6; k += 3) {
        all[6 * i + k] = {.key = keys[i][k], .unit = "Pa", .doc = k == 0 ? "stress that the neuron adds beyond its knee" : "the same for the inverse stretch", .lower = 0};
        all[6 * i + k + 1] = {.key = keys[i][k + 1], .unit = "1", .doc = "inverse width of the knee", .lower = 0, .lower_open = true};
        all[6 * i + k + 2] = {.key = keys[i][k + 2], .unit = "1", .doc = k == 0 ? "stretch about which it begins" : "inverse stretch about which it begins"};
      }
    return all;
  }();

  template <class T, class S>
  INVAR_HD static T isochoric_energy(const GreenStrain<T>& strain, std::span<const S> p) {
    const int neurons = static_cast<int>(p.size()) / 6;
    std::array<SoftKnee<S>, terms> stretch, inverse;
    for (int i = 0; i < neurons; ++i) {
      stretch[i] = {p[6 * i], p[6 * i + 1], p[6 * i + 2]};
      inverse[i] = {p[6 * i + 3], p[6 * i + 4], p[6 * i + 5]};
    }
    return trace_of_function(strain.matrix(), StretchNetwork<S, terms>(neurons, stretch, inverse));
  }
};

}  // namespace invar
