#pragma once
#include <memory>
#include <vector>

#include "libadjoint/solve/saddle_point.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/solve/pressure_forms.hpp"

namespace invar {

/// The saddle-point structure of flow with the pressure as multiplier (Taylor–Hood), μ the viscosity of each cell,
/// γ_d the grad-div parameter of the flow:
///   W    lumped pressure mass ∫ q/μ dV
///   γ    100 + 10 ρ U D / μ, U the largest speed, D the size of the domain: in units of W a viscosity
///        well above what inertia amounts to, so that the number of iterations does not depend on it
///   Schur complement, pressure convection–diffusion (Elman, Silvester, Wathen 2014, ch. 9) with the part of grad-div
///   (Benzi, Olshanskii, SIAM J. Sci. Comput. 28 (2006)) and, in time, of inertia (Cahouet, Chabard 1988):
///        (B A⁻¹ Bᵀ)⁻¹ ≈ M_w⁻¹ + L⁻¹ N M⁻¹,   w = 1/(μ + γ_d), M_w and M mass, L diffusion, N convection of
///        PressureOperator with the rate of the scheme; L with p = 0 on open boundaries, where that part of the
///        answer vanishes. Masses are inverted by a fixed number of Chebyshev steps between known bounds of their
///        eigenvalues (Wathen 1987), L by one cycle of multigrid: all is linear and has a transpose.
/// Open is the boundary where the normal velocity is free: the nodes where Bᵀ 1 does not vanish. Without
/// any, the flow is enclosed and 1 spans the null space of B A⁻¹ Bᵀ with all its rows. Holding pressures
/// then leaves out rows of a consistent system: E g puts the missing −Σ g there, and the answer Eᵀ y is
/// measured from the held pressures.
class FlowPreconditioner final : public SaddlePoint {
 public:
  /// `flow`: number of the Navier–Stokes form in the residual, which owns this object. Collective. Throws
  /// std::invalid_argument if the pressure's order is not lower than the velocity's.
  FlowPreconditioner(FormResidual& residual, int flow, FlowKind kind, const FlowModel& model);

  IS primal() const override { return velocity_; }
  IS multiplier() const override { return pressure_; }
  void linearise(const EvaluationPoint& u, const PerLevel<double>& weights) override;
  void update_schur(Mat A, Mat Bt) override;
  void update_weight() override;
  Vec weight() const override { return weight_; }
  double augmentation() const override { return gamma_; }
  /// True in 3-D without a Brinkman resistance (L does not represent its diffusion) and with a determined pressure
  /// level.
  bool favours_multigrid() override;
  void solve_schur(Vec g, Vec y, bool transpose) override;

 private:
  void number_fields();
  void prepare_mass();
  void prepare_schur();
  void find_boundary();
  void find_open_boundary();
  void find_held_pressures();
  Coefficient prepare_forms();
  void set_coefficients();
  Coefficient viscosity() const;
  double mean_viscosity(const Coefficient& viscosity) const;
  double reynolds_scale(double viscosity) const;
  void assemble(WeakForm& form, AssembledMatrix& matrix);
  void assemble_mass(AssembledMatrix& matrix, Coefficient weight);
  void diffuse(Vec g, Vec y);
  void balance(Vec g) const;
  void measure_from_held(Vec y) const;

  FormResidual& residual_;
  int flow_;
  FlowKind kind_;
  FlowModel model_;
  std::shared_ptr<const DofMap> pressure_dofs_;  // the pressure alone, numbered as in `pressure_`
  IsHandle velocity_, pressure_;
  PressureForms forms_;
  std::unique_ptr<AssembledMatrix> mass_, weighted_mass_, diffusion_, convection_;  // created on first use
  std::vector<char> open_;                                          // [local pressure dof]
  bool boundary_known_ = false, any_open_ = false;
  std::vector<int> held_;  // owned pressure dofs that are prescribed
  int held_anywhere_ = 0;  // their number on all ranks
  VecHandle state_, weight_, a_, b_, g_;
  Setting given_;          // with state_
  double rate_ = 0;        // of the time scheme, 1/s: du̇/du
  KspHandle mass_solver_, weighted_mass_solver_, diffusion_solver_;
  double gamma_ = 0;
};

}  // namespace invar
