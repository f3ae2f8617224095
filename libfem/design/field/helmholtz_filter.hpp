#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libfem/design/field/cell_weights.hpp"
#include "libfem/form/assembled_matrix.hpp"

namespace invar {

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
  int cell_count() const { return weights_->cell_count(); }
  const std::vector<char>& owned() const { return weights_->owned(); }        // [cell]
  const std::vector<double>& volumes() const { return weights_->volumes(); }  // [cell] m³, planar per metre of depth

  /// smooth = ρ̃ in all cells of the rank; of rho [cell] only owned entries are read. Linear: directions go
  /// the same way.
  Evaluation apply(const std::vector<double>& rho, std::vector<double>& smooth);
  /// rho_bar = (∂ρ̃/∂ρ)ᵀ smooth_bar, complete in all cells of the rank; of smooth_bar only owned entries
  /// are read.
  Evaluation vjp(const std::vector<double>& smooth_bar, std::vector<double>& rho_bar);

  /// Hears of the solves from now on.
  void set_monitor(std::shared_ptr<SolveMonitor> monitor) { solver_.set_monitor(std::move(monitor)); }

 private:
  /// out = W A⁻¹ Wᵀ in, which is symmetric.
  Evaluation smooth(const std::vector<double>& in, std::vector<double>& out);

  std::shared_ptr<const DofMap> dofs_;
  std::unique_ptr<CellWeights> weights_;
  std::unique_ptr<AssembledMatrix> matrix_;
  LinearSolver solver_;
  VecHandle load_, phi_;
};

}  // namespace invar
