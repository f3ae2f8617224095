#include "libfluid/solve/flow_preconditioner.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libfem/mesh/reference_element.hpp"
#include "libfluid/flow/flow_fields.hpp"

namespace invar {

namespace {

constexpr int degree = 4;  // quadrature degree: velocity · pressure · its gradient

std::shared_ptr<const DofMap> pressure_space(const DofMap& flow) {
  const int order = flow.components().back().order;
  if (order >= flow.components().front().order)
    throw std::invalid_argument("block preconditioners of flow need a pressure of lower order than the velocity");
  if (flow.n_components() != flow.mesh().dim + 1)
    throw std::invalid_argument("block preconditioners of flow support velocity and pressure only");
  return std::make_shared<const DofMap>(flow.mesh_pointer(), std::vector<Component>{{"p", order}}, flow.comm());
}

double reduced(double value, MPI_Op op, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, op, comm);
  return value;
}

/// M⁻¹ of a mass matrix of first order: Chebyshev steps on the Jacobi-preconditioned matrix, whose eigenvalues lie
/// between those of the cells' matrices (Wathen, IMA J. Numer. Anal. 7 (1987)). The relative error is 1 %.
KspHandle chebyshev(Mat M, const char* prefix, bool simplices) {
  KspHandle ksp;
  PC pc;
  check(KSPCreate(PetscObjectComm(PetscObject(M)), ksp.out()));
  check(KSPSetOptionsPrefix(ksp, prefix));
  check(KSPSetOperators(ksp, M, M));
  check(KSPSetType(ksp, KSPCHEBYSHEV));
  check(KSPChebyshevSetEigenvalues(ksp, simplices ? 2.5 : 3.375, simplices ? 0.5 : 0.125));
  check(KSPSetNormType(ksp, KSP_NORM_NONE));
  check(KSPSetConvergenceTest(ksp, KSPConvergedSkip, nullptr, nullptr));
  check(KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, simplices ? 6 : 14));
  check(KSPGetPC(ksp, &pc));
  check(PCSetType(pc, PCJACOBI));
  check(KSPSetFromOptions(ksp));
  return ksp;
}

/// A symmetric cycle of multigrid.
KspHandle multigrid_cycle(Mat L, const char* prefix) {
  KspHandle ksp;
  PC pc;
  check(KSPCreate(PetscObjectComm(PetscObject(L)), ksp.out()));
  check(KSPSetOptionsPrefix(ksp, prefix));
  check(KSPSetOperators(ksp, L, L));
  check(KSPSetType(ksp, KSPPREONLY));
  check(KSPGetPC(ksp, &pc));
  check(PCSetType(pc, PCGAMG));
  check(KSPSetFromOptions(ksp));
  return ksp;
}

bool all_simplices(const Mesh& mesh, MPI_Comm comm) {
  int others = 0;
  for (const CellBlock& block : mesh.cells)
    others |= block.type.shape != Shape::triangle && block.type.shape != Shape::tetrahedron;
  MPI_Allreduce(MPI_IN_PLACE, &others, 1, MPI_INT, MPI_MAX, comm);
  return others == 0;
}

}  // namespace

FlowPreconditioner::FlowPreconditioner(FormResidual& residual, int flow, FlowKind kind, const FlowModel& model)
    : residual_(residual), flow_(flow), kind_(kind), model_(model), pressure_dofs_(pressure_space(residual.dofs())),
      state_(residual.create_vector()) {
  number_fields();
}

void FlowPreconditioner::prepare_mass() {
  forms_ = make_pressure_forms(kind_, CellBatches::on_cells(pressure_dofs_, "", degree));
  mass_ = std::make_unique<AssembledMatrix>(pressure_dofs_);
  check(MatCreateVecs(mass_->mat(), a_.out(), b_.out()));
  check(VecDuplicate(a_, weight_.out()));
  check(VecDuplicate(a_, g_.out()));
}

