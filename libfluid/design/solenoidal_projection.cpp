#include "libfluid/design/solenoidal_projection.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libfem/form/local_access.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/flow_law_library.hpp"
#include "libfluid/flow/unsteady_forms.hpp"

namespace invar {
namespace {

constexpr const char* what = "velocity free of divergence";

CellBatches all_cells(const std::shared_ptr<const DofMap>& dofs, FlowKind kind) {
  int degree = 0;
  for (const CellBlock& block : dofs->mesh().cells)
    degree = std::max(degree, flow_degree(kind, FlowDiscretisation::taylor_hood, {}, block.type.shape));
  return CellBatches::on_cells(dofs, "", degree);
}

/// These equations are those of creeping flow through a porous body of resistance 1 with viscosity l².
std::unique_ptr<WeakForm> make_equations(const std::shared_ptr<const DofMap>& dofs, FlowKind kind, double l) {
  auto form = make_navier_stokes(kind, FlowDiscretisation::taylor_hood, {make_viscosity_law("newtonian"), false, false},
                                 all_cells(dofs, kind));
  std::vector<Coefficient>& c = form->coefficients();
  std::fill(c.begin(), c.end(), Coefficient::constant(0));
  c[1] = Coefficient::constant(l * l);
  c.back() = Coefficient::constant(1);
  return form;
}

/// Own rows without an equation here: prescribed unknowns of the flow, and components other than velocity and pressure.
std::vector<int> rows_held(const FormResidual& flow) {
  std::vector<int> rows(flow.constrained_rows().begin(), flow.constrained_rows().end());
  const DofMap& dofs = flow.dofs();
  for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node)
    for (int c = dofs.mesh().dim + 1; c < dofs.dof_count(node); ++c) rows.push_back(dofs.dof(node, c));
  return rows;
}

/// The prescribed unknowns of this rank, ghosts included, as flags.
std::vector<char> flags_of(const DofMap& dofs, const std::vector<int>& held) {
  VecHandle marks = dofs.create_vector();
  double* a = nullptr;
  check(VecGetArray(marks, &a));
  for (int row : held) a[row] = 1;
  check(VecRestoreArray(marks, &a));
  const LocalArray local(marks);
  return {local.data(), local.data() + dofs.n_local()};
}

template <class T>
PerLevel<T> at_rate(T value) {
  PerLevel<T> levels;
  levels[Level::rate] = value;
  return levels;
}

}  // namespace

SolenoidalProjection::SolenoidalProjection(std::shared_ptr<FormResidual> flow, FlowKind kind, double start, double l)
    : flow_(std::move(flow)), dofs_(flow_->dof_map()), start_(start), held_(rows_held(*flow_)),
      // Tight for accurate gradients; options for the flow's solver do not apply here.
      solver_(dofs_->comm(), {.method = "mumps", .rtol = 1e-12, .prefix = "invar_initial_"}) {
  if (!(l >= 0) || !std::isfinite(l)) throw std::invalid_argument("a smoothing length must be zero or positive");
  equations_ = make_equations(dofs_, kind, l);
  inertia_ = make_flow_inertia(kind, all_cells(dofs_, kind));
  inertia_->coefficients()[0] = Coefficient::constant(1);
  operator_ = std::make_unique<AssembledMatrix>(dofs_);
  operator_->constrain(flags_of(*dofs_, held_));
}

void SolenoidalProjection::factor() {
  const std::vector<double> nowhere(dofs_->n_local(), 0.0);  // linear: the same at any state
  operator_->begin();
  equations_->jacobian({nowhere.data(), coordinates_.data()}, *operator_);
  operator_->end();
  solver_.set_operator(operator_->mat(), true);
}

VecHandle SolenoidalProjection::vector_of(const std::vector<double>& field) const {
  const int dim = mesh().dim;
  VecHandle v = dofs_->create_vector();
  double* a = nullptr;
  check(VecGetArray(v, &a));
  for (int node = 0; node < mesh().n_owned_nodes; ++node)
    for (int i = 0; i < dim; ++i) a[dofs_->dof(node, i)] = field[std::size_t(node) * dim + i];
  check(VecRestoreArray(v, &a));
  return v;
}

std::vector<double> SolenoidalProjection::field_of(Vec v) const {
  const int dim = mesh().dim;
  const LocalArray local(v);
  std::vector<double> field(mesh().coordinates.size());
  for (int node = 0; node < mesh().node_total(); ++node)
    for (int i = 0; i < dim; ++i) field[std::size_t(node) * dim + i] = local.data()[dofs_->dof(node, i)];
  return field;
}

