#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libfem/form/assembled_matrix.hpp"

namespace invar {

struct CellBatches;

/// Smooths a field with one value per cell: −r² Δφ + φ = ρ with the natural boundary condition, solved
/// on first-order nodes, and ρ̃ = mean of φ over each cell (Lazarov and Sigmund, Filters in topology
/// optimization based on Helmholtz-type differential equations, 2011); r = R/(2√3) for a radius R.
/// The mass matrix is lumped: then ρ̃ stays between the extremes of ρ for any R on squares, cubes and
/// simplices without obtuse angles, whereas a consistent one overshoots where R is below two cells.
///
/// With W = [∫ over cell c of N_a] and V = diag(volumes): ρ̃ = V⁻¹ W (r² K + diag(Wᵀ1))⁻¹ Wᵀ ρ. Constants
/// stay what they are and ∫ρ̃ = ∫ρ. The operator is factored once. Calls are collective.
class HelmholtzFilter {
 public:
  /// radius: R > 0, m. axisymmetric: integrals over the full circle, x = r. Throws
  /// std::invalid_argument for a radius that is not positive.
  HelmholtzFilter(std::shared_ptr<const Mesh> mesh, double radius, bool axisymmetric,
                  LinearSolverOptions options = {.rtol = 1e-12, .prefix = "filter_"});

  const Mesh& mesh() const { return dofs_->mesh(); }
  /// Cells of this rank, all blocks of Mesh::cells in turn, ghosts included.
  int cell_count() const { return static_cast<int>(volumes_.size()); }
  const std::vector<char>& owned() const { return owned_; }        // [cell]
  const std::vector<double>& volumes() const { return volumes_; }  // [cell] m³, planar per metre of depth

  /// smooth = ρ̃ in all cells of the rank; of rho [cell] only owned entries are read. Linear: directions go
  /// the same way.
  Evaluation apply(const std::vector<double>& rho, std::vector<double>& smooth);
  /// rho_bar = (∂ρ̃/∂ρ)ᵀ smooth_bar, complete in all cells of the rank; of smooth_bar only owned entries
  /// are read.
  Evaluation vjp(const std::vector<double>& smooth_bar, std::vector<double>& rho_bar);

 private:
  template <class Q>
  void build(const CellBatches& cells);
  /// out = W A⁻¹ Wᵀ in, which is symmetric.
  Evaluation smooth(const std::vector<double>& in, std::vector<double>& out);
  void gather(const std::vector<double>& cells, Vec nodes) const;   // nodes = Wᵀ cells
  void spread(Vec nodes, std::vector<double>& cells) const;         // cells = W nodes

  double radius_;
  std::shared_ptr<const DofMap> dofs_;
  std::vector<char> owned_;
  std::vector<double> volumes_;
  std::vector<int> start_, dof_;  // [cell + 1] and, from there on, the dofs of the cell's vertices
  std::vector<double> weight_;    // W, parallel to dof_
  std::unique_ptr<AssembledMatrix> matrix_;
  LinearSolver solver_;
  VecHandle load_, phi_;
};

}  // namespace invar
