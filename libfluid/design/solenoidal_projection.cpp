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

Evaluation outcome(const SolveReport& report) {
  if (report.converged) return Evaluation::success(0);
  return Evaluation::failure("velocity free of divergence: " + report.reason);
}

CellBatches all_cells(const std::shared_ptr<const DofMap>& dofs, FlowKind kind) {
  int degree = 0;
  for (const CellBlock& block : dofs->mesh().cells)
    degree = std::max(degree, flow_degree(kind, FlowDiscretisation::taylor_hood, {}, block.type.shape));
  return CellBatches::on_cells(dofs, "", degree);
}

/// What these equations are in terms of flow: creeping through a porous body of resistance 1, viscosity l².
std::unique_ptr<WeakForm> make_equations(const std::shared_ptr<const DofMap>& dofs, FlowKind kind, double l) {
  auto form = make_navier_stokes(kind, FlowDiscretisation::taylor_hood, {make_viscosity_law("newtonian"), false, false},
                                 all_cells(dofs, kind));
  std::vector<Coefficient>& c = form->coefficients();
  std::fill(c.begin(), c.end(), Coefficient::constant(0));
  c[1] = Coefficient::constant(l * l);
  c.back() = Coefficient::constant(1);
  return form;
}

/// The rows of this rank that these equations do not solve for: what the flow prescribes, and what it carries
/// besides velocity and pressure.
std::vector<int> rows_held(const FormResidual& flow) {
  std::vector<int> rows = flow.constrained_rows();
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

}  // namespace

SolenoidalProjection::SolenoidalProjection(FormResidual& flow, FlowKind kind, double start, double l)
    : dofs_(flow.dof_map()), held_(rows_held(flow)),
      // Gradients pass through here; PETSc options meant for the flow do not fit.
      solver_(dofs_->comm(), {.method = "mumps", .rtol = 1e-12, .prefix = "invar_initial_"}) {
  if (!(l >= 0) || !std::isfinite(l)) throw std::invalid_argument("a smoothing length must be zero or positive");
  g_ = dofs_->create_vector();
  lift_ = dofs_->create_vector();
  flow.set_time(start);
  flow.impose_constraints(g_);
  const double* coordinates = mesh().coordinates.data();
  for (int node = 0; node < mesh().n_owned_nodes; ++node)  // what a flow carries along stays out of these equations
    for (int dof = dofs_->first_dof(node) + mesh().dim + 1; dof < dofs_->first_dof(node + 1); ++dof) held_.push_back(dof);

  mass_ = std::make_unique<AssembledMatrix>(dofs_);
  mass_->constrain(std::vector<char>(dofs_->n_local(), 0));
  const std::unique_ptr<WeakForm> inertia = make_flow_inertia(kind, all_cells(dofs_, kind));
  inertia->coefficients()[0] = Coefficient::constant(1);
  PerLevel<double> rate;
  rate[Level::rate] = 1;
  mass_->begin();
  inertia->jacobian({{}, coordinates}, rate, *mass_);
  mass_->end();

  operator_ = std::make_unique<AssembledMatrix>(dofs_);
  operator_->constrain(flags_of(*dofs_, held_));
  const std::unique_ptr<WeakForm> equations = make_equations(dofs_, kind, l);
  const LocalArray g(g_);
  const FormState at{g.data(), coordinates};
  operator_->begin();
  equations->jacobian(at, *operator_);
  operator_->end();
  Accumulator lifted(*dofs_, lift_);
  equations->residual(at, lifted.data());
  lifted.flush();
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
  VecHandle diagonal = dofs_->create_vector();
  check(MatGetDiagonal(mass_->mat(), diagonal));
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

// ---- forward, then reverse ----------------------------------------------------------------------

Evaluation SolenoidalProjection::apply(const std::vector<double>& w, std::vector<double>& u) {
  VecHandle load = dofs_->create_vector(), x = dofs_->create_vector();
  check(MatMult(mass_->mat(), vector_of(w), load));
  check(VecAXPY(load, -1.0, lift_));
  release(load);
  const SolveReport report = solver_.solve(load, x);
  check(VecAXPY(x, 1.0, g_));
  u = field_of(x);
  return outcome(report);
}

Evaluation SolenoidalProjection::jvp(const std::vector<double>& w_dot, std::vector<double>& u_dot) {
  VecHandle load = dofs_->create_vector(), x = dofs_->create_vector();
  check(MatMult(mass_->mat(), vector_of(w_dot), load));
  release(load);
  const SolveReport report = solver_.solve(load, x);
  u_dot = field_of(x);
  return outcome(report);
}

Evaluation SolenoidalProjection::vjp(const std::vector<double>& u_bar, std::vector<double>& w_bar) {
  const VecHandle seed = vector_of(u_bar);
  VecHandle lambda = dofs_->create_vector(), load_bar = dofs_->create_vector();
  release(seed);
  const SolveReport report = solver_.solve_transpose(seed, lambda);
  check(MatMultTranspose(mass_->mat(), lambda, load_bar));
  w_bar = field_of(load_bar);
  return outcome(report);
}

}  // namespace invar
