#include "libadjoint/optimize/levenberg_marquardt.hpp"

#include <ceres/ceres.h>
#include <glog/logging.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <exception>
#include <stdexcept>

#include "libadjoint/optimize/bounds.hpp"

namespace invar {
namespace {

/// Keeps Ceres' log off the terminal while it lives: a rejected point is nothing to warn of.
class SilentLog {
 public:
  SilentLog() : before_(FLAGS_minloglevel) { FLAGS_minloglevel = google::GLOG_FATAL; }
  ~SilentLog() { FLAGS_minloglevel = before_; }
  SilentLog(const SilentLog&) = delete;
  SilentLog& operator=(const SilentLog&) = delete;

 private:
  int before_;
};

struct Point {
  std::vector<double> theta;  // [n_shared]
  bool ok = false, has_jacobian = false;
  Eigen::VectorXd rho;        // [m]
  Eigen::MatrixXd drho;       // [m × n_shared]
  double value() const { return 0.5 * rho.squaredNorm(); }
};

/// ρ and dρ/dθ with rank 0's numbers everywhere, once per point.
class Residuals {
 public:
  explicit Residuals(LeastSquaresFunctional& functional) : functional_(functional) {}

  const Point& at(const std::vector<double>& theta, bool with_jacobian) {
    for (const Point& p : points_)
      if (p.theta == theta && (!p.ok || p.has_jacobian || !with_jacobian)) return p;
    const bool again = std::erase_if(points_, [&](const Point& p) { return p.theta == theta; });
    if (!again) ++evaluations;
    Point p{theta, false, with_jacobian, {}, {}};
    const Evaluation e = with_jacobian ? functional_.jacobian({theta, {}}, p.rho, p.drho)
                                       : functional_.residuals({theta, {}}, p.rho);
    p.ok = agreed(e, p);
    if (!p.ok) {
      ++rejected;
      ++rejected_since_accept;
    } else if (std::isfinite(e.value) &&
               std::abs(e.value - p.value()) > 1e-8 * (std::abs(e.value) + p.value())) {
      throw std::invalid_argument(
          "the objective has terms that are not sums of squares, which levenberg_marquardt cannot "
          "minimise; use 'quasi_newton'");
    }
    if (points_.size() == 4) points_.pop_back();
    points_.push_front(std::move(p));
    return points_.front();
  }

  int evaluations = 0, rejected = 0, rejected_since_accept = 0;
  std::string last_rejection;

 private:
  bool agreed(const Evaluation& e, Point& p) {
    int ok = e.ok;
    if (e.ok && (p.rho.size() != functional_.residual_count() ||
                 (p.has_jacobian && (p.drho.rows() != p.rho.size() ||
                                     p.drho.cols() != static_cast<int>(p.theta.size())))))
      throw std::logic_error("residuals or Jacobian of the wrong size");
    MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, functional_.comm());
    if (!ok) {
      last_rejection = e.ok ? "the evaluation failed on another rank" : e.reason;
      return false;
    }
    MPI_Bcast(p.rho.data(), static_cast<int>(p.rho.size()), MPI_DOUBLE, 0, functional_.comm());
    if (p.has_jacobian)
      MPI_Bcast(p.drho.data(), static_cast<int>(p.drho.size()), MPI_DOUBLE, 0, functional_.comm());
    if (p.rho.allFinite() && (!p.has_jacobian || p.drho.allFinite())) return true;
    last_rejection = "a residual or its derivative is not a finite number";
    return false;
  }

  LeastSquaresFunctional& functional_;
  std::deque<Point> points_;  // the last ones, newest first
};

/// One run: the cost function, the callback and the verdict share the state.
class Run final : public ceres::IterationCallback {
 public:
  Run(const OptimizerOptions& options, LeastSquaresFunctional& functional,
      const DesignVector& start)
      : options_(options), functional_(functional), residuals_(functional), bounds_(functional) {
    bounds_.require_inside(start, functional);
    result_.theta = start;
    for (std::size_t i = 0; i < start.shared.size(); ++i)
      if (bounds_.lower.shared[i] < bounds_.upper.shared[i]) free_.push_back(i);
  }

  OptimizerResult solve() {
    x_ = restricted(result_.theta.shared);
    if (!residuals_.at(result_.theta.shared, true).ok)
      finish(false, "the start could not be evaluated: " + residuals_.last_rejection);
    else
      accept();
    const SilentLog silence;
    while (result_.reason.empty()) minimize_in_free();
    result_.evaluations = residuals_.evaluations;
    result_.rejected = residuals_.rejected;
    result_.last_rejection = residuals_.last_rejection;
    return result_;
  }

  ceres::CallbackReturnType operator()(const ceres::IterationSummary& summary) override {
    if (exception_) return ceres::SOLVER_ABORT;
    radius_ = summary.trust_region_radius;
    if (summary.iteration == 0 || !summary.step_is_successful) return ceres::SOLVER_CONTINUE;
    try {
      accept();
    } catch (...) {
      exception_ = std::current_exception();
    }
    const bool stop = exception_ || set_changed_ || !result_.reason.empty();
    return stop ? ceres::SOLVER_ABORT : ceres::SOLVER_CONTINUE;
  }

 private:
  class Cost final : public ceres::CostFunction {
   public:
    explicit Cost(Run& run) : run_(run) {
      set_num_residuals(run.functional_.residual_count());
      mutable_parameter_block_sizes()->push_back(static_cast<int>(run.free_.size()));
    }
    bool Evaluate(double const* const* parameters, double* residuals,
                  double** jacobians) const override {
      return run_.evaluate(parameters[0], residuals, jacobians ? jacobians[0] : nullptr);
    }

   private:
    Run& run_;
  };

