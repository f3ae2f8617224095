#include "libadjoint/optimize/tao_optimizer.hpp"

#include <petsctao.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include "libadjoint/optimize/bounds.hpp"
#include "libadjoint/petsc.hpp"

namespace invar {
namespace {

using TaoHandle = PetscHandle<Tao, TaoDestroy>;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Between a DesignVector and a PETSc vector: rank 0 owns the shared entries, in front.
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

/// Silences PETSc's own error report while it lives: an error is passed on as an exception.
class SilentErrors {
 public:
  SilentErrors() { PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr); }
  ~SilentErrors() { PetscPopErrorHandler(); }
  SilentErrors(const SilentErrors&) = delete;
  SilentErrors& operator=(const SilentErrors&) = delete;
};

struct Point {
  DesignVector theta, gradient;
  double value = infinity;  // infinite: the evaluation failed
};

class Run {
 public:
  Run(const OptimizerOptions& options, ReducedFunctional& functional, const DesignVector& start)
      : options_(options), functional_(functional), comm_(functional.comm()), bounds_(functional),
        layout_(comm_, start), start_time_(MPI_Wtime()) {
    bounds_.require_inside(start, functional);
    result_.theta = start;
  }

  OptimizerResult solve(TaoOptimizer::Method method) {
    if (!std::isfinite(evaluate(result_.theta))) {
      result_.reason = "the start could not be evaluated: " + result_.last_rejection;
      return result_;
    }
    // A start with a gradient of norm one makes the methods independent of the units of J.
    const double gradient = norm(last_.gradient, comm_);
    if (gradient > 0) scale_ = 1 / gradient;
    const TaoHandle tao = solver(method);
    const VecHandle x = layout_.vector();
    layout_.pack(result_.theta, x);
    check(TaoSetSolution(tao, x));
    PetscErrorCode code = 0;
    {
      const SilentErrors silence;
      code = TaoSolve(tao);
    }
    if (exception_) std::rethrow_exception(exception_);
    check(code);
    if (result_.reason.empty()) conclude(tao);
    return result_;
  }

 private:
  TaoHandle solver(TaoOptimizer::Method method) {
    TaoHandle tao;
    check(TaoCreate(comm_, tao.out()));
    check(TaoSetType(tao, method == TaoOptimizer::Method::quasi_newton ? TAOBQNLS : TAOBNCG));
    check(TaoSetOptionsPrefix(tao, "invar_"));
    lower_ = layout_.vector();
    upper_ = layout_.vector();
    layout_.pack(bounds_.lower, lower_);
    layout_.pack(bounds_.upper, upper_);
    check(TaoSetVariableBounds(tao, lower_, upper_));
    check(TaoSetObjectiveAndGradient(tao, nullptr, objective, this));
    check(TaoSetConvergenceTest(tao, convergence, this));
    check(TaoSetMaximumIterations(tao, options_.max_iterations + 1));  // `accept` decides
    if (method == TaoOptimizer::Method::quasi_newton) {
      // PETSc's default, a diagonal initial Hessian and 5 vectors, needs 8 times the evaluations
      // of this on a misfit over a field of 200 entries and a factor (400 against 49).
      Mat hessian = nullptr;
      check(TaoGetLMVMMatrix(tao, &hessian));
      check(MatLMVMSymBroydenSetScaleType(hessian, MAT_LMVM_SYMBROYDEN_SCALE_SCALAR));
      check(MatLMVMSetHistorySize(hessian, 20));
    }
    check(TaoSetFromOptions(tao));
    return tao;
  }

  /// Whether it is so on every rank.
  bool all(bool here) const {
    int everywhere = here;
    MPI_Allreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_MIN, comm_);
    return everywhere;
  }

  /// J at θ, infinite where it cannot be evaluated; the point is kept as the last.
  double evaluate(const DesignVector& theta) {
    if (all(last_.theta == theta)) return last_.value;
    ++result_.evaluations;
    last_ = {theta, DesignVector::zeros_like(theta), infinity};
    Evaluation e = functional_.gradient(theta, last_.gradient);
    if (e.ok && !std::isfinite(e.value)) e = Evaluation::failure("the objective is not finite");
    const auto finite = [](double v) { return std::isfinite(v); };
    const DesignVector& g = last_.gradient;
    if (e.ok && !(std::ranges::all_of(g.shared, finite) && std::ranges::all_of(g.local, finite)))
      e = Evaluation::failure("the gradient is not finite");
    if (all(e.ok)) {
      MPI_Bcast(&e.value, 1, MPI_DOUBLE, 0, comm_);
      return last_.value = e.value;
    }
    ++result_.rejected;
    result_.last_rejection = e.ok ? "the evaluation failed on another rank" : e.reason;
    ++rejected_since_accept_;
    return last_.value;
  }

