#pragma once
#include <memory>
#include <vector>

#include "libfem/device/cell_view.hpp"
#include "libfem/device/device_array.hpp"
#include "libfem/device/sum_kernels.hpp"
#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/cell_batches.hpp"

namespace invar {

/// A form's own quadrature rule, or for preconditioners the one with the fewest points on simplices that is exact on straight cells for a
/// tangent with constant coefficients (4 points for the stiffness of second-order tetrahedra).
enum class Rule { full, cheap };

/// Destinations of the rows that cells produce: the list of PlaceSum in device memory.
struct PlaceList {
  int n_targets = 0, most = 1;
  DeviceArray<int> index, component, count, start, from;

  /// contributions: (target, component, row of the values), each target of one component; within a target the order of rows is kept.
  struct Contribution {
    int target, component, row;
  };
  PlaceList() = default;
  PlaceList(const std::shared_ptr<Device>& device, const std::vector<Contribution>& contributions, int count_of_each);

  PlaceSum sum(const double* values, int stride, int offset, double* target) const {
    return {n_targets, most, index.data(), component.data(), count.data(), start.data(), from.data(), values, stride, offset, target};
  }
};

/// One group of cells with its tables and lists in device memory. Rows produced by cell k: those of its nodes a, number k · (n_nodes
/// + 1) + a, then one of the cell itself.
class CellTables {
 public:
  /// basis_of: scalar basis of each component of the form. only_gradients: no values of the unknown are read.
  CellTables(std::shared_ptr<Device> device, const BatchGroup& group, std::span<const int> basis_of, int dim, int ref_dim,
             bool only_gradients);

  const CellView& view(Rule rule = Rule::full) const { return rule == Rule::full ? view_ : cheap_view_; }
  int rows() const { return view_.n_cells * (view_.n_nodes + 1); }
  const PlaceList& dofs() const { return dofs_; }              // one number each
  const PlaceList& nodes() const { return nodes_; }            // one number each, by node
  const PlaceList& coordinates() const { return coordinates_; }  // dim numbers each
  const PlaceList& owned_cells() const { return cells_; }      // one number each, by position in values per cell
  /// Rows of the cells that this rank owns; of all cells.
  const DeviceArray<int>& owned_rows() const { return owned_rows_; }
  const DeviceArray<int>& cell_rows() const { return cell_rows_; }
  /// The a-th local node of a cell.
  int node(int cell, int a) const { return node_of_[std::size_t(cell) * view_.n_nodes + a]; }
  /// List of the element entries in this matrix, for pairs a · n_nodes + b of each cell; one number each. Call between `begin` and
  /// `end` of the matrix; on one process.
  PlaceList matrix_entries(AssembledMatrix& K) const;

 private:
  /// Tables of shape functions of a rule in device memory.
  struct Tables {
    DeviceArray<double> weights, N[4], dN[4];
  };
  PointBasis send(Tables& to, int place, const Tabulation& t) const;
  void make_cheap_view(const BatchGroup& g, bool only_gradients);

  std::shared_ptr<Device> device_;
  int n_components_;
  std::vector<int> node_of_, dof_of_;  // as in the view
  Tables full_, cheap_;
  DeviceArray<int> node_, dof_, cell_, owned_rows_, cell_rows_;
  PlaceList dofs_, nodes_, coordinates_, cells_;
  CellView view_, cheap_view_;
};

}  // namespace invar
