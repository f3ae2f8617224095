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
  std::vector<double> deviations = {};  // standard deviations of the targets, same layout; empty: not given by the data
  std::vector<int> rows = {};           // table row of each measurement, for messages; empty: none
  std::vector<int> sample_rows = {};    // table row of each measured value; empty: not given
  /// Converts residuals to differences of the measured values in standard deviations; null: the targets are the
  /// measured values.
  std::function<std::vector<double>(const std::vector<double>&)> at_samples = {};
  std::vector<double> places = {};      // [samples × dim] where each value was measured; empty: the values are a curve along t
  std::vector<int> components = {};     // [samples] what was measured there, as a number; empty: one quantity
  std::vector<std::vector<double>> removed = {};  // orthonormal vectors [samples] that complete the columns of `at_samples`
  std::vector<std::string> notes = {};  // sentences for the user about the data
};

}  // namespace invar
