#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <optional>
#include <string>

#include "libadjoint/petsc.hpp"
#include "libadjoint/solve/factor_cost.hpp"
#include "libadjoint/solve/kept_factors.hpp"
#include "libadjoint/solve/linear_method.hpp"
#include "libadjoint/solve/multigrid_levels.hpp"
#include "libadjoint/solve/saddle_preconditioner.hpp"
#include "libadjoint/solve/solve_monitor.hpp"
#include "libadjoint/solve/solve_report.hpp"
#include "libadjoint/solve/triangular_blocks.hpp"

namespace invar {

struct LinearSolverOptions {
  std::string method = "auto";       // auto, or a name of linear_methods()
  double rtol = 0;                   // wanted true relative residual; 0: depends on the method
  int max_iterations = 500;          // of a Krylov method
  bool keep_factors = false;         // use old factors as preconditioner of the new operator
  int kept_iteration_limit = 8;      // factor again after more iterations than this with old factors
  PetscInt umfpack_up_to = 1000;     // unknowns up to which `auto` takes umfpack, which has less overhead
  PetscInt multigrid_from = 30000;   // unknowns from which `auto` may take conjugate gradients with multigrid
  PetscInt blocks_from = saddle_multigrid_size;  // unknowns from which `auto` may take field_split_amg
  PetscInt coupled_from = coupled_multigrid_size;  // unknowns from which `auto` may take coupled_amg
  std::string prefix = "invar_";     // PETSc options "-<prefix>ksp_type …" override everything
};

/// Solves A x = b and Aᵀ x = b with the same factors or preconditioner. Set-up is lazy, and the symbolic analysis is
/// done once per sparsity pattern. Every solve computes the true residual of the exact operator; it has failed where
/// that is too large or a number is not finite. Direct methods detect matrices that are singular to round-off, also
/// where the right-hand side happens to be consistent. Failures are reports; wrong use throws std::invalid_argument.
///
/// Choice of `auto`:
///   - block_triangular for an operator that is not assembled but says its triangular blocks, cg_lattice for one that
///     says its coarser levels;
///   - field_split_amg for a large operator whose SaddlePoint favours multigrid (3-D flow);
///   - coupled_amg for a large operator of node blocks as dense as in 3-D (stabilised flow);
///   - other nonsymmetric operators: umfpack for small ones, on every process (MUMPS has a fixed cost of a tenth of a
///     millisecond per call, and several times that for messages), else mumps;
///   - symmetric operators: multigrid where the matrix is large, as dense as in 3-D and has no SaddlePoint
///     (cg_two_level where a prolongation is given, else cg_hypre); else mumps_cholesky.
/// cuDSS perturbs pivots where others exchange rows: where the residual of its solve stays too large, or its factors show a singular
/// matrix, the method that its row of linear_methods() names takes over from there on, and says so.
///
/// `auto` changes from an iterative to a direct method, and reports it, where the iterations fail, where the
/// iterations still expected cost more than a factorisation, or after a solve whose iterations did (thin plates). In
/// the last two cases the factors must fit into memory. Costs are counted in operations and bytes, not timed, so that
/// every run decides alike.
///
/// An enclosed flow without a pressure level and a body without supports have a singular operator: constrain them.
class LinearSolver {
 public:
  explicit LinearSolver(MPI_Comm comm, LinearSolverOptions options = {});

  /// Must be called when A (AIJ, all diagonal entries in the pattern) has new values. Another object than before
  /// means another pattern of the same layout: everything is set up again. Throws SolverNotAvailable when the method needs a library or a
  /// device that is not there. `symmetric`: the caller guarantees A = Aᵀ.
  /// Multigrid for vector problems needs MatSetBlockSize(A, components). A is kept by reference, and MAT_SYMMETRIC is
  /// set accordingly. Throws std::invalid_argument when the method does not suit the operator. Collective.
  void set_operator(Mat A, bool symmetric);