  static PetscErrorCode objective(Tao, Vec x, PetscReal* value, Vec g, void* self) {
    return static_cast<Run*>(self)->guarded([&](Run& run) {
      const DesignVector theta = run.layout_.unpack(x);
      *value = run.evaluate(theta) * run.scale_;
      if (std::isfinite(*value))
        run.layout_.pack(run.last_.gradient, g);
      else
        *value = run.wall(theta, g) * run.scale_;
      check(VecScale(g, run.scale_));
    });
  }

  /// What the line search sees where the evaluation fails, so that it comes back to a quarter of
  /// the step s: value and gradient of the parabola along s through J and slope of the last iterate
  /// with its minimum at s/4. The value is above J, so the point is never accepted.
  double wall(DesignVector s, Vec gradient) const {
    s.axpy(-1.0, result_.theta);
    const double length = norm(s, comm_);
    const double drop = std::max(-dot(gradient_, s, comm_), 1e-3 * norm(gradient_, comm_) * length);
    s.scale(3 * drop / (length * length));
    layout_.pack(s, gradient);
    return result_.value + drop;
  }

  static PetscErrorCode convergence(Tao tao, void* self) {
    return static_cast<Run*>(self)->guarded([&](Run& run) {
      TaoConvergedReason reason;
      check(TaoGetConvergedReason(tao, &reason));
      Vec x = nullptr;
      check(TaoGetSolution(tao, &x));
      if (reason == TAO_CONTINUE_ITERATING) run.accept(run.layout_.unpack(x));
      if (!run.result_.reason.empty())
        check(TaoSetConvergedReason(
            tao, run.result_.converged ? TAO_CONVERGED_USER : TAO_DIVERGED_USER));
    });
  }

  /// No exception may pass through PETSc: it is kept and thrown again after the solve.
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

  /// Takes θ as the new iterate, reports it and decides whether it is the last.
  void accept(const DesignVector& theta) {
    const double value = evaluate(theta);
    if (!std::isfinite(value)) return finish(false, "the method left the evaluable points");
    DesignVector step = theta;
    step.axpy(-1.0, result_.theta);
    const double length = norm(step, comm_);
    const bool first = std::isnan(result_.value);
    const double change = std::abs(result_.value - value);
    unchanged_ = !first && change <= options_.function_tolerance * std::abs(value) ? unchanged_ + 1
                                                                                   : 0;
    if (!first) ++result_.iterations;
    result_.theta = theta;
    result_.value = value;
    gradient_ = last_.gradient;
    rejected_since_accept_ = 0;
    const double gradient = norm(bounds_.projected(theta, last_.gradient), comm_);
    if (first) gradient_start_ = gradient;
    result_.relative_gradient = gradient_start_ > 0 ? gradient / gradient_start_ : 0.0;

    if (options_.on_iteration) {
      result_.stopped = !all(options_.on_iteration(
          {result_.iterations, value, result_.relative_gradient, length, result_.evaluations,
           result_.rejected, MPI_Wtime() - start_time_},
          theta));
    }
    if (result_.relative_gradient <= options_.gradient_tolerance)
      finish(true, "the projected gradient is below its tolerance");
    else if (unchanged_ == 2)
      finish(true, "the objective no longer changes");
    else if (!first && length <= options_.step_tolerance * norm(theta, comm_))
      finish(true, "the step is below its tolerance");
    else if (result_.stopped)
      finish(false, "stopped on request");
    else if (result_.iterations >= options_.max_iterations)
      finish(false, "the limit of " + std::to_string(options_.max_iterations) +
                        " iterations is reached");
  }

  void conclude(Tao tao) {
    TaoConvergedReason reason;
    check(TaoGetConvergedReason(tao, &reason));
    if (rejected_since_accept_ > 0)
      finish(false, "every shorter step is rejected because its evaluation fails: " +
                        result_.last_rejection);
    else if (reason == TAO_DIVERGED_LS_FAILURE)
      finish(false, "the line search finds no lower value: the objective is flat to its accuracy "
                    "here, or the gradient is wrong");
    else
      finish(false, std::string("the method gave up: ") + TaoConvergedReasons[reason]);
  }

  void finish(bool converged, std::string reason) {
    result_.converged = converged;
    result_.reason = std::move(reason);
  }

  const OptimizerOptions& options_;
  ReducedFunctional& functional_;
  MPI_Comm comm_;
  Bounds bounds_;
  Layout layout_;
  double start_time_;
  VecHandle lower_, upper_;
  Point last_;
  DesignVector gradient_;  // of the last iterate
  OptimizerResult result_;
  double scale_ = 1;  // of what TAO sees
  double gradient_start_ = 0;
  int unchanged_ = 0, rejected_since_accept_ = 0;
  std::exception_ptr exception_;
};

}  // namespace

OptimizerResult TaoOptimizer::minimize(ReducedFunctional& functional, const DesignVector& start) {
  require_unconstrained(functional,
                        method_ == Method::quasi_newton ? "quasi_newton" : "conjugate_gradient");
  return Run(options_, functional, start).solve(method_);
}

}  // namespace invar
