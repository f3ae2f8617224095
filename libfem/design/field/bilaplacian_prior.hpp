#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libfem/design/field/cell_weights.hpp"
#include "libfem/form/assembled_matrix.hpp"

namespace invar {

/// A normal distribution of fields in the cells of a region with mean 0, a standard deviation σ and a correlation length ℓ (where the
/// correlation has fallen to about 0.1): q = B ξ, ξ independent standard normal numbers, one per first-order node of the region,
///   B = V⁻¹ W A⁻¹ M^{1/2},   A = δ M' + γ K + β M_Γ,
/// M' the mass and M the same lumped, K the stiffness, M_Γ the lumped mass of the region's boundary, V⁻¹ W means over cells. On nodes that is the covariance
/// A⁻¹ M A⁻¹ of Lindgren, Rue and Lindström (2011), a Matérn field of smoothness ν = 2 − d/2. With κ = √(8ν)/ℓ and s such
/// that the variance in free space is σ²: γ = 1/s, δ = κ²/s. Walls would double to quadruple it; β = √(γδ)/1.42 keeps it
/// within some percents there (Daon and Stadler 2018; Villa, Petra and Ghattas, hIPPYlib, 2021, section 3.1). Means over
/// cells have a smaller variance than points, by 6 % where a correlation length is five cells. In axisymmetry, a field of the meridian plane. Calls are
/// collective.
class BilaplacianPrior {
 public:
  /// region: of cells; empty: all. deviation, correlation [m] > 0. Throws std::invalid_argument where they are not or there is no such region,
  /// or none of its cells.
  BilaplacianPrior(std::shared_ptr<const Mesh> mesh, const std::string& region, double deviation, double correlation,
                   LinearSolverOptions options = {.rtol = 1e-12, .prefix = "prior_"});

  /// The rank's own nodes of the region, one per entry of ξ: positions among the rank's nodes.
  const std::vector<int>& nodes() const { return nodes_; }
  /// M^{1/2} there: an entry of ξ over the value of the field M^{-1/2} ξ, which other meshes can have, too.
  std::vector<double> roots_of_mass() const;
  /// Cells of the rank, ghosts too.
  int cell_count() const { return weights_->cell_count(); }
  double deviation() const { return deviation_; }

  /// q = B ξ in all cells of the rank; 0 where they are not of the region.
  Evaluation apply(const std::vector<double>& xi, std::vector<double>& q);
  /// xi_bar = Bᵀ q_bar; of q_bar only the rank's own cells are read.
  Evaluation vjp(const std::vector<double>& q_bar, std::vector<double>& xi_bar);
  /// Variance of q in each cell of the rank, ghosts too: one solve per cell of the whole region, or, where these are more than
  /// `most`, from as many random fields, which leaves a relative error of √(2/most).
  Evaluation variance(std::vector<double>& of_cell, int most = 4000);
  void set_monitor(std::shared_ptr<SolveMonitor> monitor) { solver_.set_monitor(std::move(monitor)); }

 private:
  void assemble(const CellBatches& cells, const std::string& region, double correlation);
  void add_wall(const std::string& region, double beta, Vec diagonal) const;

  std::shared_ptr<const DofMap> dofs_;  // one first-order component, on the region
  double deviation_;
  std::unique_ptr<CellWeights> weights_;
  std::unique_ptr<AssembledMatrix> matrix_;
  LinearSolver solver_;
  VecHandle root_mass_;                 // M^{1/2}
  VecHandle load_, field_;
  std::vector<int> nodes_;
};

}  // namespace invar
