// Linear solvers for fluid-structure interaction in space, of one step in time: a factorisation of the whole matrix against blocks that
// are solved one after the other, forward and transposed. A soft block stands on the floor of a channel.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "libadjoint/solve/blas_settings.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/form/row_map.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/mark_cells.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/fsi/region_flags.hpp"
#include "libfluid/fsi/still_nodes.hpp"
#include "libfluid/mesh_motion/mesh_motion_form.hpp"
#include "tests/bench/measure.hpp"

using namespace invar;

namespace {

constexpr double rate = 75;  // du̇/du of the scheme, 1/s: BDF2 with steps of 0.02 s
const std::vector<int> v{0, 1, 2}, d{3, 4, 5}, v_d{0, 1, 2, 3, 4, 5}, v_p_d{0, 1, 2, 6, 3, 4, 5};
constexpr int p = 6;

double sum_over_ranks(double x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return x;
}

/// 3 × 1 × 1 m, 15 n × 4 n × 4 n cells of six tetrahedra; the block takes 1 < x < 1.4, y < 1/2, z < 1/2.
std::shared_ptr<FormResidual> soft_block(int n, double young) {
  Mesh serial = make_box({0, 0, 0}, {3, 1, 1}, {15 * n, 4 * n, 4 * n}, Shape::tetrahedron, 2);
  const auto inside = [](double x, double y, double z) { return x > 1 && x < 1.4 && y < 0.5 && z < 0.5; };
  mark_cells(serial, "block", inside);
  mark_cells(serial, "water", [&](double x, double y, double z) { return !inside(x, y, z); });
  auto mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_WORLD));
  std::vector<Component> components;
  for (const char* name : {"v_x", "v_y", "v_z", "d_x", "d_y", "d_z"}) components.push_back({name, 2});
  components.push_back({"p", 1, "water"});
  auto dofs = std::make_shared<const DofMap>(mesh, components, PETSC_COMM_WORLD);
  auto r = std::make_shared<FormResidual>(dofs);
  const auto number = [&](const char* name, double value) { return ControlledValue{r->add_control({name, ""}, {value}), {}}; };
  const auto cells = [&](const char* region, std::vector<int> of) { return CellBatches::on_cells(dofs, region, 4, std::move(of)); };
  const ControlledValue zero = number("zero", 0), density = number("density", 1), stiffness = number("young", young);
  const FlowKind kind = FlowKind::spatial;
  r->add_form(make_moving_navier_stokes(kind, {.law = {}, .stress_form = true}, cells("water", v_p_d)),
              {density, number("viscosity", 0.02), zero, zero, zero, zero});
  r->add_form(make_moving_inertia(kind, cells("water", v_d)), {density});
  r->add_form(std::make_unique<RowMapped>(make_displacement_form(SolidKind::spatial, make_material({"neo_hookean"}), cells("block", d)), dofs,
                                          map_rows(*dofs, d, v)),
              {stiffness, number("poisson", 0.4)});
  r->add_form(make_flow_inertia(kind, cells("block", v)), {density});
  r->add_form(make_body_velocity(kind, cells("block", v_d)), {stiffness});
  std::vector<double> of_cells = mesh_stiffness(*mesh, PETSC_COMM_WORLD, 1);
  for (double& c : of_cells) c *= young;
  const int control = r->add_control({"mesh", "Pa", ControlLayout::cells}, std::move(of_cells));
  r->add_form(std::make_unique<RowMapped>(make_mesh_elasticity(3, cells("water", d)), dofs,
                                          select_rows(*dofs, {.regions = {"block"}, .outside = true, .components = d})),
              {{control, {}}, number("bulk", 2)});
  for (const int c : d) r->add_dirichlet({.region = {}, .component = c, .value = zero, .nodes = still_nodes(*dofs, "water", {"block"}, {})});
  for (const char* wall : {"left", "top", "bottom", "back", "front"})
    for (const int c : v) r->add_dirichlet({wall, c, zero});
  for (const char* wall : {"bottom", "back"})
    for (const int c : d) r->add_dirichlet({wall, c, zero});
  r->finish();
  return r;
}

