#pragma once
#include <utility>
#include <vector>

#include "libfem/form/closest_approach.hpp"
#include "libfem/form/weak_form.hpp"

namespace invar {

/// A pair of local nodes: a row of the matrix, which this rank owns, and a column.
using NodePair = std::pair<int, int>;

/// Which components of the space are coupled between the nodes of distant pairs. Bit c: component c.
struct DistantComponents {
  static constexpr unsigned all = ~0u;
  unsigned rows = all, columns = all;
  bool everything() const { return rows == all && columns == all; }
  auto operator<=>(const DistantComponents&) const = default;
};

/// Interface of forms that couple nodes without a common cell, such as contact. `FormResidual` queries every form of
/// the equation that has this base; matrix, Newton's method and linear solver are adapted.
class DistantCoupling {
 public:
  virtual ~DistantCoupling() = default;
  /// Appends the pairs that `WeakForm::jacobian` may couple at this state, in any order, possibly repeated; a function
  /// of the state only. All ranks must call it.
  virtual void add_couplings(const FormState& at, std::vector<NodePair>& pairs) const = 0;
  /// What it couples between the nodes of these pairs; the same at every state.
  virtual DistantComponents distant_components() const { return {}; }
};

/// Interface of forms that keep things apart, such as bodies in contact: steps of the unknown must not pass through them.
class Separation {
 public:
  virtual ~Separation() = default;
  /// Largest admissible fraction of a step of the unknown, in [0, 1], on this rank. step: [n_local].
  virtual double longest_step(const FormState& at, const double* step) const = 0;
  /// The closest approach at this state of the things that the form keeps apart, among this rank's own points; `between` stays empty. All ranks
  /// must call it, since contact pairs communicate.
  virtual ClosestApproach nearest(const FormState& at) const = 0;
};

}  // namespace invar
