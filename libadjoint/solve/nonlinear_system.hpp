#pragma once
#include <optional>

#include "libadjoint/petsc.hpp"

namespace invar {

/// r(u) = 0 as Newton's method sees it. Dirichlet rows are the implementation's matter: r = 0 and
/// an identity row there. All calls are collective; every rank must get the same "admissible".
class NonlinearSystem {
 public:
  virtual ~NonlinearSystem() = default;
  /// r(u). False where u is inadmissible (inverted element, logarithm of a negative number).
  virtual bool residual(Vec u, Vec r) = 0;
  /// K = ∂r/∂u, into the pattern that K already has. False where it cannot be formed.
  virtual bool jacobian(Vec u, Mat K) = 0;
  /// K = Kᵀ at every u.
  virtual bool symmetric() const = 0;
  /// Takes out of a step what is prescribed: there an iterative solver leaves as much as its tolerance lets it, and
  /// no residual would tell.
  virtual void constrain_step(Vec) {}
  /// A potential whose gradient is r and that the solution minimises (no saddle), where there is
  /// one; not finite where u is inadmissible.
  virtual std::optional<double> energy(Vec) { return std::nullopt; }
};

}  // namespace invar
