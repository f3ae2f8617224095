#pragma once
#include <memory>
#include <vector>

#include "libadjoint/reduced_functional.hpp"
#include "libfem/design/field/cell_values.hpp"
#include "libfem/design/field/cell_weights.hpp"

namespace invar {

class SolveMonitor;

/// A linear filter F of cell fields that preserves constants. Calls are collective.
class CellFilter {
 public:
  virtual ~CellFilter() = default;

  const Mesh& mesh() const { return dofs_->mesh(); }
  /// Cells of this rank, all blocks of Mesh::cells in turn, ghosts included.
  int cell_count() const { return weights_->cell_count(); }
  const std::vector<char>& owned() const { return weights_->owned(); }        // [cell]
  std::vector<int> own_cells() const;                                         // local numbers
  const std::vector<double>& volumes() const { return weights_->volumes(); }  // [cell] m³, planar per metre of depth
  /// Edge of a square or cube with the mean volume of all cells, m. Collective.
  double typical_width() const;

  /// smooth = F rho in all local cells; of rho [cell] only owned entries are read. Directions are filtered in the same
  /// way.
  virtual Evaluation apply(const std::vector<double>& rho, std::vector<double>& smooth) = 0;
  /// rho_bar = Fᵀ smooth_bar, complete in the rank's own cells; of smooth_bar only owned entries are read.
  virtual Evaluation vjp(const std::vector<double>& smooth_bar, std::vector<double>& rho_bar) = 0;
  /// The monitor observes the solves from now on.
  virtual void set_monitor(std::shared_ptr<SolveMonitor>) {}

 protected:
  /// axisymmetric (x = r): integrals over the full circle.
  CellFilter(std::shared_ptr<const Mesh> mesh, bool axisymmetric);

  CellBatches cells() const;

  std::shared_ptr<const DofMap> dofs_;    // one first-order component
  std::unique_ptr<CellWeights> weights_;
};

/// The identity: copies the owners' values to ghost cells.
class NoFilter final : public CellFilter {
 public:
  NoFilter(std::shared_ptr<const Mesh> mesh, bool axisymmetric);

  Evaluation apply(const std::vector<double>& rho, std::vector<double>& smooth) override;
  Evaluation vjp(const std::vector<double>& smooth_bar, std::vector<double>& rho_bar) override;

 private:
  CellValues values_;
};

}  // namespace invar
