// What `auto` makes of linear systems of equations on a device: which method, what it gives, and what follows where it is given up.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <optional>

#include "libadjoint/solve/assembled_on_demand.hpp"
#include "libadjoint/solve/device_rows.hpp"
#include "libadjoint/static_case.hpp"
#include "libfem/device/device_library.hpp"
#include "libfem/device/device_solver.hpp"
#include "libfem/solid/solid_device.hpp"
#include "tests/support/cudss_library.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/device/form_comparison.hpp"
#include "tests/unit/device/vector_entries.hpp"
#include "tests/unit/form/solid_problem.hpp"

namespace invar::device_test {
namespace {

/// An environment variable for its lifetime; null: none.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// The number of unknowns from which multigrid is taken, for its lifetime.
class MultigridFrom {
 public:
  explicit MultigridFrom(const char* unknowns) { check(PetscOptionsSetValue(nullptr, "-invar_p_multigrid_from", unknowns)); }
  MultigridFrom(const MultigridFrom&) = delete;
  MultigridFrom& operator=(const MultigridFrom&) = delete;
  ~MultigridFrom() { PetscOptionsClearValue(nullptr, "-invar_p_multigrid_from"); }
};

/// What a solver says of its method.
class Listener final : public SolveMonitor {
 public:
  void stage(const std::string& what) override {
    if (what.starts_with("linear solver")) chosen.push_back(what);
  }
  void newton(int, double, double) override {}
  void krylov(std::string_view, int, double) override {}
  void changed(const std::string& why) override { changes.push_back(why); }
  bool stop() const override { return false; }