/// Flow along the channel at about 1 m/s, and a displacement of 0.05 m at most.
VecHandle state_of(const FormResidual& r, bool of_rate) {
  const DofMap& dofs = r.dofs();
  const std::vector<char> in_block = nodes_in(dofs.mesh(), {"block"});
  VecHandle u = r.create_vector();
  double* a;
  check(VecGetArray(u, &a));
  for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node) {
    const double* x = &dofs.mesh().coordinates[3 * node];
    const double bump = 16 * x[1] * (1 - x[1]) * x[2] * (1 - x[2]) * std::sin(std::numbers::pi * x[0] / 3);
    if (of_rate) {
      a[dofs.dof(node, 3)] = 0.2 * bump;
      continue;
    }
    if (!in_block[node]) a[dofs.dof(node, 0)] = 16 * x[1] * (1 - x[1]) * x[2] * (1 - x[2]);
    a[dofs.dof(node, 3)] = 0.05 * bump;
    a[dofs.dof(node, 4)] = -0.02 * bump;
  }
  check(VecRestoreArray(u, &a));
  return u;
}

IsHandle index_set(const std::vector<PetscInt>& rows) {
  IsHandle is;
  check(ISCreateGeneral(PETSC_COMM_WORLD, static_cast<PetscInt>(rows.size()), rows.data(), PETSC_COPY_VALUES, is.out()));
  return is;
}

MatHandle block_of(Mat K, IS rows, IS columns) {
  MatHandle block;
  check(MatCreateSubMatrix(K, rows, columns, MAT_INITIAL_MATRIX, block.out()));
  return block;
}

