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
  /// Writes ∂r/∂u into matrix(). False where it cannot be formed.
  virtual bool jacobian(Vec u) = 0;
  virtual Mat matrix() = 0;
  /// Before an iteration from u: makes the pattern of the matrix that of u. True: it has changed, and matrix() is another
  /// one. The residual at u is the same before and after.
  virtual bool update_pattern(Vec) { return false; }
  /// Which part of a step from u may be taken, in [0, 1]: beyond it lies what the residual cannot tell from a solution,
  /// such as bodies that have passed through each other.
  virtual double longest_step(Vec, Vec) { return 1; }
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
