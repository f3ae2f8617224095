#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/observable.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// Mix-norm of a scalar c: y = ∫ c' φ with c' = c − its mean and φ − l² Δφ = c', n·∇φ = 0 on the boundary, solved with
/// first-order elements. In [c²] m³, in 2-D per metre of depth. It is the square of a norm of the space H⁻¹ (Mathew, Mezić,
/// Petzold, Physica D 211, 2005; Thiffeault, Nonlinearity 25, 2012): a cosine of wave number k has the weight 1/(1 + l² k²), so
/// that stirring lowers y even without diffusion. l = 0: the variance times the volume; for l → ∞, l² y tends to ∫ |∇ψ|² with −Δψ
/// = c'.
/// y is the stationary value, over φ and m, of G = ∫ 2 (c − m) φ − φ² − l² |∇φ|². First derivatives are therefore those of G at
/// constant φ and m. The operator is symmetric and is factorised once per mesh geometry.
class MixingNorm final : public Observable {
 public:
  /// component: of the unknown, of first order. region: of cells, empty: all. length: l ≥ 0, m. axisymmetric (x = r): integrals
  /// over the full circle. Collective. Throws std::invalid_argument for a negative or non-finite length, another order, or if the
  /// region does not exist.
  MixingNorm(std::shared_ptr<FormResidual> residual, int component, const std::string& region, double length,
             bool axisymmetric, LinearSolverOptions options = {.rtol = 1e-12, .prefix = "mixing_"});

  int size() const override { return 1; }
  /// NaN if the inner solve fails, which makes the state inadmissible.
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot,
                   const Controls* d_dot, const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  /// φ and c at the vertices, alternating, and the mean m of c; or their derivatives along a direction.
  struct Fields {
    VecHandle pair;
    double mean = 0;
  };

  /// Updates the operator to the mesh geometry.
  void prepare(const Setting& given);
  /// The pair of a constant φ and c of a state (nullptr: zero).
  VecHandle pair_of(double phi, Vec u) const;
  /// u_bar += the entries of c.
  void add_scalar(const std::vector<double>& pair_bar, Vec u_bar) const;
  /// Puts A⁻¹ times the entries of φ in pair_bar where φ is in `pair`; NaN where that fails.
  void solve(const std::vector<double>& pair_bar, Vec pair);
  VecHandle ones() const;
  /// seed ∂G/∂(φ, c), and coordinates_bar += seed ∂G/∂x; nullptr: not wanted.
  std::vector<double> slopes(const EvaluationPoint& u, const Fields& f, double seed = 1, double* coordinates_bar = nullptr) const;
  /// The derivative of that along a direction.
  std::vector<double> slopes_jvp(const EvaluationPoint& u, const Fields& f, const Fields& f_dot, const Controls* d_dot,
                                 double seed = 1, double* coordinates_bar = nullptr) const;
  Fields at(const EvaluationPoint& u);
  Fields at_jvp(const EvaluationPoint& u, const Fields& f, const State& u_dot, const Controls* d_dot);
  void set_mean(double mean) const { energy_->coefficients()[0] = Coefficient::constant(mean); }

  std::shared_ptr<FormResidual> residual_;
  std::shared_ptr<const DofMap> vertices_, pairs_;  // of φ; of φ and c: dof k of the one is 2k, 2k + 1 of the other
  std::vector<int> scalar_dof_;              // [owned vertex] of c in the state
  std::unique_ptr<WeakForm> energy_;         // G; coefficient: m
  std::unique_ptr<WeakForm> quadratic_;      // in φ alone: its Jacobian is A
  std::unique_ptr<AssembledMatrix> matrix_;  // A = −∂²G/∂φ²
  LinearSolver solver_;
  std::vector<double> coordinates_;  // that A is of; empty: of none yet
};

}  // namespace invar
