#include "libfem/form/form_residual.hpp"

#include <algorithm>
#include <stdexcept>

#include "libfem/form/local_access.hpp"
#include "libfem/form/shaped_entries.hpp"

namespace invar {

namespace {

bool reads_field(const std::vector<ControlledValue>& coefficients) {
  return std::ranges::any_of(coefficients, [](const ControlledValue& v) { return v.field >= 0; });
}

/// Whether a form with these traits changes along a direction of the state.
bool moves(const FormTraits& traits, const LocalState& direction) {
  return direction.memory() || std::ranges::any_of(all_levels, [&](Level l) { return traits.reads[l] && direction.has(l); });
}

}  // namespace

// ---- derivatives: forward, then reverse -----------------------------------------------------------

/// Directions of all coefficients of one form from a direction of the controls.
struct FormResidual::Directions {
  std::vector<std::vector<double>> storage;
  FormTangent tangent;

  Directions(const FormResidual& r, const BoundForm& f, const LocalState& u_dot, const double* multiplier,
             const Controls* d_dot) {
    tangent.unknown = u_dot.data(f.in_place);
    if (u_dot.memory()) tangent.memory = u_dot.memory() + f.first_memory;
    tangent.multiplier = multiplier;
    tangent.coordinates = r.coordinate_direction(d_dot);
    if (!d_dot) return;
    storage.resize(f.values.size());
    tangent.coefficients.assign(f.values.size(), nullptr);
    for (std::size_t k = 0; k < f.values.size(); ++k) {
      const ControlledValue& v = f.values[k];
      if (v.field >= 0) {
        if (!r.on_any_rank(tangent.coordinates)) continue;
        storage[k].resize(r.fields_[v.field]->values().size());
        r.fields_[v.field]->jvp(tangent.coordinates, storage[k].data());
        tangent.coefficients[k] = storage[k].data();
        continue;
      }
      const std::vector<double>& dot = (*d_dot)[v.control];
      if (dot.empty()) continue;
      if (!r.controls_[v.control].shared()) {
        storage[k] = dot;
        multiply_by_shape(v, r.dofs_->mesh(), r.present_.time, storage[k]);
      } else {
        const int n = v.varies_in_space ? r.dofs_->mesh().node_total() : 1;
        storage[k].resize(n);
        const double number_dot = r.number_of(v.control, dot);
        for (int i = 0; i < n; ++i) storage[k][i] = number_dot * r.shape_at(v, i);
      }
      tangent.coefficients[k] = storage[k].data();
    }
  }
};

void FormResidual::raw_jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, Vec r_dot, int part) {
  prepare(u.given);
  check(VecSet(r_dot, 0.0));
  const PerLevel<bool> read = levels_read(forms_, [part](const BoundForm& f) { return f.part == part; });
  const LocalState local(u, read), local_dot(u_dot, read);
  Accumulator out(*dofs_, r_dot);
  for (BoundForm& f : forms_) {
    if (f.part != part || (!d_dot && !moves(f.form->traits(), local_dot))) continue;
    const Directions d(*this, f, local_dot, nullptr, d_dot);
    f.form->jvp(state_of(f, local), d.tangent, out.data(f.in_place));
  }
  out.flush();
}

void FormResidual::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, Vec r_dot) {
  prepare(u.given);
  raw_jvp(u, u_dot, d_dot, r_dot);
  if (u_dot.unknown) constrained_rows_.copy(u_dot.unknown, r_dot);
  else constrained_rows_.clear(r_dot);
  if (!d_dot) return;
  VecHandle moved = zeros_like(r_dot);  // on all ranks, though a direction may be empty on some
  if (!moves_prescribed(d_dot)) return;
  std::vector<double> g_dot(constrained_rows_.size());
  for (std::size_t k = 0; k < g_dot.size(); ++k) g_dot[k] = held(constraints_[k], *d_dot);
  constrained_rows_.write(g_dot.data(), moved);
  constrained_rows_.add(-1, moved, r_dot);
}

const double* FormResidual::coordinate_direction(const Controls* d_dot) const {
  return coordinates_ < 0 || !d_dot || (*d_dot)[coordinates_].empty() ? nullptr : (*d_dot)[coordinates_].data();
}

