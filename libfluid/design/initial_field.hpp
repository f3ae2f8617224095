#pragma once
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/parameterization.hpp"
#include "libfluid/design/solenoidal_projection.hpp"

namespace invar {

/// The initial velocity of transient flows as a design: u = P w (`SolenoidalProjection`, with each case's own
/// prescribed values) of a field w [m/s] on the nodes of a region; w is fixed at other nodes. θ has dim local entries
/// per owned node: w times √(∫ N² over its mean), N the node's shape function, so that ‖θ‖² is roughly proportional to
/// the mean square of w on any mesh. u also depends on coordinates and prescribed values designed by earlier blocks.
class InitialField final : public Parameterization {
 public:
  struct Target {
    int case_index = 0, control = 0;  // the case's initial velocity, [node × dim]
    std::shared_ptr<SolenoidalProjection> projection;
    int source = -1;  // control that holds w itself, for penalties; −1: none
  };

  /// All targets share one mesh. region: of cells, empty: all. start: initial w, and its fixed values elsewhere [node × dim].
  /// largest: bound of every entry of w in both directions, m/s. Throws std::invalid_argument if the region does not exist.
  /// Collective.
  InitialField(std::vector<Target> targets, const std::string& region, std::vector<double> start,
               double largest = INFINITY);

  /// Owned nodes of the region, with dim entries of θ each.
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
  /// u is linear in w and in prescribed values; fails if d_bar_dot wants derivatives by coordinates, on which its matrix depends.
  Evaluation vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot, const std::vector<Controls>& d_bar, std::vector<Controls>& d_bar_dot,
                         DesignVector& theta_bar_dot) override;

 private:
  const Mesh& mesh() const { return targets_.front().projection->mesh(); }
  /// w with the values of θ at designed nodes.
  std::vector<double> filled(const DesignVector& theta, std::vector<double> w) const;

  std::vector<Target> targets_;
  std::vector<double> start_;  // w
  double largest_;
  std::vector<int> nodes_;
  std::vector<double> scale_;  // ratio θ/w at each of the nodes
};

}  // namespace invar
