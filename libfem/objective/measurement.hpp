#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/observable.hpp"

namespace invar {

/// A number of a state that is reported only: neither objective nor constraint, because it has no derivative, or only
/// one at a state that was solved. All functions are collective.
struct Measurement {
  using At = const EvaluationPoint&;
  /// Columns of a file, all of the same length.
  struct Columns {
    std::vector<std::string> names;
    std::vector<std::vector<double>> data;
  };

  /// NaN where the state has no such number. Empty: what was asked for was wrong.
  std::function<double(At)> value{};
  /// An observable whose sum has the derivative of the number at this state; empty: it has none.
  std::function<std::shared_ptr<Observable>(At)> linearised{};
  /// What the number was chosen from, to be written into a file of this folder; empty: nothing.
  std::function<Columns(At)> profile{};
  std::string folder{};

  explicit operator bool() const { return static_cast<bool>(value); }
};

}  // namespace invar
