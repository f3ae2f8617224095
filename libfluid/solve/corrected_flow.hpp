#pragma once
#include <memory>
#include <vector>

#include "libadjoint/solve/linear_solver.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// Flow by pressure correction (PressureCorrection), whose tangent is not assembled as a whole. It is lower
/// block-triangular,
///   [H             ]   velocity: the same scalar operator for each component, H = a M/h + ρ u*·∇ + μ K
///   [D  L          ]   potential
///   [E  N  Q       ]   pressure
/// and everything but the convection in H is constant. Forward solves use the blocks from top to bottom, transposed
/// ones from bottom to top: H by GMRES with incomplete LU, recomputed in each step so that results do not depend on
/// earlier ones; L and Q by factors that are kept while controls and step length are unchanged.
/// If velocity components are coupled (stress form, grad-div, slip by penalty), if the viscosity depends on the flow or
/// on time, or if a scalar is transported, the equation is an ordinary FormResidual.
class CorrectedFlow final : public FormResidual {
 public:
  using FormResidual::FormResidual;
  ~CorrectedFlow() override;

  /// A form of the equation that is LinearisedConvection on these cells; its matrix is assembled separately.
  struct Convection {
    int form;
    std::string region;
    int degree;
  };
  /// Must be called before `finish`. Components: pressure and potential; velocities come first.
  void solve_by_blocks(FlowKind kind, std::vector<Convection> convection, int pressure, int potential);

  using FormResidual::jacobian;
  void jacobian(const EvaluationPoint& u, const PerLevel<double>& weights) override;
  Mat matrix() const override;
  bool symmetric() const override { return false; }
  MatrixHints matrix_hints() const override;

 private:
  class Blocks;
  bool by_blocks() const;

  FlowKind kind_ = FlowKind::planar;
  std::vector<Convection> convection_;
  int pressure_ = -1, potential_component_ = -1;
  mutable std::shared_ptr<Blocks> blocks_;  // created on first use
};

}  // namespace invar
