#include "libadjoint/solve/linear_method.hpp"

#include <stdexcept>

namespace invar {

namespace {

using Needs = LinearMethod::Needs;

// Multigrid settings were measured for 3-D elasticity. The interpolation is not reused, because with changed values it gave indefinite
// preconditioners. Nodal coarsening is a quarter faster on linear tetrahedra, 7 % slower on quadratic ones. On the linear space below
// quadratic elements it made thin plates four times slower; three cycles there are cheap compared with one sweep on quadratic elements.
// MUMPS replaces null pivots by values of round-off size, so that the factorisation completes and the null vector can be computed.
// UMFPACK's default accepts pivots of a tenth of the largest entry in an ordering for general patterns: in Taylor-Hood matrices of 5000
// unknowns entries grew by 1e17. Finite element patterns are symmetric, and diagonal pivots of at least a tenth are as good as the largest
// ones.
// Flow: aggregates without smoothing do not depend on the matrix, so their interpolation may be reused; smoothed aggregates fail for
// dominant convection. Richardson's iteration with incomplete LU diverges on three and more levels, three steps of GMRES do not. Coarsening
// by squared graphs costs half as many iterations again.
constexpr LinearMethod methods[] = {
    {"mumps", "sparse LU, any matrix, parallel", true, false, false,
     "ksp_type fgmres pc_type lu pc_factor_mat_solver_type mumps "
     "mat_mumps_icntl_14 40 mat_mumps_icntl_24 1 mat_mumps_cntl_5 1e-16"},
    {"mumps_cholesky", "sparse LDL^T, symmetric (also indefinite), parallel", true, true, false,
     "ksp_type fgmres pc_type cholesky pc_factor_mat_solver_type mumps "
     "mat_mumps_icntl_14 40 mat_mumps_icntl_24 1 mat_mumps_cntl_5 1e-16"},
#ifdef INVAR_SUITESPARSE
    {"cholmod", "sparse Cholesky, symmetric positive definite, one process", true, true, true,
     "ksp_type fgmres pc_type cholesky pc_factor_mat_solver_type cholmod"},
    {"umfpack", "sparse LU, any matrix, one process", true, false, true,
     "ksp_type fgmres pc_type lu pc_factor_mat_solver_type umfpack "
     "mat_umfpack_strategy SYMMETRIC mat_umfpack_sym_pivot_tolerance 0.1 mat_umfpack_pivot_tolerance 1"},
    {"redundant", "umfpack with the whole matrix on every process; any small matrix, parallel", true, false, false,
     "ksp_type fgmres pc_type redundant redundant_pc_type lu redundant_pc_factor_mat_solver_type umfpack "
     "redundant_mat_umfpack_strategy SYMMETRIC redundant_mat_umfpack_sym_pivot_tolerance 0.1 "
     "redundant_mat_umfpack_pivot_tolerance 1"},
#endif
    {"cudss", "sparse LU by NVIDIA cuDSS on a GPU, any matrix, one process; mumps takes over where it fails", true, false, true,
     "ksp_type fgmres pc_type invar_cudss pc_cudss_kind lu", Needs::nothing, "", true, "mumps"},
    {"cudss_ldlt", "sparse LDL^T by NVIDIA cuDSS on a GPU, symmetric (also indefinite), one process; mumps_cholesky takes over where it fails",
     true, true, true, "ksp_type fgmres pc_type invar_cudss pc_cudss_kind ldlt", Needs::nothing, "", true, "mumps_cholesky"},
    {"cudss_cholesky", "sparse Cholesky by NVIDIA cuDSS on a GPU, symmetric positive definite, one process; cudss_ldlt takes over "
     "where it fails", true, true, true, "ksp_type fgmres pc_type invar_cudss pc_cudss_kind cholesky", Needs::nothing, "", true,
     "cudss_ldlt"},
    {"cg_gamg", "conjugate gradients with smoothed aggregation; symmetric, give rigid-body modes",
     false, true, false,
     // 10 steps, PETSc's default, estimate the largest eigenvalue 1.7 times too small where the stiffness changes by 1e9 within a few
     // cells; smoothers then amplify and the preconditioner is indefinite. 30 steps find it (StiffnessContrast tests).
     "ksp_type cg ksp_norm_type unpreconditioned pc_type gamg pc_gamg_threshold 0.02 pc_gamg_esteig_ksp_max_it 30 "
     "pc_gamg_reuse_interpolation 0 mg_levels_ksp_type chebyshev mg_levels_pc_type jacobi"},
    {"cg_hypre", "conjugate gradients with BoomerAMG; symmetric positive definite", false, true,
     false,
     "ksp_type cg ksp_norm_type unpreconditioned pc_type hypre pc_hypre_type boomeramg "
     "pc_hypre_boomeramg_strong_threshold 0.5 pc_hypre_boomeramg_coarsen_type HMIS "
     "pc_hypre_boomeramg_interp_type ext+i pc_hypre_boomeramg_agg_nl 1 "
     "pc_hypre_boomeramg_P_max 4",
     Needs::nothing, "pc_hypre_boomeramg_nodal_coarsen 4"},
    {"cg_two_level", "conjugate gradients with BoomerAMG on linear elements below quadratic ones; symmetric "
     "positive definite", false, true, false,
     "ksp_type cg ksp_norm_type unpreconditioned pc_mg_galerkin both mg_levels_ksp_type richardson "
     "mg_levels_ksp_max_it 1 mg_levels_pc_type sor mg_coarse_ksp_type preonly mg_coarse_pc_type hypre "
     "mg_coarse_pc_hypre_type boomeramg mg_coarse_pc_hypre_boomeramg_strong_threshold 0.5 "
     "mg_coarse_pc_hypre_boomeramg_coarsen_type HMIS mg_coarse_pc_hypre_boomeramg_interp_type ext+i "
     "mg_coarse_pc_hypre_boomeramg_agg_nl 1 mg_coarse_pc_hypre_boomeramg_P_max 4 "
     "mg_coarse_pc_hypre_boomeramg_max_iter 3",
     Needs::prolongation},
    {"cg_p_multigrid", "conjugate gradients with two-level multigrid: Chebyshev smoothing on quadratic elements and a factorisation on linear ones; symmetric positive definite; efficient if the linear elements have few unknowns; on a device the matrix of the quadratic elements is not assembled", false, true, false,
     "ksp_type cg ksp_norm_type unpreconditioned pc_mg_galerkin both mg_levels_ksp_type chebyshev mg_levels_ksp_max_it 3 "
     "mg_levels_esteig_ksp_type cg mg_levels_pc_type pbjacobi mg_coarse_ksp_type preonly mg_coarse_pc_type cholesky "
     "mg_coarse_pc_factor_mat_solver_type mumps mg_coarse_mat_mumps_icntl_24 1",
     Needs::prolongation},
    {"cg_lattice", "conjugate gradients with matrix-free geometric multigrid on a grid of congruent cells, on a device where the equation is there; symmetric positive definite", false, true, false,
     "ksp_type cg ksp_norm_type unpreconditioned mg_levels_ksp_type chebyshev mg_levels_ksp_max_it 2 "
     "mg_levels_esteig_ksp_type cg mg_levels_pc_type jacobi "
     "mg_coarse_ksp_type preonly mg_coarse_pc_type cholesky mg_coarse_pc_factor_mat_solver_type mumps "
     "mg_coarse_mat_mumps_icntl_24 1",
     Needs::levels},
    {"cg_jacobi", "conjugate gradients with diagonal preconditioning; symmetric, well conditioned", false, true,
     false, "ksp_type cg ksp_norm_type unpreconditioned pc_type jacobi"},
    {"gmres_ilu", "GMRES with block-Jacobi incomplete LU; any well conditioned matrix", false, false,
     false,
     "ksp_type fgmres ksp_gmres_restart 100 pc_type bjacobi sub_pc_type ilu"},
    {"field_split", "GMRES on a saddle-point system with augmented-Lagrangian preconditioning, the first block factorised", false, false, false,
     "ksp_type fgmres ksp_gmres_restart 150 primal_pc_type lu "
     "primal_pc_factor_mat_solver_type mumps primal_mat_mumps_icntl_14 40",
     Needs::saddle_point},
    {"field_split_amg", "GMRES on a saddle-point system, multigrid for its first block and for its Schur complement", false,
     false, false,
     "ksp_type fgmres ksp_gmres_restart 150 primal_pc_type gamg primal_pc_gamg_agg_nsmooths 0 "
     "primal_pc_gamg_aggressive_coarsening 0 primal_pc_gamg_threshold 0 primal_pc_gamg_reuse_interpolation 1 "
     "primal_mg_levels_ksp_type gmres primal_mg_levels_ksp_max_it 3 primal_mg_levels_ksp_convergence_test skip "
     "primal_mg_levels_pc_type invar_block_ilu "
     "pressure_diffusion_pc_gamg_aggressive_coarsening 0 pressure_diffusion_mg_levels_pc_type jacobi",
     Needs::saddle_point},
    {"block_triangular", "block by block on a block-triangular system: GMRES with incomplete LU, then stored factorisations", false,
     false, false, "ksp_type fgmres ksp_gmres_restart 30", Needs::triangular_blocks},
    {"block_gauss_seidel", "GMRES on a saddle-point system with an integral of its first field and a field that follows, which are solved one after the other",
     false, false, false,
     "ksp_type fgmres ksp_gmres_restart 100 primal_pc_type invar_block_ilu "
     "schur_pc_type hypre schur_pc_hypre_type boomeramg integral_ksp_type cg integral_ksp_rtol 1e-10 integral_pc_type jacobi "
     "follower_pc_type hypre follower_pc_hypre_type boomeramg follower_pc_hypre_boomeramg_strong_threshold 0.5",
     Needs::coupled_fields},
    {"coupled_amg", "GMRES with multigrid on the coupled matrix, with the unknowns of a node as a block", false, false, false,
     "ksp_type fgmres ksp_gmres_restart 100 pc_type gamg pc_gamg_agg_nsmooths 0 pc_gamg_threshold 0 "
     "pc_gamg_aggressive_coarsening 0 pc_gamg_reuse_interpolation 1 mg_levels_ksp_type gmres mg_levels_ksp_max_it 3 "
     "mg_levels_ksp_convergence_test skip mg_levels_pc_type invar_block_ilu",
     Needs::node_blocks},
};

}  // namespace

std::span<const LinearMethod> linear_methods() { return methods; }

const LinearMethod& find_linear_method(std::string_view name) {
  std::string known;
  for (const LinearMethod& method : methods) {
    if (method.name == name) return method;
    known += ", " + std::string(method.name);
  }
  throw std::invalid_argument("unknown linear solver '" + std::string(name) + "'; use auto" +
                              known);
}

void require_suitable(const LinearMethod& method, bool symmetric, int processes) {
  const std::string name = "linear solver '" + std::string(method.name) + "'";
  if (method.symmetric_only && !symmetric)
    throw std::invalid_argument(name + " needs a symmetric operator; use mumps or gmres_ilu");
  if (method.one_process && processes > 1)
    throw std::invalid_argument(name + " runs on one process only; use " +
                                (symmetric ? "mumps_cholesky" : "mumps"));
}

}  // namespace invar
