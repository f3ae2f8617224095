#pragma once
#include <cmath>
#include <vector>

#include "libadjoint/parameterization.hpp"
#include "libfem/design/field/region_cells.hpp"

namespace invar {

/// Values of a designed field, in its physical unit.
struct FieldRange {
  double start = 1;            // everywhere in the region
  double lower = -INFINITY, upper = INFINITY;
  double outside = 1;          // value in cells that are not designed; the filter uses it too
  double least = -INFINITY, greatest = INFINITY;  // admissible range of the model
};

/// A control with one entry per cell, in one or several cases.
struct FieldTarget {
  int case_index = 0, control = 0;
};

/// Last step of parameterizations of a material constant as a field: p = T(q) in the designed cells, q its coordinate, and a
/// given value elsewhere. All arrays: [cell] of the rank, ghosts included.
class CellConstant {
 public:
  /// cells: with physical values of those that are not designed.
  CellConstant(const Mesh& mesh, GivenCells cells, const VariableTransform& transform, const FieldRange& range, std::vector<FieldTarget> targets);

  const std::vector<char>& designed() const { return given_.designed; }
  const VariableTransform& transform() const { return transform_; }
  /// q of the last `apply`.
  const std::vector<double>& coordinates() const { return q_; }

  /// Fails if a value is not admissible. Collective.
  Evaluation apply(std::vector<double> q, std::vector<Controls>& d);
  void want(std::vector<Controls>& d_bar) const;

  // The functions below refer to the q of the last `apply`.

  void jvp(const std::vector<double>& q_dot, std::vector<Controls>& d_dot) const;
  /// q_bar; zero for ghosts.
  std::vector<double> vjp(const std::vector<Controls>& d_bar) const;
  std::vector<double> vjp_tangent(const std::vector<double>& q_dot, const std::vector<Controls>& d_bar,
                                  const std::vector<Controls>& d_bar_dot) const;

 private:
  VariableTransform transform_;
  FieldRange range_;
  std::vector<FieldTarget> targets_;
  GivenCells given_;
  std::vector<char> owned_;
  std::vector<double> q_;
  MPI_Comm comm_;
};

}  // namespace invar