void FlowPreconditioner::prepare_schur() {
  find_boundary();
  weighted_mass_ = std::make_unique<AssembledMatrix>(mass_->pattern());
  diffusion_ = std::make_unique<AssembledMatrix>(mass_->pattern());
  convection_ = std::make_unique<AssembledMatrix>(mass_->pattern());
  diffusion_->constrain(open_);
  const bool simplices = all_simplices(pressure_dofs_->mesh(), residual_.comm());
  mass_solver_ = chebyshev(mass_->mat(), "invar_pressure_mass_", simplices);
  weighted_mass_solver_ = chebyshev(weighted_mass_->mat(), "invar_pressure_mass_", simplices);
  diffusion_solver_ = multigrid_cycle(diffusion_->mat(), "invar_pressure_diffusion_");
  if (any_open_) return;
  NullSpaceHandle constant;
  check(MatNullSpaceCreate(residual_.comm(), PETSC_TRUE, 0, nullptr, constant.out()));
  check(MatSetNullSpace(diffusion_->mat(), constant));
}

void FlowPreconditioner::number_fields() {
  const DofMap& dofs = residual_.dofs();
  const int dim = dofs.mesh().dim;
  std::vector<PetscInt> u, p;
  for (int n = 0; n < dofs.mesh().n_owned_nodes; ++n)
    for (int c = 0; c < dofs.dof_count(n); ++c) (c < dim ? u : p).push_back(PetscInt(dofs.global_dof(n) + c));
  check(ISCreateGeneral(dofs.comm(), PetscInt(u.size()), u.data(), PETSC_COPY_VALUES, velocity_.out()));
  check(ISSetBlockSize(velocity_, dim));
  check(ISCreateGeneral(dofs.comm(), PetscInt(p.size()), p.data(), PETSC_COPY_VALUES, pressure_.out()));
}

void FlowPreconditioner::linearise(const EvaluationPoint& u, const PerLevel<double>& weights) {
  check(VecCopy(u, state_));
  given_ = u.given;
  rate_ = weights[Level::rate];
}

/// Viscosity μ [Pa s], per cell or as in the residual.
Coefficient FlowPreconditioner::viscosity() const {
  const std::vector<Coefficient>& flow = residual_.form_coefficients(flow_, given_);
  const ViscosityLaw& law = model_.law;
  if (law.kind == ViscosityLaw::Kind::newtonian) return flow[1];
  const FlowFields::Fluid fluid{"", law, {flow.begin() + 1, flow.begin() + 1 + law.n_parameters()}};
  const LocalArray local(state_);
  FlowFields fields = FlowFields::evaluate(residual_.dof_map(), local.data(), residual_.coordinates(given_).data(), kind_, {&fluid, 1});
  return {Coefficient::Layout::per_cell, std::move(fields.viscosity)};
}

double FlowPreconditioner::mean_viscosity(const Coefficient& viscosity) const {
  double sum = 0, count = double(viscosity.values.size());
  for (double v : viscosity.values) sum += v;
  return reduced(sum, MPI_SUM, residual_.comm()) / reduced(count, MPI_SUM, residual_.comm());
}

/// Density, resistance, rate and velocity at the present state and controls.
void FlowPreconditioner::set_coefficients() {
  const DofMap& dofs = residual_.dofs();
  const std::vector<Coefficient>& flow = residual_.form_coefficients(flow_, given_);
  const int dim = dofs.mesh().dim;
  std::vector<Coefficient> all{Coefficient::constant(1), flow[0], flow.back(), Coefficient::constant(rate_)};
  const LocalArray local(state_);
  for (int i = 0; i < dim; ++i) {
    Coefficient wind{Coefficient::Layout::per_node, std::vector<double>(dofs.mesh().node_total())};
    for (int n = 0; n < dofs.mesh().node_total(); ++n)
      wind.values[n] = model_.convection ? local.data()[dofs.dof(n, i)] : 0.0;
    all.push_back(std::move(wind));
  }
  for (WeakForm* form : {forms_.mass.get(), forms_.diffusion.get(), forms_.convection.get()})
    form->coefficients() = all;
}

/// ρ U D / μ
double FlowPreconditioner::reynolds_scale(double viscosity) const {
  const DofMap& dofs = residual_.dofs();
  const int dim = dofs.mesh().dim;
  const std::vector<double>& density = residual_.form_coefficients(flow_, given_)[0].values;
  double speed = 0, size = 0, heaviest = 0;
  for (double v : density) heaviest = std::max(heaviest, v);
  const LocalArray local(state_);
  for (int n = 0; n < dofs.mesh().n_owned_nodes; ++n) {
    double square = 0;
    for (int i = 0; i < dim; ++i) square += std::pow(local.data()[dofs.dof(n, i)], 2);
    speed = std::max(speed, std::sqrt(square));
  }
  for (int i = 0; i < dim; ++i) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (std::size_t k = i; k < residual_.coordinates(given_).size(); k += dim) {
      low = std::min(low, residual_.coordinates(given_)[k]);
      high = std::max(high, residual_.coordinates(given_)[k]);
    }
    size = std::max(size, reduced(high, MPI_MAX, dofs.comm()) - reduced(low, MPI_MIN, dofs.comm()));
  }
  return reduced(heaviest, MPI_MAX, dofs.comm()) * reduced(speed, MPI_MAX, dofs.comm()) * size / viscosity;
}

