// Pseudo-time of equations in different units.
#include <gtest/gtest.h>

#include <cmath>

#include "libadjoint/solve/pseudo_time_newton.hpp"
#include "tests/unit/adjoint/solve_matrices.hpp"

namespace invar {
namespace {

/// Unknowns x_i of even number with arctan(x) = 0, from which whole steps of Newton's method lead away beyond 1.39; of odd number with
/// 10⁸ x³ = 0, which they approach by a third each. Those of even number have a mass of 1.
class TwoEquations final : public NonlinearSystem, private NonlinearSystem::Damping {
 public:
  explicit TwoEquations(bool apart, double largest_change = 1e300) : apart_(apart), largest_change_(largest_change) {
    constexpr int n = 6;
    K = test::to_petsc(Eigen::MatrixXd(Eigen::MatrixXd::Identity(n, n)));
    check(MatCreateVecs(K, u.out(), nullptr));
    check(VecGetOwnershipRange(u, &first_, &end_));
    visit(u, u, [](bool cubic, double) { return cubic ? 1.0 : 3.0; });
  }
  bool residual(Vec x, Vec r) override {
    visit(x, r, [](bool cubic, double a) { return cubic ? 1e8 * a * a * a : std::atan(a); });
    return true;
  }
  bool jacobian(Vec x) override {
    VecHandle d = zeros_like(x);
    visit(x, d, [](bool cubic, double a) { return cubic ? 3e8 * a * a : 1 / (1 + a * a); });
    check(MatDiagonalSet(K, d, INSERT_VALUES));
    return true;
  }
  bool symmetric() const override { return true; }
  Mat matrix() override { return K; }
  NonlinearSystem::Damping* damping() override { return this; }

  MatHandle K;
  VecHandle u;
  double farthest = 0;  // of even unknowns, at any trial point of this rank

 private:
  void jacobian(Vec x, double cfl) override {
    jacobian(x);
    VecHandle d = zeros_like(x);
    visit(x, d, [&](bool cubic, double) { return cubic ? 0.0 : 1 / cfl; });
    check(MatDiagonalSet(K, d, ADD_VALUES));
  }
  void add(Vec, Vec dx, double cfl, Vec r) override {
    VecHandle damped = zeros_like(r);
    visit(dx, damped, [&](bool cubic, double a) { return cubic ? 0.0 : a / cfl; });
    check(VecAXPY(r, 1, damped));
  }
  void mark_transported(Vec marks) override {
    visit(u, marks, [&](bool cubic, double) { return apart_ && cubic ? 1.0 : 0.0; });
  }
  int limit_change(Vec x, Vec trial) override {
    const double *before, *after;
    check(VecGetArrayRead(x, &before));
    check(VecGetArrayRead(trial, &after));
    std::vector<double> limited(after, after + (end_ - first_));
    check(VecRestoreArrayRead(trial, &after));
    int clipped = 0;
    for (std::size_t i = 0; i < limited.size(); ++i) {
      const double wanted = limited[i];
      limited[i] = std::clamp(wanted, before[i] - largest_change_, before[i] + largest_change_);
      clipped += limited[i] != wanted;
    }
    check(VecRestoreArrayRead(x, &before));
    std::size_t i = 0;
    visit(trial, trial, [&](bool cubic, double) {
      if (!cubic) farthest = std::max(farthest, std::abs(limited[i]));
      return limited[i++];
    });
    return clipped;
  }
  template <class F>
  void visit(Vec from, Vec to, F&& f) const {
    std::vector<double> values(end_ - first_);
    const double* a;
    check(VecGetArrayRead(from, &a));
    std::copy(a, a + values.size(), values.begin());
    check(VecRestoreArrayRead(from, &a));
    double* b;
    check(VecGetArray(to, &b));
    for (std::size_t i = 0; i < values.size(); ++i) b[i] = f((first_ + i) % 2 == 1, values[i]);
    check(VecRestoreArray(to, &b));
  }
  bool apart_;
  double largest_change_;
  PetscInt first_ = 0, end_ = 0;
};

NewtonReport followed(TwoEquations& system) {
  LinearSolver linear(PETSC_COMM_WORLD, {.method = "mumps_cholesky"});
  return PseudoTimeNewton(linear, {}).solve(system, system.u, 0);
}

double largest_even(const TwoEquations& system) {
  double value = 0;
  check(VecNorm(system.u, NORM_INFINITY, &value));
  return value;
}

// In ‖r‖ the cubic equation, which is 10⁸ times larger, would hide the divergence of the others.
TEST(PseudoTimeNewton, ResidualsOfOtherUnitsDoNotHideWhatRunsAway) {
  TwoEquations together(false), apart(true);
  followed(together);
  const NewtonReport found = followed(apart);
  ASSERT_TRUE(found.converged) << found.reason;
  EXPECT_LT(largest_even(apart), 0.1);
  EXPECT_GT(together.farthest, 1e6);
  EXPECT_LT(apart.farthest, 10);
}

// No trial point is further from the last accepted one than the equation allows.
TEST(PseudoTimeNewton, TakesNoChangeThatIsTooLarge) {
  TwoEquations limited(true, 0.5);
  const NewtonReport found = followed(limited);
  ASSERT_TRUE(found.converged) << found.reason;
  EXPECT_LE(limited.farthest, 3.0);
  ASSERT_EQ(found.limited.size(), found.cfl.size());
  EXPECT_EQ(found.limited.front(), 3);  // the unknowns of even number, on all ranks
  EXPECT_EQ(found.limited.back(), 0);
}

}  // namespace
}  // namespace invar
