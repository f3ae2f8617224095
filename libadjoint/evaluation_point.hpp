#pragma once
#include <memory>
#include <utility>

#include "libadjoint/controls.hpp"
#include "libadjoint/state.hpp"

namespace invar {

/// What an equation is given beside its state. Copies share the values of the controls and compare equal; other values
/// are another object. So a cache that keeps the setting it was made for knows when it is out of date.
struct Setting {
  std::shared_ptr<const Controls> controls;  // never null where something is evaluated
  double time = 0;             // of loads and coefficients [s], or load parameter of a quasi-static process
  double constraint_time = 0;  // of the values that constraints hold: some schemes balance within a step
  double step_length = 0;      // of the step in time that is being solved [s]
  bool starts = false;         // the accelerations that a process begins with are solved for, not the values
  double continuation = 1;     // 1: the equation itself; larger: an easier one (`Capabilities::continuation`)

  /// The same at another time.
  Setting at(double t) const {
    Setting moved = *this;
    moved.time = moved.constraint_time = t;
    return moved;
  }
  bool operator==(const Setting&) const = default;
};

/// Where equations and observables are evaluated: a state, and what is given with it.
struct EvaluationPoint : State {
  Setting given;

  EvaluationPoint(const State& u, Setting setting) : State(u), given(std::move(setting)) {}
  const Controls& controls() const { return *given.controls; }
};

}  // namespace invar
