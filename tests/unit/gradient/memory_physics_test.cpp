// Stresses with history variables against closed forms: relaxation of generalised Maxwell elements, plastic flow to and fro.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "libfem/objective/reaction.hpp"
#include "libfem/solid/memory_forms.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/transient_motion.hpp"

namespace invar::gradient_test {
namespace {

using Kind = TimeScheme::Kind;

constexpr double young = 10, poisson = 0.3, shear = young / (2 * (1 + poisson));

/// Shear stress of a square without mass that is sheared by angle(t), at times 1, 2, …; `extra` adds to it.
std::vector<double> sheared_over_time(SolidKind kind, Kind scheme, const std::vector<double>& times,
                                      const std::function<double(double)>& angle,
                                      const std::function<void(MovingSolid&)>& extra) {
  const bool spatial = kind == SolidKind::spatial;
  MovingSolid body(kind,
                   spatial ? make_box({0, 0, 0}, {1, 1, 1}, {1, 1, 1}, Shape::tetrahedron, 2)
                           : make_rectangle(0, 0, 1, 1, 2, 1, Shape::triangle, 2),
                   2, "linear_elastic", young, poisson, 0);
  extra(body);
  ControlledValue slide = body.number("slide", 1), zero = body.number("zero", 0);
  slide.shape = [=](const double* x, double t) { return angle(t) * x[1]; };
  slide.varies_in_space = slide.varies_in_time = true;
  for (const char* side : {"left", "right", "bottom", "top", "back", "front"}) {
    if (!body.mesh->find_region(side)) continue;
    body.residual->add_dirichlet({side, 0, slide});
    for (int i = 1; i < body.mesh->dim; ++i) body.residual->add_dirichlet({side, i, zero});
  }
  body.residual->finish();
  const auto motion = body.march(TimeScheme(scheme, 1), times);
  std::vector<double> along(body.mesh->dim, 0.0);
  along[0] = 1;
  const std::shared_ptr<Observable> force = Reaction::force(body.residual, "top", along);
  motion->watch({"force", force, {}});
  const ProcessReport report = motion->run(body.residual->control_values());
  EXPECT_TRUE(report.ok) << report.reason;
  std::vector<int> steps;
  for (std::size_t k = 1; k < times.size(); ++k) steps.push_back(static_cast<int>(k));
  return motion->series(*force, steps);
}

// A ramp and a rest: exact for whatever steps, long ones among them.
TEST(MemoryOfSolids, MaxwellBranchesRelaxAsTheirSpectrumSays) {
  if (rank_count() > 1) GTEST_SKIP();
  const std::vector<double> times{0, 0.1, 0.2, 0.25, 0.4, 1, 3, 10}, moduli{3, 2}, tau{0.15, 2};
  constexpr double rise = 0.2, angle = 1e-5;
  for (const SolidKind kind : {SolidKind::plane_strain, SolidKind::spatial})
    for (const Kind scheme : {Kind::backward_euler, Kind::bdf2}) {
      const std::vector<double> stress =
          sheared_over_time(kind, scheme, times, [=](double t) { return angle * std::min(t / rise, 1.0); },
                  [&](MovingSolid& body) {
                    std::vector<ControlledValue> values;
                    for (int i = 0; i < 2; ++i) {
                      values.push_back(body.number("shear", moduli[i]));
                      values.push_back(body.number("time", tau[i]));
                    }
                    body.residual->add_form(make_maxwell_branches(kind, 2, body.cells()), values);
                  });
      for (std::size_t k = 1; k < times.size(); ++k) {
        const double t = times[k], loading = std::min(t, rise);
        double expected = shear * angle * loading / rise;
        for (int i = 0; i < 2; ++i)
          expected += moduli[i] * angle * tau[i] / rise * (std::exp(-(t - loading) / tau[i]) - std::exp(-t / tau[i]));
        EXPECT_NEAR(stress[k - 1], expected, 1e-7 * shear * angle) << t;
      }
    }
}

// Simple shear is one-dimensional plasticity with τ = σ/√3, γ_p = √3 ε_p; linear hardening in closed form.
TEST(MemoryOfSolids, PlasticFlowInShearIsTheTextbooks) {
  if (rank_count() > 1) GTEST_SKIP();
  constexpr double yield = 0.05, isotropic = 2, kinematic = 3;
  const std::vector<double> path{0, 0.004, 0.012, 0.03, 0.02, -0.01, -0.03, 0.01, 0.04};
  std::vector<double> times;
  for (std::size_t k = 0; k < path.size(); ++k) times.push_back(static_cast<double>(k));
  for (const SolidKind kind : {SolidKind::plane_strain, SolidKind::spatial}) {
    const std::vector<double> stress =
        sheared_over_time(kind, Kind::backward_euler, times, [&](double t) { return path[std::lround(t)]; },
                [&](MovingSolid& body) {
                  std::vector<ControlledValue> values;
                  for (const double v : {young, poisson, yield, isotropic, 0.0, 0.0, kinematic})
                    values.push_back(body.number("plastic", v));
                  body.residual->add_form(make_plastic_flow(kind, body.cells()), values);
                });
    double slip = 0, back = 0, length = 0;  // γ_p, back stress, Σ|Δγ_p|
    int flowed = 0;
    for (std::size_t k = 1; k < path.size(); ++k) {
      const double trial = shear * (path[k] - slip) - back;
      const double excess = std::abs(trial) - (yield + isotropic * length / std::sqrt(3.0)) / std::sqrt(3.0);
      if (excess > 0) {
        const double step = excess / (shear + kinematic / 3 + isotropic / 3);
        slip += std::copysign(step, trial);
        back += std::copysign(kinematic / 3 * step, trial);
        length += step;
        ++flowed;
      }
      EXPECT_NEAR(stress[k - 1], shear * (path[k] - slip), 1e-10 * yield) << k;
    }
    EXPECT_EQ(flowed, 6);  // the first step and one on the way back are elastic
  }
}

// Hardening that saturates: the stress on a monotone path is the root of a scalar equation.
TEST(MemoryOfSolids, PlasticFlowSaturates) {
  if (rank_count() > 1) GTEST_SKIP();
  constexpr double yield = 0.05, saturation = 0.03, rate = 200;
  const std::vector<double> times{0, 1, 2, 3};
  const std::vector<double> stress =
      sheared_over_time(SolidKind::plane_strain, Kind::backward_euler, times, [](double t) { return 0.02 * t; },
              [&](MovingSolid& body) {
                std::vector<ControlledValue> values;
                for (const double v : {young, poisson, yield, 0.0, saturation, rate, 0.0})
                  values.push_back(body.number("plastic", v));
                body.residual->add_form(make_plastic_flow(body.kind, body.cells()), values);
              });
  for (int k = 1; k <= 3; ++k) {
    double low = 0, high = 0.02 * k;  // γ_p
    const auto excess = [&](double slip) {
      const double alpha = slip / std::sqrt(3.0);
      return shear * (0.02 * k - slip) - (yield + saturation * (1 - std::exp(-rate * alpha))) / std::sqrt(3.0);
    };
    for (int i = 0; i < 80; ++i) (excess(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
    EXPECT_NEAR(stress[k - 1], shear * (0.02 * k - low), 1e-10 * yield) << k;
  }
}

// History variables need the state at the end of a step.
TEST(MemoryOfSolids, SchemesThatBalanceWithinAStepAreRefused) {
  if (rank_count() > 1) GTEST_SKIP();
  for (const Kind scheme : {Kind::midpoint, Kind::generalised_alpha, Kind::sdirk2}) {
    MovingSolid body(SolidKind::plane_strain, make_rectangle(0, 0, 1, 1, 1, 1, Shape::triangle, 2), 2, "linear_elastic",
                     young, poisson, 1);
    body.residual->add_form(make_maxwell_branches(body.kind, 1, body.cells()), {body.number("shear", 1), body.number("time", 1)});
    body.residual->finish();
    EXPECT_THROW(body.march(TimeScheme(scheme, 2), {0, 1}), std::invalid_argument);
  }
}

}  // namespace
}  // namespace invar::gradient_test
