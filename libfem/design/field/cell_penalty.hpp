#pragma once
#include <memory>
#include <string>

#include "libadjoint/observable.hpp"
#include "libadjoint/variable_transform.hpp"
#include "libfem/design/field/cell_weights.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// How rough a field of cells p is: y = ½ ∫ |∇φ|², φ the field of first-order nodes that is at each of them
/// the mean of q = T⁻¹(p) over the cells around, weighted by volume; with a logarithmic T it does not depend
/// on the unit of p. A Tikhonov term of inverse problems (Vogel, Computational Methods for Inverse Problems,
/// 2002, ch. 1). On the undeformed mesh. What averages out among neighbours it does not see: fields should be
/// filtered. Depends on no unknown.
class FieldRoughness final : public Observable {
 public:
  /// control: with one entry per cell. region: of cells, empty: all; others do not count. Collective.
  /// Throws std::invalid_argument where there is no such region.
  FieldRoughness(std::shared_ptr<FormResidual> residual, int control, const VariableTransform& transform,
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
  /// φ of a field of cells, a new vector.
  VecHandle nodal(const std::vector<double>& q) const;
  /// φ of the field, or of its derivative along a direction.
  VecHandle field(const EvaluationPoint& u, const std::vector<double>* p_dot) const;
  /// K φ
  VecHandle stiff(Vec phi) const;
  /// W m⁻¹ g: what each cell's q has to do with a cotangent of φ.
  std::vector<double> spread(Vec g) const;
  const std::vector<double>* direction(const Controls* d_dot) const;

  std::shared_ptr<FormResidual> residual_;
  int control_;
  VariableTransform transform_;
  std::shared_ptr<const DofMap> dofs_;
  std::unique_ptr<CellWeights> weights_;
  std::unique_ptr<AssembledMatrix> stiffness_;
  VecHandle inverse_mass_;  // m⁻¹, zero at nodes off the region
};

}  // namespace invar
