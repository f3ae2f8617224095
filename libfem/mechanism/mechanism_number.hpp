#pragma once
#include <functional>

namespace invar {

/// A number read by a mechanism: a control's value (of a signal at the time) times a function of time; control −1:
/// zero.
struct MechanismNumber {
  int control = -1;
  std::function<double(double t)> shape = {};  // empty: 1

  double factor(double t) const { return shape ? shape(t) : 1.0; }
};

}  // namespace invar
