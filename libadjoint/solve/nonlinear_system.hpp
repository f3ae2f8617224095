#pragma once
#include <optional>

#include "libadjoint/petsc.hpp"

namespace invar {

/// The system r(u) = 0 for Newton's method. The implementation handles Dirichlet rows: r = 0 and a diagonal matrix row.
/// All calls are collective; every rank must return the same admissibility.
class NonlinearSystem {
 public:
  virtual ~NonlinearSystem() = default;
  /// r(u). False where u is inadmissible (inverted element, logarithm of a negative number).
  virtual bool residual(Vec u, Vec r) = 0;
  /// Writes ∂r/∂u into matrix(). False where it cannot be formed.
  virtual bool jacobian(Vec u) = 0;
  virtual Mat matrix() = 0;
  /// Updates the sparsity pattern before an iteration from u. True: it has changed, and matrix() is another object. The
  /// residual at u does not change.
  virtual bool update_pattern(Vec) { return false; }
  /// Largest admissible fraction of a step from u, in [0, 1]. Larger steps could reach states that the residual cannot
  /// distinguish from a solution, such as bodies that have passed through each other.
  virtual double longest_step(Vec, Vec) { return 1; }
  /// K = Kᵀ at every u.
  virtual bool symmetric() const = 0;
  /// Sets the constrained entries of a step to zero. An iterative solver leaves errors up to its tolerance there,
  /// which the residual does not show.
  virtual void constrain_step(Vec) {}
  /// Pseudo-time of the system; null: there is none. See PseudoTime, at the point u.
  struct Damping {
    virtual ~Damping() = default;
    virtual void jacobian(Vec u, double cfl) = 0;
    virtual void add(Vec u, Vec du, double cfl, Vec r) = 0;
    virtual void mark_transported(Vec marks) = 0;
    virtual int limit_change(Vec u, Vec trial) = 0;
  };
  virtual Damping* damping() { return nullptr; }
  /// The potential whose gradient is r and which the solution minimises (no saddle point), if there is one; not finite
  /// where u is inadmissible.
  virtual std::optional<double> energy(Vec) { return std::nullopt; }
};

}  // namespace invar
