#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "libfem/form/point_shape.hpp"
#include "libfem/math/simd.hpp"
#include "libfem/mesh/boundary_facets.hpp"
#include "libfem/space/dof_map.hpp"

namespace invar {

/// Shape functions of one Lagrange basis at the quadrature points of a reference cell.
struct Tabulation {
  int n_nodes = 0;
  std::vector<double> N;   // [point][node]
  std::vector<double> dN;  // [point][node][ref_dim]

  PointBasis at(int q, int ref_dim) const {
    return {n_nodes, N.data() + q * n_nodes, dN.data() + q * n_nodes * ref_dim};
  }
};

/// Cells (or facets) of one type in batches of `simd_width`, one cell per lane. The last batch repeats its last cell in unused
/// lanes, which are never written.
struct BatchGroup {
  /// A run: components that are contiguous at every node of the group.
  struct RunPlace {
    int run, shift;
  };

  CellType type;
  int n_nodes = 0;                    // per cell
  int n_batches = 0;
  int first_point = 0;                // number of points of all batches in earlier groups
  int degree = 0;                     // polynomial degree integrated exactly on affine cells
  std::vector<double> weights;        // [point]
  Tabulation geometry;                // the cell's own basis
  std::array<Tabulation, 2> basis;    // of the unknown's scalar bases, on the first nodes of the cell
  std::array<Tabulation, 2> test;     // of test functions, if different: see CellBatches::on_sides
  std::vector<int> node;              // [batch][node][lane] local node
  std::vector<int> dof;               // [run][batch][node][lane] local dof of the run's first component
  std::vector<RunPlace> runs;         // per component of the form
  bool whole_nodes = true;            // there is one run, which begins with the first dof of each node
  std::vector<int> cell;              // [batch][lane] number among all cells (or facets) of the rank
  std::vector<int> active;            // [batch] number of lanes with a cell of their own
  std::vector<int> owned;             // [batch] number of leading lanes whose cell this rank owns

  int n_points() const { return static_cast<int>(weights.size()); }
  /// Local dofs of component c of the form at the nodes of batch b: first[node · simd_width + lane] + shift.
  struct ComponentDofs {
    const int* first;
    int shift;
    int at(int node, int lane) const { return first[node * simd_width + lane] + shift; }
  };
  ComponentDofs dofs(int c, int b) const {
    const std::size_t batch = std::size_t(runs[c].run) * n_batches + b;
    return {&dof[batch * n_nodes * simd_width], runs[c].shift};
  }
  /// Shape functions at point q of a cell of dimension ref_dim.
  PointShape at(int q, int ref_dim) const {
    return {geometry.at(q, ref_dim), {basis[0].at(q, ref_dim), basis[1].at(q, ref_dim)}};
  }
  /// The same for test functions.
  PointShape test_at(int q, int ref_dim) const {
    if (test[0].n_nodes == 0) return at(q, ref_dim);
    return {geometry.at(q, ref_dim), {test[0].at(q, ref_dim), test[1].at(q, ref_dim)}};
  }
};

/// Integration domain of a form: cells or facets of a region, tabulated and packed; and the form's components among those of
/// the space, so that one q-function can be used in spaces with further components, or on parts of a mesh.
struct CellBatches {
  std::shared_ptr<const DofMap> dofs = {};
  std::vector<int> components = {};  // component c of the form is number components[c] of the space
  std::vector<int> orders = {};      // their distinct orders, highest first: the form's scalar bases
  std::vector<BatchGroup> groups = {};

  /// The same domain without cells.
  CellBatches without_cells() const { return {dofs, components, orders}; }
  /// Scalar basis of component c of the form.
  int basis_of(int c) const {
    const int order = dofs->components()[components[c]].order;
    return static_cast<int>(std::ranges::find(orders, order) - orders.begin());
  }

  /// `region` empty: all cells. `degree`: polynomial degree integrated exactly on affine cells. `components`: of the space, in
  /// the form's order; empty: those that exist everywhere or exactly on this region. Throws std::invalid_argument if there is
  /// no such region of that dimension, or a component does not exist on all of it.
  static CellBatches on_cells(std::shared_ptr<const DofMap> dofs, const std::string& region, int degree,
                              std::vector<int> components = {});
  static CellBatches on_facets(std::shared_ptr<const DofMap> dofs, const std::string& region, int degree,
                               std::vector<int> components = {});
  /// The nodes of a region as integration points with weight one, for forms of ref_dim 0. `components`: as above; empty: those
  /// of the highest order that exist everywhere.
  static CellBatches on_points(std::shared_ptr<const DofMap> dofs, const std::string& region, std::vector<int> components = {});

  /// Quadrature points on facets of these cells, as points of the cells with the weights of the reference facets. A test
  /// function v has there the gradient v ⊗ N, with N the reference facet's outward normal times its area, and the value zero: ∫
  /// flux·∇v over the cells becomes ∫ (flux·n)·v over the sides, for fluxes and derivatives alike. sides: ascending; those of
  /// other cells are ignored.
  CellBatches on_sides(const std::vector<CellSide>& sides) const;
  /// The subset of these cells (or facets) with the given positions, ascending.
  CellBatches only(const std::vector<int>& positions) const;
};

}  // namespace invar
