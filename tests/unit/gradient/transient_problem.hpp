#pragma once
#include <algorithm>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "libadjoint/case_functional.hpp"
#include "libadjoint/maps/number_design.hpp"
#include "libadjoint/maps/signal_design.hpp"
#include "libadjoint/time/transient_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfem/objective/sampled_displacement.hpp"
#include "libfem/solid/material.hpp"
#include "tests/unit/gradient/field_design.hpp"

namespace invar::gradient_test {

/// A quantity of a process in time, and what of libfem/objective it stands for.
struct ProcessQuantity {
  ProcessTerm term;
  std::vector<std::string> covers;
};

/// A discrete problem in time with everything that it owns.
struct TransientProblem {
  std::string name;
  TimeScheme scheme{TimeScheme::Kind::backward_euler, 1};
  std::vector<double> times;
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<const Material> material;  // of solids; outlives their forms
  std::shared_ptr<FormResidual> residual;
  std::vector<int> numbers, signals, fields;  // controls that are designed
  std::shared_ptr<Parameterization> shape;    // of coordinates, where they are no field
  std::shared_ptr<Parameterization> beginning;  // a field that follows all of these
  std::set<std::string> factories;            // of the forms of the equation and the functionals
  std::set<std::string> words;                // what else it has: obstacles, bases in time, levels of initial states
  std::vector<ProcessQuantity> quantities;
  std::shared_ptr<Observable> tracked;  // compared with data along t

  /// slots: states for which there is memory; 0: for all.
  std::shared_ptr<TransientCase> make_case(int slots = 0) const {
    int ranks = 1;
    MPI_Comm_size(dofs->comm(), &ranks);
    LinearSolverOptions linear;
    linear.method = ranks == 1 ? "umfpack" : ranks == 2 ? "mumps" : "redundant";
#ifndef INVAR_SUITESPARSE
    linear.method = "mumps";
#endif
    linear.rtol = 1e-14;
    MarchOptions march;
    march.newton.rtol = 1e-12;
    march.newton.min_iterations = 1;
    if (slots > 0) march.storage.ram_bytes = std::size_t(slots) * (std::size_t(scheme.history_size() + (scheme.stages() > 1)) * dofs->n_owned() + 1) * sizeof(double);
    return std::make_shared<TransientCase>(name, residual, std::make_shared<LinearSolver>(dofs->comm(), linear), scheme,
                                           times, march);
  }
};

/// What solids and flows in time are put together with.
class TransientBuilder {
 protected:
  using Shape1 = std::function<double(const double*, double)>;

  TransientBuilder(std::string name, TimeScheme scheme, std::vector<double> times, Mesh mesh,
                   std::vector<Component> components, MPI_Comm comm, int signal_turn, const std::vector<std::vector<std::string>>& surfaces = {},
                   const std::vector<std::string>& everywhere = {})
      : turn_(signal_turn) {
    p_.name = std::move(name);
    p_.scheme = scheme;
    p_.times = std::move(times);
    p_.mesh = std::make_shared<const Mesh>(distribute(mesh, comm, surfaces, everywhere));
    p_.dofs = std::make_shared<const DofMap>(p_.mesh, std::move(components), comm);
    p_.residual = std::make_shared<FormResidual>(p_.dofs);
  }

  FormResidual& r() { return *p_.residual; }
  int dim() const { return p_.mesh->dim; }
  int last() const { return static_cast<int>(p_.times.size()) - 1; }

  ControlledValue number(const std::string& name, double v, double lower = -INFINITY, Shape1 shape = {}) {
    p_.numbers.push_back(r().add_control({name, "", ControlLayout::number, lower, INFINITY}, {v}));
    ControlledValue c{p_.numbers.back(), std::move(shape)};
    c.varies_in_space = c.varies_in_time = static_cast<bool>(c.shape);
    return c;
  }
  /// A number that varies in time, by every kind of basis in turn.
  ControlledValue signal(const std::string& name, double v, Shape1 shape = {}) {
    using Kind = TimeBasis::Kind;
    constexpr struct {
      Kind kind;
      int size;
      const char* word;
    } bases[] = {{Kind::linear, 3, "linear"},
                 {Kind::cubic, 5, "cubic"},
                 {Kind::fourier, 3, "fourier"},
                 {Kind::constant, 3, "constant"}};
    const auto& basis = bases[turn_++ % 4];
    ControlledValue c = number(name, v, -INFINITY, std::move(shape));
    p_.numbers.pop_back();
    p_.signals.push_back(c.control);
    p_.words.insert(basis.word);
    made_signals_.push_back({c.control, TimeBasis(basis.kind, basis.size, p_.times.front(), p_.times.back())});
    return c;
  }
  /// A field by the nodes' numbers in the serial mesh: the same on any number of ranks.
  ControlledValue per_node(const std::string& name, int components, double v) {
    std::vector<double> values;
    for (long long n : p_.mesh->original_node)
      for (int i = 0; i < components; ++i)
        values.push_back(v * (1 + 0.6 * std::cos(0.7 * static_cast<double>(n) + 2 * i)));
    p_.fields.push_back(r().add_control({name, "", ControlLayout::nodes, -INFINITY, INFINITY, components}, values));
    return {p_.fields.back(), {}};
  }
  void begin(Level level, const std::string& region, int component, ControlledValue v, int part = 0) {
    p_.words.insert(level == Level::value ? "initial value" : "initial rate");
    r().add_initial({level, region, component, std::move(v), part});
  }
  void add(const char* factory, std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values) {
    p_.factories.insert(factory);
    r().add_form(std::move(form), std::move(values));
  }
  /// The value of a functional.
  std::shared_ptr<Observable> functional(const char* factory, std::unique_ptr<WeakForm> form,
                                         std::vector<ControlledValue> values) {
    p_.factories.insert(factory);
    std::vector<double> factors(r().add_functional(std::move(form), std::move(values)) + 1, 0.0);
    factors.back() = 1;
    return std::make_shared<FormValue>(p_.residual, factors);
  }

