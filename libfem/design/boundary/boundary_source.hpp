#pragma once
#include <vector>

#include "libadjoint/parameterization.hpp"

namespace invar {

/// Where a boundary's displacement comes from: design variables θ ↦ b, a nodal field [node × dim, m,
/// ghosts included] that is read at the nodes of the moving boundary. Derivatives are exact; in adjoints
/// b_bar counts at owned nodes, and shared entries of θ_bar are the rank's share of a sum. Collective.
class BoundarySource {
 public:
  virtual ~BoundarySource() = default;
  virtual std::vector<DesignVariable> variables() const = 0;
  virtual DesignVector start() const = 0;
  virtual DesignVector lower() const = 0;
  virtual DesignVector upper() const = 0;
  virtual LocalEntries local_entries() const { return {}; }
  /// Hears of the solves of the source's own from now on.
  virtual void set_monitor(const std::shared_ptr<SolveMonitor>&) {}

  /// b = b(θ); b comes with its size and zeros.
  virtual Evaluation displace(const DesignVector& theta, std::vector<double>& b) = 0;
  /// b_dot = ∂b/∂θ θ_dot, likewise
  virtual Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<double>& b_dot) = 0;
  /// θ_bar += (∂b/∂θ)ᵀ b_bar
  virtual Evaluation vjp(const DesignVector& theta, const std::vector<double>& b_bar, DesignVector& theta_bar) = 0;
  /// θ_bar_dot += (d/dε ∂b/∂θ)ᵀ b_bar along θ_dot; zero for linear maps
  virtual Evaluation vjp_curvature(const DesignVector& theta, const DesignVector& theta_dot,
                                   const std::vector<double>& b_bar, DesignVector& theta_bar_dot) = 0;
};

}  // namespace invar
