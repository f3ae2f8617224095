#pragma once
#include <memory>
#include <utility>

#include "libadjoint/controls.hpp"
#include "libadjoint/state.hpp"

namespace invar {

/// Input of an equation besides its state. Copies share the controls and compare equal; changed controls are a new
/// object. A cache that stores the setting it was computed for can therefore detect that it is out of date.
struct Setting {
  std::shared_ptr<const Controls> controls;  // never null in an evaluation
  double time = 0;             // time of loads and coefficients [s], or load parameter of a quasi-static process
  double constraint_time = 0;  // time of constraint values; differs from `time` for schemes that balance within a step
  double step_length = 0;      // length of the present time step [s]
  bool starts = false;         // true: the initial accelerations are solved for, not the values
  double continuation = 1;     // 1: the equation itself; > 1: an easier one (`Capabilities::continuation`)

  /// The same setting at another time.
  Setting at(double t) const {
    Setting moved = *this;
    moved.time = moved.constraint_time = t;
    return moved;
  }
  bool operator==(const Setting&) const = default;
};

/// Point of evaluation of equations and observables: a state and a setting.
struct EvaluationPoint : State {
  Setting given;

  EvaluationPoint(const State& u, Setting setting) : State(u), given(std::move(setting)) {}
  const Controls& controls() const { return *given.controls; }
};

}  // namespace invar
