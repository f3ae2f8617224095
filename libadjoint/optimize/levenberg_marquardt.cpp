#include "libadjoint/optimize/levenberg_marquardt.hpp"

#include <ceres/ceres.h>
#include <glog/logging.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <stdexcept>

#include "libadjoint/optimize/held_up.hpp"
#include "libadjoint/optimize/residual_points.hpp"

namespace invar {
namespace {

constexpr double same_value = 1e-9;  // relative change of J that counts as none
constexpr int most_idle = 3;         // consecutive idle steps

/// Silences Ceres' log while it lives: a rejected point needs no warning.
class SilentLog {
 public:
  SilentLog() : before_(FLAGS_minloglevel) { FLAGS_minloglevel = google::GLOG_FATAL; }
  ~SilentLog() { FLAGS_minloglevel = before_; }
  SilentLog(const SilentLog&) = delete;
  SilentLog& operator=(const SilentLog&) = delete;

 private:
  int before_;
};

/// Limits each entry of a step: a box-shaped trust region in addition to Ceres' ellipsoid. Steps within the limits are not changed.
class LimitedSteps final : public ceres::Manifold {
 public:
  explicit LimitedSteps(std::vector<double> largest) : largest_(std::move(largest)) {}
  int AmbientSize() const override { return static_cast<int>(largest_.size()); }
  int TangentSize() const override { return AmbientSize(); }
  bool Plus(const double* x, const double* delta, double* moved) const override {
    for (std::size_t i = 0; i < largest_.size(); ++i) moved[i] = x[i] + std::clamp(delta[i], -largest_[i], largest_[i]);
    return true;
  }
  bool Minus(const double* y, const double* x, double* delta) const override {
    for (std::size_t i = 0; i < largest_.size(); ++i) delta[i] = y[i] - x[i];
    return true;
  }
  bool PlusJacobian(const double*, double* jacobian) const override { return identity(jacobian); }
  bool MinusJacobian(const double*, double* jacobian) const override { return identity(jacobian); }

 private:
  bool identity(double* matrix) const {  // row-major
    const std::size_t n = largest_.size();
    for (std::size_t i = 0; i < n * n; ++i) matrix[i] = i % (n + 1) == 0 ? 1 : 0;
    return true;
  }

  std::vector<double> largest_;
};

/// One run: cost function, callback and stopping tests share the state.
class LevenbergMarquardtRun final : public ceres::IterationCallback, private SearchRun {
 public:
  LevenbergMarquardtRun(const OptimizerOptions& options, LeastSquaresFunctional& functional,
                        const DesignVector& start, LevenbergMarquardtState& state)
      : SearchRun(options, functional, start, state), state_(state), points_(functional),
        residual_count_(functional.residual_count()), largest_steps_(functional.largest_steps()) {
    for (std::size_t i = 0; i < start.shared.size(); ++i)
      if (bounds_.lower.shared[i] < bounds_.upper.shared[i]) free_.push_back(i);
  }

  OptimizerResult solve() {
    if (has_iterate()) {
      idle_ = state_.idle;
      if (state_.rho.size() != residual_count_)
        throw std::invalid_argument("the saved state belongs to another problem");
      check_stopping(points_.keep({result_.theta.shared, true, true, {}, state_.rho, state_.drho}));
    } else if (at(result_.theta.shared, true).ok) {
      take(result_.theta.shared);
    } else {
      finish(false, "the start could not be evaluated: " + state_.last_rejection);
    }
    const SilentLog silence;
    while (!finished()) step();
    return outcome();
  }

  ceres::CallbackReturnType operator()(const ceres::IterationSummary& summary) override {
    if (exception_) return ceres::SOLVER_ABORT;
    if (summary.iteration == 0) return ceres::SOLVER_CONTINUE;
    if (changes_nothing(summary)) {
      stay("the objective no longer changes");
      return ceres::SOLVER_ABORT;
    }
    if (!summary.step_is_successful) {
      idle_ = is_idle(summary.cost_change) ? idle_ + 1 : 0;
      if (idle_ < most_idle) return ceres::SOLVER_CONTINUE;
      finish_idle();
      return ceres::SOLVER_ABORT;
    }
    try {
      take(full(x_.data()), summary.trust_region_radius);
    } catch (...) {
      exception_ = std::current_exception();
    }
    moved_ = true;
    return ceres::SOLVER_ABORT;
  }

 private:
  class Cost final : public ceres::CostFunction {
   public:
    explicit Cost(LevenbergMarquardtRun& run) : run_(run) {
      set_num_residuals(run.residual_count_);
      mutable_parameter_block_sizes()->push_back(static_cast<int>(run.free_.size()));
    }
    bool Evaluate(double const* const* parameters, double* residuals,
                  double** jacobians) const override {
      return run_.evaluate(parameters[0], residuals, jacobians ? jacobians[0] : nullptr);
    }

