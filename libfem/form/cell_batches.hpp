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

/// Cells (or facets) of one type, in batches of `simd_width`: lane l of batch b is one cell. The
/// last batch repeats its last cell in the lanes that are left over; they never write.
struct BatchGroup {
  /// Components that are neighbours at every node of the group make up a run.
  struct RunPlace {
    int run, shift;
  };

  CellType type;
  int n_nodes = 0;                    // per cell
  int n_batches = 0;
  int first_point = 0;                // points of all batches of the groups before
  int degree = 0;                     // that the points integrate exactly on affine cells
  std::vector<double> weights;        // [point]
  Tabulation geometry;                // the cell's own basis
  std::array<Tabulation, 2> basis;    // of the unknown's scalar bases, on the cell's first nodes
  std::array<Tabulation, 2> test;     // of test functions where they differ: see CellBatches::on_sides
  std::vector<int> node;              // [batch][node][lane] local node
  std::vector<int> dof;               // [run][batch][node][lane] local dof of the run's first component
  std::vector<RunPlace> runs;         // per component of the form
  bool whole_nodes = true;            // one run, which begins with the first dof of each node
  std::vector<int> cell;              // [batch][lane] position among all cells of the rank (or facets)
  std::vector<int> active;            // [batch] lanes that hold a cell of their own
  std::vector<int> owned;             // [batch] leading lanes whose cell this rank owns

  int n_points() const { return static_cast<int>(weights.size()); }
  /// Local dofs of the form's component c at the nodes of batch b where it lives: first[node · simd_width + lane] +
  /// shift.
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
  /// The same with what test functions are there.
  PointShape test_at(int q, int ref_dim) const {
    if (test[0].n_nodes == 0) return at(q, ref_dim);
    return {geometry.at(q, ref_dim), {test[0].at(q, ref_dim), test[1].at(q, ref_dim)}};
  }
};

/// The integration domain of a form: cells or facets of a region, tabulated and packed; and which components of the
/// space are the form's own, so that one q-function serves in spaces that have others besides, or on parts of a mesh.
struct CellBatches {
  std::shared_ptr<const DofMap> dofs = {};
  std::vector<int> components = {};  // of the space: the form's component c is number components[c] there
  std::vector<int> orders = {};      // of these, distinct, highest first: the form's scalar bases
  std::vector<BatchGroup> groups = {};

  /// The same without any cell.
  CellBatches without_cells() const { return {dofs, components, orders}; }
  /// Which of its scalar bases the form's component c has.
  int basis_of(int c) const {
    const int order = dofs->components()[components[c]].order;
    return static_cast<int>(std::ranges::find(orders, order) - orders.begin());
  }

  /// `region` empty: all cells. `degree`: polynomial degree integrated exactly on affine cells. `components`: of the
  /// space, in the order in which the form knows them; empty: those that live everywhere or on just this region. Throws
  /// std::invalid_argument when there is no such region of that dimension, or a component does not live on all of it.
  static CellBatches on_cells(std::shared_ptr<const DofMap> dofs, const std::string& region, int degree,
                              std::vector<int> components = {});
  static CellBatches on_facets(std::shared_ptr<const DofMap> dofs, const std::string& region, int degree,
                               std::vector<int> components = {});
  /// The nodes of a region, each a domain of its own with measure and weight one: for forms of ref_dim 0. `components`:
  /// as above; empty: those of the highest order that live everywhere.
  static CellBatches on_points(std::shared_ptr<const DofMap> dofs, const std::string& region, std::vector<int> components = {});

  /// The points of these cells' facets, as points of the cells, with the weights of the reference facets. A test
  /// function v is there the gradient v ⊗ N with N the reference facet's outward normal times its area, and no
  /// value: ∫ flux·∇v over the cells turns into ∫ (flux·n)·v over the sides, for fluxes and derivatives alike.
  /// sides: ascending; those of other cells than these are left out.
  CellBatches on_sides(const std::vector<CellSide>& sides) const;
  /// Those of these cells (or facets) whose positions are given, ascending.
  CellBatches only(const std::vector<int>& positions) const;
};

}  // namespace invar
