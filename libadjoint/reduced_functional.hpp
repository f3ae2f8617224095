#pragma once
#include <Eigen/Dense>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "libadjoint/design_vector.hpp"
#include "libadjoint/solve/solve_report.hpp"

namespace invar {

/// Result of an evaluation. If a solve fails, `ok` is false and `reason` describes the failure; the optimiser then rejects the
/// point. A failure never has a gradient.
struct Evaluation {
  bool ok = false;
  std::string reason;  // why not ok; empty otherwise
  double value = std::numeric_limits<double>::quiet_NaN();
  double error = 0;    // estimated relative error of the derivatives due to linear solves; 0: round-off

  static Evaluation success(double value) { return {true, {}, value, 0}; }
  static Evaluation failure(std::string why) {
    return {false, std::move(why), std::numeric_limits<double>::quiet_NaN(), 0};
  }
  /// Success without a value, or the failure of the solve named `what`.
  static Evaluation of_solve(const char* what, const SolveReport& report) {
    return report.converged ? success(0) : failure(what + (": " + report.reason));
  }
};

/// One scalar constraint lower ≤ c(θ) ≤ upper; equal bounds make it an equality.
struct ConstraintInfo {
  std::string name;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double scale = 1;  // typical size of c, the unit of violations
  bool competes = false;  // c has no limits; J is the largest of the competing constraints
};

/// The reduced functional θ ↦ J(u(θ), θ); evaluations solve the state equation. Calls are collective.
class ReducedFunctional {
 public:
  virtual ~ReducedFunctional() = default;
  virtual MPI_Comm comm() const = 0;
  /// The start of the optimisation; defines the layout of θ.
  virtual DesignVector start() const = 0;
  /// Bounds of every entry, same layout as `start()`.
  virtual DesignVector lower() const = 0;
  virtual DesignVector upper() const = 0;
  /// Names of the shared entries, for reports.
  virtual std::vector<std::string> names() const = 0;

  /// J(θ).
  virtual Evaluation value(const DesignVector& theta) = 0;
  /// J(θ) and dJ/dθ by the adjoint.
  virtual Evaluation gradient(const DesignVector& theta, DesignVector& g) = 0;
  /// dJ/dθ · direction by the tangent (forward) model; independent of the adjoint.
  virtual Evaluation directional(const DesignVector& theta, const DesignVector& direction,
                                 double& derivative) = 0;
  /// The same along several directions, with one linearisation of every state for all of them.
  virtual Evaluation directionals(const DesignVector& theta, std::span<const DesignVector> directions,
                                  std::vector<double>& derivatives) {
    derivatives.assign(directions.size(), 0.0);
    Evaluation e;
    for (std::size_t k = 0; k < directions.size(); ++k)
      if (e = directional(theta, directions[k], derivatives[k]); !e.ok) return e;
    return e;
  }
  /// Magnitude of the terms of each derivative in the last call of `directionals`: Σ |ρ_i ρ̇_i| for a sum of squares. Where the
  /// terms cancel, round-off and solver errors are relative to this. Empty: unknown.
  virtual std::vector<double> magnitudes() const { return {}; }
  /// The same for single entries of states and controls: Σ |∂J/∂u_i u̇_i| + Σ |∂J/∂d_i ḋ_i| in the last call of `directionals` or
  /// `constraint_directional`. Example: a flow rate is a sum over facets that may cancel. Empty: unknown.
  virtual std::vector<double> term_sizes() const { return {}; }
  /// Hessian · direction by the second-order adjoint.
  virtual Evaluation hessian_action(const DesignVector& theta, const DesignVector& direction,
                                    DesignVector& out) = 0;

  /// Whether second derivatives of J jump where an equation switches to another formula. Differences of first derivatives across
  /// such a point are meaningless.
  virtual bool has_kinks() const { return false; }

  /// The active branch at each point of the last evaluated states (this rank's part), in the same order for every design; empty if
  /// the equations have no branches. Collective.
  virtual std::vector<char> branches() { return {}; }

  /// While on, values at neighbouring points are those of one smooth function, whose derivative the adjoint computes: evaluations
  /// repeat the time steps of the last successful one (a step that then fails is a failed evaluation), and Newton's method iterates
  /// down to round-off, so that differences do not show its tolerance. Returns false if nothing is solved in time.
  virtual bool compare_values(bool) { return false; }

