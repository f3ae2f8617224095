#include "libfem/form/form_residual.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "libfem/form/in_place.hpp"
#include "libfem/form/local_access.hpp"

namespace invar {

void FormResidual::BoundForm::find_interfaces() {
  distant = part == equation ? dynamic_cast<const DistantCoupling*>(form.get()) : nullptr;
  separation = part == equation ? dynamic_cast<const Separation*>(form.get()) : nullptr;
  in_place = dynamic_cast<const InPlace*>(form.get()) != nullptr;
}

int FormResidual::add(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values, int part,
                      std::string name) {
  for (const ControlledValue& v : values)
    if (v.field < 0 && controls_[v.control].components != 1)
      throw std::invalid_argument("control '" + controls_[v.control].name + "' has several components and cannot be a coefficient");
  forms_.push_back({std::move(form), std::move(values), part, memory_size_, std::move(name)});
  if (part >= equation) memory_size_ += forms_.back().form->memory_size();
  forms_.back().find_interfaces();
  if (finished_) restart();
  if (matrix_ && !matrix_->pattern()->full()) release_matrix();
  return form_count() - 1;
}

int FormResidual::add_form(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values, FormUse use) {
  const int number = add(std::move(form), std::move(values), equation, std::move(use.name));
  forms_[number].linear = use.linear;
  forms_[number].loads = std::move(use.loads);
  forms_[number].between = std::move(use.between);
  return number;
}

bool FormResidual::symmetric() const {
  return std::ranges::all_of(forms_, [](const BoundForm& f) {
    return f.part != equation || f.form->traits().symmetric;
  });
}

bool FormResidual::minimises() const {
  return std::ranges::all_of(forms_, [](const BoundForm& f) {
    const FormTraits t = f.form->traits();
    return f.part != equation || !t.reads[Level::value] || (t.potential && !t.saddle_point);
  });
}

bool FormResidual::form_varies(int form) const {
  return std::ranges::any_of(forms_[form].values, [&](const ControlledValue& v) { return varies(v); });
}

int FormResidual::add_functional(std::unique_ptr<WeakForm> form, std::vector<ControlledValue> values) {
  return add(std::move(form), std::move(values), -1);
}

void FormResidual::add_pseudo_time(std::unique_ptr<WeakForm> mass, std::vector<ControlledValue> values) {
  pseudo_time_forms_.push_back(add(std::move(mass), std::move(values), -1));
}

void FormResidual::add_branches(std::unique_ptr<WeakForm> form, const CellBatches& cells, std::vector<ControlledValue> values) {
  branches_.emplace_back(add(std::move(form), std::move(values), -1), cells);
}

std::vector<char> FormResidual::branches(const EvaluationPoint& u) {
  prepare(u.given);
  const LocalState local(u);
  std::vector<char> numbers;
  for (const auto& [f, of_points] : branches_) of_points.append(*forms_[f].form, state_of(forms_[f], local), numbers);
  return numbers;
}

int FormResidual::add_tractions(const BoundaryPart& part) {
  const int number = n_parts_ + 1, before = form_count();
  for (int f = 0; f < before; ++f)
    if (forms_[f].part == equation)
      if (auto form = forms_[f].form->on_boundary(part)) add(std::move(form), forms_[f].values, number, forms_[f].name);
  if (form_count() == before) return -1;
  return n_parts_ = number;
}

bool FormResidual::around_axis() const {
  return std::any_of(forms_.begin(), forms_.end(),
                     [](const BoundForm& f) { return f.part == equation && f.form->around_axis(); });
}

int FormResidual::add_coordinates() {
  if (coordinates_ < 0)
    coordinates_ = add_control({.name = "coordinates", .unit = "m", .layout = ControlLayout::nodes,
                                .components = dofs_->mesh().dim},
                               dofs_->mesh().coordinates);
  return coordinates_;
}

int FormResidual::add_field(std::shared_ptr<CoordinateField> field) {
  fields_.push_back(std::move(field));
  return static_cast<int>(fields_.size()) - 1;
}

void FormResidual::add_dirichlet(DirichletCondition condition) { dirichlet_.push_back(std::move(condition)); }

void FormResidual::finish() {
  std::map<int, Constraint> by_dof;
  for (std::size_t k = 0; k < dirichlet_.size(); ++k) {
    const auto hold = [&](int node) {
      const int dof = dofs_->dof(node, dirichlet_[k].component);
      if (dof < 0) return;
      Constraint& c = by_dof[dof];
      if (!dirichlet_[k].adds) c.conditions.clear();
      c.dof = dof, c.node = node;
      c.conditions.push_back(static_cast<int>(k));
    };
    for (const int node : dirichlet_[k].nodes) hold(node);
    if (!dirichlet_[k].nodes.empty()) continue;
    const Region* region = dofs_->mesh().find_region(dirichlet_[k].region);
    if (!dirichlet_[k].outside) {
      if (region)
        for (int node : region->nodes) hold(node);
      continue;
    }
    std::vector<char> inside(dofs_->mesh().node_total(), 0);
    if (region)
      for (int node : region->nodes) inside[node] = 1;
    for (std::size_t node = 0; node < inside.size(); ++node)
      if (!inside[node]) hold(static_cast<int>(node));
  }
  constrained_.assign(dofs_->n_local(), 0);
  std::vector<int> rows;
  for (const auto& [dof, c] : by_dof) {
    constraints_.push_back(c);
    constrained_[dof] = 1;
    if (dof < dofs_->n_owned()) rows.push_back(dof);
  }
  constrained_rows_ = RowSet(std::move(rows));
  long long memory = static_cast<long long>(memory_size_);
  MPI_Allreduce(MPI_IN_PLACE, &memory, 1, MPI_LONG_LONG, MPI_SUM, comm());
  has_memory_ = memory > 0;
  finished_ = true;
  if (!like_) like_ = dofs_->create_vector();  // vectors like it are created without communication
  restart();
}

void FormResidual::exchange_forms(const FormExchange& exchange) {
  for (int k = 0; k < form_count(); ++k) {
    BoundForm& f = forms_[k];
    auto other = exchange(k, f.form);
    if (!other) continue;
    f.form = std::move(other);
    f.find_interfaces();
    if (matrix_ && !matrix_->pattern()->full()) release_matrix();
  }
}

/// Without blocks that no form couples, where nothing needs whole ones: not contact's pairs, nor devices, whose pattern is symmetric, nor
/// methods by blocks of nodes.
std::shared_ptr<const SparsityPattern> FormResidual::make_pattern() const {
  const bool couples_everything = std::ranges::any_of(forms_, [](const BoundForm& f) { return f.distant && f.distant->distant_components().everything(); });
  const bool whole = couples_everything || make_store_ || node_blocks_ || !on_any_rank(dofs_->block_size() == 1);
  std::vector<FormCoupling> couplings;
  for (int k = 0; k < form_count() && !whole; ++k) {
    if (forms_[k].part != equation && std::ranges::count(pseudo_time_forms_, k) == 0) continue;
    std::optional<FormCoupling> coupling = forms_[k].form->coupling();
    if (!coupling) return std::make_shared<const SparsityPattern>(dofs_, distant_pairs_);
    couplings.push_back(std::move(*coupling));
  }
  return whole ? std::make_shared<const SparsityPattern>(dofs_, distant_pairs_) : std::make_shared<const SparsityPattern>(dofs_, couplings, distant_pairs_);
}

AssembledMatrix& FormResidual::assembled() const {
  if (!matrix_) {
    matrix_ = std::make_unique<AssembledMatrix>(make_pattern());
    matrix_->constrain(constrained_);
    if (make_store_) matrix_->use_store(make_store_(*matrix_));
  }
  return *matrix_;
}

void FormResidual::release_matrix() {
  matrix_.reset();
  linear_part_.reset();
  linear_given_ = {};
}

// ---- residual ---------------------------------------------------------------------------------

FormState FormResidual::state_of(const BoundForm& f, const LocalState& u) const {
  return {u.data(f.in_place), coordinates(present_).data(), u.memory() ? u.memory() + f.first_memory : nullptr, present_.step_length, setting_};
}

void FormResidual::raw_residual(const EvaluationPoint& u, Vec r, int part) {
  prepare(u.given);
  check(VecSet(r, 0.0));
  const LocalState local(u, levels_read(forms_, [part](const BoundForm& f) { return f.part == part; }));
  Accumulator out(*dofs_, r);
  for (BoundForm& f : forms_)
    if (f.part == part) f.form->residual(state_of(f, local), out.data(f.in_place));
  out.flush();
}

namespace {

/// The change du of the state u as input of a pseudo-mass.
State change_of(const EvaluationPoint& u, Vec du) {
  State change(du);
  change.levels[Level::predicted] = u.unknown;
  return change;
}

}  // namespace

void FormResidual::add_damping(const EvaluationPoint& u, Vec du, double cfl, Vec r) {
  prepare(u.given);
  const VecHandle damped = zeros_like(u.unknown);
  check(VecSet(damped, 0.0));
  const LocalState local(change_of(u, du));
  Accumulator out(*dofs_, damped);
  for (const int f : pseudo_time_forms_) forms_[f].form->residual(state_of(forms_[f], local), out.data(forms_[f].in_place));
  out.flush();
  constrained_rows_.clear(damped);
  check(VecAXPY(r, 1 / cfl, damped));
}

void FormResidual::form_residual(int form, const EvaluationPoint& u, Vec r) {
  prepare(u.given);
  check(VecSet(r, 0.0));
  const LocalState local(u, forms_[form].form->traits().reads);
  Accumulator out(*dofs_, r);
  forms_[form].form->residual(state_of(forms_[form], local), out.data(forms_[form].in_place));
  out.flush();
}

bool FormResidual::residual(const EvaluationPoint& u, Vec r) {
  prepare(u.given);
  check(VecSet(r, 0.0));
  const LocalState local(u, levels_read(forms_, [](const BoundForm& f) { return f.part == equation; }));
  Accumulator out(*dofs_, r);
  int admissible = 1;
  for (BoundForm& f : forms_)
    if (f.part == equation) admissible &= f.form->residual(state_of(f, local), out.data(f.in_place)) ? 1 : 0;
  out.flush();
  constrained_rows_.copy(u.unknown, r);
  constrained_rows_.add(-1, prescribed(), r);
  MPI_Allreduce(MPI_IN_PLACE, &admissible, 1, MPI_INT, MPI_MIN, comm());
  double norm = 0;
  check(VecNorm(r, NORM_2, &norm));
  return admissible && std::isfinite(norm);
}

Capabilities FormResidual::capabilities() {
  return {.evolution = this, .history_variables = has_memory_ ? this : nullptr, .potential = minimises() ? this : nullptr,
          .step_limit = keeps_apart() ? this : nullptr, .pattern = couples_distant_nodes() ? this : nullptr,
          .pseudo_time = pseudo_time_forms_.empty() ? nullptr : this,
          .branches = branches_.empty() ? nullptr : this,
          .kinks = std::ranges::any_of(forms_, [](const BoundForm& f) { return f.form->traits().kinks; }),
          .continuation = !continuation_controls_.empty()};
}

double FormResidual::potential(const EvaluationPoint& u) {
  double total = 0;
  for (int f = 0; f < form_count(); ++f)
    if (forms_[f].part == equation) total += form_value(f, u);
  return total;
}

double FormResidual::form_value(int form, const EvaluationPoint& u) {
  prepare(u.given);
  const LocalState local(u, forms_[form].form->traits().reads);
  double value = forms_[form].form->value(state_of(forms_[form], local));
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm());
  return value;
}

