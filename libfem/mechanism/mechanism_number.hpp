#pragma once
#include <functional>

namespace invar {

/// A number read by a mechanism: a control's value (of a signal at the time) times a function of time; control −1:
/// zero.
struct MechanismNumber {
  int control = -1;
  std::function<double(double t)> shape = {};  // empty: 1
  double at_rest = 0;  // its value where terms are linearised at rest
  int rest = -1;       // if ≥ 0, it is this one of the mechanism's `RestNumbers`; without control and function

  double factor(double t) const { return shape ? shape(t) : 1.0; }
  /// Whether these are the same number, without regard to functions of time.
  bool reads_as(const MechanismNumber& other) const { return control == other.control && rest == other.rest; }
};

}  // namespace invar
