#pragma once
#include <Eigen/Dense>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "libadjoint/design_vector.hpp"
#include "libadjoint/solve/solve_report.hpp"

namespace invar {

/// What came of an evaluation. A failed solve is `ok == false` with the reason in words: the
/// optimiser rejects the point. It is never a gradient.
struct Evaluation {
  bool ok = false;
  std::string reason;  // why not ok; empty otherwise
  double value = std::numeric_limits<double>::quiet_NaN();
  double error = 0;    // of the derivatives that came with it: estimated relative error by the linear solves; 0: round-off

  static Evaluation success(double value) { return {true, {}, value, 0}; }
  static Evaluation failure(std::string why) {
    return {false, std::move(why), std::numeric_limits<double>::quiet_NaN(), 0};
  }
  /// A success without a value, or the failure of the solve named `what`.
  static Evaluation of_solve(const char* what, const SolveReport& report) {
    return report.converged ? success(0) : failure(what + (": " + report.reason));
  }
};

/// One scalar side condition lower ≤ c(θ) ≤ upper; equal bounds make it an equation.
struct ConstraintInfo {
  std::string name;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double scale = 1;  // typical size of c: violations are measured in it
  bool competes = false;  // c has no limits: J is the largest of those that compete
};

/// θ ↦ J(u(θ), θ): the state equation is solved inside. Calls are collective.
class ReducedFunctional {
 public:
  virtual ~ReducedFunctional() = default;
  virtual MPI_Comm comm() const = 0;
  /// A point with the layout of θ: the start of the optimisation.
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
  /// The same along each of the directions. Costs one linearisation of every state for all of them.
  virtual Evaluation directionals(const DesignVector& theta, std::span<const DesignVector> directions,
                                  std::vector<double>& derivatives) {
    derivatives.assign(directions.size(), 0.0);
    Evaluation e;
    for (std::size_t k = 0; k < directions.size(); ++k)
      if (e = directional(theta, directions[k], derivatives[k]); !e.ok) return e;
    return e;
  }
  /// How large the terms are that each derivative of the last call of `directionals` is the sum of, as Σ |ρ_i ρ̇_i| of a
  /// sum of squares: where they cancel, round-off and errors of solves count by them. Empty: not known.
  virtual std::vector<double> magnitudes() const { return {}; }
  /// The same of the terms of single entries of states and controls, Σ |∂J/∂u_i u̇_i| + Σ |∂J/∂d_i ḋ_i|, of the last call of
  /// `directionals` or `constraint_directional`: a flow rate is a sum over facets that may cancel to nothing. Empty: not known.
  virtual std::vector<double> term_sizes() const { return {}; }
  /// Hessian · direction by the second-order adjoint.
  virtual Evaluation hessian_action(const DesignVector& theta, const DesignVector& direction,
                                    DesignVector& out) = 0;

  /// Second derivatives of J jump in places, because an equation goes over from one formula to another there: differences
  /// of first derivatives across such a place say nothing about them.
  virtual bool has_kinks() const { return false; }

  /// Where there are such formulas: which of them holds at each point of the last evaluated states, this rank's share, as
  /// numbers in the same order at every design. Collective.
  virtual std::vector<char> branches() { return {}; }

  /// While on, values at neighbouring points can be compared: they take the steps in time that the last successful
  /// evaluation took, so that they are those of one function, whose derivative the adjoint is (a step that then fails is
  /// a failed evaluation), and equations are solved until rounding ends it, so that differences do not show what Newton's
  /// method leaves by its tolerance. False: nothing is solved in time.
  virtual bool compare_values(bool) { return false; }

  /// The constraints, in the order of the values below; the same on all ranks. Those that compete make up J: its largest
  /// part changes from point to point, so that J has kinks, and constrained methods minimise a bound of all parts instead.
  virtual std::vector<ConstraintInfo> constraints() const { return {}; }
  /// c(θ), the same on all ranks. Costs no further state solve when J has just been evaluated at θ.
  virtual Evaluation constraint_values(const DesignVector&, std::vector<double>& c) {
    c.clear();
    return Evaluation::success(0);
  }
  /// c(θ) and dc/dθ, one design vector per constraint, by adjoints.
  virtual Evaluation constraint_gradients(const DesignVector& theta, std::vector<double>& c,
                                          std::vector<DesignVector>& gradients) {
    gradients.clear();
    return constraint_values(theta, c);
  }
  /// J, c and their gradients at one point, in one evaluation where the functional can.
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

/// J(θ) = ½ ‖ρ(θ)‖² + ½ θᵀΛθ + (terms without residual form). `ρ` is weighted: (model − data) / noise; Λ is diagonal: what is
/// known of θ before any data, as a normal distribution with mean 0 and covariance Λ⁻¹.
class LeastSquaresFunctional : public ReducedFunctional {
 public:
  virtual int residual_count() const = 0;                       // same on all ranks
  /// The most that one step of a search should change each shared entry, same on all ranks; empty: anything.
  virtual std::vector<double> largest_steps() const { return {}; }
  /// ρ(θ), the same on all ranks.
  virtual Evaluation residuals(const DesignVector& theta, Eigen::VectorXd& rho) = 0;
  /// ρ(θ) and dρ/dθ [residual_count × n_shared], the same on all ranks.
  virtual Evaluation jacobian(const DesignVector& theta, Eigen::VectorXd& rho,
                              Eigen::MatrixXd& drho) = 0;
  /// Λ, in the layout of θ; zero where nothing is known.
  virtual DesignVector prior_precision() const { return DesignVector::zeros_like(start()); }
  /// dρ/dθ · direction [residual_count], the same on all ranks. Costs one linear solve per state.
  virtual Evaluation residual_jvp(const DesignVector& theta, const DesignVector& direction, Eigen::VectorXd& rho_dot);
  /// g = (dρ/dθ)ᵀ rho_bar. Costs one transposed solve per state.
  virtual Evaluation residual_vjp(const DesignVector& theta, const Eigen::VectorXd& rho_bar, DesignVector& g);
};

// Of few shared variables: by the whole matrix.

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