   private:
    LevenbergMarquardtRun& run_;
  };

  bool evaluate(const double* x, double* rho, double* drho) {
    if (exception_) return false;
    try {
      const ResidualPoint& p = at(full(x), drho != nullptr);
      if (!p.ok) return false;
      const auto m = p.rho.size(), n = static_cast<Eigen::Index>(free_.size());
      Eigen::Map<Eigen::VectorXd>(rho, m) = p.rho;
      for (Eigen::Index r = 0; drho && r < m; ++r)  // Ceres wants row-major
        for (Eigen::Index k = 0; k < n; ++k)
          drho[r * n + k] = p.drho(r, static_cast<Eigen::Index>(free_[k]));
      return true;
    } catch (...) {
      exception_ = std::current_exception();
      return false;
    }
  }

  const ResidualPoint& at(const std::vector<double>& theta, bool with_jacobian) {
    if (const ResidualPoint* known = points_.find(theta, with_jacobian)) return *known;
    if (!points_.find(theta, false)) ++state_.evaluations;
    const ResidualPoint& p = points_.evaluate(theta, with_jacobian);
    if (!p.ok) reject(p.failure);
    return p;
  }

  /// Runs Ceres on the free variables until it moves or ends. The trust-region radius is its only state beyond one step.
  void step() {
    moved_ = false;
    idle_ = state_.idle;
    x_ = restricted(result_.theta.shared);
    ceres::Problem problem;
    problem.AddResidualBlock(new Cost(*this), nullptr, x_.data());
    if (!largest_steps_.empty()) problem.SetManifold(x_.data(), new LimitedSteps(restricted(largest_steps_)));
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const double lower = bounds_.lower.shared[free_[k]], upper = bounds_.upper.shared[free_[k]];
      const int i = static_cast<int>(k);
      if (std::isfinite(lower)) problem.SetParameterLowerBound(x_.data(), i, lower);
      if (std::isfinite(upper)) problem.SetParameterUpperBound(x_.data(), i, upper);
    }
    ceres::Solver::Summary summary;
    ceres::Solve(solver_options(), &problem, &summary);
    if (exception_) std::rethrow_exception(exception_);
    if (!finished() && !moved_) conclude(summary);
  }

  std::vector<double> restricted(const std::vector<double>& theta) const {
    std::vector<double> x;
    for (const std::size_t i : free_) x.push_back(theta[i]);
    return x;
  }

  std::vector<double> full(const double* x) const {
    std::vector<double> theta = result_.theta.shared;
    for (std::size_t k = 0; k < free_.size(); ++k) theta[free_[k]] = x[k];
    return theta;
  }

  /// Takes θ as the new iterate, reports it and decides whether it is the last.
  void take(const std::vector<double>& theta, std::optional<double> radius = {}) {
    // A resumed run knows no other point either.
    const ResidualPoint& p = points_.keep_alone(ResidualPoint(at(theta, true)));
    const bool first = !has_iterate();
    const bool idle = !first && is_idle(result_.value - p.value());
    if (radius) state_.radius = *radius;
    state_.held_back = state_.radius < 1 && (rejected_since_accept_ > 0 || state_.held_back);
    idle_ = state_.idle = idle ? idle_ + 1 : 0;
    state_.idle_move.resize(idle_ > 0 ? static_cast<Eigen::Index>(theta.size()) : 0);
    for (Eigen::Index i = 0; i < state_.idle_move.size(); ++i) state_.idle_move[i] = theta[i] - result_.theta.shared[i];
    const double step = accept({theta, {}}, p.value());
    if (first) state_.value_start = p.value();
    state_.rho = p.rho;
    state_.drho = p.drho;
    check_stopping(p, step);
  }

  /// Stopping tests; reports the iterate first, if `step` is given.
  void check_stopping(const ResidualPoint& p, std::optional<double> step = {}) {
    const Eigen::VectorXd g = p.drho.transpose() * p.rho;
    update_free(g);
    double squared_gradient = 0, cosine = 0;
    for (const std::size_t i : free_) {
      const auto k = static_cast<Eigen::Index>(i);
      squared_gradient += g[k] * g[k];
      const double length = p.drho.col(k).norm() * p.rho.norm();
      if (length > 0) cosine = std::max(cosine, std::abs(g[k]) / length);
    }
    measure(std::sqrt(squared_gradient));
    if (step) report(*step);
    if (free_.empty())
      finish(true, "all variables are at their bounds");
    else if (cosine <= options_.gradient_tolerance)
      finish(true, "the projected gradient is below its tolerance");
    else if (result_.value <= state_.value_start * std::pow(options_.gradient_tolerance, 2))
      finish(true, "the residual has vanished");
    else if (idle_ >= most_idle)
      finish_idle();
    check_limits();
  }

