// Marches that begin in equilibrium.
#include <gtest/gtest.h>

#include "libadjoint/time/equilibrium_start.hpp"
#include "tests/unit/adjoint/time_cases.hpp"
#include "tests/unit/adjoint/time_models.hpp"

namespace invar::equilibrium_starts {
namespace {

using namespace toy;

/// Two masses on stiffening springs behind each other, the second pulled by f while t ≤ hold. Controls: m, c, k, f,
/// hold.
struct Pulled : PlainModel {
  Pulled() { n = 3, constrained = {0}; }
  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>& d, double t) const {
    const auto& [u, v, a, predicted] = y;
    const T e = u[1] - u[0], g = u[2] - u[1], pull = t <= 1e-9 + hold(d) ? d[3] : T(0);
    const T first = d[2] * e + 2.0 * e * e * e, second = 0.5 * d[2] * g + g * g * g;
    return {u[0], d[0] * a[1] + d[1] * v[1] + first - second, d[0] * a[2] + d[1] * v[2] + second - pull};
  }
  static double hold(const Column<double>& d) { return d[4]; }
  template <class S>
  static double hold(const Column<Dual<S>>& d) {
    if constexpr (std::is_same_v<S, double>) return d[4].v;
    else return d[4].v.v;
  }
  template <class T>
  T constraint(int, const Column<T>& d, double) const { return 0.1 * d[3]; }
};
struct Ends {
  template <class T>
  Column<T> operator()(const Levels<T>& y, const Column<T>& d, double) const { return {y[0][2] * y[0][2] + d[2] * y[1][1], y[0][1]}; }
};

struct Release {
  std::shared_ptr<Toy<Pulled>> body;
  std::shared_ptr<LinearSolver> solver = tight_solver();
  std::unique_ptr<TransientCase> process;
  Controls d;

  Release(const SchemeCase& s, double hold, std::size_t memory = 0) {
    d = {{0.7}, {0.2}, {2.0}, {0.9}, {hold}};
    body = std::make_shared<Toy<Pulled>>(Pulled(), std::vector<ControlInfo>{control("m"), control("c"), control("k"), control("f"), control("hold")}, d);
    MarchOptions options = tight();
    options.start = std::make_shared<EquilibriumStart>(body, solver, 0.0, options.newton);
    if (memory) options.storage.ram_bytes = memory;
    process = std::make_unique<TransientCase>("release", body, solver, s.scheme(), uniform(2, 16), options);
    const auto ends = observe(body, 2, Ends{});
    process->data() = {{.name = "seen", .observable = ends, .steps = {0, 5, 16}, .target = std::vector<double>(6, 0.1), .noise = {1, 0.5, 0.7, 1, 0.4, 0.9}}};
    process->terms() = {{.name = "end", .observable = ends, .steps = {9}, .weight = 1.3}};
  }
  double value(const Controls& at) {
    const ProcessReport report = process->run(at);
    EXPECT_TRUE(report.ok) << report.reason;
    return process->value();
  }
};

TEST(EquilibriumStart, StaysAtRestAsLongAsNothingChanges) {
  for (const SchemeCase& s : schemes(2)) {
    SCOPED_TRACE(s.name);
    Release held(s, 100);
    ASSERT_TRUE(held.process->run(held.d).ok);
    Column<double> first, last, rate;
    held.process->with_state(1, [&](const EvaluationPoint& u) { first = held.body->gathered(u); });
    held.process->with_state(16, [&](const EvaluationPoint& u) {
      last = held.body->gathered(u);
      rate = held.body->gathered(u.levels[Level::rate]);
    });
    EXPECT_GT(last[2], 0.5);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(first[i], last[i], 1e-9);
      EXPECT_NEAR(rate[i], 0, 1e-8);
    }
    // Forces of springs carry the pull.
    const double g = last[2] - last[1];
    EXPECT_NEAR(0.5 * 2.0 * g + g * g * g, 0.9, 1e-9);
  }
}

TEST(EquilibriumStart, DerivativesGoThroughTheEquilibrium) {
  for (const SchemeCase& s : schemes(2))
    for (const std::size_t memory : {0, 600}) {  // the second: a few checkpoints
      SCOPED_TRACE(s.name + " " + std::to_string(memory));
      Release released(s, 0, memory);
      const Controls direction{{0.3}, {-0.2}, {0.5}, {0.4}, {0.0}};
      released.value(released.d);
      Controls g(5, {0.0});
      ASSERT_TRUE(released.process->gradient(g).converged);
      Eigen::MatrixXd rho_dot;
      Eigen::VectorXd value_dot;
      ASSERT_TRUE(released.process->tangent({direction}, rho_dot, value_dot).converged);
      double along = 0;
      for (std::size_t k = 0; k < 5; ++k) {
        MPI_Allreduce(MPI_IN_PLACE, &g[k][0], 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
        along += g[k][0] * direction[k][0];
      }
      EXPECT_NEAR(value_dot[0], along, 1e-10 * std::abs(along));
      const auto at = [&](double h) {
        Controls moved = released.d;
        for (std::size_t k = 0; k < moved.size(); ++k) moved[k][0] += h * direction[k][0];
        return released.value(moved);
      };
      constexpr double h = 1e-3;
      EXPECT_NEAR((8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h), along, 1e-8 * std::abs(along));
    }
}

}  // namespace
}  // namespace invar::equilibrium_starts