void FlowPreconditioner::assemble(WeakForm& form, AssembledMatrix& matrix) {
  const std::vector<double> at_rest(pressure_dofs_->n_local(), 0.0);  // the forms are linear
  matrix.begin();
  form.jacobian({at_rest.data(), residual_.coordinates(given_).data()}, matrix);
  matrix.end();
}

void FlowPreconditioner::assemble_mass(AssembledMatrix& matrix, Coefficient weight) {
  forms_.mass->coefficients()[0] = std::move(weight);
  assemble(*forms_.mass, matrix);
}

/// Returns the viscosity.
Coefficient FlowPreconditioner::prepare_forms() {
  if (!mass_) prepare_mass();
  set_coefficients();
  return viscosity();
}

void FlowPreconditioner::update_weight() {
  Coefficient fluidity = prepare_forms();
  gamma_ = 100 + 10 * reynolds_scale(mean_viscosity(fluidity));
  for (double& v : fluidity.values) v = 1 / v;
  assemble_mass(*mass_, std::move(fluidity));
  check(MatGetRowSum(mass_->mat(), weight_));
}

void FlowPreconditioner::update_schur(Mat /*A*/, Mat /*Bt*/) {
  Coefficient fluidity = prepare_forms();
  if (!diffusion_) prepare_schur();
  for (double& v : fluidity.values) v = 1 / (v + model_.grad_div);
  assemble_mass(*weighted_mass_, std::move(fluidity));
  assemble_mass(*mass_, Coefficient::constant(1));
  assemble(*forms_.diffusion, *diffusion_);
  assemble(*forms_.convection, *convection_);
  for (KSP solver : {mass_solver_.get(), weighted_mass_solver_.get(), diffusion_solver_.get()}) check(KSPSetUp(solver));
}

void FlowPreconditioner::find_boundary() {
  if (boundary_known_) return;
  find_open_boundary();
  find_held_pressures();
  boundary_known_ = true;
}

bool FlowPreconditioner::favours_multigrid() {
  if (residual_.dofs().mesh().dim != 3) return false;
  double resistance = 0;
  for (double v : residual_.form_coefficients(flow_, given_).back().values) resistance = std::max(resistance, std::abs(v));
  if (reduced(resistance, MPI_MAX, residual_.comm()) > 0) return false;
  find_boundary();
  return any_open_ || held_anywhere_ > 0;
}

void FlowPreconditioner::find_held_pressures() {
  std::vector<char> constrained(residual_.dofs().n_owned(), 0);
  for (int row : residual_.constrained_rows()) constrained[row] = 1;
  PetscInt first, n;
  const PetscInt* rows;
  check(VecGetOwnershipRange(state_, &first, nullptr));
  check(ISGetLocalSize(pressure_, &n));
  check(ISGetIndices(pressure_, &rows));
  for (PetscInt i = 0; i < n; ++i)
    if (constrained[rows[i] - first]) held_.push_back(int(i));
  check(ISRestoreIndices(pressure_, &rows));
  held_anywhere_ = int(held_.size());
  MPI_Allreduce(MPI_IN_PLACE, &held_anywhere_, 1, MPI_INT, MPI_SUM, residual_.comm());
}