  void quantity(std::string name, std::shared_ptr<Observable> y, std::vector<int> steps,
                std::vector<std::string> covers, std::vector<double> step_weights = {}, double sharpness = 0,
                bool rms = false) {
    p_.quantities.push_back({{std::move(name), std::move(y), std::move(steps), 1.0, std::move(step_weights), sharpness, rms},
                             std::move(covers)});
  }
  std::vector<int> all_steps() const {
    std::vector<int> steps(p_.times.size() - 1);
    std::iota(steps.begin(), steps.end(), 1);
    return steps;
  }
  /// Hann's window over all steps, of sum 1.
  std::vector<double> window() const {
    std::vector<double> w;
    const int n = last();
    for (int k = 1; k <= n; ++k) w.push_back((1 - std::cos(2 * std::numbers::pi * (k - 0.5) / n)) / n);
    return w;
  }
  std::shared_ptr<Observable> points(std::vector<Sample> samples, Level level = Level::value) {
    std::vector<double> distance;
    return make_point_samples(p_.dofs, samples, distance, level);
  }

  TransientProblem finish() {
    r().finish();
    for (auto& [control, basis] : made_signals_) r().make_signal(control, basis);
    return std::move(p_);
  }

  TransientProblem p_;
  int turn_;
  std::vector<std::pair<int, TimeBasis>> made_signals_;
};

/// All numbers (every other of the positive ones by its logarithm), each signal, each field.
inline std::vector<std::shared_ptr<Parameterization>> full_design(const TransientProblem& p) {
  using Kind = VariableTransform::Kind;
  std::vector<std::shared_ptr<Parameterization>> design;
  std::vector<DesignEntry> entries;
  for (int c : p.numbers) {
    const ControlInfo& info = p.residual->controls()[c];
    const double v = p.residual->control_values()[c][0];
    const bool log = info.lower >= 0 && v > 0 && c % 2 == 0;
    const VariableTransform transform(log ? Kind::log : Kind::linear, log ? v / 1.3 : v == 0 ? 0.2 : 0.8 * std::abs(v));
    entries.push_back({{info.name, transform, v, info.lower, info.upper}, {{0, c}}});
  }
  design.push_back(std::make_shared<NumberDesign>(std::move(entries)));
  for (int c : p.signals) {
    const std::vector<double>& v = p.residual->control_values()[c];
    std::vector<DesignVariable> coefficients;
    for (std::size_t i = 0; i < v.size(); ++i)
      coefficients.push_back({p.residual->controls()[c].name + "." + std::to_string(i),
                              VariableTransform(Kind::linear, v[0]),
                              v[0] * (i == 0 ? 1.0 : 0.7 - 0.4 * static_cast<double>(i % 3)), -INFINITY, INFINITY});
    design.push_back(std::make_shared<SignalDesign>(std::move(coefficients), std::vector<DesignEntry::Target>{{0, c}}));
  }
  for (int c : p.fields) design.push_back(std::make_shared<FieldDesign>(p.residual, c));
  if (p.shape) design.push_back(p.shape);
  if (p.beginning) design.push_back(p.beginning);
  return design;
}

/// J = ½ |differences from data along t|² + the sum of all quantities, each of size one at the
/// start and by itself a constraint.
inline std::unique_ptr<CaseFunctional> make_functional_of(const TransientProblem& p, std::shared_ptr<Case> c) {
  for (const ProcessQuantity& q : p.quantities) c->terms().push_back(q.term);
  DataSet data;
  data.name = "tracking", data.observable = p.tracked;
  for (int step = 1; step < static_cast<int>(p.times.size()); step += 2) data.steps.push_back(step);
  const std::size_t n = data.steps.size() * p.tracked->size();
  data.target.assign(n, 0.0), data.noise.assign(n, 1.0);
  c->data().push_back(data);
  auto design = full_design(p);
  CaseFunctional start({c}, design, p.dofs->comm());
  if (const Evaluation e = start.value(start.start()); !e.ok) throw std::runtime_error(p.name + ": " + e.reason);
  std::vector<CaseConstraint> constraints;
  for (ProcessTerm& term : c->terms()) {
    const double size = std::abs(c->quantity(term));
    if (!(size > 1e-7))
      throw std::logic_error(p.name + ": '" + term.name + "' is zero at the start: it would test nothing");
    term.weight = (constraints.size() % 2 ? -0.6 : 1.0) / size;
    constraints.push_back({{.name = term.name}, 0, term});
  }
  DataSet& set = c->data()[0];
  const std::vector<double> y = c->observed(set);
  double size = 0;
  for (double v : y) size = std::max(size, std::abs(v));
  for (std::size_t i = 0; i < n; ++i)
    set.target[i] = y[i] + 0.4 * size, set.noise[i] = 0.5 * size * std::sqrt(static_cast<double>(n));
  return std::make_unique<CaseFunctional>(std::vector{c}, std::move(design), p.dofs->comm(), std::move(constraints));
}
inline std::unique_ptr<CaseFunctional> make_transient_functional(const TransientProblem& p) {
  return make_functional_of(p, p.make_case());
}

}  // namespace invar::gradient_test
