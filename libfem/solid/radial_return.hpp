#pragma once
#include <cmath>
#include <type_traits>

#include "libfem/math/dual.hpp"
#include "libfem/math/dual_functions.hpp"
#include "libfem/math/simd.hpp"

namespace invar {

/// The plastic flow of a step by backward Euler, γ ≥ 0, from the trial stress |ξ|: the root of
///   |ξ| − back γ − √⅔ σ_y(α + √⅔ γ) = 0,   σ_y(α) = σ_0 + H α + S (1 − e^(−δ α)),
/// or 0 where |ξ| is below the yield stress. Derivatives of first and second order are those of the root.
/// Simo & Hughes, Computational Inelasticity, box 3.2.
template <class R>
struct RadialReturn {
  static constexpr double root = 0.81649658092772603273;  // √⅔
  R gamma, size;                                          // γ, and |ξ| (1 where it is 0)

  /// squared: |ξ|². hardening: σ_0, H, S, δ. alpha: before the step.
  template <class B, class T, class A>
  INVAR_HD static RadialReturn of(const R& squared, const B& back, const T* hardening, const A& alpha) {
    const auto nonzero = squared > 0.0;
    const R size = sqrt(select(nonzero, squared, R(1.0)));
    const auto flows = nonzero && (size - root * yield(hardening, alpha) > 0.0);
    R gamma(0.0);
    if (any(flows)) {  // convex and decreasing in γ: Newton's method from 0 never passes the root
      using invar::value_of;
      auto plain = value_of(size);
      using Plain = std::remove_cvref_t<decltype(plain)>;
      Plain constants[4];
      for (int k = 0; k < 4; ++k) constants[k] = Plain(value_of(hardening[k]));
      const Plain start = value_of(alpha), slope = value_of(back);
      Plain root_of(0.0);
      for (int i = 0; i < 40; ++i) {
        const Plain change = correction(plain, slope, constants, start, root_of);
        root_of += change;
        if (!any((change > 1e-14 * root_of) && (plain - root * yield(constants, start) > 0.0))) break;
      }
      gamma = R(root_of);
      // first, then second derivatives
      for (int i = 0; i < 2; ++i) gamma += correction(size, back, hardening, alpha, gamma);
      gamma = select(flows, gamma, R(0.0));
    }
    return {gamma, size};
  }

 private:
  template <class T, class A>
  INVAR_HD static auto yield(const T* hardening, const A& alpha) {
    const T &yield_stress = hardening[0], &linear = hardening[1], &saturation = hardening[2], &rate = hardening[3];
    return yield_stress + linear * alpha + saturation * (1.0 - exp(-(rate * alpha)));
  }
  /// Newton's step.
  template <class X, class B, class T, class A>
  INVAR_HD static X correction(const X& size, const B& back, const T* hardening, const A& alpha, const X& gamma) {
    const X now = alpha + root * gamma;
    const X excess = size - back * gamma - root * yield(hardening, now);
    const T &linear = hardening[1], &saturation = hardening[2], &rate = hardening[3];
    const X slope = back + (2.0 / 3.0) * (linear + saturation * rate * exp(-(rate * now)));
    return excess / slope;
  }
};

}  // namespace invar
