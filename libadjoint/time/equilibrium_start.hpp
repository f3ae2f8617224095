#pragma once
#include <memory>

#include "libadjoint/static_case.hpp"

namespace invar {

/// Initial state in equilibrium: the initial value solves r(u, 0, 0; d, t₀) = 0 with the loads and constraints of the start time
/// (a body that sags before it is released, a flow that is steady before it is disturbed). Rates are those of the equation's own
/// initial state. The equilibrium is differentiated by the implicit function theorem.
class EquilibriumStart final : public Evolution {
 public:
  /// solver: may be that of the march. Throws std::invalid_argument for equations with history variables, which have no initial
  /// values for an equilibrium.
  EquilibriumStart(std::shared_ptr<Residual> residual, std::shared_ptr<LinearSolver> solver, double start, NewtonOptions newton);

  std::vector<char> algebraic_unknowns() const override { return residual_->algebraic_unknowns(); }
  /// The equilibrium is computed once per setting.
  SolveReport initial(Level level, const Setting& given, Vec u) override;
  SolveReport initial_jvp(Level level, const Setting& given, const Controls& d_dot, Vec u_dot) override;
  SolveReport initial_vjp(Level level, const Setting& given, Vec u_bar, Controls& d_bar) override;
  SolveReport initial_vjp_tangent(Level level, const Setting& given, Vec u_bar, const Controls& d_dot, Vec u_bar_dot, Controls& d_bar_dot) override;

  double initial_force() const override { return process_.force_scale(); }

  /// The static case that computes it, for error messages about inadmissible states.
  StaticCase& process() { return process_; }

 private:
  SolveReport solve(const Setting& given);
  void prepare(const Setting& given);

  std::shared_ptr<Residual> residual_;
  std::shared_ptr<LinearSolver> solver_;
  StaticCase process_;
  Setting solved_;  // setting of the present equilibrium; empty: none
};

}  // namespace invar