  /// The constraints, in the order of the values below; the same on all ranks. Competing constraints make up J, the largest of
  /// them. J then has kinks, and constrained methods minimise a common bound of them instead.
  virtual std::vector<ConstraintInfo> constraints() const { return {}; }
  /// c(θ), the same on all ranks. No further state solve if J was just evaluated at θ.
  virtual Evaluation constraint_values(const DesignVector&, std::vector<double>& c) {
    c.clear();
    return Evaluation::success(0);
  }
  /// c(θ) and dc/dθ by adjoints, one design vector per constraint.
  virtual Evaluation constraint_gradients(const DesignVector& theta, std::vector<double>& c,
                                          std::vector<DesignVector>& gradients) {
    gradients.clear();
    return constraint_values(theta, c);
  }
  /// J, c and their gradients at one point; one evaluation if the functional supports it.
  virtual Evaluation gradients(const DesignVector& theta, DesignVector& g, std::vector<double>& c,
                               std::vector<DesignVector>& constraint_gradients) {
    const Evaluation e = gradient(theta, g);
    if (!e.ok) return e;
    const Evaluation constrained = this->constraint_gradients(theta, c, constraint_gradients);
    return constrained.ok ? e : constrained;
  }
  /// Derivatives of the constraints along a direction by the tangent; independent of the adjoint.
  virtual Evaluation constraint_directional(const DesignVector&, const DesignVector&,
                                            std::vector<double>& derivatives) {
    derivatives.clear();
    return Evaluation::success(0);
  }
};

/// J(θ) = ½ ‖ρ(θ)‖² + ½ θᵀΛθ + (terms that are no squares). ρ are weighted residuals (model − data) / noise. Λ is diagonal: the
/// precision of a normal prior of θ with mean 0 and covariance Λ⁻¹.
class LeastSquaresFunctional : public ReducedFunctional {
 public:
  virtual int residual_count() const = 0;                       // the same on all ranks
  /// Largest change of each shared entry in one step of a search, the same on all ranks; empty: no limit.
  virtual std::vector<double> largest_steps() const { return {}; }
  /// ρ(θ), the same on all ranks.
  virtual Evaluation residuals(const DesignVector& theta, Eigen::VectorXd& rho) = 0;
  /// ρ(θ) and dρ/dθ [residual_count × n_shared], the same on all ranks.
  virtual Evaluation jacobian(const DesignVector& theta, Eigen::VectorXd& rho,
                              Eigen::MatrixXd& drho) = 0;
  /// Prior precision Λ in the layout of θ; zero where there is no prior.
  virtual DesignVector prior_precision() const { return DesignVector::zeros_like(start()); }
  /// dρ/dθ · direction [residual_count], the same on all ranks. Costs one linear solve per state.
  virtual Evaluation residual_jvp(const DesignVector& theta, const DesignVector& direction, Eigen::VectorXd& rho_dot);
  /// g = (dρ/dθ)ᵀ rho_bar. Costs one transposed solve per state.
  virtual Evaluation residual_vjp(const DesignVector& theta, const Eigen::VectorXd& rho_bar, DesignVector& g);
};

// Default for few shared variables: uses the whole matrix.

inline Evaluation LeastSquaresFunctional::residual_jvp(const DesignVector& theta, const DesignVector& direction,
                                                       Eigen::VectorXd& rho_dot) {
  Eigen::VectorXd rho;
  Eigen::MatrixXd drho;
  const Evaluation e = jacobian(theta, rho, drho);
  if (e.ok) rho_dot = drho * Eigen::Map<const Eigen::VectorXd>(direction.shared.data(), drho.cols());
  return e;
}

inline Evaluation LeastSquaresFunctional::residual_vjp(const DesignVector& theta, const Eigen::VectorXd& rho_bar, DesignVector& g) {
  Eigen::VectorXd rho;
  Eigen::MatrixXd drho;
  const Evaluation e = jacobian(theta, rho, drho);
  g = DesignVector::zeros_like(theta);
  if (e.ok) Eigen::Map<Eigen::VectorXd>(g.shared.data(), drho.cols()) = drho.transpose() * rho_bar;
  return e;
}

}  // namespace invar