  std::vector<std::string> chosen, changes;
};

/// A bar of P2 tetrahedra under a dead load, or a pressure that follows it and makes its matrix nonsymmetric.
std::unique_ptr<test::SolidProblem> make_bar(bool followed = false, int order = 2) {
  auto made = std::make_unique<test::SolidProblem>(make_box({0, 0, 0}, {3, 1, 1}, {3, 1, 1}, Shape::tetrahedron, order), SolidKind::spatial, test::SolidOptions{.comm = PETSC_COMM_SELF});
  made->material("neo_hookean", {10, 0.3});
  made->hold({"left"}, [](int, const double*) { return 0.0; });
  if (followed) made->pressure("top", 0.1);
  else made->traction("right", [](int i, const double*) { return i == 1 ? -0.12 : 0.0; });
  made->finish();
  return made;
}

struct SolvedBar {
  DeviceSolver prepared;
  Array state, gradient;  // the state, and the derivatives of its mean by the law's numbers
  std::string method;     // of the last solve
  bool on_device = false;  // the matrix
  std::vector<std::string> chosen, changes;
};

/// Solves the bar, on a device by `auto` or on the processor by factors, and its adjoint equation.
SolvedBar solve_bar(bool on_device, LinearSolverOptions options = {}, bool followed = false) {
  const auto problem = make_bar(followed);
  FormResidual& r = *problem->residual();
  SolvedBar answer;
  const auto device = make_device(Device::Kind::emulation);
  if (on_device) {
    move_to_device(r, solid_device_forms(), device);
    answer.prepared = solve_on_device(r, device, false);
  } else {
    options.method = "mumps";
  }
  options.rtol = 1e-12;
  const auto solver = std::make_shared<LinearSolver>(PETSC_COMM_SELF, options);
  const auto listener = std::make_shared<Listener>();
  solver->set_monitor(listener);
  LoadSteppingOptions stepping;
  stepping.newton.rtol = 1e-12;
  StaticCase bent("bar", problem->residual(), solver, {0.5, 1.0}, 0.0, stepping);
  const ProcessReport report = bent.run(r.control_values());
  EXPECT_TRUE(report.ok) << report.reason;
  if (!report.ok) return answer;
  answer.state = entries_of(bent.state(1));
  const VecHandle mean = zeros_like(bent.state(1));
  check(VecSet(mean, 1.0 / double(problem->dofs()->n_global())));
  Controls gradient;
  for (const auto& values : r.control_values()) gradient.emplace_back(values.size(), 0.0);
  const SolveReport adjoint = bent.state_vjp(1, mean, gradient);
  EXPECT_TRUE(adjoint.converged) << adjoint.reason;
  answer.gradient = {gradient[0][0], gradient[1][0]};
  answer.method = adjoint.method;
  answer.on_device = DeviceRows::of(r.matrix()) != nullptr;
  answer.chosen = listener->chosen, answer.changes = listener->changes;
  return answer;
}

void expect_same_bars(const SolvedBar& found, const SolvedBar& expected) {
  EXPECT_LE(difference(found.state, expected.state), 1e-10);
  ASSERT_EQ(found.gradient.size(), 2u);
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(found.gradient[k], expected.gradient[k], 1e-9 * std::abs(expected.gradient[k])) << k;
}

TEST(DeviceSolver, FactorsStayOnTheDevice) {
  for (const bool followed : {false, true}) {
    const std::string method = followed ? "cudss" : "cudss_ldlt";
    const SolvedBar host = solve_bar(false, {}, followed), there = solve_bar(true, {}, followed);
    EXPECT_EQ(there.prepared.method, method) << there.prepared.reason;
    EXPECT_TRUE(there.prepared.by_cudss);
    EXPECT_NE(there.prepared.reason.find("cuDSS 1."), std::string::npos) << there.prepared.reason;
    EXPECT_EQ(there.method, method);
    EXPECT_TRUE(there.on_device);
    ASSERT_EQ(there.chosen.size(), 1u);
    EXPECT_NE(there.chosen[0].find(method + ", for"), std::string::npos) << there.chosen[0];
    expect_same_bars(there, host);
  }
}

TEST(DeviceSolver, LargeSymmetricBodiesGoToMultigrid) {
  const MultigridFrom few("100");
  const SolvedBar host = solve_bar(false), there = solve_bar(true), followed = solve_bar(true, {}, true);
  EXPECT_EQ(there.prepared.method, "cg_p_multigrid");
  EXPECT_FALSE(there.prepared.by_cudss);  // in emulation the coarse level is factorised by MUMPS
  EXPECT_NE(there.prepared.reason.find("by the processor"), std::string::npos) << there.prepared.reason;
  EXPECT_EQ(there.method, "cg_p_multigrid");
  EXPECT_TRUE(there.changes.empty());
  expect_same_bars(there, host);
  EXPECT_EQ(followed.method, "cudss");
}

TEST(DeviceSolver, WithoutTheLibraryAllIsAsBefore) {
  const Environment nowhere("INVAR_CUDSS", "/nowhere/libcudss.so");
  const SolvedBar host = solve_bar(false), there = solve_bar(true);
  EXPECT_EQ(there.prepared.method, "");
  EXPECT_NE(there.prepared.reason.find("/nowhere/libcudss.so"), std::string::npos) << there.prepared.reason;
  EXPECT_EQ(there.prepared.reason.find("use auto"), std::string::npos) << there.prepared.reason;
  EXPECT_EQ(there.method, "mumps_cholesky");
  EXPECT_FALSE(there.on_device);
  expect_same_bars(there, host);
}

/// Three iterations are too few. The matrix is then assembled, within the same solve and in all later ones.
TEST(DeviceSolver, MultigridIsGivenUpForFactors) {
  const MultigridFrom few("100");
  const std::string here = std::getenv("INVAR_CUDSS");
  for (const bool library : {true, false}) {
    const Environment maybe("INVAR_CUDSS", library ? here.c_str() : "/nowhere/libcudss.so");
    const std::string method = library ? "cudss_ldlt" : "mumps_cholesky";
    const SolvedBar host = solve_bar(false), there = solve_bar(true, {.max_iterations = 3});
    EXPECT_EQ(there.prepared.method, "cg_p_multigrid");
    ASSERT_EQ(there.changes.size(), 1u);
    EXPECT_NE(there.changes[0].find("linear solver " + method + " from here on"), std::string::npos) << there.changes[0];
    EXPECT_EQ(there.method, method);
    EXPECT_EQ(there.on_device, library);
    expect_same_bars(there, host);
  }
}

/// Both multigrid and cuDSS fail: the last resort is on the processor.
TEST(DeviceSolver, FactorsThatFailAreMadeOnTheProcessor) {
  if (!test::cudss_is_replaced()) GTEST_SKIP() << "the original is not that weak";
  const Environment weak("STAND_IN_PIVOT", "0.3");
  const SolvedBar host = solve_bar(false), there = solve_bar(true);
  EXPECT_EQ(there.method, "mumps_cholesky");
  ASSERT_EQ(there.changes.size(), 1u);
  EXPECT_NE(there.changes[0].find("linear solver mumps_cholesky from here on: cudss_ldlt"), std::string::npos) << there.changes[0];
  expect_same_bars(there, host);
  const MultigridFrom few("100");
  const SolvedBar neither = solve_bar(true, {.max_iterations = 3});
  EXPECT_EQ(neither.method, "mumps_cholesky");
  EXPECT_EQ(neither.changes.size(), 2u);
  expect_same_bars(neither, host);
}

/// The entries are computed with the present coefficients: if these are others than those of the operator, there is no matrix.
TEST(DeviceSolver, AnOperatorOfOtherCoefficientsIsNotAssembled) {
  const MultigridFrom few("100");
  const auto problem = make_bar();
  FormResidual& r = *problem->residual();
  const auto device = make_device(Device::Kind::emulation);
  move_to_device(r, solid_device_forms(), device);
  ASSERT_EQ(solve_on_device(r, device, false).method, "cg_p_multigrid");
  const VecHandle u = r.create_vector(), work = r.create_vector();
  const EvaluationPoint here = test::at_full_load(r, u);
  r.jacobian(here);
  AssembledOnDemand* const later = AssembledOnDemand::of(r.matrix());
  ASSERT_NE(later, nullptr);
  const auto stiffer = std::make_shared<Controls>(r.control_values());
  (*stiffer)[0][0] *= 3;
  EvaluationPoint elsewhere = here;
  elsewhere.given.controls = stiffer;
  ASSERT_TRUE(r.residual(elsewhere, work));
  EXPECT_EQ(later->assemble(), nullptr);
  r.jacobian(here);
  const Mat matrix = later->assemble();
  ASSERT_NE(matrix, nullptr);
  EXPECT_EQ(r.matrix(), matrix);
}

TEST(DeviceSolver, DividedMatricesStayOnTheProcessor) {
  const auto problem = make_bar();
  const auto device = make_device(Device::Kind::emulation);
  move_to_device(*problem->residual(), solid_device_forms(), device);
  const DeviceSolver prepared = solve_on_device(*problem->residual(), device, true);
  EXPECT_EQ(prepared.method, "");
  EXPECT_NE(prepared.reason, "");
  problem->residual()->jacobian(test::at_full_load(*problem->residual(), problem->residual()->create_vector()));
  EXPECT_EQ(DeviceRows::of(problem->residual()->matrix()), nullptr);
}

}  // namespace
}  // namespace invar::device_test