double* FormResidual::coordinate_target(Controls* d_bar) const {
  return coordinates_ < 0 || !d_bar || (*d_bar)[coordinates_].empty() ? nullptr : (*d_bar)[coordinates_].data();
}

bool FormResidual::on_any_rank(bool here) const {
  int any = here;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm());
  return any != 0;
}

std::vector<std::vector<double>> FormResidual::wanted(const BoundForm& f, const Controls* d_bar) const {
  std::vector<std::vector<double>> bar(f.values.size());
  if (d_bar)
    for (std::size_t k = 0; k < f.values.size(); ++k)
      if (f.values[k].field >= 0 ? coordinate_direction(d_bar) != nullptr : !(*d_bar)[f.values[k].control].empty())
        bar[k].assign(f.form->coefficients()[k].values.size(), 0.0);
  return bar;
}

void FormResidual::add_number(int control, double bar, std::vector<double>& target) const {
  if (!signals_[control]) target[0] += bar;
  else
    for (std::size_t i = 0; i < target.size(); ++i) target[i] += bar * basis_[control][i];
}

void FormResidual::pull_back(const BoundForm& f, const std::vector<std::vector<double>>& bar, Controls& d_bar) const {
  for (std::size_t k = 0; k < bar.size(); ++k) {
    const ControlledValue& v = f.values[k];
    if (v.field >= 0) {
      if (on_any_rank(!bar[k].empty())) fields_[v.field]->vjp(bar[k].data(), coordinate_target(&d_bar));
      continue;
    }
    if (bar[k].empty()) continue;
    std::vector<double>& target = d_bar[v.control];
    if (!controls_[v.control].shared()) {
      std::vector<double> of_entries = bar[k];
      multiply_by_shape(v, dofs_->mesh(), present_.time, of_entries);
      for (std::size_t i = 0; i < target.size(); ++i) target[i] += of_entries[i];
    } else if (v.varies_in_space) {
      double sum = 0;
      for (int n = 0; n < dofs_->mesh().n_owned_nodes; ++n) sum += bar[k][n] * shape_at(v, n);
      add_number(v.control, sum, target);
    } else {
      add_number(v.control, bar[k][0] * shape_at(v, 0), target);
    }
  }
}

namespace {

FormCotangent cotangent(StateAccumulator& state, bool in_place, std::size_t first_memory, double* coordinates,
                        std::vector<std::vector<double>>& coefficient_bar) {
  FormCotangent out;
  out.unknown = state.data(in_place);
  if (state.memory()) out.memory = state.memory() + first_memory;
  out.coordinates = coordinates;
  out.coefficients.assign(coefficient_bar.size(), nullptr);
  for (std::size_t k = 0; k < coefficient_bar.size(); ++k)
    if (!coefficient_bar[k].empty()) out.coefficients[k] = coefficient_bar[k].data();
  return out;
}

}  // namespace

template <class Reverse>
void FormResidual::add_field_curvature(const BoundForm& f, const Controls* d_dot, Controls* d_bar_dot, Reverse reverse) const {
  if (!reads_field(f.values)) return;
  const double* x_dot = coordinate_direction(d_dot);
  double* x_bar_dot = coordinate_target(d_bar_dot);
  if (!on_any_rank(x_dot) || !on_any_rank(x_bar_dot)) return;
  std::vector<std::vector<double>> bar(f.values.size());
  FormCotangent out;
  out.coefficients.assign(bar.size(), nullptr);
  for (std::size_t k = 0; k < bar.size(); ++k)
    if (f.values[k].field >= 0) bar[k].assign(fields_[f.values[k].field]->values().size(), 0.0), out.coefficients[k] = bar[k].data();
  reverse(out);
  for (std::size_t k = 0; k < bar.size(); ++k)
    if (const int field = f.values[k].field; field >= 0) {
      const std::vector<double> none(bar[k].size(), 0.0);
      fields_[field]->vjp_tangent(x_dot, bar[k].data(), none.data(), x_bar_dot);
    }
}