  /// Near-null space of the operator (rigid-body modes), for aggregation multigrid.
  void set_near_null_space(MatNullSpace modes);

  /// Prolongation from a coarser space of the same equation (linear elements for quadratic ones), for two-level
  /// methods and for the choice of `auto`. Must be set before the first operator.
  void set_prolongation(Mat prolongation);

  /// The blocks of a saddle-point operator, for block preconditioners and for the choice of `auto`. Must be set
  /// before the first operator.
  void set_saddle_point(std::shared_ptr<SaddlePoint> blocks) { saddle_point_ = std::move(blocks); }

  /// Whether the operator consists of node blocks as MatrixHints says, for coupled_amg and for the choice of `auto`.
  /// Must be set before the first operator.
  void set_node_blocks(bool given) { node_blocks_ = given; }

  /// The blocks of an operator that is not assembled, which `auto` then solves with one after the other. Must be set
  /// before the first operator.
  void set_triangular_blocks(std::shared_ptr<TriangularBlocks> blocks) { triangular_blocks_ = std::move(blocks); }

  /// The coarser levels of an operator that is not assembled, which `auto` then solves with by cg_lattice; other
  /// operators it solves with as if there were none. Must be set before the first operator.
  void set_levels(std::shared_ptr<MultigridLevels> levels) { levels_ = std::move(levels); }

  /// x = A⁻¹ b to the relative residual `rtol` (negative: `rtol()`). x is overwritten
  /// and never a starting guess. Collective.
  SolveReport solve(Vec b, Vec x, double rtol = -1) { return run(b, x, rtol, false); }
  /// x = A⁻ᵀ b, likewise.
  SolveReport solve_transpose(Vec b, Vec x, double rtol = -1) { return run(b, x, rtol, true); }

  /// Estimate of the relative error of x, the solution of the last solve, whose report is `report`: round-off and
  /// tolerance times the conditioning of the operator. Returns 0 at no cost where the conditioning measured at the
  /// factorisation excludes errors above 1e-10; else needs one back-substitution. Of solves on kept factors the first three are
  /// measured, and those after them by their ratio to the residual. Collective.
  double error_of(const SolveReport& report, Vec x, bool transpose);
  /// For solves for derivatives: writes this estimate to the report and keeps the largest.
  void note_error(SolveReport& report, Vec x, bool transpose);

  /// The largest estimated error of the solves for derivatives since the last call of `forget_errors`.
  double largest_error() const { return largest_error_; }
  void forget_errors() { largest_error_ = 0; }

  /// Whether old factors are used as preconditioner for new values. Solutions meet the same tolerance either way.
  void set_keep_factors(bool keep) { options_.keep_factors = keep; }
  /// The next solve factors again, even when factors are kept.
  void invalidate() { factors_ = Factors::none; }

  /// Whether the present factors can be put aside: those of MUMPS, unless they are put aside already. Others belong to small
  /// systems or to iterative methods.
  bool has_factors_to_keep() const;
  /// Bytes of this process that the present factors take, with the matrix and the vectors of a Krylov method on them.
  std::size_t factor_bytes() const;
  /// The present factors, where has_factors_to_keep; the next solve makes new ones.
  std::shared_ptr<const KeptFactors> put_factors_aside();
  /// Goes on with factors that this solver has put aside: they precondition the operators to come, also those of other patterns,
  /// as long as factors are kept. They are not changed. Must be called after the first operator.
  void take_up(const KeptFactors& factors);

