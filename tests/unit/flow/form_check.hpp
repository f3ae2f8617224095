#pragma once
#include "tests/support/form_probe.hpp"

namespace invar::test {

struct FormClaims {
  bool symmetric = false, functional = false;  // functionals have no residual
};

/// A state well away from rest. `mean`: what the unknown's components vary about.
inline ProbeSizes sizes_of_flow(Array mean) {
  return {.unknown = {0.3, 0, 0, 0}, .mean = std::move(mean), .spread = 0.2, .direction = 1, .of_coefficients = 1};
}

// Differences of sixth order: truncation (h/scale)⁶ and round-off 1e-16/h of directions of size one
// are both below 1e-11.
inline constexpr double form_step = 2e-3, by_differences = 1e-9, by_transposition = 1e-12;

/// Forward derivatives of the residual against differences, reverse against forward, second order against
/// differences of the reverse; the assembled tangent against the forward derivative.
inline void check_residual(FormProbe& f, std::shared_ptr<const DofMap> dofs, bool symmetric) {
  const FormInputs &at = f.at, &d = f.d;
  const auto parts = f.parts_of_direction();
  const FormInputs bar = f.vjp(at);
  const double noise = largest(f.residual(at));
  for (const auto& [name, only] : parts) {
    SCOPED_TRACE(name);
    const Array expected = f.centred(only, form_step, 3, [&](const FormInputs& x) { return f.residual(x); });
    const Array r_dot = f.jvp(only);
    EXPECT_LE(distance(r_dot, expected), by_differences * (largest(expected) + 1e-2 * noise));
    double terms = 0;
    for (std::size_t i = 0; i < r_dot.size(); ++i) terms += std::abs(at.lambda[i] * r_dot[i]);
    EXPECT_NEAR(dot(bar.joined(), only.joined()), dot(at.lambda, r_dot), by_transposition * terms);
  }
  AssembledMatrix K(dofs);
  const PerLevel<double> weights(1.0);
  const Array Ku = f.product(K, weights, d.u[0]), r_dot = f.jvp(parts[0].second);
  EXPECT_LE(distance(Ku, r_dot), by_transposition * largest(r_dot));
  if (symmetric) {
    double terms = 0;
    for (std::size_t i = 0; i < Ku.size(); ++i) terms += std::abs(at.lambda[i] * Ku[i]);
    EXPECT_NEAR(dot(at.lambda, Ku), dot(d.u[0], f.product(K, weights, at.lambda)), by_transposition * terms);
  }
  const Array second = f.centred(d, form_step, 3, [&](const FormInputs& x) { return f.vjp(x).joined(); });
  EXPECT_LE(distance(f.vjp_tangent(d).joined(), second), by_differences * largest(second));
}

/// The same of an integral that only objectives read.
inline void check_functional(FormProbe& f) {
  constexpr double seed = 1.7;
  const FormInputs &at = f.at, &d = f.d;
  const FormInputs bar = f.value_vjp(at, seed);
  for (const auto& [name, only] : f.parts_of_direction()) {
    SCOPED_TRACE(name);
    const double slope = f.value_jvp(only), expected = f.centred(only, form_step, 3, [&](const FormInputs& x) { return Array{f.value(x)}; })[0];
    const double size = std::abs(expected) + std::abs(f.value(at));
    EXPECT_NEAR(slope, expected, by_differences * size);
    EXPECT_NEAR(seed * slope, dot(bar.joined(), only.joined()), by_transposition * size);
  }
  const Array curvature = f.centred(d, form_step, 3, [&](const FormInputs& x) { return f.value_vjp(x, seed).joined(); });
  EXPECT_LE(distance(f.value_vjp_tangent(seed).joined(), curvature), by_differences * largest(curvature));
  EXPECT_THROW(f.residual(at), std::logic_error);
}

inline void check_form(FormProbe& f, std::shared_ptr<const DofMap> dofs, FormClaims claims) {
  if (claims.functional) check_functional(f);
  else check_residual(f, std::move(dofs), claims.symmetric);
}

}  // namespace invar::test