/// PETSc's options "-flow_…", "-mesh_…", "-body_…" say how the blocks are solved; default: by MUMPS.
KspHandle solver_of(Mat A, const char* prefix, const std::vector<std::pair<const char*, IS>>& fields) {
  KspHandle ksp;
  PC pc;
  check(KSPCreate(PETSC_COMM_WORLD, ksp.out()));
  check(KSPSetOptionsPrefix(ksp, prefix));
  check(KSPSetOperators(ksp, A, A));
  check(KSPSetType(ksp, KSPPREONLY));
  check(KSPGetPC(ksp, &pc));
  check(PCSetType(pc, PCLU));
  check(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  check(KSPSetFromOptions(ksp));
  PetscBool split;
  check(PetscObjectTypeCompare(PetscObject(pc), PCFIELDSPLIT, &split));
  if (split)
    for (const auto& [name, is] : fields) check(PCFieldSplitSetIS(pc, name, is));
  check(KSPSetUp(ksp));
  return ksp;
}

/// What Failer and Richter (J. Sci. Comput., 2020, doi 10.1007/s10915-019-01113-y) take for the inverse of K, or of its transpose.
/// Unknowns are v and p; d of the body S; d of the fluid's mesh F. Rows of S say a d − v = …, a the rate of the scheme, with one mass
/// matrix for both, so that
///   d_S = v/a + w,   w = K_SS⁻¹ r_S
/// leaves [K_vp,vp + K_vp,S G] (v, p) = r − K_vp,S w − K_vp,F d_F with G = 1/a at the nodes of the body; then
/// K_FF d_F = r_F − K_FS d_S. Only K_vp,F, the dependence of the fluid on the mesh, is neglected. The transpose uses the reverse order.
class Blocks {
 public:
  Blocks(const FormResidual& r, Mat K, bool transpose) : transpose_(transpose) {
    number(r.dofs());
    to_body_ = block_of(K, flow_, body_), from_body_ = block_of(K, mesh_, body_);
    mass_ = block_of(K, body_, body_), elastic_ = block_of(K, mesh_, mesh_);
    condense(K);
    solve_flow_ = solver_of(condensed_, "flow_", {{"v", v_}, {"p", p_}});
    solve_mesh_ = solver_of(elastic_, "mesh_", {});
    solve_body_ = solver_of(mass_, "body_", {});
    check(MatCreateVecs(condensed_, x_.out(), f_.out()));
    check(MatCreateVecs(mass_, s_.out(), w_.out()));
    check(MatCreateVecs(elastic_, m_.out(), y_.out()));
    check(VecDuplicate(f_, g_.out()));
  }

  void attach(PC pc) {
    check(PCSetType(pc, PCSHELL));
    check(PCShellSetContext(pc, this));
    check(PCShellSetApply(pc, [](PC self, Vec b, Vec x) -> PetscErrorCode {
      void* blocks;
      if (const PetscErrorCode code = PCShellGetContext(self, &blocks)) return code;
      static_cast<Blocks*>(blocks)->apply(b, x);
      return 0;
    }));
  }
  long long size_of_flow() const { return size(condensed_); }
  long long size_of_mesh() const { return size(elastic_); }

 private:
  static long long size(Mat A) {
    PetscInt n;
    check(MatGetSize(A, &n, nullptr));
    return n;
  }

  void number(const DofMap& dofs) {
    const std::vector<char> in_block = nodes_in(dofs.mesh(), {"block"});
    std::vector<PetscInt> flow, body, mesh, in_v, in_p;
    int before = 0;
    for (int node = 0; node < dofs.mesh().n_owned_nodes; ++node) {
      const auto row = [&](int c) { return static_cast<PetscInt>(dofs.global_dof(node) + dofs.dof(node, c) - dofs.first_dof(node)); };
      for (const int c : v) {
        if (in_block[node]) at_v_.push_back(static_cast<PetscInt>(flow.size()));
        in_v.push_back(static_cast<PetscInt>(flow.size())), flow.push_back(row(c));
      }
      if (dofs.dof(node, p) >= 0) in_p.push_back(static_cast<PetscInt>(flow.size())), flow.push_back(row(p));
      for (const int c : d) (in_block[node] ? body : mesh).push_back(row(c));
    }
    const int mine = static_cast<int>(flow.size());
    MPI_Exscan(&mine, &before, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
    for (auto* list : {&in_v, &in_p, &at_v_})
      for (PetscInt& row : *list) row += before;
    flow_ = index_set(flow), body_ = index_set(body), mesh_ = index_set(mesh), v_ = index_set(in_v), p_ = index_set(in_p);
  }

  /// K_vp,vp + K_vp,S G, or its transpose.
  void condense(Mat K) {
    MatHandle A = block_of(K, flow_, flow_), product;
    PetscInt columns, first, begin;
    check(MatGetLocalSize(A, nullptr, &columns));
    check(MatCreateAIJ(PETSC_COMM_WORLD, static_cast<PetscInt>(at_v_.size()), columns, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 1, nullptr, lift_.out()));
    check(MatGetOwnershipRange(lift_, &first, &begin));
    for (std::size_t k = 0; k < at_v_.size(); ++k) check(MatSetValue(lift_, first + static_cast<PetscInt>(k), at_v_[k], 1 / rate, INSERT_VALUES));
    check(MatAssemblyBegin(lift_, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(lift_, MAT_FINAL_ASSEMBLY));
    check(MatMatMult(to_body_, lift_, MAT_INITIAL_MATRIX, PETSC_DEFAULT, product.out()));
    check(MatAXPY(A, 1, product, DIFFERENT_NONZERO_PATTERN));
    if (transpose_) check(MatTranspose(A, MAT_INITIAL_MATRIX, condensed_.out()));
    else condensed_ = std::move(A);
  }

  void take(Vec from, IS is, Vec to) {
    Vec part;
    check(VecGetSubVector(from, is, &part));
    check(VecCopy(part, to));
    check(VecRestoreSubVector(from, is, &part));
  }
  void put(Vec from, IS is, Vec to) { check(VecISCopy(to, is, SCATTER_FORWARD, from)); }

  void apply(Vec b, Vec x) {
    take(b, flow_, f_), take(b, body_, s_), take(b, mesh_, m_);
    if (!transpose_) {
      check(KSPSolve(solve_body_, s_, w_));
      check(MatMult(to_body_, w_, g_));
      check(VecAXPY(f_, -1, g_));
      check(KSPSolve(solve_flow_, f_, x_));
      check(MatMultAdd(lift_, x_, w_, w_));
      check(MatMult(from_body_, w_, y_));
      check(VecAXPY(m_, -1, y_));
      check(KSPSolve(solve_mesh_, m_, y_));
    } else {  // K_FF and K_SS are symmetric
      check(KSPSolve(solve_mesh_, m_, y_));
      check(MatMultTranspose(from_body_, y_, w_));
      check(VecAXPY(s_, -1, w_));
      check(MatMultTransposeAdd(lift_, s_, f_, f_));
      check(KSPSolve(solve_flow_, f_, x_));
      check(MatMultTranspose(to_body_, x_, w_));
      check(VecAXPY(s_, -1, w_));
      check(KSPSolve(solve_body_, s_, w_));
    }
    put(x_, flow_, x), put(w_, body_, x), put(y_, mesh_, x);
  }

  bool transpose_;
  std::vector<PetscInt> at_v_;  // of each d of the body: the column of its v in the condensed block
  IsHandle flow_, body_, mesh_, v_, p_;
  MatHandle to_body_, from_body_, mass_, elastic_, lift_, condensed_;
  KspHandle solve_flow_, solve_mesh_, solve_body_;
  VecHandle x_, f_, g_, s_, w_, m_, y_;
};

struct Timer {
  double clock = now(), processor = processor_seconds();
  void print(const char* what) const {
    const double cpu = sum_over_ranks(processor_seconds() - processor), memory = sum_over_ranks(peak_megabytes());
    PetscPrintf(PETSC_COMM_WORLD, "  %s: %.2f s (%.2f s of processors), peak %.0f MB\n", what, now() - clock, cpu, memory);
  }
};

/// x from b by a flexible Krylov method, preconditioned from the right; iterations, seconds and the true residual.
void solve(Mat A, const std::function<void(PC)>& precondition, Vec b, const char* what) {
  KspHandle ksp;
  PC pc;
  check(KSPCreate(PETSC_COMM_WORLD, ksp.out()));
  check(KSPSetOperators(ksp, A, A));
  check(KSPSetType(ksp, KSPFGMRES));
  check(KSPGMRESSetRestart(ksp, 100));
  check(KSPSetTolerances(ksp, 1e-10, 0, PETSC_DEFAULT, 200));
  check(KSPSetOptionsPrefix(ksp, "outer_"));
  check(KSPSetFromOptions(ksp));
  check(KSPGetPC(ksp, &pc));
  precondition(pc);
  VecHandle x = zeros_like(b), r = zeros_like(b);
  const Timer timer;
  check(KSPSolve(ksp, b, x));
  PetscInt n;
  PetscReal norm, scale;
  check(KSPGetIterationNumber(ksp, &n));
  check(MatMult(A, x, r));
  check(VecAYPX(r, -1, b));
  check(VecNorm(r, NORM_2, &norm));
  check(VecNorm(b, NORM_2, &scale));
  timer.print((std::string(what) + ", " + std::to_string(n) + " iterations, residual " + std::to_string(std::log10(norm / scale)) + " (log)").c_str());
}

void measure(int n, double young, const std::string& method) {
  const std::shared_ptr<FormResidual> r = soft_block(n, young);
  const VecHandle u = state_of(*r, false), u_dot = state_of(*r, true);
  State state(u);
  state.levels[Level::rate] = u_dot;
  PerLevel<double> weights;
  weights[Level::value] = 1;
  weights[Level::rate] = rate;
  r->jacobian({state, r->given()}, weights);
  Timer assembly;
  r->jacobian({state, r->given()}, weights);
  const Mat K = r->matrix();
  PetscPrintf(PETSC_COMM_WORLD, "%lld unknowns, E = %g Pa, %s\n", r->dofs().n_global(), young, method.c_str());
  assembly.print("assembly");
  VecHandle b, work;
  check(MatCreateVecs(K, work.out(), b.out()));
  PetscRandom random;
  check(PetscRandomCreate(PETSC_COMM_WORLD, &random));
  check(VecSetRandom(work, random));
  check(PetscRandomDestroy(&random));
  check(MatMult(K, work, b));
  MatHandle Kt;
  check(MatCreateTranspose(K, Kt.out()));
  if (method == "direct") {
    const Timer timer;
    const KspHandle whole = solver_of(K, "whole_", {});
    timer.print("factorisation");
    PC factors;
    check(KSPGetPC(whole, &factors));
    VecHandle x = zeros_like(b);
    const Timer forward;
    check(PCApply(factors, b, x));
    forward.print("solve");
    const Timer back;
    check(PCApplyTranspose(factors, b, x));
    back.print("transposed solve");
    return;
  }
  for (const bool transpose : {false, true}) {
    const Timer timer;
    Blocks blocks(*r, K, transpose);
    if (!transpose) PetscPrintf(PETSC_COMM_WORLD, "  %lld unknowns of the flow, %lld of the mesh\n", blocks.size_of_flow(), blocks.size_of_mesh());
    timer.print("set-up");
    if (transpose) check(MatMultTranspose(K, work, b));
    solve(transpose ? Kt : K, [&](PC pc) { blocks.attach(pc); }, b, transpose ? "transposed solve" : "solve");
  }
}

}  // namespace

int main(int argc, char** argv) {
  restart_with_suitable_blas(argv);
  check(PetscInitialize(&argc, &argv, nullptr, nullptr));
  if (argc > 3) measure(std::atoi(argv[1]), std::atof(argv[2]), argv[3]);
  else PetscPrintf(PETSC_COMM_WORLD, "usage: bench_interaction N YOUNG direct|blocks [-flow_… -mesh_… -body_… of PETSc]\n"
                                     "       15 N × 4 N × 4 N cells; direct: MUMPS on the whole matrix; blocks: one after the other, each by MUMPS unless options say\n");
  check(PetscFinalize());
}