  /// Whether a step changes J by less than the tolerance. For a rejected step the linear model must predict no larger change either: Ceres
  /// tests only the value, and would stop after an overshoot to a point with equal J.
  bool changes_nothing(const ceres::IterationSummary& summary) const {
    const double least = options_.function_tolerance * result_.value;
    if (!summary.step_is_valid || std::abs(summary.cost_change) > least) return false;
    if (summary.step_is_successful) return true;
    return summary.relative_decrease != 0 && std::abs(summary.cost_change / summary.relative_decrease) <= least;
  }

  /// Steps shortened because evaluations failed say nothing about J.
  bool is_idle(double decrease) const {
    return std::abs(decrease) <= same_value * result_.value && rejected_since_accept_ == 0 && state_.radius >= 1;
  }

  void finish_idle() {
    std::string names;
    int moving = 0;
    for (Eigen::Index i = 0; i < state_.idle_move.size(); ++i)
      if (std::abs(state_.idle_move[i]) > 1e-3 * std::max(1.0, std::abs(result_.theta.shared[i])))
        names += (moving++ ? ", '" : "'") + functional_.names()[i] + "'";
    if (moving > 0) names = ", although " + names + (moving == 1 ? " does: the data hardly depend on it here" : " do: the data hardly depend on them here");
    finish(true, "the objective no longer changes in its first nine digits" + names);
  }

  /// Updates the list of variables that are not held at a bound; g is the gradient at this point.
  void update_free(const Eigen::VectorXd& g) {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < result_.theta.shared.size(); ++i) {
      const double theta = result_.theta.shared[i], slope = g[static_cast<Eigen::Index>(i)];
      const double lower = bounds_.lower.shared[i], upper = bounds_.upper.shared[i];
      const bool held = (theta <= lower && slope >= 0) || (theta >= upper && slope <= 0);
      if (lower < upper && !held) free.push_back(i);
    }
    free_ = std::move(free);
  }

  ceres::Solver::Options solver_options() {
    ceres::Solver::Options o;
    o.linear_solver_type = ceres::DENSE_QR;
    o.num_threads = 1;
    o.logging_type = ceres::SILENT;
    o.max_num_iterations = 20 * options_.max_iterations + 100;  // rejected steps count there
    o.gradient_tolerance = 0;                                   // `accept` decides
    o.function_tolerance = 0;                                   // `changes_nothing` decides
    o.parameter_tolerance = options_.step_tolerance;
    o.update_state_every_iteration = true;
    o.initial_trust_region_radius = state_.radius;
    o.callbacks.push_back(this);
    return o;
  }

  /// Ends the run with this reason, unless failed evaluations keep the steps short.
  void stay(const char* reason) {
    if (rejected_since_accept_ > 0 || state_.held_back)
      finish(false, held_up(state_.last_rejection));
    else
      finish(true, reason);
  }

  void conclude(const ceres::Solver::Summary& summary) {
    if (rejected_since_accept_ == 0 && summary.termination_type != ceres::CONVERGENCE)
      finish(false, "Levenberg-Marquardt gave up: " + summary.message);
    else
      stay(summary.message.starts_with("Function tolerance") ? "the objective no longer changes" : "the step is below its tolerance");
  }

  LevenbergMarquardtState& state_;
  ResidualPoints points_;
  int residual_count_;
  std::vector<double> largest_steps_;  // [n_shared] or empty
  std::vector<std::size_t> free_;  // variables that no bound holds
  std::vector<double> x_;          // [free_], Ceres' state
  bool moved_ = false;             // by the present call of Ceres
  int idle_ = 0;                   // the state's, and the rejected steps since
  std::exception_ptr exception_;
};

}  // namespace

OptimizerResult LevenbergMarquardt::minimize(ReducedFunctional& functional,
                                             const DesignVector& start) {
  require_unconstrained(functional, "levenberg_marquardt");
  auto* squares = dynamic_cast<LeastSquaresFunctional*>(&functional);
  if (!squares)
    throw std::invalid_argument("levenberg_marquardt needs an objective that is a sum of squares; "
                                "use 'quasi_newton'");
  auto local = static_cast<long long>(start.local.size());
  MPI_Allreduce(MPI_IN_PLACE, &local, 1, MPI_LONG_LONG, MPI_SUM, functional.comm());
  if (local > 0)
    throw std::invalid_argument("levenberg_marquardt cannot take design fields, only single "
                                "variables; use 'quasi_newton'");
  return LevenbergMarquardtRun(options_, *squares, start, begin()).solve();
}

}  // namespace invar
