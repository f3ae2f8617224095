#pragma once
#include <memory>
#include <string>

#include "libadjoint/static_case.hpp"
#include "libfem/design/boundary/boundary_source.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

struct FreeBoundaryOptions {
  std::string region;      // facets whose nodes are free
  double smoothing = 0;    // ε [m]: length of the Sobolev metric
  double largest = 0;      // bound of the design field in both directions, m; 0: none
  bool ends_move = false;  // nodes shared with other facet regions move too
};

/// Free-form boundary: every node moves along its undeformed normal, b = n S θ, where S smooths the design field θ [m]
/// along the boundary. (S is a Sobolev metric: a gradient method sees S g in place of the rough gradient g; Mohammadi
/// and Pironneau, Applied Shape Optimization for Fluids (2010), ch. 5.) Nodes shared with other facet regions are
/// fixed, unless these slide. θ has one entry per node of the region, on the rank that owns it.
class FreeBoundary final : public BoundarySource {
 public:
  /// Collective. Throws std::invalid_argument if the region does not exist or ε is not positive.
  FreeBoundary(std::shared_ptr<const Mesh> mesh, MPI_Comm comm, FreeBoundaryOptions options);

  std::vector<DesignVariable> variables() const override { return {}; }
  DesignVector start() const override { return {{}, std::vector<double>(owned_.size(), 0.0)}; }
  DesignVector lower() const override;
  DesignVector upper() const override;
  LocalEntries local_entries() const override { return {ControlLayout::nodes, 1, owned_}; }
  void set_monitor(const std::shared_ptr<SolveMonitor>& monitor) override { process_->set_monitor(monitor); }
  Evaluation displace(const DesignVector& theta, std::vector<double>& b) override;
  Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<double>& b_dot) override;
  Evaluation vjp(const DesignVector& theta, const std::vector<double>& b_bar, DesignVector& theta_bar) override;
  Evaluation vjp_curvature(const DesignVector&, const DesignVector&, const std::vector<double>&,
                           DesignVector&) override {
    return Evaluation::success(0);  // linear
  }

 private:
  void find_normals();
  Evaluation smooth(const DesignVector& theta, std::vector<double>& b);

  std::shared_ptr<const Mesh> mesh_;
  MPI_Comm comm_;
  FreeBoundaryOptions options_;
  std::vector<int> owned_;       // nodes of the region that this rank owns
  std::vector<double> normals_;  // [node × dim], zero off the region
  std::shared_ptr<FormResidual> residual_;
  int field_ = -1;               // control θ, per node
  std::unique_ptr<StaticCase> process_;
};

}  // namespace invar
