#pragma once
#include <array>
#include <map>
#include <memory>
#include <vector>

#include "libadjoint/solve/multigrid_levels.hpp"
#include "libfem/form/cell_matrix.hpp"
#include "libfem/form/lattice_hierarchy.hpp"

namespace invar {

/// Geometric multigrid on a lattice of cells, which interpolates between the corners of LatticeHierarchy. Coarse matrices are exact Galerkin
/// products Pᵀ K P, summed from the element matrices of the cells inside (E. A. Träff et al., Comput. Methods Appl. Mech. Eng. 2023, 116043:
/// without the matrix of the finest level). Coarse cells at the boundary or with holes are treated like all others.
class LatticeLevels : public MultigridLevels {
 public:
  /// `fine` must belong to the lattice's mesh. Throws std::invalid_argument if the lattice has one cell. Collective.
  LatticeLevels(std::shared_ptr<const CellMatrix> fine, const CellLattice& lattice);

  int count() const override { return tree_.count() + 1; }
  std::string_view method() const override { return "cg_lattice"; }
  Mat finest() const override { return fine_->mat(); }
  Mat prolongation(int level) const override { return prolongations_[at(level - 1)]->mat(); }
  Mat matrix(int level) const override { return level + 1 < count() ? matrices_[at(level)].get() : finest(); }
  std::string set_up() override;

  static constexpr int most_components = 4;

 private:
  int nc() const { return tree_.components(); }
  int of_cell() const { return (1 << tree_.dim()) * nc(); }  // unknowns
  /// Position of a level of MultigridLevels among the coarse levels of the hierarchy.
  int at(int level) const { return tree_.count() - 1 - level; }
  MatHandle create_matrix(const LatticeHierarchy::Level& level, bool coarsest) const;
  void project(const double* K, int child, const std::array<bool, 3>& halved, double factor, double* sum) const;
  void add_fine_cell(std::size_t cell, std::vector<double>& sum);
  void add_cell(int t, std::size_t cell, std::vector<double>& K);
  std::string fill_empty_rows(Mat matrix) const;

  std::shared_ptr<const CellMatrix> fine_;
  LatticeHierarchy tree_;
  std::vector<std::unique_ptr<LatticeInterpolation>> prolongations_;  // to the previous level, the coarsest last
  std::vector<MatHandle> matrices_;                                   // Galerkin products
  // for one `set_up`: kinds and factors of each of the cells, and their projections to the first level
  std::vector<int> first_share_;
  std::vector<std::pair<int, double>> shares_;      // kind and factor
  std::map<std::array<int, 3>, std::vector<double>> projected_;  // by kind, order and child
};

}  // namespace invar
