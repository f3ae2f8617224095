#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "libadjoint/petsc.hpp"
#include "libadjoint/solve/block_preconditioner.hpp"
#include "libadjoint/solve/coupled_fields.hpp"
#include "libadjoint/solve/factor_cost.hpp"
#include "libadjoint/solve/linear_method.hpp"
#include "libadjoint/solve/multigrid_levels.hpp"
#include "libadjoint/solve/saddle_point.hpp"
#include "libadjoint/solve/solve_monitor.hpp"
#include "libadjoint/solve/solve_report.hpp"
#include "libadjoint/solve/stored_factors.hpp"
#include "libadjoint/solve/triangular_blocks.hpp"
#include "libadjoint/vector_methods.hpp"

namespace invar {

struct LinearSolverOptions {
  std::string method = "auto";       // auto, or a name of linear_methods()
  double rtol = 0;                   // wanted true relative residual; 0: depends on the method
  int max_iterations = 500;          // of a Krylov method
  bool keep_factors = false;         // use old factors as preconditioner of the new operator
  bool reproducible = true;          // of cuDSS: see CudssFactors::Settings
  int kept_iteration_limit = 8;      // refactorise after more iterations than this with old factors
  double dear_from = 10;             // has_dear_factors: factors that cost at least so many iterations
  PetscInt umfpack_up_to = 1000;     // unknowns up to which `auto` takes umfpack, which has less overhead
  PetscInt multigrid_from = 30000;   // unknowns from which `auto` may take conjugate gradients with multigrid
  PetscInt blocks_from = saddle_multigrid_size;  // unknowns from which `auto` may take field_split_amg
  PetscInt coupled_from = coupled_multigrid_size;  // unknowns from which `auto` may take coupled_amg
  PetscInt fields_from = gauss_seidel_size;  // unknowns from which `auto` may take block_gauss_seidel
  std::string prefix = "invar_";     // PETSc options "-<prefix>ksp_type …" override everything
};

/// Solves A x = b and Aᵀ x = b with the same factors or preconditioner. Set-up is lazy; the symbolic analysis is done once per sparsity
/// pattern. Every solve computes the true residual of the exact operator, and fails if it is too large or a number is not finite. Direct
/// methods detect matrices that are singular to round-off, also for a consistent right-hand side. Failures are reports; wrong use throws
/// std::invalid_argument.
/// A DiagonalMatrix is divided by, whatever the method.
/// Choice of `auto`:
///   - block_triangular for an operator that is not assembled but has triangular blocks, the levels' method for one with coarser
///     levels;
///   - cudss_ldlt (symmetric) or cudss for one whose values are on a device, if cuDSS can be loaded;
///   - field_split_amg for a large operator whose SaddlePoint favours multigrid (3-D flow);
///   - coupled_amg for a large operator of node blocks as dense as in 3-D (stabilised flow);
///   - block_gauss_seidel for a large operator of CoupledFields that favour it (fluid-structure interaction in space);
///   - other nonsymmetric operators: umfpack for small ones, on every process (MUMPS has a fixed cost of a tenth of a
///     millisecond per call, and several times that for messages), else mumps;
///   - symmetric operators: multigrid where the matrix is large, as dense as in 3-D and has no SaddlePoint
///     (cg_two_level where a prolongation is given, else cg_hypre); else mumps_cholesky.
/// cuDSS perturbs pivots instead of exchanging rows. If the residual of its solve stays too large, or its factors indicate a singular
/// matrix, the fallback method of its row in linear_methods() takes over permanently, with a message.
/// `auto` changes from an iterative to a direct method, and reports it, if the iterations fail, if the expected remaining iterations cost
/// more than a factorisation, or after a solve whose iterations did (thin plates). In the last two cases the factors must fit into
/// memory. Costs are counted in operations and bytes, not timed, so that runs are reproducible.
/// Solves take place in vectors of the operator (MatCreateVecs). Right-hand sides and solutions in another memory, such as vectors on a
/// device of an operator on the host, are copied.
/// The operator of an enclosed flow without a pressure level, or of a body without supports, is singular: constrain it.
class LinearSolver {
 public:
  explicit LinearSolver(MPI_Comm comm, LinearSolverOptions options = {});

  /// Must be called when A (AIJ, all diagonal entries in the pattern) has new values. Another Mat object means another pattern with the
  /// same layout: everything is set up again. `symmetric`: the caller guarantees A = Aᵀ; MAT_SYMMETRIC is set accordingly. Multigrid for
  /// vector problems needs MatSetBlockSize(A, components). A is kept by reference. Throws SolverNotAvailable if the method needs a
  /// missing library or device, std::invalid_argument if it does not suit the operator. Collective.
  void set_operator(Mat A, bool symmetric);

  /// Near-null space of the operator (rigid-body modes), for aggregation multigrid.
  void set_near_null_space(MatNullSpace modes);

  /// Prolongation from a coarser space of the same equation (linear elements for quadratic ones), for two-level
  /// methods and for the choice of `auto`. Must be set before the first operator.
  void set_prolongation(Mat prolongation);