double FormResidual::form_value_jvp(int form, const EvaluationPoint& u, const State& u_dot, const Controls* d_dot) {
  prepare(u.given);
  const PerLevel<bool> read = forms_[form].form->traits().reads;
  const LocalState local(u, read), local_dot(u_dot, read);
  const Directions d(*this, forms_[form], local_dot, nullptr, d_dot);
  double value = forms_[form].form->value_jvp(state_of(forms_[form], local), d.tangent);
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm());
  return value;
}

void FormResidual::form_value_vjp(int form, const EvaluationPoint& u, double seed, const State& u_bar, Controls* d_bar) {
  prepare(u.given);
  const BoundForm& f = forms_[form];
  const LocalState local(u, f.form->traits().reads);
  StateAccumulator out(*dofs_, u_bar);
  auto bar = wanted(f, d_bar);
  FormCotangent c = cotangent(out, f.in_place, f.first_memory, coordinate_target(d_bar), bar);
  f.form->value_vjp(state_of(f, local), seed, c);
  if (d_bar) pull_back(f, bar, *d_bar);
  out.flush();
}

void FormResidual::form_value_vjp_tangent(int form, const EvaluationPoint& u, double seed, const State& u_dot,
                                          const Controls* d_dot, const State& u_bar_dot, Controls* d_bar_dot) {
  prepare(u.given);
  const BoundForm& f = forms_[form];
  const PerLevel<bool> read = f.form->traits().reads;
  const LocalState local(u, read), local_dot(u_dot, read);
  StateAccumulator out(*dofs_, u_bar_dot);
  auto bar = wanted(f, d_bar_dot);
  FormCotangent c = cotangent(out, f.in_place, f.first_memory, coordinate_target(d_bar_dot), bar);
  const Directions d(*this, f, local_dot, nullptr, d_dot);
  f.form->value_vjp_tangent(state_of(f, local), seed, d.tangent, c);
  if (d_bar_dot) pull_back(f, bar, *d_bar_dot);
  add_field_curvature(f, d_dot, d_bar_dot, [&](FormCotangent& first) { f.form->value_vjp(state_of(f, local), seed, first); });
  out.flush();
}

void FormResidual::raw_vjp(const EvaluationPoint& u, Vec weights, const State& u_bar, Controls* d_bar, int part) {
  prepare(u.given);
  const LocalState local(u, levels_read(forms_, [part](const BoundForm& f) { return f.part == part; }));
  const OptionalLocal local_weights(weights);
  StateAccumulator out(*dofs_, u_bar);
  for (BoundForm& f : forms_) {
    if (f.part != part) continue;
    auto bar = wanted(f, d_bar);
    FormCotangent c = cotangent(out, f.in_place, f.first_memory, coordinate_target(d_bar), bar);
    f.form->vjp(state_of(f, local), local_weights.data(f.in_place), c);
    if (d_bar) pull_back(f, bar, *d_bar);
  }
  out.flush();
}

void FormResidual::vjp(const EvaluationPoint& u, Vec lambda, const State& u_bar, Controls* d_bar) {
  prepare(u.given);
  VecHandle masked = zeros_like(u.unknown);
  check(VecCopy(lambda, masked));
  if (u_bar.unknown) constrained_rows_.add(1, masked, u_bar.unknown);
  add_to_prescribed(-1, masked, d_bar);
  constrained_rows_.clear(masked);
  double largest = 0;
  check(VecNorm(masked, NORM_INFINITY, &largest));
  if (largest != 0) raw_vjp(u, masked, u_bar, d_bar);  // otherwise λ is nonzero in constraint rows only, to which no form contributes
}

