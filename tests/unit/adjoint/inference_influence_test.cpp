#include "libadjoint/inference/influence.hpp"

#include <gtest/gtest.h>

#include "libadjoint/maps/number_design.hpp"
#include "libadjoint/static_case.hpp"
#include "tests/unit/adjoint/path_toys.hpp"
#include "tests/unit/adjoint/time_cases.hpp"
#include "tests/unit/adjoint/time_models.hpp"

namespace invar::toy {
namespace {

/// u₀ = a, u₁ = c², u₂ = e and an unused b.
struct Springs {
  static constexpr int n = 3;
  std::vector<int> constrained{};
  template <class T>
  Column<T> residual(const Column<T>& u, const Column<T>& d) const {
    return {u[0] - d[0], u[1] - d[2] * d[2], u[2] - d[3] + 0.0 * d[1]};
  }
  template <class T>
  T held(int, const Column<T>&) const { return T(0.0); }
};

/// At the start J = a + c² + ½ e² changes with a to first order, with c to second; e changes a datum whose residual is zero.
TEST(Influence, IsMissedByNeitherSlopeNorCurvatureNorData) {
  const Controls values{{0.7}, {3}, {0}, {0}};
  const auto toy = std::make_shared<SmoothToy<Springs>>(Springs{}, std::vector{control("a"), control("b"), control("c"), control("e")}, values);
  LoadSteppingOptions stepping;
  stepping.newton.rtol = 1e-13;
  const auto process = std::make_shared<StaticCase>("springs", toy, tight_solver(), std::vector{1.0}, 0.0, stepping);
  const auto observe = [&](Column<double> linear) {
    return std::make_shared<SmoothObservable>(*toy, std::move(linear), Column<double>(3, 0.0), Column<double>(4, 0.0));
  };
  process->terms() = {{.name = "sum", .observable = observe({1, 1, 0}), .steps = {0}}};
  process->data() = {{.name = "datum", .observable = observe({0, 0, 1}), .steps = {0}, .target = {0}, .noise = {1}}};
  std::vector<DesignEntry> entries;
  for (int k = 0; k < 4; ++k) {
    DesignEntry e;
    e.name = toy->controls()[k].name;
    e.start = values[k][0], e.lower = -10, e.upper = 10;
    e.targets = {{0, k}};
    entries.push_back(e);
  }
  CaseFunctional functional(std::vector{process}, {std::make_shared<NumberDesign>(entries)}, PETSC_COMM_WORLD);
  EXPECT_EQ(without_influence(functional, 4), std::vector<std::size_t>{1});
  EXPECT_EQ(without_influence(functional, 1), std::vector<std::size_t>{}) << "only the first are asked for";
}

}  // namespace
}  // namespace invar::toy
