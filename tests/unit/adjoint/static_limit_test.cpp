// Load control where the load has a limit.
#include <gtest/gtest.h>

#include <cmath>

#include "libadjoint/static_case.hpp"
#include "tests/unit/adjoint/path_toys.hpp"

namespace invar {
namespace {

/// The number behind a word.
double number_behind(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(word);
  return at == std::string::npos ? NAN : std::strtod(text.c_str() + at + word.size(), nullptr);
}

/// c u exp(−u) = t for each unknown with a stiffness c of its own: the weakest gives way first, at u = 1 and t = c/e,
/// and nothing carries more.
struct Folds {
  static constexpr int n = 3;
  std::vector<int> constrained{};
  template <class T>
  toy::Column<T> residual(const toy::Column<T>& u, const toy::Column<T>& d, double t) const {
    using std::exp;
    toy::Column<T> r;
    for (int i = 0; i < n; ++i) r.push_back(d[i] * u[i] * exp(0.0 - u[i]) - t);
    return r;
  }
  template <class T>
  T held(int, const toy::Column<T>&) const { return T(0.0); }
};

struct LoadControl {
  std::shared_ptr<toy::SmoothToy<Folds>> body;
  std::shared_ptr<StaticCase> process;
  int steps = 0;

  explicit LoadControl(std::vector<double> times, std::vector<double> stiffness = {3, 1, 2}, LoadSteppingOptions options = {}) {
    body = std::make_shared<toy::SmoothToy<Folds>>(Folds{}, std::vector<ControlInfo>{{.name = "a"}, {.name = "b"}, {.name = "c"}},
                                                   Controls{{stiffness[0]}, {stiffness[1]}, {stiffness[2]}});
    process = std::make_shared<StaticCase>("folds", body, std::make_shared<LinearSolver>(PETSC_COMM_WORLD), std::move(times), 0.0,
                                           options);
    process->on_step = [this](int, const NewtonReport&) { ++steps; };
  }
  ProcessReport run() { return process->run(body->control_values()); }
};

TEST(StaticLimit, IsSaidWithTheLoadAndThePlace) {
  const double limit = std::exp(-1.0);
  for (const int n : {2, 5, 10, 37}) {
    SCOPED_TRACE(n);
    std::vector<double> times;
    for (int k = 1; k <= n; ++k) times.push_back(0.6 * k / n);
    LoadControl p(times);
    p.process->name_unknown = [](PetscInt row) { return "number " + std::to_string(row); };
    const ProcessReport report = p.run();
    EXPECT_FALSE(report.ok);
    EXPECT_NEAR(number_behind(report.reason, "a limit at t = "), limit, 0.01 * limit) << report.reason;
    const double last = number_behind(report.reason, "last equilibrium found: t = ");
    EXPECT_LE(last, limit * (1 + 1e-4)) << report.reason;
    EXPECT_GT(last, 0.97 * limit) << report.reason;
    EXPECT_NE(report.reason.find("number 1"), std::string::npos) << report.reason;
    EXPECT_EQ(p.steps, static_cast<int>(limit / (0.6 / n)));
    EXPECT_LT(report.newton_iterations, 300) << report.reason;
  }
}

TEST(StaticLimit, LoadsThatFallHaveOneToo) {
  LoadControl p({-0.1, -0.2, -0.3, -0.4, -0.5}, {-3, -1, -2});
  const ProcessReport report = p.run();
  EXPECT_FALSE(report.ok);
  EXPECT_NEAR(number_behind(report.reason, "a limit at t = "), -std::exp(-1.0), 0.004) << report.reason;
  EXPECT_NE(report.reason.find("dof 1"), std::string::npos) << report.reason;
}

TEST(StaticLimit, NothingIsSaidOfLoadsBelowIt) {
  LoadControl p({0.1, 0.3, 0.36});
  const ProcessReport report = p.run();
  EXPECT_TRUE(report.ok) << report.reason;
  EXPECT_EQ(report.cuts, 0);
}

// The prediction t/c of the solution of c u exp(−u) = t leaves a residual of about −t²/c: most where the stiffness is least.
TEST(StaticCaseFailure, NamesThePlaceOfTheLargestResidual) {
  LoadSteppingOptions options;
  options.newton.max_iterations = 1;
  options.max_cuts = 0;
  LoadControl p({0.3}, {3, 2, 1}, options);
  for (const bool named : {true, false}) {
    if (named) p.process->name_unknown = [](PetscInt row) { return "number " + std::to_string(row); };
    else p.process->name_unknown = nullptr;
    const ProcessReport report = p.run();
    EXPECT_FALSE(report.ok);
    EXPECT_NE(report.reason.find(named ? "; the residual is largest at number 2" : "; the residual is largest at dof 2"), std::string::npos) << report.reason;
  }
}

}  // namespace
}  // namespace invar
