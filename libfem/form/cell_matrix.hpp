#pragma once
#include <memory>
#include <span>
#include <vector>

#include "libadjoint/petsc.hpp"
#include "libfem/form/assembled_matrix.hpp"
#include "libfem/form/cell_batches.hpp"

namespace invar {

/// Matrix-free operator ∂r/∂u = Σ_e f_e Gₑᵀ K_k Gₑ: a sum over cells of a few different element matrices K_k, each
/// times a factor of the cell. This is the form of operators on congruent cells whose coefficients differ by a factor,
/// such as voxels of variable density. Nothing is assembled: products loop over the cells, in a tenth of the memory of
/// a sparse matrix. The kinds k are found by comparing the element matrices, so forms and laws need no special support.
/// For symmetric forms whose components exist at all nodes. Constrained rows and columns are those of AssembledMatrix.
/// The PETSc matrix is a shell with products, its diagonal and a norm; MatGetRowMaxAbs returns the diagonal.
class CellMatrix : public ElementMatrixSink {
 public:
  /// constrained: flags of local dofs. Collective.
  CellMatrix(std::shared_ptr<const DofMap> dofs, std::vector<char> constrained);
  CellMatrix(const CellMatrix&) = delete;
  CellMatrix& operator=(const CellMatrix&) = delete;

  /// Destination of element matrices between `begin` and `end`.
  AssembledMatrix& target() { return target_; }
  void begin();
  /// Collective.
  void end();
  void take(const BatchGroup& g, int b, const Pack* blocks, std::span<const int> basis, bool symmetric) override;

  /// Whether all element matrices were symmetric, from cells with all components of the space at all nodes.
  bool suits() const { return suits_; }
  int kinds() const { return static_cast<int>(kinds_.size()); }
  Mat mat() const { return mat_; }
  const DofMap& dofs() const { return *dofs_; }
  int components() const { return components_; }
  const std::vector<char>& constrained() const { return target_.constrained(); }
  /// [own unknowns] diagonal of the unconstrained rows; its mean in constrained rows.
  const std::vector<double>& diagonal() const { return diagonal_; }

  /// Calls visit(cell, kind, factor) for the cells that this rank owns, numbered among all cells of the rank.
  template <class Visit>
  void each_owned_cell(Visit&& visit) const;
  /// Entry of the element matrix of a kind, normalised to trace 1; unknowns of a cell: [node][component].
  double value(int kind, int row, int column) const {
    return kinds_[kind].values[std::size_t(column) * padded(kinds_[kind].n) + row];
  }
  /// Upper bound of the row sums of magnitudes.
  double largest_sum() const { return largest_sum_; }

  /// y = K x. x and y: own unknowns.
  void multiply(Vec x, Vec y);

  /// Largest number of kinds; every further cell gets a matrix of its own.
  static constexpr int most_kinds = 64;

 private:
  static constexpr int rows_at_once = 8;  // of an element matrix in a product
  static constexpr int most_unknowns = 27 * 4;  // of a cell
  static constexpr int padded(int n) { return (n + rows_at_once - 1) / rows_at_once * rows_at_once; }

  struct Kind {
    int n = 0;                   // unknowns of a cell
    std::vector<double> values;  // [column][row], normalised to trace 1, rows padded with zeros
  };
  /// Element matrices of one kind in a batch: lanes with nonzero factor.
  struct Share {
    const BatchGroup* group;
    int batch, kind;
    Pack factor;
  };

  int kind_of(const Pack* blocks, int n_nodes, int lane, double trace);
  bool all_lanes_are(int kind, const Pack* blocks, int n_nodes, const Pack& trace) const;
  void create_shell();
  template <class Row>
  std::vector<double> add_rows(Row&& row) const;

  std::shared_ptr<const DofMap> dofs_;
  AssembledMatrix target_;
  int components_;
  MatHandle mat_;
  std::vector<Kind> kinds_;
  std::vector<Share> shares_;
  bool suits_ = true;
  int last_kind_ = 0;
  std::vector<double> diagonal_;
  double scale_ = 1;    // diagonal of constrained rows
  double largest_sum_ = 0;
  VecHandle local_;     // with ghosts
};

template <class Visit>
void CellMatrix::each_owned_cell(Visit&& visit) const {
  for (const Share& s : shares_)
    for (int l = 0; l < s.group->owned[s.batch]; ++l)
      if (s.factor[l] != 0) visit(s.group->cell[std::size_t(s.batch) * simd_width + l], s.kind, s.factor[l]);
}

}  // namespace invar
