#pragma once
#include <vector>

#include "libadjoint/parameterization.hpp"

namespace invar {

/// A map θ ↦ b from design variables to boundary displacements, a nodal field [node × dim, m, ghosts included] that is
/// read at the nodes of the moving boundary. Derivatives are exact; of b_bar owned entries are read, and shared entries
/// of θ_bar are this rank's share of a sum. Collective.
class BoundarySource {
 public:
  virtual ~BoundarySource() = default;
  virtual std::vector<DesignVariable> variables() const = 0;
  virtual DesignVector start() const = 0;
  virtual DesignVector lower() const = 0;
  virtual DesignVector upper() const = 0;
  virtual LocalEntries local_entries() const { return {}; }
  /// The monitor observes the source's own solves from now on.
  virtual void set_monitor(const std::shared_ptr<SolveMonitor>&) {}

  /// b = b(θ); b has its size and is zero on entry.
  virtual Evaluation displace(const DesignVector& theta, std::vector<double>& b) = 0;
  /// b_dot = ∂b/∂θ θ_dot; b_dot is zero on entry
  virtual Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<double>& b_dot) = 0;
  /// θ_bar += (∂b/∂θ)ᵀ b_bar
  virtual Evaluation vjp(const DesignVector& theta, const std::vector<double>& b_bar, DesignVector& theta_bar) = 0;
  /// θ_bar_dot += (d/dε ∂b/∂θ)ᵀ b_bar along θ_dot; zero for linear maps
  virtual Evaluation vjp_curvature(const DesignVector& theta, const DesignVector& theta_dot,
                                   const std::vector<double>& b_bar, DesignVector& theta_bar_dot) = 0;
};

}  // namespace invar
