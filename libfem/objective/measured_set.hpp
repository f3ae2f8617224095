#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/observable.hpp"

namespace invar {

/// Measured values of one observable, at one or several load parameters or times.
struct MeasuredSet {
  std::shared_ptr<Observable> observable = {};
  std::vector<double> targets = {};     // [measurements × observable->size()], in the observable's unit
  std::vector<double> times = {};       // of the measurements; empty: one measurement, at the time of the QuantityCase
  std::vector<double> deviations = {};  // standard deviations of the targets, same layout; empty: not among the data
  std::vector<int> rows = {};           // of the table, where each measurement stands, for messages; empty: in none
  std::vector<int> sample_rows = {};    // of the table, of each value that was measured; empty: not said
  /// Differences of those values in standard deviations, from the targets' own; null: they are the targets.
  std::function<std::vector<double>(const std::vector<double>&)> at_samples = {};
  std::vector<std::string> notes = {};  // what the user should know of the data: sentences
};

}  // namespace invar
