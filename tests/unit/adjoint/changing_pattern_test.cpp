// A matrix whose pattern changes while Newton's method runs, against the same equation with a dense matrix.
#include <gtest/gtest.h>

#include <set>

#include "libadjoint/constraint/reduced_observable.hpp"
#include "libadjoint/constraint/reduced_residual.hpp"
#include "libadjoint/static_case.hpp"
#include "tests/unit/adjoint/path_toys.hpp"
#include "tests/unit/adjoint/time_cases.hpp"

namespace invar::changing_patterns {
namespace {

using namespace toy;

/// Beads on a line at x_i = i + u_i, each held at its place by a spring k and pulled by a force of its own; those
/// nearer to each other than `reach` repel with the barrier −(g − reach)² ln(g / reach) of their gap g, which grows
/// without bound at contact. The last is prescribed. Controls: k, the forces' factor, where the last is.
struct Beads {
  static constexpr int n = 7;
  static constexpr double reach = 0.4;
  std::vector<int> constrained{n - 1};
  static double place(int i) { return i % 2 == 0 ? i : i - 0.5; }
  static double force(int i) { return std::array{2.6, -0.4, 3.1, 0.7, -2.8, -1.9, 0.0}[i]; }
  template <class T>
  Column<T> residual(const Column<T>& u, const Column<T>& d) const {
    Column<T> r;
    for (int i = 0; i < n; ++i) r.push_back(d[0] * u[i] - d[1] * force(i));
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        const T gap = (place(j) + u[j]) - (place(i) + u[i]);
        if (value(gap) >= reach) continue;
        // Derivative of the barrier by the gap; ln by the difference of 1/g is not at hand for toys: the barrier is
        // taken as (reach − g)³ / g, of which this is the derivative.
        const T s = reach - gap, slope = 0.0 - (3.0 * s * s / gap + s * s * s / (gap * gap));
        r[i] = r[i] - slope;
        r[j] = r[j] + slope;
      }
    return r;
  }
  template <class T>
  T held(int, const Column<T>& d) const { return d[2]; }

