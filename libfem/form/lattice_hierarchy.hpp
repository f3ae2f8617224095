#pragma once
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "libfem/form/lattice_interpolation.hpp"
#include "libfem/mesh/cell_lattice.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// Coarser lattices below that of a mesh: each doubles the cell size along all axes with more than one cell, until there are few unknowns.
/// Cells and nodes of every level, which unknowns are held there, and the coarse nodes between which each node lies. An unknown of a coarse
/// node is constrained if that of the fine node at the same place is.
class LatticeHierarchy {
 public:
  using Place = std::array<int, 3>;
  using Corners = std::array<int, 8>;

  /// Nodes in the row order of the equation, with flags of constrained unknowns, [node][component].
  struct OwnedNodes {
    std::vector<Place> place;
    std::vector<char> fixed;
  };
  /// One coarse level. Its nodes here are those next to an own cell of the rank; on the first level also those next to a ghost cell.
  struct Level {
    Place cells = {1, 1, 1};            // of the whole grid
    std::array<bool, 3> halved = {};    // axes along which cells are twice as long as on the previous level
    std::vector<std::int64_t> id;       // [nodes] number in the whole grid, ascending
    std::vector<PetscInt> global;       // [nodes] number in the equation
    std::vector<char> fixed;            // [nodes][component]
    OwnedNodes owned;
    std::vector<Corners> corners;       // [cells in traversal order] their nodes
    std::vector<int> end;               // [cells] end of the cells of the previous level inside
    LatticeInterpolation::Nodes interpolation;  // to the previous level

    std::int64_t id_of(const Place& node) const;
    int position(const Place& node) const;
  };
  /// A cell of the mesh that this rank owns.
  struct FineCell {
    int cell;                // of the mesh
    unsigned short order;    // of its corners, for `order`
    int nodes = -1;          // position among `fine_nodes` if it has constrained unknowns
  };

  /// constrained: flags of local dofs. Throws std::invalid_argument if the lattice has one cell. Collective.
  LatticeHierarchy(const DofMap& dofs, const std::vector<char>& constrained, const CellLattice& lattice);

  int dim() const { return dim_; }
  int components() const { return nc_; }
  MPI_Comm comm() const { return comm_; }
  /// Number of coarse levels; the last one is the coarsest.
  int count() const { return static_cast<int>(levels_.size()); }
  const Level& level(int t) const { return levels_[t]; }
  /// Hands over `interpolation` of a level.
  LatticeInterpolation::Nodes take_interpolation(int t) { return std::exchange(levels_[t].interpolation, {}); }
  /// The own cells of the mesh in the order of the traversal: those of any coarse cell are consecutive.
  const std::vector<FineCell>& cells() const { return cells_; }
  /// Position of a cell of the level before in its coarse cell: bit k is set in the upper half along axis k.
  int child(int t, std::size_t cell) const { return child_[t][cell]; }
  /// Number of the corner at each node of a cell.
  const std::array<signed char, 8>& order(const FineCell& of) const { return orders_[of.order]; }
  /// Local nodes by corner.
  const Corners& fine_nodes(const FineCell& of) const { return fine_nodes_[of.nodes]; }

 private:
  void order_cells(const DofMap& dofs, const std::vector<char>& constrained, const CellLattice& lattice);
  void number_nodes(Level& level, const std::vector<std::int64_t>& touched);
  void find_fixed(Level& level, const OwnedNodes& finer);
  void find_parents(Level& level, const OwnedNodes& finer);

  int dim_, nc_;
  MPI_Comm comm_;
  std::vector<Level> levels_;
  std::vector<FineCell> cells_;
  std::vector<std::vector<unsigned char>> child_;   // [level][cells of the previous level]
  std::vector<std::array<signed char, 8>> orders_;
  std::vector<Corners> fine_nodes_;
};

}  // namespace invar
