#pragma once
#include <vector>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// Which formula of a q-function with branches holds at the points of the cells that a rank owns, by a form with one
/// history variable a point: the formula's number.
class PointBranches {
 public:
  explicit PointBranches(const CellBatches& cells);

  /// Appends one number for each point; the form has these cells. Not collective.
  void append(const WeakForm& form, const FormState& at, std::vector<char>& numbers) const;

 private:
  struct Group {
    int first_point, n_points;
    std::vector<int> owned;  // [batch] leading lanes
  };
  std::vector<Group> groups_;
};

}  // namespace invar
