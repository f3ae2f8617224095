// The initial state of a process in time, and its derivatives.
#include "libfem/form/form_residual.hpp"

#include <array>
#include <cmath>

#include "libadjoint/time/prescribed_start.hpp"

namespace invar {

std::vector<char> FormResidual::algebraic_unknowns() const {
  std::vector<char> flags;
  if (algebraic_.empty()) return flags;
  flags.assign(dofs_->n_owned(), 0);
  for (int node = 0; node < dofs_->mesh().n_owned_nodes; ++node) {
    for (int c : algebraic_)
      if (const int dof = dofs_->dof(node, c); dof >= 0) flags[dof] = 1;
    if (const int dof = potential_ < 0 ? -1 : dofs_->dof(node, potential_); dof >= 0) flags[dof] = 2;
  }
  return flags;
}

/// visit(dof, value) for all owned unknowns of the level with a given value, repeatedly for values that add up. Later values
/// replace earlier ones; constraints come last.
template <class Visit>
void FormResidual::visit_initial(Level level, Visit&& visit) const {
  const Mesh& mesh = dofs_->mesh();
  std::vector<const InitialValue*> given(dofs_->n_owned(), nullptr);
  std::vector<int> node_of(dofs_->n_owned(), -1);
  for (const InitialValue& v : initial_) {
    if (v.level != level) continue;
    const auto set = [&](int node) {
      if (node >= mesh.n_owned_nodes) return;
      if (const int dof = dofs_->dof(node, v.component); dof >= 0) {
        given[dof] = &v;
        node_of[dof] = node;
      }
    };
    if (v.region.empty()) {
      for (int node = 0; node < mesh.n_owned_nodes; ++node) set(node);
    } else if (const Region* region = mesh.find_region(v.region)) {
      for (int node : region->nodes) set(node);
    }
  }
  std::vector<const Constraint*> constraint(dofs_->n_owned(), nullptr);
  for (const Constraint& c : constraints_)
    if (c.dof < dofs_->n_owned()) constraint[c.dof] = &c;
  // Rates and accelerations of prescribed values. Per point of `PrescribedStart` and signal: values of the basis functions.
  using Bases = std::vector<std::vector<double>>;
  std::vector<Bases> bases(level != Level::value && present_.step_length > 0 ? PrescribedStart::points : 0, Bases(signals_.size()));
  for (std::size_t i = 0; i < bases.size(); ++i)
    for (std::size_t k = 0; k < signals_.size(); ++k)
      if (signals_[k]) bases[i][k] = signals_[k]->values(PrescribedStart::time(present_, i));
  const auto visit_start = [&](const Constraint& c, auto&& of_dof) {
    for (int k : c.conditions) {
      const ControlledValue& value = dirichlet_[k].value;
      if (bases.empty() || (!value.shape && !signals_[value.control])) continue;
      NodeValue slope = node_value(value, dirichlet_[k].part, c.node, PrescribedStart::time(present_, 0), bases[0]);
      std::vector<double> functions(slope.basis ? slope.basis->size() : 1);  // those of a signal, or 1, times the formula
      for (std::size_t j = 0; j < functions.size(); ++j) {
        std::array<double, PrescribedStart::points> f;
        for (int i = 0; i < PrescribedStart::points; ++i)
          f[i] = shape_at(value, c.node, PrescribedStart::time(present_, i)) * (slope.basis ? bases[i][value.control][j] : 1.0);
        functions[j] = PrescribedStart::derivative(level, present_, f);
      }
      slope.factor = slope.basis ? 1 : functions[0];
      if (slope.basis) slope.basis = &functions;
      of_dof(slope);
    }
  };
  for (int dof = 0; dof < dofs_->n_owned(); ++dof) {
    if (constraint[dof]) {
      const auto of_dof = [&](const NodeValue& v) { visit(dof, v); };
      if (level == Level::value) visit_held(*constraint[dof], of_dof);
      else visit_start(*constraint[dof], of_dof);
    } else if (given[dof]) {
      visit(dof, node_value(given[dof]->value, given[dof]->part, node_of[dof], present_.constraint_time, constraint_basis_));
    }
  }
}

/// u = Σ of(value) in the rows with given values, zeros elsewhere.
template <class Of>
void FormResidual::write_initial(Level level, Vec u, Of&& of) const {
  std::vector<int> rows;
  std::vector<double> sums;
  visit_initial(level, [&](int dof, const NodeValue& v) {
    if (rows.empty() || rows.back() != dof) rows.push_back(dof), sums.push_back(0);
    sums.back() += of(v);
  });
  check(VecSet(u, 0.0));
  RowSet(std::move(rows)).write(sums.data(), u);
}

SolveReport FormResidual::initial(Level level, const Setting& given, Vec u) {
  prepare(given);
  write_initial(level, u, [&](const NodeValue& v) { return v.of(*given.controls); });
  return solved();
}

SolveReport FormResidual::initial_jvp(Level level, const Setting& given, const Controls& d_dot, Vec u_dot) {
  prepare(given);
  write_initial(level, u_dot, [&](const NodeValue& v) { return d_dot[v.control].empty() ? 0.0 : v.of(d_dot); });
  return solved();
}

SolveReport FormResidual::initial_vjp(Level level, const Setting& given, Vec u_bar, Controls& d_bar) {
  prepare(given);
  std::vector<int> rows;
  const auto visit = [&](auto&& of_value) {
    visit_initial(level, [&](int dof, const NodeValue& v) {
      if (!d_bar[v.control].empty()) of_value(dof, v);
    });
  };
  visit([&](int dof, const NodeValue&) {
    if (rows.empty() || rows.back() != dof) rows.push_back(dof);
  });
  if (rows.empty()) return solved();
  std::vector<double> bars(rows.size());
  const RowSet read(std::move(rows));
  read.read(u_bar, bars.data());
  std::size_t k = 0;
  visit([&](int dof, const NodeValue& v) {
    while (read[k] != dof) ++k;
    v.add(bars[k], d_bar);
  });
  return solved();
}

}  // namespace invar
