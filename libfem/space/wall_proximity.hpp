#pragma once
#include <memory>
#include <vector>

#include "libfem/mesh/coordinate_cell_field.hpp"
#include "libfem/mesh/wall_distance.hpp"
#include "libfem/space/cell_reciprocal.hpp"

namespace invar {

/// The mean of 1/d over each cell [1/m], d a WallDistance, see CellReciprocal; derivatives are exact.
class WallProximity final : public CoordinateCellField {
 public:
  /// The distance moves with this field.
  WallProximity(std::shared_ptr<const Mesh> mesh, std::shared_ptr<WallDistance> distance);

  void move(const std::vector<double>& x) override;
  const std::vector<double>& values() const override { return proximity_; }
  void jvp(const double* x_dot, double* field_dot) const override;
  void vjp(const double* field_bar, double* x_bar) const override;
  void vjp_tangent(const double* x_dot, const double* field_bar, const double* field_bar_dot,
                   double* x_bar_dot) const override;

 private:
  /// What is at ghosts of a nodal field is added to their owners'. Collective.
  std::vector<double> at_owners(std::vector<double> nodal) const;

  std::shared_ptr<const Mesh> mesh_;
  std::shared_ptr<WallDistance> distance_;
  CellReciprocal reciprocal_;
  std::vector<double> proximity_;
};

}  // namespace invar