  bool evaluate(const double* x, double* rho, double* drho) {
    if (exception_) return false;
    try {
      const Point& p = residuals_.at(full(x), drho != nullptr);
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

  /// Ceres on the free variables, until it ends or the set of free variables changes.
  void minimize_in_free() {
    set_changed_ = false;
    x_ = restricted(result_.theta.shared);
    ceres::Problem problem;
    problem.AddResidualBlock(new Cost(*this), nullptr, x_.data());
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const double lower = bounds_.lower.shared[free_[k]], upper = bounds_.upper.shared[free_[k]];
      const int i = static_cast<int>(k);
      if (std::isfinite(lower)) problem.SetParameterLowerBound(x_.data(), i, lower);
      if (std::isfinite(upper)) problem.SetParameterUpperBound(x_.data(), i, upper);
    }
    ceres::Solver::Summary summary;
    ceres::Solve(solver_options(), &problem, &summary);
    if (exception_) std::rethrow_exception(exception_);
    if (result_.reason.empty() && !set_changed_) conclude(summary);
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

  /// Takes x as the new iterate, reports it and decides whether it is the last.
  void accept() {
    const Point& p = residuals_.at(full(x_.data()), true);
    double squared = 0;
    for (std::size_t i = 0; i < p.theta.size(); ++i)
      squared += std::pow(p.theta[i] - result_.theta.shared[i], 2);
    const bool first = std::isnan(result_.value);
    if (!first) ++result_.iterations;
    result_.theta.shared = p.theta;
    result_.value = p.value();
    residuals_.rejected_since_accept = 0;

    const Eigen::VectorXd g = p.drho.transpose() * p.rho;
    update_free(g);
    double squared_gradient = 0, cosine = 0;
    for (const std::size_t i : free_) {
      const auto k = static_cast<Eigen::Index>(i);
      squared_gradient += g[k] * g[k];
      const double length = p.drho.col(k).norm() * p.rho.norm();
      if (length > 0) cosine = std::max(cosine, std::abs(g[k]) / length);
    }
    const double gradient = std::sqrt(squared_gradient);
    if (first) gradient_start_ = gradient, value_start_ = result_.value;
    result_.relative_gradient = gradient_start_ > 0 ? gradient / gradient_start_ : 0.0;

    if (options_.on_iteration) {
      int go_on = options_.on_iteration({result_.iterations, result_.value,
                                         result_.relative_gradient, std::sqrt(squared),
                                         residuals_.evaluations, residuals_.rejected,
                                         MPI_Wtime() - start_time_},
                                        result_.theta);
      MPI_Allreduce(MPI_IN_PLACE, &go_on, 1, MPI_INT, MPI_MIN, functional_.comm());
      result_.stopped = !go_on;
    }
    if (free_.empty())
      finish(true, "every variable is held by its bounds");
    else if (cosine <= options_.gradient_tolerance)
      finish(true, "the projected gradient is below its tolerance");
    else if (result_.value <= value_start_ * std::pow(options_.gradient_tolerance, 2))
      finish(true, "the residual has vanished");
    else if (result_.stopped)
      finish(false, "stopped on request");
    else if (result_.iterations >= options_.max_iterations)
      finish(false, "the limit of " + std::to_string(options_.max_iterations) +
                        " iterations is reached");
  }

  /// The variables that no bound holds at this point; g is the gradient there.
  void update_free(const Eigen::VectorXd& g) {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < result_.theta.shared.size(); ++i) {
      const double theta = result_.theta.shared[i], slope = g[static_cast<Eigen::Index>(i)];
      const double lower = bounds_.lower.shared[i], upper = bounds_.upper.shared[i];
      const bool held = (theta <= lower && slope >= 0) || (theta >= upper && slope <= 0);
      if (lower < upper && !held) free.push_back(i);
    }
    set_changed_ = free != free_;
    free_ = std::move(free);
  }

  ceres::Solver::Options solver_options() {
    ceres::Solver::Options o;
    o.linear_solver_type = ceres::DENSE_QR;
    o.num_threads = 1;
    o.logging_type = ceres::SILENT;
    o.max_num_iterations = 20 * options_.max_iterations + 100;  // rejected steps count there
    o.gradient_tolerance = 0;                                   // `accept` decides
    o.function_tolerance = options_.function_tolerance;
    o.parameter_tolerance = options_.step_tolerance;
    o.update_state_every_iteration = true;
    o.initial_trust_region_radius = radius_;
    o.callbacks.push_back(this);
    return o;
  }

  void conclude(const ceres::Solver::Summary& summary) {
    if (residuals_.rejected_since_accept > 0)
      finish(false, "every shorter step is rejected because its evaluation fails: " +
                        residuals_.last_rejection);
    else if (summary.termination_type != ceres::CONVERGENCE)
      finish(false, "Levenberg-Marquardt gave up: " + summary.message);
    else if (summary.message.starts_with("Function tolerance"))
      finish(true, "the objective no longer changes");
    else
      finish(true, "the step is below its tolerance");
  }

  void finish(bool converged, std::string reason) {
    result_.converged = converged;
    result_.reason = std::move(reason);
  }

  const OptimizerOptions& options_;
  LeastSquaresFunctional& functional_;
  Residuals residuals_;
  Bounds bounds_;
  std::vector<std::size_t> free_;  // variables that no bound holds
  std::vector<double> x_;          // [free_], Ceres' state
  OptimizerResult result_;
  double gradient_start_ = 0, value_start_ = 0;
  double radius_ = 1e4;            // of the trust region, kept when the free set changes
  bool set_changed_ = false;
  double start_time_ = MPI_Wtime();
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
  return Run(options_, *squares, start).solve();
}

}  // namespace invar
