#pragma once
#include <memory>
#include <vector>

#include "libfem/design/field/cell_filter.hpp"
#include "libfem/form/repeated_rows.hpp"

namespace invar {

/// Smooths a field with one value per cell by weights that fall linearly with the distance of cells' centres x (Bruns and
/// Tortorelli, Topology optimization of non-linear elastic structures and compliant mechanisms, 2001; Bourdin, Filters in topology
/// optimization, 2001): with w_ij = max(0, R − |x_i − x_j|) and volumes V,
///   ρ̃_i = Σ_j w_ij V_j ρ_j / Σ_j w_ij V_j.
/// Beyond the mesh there are no cells, so that cells at its edge weigh what they have. Constants stay what they are and ρ̃ stays
/// between the extremes of ρ; ∫ρ̃ = ∫ρ does not hold near edges and where the sizes of cells change.
///
/// On cells of one size the weights repeat from cell to cell and take no memory to speak of (`RepeatedRows`); elsewhere 12 bytes for
/// each pair of cells within R.
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
