// Controls of a residual: coefficients and prescribed values that follow from them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/form/shaped_entries.hpp"
#include "libfem/mesh/coordinate_cell_field.hpp"

namespace invar {

int FormResidual::add_control(ControlInfo info, std::vector<double> values) {
  controls_.push_back(std::move(info));
  values_.push_back(std::move(values));
  signals_.emplace_back();
  basis_.emplace_back();
  constraint_basis_.emplace_back();
  return static_cast<int>(controls_.size()) - 1;
}

void FormResidual::spread_control(int control) {
  const int dim = dofs_->mesh().dim;
  const auto on_facets = [&](const WeakForm& form) {
    const std::optional<FormCoupling> coupling = form.coupling();
    return coupling && std::ranges::any_of(coupling->domain->groups, [&](const BatchGroup& g) { return dimension_of(g.type.shape) < dim; });
  };
  const auto reads_at_nodes = [&](const BoundForm& f) {
    return std::ranges::any_of(f.values, [&](const ControlledValue& v) {
      return v.field < 0 && v.control == control && (v.varies_in_space || on_facets(*f.form));
    });
  };
  const bool nodal = on_any_rank(std::ranges::any_of(dirichlet_, [&](const DirichletCondition& c) { return c.value.control == control; }) ||
                                 std::ranges::any_of(initial_, [&](const InitialValue& i) { return i.value.control == control; }) ||
                                 std::ranges::any_of(forms_, reads_at_nodes));
  int n_cells = 0;
  for (const CellBlock& block : dofs_->mesh().cells) n_cells += block.count();
  controls_[control].layout = nodal ? ControlLayout::nodes : ControlLayout::cells;
  values_[control].assign(nodal ? dofs_->mesh().node_total() : n_cells, values_[control][0]);
  restart();
}

void FormResidual::gather_control(int control) {
  controls_[control].layout = ControlLayout::number;
  values_[control].resize(1);
  restart();
}

void FormResidual::restart() {
  present_ = {};
  prescribed_is_present_ = false;
  linear_given_ = {};
  prepare(given());
}

void FormResidual::prepare(const Setting& given) {
  if (given == present_) return;
  prescribed_is_present_ = false;
  const bool new_times = given.time != present_.time || given.constraint_time != present_.constraint_time;
  const bool all = given.controls != present_.controls || given.continuation != present_.continuation;
  present_ = given;
  if (all) ++setting_;
  if (all || new_times)
    for (std::size_t k = 0; k < signals_.size(); ++k)
      if (signals_[k]) {
        basis_[k] = signals_[k]->values(given.time);
        constraint_basis_[k] = signals_[k]->values(given.constraint_time);
      }
  if (all)
    for (const auto& field : fields_) field->move(coordinates(given));
  for (BoundForm& f : forms_)
    for (std::size_t k = 0; k < f.values.size(); ++k)
      if (const ControlledValue& v = f.values[k]; all || (new_times && (v.shape || is_signal(v))))
        update_coefficient(v, f.form->coefficients()[k]);
}

void FormResidual::make_signal(int control, TimeBasis basis) {
  const double value = values_[control][0];
  values_[control].assign(basis.size(), value);
  const std::vector<double> at_start = basis.values(0);
  if (std::abs(std::accumulate(at_start.begin(), at_start.end(), 0.0) - 1) > 1e-12)
    std::fill(values_[control].begin() + 1, values_[control].end(), 0.0);
  controls_[control].layout = ControlLayout::signal;
  signals_[control] = std::move(basis);
  restart();
}

double FormResidual::number_of(int control, const std::vector<double>& entries) const {
  if (!signals_[control]) return entries[0];
  return std::inner_product(entries.begin(), entries.end(), basis_[control].begin(), 0.0);
}

double FormResidual::number(int control, const std::vector<double>& entries, const Setting& given) {
  prepare(given);
  return number_of(control, entries);
}

void FormResidual::add_to_number(int control, double bar, std::vector<double>& target, const Setting& given) {
  prepare(given);
  add_number(control, bar, target);
}

double FormResidual::number_at(int control, const std::vector<double>& entries, double t) const {
  if (!signals_[control]) return entries[0];
  const std::vector<double> basis = signals_[control]->values(t);
  return std::inner_product(entries.begin(), entries.end(), basis.begin(), 0.0);
}

void FormResidual::add_to_number_at(int control, double bar, std::vector<double>& target, double t) const {
  if (!signals_[control]) {
    target[0] += bar;
    return;
  }
  const std::vector<double> basis = signals_[control]->values(t);
  for (std::size_t i = 0; i < basis.size(); ++i) target[i] += bar * basis[i];
}

double FormResidual::shape_at(const ControlledValue& v, int node, double t) const {
  return v.shape ? v.shape(&dofs_->mesh().coordinates[std::size_t(node) * dofs_->mesh().dim], t) : 1.0;
}

void FormResidual::update_coefficient(const ControlledValue& v, Coefficient& c) const {
  if (v.field >= 0) {
    const CoordinateField& field = *fields_[v.field];
    const bool in_cells = dynamic_cast<const CoordinateCellField*>(&field) != nullptr;
    c = {in_cells ? Coefficient::Layout::per_cell : Coefficient::Layout::per_node, field.values()};
    return;
  }
  const std::vector<double>& values = (*present_.controls)[v.control];
  if (const ControlInfo& info = controls_[v.control]; !info.shared()) {
    c = {info.layout == ControlLayout::cells ? Coefficient::Layout::per_cell : Coefficient::Layout::per_node, values};
    multiply_by_shape(v, dofs_->mesh(), present_.time, c.values);
  } else if (v.varies_in_space) {
    c.layout = Coefficient::Layout::per_node;
    c.values.resize(dofs_->mesh().node_total());
    const double number = number_of(v.control, values);
    for (std::size_t n = 0; n < c.values.size(); ++n) c.values[n] = number * shape_at(v, static_cast<int>(n));
  } else {
    c = Coefficient::constant(number_of(v.control, values) * shape_at(v, 0));
  }
  if (present_.continuation != 1 &&
      std::find(continuation_controls_.begin(), continuation_controls_.end(), v.control) != continuation_controls_.end())
    for (double& value : c.values) value *= present_.continuation;
}

double FormResidual::NodeValue::of(const Controls& d) const {
  if (!basis) return factor * d[control][entry];
  return factor * std::inner_product(basis->begin(), basis->end(), d[control].begin(), 0.0);
}

void FormResidual::NodeValue::add(double bar, Controls& d_bar) const {
  if (!basis) d_bar[control][entry] += factor * bar;
  else
    for (std::size_t i = 0; i < basis->size(); ++i) d_bar[control][i] += factor * (*basis)[i] * bar;
}

FormResidual::NodeValue FormResidual::node_value(const ControlledValue& v, int part, int node, double t,
                                                 const std::vector<std::vector<double>>& basis) const {
  const ControlInfo& info = controls_[v.control];
  return {v.control, info.shared() ? 0 : std::size_t(node) * info.components + part, shape_at(v, node, t),
          signals_[v.control] ? &basis[v.control] : nullptr};
}

double FormResidual::held(const Constraint& c, const Controls& d) const {
  double sum = 0;
  visit_held(c, [&](const NodeValue& v) {
    if (!d[v.control].empty()) sum += v.of(d);
  });
  return sum;
}

void FormResidual::add_to_held(const Constraint& c, double bar, Controls* d_bar) const {
  if (!d_bar) return;
  visit_held(c, [&](const NodeValue& v) {
    if (!(*d_bar)[v.control].empty()) v.add(bar, *d_bar);
  });
}

Vec FormResidual::prescribed() {
  if (!prescribed_) prescribed_ = create_vector();
  if (prescribed_is_present_) return prescribed_;
  std::vector<double> values(constrained_rows_.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = held(constraints_[k], *present_.controls);
  constrained_rows_.write(values.data(), prescribed_);
  prescribed_is_present_ = true;
  return prescribed_;
}

bool FormResidual::moves_prescribed(const Controls* d) const {
  return d && std::ranges::any_of(dirichlet_, [d](const DirichletCondition& c) { return !(*d)[c.value.control].empty(); });
}

void FormResidual::add_to_prescribed(double factor, Vec lambda, Controls* d_bar) const {
  if (!moves_prescribed(d_bar)) return;
  std::vector<double> values(constrained_rows_.size());
  constrained_rows_.read(lambda, values.data());
  for (std::size_t k = 0; k < values.size(); ++k) add_to_held(constraints_[k], factor * values[k], d_bar);
}

void FormResidual::impose_constraints(const Setting& given, Vec u) {
  prepare(given);
  constrained_rows_.copy(prescribed(), u);
}

}  // namespace invar
