#pragma once
#include <memory>
#include <string>

#include "libadjoint/observable.hpp"
#include "libadjoint/variable_transform.hpp"
#include "libfem/design/field/cell_weights.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// Roughness penalties of a cell field p (priors of inverse problems: Vogel, Computational Methods for Inverse Problems,
/// 2002, ch. 1 and 8). φ is a field of first-order nodes, at each node the volume-weighted mean of q = T⁻¹(p) over the
/// adjacent cells; with a logarithmic T it does not depend on the unit of p.
///   roughness        y = ½ ∫ |∇φ|²: favours smooth fields
///   total variation  y = ∫ √(|∇φ|² + s²) − s: favours few, possibly sharp, edges; a jump contributes its height times
///                    the area of the edge, isotropically; slopes below s (1/m) contribute quadratically
/// On the undeformed mesh. Oscillations that average out among neighbouring cells are not penalised, so fields should be
/// filtered. Independent of the unknown.
class CellPenalty final : public Observable {
 public:
  /// control: with one entry per cell. slope: s > 0; 0: the roughness. region: of cells, empty: all; other cells are ignored.
  /// Collective. Throws std::invalid_argument if the region does not exist.
  CellPenalty(std::shared_ptr<FormResidual> residual, int control, const VariableTransform& transform, double slope,
              const std::string& region, bool axisymmetric);

  int size() const override { return 1; }
  void evaluate(const EvaluationPoint& u, double* y) override;
  void jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) override;
  void vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) override;
  void vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot,
                   const Controls* d_dot, const State& u_bar_dot, Controls* d_bar_dot) override;

 private:
  /// T⁻¹(p), and its first two derivatives by p.
  struct Coordinate {
    double value, slope, bend;
  };
  Coordinate at(const EvaluationPoint& u, std::size_t cell) const;
  /// φ of a cell field, in a new vector.
  VecHandle nodal(const std::vector<double>& q) const;
  /// φ of the field, or of its derivative along a direction.
  VecHandle field(const EvaluationPoint& u, const std::vector<double>* p_dot) const;
  /// ∂y/∂φ.
  VecHandle gradient(Vec phi) const;
  /// The derivative of that along φ_dot.
  VecHandle gradient_jvp(Vec phi, Vec phi_dot) const;
  /// Of an array with ghosts.
  VecHandle owned_part(const std::vector<double>& local) const;
  /// W m⁻¹ g: derivative by each cell's q for a cotangent g of φ.
  std::vector<double> spread(Vec g) const;
  const std::vector<double>* direction(const Controls* d_dot) const;

  std::shared_ptr<FormResidual> residual_;
  int control_;
  VariableTransform transform_;
  std::shared_ptr<const DofMap> dofs_;
  std::unique_ptr<CellWeights> weights_;
  std::unique_ptr<WeakForm> form_;
  VecHandle inverse_mass_;  // m⁻¹, zero at nodes off the region
};

}  // namespace invar