  /// True when a looser tolerance makes a solve cheaper: Krylov methods and kept factors.
  bool inexact() const { return !direct_ || options_.keep_factors; }
  /// Default relative residual of solves: that of the options, else 1e-12 with exact factors (at most one iteration
  /// more) and 1e-10 with iterative methods.
  double rtol() const { return options_.rtol > 0 ? options_.rtol : direct_ ? 1e-12 : 1e-10; }
  /// How often factors or preconditioner were computed so far.
  int factorisations() const { return factorisations_; }
  /// Iterations of a Krylov method on the present factors that cost as much as their making, by counted operations; 0:
  /// not known (small systems and methods without factors). Collective.
  double factors_in_iterations() const;
  /// Callbacks for all solves from now on; nullptr: none.
  void set_monitor(std::shared_ptr<SolveMonitor> monitor) { monitor_ = std::move(monitor); }
  SolveMonitor* monitor() const { return monitor_.get(); }
  const std::shared_ptr<SolveMonitor>& shared_monitor() const { return monitor_; }
  /// Whether the monitor of any rank asks to stop. Collective.
  bool stop_asked() const;

  /// Whether `auto` has changed permanently from its iterative method to a direct one; the second function makes this
  /// change (after the first operator).
  bool went_direct() const { return went_direct_; }
  void go_on_directly();

  /// Back end in use; empty before the first operator.
  std::string_view method() const { return method_ ? method_->name : std::string_view(); }
  const LinearSolverOptions& options() const { return options_; }

 private:
  enum class Factors { none, stale, fresh };

  SolveReport run(Vec b, Vec x, double rtol, bool transpose);
  void attempt(Vec b, Vec x, double rtol, bool transpose, SolveReport& report);
  const LinearMethod& choose_method() const;
  const LinearMethod& direct_method() const;
  void create_ksp();
  void use_level_matrices();
  /// The entries of the operator are at hand, so that it can be factorised.
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
  const LinearMethod* method_ = nullptr;  // null until the first operator when `auto`
  MatHandle A_;
  bool borrowed_ = false;     // ksp_ belongs to factors that were put aside
  bool symmetric_ = false;
  bool new_values_ = false;
  bool indefinite_ = false;   // negative pivots in the present factors
  double largest_error_ = 0;
  double weakest_ = 1;        // stiffness of the weakest mode seen at the last factorisation, scaled; 1 by iteration
  /// On the present factors, once they are old, forward and transposed: how many errors were measured, and the largest by its residual.
  std::array<std::pair<int, double>, 2> error_by_residual_{};
  Factors factors_ = Factors::none;
  int factorisations_ = 0;
  std::optional<FactorCost> direct_cost_;  // of a direct method, once asked for
  std::string why_direct_;        // in words, where the convergence rate has decided
  bool went_direct_ = false;
  std::shared_ptr<SolveMonitor> monitor_;
  std::map<int, double> fresh_falls_;  // Krylov iterations on fresh factors and what ln ‖r‖ fell by
  double b_norm_ = 0;         // of the solve at work
  NullSpaceHandle modes_;
  MatHandle prolongation_;
  std::shared_ptr<SaddlePoint> saddle_point_;
  std::shared_ptr<TriangularBlocks> triangular_blocks_;
  std::shared_ptr<MultigridLevels> levels_;
  bool node_blocks_ = false;
  std::unique_ptr<SaddlePreconditioner> blocks_;  // outlives ksp_, which applies it
  KspHandle ksp_;
  std::string ksp_type_;      // after PETSc options
  int max_iterations_ = 0;    // after PETSc options
  bool direct_ = false;       // after PETSc options: exact factors
  VecHandle r_;               // residual of the solve at work
};

/// Sets `set_keep_factors` for its lifetime, then restores the previous value.
class FactorsKept {
 public:
  explicit FactorsKept(LinearSolver& solver, bool keep = true)
      : solver_(solver), before_(solver.options().keep_factors) {
    solver_.set_keep_factors(keep);
  }
  ~FactorsKept() { solver_.set_keep_factors(before_); }
  FactorsKept(const FactorsKept&) = delete;
  FactorsKept& operator=(const FactorsKept&) = delete;

 private:
  LinearSolver& solver_;
  bool before_;
};

}  // namespace invar
