#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/case.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// Drift of a constant energy, relative to its largest part, above which the steps are too long for the motion.
inline constexpr double large_energy_drift = 0.1;

/// Kinetic energy and potential of a process, over time.
struct EnergyHistory {
  std::vector<double> kinetic, potential;  // J (per metre in the plane), at the case's times
  double drift = 0;          // change of their sum from the first time to the last, relative to the largest of them
  double largest_drift = 0;  // the largest at any time
};

/// Energy balance of a transient case whose energy should be constant: every form of the equation is either inertia or
/// the derivative of a potential, and neither coefficients nor prescribed values vary in time. The kinetic energy is
/// half the virtual work of the inertia forms, with the rate in place of the acceleration, on the rate; the potential
/// is the sum of the other forms' values (for a dead load minus its work).
class EnergyBalance {
 public:
  explicit EnergyBalance(std::shared_ptr<FormResidual> equation);

  /// Why the energy is not constant, or unknown; empty if it should be constant.
  const std::string& reason() const { return reason_; }
  /// Energies of the last solution of this equation's process; only if there is no reason against it. Collective.
  EnergyHistory history(Case& process);

 private:
  double kinetic(const EvaluationPoint& u);
  double potential(const EvaluationPoint& u);

  std::shared_ptr<FormResidual> equation_;
  std::string reason_;
};

}  // namespace invar