void FormResidual::jacobian(const EvaluationPoint& u, const PerLevel<double>& weights) { assemble(u, weights, 0); }

void FormResidual::damped_jacobian(const EvaluationPoint& u, double cfl) { assemble(u, 1.0, cfl); }

bool FormResidual::has_constant_matrix(int form) const {
  const BoundForm& f = forms_[form];
  if (f.part != equation || !f.linear || make_store_) return false;  // sums of matrices are made on the host
  for (int k = 0; k < static_cast<int>(f.values.size()); ++k)
    if (varies(f.values[k]) && std::ranges::count(f.loads, k) == 0) return false;
  return true;
}

std::vector<int> FormResidual::nonlinear_forms() const {
  std::vector<int> others;
  for (int k = 0; k < form_count(); ++k)
    if (forms_[k].part == equation && !has_constant_matrix(k)) others.push_back(k);
  return others;
}

Mat FormResidual::linear_part(const EvaluationPoint& u, const PerLevel<double>& weights) {
  prepare(u.given);
  return assemble_linear_forms(LocalState(u), weights) ? linear_part_.get() : nullptr;
}

/// Assembles the forms with a constant matrix into `linear_part_` for these weights; false: there are none. The diagonals of
/// constrained rows are summed; any nonzero value is suitable.
bool FormResidual::assemble_linear_forms(const LocalState& u, const PerLevel<double>& weights) {
  std::vector<int> constant;
  for (int k = 0; k < form_count(); ++k)
    if (has_constant_matrix(k)) constant.push_back(k);
  if (constant.empty()) return false;
  if (linear_given_.controls == present_.controls && linear_given_.continuation == present_.continuation &&
      linear_weights_.entries == weights.entries && linear_given_.controls)
    return true;
  AssembledMatrix& matrix = assembled();
  matrix.begin();
  for (const int k : constant) forms_[k].form->jacobian(state_of(forms_[k], u), weights, matrix);
  matrix.end();
  if (!linear_part_) check(MatDuplicate(matrix.mat(), MAT_COPY_VALUES, linear_part_.out()));
  else check(MatCopy(matrix.mat(), linear_part_, SAME_NONZERO_PATTERN));
  linear_given_ = present_;
  linear_weights_ = weights;
  return true;
}

/// cfl: CFL number of PseudoTime; 0: steady matrix.
void FormResidual::assemble(const EvaluationPoint& u, const PerLevel<double>& weights, double cfl) {
  prepare(u.given);
  const LocalState local(u, levels_read(forms_, [](const BoundForm& f) { return f.part == equation; }));
  if (by_operator_ && cfl == 0 && linearise_operator(local, weights)) return;
  AssembledMatrix& matrix = assembled();
  const bool apart = assemble_linear_forms(local, weights);
  matrix.begin();
  for (int k = 0; k < form_count(); ++k)
    if (BoundForm& f = forms_[k]; f.part == equation && !(apart && has_constant_matrix(k)))
      f.form->jacobian(state_of(f, local), weights, matrix);
  if (cfl > 0) {
    const LocalState change(change_of(u, u.unknown));
    for (const int f : pseudo_time_forms_) forms_[f].form->jacobian(state_of(forms_[f], change), 1 / cfl, matrix);
  }
  matrix.end();
  if (apart) check(MatAXPY(matrix.mat(), 1.0, linear_part_, SAME_NONZERO_PATTERN));
  if (saddle_point_) saddle_point_->linearise(u, weights);
}

}  // namespace invar
