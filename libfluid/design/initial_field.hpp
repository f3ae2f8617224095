#pragma once
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/parameterization.hpp"
#include "libfluid/design/solenoidal_projection.hpp"

namespace invar {

/// The velocity that flows in time begin with as a design: u = P w (`SolenoidalProjection`), each case with what
/// it prescribes itself, of a field w [m/s] on the nodes of a region; on nodes elsewhere w stays what it is. θ has
/// dim local entries for each node that the rank owns: w times √(∫ N² over its mean), N the node's shape function,
/// so that lengths of θ are about mean squares of w and what an optimiser sees does not depend on the mesh. u follows
/// coordinates and prescribed values that blocks before this one design.
class InitialField final : public Parameterization {
 public:
  struct Target {
    int case_index = 0, control = 0;  // the case's initial velocity, [node × dim]
    std::shared_ptr<SolenoidalProjection> projection;
    int source = -1;  // control that is w itself, for penalties to read; −1: none
  };

  /// All targets share one mesh. region: of cells, empty: all. start: w at the start and elsewhere [node × dim].
  /// largest: bound of every entry of w on either side, m/s. Throws std::invalid_argument when there is no such
  /// region. Collective.
  InitialField(std::vector<Target> targets, const std::string& region, std::vector<double> start,
               double largest = INFINITY);

  /// Owned nodes of the region, dim entries of θ for each.
  const std::vector<int>& nodes() const { return nodes_; }

  std::vector<DesignVariable> variables() const override { return {}; }
  DesignVector start() const override;
  DesignVector lower() const override;
  DesignVector upper() const override;
  LocalEntries local_entries() const override { return {ControlLayout::nodes, mesh().dim, nodes_, VariableTransform(), scale_}; }
  void set_monitor(const std::shared_ptr<SolveMonitor>& monitor) override {
    for (Target& t : targets_) t.projection->set_monitor(monitor);
  }
  Evaluation apply(const DesignVector& theta, std::vector<Controls>& d) override;
  void want(std::vector<Controls>& d_bar) const override;
  Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) override;
  Evaluation vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) override;
  Evaluation vjp_tangent(const DesignVector&, const DesignVector&, const std::vector<Controls>&, std::vector<Controls>&,
                         DesignVector&) override {
    return Evaluation::failure("processes in time have no second derivatives");
  }

 private:
  const Mesh& mesh() const { return targets_.front().projection->mesh(); }
  /// w with what θ says in its places.
  std::vector<double> filled(const DesignVector& theta, std::vector<double> w) const;

  std::vector<Target> targets_;
  std::vector<double> start_;  // w
  double largest_;
  std::vector<int> nodes_;
  std::vector<double> scale_;  // θ/w at each of the nodes
};

}  // namespace invar
