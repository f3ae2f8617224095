#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/verify/directions.hpp"
#include "libadjoint/verify/dot_product_test.hpp"
#include "libadjoint/verify/hessian_test.hpp"
#include "libadjoint/verify/taylor_test.hpp"

#define EXPECT_PASSED(entry)                                                                              \
  do {                                                                                                    \
    const CertificateEntry e_ = (entry);                                                                  \
    EXPECT_TRUE(e_.passed) << e_.check << " of " << e_.subject << ": measured " << e_.measured << ", expected " \
                           << e_.expected << " ± " << e_.tolerance << "; adjoint " << e_.derivative << ", other " \
                           << e_.reference << "; " << e_.note;                                            \
  } while (false)

namespace invar::gradient_test {

inline int rank_count() {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  return ranks;
}

// On several ranks solutions agree to the solver's round-off (1e-13) times the condition of these tiny problems.
inline constexpr double agreement = 1e-9;

inline void expect_near(const std::vector<double>& a, const std::vector<double>& b, const std::string& what) {
  double size = 0;
  for (double v : b) size = std::max(size, std::abs(v));
  ASSERT_EQ(a.size(), b.size()) << what;
  ASSERT_GT(size, 0) << what;
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(a[i], b[i], agreement * size) << what << " " << i;
}

/// Away from the start, where nothing is special.
inline DesignVector probed(CaseFunctional& f) { return moved(f.start(), 0.05, Directions(f, f.start()).random(31)); }

/// Along the gradient and along a random direction.
inline std::vector<std::pair<std::string, DesignVector>> directions_of(CaseFunctional& f, const DesignVector& theta) {
  DesignVector g;
  const Evaluation e = f.gradient(theta, g);
  EXPECT_TRUE(e.ok) << e.reason;
  const Directions d(f, theta);
  return {{"gradient", d.along(g)}, {"random", d.random(7)}};
}

/// Weight of a variable in a direction to which all contribute alike: at least one, so that the tolerance is no looser than of each
/// alone; uneven, so that no two errors cancel.
inline double uneven_share(std::size_t i) { return 1 + std::fmod(0.618034 * static_cast<double>(i), 1.0); }

// Exact identities of the discrete equations leave only round-off, amplified by the condition of K.

/// The adjoint against the tangent, along the gradient, along a random direction and along one to which every variable
/// contributes alike: a small contribution must not hide behind a large one. Where the last differs every variable is
/// asked alone, which tells the one that is wrong.
inline void check_adjoint_against_tangent(CaseFunctional& f, const DesignVector& theta, double tolerance = 1e-10) {
  DesignVector g;
  const Evaluation at = f.gradient(theta, g);
  ASSERT_TRUE(at.ok) << at.reason;
  const Directions directions(f, theta);
  std::vector<DesignVector> along{directions.along(g), directions.random(7)};
  double largest = 0, expected = 0;
  for (double v : g.shared) largest = std::max(largest, std::abs(v));
  if (largest > 0) {
    DesignVector& alike = along.emplace_back(DesignVector::zeros_like(theta));
    for (std::size_t i = 0; i < theta.shared.size(); ++i) {
      alike.shared[i] = uneven_share(i) / (std::abs(g.shared[i]) + 1e-3 * largest);
      expected += g.shared[i] * alike.shared[i];
    }
  }
  std::vector<double> slopes;
  const Evaluation swept = f.directionals(theta, along, slopes);
  ASSERT_TRUE(swept.ok) << swept.reason;
  for (int k = 0; k < 2; ++k) {
    CertificateEntry entry{.check = "dot product", .subject = k == 0 ? "gradient" : "random"};
    entry.tolerance = tolerance;
    compare(entry, g, slopes[k], along[k], f.comm());
    EXPECT_PASSED(entry);
  }
  if (largest > 0) {
    int agrees = std::abs(expected - slopes[2]) <= tolerance;
    MPI_Allreduce(MPI_IN_PLACE, &agrees, 1, MPI_INT, MPI_MIN, f.comm());
    if (agrees) return;
  }
  for (std::size_t i = 0; i < theta.shared.size(); ++i) {
    DesignVector unit = DesignVector::zeros_like(theta);
    unit.shared[i] = 1;
    double slope = 0;
    const Evaluation e = f.directional(theta, unit, slope);
    EXPECT_TRUE(e.ok) << e.reason;
    EXPECT_NEAR(g.shared[i], slope, tolerance * (std::abs(slope) + 1e-3 * largest)) << f.names()[i];
  }
}

/// The same for every constraint, along two directions; on several ranks along one.
inline void check_constraints(CaseFunctional& f, const DesignVector& theta, double tolerance = 1e-10) {
  std::vector<double> c, slopes;
  std::vector<DesignVector> gradients;
  const Evaluation e = f.constraint_gradients(theta, c, gradients);
  ASSERT_TRUE(e.ok) << e.reason;
  for (int seed = 3; seed < (rank_count() == 1 ? 5 : 4); ++seed) {
    const DesignVector d = Directions(f, theta).random(seed);
    ASSERT_TRUE(f.constraint_directional(theta, d, slopes).ok);
    for (std::size_t k = 0; k < c.size(); ++k) {
      const double size = norm(gradients[k], f.comm()) * norm(d, f.comm());
      // A volume does not change when what is in it moves: nothing but round-off of its value is left.
      const double round_off = 1e-14 * std::abs(c[k]);
      EXPECT_NEAR(dot(gradients[k], d, f.comm()), slopes[k],
                  tolerance * std::max(std::abs(slopes[k]), 0.01 * size) + round_off)
          << f.constraints()[k].name;
    }
  }
}

/// Along the gradient and a random direction; on two ranks along the latter. On three the adjoint against the tangent is left, and
/// values, gradients and Hessians against those of one rank (AcrossRanks, FlowAcrossRanks). The round-off of J is measured, by eight
/// solves, only where the test fails without: a bound that is too low makes no wrong gradient pass.
inline void check_taylor(CaseFunctional& f, const DesignVector& theta, double first_step = 0.02) {
  if (rank_count() > 2) return;
  TaylorOptions options;
  options.first_step = first_step;  // a load step needs no cuts this near to the start
  options.steps = 5;
  for (const auto& [along, direction] : directions_of(f, theta)) {
    if (rank_count() == 2 && along != "random") continue;
    options.noise = 0;
    CertificateEntry entry = taylor_test(f, theta, direction, along, options);
    if (!entry.passed) {
      options.noise = measured_noise(f, theta, direction);
      entry = taylor_test(f, theta, direction, along, options);
    }
    EXPECT_PASSED(entry);
  }
}

inline bool has_second_derivatives(const CaseFunctional& f) {
  return std::ranges::all_of(f.cases(), [](const auto& c) { return c->why_no_second_derivatives().empty(); });
}

/// Differences of gradients by steps h and h/2, extrapolated (truncation h⁴, round-off 1e-12 / h): quotients with a
/// small denominator have large third derivatives. And symmetry, on three ranks alone.
inline void check_hessian(CaseFunctional& f, const DesignVector& theta, double tolerance = 1e-10) {
  const auto both = directions_of(f, theta);
  EXPECT_PASSED(hessian_symmetry_test(f, theta, both[0].second, both[1].second, "gradient, random", tolerance));
  if (rank_count() > 2) return;
  const DesignVector d = Directions(f, theta).random(11);
  constexpr double h = 1e-4;
  DesignVector hd, difference = DesignVector::zeros_like(theta);
  const Evaluation e = f.hessian_action(theta, d, hd);
  ASSERT_TRUE(e.ok) << e.reason;
  for (const auto& [step, factor] : {std::pair{h, -1.0 / 3}, std::pair{h / 2, 4.0 / 3}})
    for (const double side : {1.0, -1.0}) {
      DesignVector g;
      ASSERT_TRUE(f.gradient(moved(theta, side * step, d), g).ok);
      difference.axpy(side * factor / (2 * step), g);
    }
  const double size = norm(hd, f.comm());
  for (std::size_t i = 0; i < hd.shared.size(); ++i) EXPECT_NEAR(hd.shared[i], difference.shared[i], 2e-6 * size) << f.names()[i];
  for (std::size_t i = 0; i < hd.local.size(); ++i) EXPECT_NEAR(hd.local[i], difference.local[i], 2e-6 * size) << "local entry " << i;
}

/// The first derivatives, and unless told otherwise on one rank alone differences of values and second derivatives.
inline void check_all(CaseFunctional& f, const DesignVector& theta, bool beyond_gradients = rank_count() == 1) {
  check_adjoint_against_tangent(f, theta);
  check_constraints(f, theta);
  if (!beyond_gradients) return;
  check_taylor(f, theta);
  check_hessian(f, theta);
}

/// The whole way from every number to every observed value by differences of solved problems: truncation h² ~ 1e-9, round-off
/// 1e-13 / h. First along one direction to which every number contributes as much as the one that matters least, with the tolerance
/// of that one alone: a relative error of any derivative is seen as if it were differenced alone. Where that differs every number
/// is, which tells the one that is wrong.
inline void check_differences(CaseFunctional& f, const DesignVector& theta, double tolerance = 1e-6) {
  Eigen::VectorXd rho, forward, backward;
  Eigen::MatrixXd drho;
  ASSERT_TRUE(f.jacobian(theta, rho, drho).ok);
  constexpr double h = 3e-5, round_off = 3e-9;
  const auto error_along = [&](const DesignVector& direction) {
    const Eigen::Map<const Eigen::VectorXd> d(direction.shared.data(), drho.cols());
    EXPECT_TRUE(f.residuals(moved(theta, h, direction), forward).ok);
    EXPECT_TRUE(f.residuals(moved(theta, -h, direction), backward).ok);
    return ((forward - backward) / (2 * h) - drho * d).norm();
  };
  const Eigen::VectorXd sizes = drho.colwise().norm().transpose().cwiseMax(round_off / tolerance);
  DesignVector alike = DesignVector::zeros_like(theta);
  for (std::size_t i = 0; i < theta.shared.size(); ++i) alike.shared[i] = uneven_share(i) * sizes.minCoeff() / sizes[i];
  if (error_along(alike) <= tolerance * sizes.minCoeff()) return;
  for (std::size_t i = 0; i < theta.shared.size(); ++i) {
    DesignVector unit = DesignVector::zeros_like(theta);
    unit.shared[i] = 1;
    EXPECT_LE(error_along(unit), tolerance * drho.col(i).norm() + round_off) << f.names()[i];
  }
}

/// ⟨w, J v⟩ = ⟨Jᵀw, v⟩, J v against differences of the residuals (truncation h², round-off 1e-12 / h), and Jᵀρ and the prior against the
/// gradient.
inline void check_residual_products(CaseFunctional& f, const DesignVector& theta) {
  const DesignVector v = Directions(f, theta).random(11), prior = f.prior_precision();
  Eigen::VectorXd rho, rho_dot, ahead, behind;
  DesignVector back, gradient, of_rho;
  ASSERT_TRUE(f.residuals(theta, rho).ok);
  const Eigen::VectorXd w = rho.cwiseAbs() + Eigen::VectorXd::LinSpaced(rho.size(), -1, 2);
  ASSERT_TRUE(f.residual_jvp(theta, v, rho_dot).ok);
  ASSERT_TRUE(f.residual_vjp(theta, w, back).ok);
  EXPECT_NEAR(dot(back, v, f.comm()), w.dot(rho_dot), 1e-10 * w.norm() * rho_dot.norm());
  ASSERT_TRUE(f.residual_vjp(theta, rho, of_rho).ok);
  std::vector<std::vector<ProcessTerm>> terms;
  for (const auto& c : f.cases()) terms.push_back(std::exchange(c->terms(), {}));  // J is ½ ‖ρ‖² and the prior alone
  f.forget();
  ASSERT_TRUE(f.gradient(theta, gradient).ok);
  const double size = norm(gradient, f.comm());
  for (std::size_t i = 0; i < gradient.shared.size(); ++i)
    EXPECT_NEAR(gradient.shared[i], of_rho.shared[i] + prior.shared[i] * theta.shared[i], 1e-9 * size) << f.names()[i];
  for (std::size_t i = 0; i < gradient.local.size(); ++i)
    EXPECT_NEAR(gradient.local[i], of_rho.local[i] + prior.local[i] * theta.local[i], 1e-9 * size) << "local entry " << i;
  for (std::size_t c = 0; c < terms.size(); ++c) f.cases()[c]->terms() = std::move(terms[c]);
  f.forget();
  constexpr double h = 1e-4;
  ASSERT_TRUE(f.residuals(moved(theta, h, v), ahead).ok);
  ASSERT_TRUE(f.residuals(moved(theta, -h, v), behind).ok);
  EXPECT_LT(((ahead - behind) / (2 * h) - rho_dot).norm(), 1e-5 * rho_dot.norm());
}

}  // namespace invar::gradient_test