  static double value(double v) { return v; }
  template <class S>
  static double value(const Dual<S>& v) { return value(v.v); }
};

/// The same with a matrix that has entries for near beads only, and with limited steps that keep beads apart.
class SparseBeads final : public SmoothToy<Beads>, public StepLimit, public ChangingPattern {
 public:
  using SmoothToy::SmoothToy;
  Capabilities capabilities() override {
    Capabilities able = SmoothToy::capabilities();
    able.step_limit = this;
    able.pattern = this;
    return able;
  }
  bool admits(const EvaluationPoint& u) override {
    const Column<double> x = gathered(u);
    for (int i = 0; i + 1 < n_; ++i)
      if (Beads::place(i) + x[i] >= Beads::place(i + 1) + x[i + 1]) return false;
    return true;
  }
  /// A part of each gap may be used up.
  double longest_step(const EvaluationPoint& u, Vec step) override {
    const Column<double> x = gathered(u), s = gathered(step);
    double part = 1;
    for (int i = 0; i < n_; ++i)
      for (int j = i + 1; j < n_; ++j)
        if (const double gap = Beads::place(j) + x[j] - Beads::place(i) - x[i], closing = s[i] - s[j]; closing > 0)
          part = std::min(part, 0.8 * gap / closing);
    shortened += part < 1;
    return part;
  }
  bool update_pattern(const EvaluationPoint& u) override {
    const Column<double> x = gathered(u);
    std::set<std::pair<int, int>> pairs;
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j)
        if (i == j || std::abs(Beads::place(j) + x[j] - Beads::place(i) - x[i]) < 1.2 * Beads::reach) pairs.insert({i, j});
    if (sparse_ && pairs == pairs_) return false;
    pairs_ = pairs;
    ++patterns;
    MatHandle next;
    check(MatCreateAIJ(comm(), last_ - first_, last_ - first_, n_, n_, n_, nullptr, n_, nullptr, next.out()));
    for (const auto& [i, j] : pairs_)
      if (i >= first_ && i < last_) check(MatSetValue(next, i, j, i == j, INSERT_VALUES));
    check(MatAssemblyBegin(next, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(next, MAT_FINAL_ASSEMBLY));
    sparse_ = std::move(next);
    return true;
  }
  Mat matrix() const override { return sparse_; }
  using Residual::jacobian;
  void jacobian(const EvaluationPoint& u, const PerLevel<double>& weights) override {
    SmoothToy::jacobian(u, weights);
    for (int i = first_; i < last_; ++i)
      for (int j = 0; j < n_; ++j) {
        double entry = 0;
        check(MatGetValue(matrix_, i, j, &entry));
        if (pairs_.contains({i, j})) check(MatSetValue(sparse_, i, j, entry, INSERT_VALUES));
        else EXPECT_EQ(entry, 0) << "no place for " << i << ", " << j;
      }
    check(MatAssemblyBegin(sparse_, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(sparse_, MAT_FINAL_ASSEMBLY));
  }
  int patterns = 0, shortened = 0;

 private:
  std::set<std::pair<int, int>> pairs_;
  MatHandle sparse_;
};

const std::vector<ControlInfo> infos{{.name = "k"}, {.name = "force"}, {.name = "end"}};
const Controls values{{1.3}, {1.0}, {-0.35}};

std::unique_ptr<StaticCase> process(std::shared_ptr<Residual> residual) {
  LoadSteppingOptions stepping;
  stepping.newton.rtol = 1e-13;
  stepping.newton.min_iterations = 1;
  return std::make_unique<StaticCase>("beads", std::move(residual), std::make_shared<LinearSolver>(PETSC_COMM_WORLD),
                                      std::vector{1.0}, 0.0, stepping);
}
Column<double> summed(const Controls& d_bar) {
  Column<double> out;
  for (const auto& entry : d_bar) out.push_back(entry[0]);
  MPI_Allreduce(MPI_IN_PLACE, out.data(), static_cast<int>(out.size()), MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return out;
}
void expect_close(const Column<double>& a, const Column<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * (1 + std::abs(b[i]))) << i;
}

TEST(ChangingPattern, NewtonFindsWhatADenseMatrixFinds) {
  const auto sparse = std::make_shared<SparseBeads>(Beads{}, infos, values);
  const auto dense = std::make_shared<SmoothToy<Beads>>(Beads{}, infos, values);
  sparse->update_pattern({sparse->create_vector(), sparse->given()});
  const auto a = process(sparse), b = process(dense);
  const Column<double> linear{0.2, -0.3, 0.5, 1.0, 0.4, 0.7, 0.1}, square{0, 1, 0.3, 2, 0, 1.5, 0.2}, mixed{0.1, 0.2, 0.3};
  a->data() = {{"y", std::make_shared<SmoothObservable>(*sparse, linear, square, mixed), {0}, {0.1}, {0.2}}};
  b->data() = {{"y", std::make_shared<SmoothObservable>(*dense, linear, square, mixed), {0}, {0.1}, {0.2}}};
  const ProcessReport ran = a->run(values);
  ASSERT_TRUE(ran.ok) << ran.reason;
  EXPECT_GT(sparse->patterns, 2);
  EXPECT_GT(sparse->shortened, 0);
  const Column<double> u = sparse->gathered(a->state(0));
  for (int i = 0; i + 1 < Beads::n; ++i) EXPECT_GT(Beads::place(i + 1) + u[i + 1] - Beads::place(i) - u[i], 0);

  // The dense equation begins where the sparse one ended: without a limit its steps go through one another.
  b->guess = [&](const Controls&, double, Vec start, const std::shared_ptr<SolveMonitor>&) { return check(VecCopy(a->state(0), start)), true; };
  ASSERT_TRUE(b->run(values).ok);
  expect_close(u, dense->gathered(b->state(0)), 1e-11);
  Controls g(3, {0.0}), g_dense = g, second = g, second_dense = g;
  const Controls direction{{0.3}, {-0.2}, {0.5}};
  ASSERT_TRUE(a->gradient(g).converged && b->gradient(g_dense).converged);
  expect_close(summed(g), summed(g_dense), 1e-11);
  ASSERT_TRUE(a->hessian_action(direction, second).converged && b->hessian_action(direction, second_dense).converged);
  expect_close(summed(second), summed(second_dense), 1e-10);

  const auto value = [&](double h) {
    Controls moved = values;
    for (std::size_t k = 0; k < moved.size(); ++k) moved[k][0] += h * direction[k][0];
    EXPECT_TRUE(a->run(moved).ok);
    return a->value();
  };
  double along = 0;
  for (std::size_t k = 0; k < 3; ++k) along += summed(g)[k] * direction[k][0];
  constexpr double h = 1e-4;
  EXPECT_NEAR((8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h), along, 1e-8 * std::abs(along));
}

// Without rates every step in time ends at the equilibrium.
TEST(ChangingPattern, StepsInTimeHaveTheSameLimits) {
  const auto sparse = std::make_shared<SparseBeads>(Beads{}, infos, values);
  sparse->update_pattern({sparse->create_vector(), sparse->given()});
  const auto still = process(sparse);
  ASSERT_TRUE(still->run(values).ok);
  const auto moving = march(sparse, TimeScheme(TimeScheme::Kind::backward_euler, 1), {0, 0.5, 1});
  const int before = sparse->shortened;
  const ProcessReport ran = moving->run(values);
  ASSERT_TRUE(ran.ok) << ran.reason;
  EXPECT_GT(sparse->shortened, before);
  Column<double> end;
  moving->with_state(2, [&](const EvaluationPoint& u) { end = sparse->gathered(u); });
  expect_close(end, sparse->gathered(still->state(0)), 1e-10);
}

// The pattern of Tᵀ K T follows that of K: the first two beads move as one.
TEST(ChangingPattern, TiedUnknownsFollow) {
  const auto sparse = std::make_shared<SparseBeads>(Beads{}, infos, values);
  sparse->update_pattern({sparse->create_vector(), sparse->given()});
  const VecHandle like = sparse->create_vector();
  const auto map = std::make_shared<const ConstraintMap>(
      std::vector<Vec>{like}, sparse->first() <= 1 && sparse->last() > 1 ? std::vector<Tie>{{1, {{0, 1.0}}}} : std::vector<Tie>{});
  const auto tied = std::make_shared<ReducedResidual>(std::vector<std::shared_ptr<Residual>>{sparse}, map);
  const auto a = process(tied);
  const Column<double> linear{0.2, -0.3, 0.5, 1.0, 0.4, 0.7, 0.1}, square{0, 1, 0.3, 2, 0, 1.5, 0.2}, mixed{0.1, 0.2, 0.3};
  a->data() = {{"y", std::make_shared<ReducedObservable>(std::make_shared<SmoothObservable>(*sparse, linear, square, mixed), map, sparse->create_vector()),
                {0}, {0.1}, {0.2}}};
  const int before = sparse->patterns;
  const ProcessReport ran = a->run(values);
  ASSERT_TRUE(ran.ok) << ran.reason;
  EXPECT_GT(sparse->patterns, before + 1);
  VecHandle u = sparse->create_vector();
  map->expand(a->state(0), u);
  const Column<double> x = sparse->gathered(u);
  EXPECT_NEAR(x[0], x[1], 1e-14);
  Column<double> r = Beads().residual(x, Column<double>{values[0][0], values[1][0], values[2][0]});
  EXPECT_NEAR(r[0] + r[1], 0, 1e-11);
  for (int i = 2; i + 1 < Beads::n; ++i) EXPECT_NEAR(r[i], 0, 1e-11);
  Controls g(3, {0.0});
  const Controls direction{{0.3}, {-0.2}, {0.5}};
  ASSERT_TRUE(a->gradient(g).converged);
  const auto value = [&](double h) {
    Controls moved = values;
    for (std::size_t k = 0; k < moved.size(); ++k) moved[k][0] += h * direction[k][0];
    EXPECT_TRUE(a->run(moved).ok);
    return a->value();
  };
  double along = 0;
  for (std::size_t k = 0; k < 3; ++k) along += summed(g)[k] * direction[k][0];
  constexpr double h = 1e-4;
  EXPECT_NEAR((8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h), along, 1e-8 * std::abs(along));
}

}  // namespace
}  // namespace invar::changing_patterns
