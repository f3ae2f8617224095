// Every law × kind of solid × treatment of the volume × observable × control: adjoint against tangent,
// Taylor orders, the Hessian, and the tangent against finite differences of solved problems.
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/problem_functional.hpp"
#include "tests/unit/gradient/problem_table.hpp"

namespace invar::gradient_test {
namespace {

/// One problem, solved at the start of the design.
class SolvedProblem {
 public:
  explicit SolvedProblem(const ProblemSpec& spec)
      : problem_(make_problem(spec, PETSC_COMM_WORLD)), start_(problem_.residual->control_values()),
        solved_(problem_.make_case()), report_(solved_->run(start_)) {}
  const ProcessReport& report() const { return report_; }
  /// The functional of an observable, −1: of all.
  std::unique_ptr<CaseFunctional> functional(int observable) const {
    return make_functional(problem_, *solved_, observable);
  }

 private:
  SolidProblem problem_;
  Controls start_;
  std::shared_ptr<StaticCase> solved_;
  ProcessReport report_;
};

// Exact identities of the discrete equations: only round-off, amplified by the condition of K. Each problem
// with every third observable in turn; a law has eleven problems.
void check_identities(const SolvedProblem& problem, int turn) {
  for (int k = 0; k < static_cast<int>(all_observables().size()); ++k) {
    if ((k + turn) % 3 != 0) continue;
    const std::string& name = all_observables()[k].name;
    const auto f = problem.functional(k);
    const DesignVector theta = f->start();
    const auto d = directions_of(*f, theta);
    std::vector<Probe> probes;
    for (const auto& [along, direction] : d) probes.push_back({name + " along " + along, direction});
    for (const CertificateEntry& entry : dot_product_tests(*f, theta, probes, 1e-10)) EXPECT_PASSED(entry);
    EXPECT_PASSED(hessian_symmetry_test(*f, theta, d[0].second, d[1].second, name, 1e-10));
  }
}

/// A law of the library: name and number of terms.
using Law = std::pair<std::string, int>;

std::vector<Law> all_laws() {
  std::vector<Law> laws;
  for (const ProblemSpec& s : all_problems())
    if (std::ranges::find(laws, Law(s.material, s.terms)) == laws.end()) laws.emplace_back(s.material, s.terms);
  return laws;
}

class GradientMatrix : public testing::TestWithParam<Law> {};

/// A law with more than one term is of the same code as that with one, and has up to 26 constants, each of which is a
/// direction of its own. What differs, the law's derivatives with each number of terms, is tested in the room `solid`.
bool repeats_another(const ProblemSpec& s) { return s.terms > 1; }

/// Laws whose problems `tests/run` solves all, the simplest linear and the simplest nonlinear one: forms read a law through
/// energy, stress and tangent at a point alone, whose own derivatives the room `solid` tests in every kind of solid.
bool stands_for_others(const ProblemSpec& s) { return s.material == "linear_elastic" || s.material == "neo_hookean"; }

/// Of a law that others stand for every sixth problem, in turn, of one that repeats another every seventeenth of the table; the rest
/// has the label `long`. On several ranks, which a law at a point does not see, those that stand for the others: on two every second
/// problem, on three every fourth; of those that grow one in space and one in a plane, of cells of both orders.
bool is_of_every_run(const ProblemSpec& s, int ranks) {
  if (ranks > 1 && s.growth) return s.material == "neo_hookean" && s.kind != SolidKind::axisymmetric && s.volume == Volume::compressible;
  if (ranks > 1) return stands_for_others(s) && s.index % (ranks == 2 ? 2 : 4) == 0;
  if (repeats_another(s)) return s.index % 17 == 0;
  return stands_for_others(s) || s.index % 6 == 0;
}

/// Observables of the Taylor test rotate.
void check_problem(ProblemSpec spec, int ranks) {
  if (ranks > 1) spec.refinement = 4;  // something to do for every rank
  SCOPED_TRACE(name_of(spec));
  const SolvedProblem problem(spec);
  ASSERT_TRUE(problem.report().ok) << problem.report().reason;
  check_identities(problem, spec.index);
  for (const int turn : taylor_observables(spec)) {
    const auto one = problem.functional(turn);
    check_taylor(*one, one->start());
  }
  const auto all = problem.functional(-1);
  check_hessian(*all, all->start());
  if (ranks == 1) check_differences(*all, all->start());
}

TEST_P(GradientMatrix, IsExact) {
  const int ranks = rank_count();
  for (const ProblemSpec& spec : all_problems())
    if (Law(spec.material, spec.terms) == GetParam() && is_of_every_run(spec, ranks)) check_problem(spec, ranks);
}

/// On several ranks of every law a part: each seventeenth problem of the table on two, each 34th on three.
bool is_of_long_runs(const ProblemSpec& s, int ranks) {
  return !repeats_another(s) && !is_of_every_run(s, ranks) && (ranks == 1 || s.index % (ranks == 2 ? 17 : 34) == 0);
}

TEST_P(GradientMatrix, IsExactInEveryOtherProblem) {
  const int ranks = rank_count();
  for (const ProblemSpec& spec : all_problems())
    if (Law(spec.material, spec.terms) == GetParam() && is_of_long_runs(spec, ranks)) check_problem(spec, ranks);
}

INSTANTIATE_TEST_SUITE_P(Laws, GradientMatrix, testing::ValuesIn(all_laws()), [](const auto& info) {
  return info.param.first + (info.param.second > 1 ? std::to_string(info.param.second) : "");
});

}  // namespace
}  // namespace invar::gradient_test
