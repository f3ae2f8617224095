#include <gtest/gtest.h>

#include <random>

#include "libadjoint/optimize/mma_subproblem.hpp"
#include "libadjoint/optimize/quadratic_program.hpp"
#include "tests/unit/adjoint/optimize_toys.hpp"

namespace invar {
namespace {

using namespace toy;
using Eigen::Index;
using Status = QuadraticSolution::Status;

/// Numbers between −1 and 1, the same on all ranks.
class Numbers {
 public:
  explicit Numbers(unsigned seed) : engine_(seed) {}
  double operator()() { return 2 * (static_cast<double>(engine_() >> 11) * 0x1p-53) - 1; }
  Vector vector(Index n) { return Vector::NullaryExpr(n, [&](Index) { return (*this)(); }); }
  Matrix matrix(Index m, Index n) {
    return Matrix::NullaryExpr(m, n, [&](Index, Index) { return (*this)(); });
  }

 private:
  std::mt19937_64 engine_;
};

/// The conditions of Karush, Kuhn and Tucker, sufficient for a convex programme.
void expect_optimal(const QuadraticProgram& p, const QuadraticSolution& s, double tolerance) {
  const Vector c = p.rows * s.d + p.offsets;
  for (Index i = 0; i < c.size(); ++i) {
    const bool equation = p.equation[static_cast<std::size_t>(i)];
    EXPECT_LE(equation ? std::abs(c[i]) : c[i], tolerance) << i;
    if (equation) continue;
    EXPECT_GE(s.multipliers[i], -tolerance);
    EXPECT_NEAR(s.multipliers[i] * c[i], 0, tolerance);
  }
  const Vector slope = p.hessian * s.d + p.gradient + p.rows.transpose() * s.multipliers;
  for (Index j = 0; j < s.d.size(); ++j) {
    EXPECT_GE(s.d[j], p.lower[j]);
    EXPECT_LE(s.d[j], p.upper[j]);
    EXPECT_LE(s.d[j] > p.lower[j] ? slope[j] : 0.0, tolerance) << j;
    EXPECT_GE(s.d[j] < p.upper[j] ? slope[j] : 0.0, -tolerance) << j;
  }
}

QuadraticProgram program(Index n, Index m, Index equations, Numbers& numbers) {
  const Matrix root = numbers.matrix(n, n);
  QuadraticProgram p;
  p.hessian = root * root.transpose() + 0.1 * Matrix::Identity(n, n);
  p.gradient = 10 * numbers.vector(n);
  p.rows = numbers.matrix(m, n);
  const Vector inside = 0.5 * numbers.vector(n);  // feasible by construction
  p.offsets = -p.rows * inside;
  for (Index i = 0; i < m; ++i) {
    p.equation.push_back(i < equations);
    if (i >= equations) p.offsets[i] -= std::max(numbers(), 0.0);
  }
  p.lower = -Vector::Ones(n);
  p.upper = Vector::Ones(n);
  return p;
}

TEST(QuadraticProgram, MeetsTheOptimalityConditions) {
  Numbers numbers(1);
  for (const Index n : {1, 2, 5, 12, 40, 120})
    for (const Index m : {Index{0}, n / 2, 2 * n}) {
      SCOPED_TRACE(testing::Message() << n << ' ' << m);
      const QuadraticProgram p = program(n, m, m / 4, numbers);
      const QuadraticSolution s = minimum_of(p);
      ASSERT_EQ(s.status, Status::solved);
      expect_optimal(p, s, 1e-9);
    }
}

TEST(QuadraticProgram, TakesConstraintsThatRepeatThemselves) {
  Numbers numbers(2);
  QuadraticProgram p = program(6, 4, 2, numbers);
  const QuadraticSolution once = minimum_of(p);
  const Matrix rows = p.rows;
  const Vector offsets = p.offsets;
  p.rows.resize(8, 6);
  p.rows << rows, 3 * rows;
  p.offsets.resize(8);
  p.offsets << offsets, 3 * offsets;
  for (int i = 0; i < 4; ++i) p.equation.push_back(i < 2);
  const QuadraticSolution twice = minimum_of(p);
  ASSERT_EQ(twice.status, Status::solved);
  expect_optimal(p, twice, 1e-10);
  EXPECT_LT((once.d - twice.d).norm(), 1e-10);
}

TEST(QuadraticProgram, KnowsAContradiction) {
  QuadraticProgram p{Matrix::Identity(2, 2), Vector::Zero(2), Matrix(2, 2), Vector(2), {false, false},
                     Vector::Constant(2, -infinity), Vector::Constant(2, infinity)};
  p.rows << 1, 1, -1, -1;
  p.offsets << 1, 1;  // x + y ≤ −1 and ≥ 1
  EXPECT_EQ(minimum_of(p).status, Status::infeasible);
  p.equation = {true, true};
  EXPECT_EQ(minimum_of(p).status, Status::infeasible);
  p.rows << 1, 1, 1, -1;
  p.offsets << -3, 0;  // x + y = 3, x = y, but x ≤ 1
  EXPECT_EQ(minimum_of(p).status, Status::solved);
  p.upper[0] = 1;
  EXPECT_EQ(minimum_of(p).status, Status::infeasible);
  p.hessian(0, 0) = -1;
  EXPECT_EQ(minimum_of(p).status, Status::failed);
}

/// A model of n local entries of this rank (and two shared ones), all ranks together different.
MmaModel model(const EntryLayout& layout, Index k, Index equations, unsigned seed) {
  int rank = 0;
  MPI_Comm_rank(layout.comm(), &rank);
  Numbers same(seed), own(seed + 1000 * static_cast<unsigned>(rank + 1));
  MmaModel m;
  m.slopes.resize(layout.n(), 1 + k);
  m.lower.resize(layout.n());
  m.upper.resize(layout.n());
  for (Index j = 0; j < layout.n(); ++j) {
    Numbers& numbers = j < layout.n_shared() ? same : own;
    for (Index i = 0; i <= k; ++i) m.slopes(j, i) = numbers();
    m.upper[j] = 0.45 * (1 + numbers());
    m.lower[j] = -0.45 * (1 + numbers());
  }
  m.values = 0.5 * same.vector(1 + k);
  m.rho = Vector::Constant(1 + k, 0.01);
  m.omega.resize(layout.n());
  for (Index j = 0; j < layout.n(); ++j)
    m.omega[j] = 1 + 0.9 * (j < layout.n_shared() ? same() : own());
  m.caps = Vector::Constant(k, 1e4);
  for (Index i = 0; i < k; ++i) m.equation.push_back(i < equations);
  return m;
}

/// Approximations and the derivative of their Lagrangian, written out as in the paper.
struct Written {
  Vector values;  // [1+K]
  Vector slope;   // [n]
  Written(const MmaModel& m, const EntryLayout& layout, const Vector& t, const Vector& y) {
    const Index k = y.size();
    slope = Vector::Zero(t.size());
    values = layout.sum(1 + k, [&](Index j, Vector& sum) {
      for (Index i = 0; i <= k; ++i) {
        const double a = m.slopes(j, i), s = 1 - t[j] * t[j];
        const double weight = i == 0 ? 1 : y[i - 1];
        if (i > 0 && m.equation[static_cast<std::size_t>(i - 1)]) {
          sum[i] += a * t[j];
          slope[j] += weight * a;
        } else {
          const double b = std::abs(a) + 0.5 * m.rho[i] * m.omega[j];
          sum[i] += (a * t[j] + b * t[j] * t[j]) / s;
          slope[j] += weight * (a * (1 + t[j] * t[j]) + 2 * b * t[j]) / (s * s);
        }
      }
    });
    values.tail(k) += m.values.tail(k);
  }
};

TEST(MmaSubproblem, MeetsTheOptimalityConditions) {
  for (const Index k : {0, 1, 2, 6, 20})
    for (const Index equations : {Index{0}, k / 2}) {
      SCOPED_TRACE(testing::Message() << k << ' ' << equations);
      const EntryLayout layout(MPI_COMM_WORLD, {{0, 0}, std::vector<double>(300, 0.0)});
      const MmaModel m = model(layout, k, equations, 7);
      const MmaStep s = minimum_of(m, layout, Vector::Zero(k));
      const Written w(m, layout, s.t, s.multipliers);
      for (Index i = 0; i < k; ++i) {
        const bool equation = m.equation[static_cast<std::size_t>(i)];
        EXPECT_LE(equation ? std::abs(w.values[1 + i]) : w.values[1 + i], 1e-11) << i;
        if (!equation) {
          EXPECT_GE(s.multipliers[i], 0);
          EXPECT_NEAR(s.multipliers[i] * w.values[1 + i], 0, 1e-11);
        }
      }
      for (Index j = 0; j < layout.n(); ++j) {
        EXPECT_GE(s.t[j], m.lower[j]);
        EXPECT_LE(s.t[j], m.upper[j]);
        EXPECT_LE(s.t[j] > m.lower[j] ? w.slope[j] : 0.0, 1e-10) << j;
        EXPECT_GE(s.t[j] < m.upper[j] ? w.slope[j] : 0.0, -1e-10) << j;
      }
      EXPECT_LT((s.predicted - w.values).norm(), 1e-10);
    }
}

TEST(MmaSubproblem, PaysThePriceWhereTheConstraintsCannotBeMet) {
  const EntryLayout layout(MPI_COMM_WORLD, {{0}, {}});
  MmaModel m{Eigen::MatrixXd(1, 2), Vector::Constant(2, 5.0), Vector::Constant(2, 1e-3),
             Vector::Ones(1), {false}, Vector::Constant(1, 100.0), Vector::Constant(1, -0.3), Vector::Constant(1, 0.3)};
  m.slopes << -1, 1;  // 5 + t stays above zero: as far down as may be, against the objective
  const MmaStep s = minimum_of(m, layout, Vector::Zero(1));
  EXPECT_EQ(s.multipliers[0], 100);
  EXPECT_EQ(s.t[0], -0.3);
  m.slopes(0, 1) = 0;  // nothing can be done about it: the objective alone
  EXPECT_EQ(minimum_of(m, layout, Vector::Zero(1)).t[0], 0.3);
}

}  // namespace
}  // namespace invar
