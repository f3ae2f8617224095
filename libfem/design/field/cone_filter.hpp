#pragma once
#include <memory>
#include <vector>

#include "libfem/design/field/cell_filter.hpp"
#include "libfem/form/repeated_rows.hpp"

namespace invar {

/// Cone filter: smooths a cell field with weights that decrease linearly with the distance of cell centres x (Bruns and Tortorelli,
/// Topology optimization of non-linear elastic structures and compliant mechanisms, 2001; Bourdin, Filters in topology optimization,
/// 2001). With w_ij = max(0, R − |x_i − x_j|) and volumes V,
///   ρ̃_i = Σ_j w_ij V_j ρ_j / Σ_j w_ij V_j.
/// There are no cells beyond the mesh, so weights are normalised with the existing ones near its boundary. Constants are preserved
/// and ρ̃ stays between the extremes of ρ; ∫ρ̃ = ∫ρ does not hold near boundaries and where cell sizes vary.
/// On cells of one size the weights repeat and need little memory (`RepeatedRows`); otherwise 12 bytes per pair of cells within R.
class ConeFilter final : public CellFilter {
 public:
  /// radius: R > 0, m. axisymmetric (x = r): volumes of the full circle. Throws std::invalid_argument for a radius that is not
  /// positive. Collective.
  ConeFilter(std::shared_ptr<const Mesh> mesh, double radius, bool axisymmetric);

  Evaluation apply(const std::vector<double>& rho, std::vector<double>& smooth) override;
  Evaluation vjp(const std::vector<double>& smooth_bar, std::vector<double>& rho_bar) override;

 private:
  /// sum_ = w v, with v = fill(i) in own cells.
  template <class F>
  void weigh(const F& fill);

  std::unique_ptr<CellValues> values_;
  RepeatedRows weights_of_;     // w/R, own cells in the order of values_
  std::vector<double> sum_, total_;  // [own]; Σ_j w_ij V_j
};

}  // namespace invar
