#pragma once
#include <string>
#include <utility>
#include <vector>

#include "libfem/form/sparsity_pattern.hpp"

namespace invar {

/// What the equations on the cells of a region depend on: pairs of components, of rows and of columns.
struct RegionCoupling {
  std::string region;
  std::vector<std::pair<int, int>> pairs;

  /// Each of some rows with each of some columns.
  void add(const std::vector<int>& rows, const std::vector<int>& columns) {
    for (const int row : rows)
      for (const int column : columns) pairs.emplace_back(row, column);
  }
};

/// A matrix with the entries that equations couple, and the diagonal, made from one with all entries of neighbouring nodes:
/// what solvers factorise. Structural zeros cost a direct solver in space half of its time.
class CoupledEntries {
 public:
  /// whole: of that pattern. Every cell is in one region. Collective.
  CoupledEntries(const SparsityPattern& pattern, Mat whole, const std::vector<RegionCoupling>& couplings);
  Mat mat() const { return mat_; }
  /// Copies the values of the whole matrix. Throws std::logic_error where one that is left out is not zero.
  void take(Mat whole);

 private:
  /// Of the part with the rank's own columns, or that with the others.
  struct Part {
    std::vector<char> kept;  // [entry of the whole]
    void take(Mat from, Mat to) const;
  };

  MatHandle mat_;
  Part inside_, outside_;
  bool several_ranks_ = false;
};

}  // namespace invar
