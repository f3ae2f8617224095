#include "libadjoint/optimize/tao_optimizer.hpp"

#include <petsctao.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <stdexcept>
#include <utility>

#include "libadjoint/optimize/held_up.hpp"
#include "libadjoint/petsc.hpp"

namespace invar {
namespace {

using TaoHandle = PetscHandle<Tao, TaoDestroy>;

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr double retracing_tolerance = 1e-8;  // on ‖Δθ‖ / ‖θ‖: processors may round differently

/// Conversion between a DesignVector and a PETSc vector: rank 0 owns the shared entries, in front.
class Layout {
 public:
  Layout(MPI_Comm comm, const DesignVector& like) : comm_(comm), like_(like) {
    MPI_Comm_rank(comm, &rank_);
  }
  VecHandle vector() const {
    VecHandle x;
    const std::size_t n = (rank_ == 0 ? like_.shared.size() : 0) + like_.local.size();
    check(VecCreateMPI(comm_, static_cast<PetscInt>(n), PETSC_DETERMINE, x.out()));
    return x;
  }
  /// Infinite entries become PETSc's infinity.
  void pack(const DesignVector& from, Vec to) const {
    double* x = nullptr;
    check(VecGetArrayWrite(to, &x));
    const auto finite = [](double v) { return std::clamp(v, PETSC_NINFINITY, PETSC_INFINITY); };
    double* end = x;
    if (rank_ == 0) end = std::transform(from.shared.begin(), from.shared.end(), x, finite);
    std::transform(from.local.begin(), from.local.end(), end, finite);
    check(VecRestoreArrayWrite(to, &x));
  }
  DesignVector unpack(Vec from) const {
    DesignVector to = like_;
    const double* x = nullptr;
    check(VecGetArrayRead(from, &x));
    const double* local = x;
    if (rank_ == 0) {
      local += to.shared.size();
      std::copy(x, local, to.shared.begin());
    }
    std::copy_n(local, to.local.size(), to.local.begin());
    check(VecRestoreArrayRead(from, &x));
    MPI_Bcast(to.shared.data(), static_cast<int>(to.shared.size()), MPI_DOUBLE, 0, comm_);
    return to;
  }

 private:
  MPI_Comm comm_;
  DesignVector like_;
  int rank_ = 0;
};

/// Silences PETSc's error report while it lives: errors are passed on as exceptions.
class SilentErrors {
 public:
  SilentErrors() { PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr); }
  ~SilentErrors() { PetscPopErrorHandler(); }
  SilentErrors(const SilentErrors&) = delete;
  SilentErrors& operator=(const SilentErrors&) = delete;
};

struct Point {
  DesignVector theta, gradient;
  double value = unbounded;  // infinite: the evaluation failed
};

/// Appends a column.
void append_column(Eigen::MatrixXd& to, const Eigen::VectorXd& column) {
  to.conservativeResize(column.size(), to.cols() + 1);
  to.rightCols(1) = column;
}

class TaoRun : private SearchRun {
 public:
  using Method = TaoOptimizer::Method;

  TaoRun(Method method, const OptimizerOptions& options, ReducedFunctional& functional,
         const DesignVector& start, TaoState& state)
      : SearchRun(options, functional, start, state), method_(method), state_(state),
        comm_(functional.comm()), vectors_(comm_, start) {}

  OptimizerResult solve() {
    if (!has_iterate()) begin();
    while (!finished()) call();
    return outcome();
  }

 private:
  int memory() const { return method_ == Method::quasi_newton ? TaoOptimizer::quasi_newton_memory : 0; }
  int span() const { return method_ == Method::quasi_newton ? TaoOptimizer::quasi_newton_span : TaoOptimizer::conjugate_gradient_span; }

  void begin() {
    if (!std::isfinite(evaluate(result_.theta)))
      return finish(false, "the start could not be evaluated: " + state_.last_rejection);
    // Scaling to a start gradient of norm one makes the methods independent of the units of J.
    const double gradient = norm(last_.gradient, comm_);
    if (gradient > 0) state_.scale = 1 / gradient;
    take(result_.theta);
  }

