#pragma once
#include <memory>

#include "libfem/design/boundary/boundary_map.hpp"
#include "libfem/design/boundary/boundary_source.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

/// A boundary displacement from a few numbers through a BoundaryMap.
class MappedBoundary final : public BoundarySource {
 public:
  /// nodes: local nodes of the map's points, in its order. scale: typical size of the numbers, in their own unit;
  /// lower, upper: their bounds.
  MappedBoundary(std::shared_ptr<const Mesh> mesh, std::vector<int> nodes, std::unique_ptr<BoundaryMap> map,
                 double scale, double lower, double upper);

  std::vector<DesignVariable> variables() const override;
  DesignVector start() const override { return {std::vector<double>(map_->size(), 0.0), {}}; }
  DesignVector lower() const override { return {std::vector<double>(map_->size(), lower_ / scale_), {}}; }
  DesignVector upper() const override { return {std::vector<double>(map_->size(), upper_ / scale_), {}}; }
  Evaluation displace(const DesignVector& theta, std::vector<double>& b) override;
  Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<double>& b_dot) override;
  Evaluation vjp(const DesignVector& theta, const std::vector<double>& b_bar, DesignVector& theta_bar) override;
  Evaluation vjp_curvature(const DesignVector& theta, const DesignVector& theta_dot, const std::vector<double>& b_bar,
                           DesignVector& theta_bar_dot) override;

 private:
  std::vector<double> physical(const DesignVector& theta) const;
  void spread(const std::vector<double>& w, std::vector<double>& b) const;
  std::vector<double> collect(const std::vector<double>& b_bar) const;  // zero at ghosts

  std::shared_ptr<const Mesh> mesh_;
  std::vector<int> nodes_;
  std::unique_ptr<BoundaryMap> map_;
  double scale_, lower_, upper_;
};

/// Coordinates of nodes, [nodes × dim].
std::vector<double> points_of(const Mesh& mesh, const std::vector<int>& nodes);

}  // namespace invar
