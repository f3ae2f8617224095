#pragma once
#include <memory>

#include "libadjoint/observable.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// Roughness or size of a nodal field v: y = ½ Σ_i ∫ |∇v_i|² or ½ Σ_i ∫ v_i² over its components; axisymmetric: over
/// the full circle. Tikhonov regularisation (Vogel, Computational Methods for Inverse Problems, 2002, ch. 1). On the
/// undeformed mesh. Independent of the unknown.
class NodalPenalty final : public Observable {
 public:
  enum class Of { roughness, size };
  /// control: with one or several entries per node. Collective.
  NodalPenalty(std::shared_ptr<FormResidual> residual, int control, Of of, bool axisymmetric);

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot,
                   const Controls* d_dot, const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  const std::vector<double>& field(const EvaluationPoint& u) const { return u.controls()[control_]; }
  const std::vector<double>* direction(const Controls* d_dot) const;
  /// One component of a field as a vector.
  VecHandle component(const std::vector<double>& v, int i) const;
  /// Σ_i a_iᵀ K b_i
  double product(const std::vector<double>& a, const std::vector<double>& b) const;
  /// bar += factor · K v
  void add(double factor, const std::vector<double>& v, std::vector<double>& bar) const;

  std::shared_ptr<FormResidual> residual_;
  int control_, components_;
  std::shared_ptr<const DofMap> dofs_;
  std::unique_ptr<AssembledMatrix> matrix_;  // K of one component
};

}  // namespace invar