/// Vertices of the facets through which the flow may pass: those of edges and faces at whose nodes a
/// free velocity meets Bᵀ 1 = −∫ ∇·v dV = −∫ v·n dA ≠ 0. (At vertices of tetrahedra that integral vanishes anyway.) The threshold
/// for zero is relative to the whole boundary: if all of it is prescribed, only rounding errors remain.
void FlowPreconditioner::find_open_boundary() {
  const DofMap& dofs = residual_.dofs();
  const Mesh& mesh = dofs.mesh();
  VecHandle one = residual_.create_vector(), outflow = residual_.create_vector();
  check(VecISSet(one, pressure_, 1.0));
  residual_.raw_jvp({state_, given_}, one, nullptr, outflow);
  check(VecISSet(outflow, pressure_, 0.0));
  PetscReal largest;
  check(VecNorm(outflow, NORM_INFINITY, &largest));
  residual_.constrained_rows().clear(outflow);

  std::vector<char> vertex(mesh.node_total(), 0);
  const LocalArray local(outflow);
  for (const CellBlock& block : mesh.cells) {
    const int per_cell = node_count(block.type), vertices = vertex_count(block.type.shape);
    const std::vector<double> nodes = reference_nodes(block.type);
    std::vector<double> share(std::size_t(per_cell) * vertices);  // of each node, by its vertices
    for (int k = 0; k < per_cell; ++k) shape_values({block.type.shape, 1}, &nodes[k * mesh.dim], &share[k * vertices]);
    for (int c = 0; c < block.count(); ++c)
      for (int k = 0; k < per_cell; ++k) {
        double size = 0;
        for (int i = 0; i < mesh.dim; ++i)
          size = std::max(size, std::abs(local.data()[dofs.dof(block.nodes[c * per_cell + k], i)]));
        if (size <= 1e-10 * largest) continue;
        for (int v = 0; v < vertices; ++v)
          if (share[k * vertices + v] > 1e-6) vertex[block.nodes[c * per_cell + v]] = 1;
      }
  }
  VecHandle flags = pressure_dofs_->create_vector();  // owners have all cells of their nodes
  double* a = nullptr;
  check(VecGetArray(flags, &a));
  for (int n = 0; n < mesh.n_owned_nodes; ++n)
    if (const int dof = pressure_dofs_->dof(n, 0); dof >= 0) a[dof] = vertex[n];
  check(VecRestoreArray(flags, &a));
  const LocalArray known(flags);
  open_.assign(known.data(), known.data() + pressure_dofs_->n_local());
  PetscReal count;
  check(VecNorm(flags, NORM_1, &count));
  any_open_ = count > 0;
}

/// y = L⁻¹ g, zero on the open boundary. Overwrites g there.
void FlowPreconditioner::diffuse(Vec g, Vec y) {
  double* a = nullptr;
  check(VecGetArray(g, &a));
  for (int i = 0; i < pressure_dofs_->n_owned(); ++i)
    if (open_[i]) a[i] = 0;
  check(VecRestoreArray(g, &a));
  if (!any_open_) {
    MatNullSpace constant;
    check(MatGetNullSpace(diffusion_->mat(), &constant));
    check(MatNullSpaceRemove(constant, g));
  }
  check(KSPSolve(diffusion_solver_, g, y));
  if (!any_open_) {
    MatNullSpace constant;
    check(MatGetNullSpace(diffusion_->mat(), &constant));
    check(MatNullSpaceRemove(constant, y));
  }
}

/// E g for an enclosed flow: the prescribed pressures balance the sum of the others.
void FlowPreconditioner::balance(Vec g) const {
  PetscScalar sum;
  double* a = nullptr;
  check(VecSum(g, &sum));
  check(VecGetArray(g, &a));
  for (int i : held_) a[i] -= sum / held_anywhere_;
  check(VecRestoreArray(g, &a));
}

/// Eᵀ y for an enclosed flow.
void FlowPreconditioner::measure_from_held(Vec y) const {
  const double* a = nullptr;
  double sum = 0;
  check(VecGetArrayRead(y, &a));
  for (int i : held_) sum += a[i];
  check(VecRestoreArrayRead(y, &a));
  check(VecShift(y, -reduced(sum, MPI_SUM, residual_.comm()) / held_anywhere_));
}

void FlowPreconditioner::solve_schur(Vec load, Vec y, bool transpose) {
  const bool floating = !any_open_ && held_anywhere_ > 0;
  const Vec g = g_;
  check(VecCopy(load, g));
  if (floating) balance(g);
  if (!transpose) {
    check(KSPSolve(mass_solver_, g, b_));
    check(MatMult(convection_->mat(), b_, a_));
    diffuse(a_, b_);
  } else {
    check(VecCopy(g, a_));
    diffuse(a_, b_);
    check(MatMultTranspose(convection_->mat(), b_, a_));
    check(KSPSolve(mass_solver_, a_, b_));
  }
  check(KSPSolve(weighted_mass_solver_, g, y));
  check(VecAXPY(y, 1.0, b_));
  if (floating) measure_from_held(y);
}

}  // namespace invar
