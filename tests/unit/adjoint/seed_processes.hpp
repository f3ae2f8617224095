#pragma once
#include "libadjoint/case_functional.hpp"
#include "libadjoint/maps/number_design.hpp"
#include "libadjoint/static_case.hpp"
#include "tests/unit/adjoint/path_toys.hpp"
#include "tests/unit/adjoint/time_objective.hpp"

// Processes with an objective and many quantities, of which several gradients are asked for at once.
namespace invar::toy {

/// A chain that counts how often its equation is evaluated in Newton's method.
struct CountingChain : Chain {
  std::shared_ptr<long> evaluations = std::make_shared<long>(0);
  bool admissible(const Levels<double>&, double) const { return ++*evaluations > 0; }
};

/// A march with an objective of every kind, and more quantities of every kind as constraints.
struct Swing {
  std::shared_ptr<Toy<CountingChain>> toy;
  std::shared_ptr<LinearSolver> solver = tight_solver();
  std::shared_ptr<TransientCase> process;
  std::vector<ProcessTerm> quantities;

  Swing(const SchemeCase& s, int steps, const MarchOptions& options, const std::vector<double>& times) {
    const auto chain = Chain::make();
    CountingChain model;
    static_cast<Chain&>(model) = chain->model();
    toy = std::make_shared<Toy<CountingChain>>(model, chain->controls(), chain->control_values());
    process = std::make_shared<TransientCase>("swing", toy, solver, s.scheme(), times, options);
    const Objective objective(toy, steps, times);
    objective.give(*process);
    DataSet strongest = objective.data;
    strongest.name = "strongest";
    strongest.steps = objective.largest.steps;
    strongest.statistic = std::make_shared<TimeStatistic>(TimeStatistic::Kind::rms, times, std::vector<double>(steps + 1, 1.0 / (steps + 1)));
    strongest.target = {0.3};
    strongest.noise = {0.2};
    process->data().push_back(strongest);
    quantities = {objective.end, objective.spread, objective.largest, objective.sum};
    quantities.push_back({.name = "range", .observable = objective.largest.observable, .steps = objective.largest.steps, .weight = 2,
                          .statistic = std::make_shared<TimeStatistic>(TimeStatistic::Kind::range, times, std::vector<double>(steps + 1, 1.0 / (steps + 1)))});
    for (const ProcessTerm& q : quantities) process->watch(q);
  }
  long* evaluations() const { return toy->model().evaluations.get(); }
};

inline double distance(const Column<double>& a, const Column<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum / dot(b, b));
}

inline double distance(const DesignVector& a, const DesignVector& b) { return distance(a.shared, b.shared); }

/// An option for storing states, and its effect on gradients.
struct Keeping {
  const char* name;
  int slots = 0;  // 0: all states
  int interval = 1, horizon = 0;
  bool single = false;
  bool whole() const { return horizon == 0 && !single; }
};

inline MarchOptions options_of(const Keeping& keeping, const SchemeCase& s) {
  MarchOptions options = tight();
  options.factor_interval = keeping.interval;
  options.horizon = keeping.horizon;
  options.storage.single_precision = keeping.single;
  if (keeping.slots == 0) return options;
  const auto toy = Chain::make();
  int local = toy->last() - toy->first(), most = 0;
  MPI_Allreduce(&local, &most, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  options.storage.ram_bytes = keeping.slots * ((s.scheme().history_size() + (s.scheme().stages() > 1)) * most + 1) * sizeof(double);
  return options;
}

/// Springs in a row from a wall, each stiffening, pulled at the end.
struct SpringRow {
  static constexpr int n = 4;
  std::vector<int> constrained{0};
  template <class T>
  Column<T> residual(const Column<T>& u, const Column<T>& d, double t) const {
    Column<T> r(n, T(0.0));
    for (int i = 0; i + 1 < n; ++i) {
      const T e = u[i + 1] - u[i], force = d[0] * e + d[1] * e * e * e;
      r[i] = r[i] - force;
      r[i + 1] = r[i + 1] + force;
    }
    r[n - 1] = r[n - 1] - t * d[2];
    return r;
  }
  template <class T>
  T held(int, const Column<T>& d) const { return d[3]; }
};

struct PulledRow {
  std::shared_ptr<SmoothToy<SpringRow>> toy;
  std::shared_ptr<LinearSolver> solver = tight_solver();
  std::shared_ptr<StaticCase> process;
  std::vector<ProcessTerm> quantities;
  static constexpr int steps = 5;

  explicit PulledRow(bool coupled) {
    const Controls d{{2.0}, {0.7}, {1.1}, {0.1}};
    toy = std::make_shared<SmoothToy<SpringRow>>(SpringRow{}, std::vector<ControlInfo>{{.name = "k"}, {.name = "c"}, {.name = "f"}, {.name = "g"}}, d);
    LoadSteppingOptions options;
    options.newton.rtol = 1e-13;
    options.newton.min_iterations = 1;
    process = std::make_shared<StaticCase>("row", toy, solver, std::vector<double>{0.2, 0.4, 0.6, 0.8, 1.0}, 0.0, options);
    const auto end = std::make_shared<SmoothObservable>(*toy, Column<double>{0, 0.1, 0, 1}, Column<double>{0, 0.5, 0, 0}, Column<double>{0.2, 0, 0, 0.3});
    const auto middle = std::make_shared<SmoothObservable>(*toy, Column<double>{0, 0, 1, 0}, Column<double>{0, 0, 0, 0.4}, Column<double>(4, 0.0));
    process->data().push_back({"curve", end, {0, 2, 4}, {0.1, 0.3, 0.9}, {0.1, 0.2, 0.1}, 0.8});
    const std::vector<int> all{0, 1, 2, 3, 4};
    process->terms().push_back({"work", middle, all, 0.7, {0.1, 0.2, 0.2, 0.2, 0.1}});
    quantities = {{"end", end, {4}, 1.2}, {"middle", middle, {1, 3}, -0.4}, {"early", end, {0}, 2.0}};
    if (!coupled) return;
    quantities.push_back({"largest", end, all, 1.0, {}, 8.0});
    quantities.push_back({"spread", middle, all, 1.0, {}, 0.0, true});
  }
};

/// A march and an equilibrium that share two numbers, with constraints on both.
struct SwingAndRow {
  Swing swing;
  PulledRow pulled{true};
  std::shared_ptr<CaseFunctional> functional;

  explicit SwingAndRow(const Keeping& keeping)
      : swing({"newmark", TimeScheme::Kind::newmark, 2}, 13, options_of(keeping, {"newmark", TimeScheme::Kind::newmark, 2}), uneven(13, 0.04)) {
    std::vector<DesignEntry> entries(2);
    entries[0].name = "first";
    entries[0].targets = {{0, 0}, {1, 0}};
    entries[1].name = "second";
    entries[1].targets = {{1, 2}};
    std::vector<CaseConstraint> constraints;
    for (const ProcessTerm& q : swing.quantities) constraints.push_back({{.name = q.name}, 0, q});
    for (const ProcessTerm& q : pulled.quantities) constraints.push_back({{.name = q.name}, 1, q});
    functional = std::make_shared<CaseFunctional>(std::vector<std::shared_ptr<Case>>{swing.process, pulled.process},
                                                  std::vector<std::shared_ptr<Parameterization>>{std::make_shared<NumberDesign>(entries)},
                                                  PETSC_COMM_WORLD, constraints);
  }
};

}  // namespace invar::toy
