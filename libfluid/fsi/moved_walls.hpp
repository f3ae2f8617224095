#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libfem/form/form_residual.hpp"
#include "libfem/space/dof_map.hpp"
#include "libfem/space/wall_proximity.hpp"

namespace invar {

/// The distance to walls, and the cell means of its reciprocal, on a mesh whose nodes are displaced by components of the unknown.
class MovedWalls {
 public:
  /// displacement: components of the space. Exceptions as of WallDistance. Collective.
  MovedWalls(std::shared_ptr<const DofMap> dofs, const std::vector<std::string>& walls, std::vector<int> displacement);
  /// Flags of the local nodes whose displacement is unknown, not prescribed: only these have columns in matrices, for which this must be
  /// called. Every rank must hold those on walls (`distribute`), otherwise std::invalid_argument. Collective.
  void set_moving(std::vector<char> moving);
  /// Those that a finished equation on this space does not prescribe.
  void set_moving(const FormResidual& equation);

  /// Computes both at the displaced positions of this state; the functions below refer to the last call. Collective.
  void move(const FormState& at);
  const WallDistance& distance() const { return *distance_; }
  const WallProximity& proximity() const { return proximity_; }
  bool moves(int node) const { return moving_.at(node) != 0; }
  const std::vector<int>& displacement() const { return displacement_; }

  /// The direction of positions, [node × dim], along a direction of the coordinates and of the unknown.
  std::vector<double> direction(const FormTangent& d) const;
  /// Adds derivatives by positions to those by coordinates and by the unknown, as far as they are wanted.
  void add(const std::vector<double>& x_bar, FormCotangent& out) const;

 private:
  std::vector<double> position(const double* coordinates, const double* unknown) const;

  std::shared_ptr<const DofMap> dofs_;
  std::vector<int> displacement_;
  std::vector<char> moving_;
  std::shared_ptr<WallDistance> distance_;
  WallProximity proximity_;
};

}  // namespace invar
