#pragma once
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/solve/linear_solver.hpp"
#include "libfem/design/field/cell_weights.hpp"
#include "libfem/form/assembled_matrix.hpp"

namespace invar {

/// Gaussian prior of cell fields in a region with mean 0, standard deviation σ and correlation length ℓ (distance at which the correlation
/// is about 0.1): q = B ξ with independent standard normal ξ, one per first-order node of the region,
///   B = V⁻¹ W A⁻¹ M^{1/2},   A = δ M' + γ K + β M_Γ.
/// M' is the consistent and M the lumped mass matrix, K the stiffness matrix, M_Γ the lumped boundary mass, V⁻¹ W the cell means. The nodal
/// covariance is A⁻¹ M A⁻¹ (Lindgren, Rue and Lindström 2011), a Matérn field of smoothness ν = 2 − d/2. With κ = √(8ν)/ℓ and s such that
/// the variance in free space is σ²: γ = 1/s, δ = κ²/s. Boundaries would double to quadruple the variance; β = √(γδ)/1.42 limits this to a
/// few percent (Daon and Stadler 2018; Villa, Petra and Ghattas, hIPPYlib, 2021, section 3.1). Cell means have a smaller variance than
/// points, by 6 % if a correlation length is five cells. Axisymmetric: a field of the meridian plane. Calls are collective.
class BilaplacianPrior {
 public:
  /// region: of cells; empty: all. deviation, correlation [m] > 0. Throws std::invalid_argument if they are not positive, or the region
  /// does not exist or is empty.
  BilaplacianPrior(std::shared_ptr<const Mesh> mesh, const std::string& region, double deviation, double correlation,
                   LinearSolverOptions options = {.rtol = 1e-12, .prefix = "prior_"});

  /// This rank's own nodes of the region, one per entry of ξ: local numbers.
  const std::vector<int>& nodes() const { return nodes_; }
  /// M^{1/2} at these nodes: the ratio of ξ to the mesh-independent field M^{-1/2} ξ.
  std::vector<double> roots_of_mass() const;
  /// Number of local cells, ghosts included.
  int cell_count() const { return weights_->cell_count(); }
  /// σ, with the weight.
  double deviation() const { return scale_ * deviation_; }
  /// Divides σ by √w, w > 0, relative to the one given at first.
  void set_weight(double w) { scale_ = 1 / std::sqrt(w); }

  /// q = B ξ in all local cells; 0 outside the region.
  Evaluation apply(const std::vector<double>& xi, std::vector<double>& q);
  /// xi_bar = Bᵀ q_bar; of q_bar only owned cells are read.
  Evaluation vjp(const std::vector<double>& q_bar, std::vector<double>& xi_bar);
  /// Variance of q in each local cell, ghosts included: one solve per cell of the region or, for more than `most` cells, from this number
  /// of random fields, with a relative error of √(2/most).
  Evaluation variance(std::vector<double>& of_cell, int most = 4000);
  void set_monitor(std::shared_ptr<SolveMonitor> monitor) { solver_.set_monitor(std::move(monitor)); }

 private:
  void assemble(const CellBatches& cells, const std::string& region, double correlation);
  void add_wall(const std::string& region, double beta, Vec diagonal) const;

  std::shared_ptr<const DofMap> dofs_;  // one first-order component, on the region
  double deviation_, scale_ = 1;
  std::unique_ptr<CellWeights> weights_;
  std::unique_ptr<AssembledMatrix> matrix_;
  LinearSolver solver_;
  VecHandle root_mass_;                 // M^{1/2}
  VecHandle load_, field_;
  std::vector<int> nodes_;
};

}  // namespace invar