void FormResidual::raw_vjp_tangent(const EvaluationPoint& u, Vec weights, const State& u_dot, Vec weights_dot,
                                   const Controls* d_dot, const State& u_bar_dot, Controls* d_bar_dot, int part) {
  prepare(u.given);
  const PerLevel<bool> read = levels_read(forms_, [part](const BoundForm& f) { return f.part == part; });
  const LocalState local(u, read), local_u_dot(u_dot, read);
  const OptionalLocal local_weights(weights), local_weights_dot(weights_dot);
  StateAccumulator out(*dofs_, u_bar_dot);
  for (BoundForm& f : forms_) {
    if (f.part != part) continue;
    auto bar = wanted(f, d_bar_dot);
    FormCotangent c = cotangent(out, f.in_place, f.first_memory, coordinate_target(d_bar_dot), bar);
    const Directions d(*this, f, local_u_dot, local_weights_dot.data(f.in_place), d_dot);
    f.form->vjp_tangent(state_of(f, local), local_weights.data(f.in_place), d.tangent, c);
    if (d_bar_dot) pull_back(f, bar, *d_bar_dot);
    add_field_curvature(f, d_dot, d_bar_dot, [&](FormCotangent& first) {
      f.form->vjp(state_of(f, local), local_weights.data(f.in_place), first);
    });
  }
  out.flush();
}

void FormResidual::vjp_tangent(const EvaluationPoint& u, Vec lambda, const State& u_dot, Vec lambda_dot, const Controls* d_dot,
                               const State& u_bar_dot, Controls* d_bar_dot) {
  prepare(u.given);
  // Constraint rows are linear in u and in d: only λ̇ contributes to them.
  VecHandle masked = zeros_like(u.unknown), masked_dot = zeros_like(u.unknown);
  check(VecCopy(lambda, masked));
  if (lambda_dot) check(VecCopy(lambda_dot, masked_dot));
  if (u_bar_dot.unknown) constrained_rows_.add(1, masked_dot, u_bar_dot.unknown);
  add_to_prescribed(-1, masked_dot, d_bar_dot);
  constrained_rows_.clear(masked);
  constrained_rows_.clear(masked_dot);
  raw_vjp_tangent(u, masked, u_dot, masked_dot, d_dot, u_bar_dot, d_bar_dot);
}

// ---- history variables: their update, forward, then reverse ---------------------------------------------

VecHandle FormResidual::create_memory() const {
  VecHandle m;
  if (!has_memory_) return m;
  check(VecCreateMPI(comm(), static_cast<PetscInt>(memory_size_), PETSC_DETERMINE, m.out()));
  check(VecSet(m, 0.0));
  return m;
}

void FormResidual::update_memory(const EvaluationPoint& u, Vec next) {
  prepare(u.given);
  PetscInt size = 0;
  check(VecGetLocalSize(next, &size));
  if (static_cast<std::size_t>(size) != memory_size_)
    throw std::logic_error("a form with history variables was added after create_memory()");
  const LocalState local(u);
  double* out = nullptr;
  check(VecGetArray(next, &out));
  for (const BoundForm& f : forms_)
    if (f.part >= equation) f.form->update_memory(state_of(f, local), out + f.first_memory);
  check(VecRestoreArray(next, &out));
}

void FormResidual::update_memory_jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, Vec next_dot) {
  prepare(u.given);
  const LocalState local(u), local_dot(u_dot);
  double* out = nullptr;
  check(VecGetArray(next_dot, &out));
  for (const BoundForm& f : forms_) {
    if (f.part < equation || (f.form->memory_size() == 0 && !reads_field(f.values))) continue;  // fields are collective
    const Directions d(*this, f, local_dot, nullptr, d_dot);
    f.form->update_memory_jvp(state_of(f, local), d.tangent, out + f.first_memory);
  }
  check(VecRestoreArray(next_dot, &out));
}

void FormResidual::update_memory_vjp(const EvaluationPoint& u, Vec next_bar, const State& u_bar, Controls* d_bar) {
  prepare(u.given);
  const LocalState local(u);
  const double* weights = nullptr;
  check(VecGetArrayRead(next_bar, &weights));
  StateAccumulator out(*dofs_, u_bar);
  for (const BoundForm& f : forms_) {
    if (f.part < equation || (f.form->memory_size() == 0 && !reads_field(f.values))) continue;  // fields are collective
    auto bar = wanted(f, d_bar);
    FormCotangent c = cotangent(out, f.in_place, f.first_memory, coordinate_target(d_bar), bar);
    f.form->update_memory_vjp(state_of(f, local), weights + f.first_memory, c);
    if (d_bar) pull_back(f, bar, *d_bar);
  }
  out.flush();
  check(VecRestoreArrayRead(next_bar, &weights));
}

}  // namespace invar
