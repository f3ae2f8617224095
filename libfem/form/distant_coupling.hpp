#pragma once
#include <utility>
#include <vector>

#include "libfem/form/approach.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// Two local nodes: a row of the matrix, which this rank owns, and a column.
using NodePair = std::pair<int, int>;

/// What a form says that couples nodes without a common cell, as that of bodies in contact. `FormResidual` asks every
/// form of the equation that has this base; the matrix, Newton's method and the linear solver follow.
class DistantCoupling {
 public:
  virtual ~DistantCoupling() = default;
  /// Adds the pairs that `WeakForm::jacobian` may couple at this state, in any order, some perhaps several times: a
  /// function of the state alone.
  virtual void add_couplings(const FormState& at, std::vector<NodePair>& pairs) const = 0;
  /// The part of a step of the unknown that may be taken from there, in [0, 1], as this rank sees it. step: [n_local].
  virtual double longest_step(const FormState& at, const double* step) const = 0;
  /// Where what it keeps apart is nearest at this state, of those that press, as this rank sees it; without words. Collective.
  virtual Approach nearest(const FormState& at) const = 0;
};

}  // namespace invar
