// Every law × kind of solid × treatment of the volume × observable × control: adjoint against tangent,
// Taylor orders, the Hessian, and the tangent against finite differences of solved problems.
#include <gtest/gtest.h>

#include "libadjoint/verify/directions.hpp"
#include "libadjoint/verify/dot_product_test.hpp"
#include "libadjoint/verify/hessian_test.hpp"
#include "libadjoint/verify/taylor_test.hpp"
#include "tests/unit/gradient/problem_functional.hpp"
#include "tests/unit/gradient/problem_table.hpp"

namespace invar::gradient_test {
namespace {

#define EXPECT_PASSED(entry)                                                                              \
  do {                                                                                                    \
    const CertificateEntry e_ = (entry);                                                                  \
    EXPECT_TRUE(e_.passed) << e_.check << " of " << e_.subject << ": measured " << e_.measured << ", expected " \
                           << e_.expected << " ± " << e_.tolerance << "; adjoint " << e_.derivative << ", other " \
                           << e_.reference << "; " << e_.note;                                            \
  } while (false)

/// One problem, solved at the start of the design.
class SolvedProblem {
 public:
  explicit SolvedProblem(const ProblemSpec& spec)
      : problem_(make_problem(spec, PETSC_COMM_WORLD)), start_(problem_.residual->control_values()),
        solved_(problem_.make_case()), report_(solved_->run(start_)) {}
  const ProcessReport& report() const { return report_; }
  /// The functional of an observable, −1: of all. The residual is back at the start.
  std::unique_ptr<CaseFunctional> functional(int observable) const {
    problem_.residual->set_controls(start_);
    return make_functional(problem_, *solved_, observable);
  }

 private:
  SolidProblem problem_;
  Controls start_;
  std::shared_ptr<StaticCase> solved_;
  ProcessReport report_;
};

/// Along the gradient and along a random direction.
std::vector<std::pair<std::string, DesignVector>> directions_of(CaseFunctional& f, const DesignVector& theta) {
  DesignVector g;
  EXPECT_TRUE(f.gradient(theta, g).ok);
  const Directions d(f, theta);
  return {{"gradient", d.along(g)}, {"random", d.random(7)}};
}

// Exact identities of the discrete equations: only round-off, amplified by the condition of K.
void check_identities(const SolvedProblem& problem) {
  for (int k = 0; k < static_cast<int>(all_observables().size()); ++k) {
    const std::string& name = all_observables()[k].name;
    const auto f = problem.functional(k);
    const DesignVector theta = f->start();
    const auto d = directions_of(*f, theta);
    for (const auto& [along, direction] : d)
      EXPECT_PASSED(dot_product_test(*f, theta, direction, name + " along " + along, 1e-10));
    EXPECT_PASSED(hessian_symmetry_test(*f, theta, d[0].second, d[1].second, name, 1e-10));
  }
}

void check_taylor(const SolvedProblem& problem, int observable) {
  const auto f = problem.functional(observable);
  const DesignVector theta = f->start();
  TaylorOptions options;
  options.first_step = 0.02;  // a load step needs no cuts this near to the start
  options.steps = 5;
  for (const auto& [along, direction] : directions_of(*f, theta))
    EXPECT_PASSED(taylor_test(*f, theta, direction, all_observables()[observable].name + " along " + along, options));
}

// Central differences of gradients: truncation h² ~ 1e-8, round-off 1e-13 / h.
void check_hessian(const SolvedProblem& problem) {
  const auto f = problem.functional(-1);
  const DesignVector theta = f->start();
  const DesignVector d = Directions(*f, theta).random(11);
  constexpr double h = 1e-4;
  DesignVector hd, forward, backward;
  ASSERT_TRUE(f->hessian_action(theta, d, hd).ok);
  ASSERT_TRUE(f->gradient(moved(theta, h, d), forward).ok);
  ASSERT_TRUE(f->gradient(moved(theta, -h, d), backward).ok);
  const double size = norm(hd, f->comm());
  for (std::size_t i = 0; i < hd.shared.size(); ++i)
    EXPECT_NEAR(hd.shared[i], (forward.shared[i] - backward.shared[i]) / (2 * h), 2e-6 * size) << f->names()[i];
}

// The whole way from every design variable to every observed value by differences of solved
// problems: truncation h² ~ 1e-9, round-off 1e-13 / h.
void check_differences(const SolvedProblem& problem) {
  const auto f = problem.functional(-1);
  const DesignVector theta = f->start();
  Eigen::VectorXd rho, forward, backward;
  Eigen::MatrixXd drho;
  ASSERT_TRUE(f->jacobian(theta, rho, drho).ok);
  constexpr double h = 3e-5;
  for (int i = 0; i < drho.cols(); ++i) {
    DesignVector e = DesignVector::zeros_like(theta);
    e.shared[i] = 1;
    ASSERT_TRUE(f->residuals(moved(theta, h, e), forward).ok);
    ASSERT_TRUE(f->residuals(moved(theta, -h, e), backward).ok);
    const Eigen::VectorXd error = (forward - backward) / (2 * h) - drho.col(i);
    EXPECT_LE(error.norm(), 1e-6 * drho.col(i).norm() + 3e-9) << f->names()[i];
  }
}

/// A law of the library: name and number of terms.
using Law = std::pair<std::string, int>;

std::vector<Law> all_laws() {
  std::vector<Law> laws;
  for (const ProblemSpec& s : all_problems())
    if (laws.empty() || laws.back() != Law(s.material, s.terms)) laws.emplace_back(s.material, s.terms);
  return laws;
}

class GradientMatrix : public testing::TestWithParam<Law> {};

/// All problems of the law on one rank; on several every ninth of the table. The observable of the
/// Taylor test rotates: a law has more problems than there are observables.
TEST_P(GradientMatrix, IsExact) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  for (ProblemSpec spec : all_problems()) {
    if (ranks > 1) spec.refinement = 4;  // something to do for every rank
    if (Law(spec.material, spec.terms) != GetParam() || (ranks > 1 && spec.index % 9 != 0)) continue;
    SCOPED_TRACE(name_of(spec));
    const SolvedProblem problem(spec);
    ASSERT_TRUE(problem.report().ok) << problem.report().reason;
    check_identities(problem);
    check_taylor(problem, spec.index % static_cast<int>(all_observables().size()));
    check_hessian(problem);
    if (ranks == 1) check_differences(problem);
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, GradientMatrix, testing::ValuesIn(all_laws()), [](const auto& info) {
  return info.param.first + (info.param.second > 1 ? std::to_string(info.param.second) : "");
});

}  // namespace
}  // namespace invar::gradient_test
