#pragma once
#include <memory>
#include <vector>

#include "libfem/mesh/coordinate_cell_field.hpp"
#include "libfem/mesh/wall_distance.hpp"
#include "libfem/space/cell_reciprocal.hpp"

namespace invar {

/// Mean of 1/d over each cell [1/m], d from a WallDistance (see CellReciprocal); derivatives are exact.
class WallProximity final : public CoordinateCellField {
 public:
  /// `move` also updates the distance.
  WallProximity(std::shared_ptr<const Mesh> mesh, std::shared_ptr<WallDistance> distance);

  void move(const std::vector<double>& x) override;
  const std::vector<double>& values() const override { return proximity_; }
  void jvp(const double* x_dot, double* field_dot) const override;
  void vjp(const double* field_bar, double* x_bar) const override;
  void vjp_tangent(const double* x_dot, const double* field_bar, const double* field_bar_dot,
                   double* x_bar_dot) const override;
  /// Derivatives by the distances of nodes, see CellReciprocal::slopes.
  std::vector<double> slopes() const { return reciprocal_.slopes(distance_->values().data()); }

 private:
  /// Adds the ghost entries of a nodal field to their owners' entries. Collective.
  std::vector<double> at_owners(std::vector<double> nodal) const;

  std::shared_ptr<const Mesh> mesh_;
  std::shared_ptr<WallDistance> distance_;
  CellReciprocal reciprocal_;
  std::vector<double> proximity_;
};

}  // namespace invar
