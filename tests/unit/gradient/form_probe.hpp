#pragma once
#include "tests/support/form_probe.hpp"

namespace invar::gradient_test {

using test::Array, test::distance, test::dot, test::FormInputs, test::FormProbe, test::largest, test::ProbeSizes;

/// Near rest, with rates of their own where the form reads them.
inline ProbeSizes sizes_of_solids(const WeakForm& form) {
  return {.unknown = {0.03, form.traits().reads[Level::rate] ? 0.04 : 0.0, 0, 0}};
}

// Differences over h = 1e-5 of directions of size 0.1: truncation ~1e-11, round-off ~1e-11.
constexpr double form_step = 1e-5, by_differences = 2e-7;
// The same formula in another order: round-off alone.
constexpr double by_transposition = 1e-12;

/// Derivatives of the value, that of 1.7 W where they are reverse.
inline void check_value(FormProbe& f) {
  constexpr double seed = 1.7;
  const FormInputs &at = f.at, &d = f.d;
  const FormInputs bar = f.value_vjp(at, seed);
  const double slope = f.value_jvp(d);
  EXPECT_NEAR(seed * slope, dot(bar.joined(), d.joined()), by_transposition * 100 * (std::abs(slope) + 1));
  EXPECT_NEAR(slope, f.centred(d, form_step, 1, [&](const FormInputs& x) { return Array{f.value(x)}; })[0], by_differences * (std::abs(slope) + 0.1));
  const Array curvature = f.centred(d, form_step, 1, [&](const FormInputs& x) { return f.value_vjp(x, seed).joined(); });
  EXPECT_LE(distance(f.value_vjp_tangent(seed).joined(), curvature), by_differences * largest(curvature));
}

inline void check_form(std::shared_ptr<const DofMap> dofs, WeakForm& form, const Array& constants, int n_cells, bool symmetric, bool density) {
  FormProbe f(dofs, form, constants, n_cells, sizes_of_solids(form));
  const FormInputs &at = f.at, &d = f.d;
  const FormInputs bar = f.vjp(at);
  const double size = std::abs(dot(at.lambda, f.jvp(d)));
  for (const auto& [name, only] : f.parts_of_direction()) {
    SCOPED_TRACE(name);
    // The residual is nearly linear in coefficients, and hardly depends on some: a longer step. Of fourth order: where fibres
    // begin to pull, the second one is not enough.
    const double step = name.starts_with("coefficient") ? 10 * form_step : form_step;
    const Array expected = f.centred(only, step, 2, [&](const FormInputs& x) { return f.residual(x); });
    const Array r_dot = f.jvp(only);
    EXPECT_LE(distance(r_dot, expected), by_differences * largest(expected) + 1e-10 * largest(f.residual(at)));
    double terms = 0;
    for (std::size_t i = 0; i < r_dot.size(); ++i) terms += std::abs(at.lambda[i] * r_dot[i]);
    EXPECT_NEAR(dot(bar.joined(), only.joined()), dot(at.lambda, r_dot), by_transposition * (terms + size));
  }

  AssembledMatrix K(std::make_shared<const SparsityPattern>(dofs, f.distant_pairs()));
  PerLevel<double> weights(1.0);
  FormInputs together = f.zeros();
  together.u[0] = d.u[0];
  if (!d.u[1].empty()) weights[Level::rate] = 0.7, together.u[1] = test::minus(d.u[0], Array(d.u[0].size(), 0.0), 0.7);
  const Array Ku = f.product(K, weights, d.u[0]), r_dot = f.jvp(together);
  const double stiffness = largest(r_dot);
  EXPECT_LE(distance(Ku, r_dot), by_transposition * stiffness + 1e-300);
  if (symmetric) {
    EXPECT_NEAR(dot(at.lambda, Ku), dot(d.u[0], f.product(K, weights, at.lambda)), 10 * by_transposition * (size + stiffness));
  }

  const Array curvature = f.centred(d, form_step, 1, [&](const FormInputs& x) { return f.vjp(x).joined(); });
  EXPECT_LE(distance(f.vjp_tangent(d).joined(), curvature), by_differences * largest(curvature));

  if (!density) return;
  Array r = f.residual(at);
  for (double& v : r) v *= 1.7;
  EXPECT_LE(distance(f.value_vjp(at, 1.7).u[0], r), by_transposition * largest(r));  // the residual is the gradient of the value
  check_value(f);
}

}  // namespace invar::gradient_test
