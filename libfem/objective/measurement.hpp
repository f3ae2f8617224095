#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/observable.hpp"

namespace invar {

/// A number of a state for reports only: neither objective nor constraint, because it has no derivative, or one only at
/// a solved state. All functions are collective.
struct Measurement {
  using At = const EvaluationPoint&;
  /// Columns of a file, all of the same length.
  struct Columns {
    std::vector<std::string> names;
    std::vector<std::vector<double>> data;
  };

  /// NaN if the state has no such number. Empty: the request was invalid.
  std::function<double(At)> value{};
  /// An observable whose sum has the derivative of the number at this state; empty: none.
  std::function<std::shared_ptr<Observable>(At)> linearised{};
  /// The data from which the number was selected, to be written into a file of this folder; empty: none.
  std::function<Columns(At)> profile{};
  std::string folder{};

  explicit operator bool() const { return static_cast<bool>(value); }
};

}  // namespace invar