  /// The blocks of a saddle-point operator, for block preconditioners and for the choice of `auto`. Must be set
  /// before the first operator.
  void set_saddle_point(std::shared_ptr<SaddlePoint> blocks) { saddle_point_ = std::move(blocks); }

  /// Whether the operator consists of node blocks (MatrixHints), for coupled_amg and for the choice of `auto`. Must be set before the
  /// first operator.
  void set_node_blocks(bool given) { node_blocks_ = given; }

  /// Fields that are solved one after the other, for block_gauss_seidel and for the choice of `auto`. Must be set before the first
  /// operator.
  void set_coupled_fields(std::shared_ptr<CoupledFields> fields) { coupled_fields_ = std::move(fields); }

  /// The blocks of an operator that is not assembled; `auto` then solves block by block. Must be set before the first operator.
  void set_triangular_blocks(std::shared_ptr<TriangularBlocks> blocks) { triangular_blocks_ = std::move(blocks); }

  /// The coarser levels of an operator that is not assembled, which only their method solves. Other operators are solved as without
  /// levels. Must be set before the first operator.
  void set_levels(std::shared_ptr<MultigridLevels> levels) { levels_ = std::move(levels); }

  /// x = A⁻¹ b to the relative residual `rtol` (negative: `rtol()`). x is overwritten
  /// and never a starting guess. Collective.
  SolveReport solve(Vec b, Vec x, double rtol = -1) { return run(b, x, rtol, false); }
  /// x = A⁻ᵀ b, likewise.
  SolveReport solve_transpose(Vec b, Vec x, double rtol = -1) { return run(b, x, rtol, true); }

  /// Estimated relative error of x, the unchanged solution of the last solve with this `report`, or its sum with another vector: round-off and tolerance times the conditioning of
  /// the operator. Returns 0 at no cost if the conditioning measured at the factorisation excludes errors above 1e-10; else costs one
  /// back-substitution. For solves with kept factors the first three errors are measured, later ones are extrapolated from the ratio of
  /// error to residual. Collective.
  double error_of(const SolveReport& report, Vec x, bool transpose);
  /// For derivative solves: writes this estimate to the report and records the largest.
  void note_error(SolveReport& report, Vec x, bool transpose);

  /// Largest estimated error of derivative solves since the last call of `forget_errors`.
  double largest_error() const { return largest_error_; }
  void forget_errors() { largest_error_ = 0; }

  /// Whether old factors are used as preconditioner for new values. Solutions meet the same tolerance either way.
  void set_keep_factors(bool keep) { options_.keep_factors = keep; }
  /// Discards the factors: the next solve refactorises, even if factors are kept.
  void invalidate() { factors_ = Factors::none; }
  /// Frees the factors or the preconditioner, the vectors, and this solver's reference to the operator; `set_operator` must be called before
  /// the next solve. The estimated cost of a direct method remains.
  void release();

  /// Whether the present factors can be released for reuse: those of MUMPS that are not released already. Others belong to small systems
  /// or iterative methods.
  bool has_factors_to_keep() const;
  /// Bytes on this process of the present factors, the matrix and the vectors of a Krylov method.
  std::size_t factor_bytes() const;
  /// Releases the present factors, if has_factors_to_keep; the next solve makes new ones.
  std::shared_ptr<const StoredFactors> detach_factors();
  /// Reuses factors that this solver released: they precondition later operators, also those with other patterns, while factors are kept.
  /// They are not modified. Call it after the first operator.
  void attach_factors(const StoredFactors& factors);

  /// Whether a looser tolerance makes a solve cheaper: Krylov methods and kept factors.
  bool inexact() const { return !divides() && (!direct_ || options_.keep_factors); }
  /// Default relative residual: that of the options, else 1e-12 with exact factors (at most one further iteration) and 1e-10 with
  /// iterative methods.
  double rtol() const { return options_.rtol > 0 ? options_.rtol : direct_ || divides() ? 1e-12 : 1e-10; }
  /// Number of factorisations or preconditioner set-ups so far.
  int factorisations() const { return factorisations_; }
  /// Work of a factorisation in Krylov iterations with the present factors: MUMPS's by counted operations, those of UMFPACK and cuDSS by
  /// measured constants; 0: unknown (methods without factors, and few unknowns). Collective.
  double factors_in_iterations() const;
  /// Whether there are factors of a direct method that cost as much as `dear_from` iterations or more, as in space: they may precondition
  /// other values of the operator, and are made again where they do not serve. Collective.
  bool has_dear_factors() const;
  /// Callbacks for all solves from now on; nullptr: none.
  void set_monitor(std::shared_ptr<SolveMonitor> monitor) { monitor_ = std::move(monitor); }
  SolveMonitor* monitor() const { return monitor_.get(); }
  const std::shared_ptr<SolveMonitor>& shared_monitor() const { return monitor_; }
  /// Whether the monitor of any rank asks to stop. Collective.
  bool stop_asked() const;

  /// Whether `auto` has changed permanently from its iterative method to a direct one; the second function makes this change (after the
  /// first operator).
  bool went_direct() const { return went_direct_; }
  void go_on_directly();

  /// Whether the present operator is a DiagonalMatrix.
  bool divides() const { return diagonal_ != nullptr; }

