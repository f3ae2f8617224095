#pragma once
#include <vector>

#include "libfem/mesh/mesh.hpp"
#include "libfem/space/quadrature.hpp"

namespace invar {

/// ∫ N over a region of cells or facets for every local node, as functions of the nodal coordinates x [local node × dim]; around an axis ∫ 2π x N,
/// over the full circle. Exact for straight cells; quadrature of degree 8 for curved ones.
class NodalMeasures {
 public:
  /// The mesh must outlive it.
  NodalMeasures(const Mesh& mesh, const Region& region, bool around_axis);

  /// [local node], this rank's shares of sums over ranks: of the cells or facets that it owns.
  std::vector<double> values(const std::vector<double>& x) const;
  /// Their rates when coordinates move.
  std::vector<double> rates(const std::vector<double>& x, const std::vector<double>& x_dot) const;
  /// x_bar += (∂measures/∂x)ᵀ bar, complete for own nodes. bar [local node]: complete, also for ghosts.
  void add_gradient(const std::vector<double>& x, const std::vector<double>& bar, std::vector<double>& x_bar) const;
  /// Its derivative when x moves: x_bar_dot += (∂²measures/∂x² x_dot)ᵀ bar.
  void add_gradient_rate(const std::vector<double>& x, const std::vector<double>& x_dot, const std::vector<double>& bar, std::vector<double>& x_bar_dot) const;

 private:
  /// Cells of one type with their rule.
  struct Block {
    const CellBlock* cells;
    const std::vector<int>* members;
    int n, k;  // nodes of a cell, its dimension
    Quadrature rule;
    std::vector<double> N, dN;  // [point × node], [point × node × k]
  };
  template <class T>
  void integrate(const Block& block, const T* x, T* integral) const;
  template <class T>
  void differentiate(const Block& block, const T* x, const double* bar, T* x_bar) const;
  template <class T>
  T circle(const Block& block, int q, const T* x) const;

  int dim_, n_nodes_;
  bool around_axis_;
  std::vector<Block> blocks_;
};

}  // namespace invar
