// Ties whose constraints vary: coefficients against those of the constraints made anew, derivatives against differences and each other.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "libadjoint/constraint/tie_coefficients.hpp"

namespace invar::constraints {
namespace {

/// Four numbers that are not linear in two controls.
struct FourNumbers final : TieNumbers {
  static std::array<double, 4> at(double a, double b) { return {0.5 + a, 1.2 + a * b, -0.4 + std::sin(b), 2 - a * a}; }
  /// ∂v/∂a, ∂v/∂b.
  static std::array<std::array<double, 4>, 2> slopes(double a, double b) { return {{{1, b, 0, -2 * a}, {0, a, std::cos(b), 0}}}; }
  std::vector<double> values(const Controls& d) const override {
    const auto v = at(d[0][0], d[1][0]);
    return {v.begin(), v.end()};
  }
  std::vector<double> rates(const Controls& d, const Controls& d_dot) const override {
    const auto by = slopes(d[0][0], d[1][0]);
    std::vector<double> v;
    for (int k = 0; k < 4; ++k) v.push_back(by[0][k] * d_dot[0][0] + by[1][k] * d_dot[1][0]);
    return v;
  }
  void add_gradient(const Controls& d, const std::vector<double>& bar, Controls& d_bar) const override {
    const auto by = slopes(d[0][0], d[1][0]);
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < 4; ++k) d_bar[i][0] += by[i][k] * bar[k];
  }
  void add_gradient_rate(const Controls& d, const Controls& d_dot, const std::vector<double>& bar, Controls& d_bar_dot) const override {
    const double a_dot = d_dot[0][0], b_dot = d_dot[1][0];
    d_bar_dot[0][0] += bar[1] * b_dot - 2 * a_dot * bar[3];
    d_bar_dot[1][0] += bar[1] * a_dot - std::sin(d[1][0]) * b_dot * bar[2];
  }
};

/// Unknowns 0 to 3 lie on the line 10 + 11 x at numbers x that vary, 7 is the mean of 1, 2 and 4 with weights that vary; 6 follows 2, and 12 lies
/// between 1 and 5. The first and the last of the line are prescribed: 11 is a quotient of differences.
std::vector<LinearConstraint> line(const std::array<double, 4>& x) {
  std::vector<LinearConstraint> rows{{.terms = {{6, 1}, {2, -1}}, .follower = 6, .source = 1}};
  for (int k = 0; k < 4; ++k)
    rows.push_back({.terms = {{k, 1}, {10, -1}, {11, -x[k]}}, .follower = k, .source = 2, .variations = {{2, k, -1.0}}});
  rows.push_back({.terms = {{12, 1}, {1, -0.3}, {5, -0.7}}, .follower = 12, .source = 3});
  rows.push_back({.terms = {{1, x[1]}, {2, 0.3}, {4, 2 * x[0]}, {7, -x[1] - 0.3 - 2 * x[0]}}, .source = 4, .variations = {{0, 1, 1.0}, {2, 0, 2.0}, {3, 1, -1.0}, {3, 0, -2.0}}});
  return rows;
}

const PrescribedUnknowns ends{[](PetscInt unknown) { return unknown == 0 || unknown == 3; }, [](const auto&) { return false; }};
constexpr double a = 0.1, b = 0.3;

struct Line {
  Elimination solved = eliminate(line(FourNumbers::at(a, b)), ends, 8);
  TieCoefficients coefficients{PETSC_COMM_SELF, solved.solved, std::make_shared<FourNumbers>(), FourNumbers().values({{a}, {b}})};
};

TEST(TieCoefficients, AreThoseOfTheConstraintsMadeAnew) {
  const Line of;
  EXPECT_TRUE(of.solved.contradicted.empty() && of.solved.idle.empty() && of.solved.implied.empty());
  const std::vector<Tie> ties = of.coefficients.varying(of.solved.ties);
  for (const auto& [a, b] : {std::array{0.1, 0.3}, std::array{-0.4, 0.9}}) {
    const Elimination again = eliminate(line(FourNumbers::at(a, b)), ends, 8);
    const std::vector<double> v = of.coefficients.values({{a}, {b}});
    EXPECT_TRUE(of.coefficients.admissible({{a}, {b}}));
    ASSERT_EQ(ties.size(), again.ties.size());
    for (std::size_t k = 0; k < ties.size(); ++k) {
      EXPECT_EQ(ties[k].row, again.ties[k].row);
      std::map<PetscInt, double> row(ties[k].masters.begin(), ties[k].masters.end());
      for (const Tie::Variation& vary : ties[k].variations) row[vary.master] += vary.factor * (v[vary.number] - of.coefficients.start()[vary.number]);
      for (const auto& [master, coefficient] : again.ties[k].masters) row[master] -= coefficient;
      for (const auto& [master, difference] : row) EXPECT_NEAR(difference, 0, 1e-14) << ties[k].row << " by " << master;
    }
  }
}

TEST(TieCoefficients, DerivativesAreExact) {
  const Line of;
  const Controls d{{0.2}, {-0.5}}, d_dot{{0.7}, {-0.4}};
  const auto moved = [&](double h) { return Controls{{d[0][0] + h * d_dot[0][0]}, {d[1][0] + h * d_dot[1][0]}}; };
  const auto quotient = [](auto value) {  // of fourth order
    constexpr double h = 1e-3;
    std::vector<double> all = value(h);
    const std::vector<double> behind = value(-h), far = value(2 * h), far_behind = value(-2 * h);
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = (8 * (all[k] - behind[k]) - (far[k] - far_behind[k])) / (12 * h);
    return all;
  };
  const std::vector<double> rates = of.coefficients.rates(d, d_dot), by_differences = quotient([&](double h) { return of.coefficients.values(moved(h)); });
  std::vector<double> bar;
  double along = 0, size = 0;
  for (std::size_t k = 0; k < rates.size(); ++k) {
    EXPECT_NEAR(rates[k], by_differences[k], 1e-9) << k;
    bar.push_back(std::cos(1.0 + 2.0 * double(k)));
    along += rates[k] * bar[k];
    size += std::abs(rates[k]);
  }
  EXPECT_GT(size, 1);
  const auto gradient = [&](const Controls& at) {
    Controls g{{0.0}, {0.0}};
    of.coefficients.add_gradient(at, bar, g);
    return std::vector{g[0][0], g[1][0]};
  };
  const std::vector<double> g = gradient(d), g_dot = quotient([&](double h) { return gradient(moved(h)); });
  EXPECT_NEAR(g[0] * d_dot[0][0] + g[1] * d_dot[1][0], along, 1e-13);
  Controls rate{{0.0}, {0.0}};
  of.coefficients.add_gradient_rate(d, d_dot, bar, rate);
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(rate[i][0], g_dot[i], 1e-8) << i;
}

// The second and third unknown of the line come to lie at the same number: 11 is undetermined.
TEST(TieCoefficients, SingularConstraintsAreNotAdmissible) {
  const auto between = [](double second) {
    return std::vector<LinearConstraint>{{.terms = {{0, 1}, {10, -1}, {11, -1}}, .follower = 0}, {.terms = {{3, 1}, {10, -1}, {11, -second}}, .follower = 3, .variations = {{2, 0, -1.0}}}};
  };
  const Elimination solved = eliminate(between(0.5), ends, 8);
  const TieCoefficients coefficients(PETSC_COMM_SELF, solved.solved, std::make_shared<FourNumbers>(), FourNumbers().values({{0.0}, {0.0}}));
  EXPECT_TRUE(coefficients.admissible({{0.2}, {0.0}}));
  EXPECT_FALSE(coefficients.admissible({{0.5}, {0.0}}));
}

/// One number that begins at zero.
struct SmallNumber final : TieNumbers {
  std::vector<double> values(const Controls& d) const override { return d[0]; }
  std::vector<double> rates(const Controls&, const Controls& d_dot) const override { return d_dot[0]; }
  void add_gradient(const Controls&, const std::vector<double>& bar, Controls& d_bar) const override { d_bar[0][0] += bar[0]; }
  void add_gradient_rate(const Controls&, const Controls&, const std::vector<double>&, Controls&) const override {}
};

// A coefficient that begins at zero, such as the arm of a node at the centre of a rigid part, is not rounded to zero beside larger ones.
TEST(TieCoefficients, FollowTheSmallestChanges) {
  const std::vector<LinearConstraint> rows{{.terms = {{1, 1}, {10, -1}, {11, 0}}, .follower = 1, .variations = {{2, 0, -1.0}}}};
  const Elimination solved = eliminate(rows, ends, 8);
  const TieCoefficients coefficients(PETSC_COMM_SELF, solved.solved, std::make_shared<SmallNumber>(), {0.0});
  const std::vector<Tie> ties = coefficients.varying(solved.ties);
  ASSERT_EQ(ties.size(), 1u);
  for (const double v : {1e-3, 1e-13, -1e-16, 0.0}) {
    const std::vector<double> values = coefficients.values({{v}});
    double by_11 = 0;
    for (const Tie::Variation& vary : ties[0].variations)
      if (vary.master == 11) by_11 += vary.factor * values[vary.number];
    EXPECT_NEAR(by_11, v, 1e-15 * std::abs(v)) << v;
  }
}

// Of four corners of a periodic cell one constraint is implied, also where these move; a mean of prescribed values is if these are equal.
TEST(TieCoefficients, ImpliedConstraintsAreTold) {
  const std::vector<LinearConstraint> rows{{.terms = {{0, 0.5}, {3, 0.5}, {10, -1}}, .variations = {{0, 0, 1.0}, {2, 0, -1.0}}}, {.terms = {{0, 0.5}, {3, 0.5}, {10, -1}}}};
  const Elimination solved = eliminate(rows, ends, 8);
  ASSERT_EQ(solved.implied.size(), 1u);
  const TieCoefficients coefficients(PETSC_COMM_SELF, solved.solved, std::make_shared<FourNumbers>(), FourNumbers().values({{0.0}, {0.0}}));
  EXPECT_TRUE(coefficients.left_of(solved.implied, {{0.0}, {0.0}})[0].empty());
  const auto left = coefficients.left_of(solved.implied, {{0.25}, {0.0}})[0];  // a quarter more of the first
  ASSERT_EQ(left.size(), 2u);
  EXPECT_NEAR(left.at(0), 0.5 - 0.75 / 1.25, 1e-14);
  EXPECT_NEAR(left.at(3), 0.5 - 0.5 / 1.25, 1e-14);
}

}  // namespace
}  // namespace invar::constraints
