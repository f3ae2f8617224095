#include "libadjoint/optimize/tao_optimizer.hpp"

#include <petsctao.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

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

class Run : private SearchRun {
 public:
  Run(const OptimizerOptions& options, ReducedFunctional& functional, const DesignVector& start,
      TaoState& state)
      : SearchRun(options, functional, start, state), state_(state), comm_(functional.comm()),
        vectors_(comm_, start), reported_(has_iterate()) {}

  OptimizerResult solve(TaoOptimizer::Method method) {
    if (!std::isfinite(evaluate(result_.theta))) {
      finish(false, "the start could not be evaluated: " + state_.last_rejection);
      return outcome();
    }
    // A start with a gradient of norm one makes the methods independent of the units of J.
    const double gradient = norm(last_.gradient, comm_);
    if (!has_iterate() && gradient > 0) state_.scale = 1 / gradient;
    const TaoHandle tao = solver(method);
    const VecHandle x = vectors_.vector();
    vectors_.pack(result_.theta, x);
    check(TaoSetSolution(tao, x));
    PetscErrorCode code = 0;
    {
      const SilentErrors silence;
      code = TaoSolve(tao);
    }
    if (exception_) std::rethrow_exception(exception_);
    if (code != PETSC_ERR_ARG_OUTOFRANGE && code != PETSC_ERR_FP) check(code);
    else if (!finished())
      finish(false, "the line search met numbers without a meaning: where the objective falls without end, give the "
                    "variables bounds");
    if (!finished()) conclude(tao);
    return outcome();
  }

 private:
  TaoHandle solver(TaoOptimizer::Method method) {
    TaoHandle tao;
    check(TaoCreate(comm_, tao.out()));
    check(TaoSetType(tao, method == TaoOptimizer::Method::quasi_newton ? TAOBQNLS : TAOBNCG));
    check(TaoSetOptionsPrefix(tao, "invar_"));
    lower_ = vectors_.vector();
    upper_ = vectors_.vector();
    vectors_.pack(bounds_.lower, lower_);
    vectors_.pack(bounds_.upper, upper_);
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

  /// J at θ, infinite where it cannot be evaluated; the point is kept as the last.
  double evaluate(const DesignVector& theta) {
    if (all(last_.theta == theta)) return last_.value;
    ++state_.evaluations;
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
    reject(e.ok ? "the evaluation failed on another rank" : e.reason);
    return last_.value;
  }

  static PetscErrorCode objective(Tao, Vec x, PetscReal* value, Vec g, void* self) {
    return static_cast<Run*>(self)->guarded([&](Run& run) {
      const DesignVector theta = run.vectors_.unpack(x);
      *value = run.evaluate(theta) * run.state_.scale;
      if (std::isfinite(*value))
        run.vectors_.pack(run.last_.gradient, g);
      else
        *value = run.wall(theta, g) * run.state_.scale;
      check(VecScale(g, run.state_.scale));
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
    vectors_.pack(s, gradient);
    return result_.value + drop;
  }

  static PetscErrorCode convergence(Tao tao, void* self) {
    return static_cast<Run*>(self)->guarded([&](Run& run) {
      TaoConvergedReason reason;
      check(TaoGetConvergedReason(tao, &reason));
      Vec x = nullptr;
      check(TaoGetSolution(tao, &x));
      if (reason == TAO_CONTINUE_ITERATING) run.take(run.vectors_.unpack(x));
      if (run.finished())
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

  /// Takes θ as the new iterate, reports it and decides whether it is the last. A restored one comes
  /// first, and is known.
  void take(const DesignVector& theta) {
    const double value = evaluate(theta);
    if (!std::isfinite(value)) return finish(false, "the method left the evaluable points");
    const bool known = std::exchange(reported_, false), first = !has_iterate();
    const double change = std::abs(result_.value - value);
    double length = 0;
    if (!known) {
      length = accept(theta, value);
      const bool same = !first && change <= options_.function_tolerance * std::abs(value);
      state_.unchanged = same ? state_.unchanged + 1 : 0;
    }
    gradient_ = last_.gradient;
    measure(norm(bounds_.projected(theta, last_.gradient), comm_));
    if (!known) report(length);
    if (result_.relative_gradient <= options_.gradient_tolerance)
      finish(true, "the projected gradient is below its tolerance");
    else if (state_.unchanged == 2)
      finish(true, "the objective no longer changes");
    else if (!first && !known && length <= options_.step_tolerance * norm(theta, comm_))
      finish(true, "the step is below its tolerance");
    judge_limits();
  }

  void conclude(Tao tao) {
    TaoConvergedReason reason;
    check(TaoGetConvergedReason(tao, &reason));
    if (rejected_since_accept_ > 0)
      finish(false, "every shorter step is rejected because its evaluation fails: " +
                        state_.last_rejection);
    else if (reason == TAO_DIVERGED_LS_FAILURE)
      finish(false, "the line search finds no lower value: the objective is flat to its accuracy "
                    "here, or the gradient is wrong");
    else
      finish(false, std::string("the method gave up: ") + TaoConvergedReasons[reason]);
  }

  TaoState& state_;
  MPI_Comm comm_;
  Layout vectors_;
  VecHandle lower_, upper_;
  Point last_;
  DesignVector gradient_;  // of the last iterate
  bool reported_;          // the iterate that TAO begins with has been reported by another run
  std::exception_ptr exception_;
};

}  // namespace

OptimizerResult TaoOptimizer::minimize(ReducedFunctional& functional, const DesignVector& start) {
  require_unconstrained(functional,
                        method_ == Method::quasi_newton ? "quasi_newton" : "conjugate_gradient");
  return Run(options_, functional, start, begin()).solve(method_);
}

std::string TaoOptimizer::lost_on_restore() const {
  return method_ == Method::quasi_newton
             ? "the curvature that quasi_newton had learnt, which TAO keeps to itself"
             : "the last direction of conjugate_gradient, which TAO keeps to itself";
}

}  // namespace invar
