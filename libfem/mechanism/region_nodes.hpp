#pragma once
#include <array>
#include <string>
#include <vector>

#include "libadjoint/petsc.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// The nodes of a region of a distributed mesh and, for facets, their connectivity; the same on every rank.
struct RegionNodes {
  struct Node {
    long long original = 0;           // position in the serial mesh
    std::array<double, 3> x{};        // undeformed, m
    double weight = 0;                // ∫ of its shape function over the region, m to the power of its dimension (around an axis one more)
    std::vector<PetscInt> dofs = {};  // global, per component of the space; −1: no dof
  };
  struct Facet {
    CellType type;
    std::vector<int> nodes;  // positions in `nodes`
  };
  std::string name;           // of the region
  bool around_axis = false;   // weights are integrals over the full circle
  int dim = 0;                // of space
  std::vector<Node> nodes;    // ascending by `original`
  std::vector<Facet> facets;  // of a region of facets

  /// Lowest and highest corner of the box around them, m.
  std::array<std::array<double, 3>, 2> box() const;
  /// Its longest edge.
  double extent() const;
};

/// Collective. Points and edges have nodes of weight 1. around_axis: weights of integrals over the full circle, x being the radius.
RegionNodes gather_region(const DofMap& dofs, const std::string& region, bool around_axis = false);

}  // namespace invar