  /// One call of TAO for some iterations, from the state alone; known iterations are repeated from the saved values.
  void call() {
    points_ = state_.points;
    gradients_ = state_.gradients;
    begin_ = reached_ = next_ = state_.begin;
    retraced_ = 0;
    cut_short_ = false;
    result_.theta = layout_.design(points_.rightCols(1));
    result_.value = state_.begin_value;
    gradient_ = layout_.design(gradients_.rightCols(1));
    last_ = {result_.theta, gradient_, result_.value};
    const VecHandle x = vectors_.vector();
    vectors_.pack(result_.theta, x);
    const TaoHandle tao = solver(x);
    PetscErrorCode code = 0;
    {
      const SilentErrors silence;
      code = TaoSolve(tao);
    }
    if (exception_) std::rethrow_exception(exception_);
    if (cut_short_) return take(last_.theta);
    if (reached_ < state_.iteration) refuse_state();
    if (code != PETSC_ERR_ARG_OUTOFRANGE && code != PETSC_ERR_FP) check(code);
    else if (!finished())
      finish(false, "values in the line search are not finite: if the objective decreases without limit, bound the variables");
    if (!finished() && state_.begin == begin_) conclude(tao);
  }

  TaoHandle solver(Vec x) {
    TaoHandle tao;
    check(TaoCreate(comm_, tao.out()));
    check(TaoSetType(tao, method_ == Method::quasi_newton ? TAOBQNLS : TAOBNCG));
    check(TaoSetOptionsPrefix(tao, "invar_"));
    check(TaoSetSolution(tao, x));
    lower_ = vectors_.vector();
    upper_ = vectors_.vector();
    vectors_.pack(bounds_.lower, lower_);
    vectors_.pack(bounds_.upper, upper_);
    check(TaoSetVariableBounds(tao, lower_, upper_));
    check(TaoSetObjectiveAndGradient(tao, nullptr, objective, this));
    check(TaoSetConvergenceTest(tao, convergence, this));
    check(TaoSetMaximumIterations(tao, options_.max_iterations + 1));  // `accept` decides
    if (method_ == Method::quasi_newton) {
      // PETSc's default (diagonal initial Hessian, 5 vectors) needs 8 times the evaluations of this setting for a
      // misfit over a field of 200 entries and a factor (400 against 49).
      Mat hessian = nullptr;
      check(TaoGetLMVMMatrix(tao, &hessian));
      check(MatLMVMSymBroydenSetScaleType(hessian, MAT_LMVM_SYMBROYDEN_SCALE_SCALAR));
      check(MatLMVMSetHistorySize(hessian, memory()));
    }
    check(TaoSetFromOptions(tao));
    PetscBool limited_memory = PETSC_FALSE;  // an option may have changed the method
    check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(tao.get()), TAOBQNLS, &limited_memory));
    if (limited_memory) set_curvature(tao);
    return tao;
  }

  /// Gives TAO the curvature along the steps before its start.
  void set_curvature(Tao tao) {
    check(TaoSetRecycleHistory(tao, PETSC_TRUE));  // otherwise TaoSolve discards it
    check(TaoSetUp(tao));
    Mat hessian = nullptr;
    check(TaoGetLMVMMatrix(tao, &hessian));
    // TAO's own initial scaling, used until a step shows positive curvature.
    const double slope = state_.scale * norm(bounds_.projected(result_.theta, gradient_), comm_);
    const double value = state_.scale * std::abs(result_.value);
    check(MatLMVMSymBroydenSetDelta(hessian, 2 * (value > 0 ? value : 1) / (slope * slope)));
    const VecHandle x = vectors_.vector(), g = vectors_.vector();
    for (Eigen::Index j = 0; j + 1 < points_.cols(); ++j) {  // TAO adds the last one itself
      vectors_.pack(layout_.design(points_.col(j)), x);
      vectors_.pack(layout_.design(gradients_.col(j)), g);
      check(VecScale(g, state_.scale));
      check(MatLMVMUpdate(hessian, x, g));
    }
  }

  /// J at θ, infinite if it cannot be evaluated; the point is stored as the last one.
  double evaluate(const DesignVector& theta) {
    if (all(last_.theta == theta)) return last_.value;
    if (retraced_ < state_.values.size()) {
      last_ = {theta, layout_.design(state_.tried.col(retraced_)), state_.values[retraced_]};
      ++retraced_;
      rejected_since_accept_ += !std::isfinite(last_.value);
      return last_.value;
    }
    if (reached_ < state_.iteration) refuse_state();
    evaluate_anew(theta);
    if (has_iterate()) {
      append_column(state_.tried, layout_.flat(last_.gradient));
      retraced_ = state_.tried.cols();
      state_.values.conservativeResize(retraced_);
      state_.values[retraced_ - 1] = last_.value;
    }
    return last_.value;
  }

  void evaluate_anew(const DesignVector& theta) {
    ++state_.evaluations;
    last_ = {theta, DesignVector::zeros_like(theta), unbounded};
    Evaluation e = functional_.gradient(theta, last_.gradient);
    if (e.ok && !std::isfinite(e.value)) e = Evaluation::failure("the objective is not finite");
    const auto finite = [](double v) { return std::isfinite(v); };
    const DesignVector& g = last_.gradient;
    if (e.ok && !(std::ranges::all_of(g.shared, finite) && std::ranges::all_of(g.local, finite)))
      e = Evaluation::failure("the gradient is not finite");
    if (all(e.ok)) {
      MPI_Bcast(&e.value, 1, MPI_DOUBLE, 0, comm_);
      last_.value = e.value;
    } else {
      reject(e.ok ? "the evaluation failed on another rank" : e.reason);
    }
  }

  static PetscErrorCode objective(Tao, Vec x, PetscReal* value, Vec g, void* self) {
    TaoRun& here = *static_cast<TaoRun*>(self);
    const PetscErrorCode code = here.guarded([&](TaoRun& run) {
      const DesignVector theta = run.vectors_.unpack(x);
      *value = run.evaluate(theta) * run.state_.scale;
      if (std::isfinite(*value)) {
        run.vectors_.pack(run.last_.gradient, g);
        run.cut_short_ = run.rejected_since_accept_ > 0 && run.lowers(theta);
      } else {
        *value = run.wall(theta, g) * run.state_.scale;
      }
      check(VecScale(g, run.state_.scale));
    });
    return here.cut_short_ ? PETSC_ERR_USER : code;
  }

  /// Whether J at θ, the last point, is low enough for its distance from the iterate. After a rejected trial such a point ends the line
  /// search: the slope there need not be small against that at the iterate, as TAO's line search wants it. Between the iterate and where
  /// evaluations fail there may be no such point, and TAO would discard all.
  bool lowers(DesignVector theta) const {
    constexpr double sufficient = 1e-4;  // share of the decrease that the slope predicts (Armijo), as in TAO's line search
    theta.axpy(-1.0, result_.theta);
    return last_.value < result_.value && last_.value <= result_.value + sufficient * dot(gradient_, theta, comm_);
  }

  /// Value and gradient for the line search after a failed evaluation, chosen such that it returns to a quarter of the
  /// step s: the parabola along s through J and slope of the last iterate with its minimum at s/4. Its value is above
  /// J, so the point is never accepted.
  double wall(DesignVector s, Vec gradient) const {
    s.axpy(-1.0, result_.theta);
    const double length = norm(s, comm_);
    const double drop = std::max(-dot(gradient_, s, comm_), 1e-3 * norm(gradient_, comm_) * length);
    s.scale(3 * drop / (length * length));
    vectors_.pack(s, gradient);
    return result_.value + drop;
  }

  static PetscErrorCode convergence(Tao tao, void* self) {
    return static_cast<TaoRun*>(self)->guarded([&](TaoRun& run) {
      TaoConvergedReason reason;
      check(TaoGetConvergedReason(tao, &reason));
      Vec x = nullptr;
      check(TaoGetSolution(tao, &x));
      if (reason == TAO_CONTINUE_ITERATING) run.reach(run.next_++, run.vectors_.unpack(x));
      if (run.finished() || run.state_.begin != run.begin_)
        check(TaoSetConvergedReason(tao, run.result_.converged ? TAO_CONVERGED_USER : TAO_DIVERGED_USER));
    });
  }

  /// No exception may pass through PETSc: it is stored and rethrown after the solve.
  template <class Call>
  PetscErrorCode guarded(const Call& call) {
    try {
      call(*this);
      return 0;
    } catch (...) {
      exception_ = std::current_exception();
      return PETSC_ERR_USER;
    }
  }

  /// TAO has reached θ, which may be a known iterate.
  void reach(int iteration, const DesignVector& theta) {
    if (iteration > state_.iteration) return take(theta);
    reached_ = iteration;
    if (iteration > begin_) {
      result_.value = evaluate(theta);
      result_.theta = theta;
      rejected_since_accept_ = 0;
      keep_point();
    }
    if (iteration < state_.iteration) return;
    const Eigen::VectorXd gap = layout_.flat(theta) - state_.theta;
    if (!(layout_.norm(gap) <= retracing_tolerance * layout_.norm(state_.theta))) refuse_state();
    measure(projected_gradient());
    check_stopping();
  }

  /// Takes θ as the new iterate, reports it and decides whether it is the last.
  void take(const DesignVector& theta) {
    const double value = evaluate(theta);
    if (!std::isfinite(value)) return finish(false, "the method left the region in which the objective can be evaluated");
    const bool first = !has_iterate();
    const double change = std::abs(result_.value - value);
    const bool same = !first && change <= options_.function_tolerance * std::abs(value);
    state_.held_back = rejected_since_accept_ > 0;
    state_.unchanged = same && !state_.held_back ? state_.unchanged + 1 : 0;
    state_.step = accept(theta, value);
    reached_ = state_.iteration;
    keep_point();
    if (first || cut_short_ || state_.iteration == state_.begin + span()) begin_here();
    measure(projected_gradient());
    report(state_.step);
    check_stopping();
  }

  /// Stores the iterate, which is the last evaluated point.
  void keep_point() {
    gradient_ = last_.gradient;
    append_column(points_, layout_.flat(result_.theta));
    append_column(gradients_, layout_.flat(gradient_));
  }

  /// Makes the next call of TAO begin at the iterate.
  void begin_here() {
    const Eigen::Index kept = std::min<Eigen::Index>(points_.cols(), memory() + 1);
    state_.begin = state_.iteration;
    state_.begin_value = state_.value;
    state_.points = points_.rightCols(kept);
    state_.gradients = gradients_.rightCols(kept);
    state_.values.resize(0);
    state_.tried.resize(layout_.n(), 0);
  }

  double projected_gradient() const { return norm(bounds_.projected(result_.theta, gradient_), comm_); }

  void check_stopping() {
    const bool short_step = state_.iteration > 0 && state_.step <= options_.step_tolerance * norm(result_.theta, comm_);
    if (result_.relative_gradient <= options_.gradient_tolerance)
      finish(true, "the projected gradient is below its tolerance");
    else if (state_.unchanged == 2)
      finish(true, "the objective no longer changes");
    else if (short_step && state_.held_back)
      finish(false, held_up(state_.last_rejection));
    else if (short_step)
      finish(true, "the step is below its tolerance");
    check_limits();
  }

  [[noreturn]] static void refuse_state() {
    throw std::invalid_argument("the steps to the saved iterate cannot be retraced; was it saved with another version "
                                "of PETSc or with other options for it?");
  }

  void conclude(Tao tao) {
    TaoConvergedReason reason;
    check(TaoGetConvergedReason(tao, &reason));
    if (rejected_since_accept_ > 0)
      finish(false, held_up(state_.last_rejection));
    else if (reason == TAO_DIVERGED_LS_FAILURE)
      finish(false, "the line search finds no lower value: the objective is flat to its accuracy "
                    "here, or the gradient is wrong");
    else
      finish(false, std::string("the method gave up: ") + TaoConvergedReasons[reason]);
  }

  Method method_;
  TaoState& state_;
  MPI_Comm comm_;
  Layout vectors_;
  VecHandle lower_, upper_;
  Point last_;
  DesignVector gradient_;                // of the last iterate
  Eigen::MatrixXd points_, gradients_;   // those of the state, and later iterates
  int begin_ = 0;                        // iteration at which the call began
  int next_ = 0;                         // next iteration that TAO will report
  int reached_ = 0;                      // last iteration that TAO has reached
  bool cut_short_ = false;               // the call ends at the last point, which is the next iterate
  Eigen::Index retraced_ = 0;            // number of the state's points that TAO has tried again
  std::exception_ptr exception_;
};

}  // namespace

OptimizerResult TaoOptimizer::minimize(ReducedFunctional& functional, const DesignVector& start) {
  require_unconstrained(functional,
                        method_ == Method::quasi_newton ? "quasi_newton" : "conjugate_gradient");
  return TaoRun(method_, options_, functional, start, begin()).solve();
}

}  // namespace invar
