#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "libadjoint/solve/multigrid_levels.hpp"
#include "libfem/form/cell_matrix.hpp"
#include "libfem/form/lattice_interpolation.hpp"
#include "libfem/mesh/cell_lattice.hpp"

namespace invar {

/// Geometric multigrid on a lattice of cells: each level doubles the cell size along all axes with more than one cell, and interpolates
/// between corners. Coarse matrices are exact Galerkin products Pᵀ K P, summed from the element matrices of the cells inside (E. A. Träff
/// et al., Comput. Methods Appl. Mech. Eng. 2023, 116043: without the matrix of the finest level). Coarse cells at the boundary or with
/// holes are treated like all others. An unknown of a coarse node is constrained if that of the fine node at the same place is.
class LatticeLevels : public MultigridLevels {
 public:
  /// `fine` must belong to the lattice's mesh. Throws std::invalid_argument if the lattice has one cell. Collective.
  LatticeLevels(std::shared_ptr<const CellMatrix> fine, const CellLattice& lattice);

  int count() const override { return static_cast<int>(levels_.size()) + 1; }
  std::string_view method() const override { return "cg_lattice"; }
  Mat finest() const override { return fine_->mat(); }
  Mat prolongation(int level) const override { return at(level - 1).prolongation->mat(); }
  Mat matrix(int level) const override { return level + 1 < count() ? at(level).matrix.get() : finest(); }
  std::string set_up() override;

  static constexpr int most_components = 4;

 private:
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
    std::unique_ptr<LatticeInterpolation> prolongation;  // to the previous level
    MatHandle matrix;                   // Galerkin product

    std::int64_t id_of(const Place& node) const;
    int position(const Place& node) const;
  };
  /// A cell of the mesh that this rank owns.
  struct FineCell {
    int cell;                // of the mesh
    unsigned short order;    // of its corners, one of orders_
    int nodes = -1;          // position in fine_nodes_ if it has constrained unknowns
  };

  const Level& at(int level) const { return levels_[levels_.size() - 1 - level]; }
  int of_cell() const { return (1 << dim_) * nc_; }  // unknowns
  void order_cells(const CellLattice& lattice);
  void number_nodes(Level& level, const std::vector<std::int64_t>& touched);
  void find_fixed(Level& level, const OwnedNodes& finer);
  void make_prolongation(Level& level, const OwnedNodes& finer);
  void make_matrix(Level& level, bool coarsest);
  void project(const double* K, int child, const std::array<bool, 3>& halved, double factor, double* sum) const;
  void add_fine_cell(std::size_t cell, std::vector<double>& sum);
  void add_cell(std::size_t level, std::size_t cell, std::vector<double>& K);
  std::string fill_empty_rows(Level& level) const;

  std::shared_ptr<const CellMatrix> fine_;
  int dim_, nc_;
  MPI_Comm comm_;
  std::vector<Level> levels_;                       // the coarsest last
  std::vector<FineCell> cells_;                     // in the order of the traversal
  std::vector<std::vector<unsigned char>> child_;   // [level][cells of the previous level] position in its coarse cell: bit k
                                                    // is set in the upper half along axis k
  std::vector<std::array<signed char, 8>> orders_;  // of corners among the nodes of a cell
  std::vector<Corners> fine_nodes_;                 // local, by corner
  // for one `set_up`: kinds and factors of each of `cells_`, and their projections to the first level
  std::vector<int> first_share_;
  std::vector<std::pair<int, double>> shares_;      // kind and factor
  std::map<std::array<int, 3>, std::vector<double>> projected_;  // by kind, order and child
};

}  // namespace invar
