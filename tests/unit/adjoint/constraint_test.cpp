// Tied unknowns: the equation for T q against the same equation with the ties substituted by hand.
#include <gtest/gtest.h>

#include <array>

#include "libadjoint/constraint/reduced_observable.hpp"
#include "libadjoint/constraint/reduced_residual.hpp"
#include "libadjoint/constraint/tie_elimination.hpp"
#include "libadjoint/static_case.hpp"
#include "tests/unit/adjoint/path_toys.hpp"
#include "tests/unit/adjoint/solve_matrices.hpp"
#include "tests/unit/adjoint/tied_vectors.hpp"
#include "tests/unit/adjoint/time_cases.hpp"
#include "tests/unit/adjoint/time_models.hpp"

namespace invar::constraints {
namespace {

using namespace toy;

/// u₃ = 0.7 u₁ − 0.2 u₄ + ½ j and u₅ = u₂ + 0.4 u₀ + j with the last control j; q are u₀, u₁, u₂, u₄. u₀ is prescribed.
constexpr int all = 6, jump = 5;
template <class T>
Column<T> expanded(const Column<T>& q, const T& j) {
  return {q[0], q[1], q[2], 0.7 * q[1] - 0.2 * q[3] + 0.5 * j, q[3], q[2] + 0.4 * q[0] + j};
}
template <class T>
Column<T> reduced(const Column<T>& r) {
  return {r[0], r[1] + 0.7 * r[3], r[2] + r[5], r[4] - 0.2 * r[3]};
}
/// The jump is the unknown of a second equation, which holds it.
struct Jump : PlainModel {
  Jump() { n = 1, constrained = {0}; }
  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>&, double) const { return {y[0][0]}; }
  template <class T>
  T constraint(int, const Column<T>& d, double) const { return d[jump]; }
  template <class T>
  Column<T> initial(Level level, const Column<T>& d) const { return {level == Level::value ? d[jump] : T(0)}; }
};
struct StillJump {
  static constexpr int n = 1;
  std::vector<int> constrained{0};
  template <class T>
  Column<T> residual(const Column<T>& u, const Column<T>&) const { return {u[0]}; }
  template <class T>
  T held(int, const Column<T>& d) const { return d[jump]; }
};
/// The ties of the two equations: the one above, and the one that holds the jump.
std::shared_ptr<const ConstraintMap> ties(const std::vector<std::shared_ptr<Residual>>& equations) {
  const VecHandle u = equations[0]->create_vector(), j = equations[1]->create_vector();
  const std::vector<Vec> like{u, j};
  const Numbers number(like);
  std::vector<Tie> mine;
  if (number.is_own(0, 3)) mine.push_back({number.of(0, 3), {{number.of(0, 1), 0.7}, {number.of(0, 4), -0.2}, {number.of(1, 0), 0.5}}});
  if (number.is_own(0, 5)) mine.push_back({number.of(0, 5), {{number.of(0, 2), 1.0}, {number.of(0, 0), 0.4}, {number.of(1, 0), 1.0}}});
  return std::make_shared<const ConstraintMap>(like, mine);
}
std::vector<ControlInfo> names() {
  std::vector<ControlInfo> infos;
  for (const char* name : {"m", "c", "k", "a", "start", "jump"}) infos.push_back(control(name));
  return infos;
}
const Controls values{{0.7}, {0.15}, {3.0}, {0.3}, {0.2}, {0.25}};

/// Entries of q but for the jump, which is where its own equation's row points.
Column<double> without_jump(Column<double> q, const ConstraintMap& map) {
  PetscInt first = 0;
  check(MatGetOwnershipRangeColumn(map.matrix(1), &first, nullptr));
  int at = map.reduced_rows(1).empty() ? 0 : static_cast<int>(first) + map.reduced_rows(1)[0];
  MPI_Allreduce(MPI_IN_PLACE, &at, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  q.erase(q.begin() + at);
  return q;
}
/// Derivatives by the numbers, summed over ranks.
Column<double> summed(const Controls& d_bar) {
  Column<double> out;
  for (const auto& entry : d_bar) out.push_back(entry[0]);
  MPI_Allreduce(MPI_IN_PLACE, out.data(), static_cast<int>(out.size()), MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return out;
}
Controls zero() { return Controls(values.size(), {0.0}); }
void expect_close(const Column<double>& a, const Column<double>& b, double tolerance, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  double size = 0;
  for (const double v : b) size = std::max(size, std::abs(v));
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * size) << what << ", entry " << i;
}

// ---- in time ------------------------------------------------------------------------------------------

/// Masses in a row with stiffening springs and dampers, the first moved by a sin 1.7 t; m and c u̇ for equations of
/// second order, c u̇ alone for those of first.
struct Row : PlainModel {
  int order = 2;
  explicit Row(int order) : order(order) { n = all, constrained = {0}; }
  template <class T>
  Column<T> residual(const Levels<T>& y, const Column<T>& d, double t) const {
    Column<T> r(all, T(0));
    for (int i = 0; i < all; ++i) r[i] = (order == 2 ? d[0] * y[2][i] : 0.0 * y[0][i]) + (0.5 + 0.1 * i) * d[1] * y[1][i];
    for (int i = 0; i + 1 < all; ++i) {
      const T e = y[0][i + 1] - y[0][i], force = d[2] * e + (1.0 + 0.2 * i) * e * e * e;
      r[i] = r[i] - force;
      r[i + 1] = r[i + 1] + force;
    }
    r[4] = r[4] - std::cos(2 * t);
    return r;
  }
  template <class T>
  T constraint(int, const Column<T>& d, double t) const { return d[3] * std::sin(1.7 * t); }
  template <class T>
  Column<T> initial(Level level, const Column<T>& d) const {
    if (level == Level::value) return {T(0), d[4], T(0.1), T(9), 2.0 * d[4], T(9)};  // what follows is not read
    return {T(0), T(0), d[4], T(0), T(0.3), T(0)};
  }
};
struct TiedRow : PlainModel {
  Row row;
  explicit TiedRow(int order) : row(order) { n = 4, constrained = {0}; }
  template <class T>
  Column<T> residual(const Levels<T>& q, const Column<T>& d, double t) const {
    const T none(0);
    return reduced(row.residual(Levels<T>{expanded(q[0], d[jump]), expanded(q[1], none), expanded(q[2], none), expanded(q[3], d[jump])}, d, t));
  }
  template <class T>
  T constraint(int i, const Column<T>& d, double t) const { return row.constraint(i, d, t); }
  template <class T>
  Column<T> initial(Level level, const Column<T>& d) const {
    const Column<T> u = row.initial(level, d);
    return {u[0], u[1], u[2], u[4]};
  }
};
struct Seen {  // of all unknowns
  template <class T>
  Column<T> operator()(const Levels<T>& y, const Column<T>& d, double) const {
    return {y[0][3] * y[0][5] + d[jump] * y[1][5], y[0][5] - 0.3 * y[0][4] + y[1][3] * y[0][1]};
  }
};
struct SeenTied {
  template <class T>
  Column<T> operator()(const Levels<T>& q, const Column<T>& d, double t) const {
    const T none(0);
    return Seen()(Levels<T>{expanded(q[0], d[jump]), expanded(q[1], none), expanded(q[2], none), expanded(q[3], d[jump])}, d, t);
  }
};

TEST(ConstraintMap, TiedMotionIsThatWithTheTiesWrittenIn) {
  for (const int order : {1, 2})
    for (const SchemeCase& s : schemes(order)) {
      SCOPED_TRACE(s.name);
      const auto wide = std::make_shared<Toy<Row>>(Row(order), names(), values);
      const auto by_hand = std::make_shared<Toy<TiedRow>>(TiedRow(order), names(), values);
      const std::vector<std::shared_ptr<Residual>> equations{wide, std::make_shared<Toy<Jump>>(Jump(), names(), values)};
      const auto map = ties(equations);
      const auto tied = std::make_shared<ReducedResidual>(equations, map);
      const std::vector<double> times = uniform(1.2, 6);
      auto a = march(tied, s.scheme(), times), b = march(by_hand, s.scheme(), times);
      const auto seen = std::make_shared<ReducedObservable>(observe(wide, 2, Seen{}), map, wide->create_vector());
      const auto seen_by_hand = observe(by_hand, 2, SeenTied{});
      for (auto [process, observable] : {std::pair{a.get(), std::shared_ptr<Observable>(seen)}, {b.get(), seen_by_hand}}) {
        process->data() = {{.name = "seen", .observable = observable, .steps = {0, 2, 6}, .target = {0.1, 0.2, 0.3, -0.1, 0.2, 0.5},
                            .noise = {1, 0.5, 0.7, 1, 0.4, 0.9}}};
        process->terms() = {{.name = "end", .observable = observable, .steps = {5}, .weight = 1.3}};
      }
      const ProcessReport ran = a->run(values), ran_by_hand = b->run(values);
      ASSERT_TRUE(ran.ok && ran_by_hand.ok) << ran.reason << ran_by_hand.reason;
      EXPECT_NEAR(a->value(), b->value(), 1e-11 * b->value());
      Column<double> q, q_by_hand;
      a->with_state(6, [&](const EvaluationPoint& u) { q = whole(u); });
      b->with_state(6, [&](const EvaluationPoint& u) { q_by_hand = whole(u); });
      ASSERT_EQ(q.size(), 5u);
      expect_close(without_jump(q, *map), q_by_hand, 1e-11, "state");
      Controls g = zero(), g_by_hand = zero();
      ASSERT_TRUE(a->gradient(g).converged && b->gradient(g_by_hand).converged);
      expect_close(summed(g), summed(g_by_hand), 1e-10, "gradient");
      const Controls direction{{0.3}, {-0.2}, {0.5}, {0.7}, {-0.4}, {0.6}};
      Eigen::MatrixXd rho_dot;
      Eigen::VectorXd value_dot;
      ASSERT_TRUE(a->tangent({direction}, rho_dot, value_dot).converged);
      double along = 0;
      const Column<double> total = summed(g);
      for (std::size_t k = 0; k < total.size(); ++k) along += total[k] * direction[k][0];
      EXPECT_NEAR(value_dot[0], along, 1e-11 * std::abs(along));
    }
}

// ---- without time, to second order -----------------------------------------------------------------------

struct Net {
  static constexpr int n = all;
  std::vector<int> constrained{0};
  template <class T>
  Column<T> residual(const Column<T>& u, const Column<T>& d) const {
    Column<T> r(all, T(0.0));
    for (int i = 0; i + 1 < all; ++i) {
      const T e = u[i + 1] - u[i], force = d[2] * e + (1.0 + d[1] * u[i]) * e * e * e;
      r[i] = r[i] - force;
      r[i + 1] = r[i + 1] + force;
    }
    r[4] = r[4] - d[0] + 0.1 * u[5] * u[3];
    return r;
  }
  template <class T>
  T held(int, const Column<T>& d) const { return d[3] * d[3]; }
};
struct TiedNet {
  static constexpr int n = 4;
  std::vector<int> constrained{0};
  template <class T>
  Column<T> residual(const Column<T>& q, const Column<T>& d) const { return reduced(Net().residual(expanded(q, d[jump]), d)); }
  template <class T>
  T held(int i, const Column<T>& d) const { return Net().held(i, d); }
};

/// Difference quotients of the gradient by the controls.
Column<double> bend(StaticCase& process, const Controls& d, const Controls& direction) {
  const auto at = [&](double h) {
    Controls moved = d, g = zero();
    for (std::size_t k = 0; k < d.size(); ++k) moved[k][0] += h * direction[k][0];
    EXPECT_TRUE(process.run(moved, &g).ok);
    return summed(g);
  };
  constexpr double h = 1e-3;
  const Column<double> a = at(-2 * h), b = at(-h), c = at(h), e = at(2 * h);
  Column<double> out;
  for (std::size_t k = 0; k < a.size(); ++k) out.push_back((8 * (c[k] - b[k]) - (e[k] - a[k])) / (12 * h));
  EXPECT_TRUE(process.run(d).ok);
  return out;
}

TEST(ConstraintMap, TiedEquilibriumHasExactDerivativesOfBothOrders) {
  const auto wide = std::make_shared<SmoothToy<Net>>(Net{}, names(), values);
  const auto by_hand = std::make_shared<SmoothToy<TiedNet>>(TiedNet{}, names(), values);
  const std::vector<std::shared_ptr<Residual>> equations{wide, std::make_shared<SmoothToy<StillJump>>(StillJump{}, names(), values)};
  const auto map = ties(equations);
  const auto tied = std::make_shared<ReducedResidual>(equations, map);
  LoadSteppingOptions stepping;
  stepping.newton.rtol = 1e-13;
  stepping.newton.min_iterations = 1;
  StaticCase a("tied", tied, tight_solver(), {0.5, 1.0}, 0.0, stepping), b("by hand", by_hand, tight_solver(), {0.5, 1.0}, 0.0, stepping);
  const Column<double> linear{0.2, -0.3, 0.5, 1.0, 0.4, 0.7}, square{0, 1, 0.3, 2, 0, 1.5}, mixed{0.1, 0.2, 0, 0.4, 0.3, 0.6};
  const auto seen = std::make_shared<ReducedObservable>(std::make_shared<SmoothObservable>(*wide, linear, square, mixed), map, wide->create_vector());
  a.data() = {{"seen", seen, {0, 1}, {0.1, 0.3}, {0.2, 0.1}}};
  a.terms() = {{"end", seen, {1}, 0.7}};
  ASSERT_TRUE(a.run(values).ok);
  ASSERT_TRUE(b.run(values).ok);
  expect_close(without_jump(whole(a.state(1)), *map), whole(b.state(1)), 1e-12, "state");

  const Controls direction{{0.3}, {-0.2}, {0.5}, {0.7}, {-0.4}, {0.6}};
  Controls g = zero(), second = zero();
  ASSERT_TRUE(a.gradient(g).converged);
  Eigen::MatrixXd rho_dot;
  Eigen::VectorXd value_dot;
  ASSERT_TRUE(a.tangent({direction}, rho_dot, value_dot).converged);
  double along = 0;
  const Column<double> total = summed(g);
  for (std::size_t k = 0; k < total.size(); ++k) along += total[k] * direction[k][0];
  EXPECT_NEAR(value_dot[0], along, 1e-12 * std::abs(along));
  const auto value = [&](double h) {
    Controls moved = values;
    for (std::size_t k = 0; k < moved.size(); ++k) moved[k][0] += h * direction[k][0];
    EXPECT_TRUE(a.run(moved).ok);
    return a.value();
  };
  constexpr double h = 1e-3;
  EXPECT_NEAR((8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h), along, 1e-9 * std::abs(along));
  ASSERT_TRUE(a.run(values).ok);
  ASSERT_TRUE(a.hessian_action(direction, second).converged);
  expect_close(summed(second), bend(a, values, direction), 1e-8, "second derivative");
}

TEST(ConstraintMap, RefusesWhatIsNoMap) {
  const Toy<Row> wide(Row(1), names(), values);
  const VecHandle like = wide.create_vector();
  PetscInt first = 0, end = 0;
  check(VecGetOwnershipRange(like, &first, &end));
  const auto made = [&](const std::vector<Tie>& wanted) {
    std::vector<Tie> mine;
    for (const Tie& tie : wanted)
      if (tie.row >= first && tie.row < end) mine.push_back(tie);
    return ConstraintMap({like}, mine);
  };
  EXPECT_THROW(made({{3, {{1, 1.0}}}, {3, {{2, 1.0}}}}), std::invalid_argument);  // twice
  EXPECT_THROW(made({{3, {{1, 1.0}}}, {5, {{3, 1.0}}}}), std::invalid_argument);  // a master that follows
  EXPECT_THROW(made({{3, {{17, 1.0}}}}), std::invalid_argument);
  EXPECT_NO_THROW(made({{3, {{1, 1.0}}}}));
  const auto held = std::make_shared<const ConstraintMap>(made({{0, {{1, 1.0}}}}));
  EXPECT_THROW(ReducedResidual({std::make_shared<Toy<Row>>(Row(1), names(), values)}, held), std::invalid_argument);
}

// ---- elimination ------------------------------------------------------------------------------------------

using Expected = std::map<PetscInt, std::map<PetscInt, double>>;
Expected as_map(const Elimination& solved) {
  Expected all;
  for (const Tie& tie : solved.ties)
    for (const auto& [master, coefficient] : tie.masters) all[tie.row][master] = coefficient;
  return all;
}

const PrescribedUnknowns none{[](PetscInt) { return false; }, [](const std::map<PetscInt, double>&) { return false; }};

TEST(Elimination, ChainsEndAtUnknownsThatFollowNoOther) {
  // 2 follows 1, which comes to follow 0; then 3 follows 2 less half of 9, which is at no node.
  const Elimination solved = eliminate({{{{2, 1}, {1, -1}}, 2, 0}, {{{1, 1}, {0, -2}}, 1, 1}, {{{3, 1}, {2, -1}, {9, 0.5}}, 3, 2}}, none, 8);
  EXPECT_EQ(as_map(solved), (Expected{{1, {{0, 2.0}}}, {2, {{0, 2.0}}}, {3, {{0, 2.0}, {9, -0.5}}}}));
  EXPECT_TRUE(solved.contradicted.empty() && solved.idle.empty());
}

// Unknowns have other numbers on other numbers of ranks; terms have the same order.
TEST(Elimination, TakesTheSameUnknownWhateverItsNumber) {
  const PrescribedUnknowns none{[](PetscInt) { return false; }, [](const auto&) { return false; }};
  for (const std::array<PetscInt, 4>& n : {std::array<PetscInt, 4>{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}}) {
    const Elimination solved = eliminate({{.terms = {{n[0], 0.25}, {n[1], 0.25}, {n[2], 0.25 + 1e-13}, {n[3], 0.25}, {9, -1}}}, {.terms = {{n[2], 1}, {n[1], -1}}}}, none, 8);
    ASSERT_EQ(solved.solved.size(), 2u);
    EXPECT_EQ(solved.solved[0].follower, n[0]);
    EXPECT_EQ(solved.solved[1].follower, n[1]);
  }
}

TEST(Elimination, WhatIsHeldFollowsNothing) {
  const PrescribedUnknowns held{[](PetscInt unknown) { return unknown == 1 || unknown == 4; }, none.satisfy};
  const Elimination solved = eliminate({{{{1, 1}, {0, -4}}, 1, 0}, {{{1, 1}, {4, -1}}, 1, 1}, {{{0, 4}, {1, -1}}, -1, 2}}, held, 8);
  EXPECT_EQ(as_map(solved), (Expected{{0, {{1, 0.25}}}}));
  EXPECT_EQ(solved.contradicted, std::vector<int>{1});  // both held
  EXPECT_EQ(solved.idle, std::vector<int>{2});          // said before
}

// Unknowns 0, 1, 2 lie on the line 10 + 11 x at x = 0, 1, 3, and are prescribed.
TEST(Elimination, PrescribedUnknownsMayLieOnALine) {
  for (const double third : {5.0, 6.0}) {
    const double value[] = {-1, 1, third};
    const PrescribedUnknowns given{[](PetscInt unknown) { return unknown < 3; }, [&](const std::map<PetscInt, double>& terms) {
                                     double sum = 0;
                                     for (const auto& [unknown, coefficient] : terms) sum += coefficient * value[unknown];
                                     return std::abs(sum) < 1e-12;
                                   }};
    const Elimination solved = eliminate({{{{0, 1}, {10, -1}}, 0, 7}, {{{1, 1}, {10, -1}, {11, -1}}, 1, 7}, {{{2, 1}, {10, -1}, {11, -3}}, 2, 7}}, given, 8);
    EXPECT_EQ(as_map(solved), (Expected{{10, {{0, 1.0}}}, {11, {{0, -1.0}, {1, 1.0}}}}));
    EXPECT_EQ(solved.contradicted, third == 5 ? std::vector<int>() : std::vector<int>{7});
    EXPECT_TRUE(solved.idle.empty());
  }
}

TEST(Elimination, CornersOfPeriodicCellsAreSaidTwiceAndCountOnce) {
  // corners 0 to 3, counter-clockwise from the lower left; 10 and 11: periods along both axes
  const Elimination solved = eliminate({{{{1, 1}, {0, -1}, {10, -1}}, 1, 0}, {{{2, 1}, {3, -1}, {10, -1}}, 2, 0},
                                        {{{3, 1}, {0, -1}, {11, -1}}, 3, 0}, {{{2, 1}, {1, -1}, {11, -1}}, 2, 0}}, none, 8);
  EXPECT_EQ(as_map(solved), (Expected{{1, {{0, 1.0}, {10, 1.0}}}, {2, {{0, 1.0}, {10, 1.0}, {11, 1.0}}}, {3, {{0, 1.0}, {11, 1.0}}}}));
  EXPECT_TRUE(solved.contradicted.empty() && solved.idle.empty());
}

}  // namespace
}  // namespace invar::constraints