  /// Back end in use; empty before the first operator.
  std::string_view method() const { return method_ ? method_->name : std::string_view(); }
  const LinearSolverOptions& options() const { return options_; }

 private:
  enum class Factors { none, stale, fresh };

  SolveReport run(Vec b, Vec x, double rtol, bool transpose);
  SolveReport run_in_place(Vec b, Vec x, double rtol, bool transpose);
  /// Whether v has the memory of the operator's vectors.
  bool beside_operator(Vec v) const { return is_on_host(v) == is_on_host(r_); }
  Vec solution_at(Vec x);
  void divide(Vec b, Vec x, double rtol, SolveReport& report);
  void attempt(Vec b, Vec x, double rtol, bool transpose, SolveReport& report);
  const LinearMethod& choose_method() const;
  const LinearMethod& direct_method() const;
  void create_ksp();
  void use_level_matrices();
  /// Whether the operator has entries, so that it can be factorised.
  bool assembled() const { return !triangular_blocks_ && !by_levels(); }
  bool by_levels() const { return levels_ && levels_->finest() == A_.get(); }
  bool factor(SolveReport& report);
  bool sound_factors(SolveReport& report);
  bool library_call(SolveReport& report, const std::function<void()>& calls);
  bool substitute(Vec b, Vec x, double rtol, bool transpose, SolveReport& report);
  bool iterate(Vec b, Vec x, double rtol, bool transpose, int limit, bool from_x,
               SolveReport& report);
  int expected_iterations(double rtol) const;
  const FactorCost& direct_cost();
  double iterative_operations(double iterations) const;
  bool factors_are_cheaper(double iterations);
  bool gives_up(int iterations, double expected);
  void change(SolveReport& report);
  void fall_back(Vec b, Vec x, double rtol, bool transpose, SolveReport& report);
  double round_off(Vec x) const;
  bool at_round_off(Vec x, bool transpose, SolveReport& report);
  double measured_error(Vec x, bool transpose);
  double error_left(Vec x, bool transpose);
  void explain_stall(bool transpose, double rtol, SolveReport& report);
  double true_residual(Vec b, Vec x, bool transpose);

  MPI_Comm comm_;
  LinearSolverOptions options_;
  const LinearMethod* method_ = nullptr;  // null before the first operator if `auto`
  MatHandle A_;               // null before the first operator and after `release`
  Vec diagonal_ = nullptr;    // of A_, if it is a DiagonalMatrix
  bool borrowed_ = false;     // ksp_ belongs to released factors
  bool symmetric_ = false;
  bool new_values_ = false;
  bool indefinite_ = false;   // negative pivots in the present factors
  bool released_ = false;     // since the last operator
  double largest_error_ = 0;
  double weakest_ = 1;        // smallest stiffness found at the last factorisation (WeakestMode), scaled; 1 for iterative methods
  /// For kept factors, forward and transposed: number of measured errors, and the largest ratio of error to residual.
  std::array<std::pair<int, double>, 2> error_by_residual_{};
  Factors factors_ = Factors::none;
  int factorisations_ = 0;
  std::optional<FactorCost> direct_cost_;  // of a direct method, once computed
  std::string why_direct_;        // reason of a change decided by the convergence rate
  bool went_direct_ = false;
  PetscInt size_ = 0;         // unknowns of the last operator
  std::shared_ptr<SolveMonitor> monitor_;
  std::map<int, double> fresh_falls_;  // Krylov iterations with fresh factors, and the decrease of ln ‖r‖
  double b_norm_ = 0;         // of the present solve
  NullSpaceHandle modes_;
  MatHandle prolongation_;
  std::shared_ptr<SaddlePoint> saddle_point_;
  std::shared_ptr<TriangularBlocks> triangular_blocks_;
  std::shared_ptr<MultigridLevels> levels_;
  bool node_blocks_ = false;
  std::shared_ptr<CoupledFields> coupled_fields_;
  std::unique_ptr<BlockPreconditioner> blocks_;  // outlives ksp_, which applies it
  KspHandle ksp_;
  std::string ksp_type_;      // after PETSc options
  int max_iterations_ = 0;    // after PETSc options
  bool direct_ = false;       // after PETSc options: exact factors
  VecHandle r_;               // residual of the present solve
  // Copies of right-hand side and solution of the last solve, if they are in another memory than the operator's; PETSc's number of the
  // solution.
  VecHandle b_copy_, x_copy_;
  PetscObjectId copied_ = 0;
};

/// Sets `set_keep_factors` for its lifetime, then restores the previous value.
class KeepFactorsScope {
 public:
  explicit KeepFactorsScope(LinearSolver& solver, bool keep = true)
      : solver_(solver), before_(solver.options().keep_factors) {
    solver_.set_keep_factors(keep);
  }
  ~KeepFactorsScope() { solver_.set_keep_factors(before_); }
  KeepFactorsScope(const KeepFactorsScope&) = delete;
  KeepFactorsScope& operator=(const KeepFactorsScope&) = delete;

 private:
  LinearSolver& solver_;
  bool before_;
};

}  // namespace invar
