#pragma once
#include <memory>
#include <vector>

#include "libadjoint/solve/linear_solver.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfluid/flow/flow_kinematics.hpp"

namespace invar {

/// Flow by pressure correction, see PressureCorrection, whose tangent is not assembled as a whole: it is lower
/// block-triangular,
///   [H             ]   velocity: the same scalar operator for each component, H = a M/h + ρ u*·∇ + μ K
///   [D  L          ]   potential
///   [E  N  Q       ]   pressure
/// and all but the convection in H is constant. Solves go down the blocks, transposed ones up: H by GMRES with
/// incomplete LU, made anew in each step, so that it depends on nothing before; L and Q by factors that are kept as
/// long as the controls and the step stay.
///
/// Where the components of the velocity are coupled with each other (stress form, grad-div, slip by penalty), where the
/// viscosity depends on the flow or on time, or where a scalar is carried, the equation is an ordinary FormResidual.
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
