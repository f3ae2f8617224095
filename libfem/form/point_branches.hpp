#pragma once
#include <vector>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// Number of the active branch of a q-function at the quadrature points of this rank's own cells, from a form whose
/// single history variable per point is the branch number.
class PointBranches {
 public:
  explicit PointBranches(const CellBatches& cells);

  /// Appends one number per point; the form must have these cells. Not collective.
  void append(const WeakForm& form, const FormState& at, std::vector<char>& numbers) const;

 private:
  struct Group {
    int first_point, n_points;
    std::vector<int> owned;  // [batch] leading lanes
  };
  std::vector<Group> groups_;
};

}  // namespace invar
