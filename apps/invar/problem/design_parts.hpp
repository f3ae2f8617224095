#pragma once
#include <vector>

#include "apps/invar/problem/problem.hpp"

namespace invar {

/// The entries of one block of the design within the design vector.
struct DesignPart {
  std::size_t shared = 0, local = 0;  // where they begin
  LocalEntries of{};
  std::vector<DesignVariable> variables{};
};

/// Of every block, in their order.
std::vector<DesignPart> parts_of(const CaseFunctional& functional);

/// The mesh of the first case that a block of the design concerns.
const Mesh& mesh_of(const Problem& problem, std::size_t block);

/// Numbers in the mesh's file of the rank's cells (those of the k-th kind from k·2⁴⁰ on) or nodes: the same on any
/// number of ranks.
std::vector<long long> numbers_of(const Mesh& mesh, ControlLayout of);

}  // namespace invar
