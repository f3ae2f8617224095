#pragma once
#include <memory>
#include <vector>

#include "libfem/design/field/cell_filter.hpp"
#include "libfem/design/field/cell_orbits.hpp"
#include "libfem/design/field/region_cells.hpp"

namespace invar {

/// The cells of a region to which a design gives one number each, and what becomes of these numbers before a law makes controls of them:
/// means over the orbits of a symmetry or an extrusion, and a filter that also sees the given values of all other cells. The map is
/// affine in the numbers.
class DesignedCells {
 public:
  DesignedCells(std::shared_ptr<CellFilter> filter, GivenCells cells);

  /// Gives the cells of each orbit (of `cells()`) one value: the mean of their numbers before the filter, and the mean of the filtered
  /// values, which may differ near passive cells or the mesh boundary. Null: no orbits. Collective.
  void share(std::shared_ptr<const CellOrbits> orbits);

  const CellFilter& filter() const { return *filter_; }
  void set_monitor(const std::shared_ptr<SolveMonitor>& monitor) { filter_->set_monitor(monitor); }
  /// Owned designed cells, one per number: local numbers.
  const std::vector<int>& cells() const { return cells_; }
  const std::vector<char>& designed() const { return given_.designed; }  // [cell], ghosts included
  /// [cell] the given value of cells that are not designed, ghosts included.
  const std::vector<double>& fixed() const { return given_.value; }

  /// smooth [cell] of the numbers [cells()]. Collective, as the functions below.
  Evaluation apply(const std::vector<double>& numbers, std::vector<double>& smooth);
  Evaluation jvp(const std::vector<double>& numbers_dot, std::vector<double>& smooth_dot);
  /// numbers_bar += (∂smooth/∂numbers)ᵀ smooth_bar; of smooth_bar only designed, owned entries may differ from zero.
  Evaluation vjp(std::vector<double> smooth_bar, std::vector<double>& numbers_bar);

 private:
  /// Numbers in their cells, and `all` elsewhere.
  std::vector<double> filled(const std::vector<double>& numbers, std::vector<double> all) const;
  Evaluation smooth(const std::vector<double>& rho, std::vector<double>& smooth);
  /// Replaces the values of own designed cells by the means of their orbits.
  void take_means(std::vector<double>& cells) const;

  std::shared_ptr<CellFilter> filter_;
  std::shared_ptr<const CellOrbits> orbits_;  // null: each cell has a number of its own
  std::unique_ptr<CellValues> values_;        // for the exchange of means, if there are orbits
  GivenCells given_;
  std::vector<int> cells_;
};

}  // namespace invar
