#pragma once
#include <memory>
#include <span>
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

/// Lists of rows whose numbers are added up together, rows ascending, in device memory.
struct RowLists {
  DeviceArray<int> start, from;  // as in PlaceSum

  RowLists() = default;
  /// list_of: [row] its list; −1: it is in none.
  RowLists(const std::shared_ptr<Device>& device, std::span<const int> list_of, int n_lists);
};

/// Where these sums go: targets of PlaceSum in device memory.
struct PlaceList {
  int n_targets = 0, most = 1;
  DeviceArray<PlaceSum::Target> targets;

  PlaceList() = default;
  PlaceList(const std::shared_ptr<Device>& device, std::span<const PlaceSum::Target> targets);

  OneByOne<PlaceSum> sum(const RowLists& rows, const double* values, int stride, int offset, double* target) const {
    return {n_targets * most, {most, targets.data(), rows.start.data(), rows.from.data(), values, stride, offset, target}};
  }
};

/// Sums of the element matrices of cells first … end − 1, rows (cell − first) · n_nodes² + a · n_nodes + b.
struct MatrixPart {
  int first, end;
  RowLists rows;
  PlaceList entries;
};

/// One group of cells with its tables and lists in device memory. Rows produced by cell k: those of its nodes a, number k · n_nodes + a;
/// after these of all cells one of the cell itself, number n_cells · n_nodes + k.
class CellTables {
 public:
  /// basis_of: scalar basis of each component of the form. only_gradients: no values of the unknown are read.
  CellTables(std::shared_ptr<Device> device, const BatchGroup& group, std::span<const int> basis_of, int dim, int ref_dim,
             bool only_gradients);

  const CellView& view(Rule rule = Rule::full) const { return rule == Rule::full ? view_ : cheap_view_; }
  /// The a-th local node of a cell.
  int node(int cell, int a) const { return node_of_[std::size_t(cell) * view_.n_nodes + a]; }
  const RowLists& node_rows() const { return node_rows_; }     // a list per node of the group
  const RowLists& cell_rows() const { return cell_rows_; }     // a list per cell
  // Targets of these sums: of the lists of nodes all dofs of a node; one number each, by node; dim numbers each; of those of cells one
  // number each, by position in values per cell.
  const PlaceList& dofs() const { return dofs_; }
  const PlaceList& nodes() const { return nodes_; }
  const PlaceList& coordinates() const { return coordinates_; }
  const PlaceList& cells() const { return cells_; }
  /// Sums of the element matrices in this matrix, in parts of at most `cells_of_part` cells. On one process.
  std::vector<MatrixPart> matrix_parts(const AssembledMatrix& K, int cells_of_part) const;

 private:
  /// Tables of shape functions of a rule in device memory: of the geometry, the unknown's bases and linear functions.
  struct Tables {
    DeviceArray<double> weights, N[4], dN[4], N_columns[4], dN_columns[4];
  };
  void send(Tables& to, int place, const Tabulation& t, PointBasis& basis, PointColumn& column) const;
  void make_cheap_view(const BatchGroup& g, bool only_gradients);
  MatrixPart matrix_part(const AssembledMatrix& K, int first, int end, std::vector<int>& list_of_node) const;

  std::shared_ptr<Device> device_;
  int n_components_;
  std::vector<int> node_of_, dof_of_;          // as in the view
  std::vector<ComponentPlace> component_of_;
  Tables full_, cheap_;
  DeviceArray<int> node_, dof_, cell_;
  DeviceArray<ComponentPlace> component_;
  RowLists node_rows_, cell_rows_;
  PlaceList dofs_, nodes_, coordinates_, cells_;
  CellView view_, cheap_view_;
};

}  // namespace invar