std::vector<double> SolenoidalProjection::node_weights() const {
  AssembledMatrix mass(dofs_);
  mass.constrain(std::vector<char>(dofs_->n_local(), 0));
  mass.begin();
  inertia_->jacobian({{}, mesh().coordinates.data()}, at_rate(1.0), mass);
  mass.end();
  VecHandle diagonal = dofs_->create_vector();
  check(MatGetDiagonal(mass.mat(), diagonal));
  std::vector<double> weights;
  const double* a = nullptr;
  check(VecGetArrayRead(diagonal, &a));
  for (int node = 0; node < mesh().n_owned_nodes; ++node) weights.push_back(a[dofs_->dof(node, 0)]);
  check(VecRestoreArrayRead(diagonal, &a));
  return weights;
}

void SolenoidalProjection::release(Vec v) const {
  double* a = nullptr;
  check(VecGetArray(v, &a));
  for (int row : held_) a[row] = 0;
  check(VecRestoreArray(v, &a));
}

VecHandle SolenoidalProjection::held_part(Vec v) const {
  VecHandle part = dofs_->create_vector();
  const double* from = nullptr;
  double* to = nullptr;
  check(VecGetArrayRead(v, &from));
  check(VecGetArray(part, &to));
  for (int row : held_) to[row] = from[row];
  check(VecRestoreArray(part, &to));
  check(VecRestoreArrayRead(v, &from));
  return part;
}

// ---- forward, then reverse ----------------------------------------------------------------------

Evaluation SolenoidalProjection::apply(const std::vector<double>& w, const Controls& d, std::vector<double>& u) {
  given_ = {std::make_shared<const Controls>(d), start_, start_};
  if (coordinates_ != flow_->coordinates(given_)) {
    coordinates_ = flow_->coordinates(given_);
    factor();
  }
  source_ = vector_of(w);
  velocity_ = dofs_->create_vector();
  flow_->impose_constraints(given_, velocity_);
  VecHandle load = dofs_->create_vector(), x = dofs_->create_vector();
  {
    const LocalArray g(velocity_), source(source_);
    Accumulator by_source(*dofs_, load), by_g(*dofs_, x);
    inertia_->residual({at_rate(source.data()), coordinates_.data()}, by_source.data());
    equations_->residual({g.data(), coordinates_.data()}, by_g.data());
    by_source.flush();
    by_g.flush();
  }
  check(VecAXPY(load, -1.0, x));
  release(load);
  const SolveReport report = solver_.solve(load, x);
  check(VecAXPY(velocity_, 1.0, x));
  u = field_of(velocity_);
  return Evaluation::of_solve(what, report);
}

Evaluation SolenoidalProjection::jvp(const std::vector<double>& w_dot, const Controls& d_dot,
                                     std::vector<double>& u_dot) {
  VecHandle load = dofs_->create_vector(), x = dofs_->create_vector();
  flow_->initial_jvp(Level::value, given_, d_dot, load);
  const VecHandle g_dot = held_part(load), source_dot = vector_of(w_dot);
  check(VecSet(load, 0.0));
  {
    const LocalArray y(velocity_), y_dot(g_dot), w(source_), along(source_dot);
    const double* const x_dot = flow_->coordinate_direction(&d_dot);
    Accumulator by_source(*dofs_, load), by_velocity(*dofs_, x);
    inertia_->jvp({at_rate(w.data()), coordinates_.data()}, {at_rate(along.data()), x_dot}, by_source.data());
    equations_->jvp({y.data(), coordinates_.data()}, {y_dot.data(), x_dot}, by_velocity.data());
    by_source.flush();
    by_velocity.flush();
  }
  check(VecAXPY(load, -1.0, x));
  release(load);
  const SolveReport report = solver_.solve(load, x);
  check(VecAXPY(x, 1.0, g_dot));
  u_dot = field_of(x);
  return Evaluation::of_solve(what, report);
}

Evaluation SolenoidalProjection::vjp(const std::vector<double>& u_bar, std::vector<double>& w_bar, Controls& d_bar) {
  const VecHandle seed = vector_of(u_bar);
  VecHandle g_bar = held_part(seed), lambda = dofs_->create_vector(), source_bar = dofs_->create_vector();
  release(seed);
  const SolveReport report = solver_.solve_transpose(seed, lambda);
  {
    const LocalArray y(velocity_), w(source_), up(lambda);
    std::vector<double> down(up.data(), up.data() + dofs_->n_local());
    for (double& entry : down) entry = -entry;
    double* const x_bar = flow_->coordinate_target(&d_bar);
    Accumulator by_source(*dofs_, source_bar), by_velocity(*dofs_, g_bar);
    FormCotangent of_source{at_rate(by_source.data()), x_bar}, of_velocity{by_velocity.data(), x_bar};
    inertia_->vjp({at_rate(w.data()), coordinates_.data()}, up.data(), of_source);
    equations_->vjp({y.data(), coordinates_.data()}, down.data(), of_velocity);
    by_source.flush();
    by_velocity.flush();
  }
  w_bar = field_of(source_bar);
  flow_->initial_vjp(Level::value, given_, held_part(g_bar), d_bar);
  return Evaluation::of_solve(what, report);
}

}  // namespace invar
