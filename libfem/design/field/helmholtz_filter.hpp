#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/solve/linear_solver.hpp"
#include "libfem/design/field/cell_filter.hpp"
#include "libfem/design/field/polynomial_filter.hpp"
#include "libfem/form/assembled_matrix.hpp"

namespace invar {

/// Helmholtz filter: smooths a cell field ρ by −r² Δφ + φ = ρ with the natural boundary condition on first-order nodes, and ρ̃ = mean
/// of φ over each cell (Lazarov and Sigmund, Filters in topology optimization based on Helmholtz-type differential equations, 2011); r
/// = R/(2√3) for a radius R. With a lumped mass matrix, ρ̃ stays between the extremes of ρ for any R on squares, cubes and simplices
/// without obtuse angles; the consistent one of that paper overshoots if R is below two cells. Lumping adds smoothing: on squares of
/// width h about as if r² were larger by h²/6.
/// With W = [∫ over cell c of N_a] and V = diag(volumes): ρ̃ = V⁻¹ W (r² K + diag(Wᵀ1))⁻¹ Wᵀ ρ. Constants are preserved, and ∫ρ̃ = ∫ρ.
/// `vjp` is complete in ghost cells too.
/// On small meshes the operator is factorised once. On large ones with a lumped mass a polynomial of the operator replaces its inverse
/// (`PolynomialFilter`): a fixed map, equal to the inverse to 1e-8, exactly symmetric, which preserves constants and integrals. If
/// this would need too many terms, as for cells far smaller than R, conjugate gradients solve to `options.rtol`.
class HelmholtzFilter final : public CellFilter {
 public:
  enum class Mass { lumped, consistent };

  /// radius: R > 0, m. axisymmetric (x = r): integrals over the full circle. Throws std::invalid_argument for a radius that is not
  /// positive.
  HelmholtzFilter(std::shared_ptr<const Mesh> mesh, double radius, bool axisymmetric, Mass mass = Mass::lumped,
                  LinearSolverOptions options = {.rtol = 1e-12, .prefix = "filter_"});

  Evaluation apply(const std::vector<double>& rho, std::vector<double>& smooth) override;
  Evaluation vjp(const std::vector<double>& smooth_bar, std::vector<double>& rho_bar) override;
  void set_monitor(std::shared_ptr<SolveMonitor> monitor) override { solver_.set_monitor(std::move(monitor)); }

 private:
  /// out = W A⁻¹ Wᵀ in, a symmetric map.
  Evaluation smooth(const std::vector<double>& in, std::vector<double>& out);

  std::unique_ptr<AssembledMatrix> matrix_;
  LinearSolver solver_;
  std::unique_ptr<PolynomialFilter> polynomial_;  // if used; then there is no matrix
  VecHandle load_, phi_;
};

}  // namespace invar
