#pragma once
#include <set>
#include <string>
#include <vector>

#include "libadjoint/parameterization.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

class TiedEquation;

/// A case whose mesh a shape may move.
struct ProbedCase {
  const FormResidual* residual = nullptr;
  const TiedEquation* ties = nullptr;  // null: no unknowns are tied
  double extent = 0;                   // the smallest of the mesh along an axis [m]
};

/// Ties that do not hold in other shapes.
struct ShapeProbe {
  bool moves_fixed_nodes = false;  // nodes whose constraints hold for their undesigned positions only (`TiedEquation::fixed_nodes`)
  std::set<std::string> broken;    // names of constraints that held at the start, and do not hold nearby; empty if fixed nodes move
};

/// Moves the shape from its start along a direction in which no two of its entries are alike, at first order: a thousandth of the mesh's extent is far
/// above round-off in what holds, and small beside cells. Finds nothing where the shape cannot be evaluated. cases: those of the shape, by case index.
/// Collective.
ShapeProbe probe_shape(Parameterization& shape, const std::vector<ProbedCase>& cases, MPI_Comm comm);

}  // namespace invar
