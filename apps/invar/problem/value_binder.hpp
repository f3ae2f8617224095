#pragma once
#include <map>
#include <string>

#include "apps/invar/spec/diagnostics.hpp"
#include "apps/invar/spec/value.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar {

/// A value of the spec that is a number or a formula, as a datum of the problem.
class ValueBinder {
 public:
  /// `admitted`: receives the admissible range of each number.
  ValueBinder(FormResidual& residual, std::map<int, NumberRange>& admitted, double start, double end, Diagnostics& diagnostics)
      : residual_(residual), admitted_(admitted), start_(start), end_(end), diagnostics_(diagnostics) {}
  /// Adds a number that may be designed under `path`, with its admissible range; returns the position of its control.
  int add_number(const std::string& path, const std::string& unit, const NumberRange& admitted, double value);
  /// `record`: holds `key`, and `factor` where formulas are allowed. `path`: of the record, for the
  /// control's name. A missing key gives zero. `ramp`: numbers grow from 0 at the start to their value at
  /// the end.
  ControlledValue bind(const spec::Value& record, const std::string& path, const char* key, const std::string& unit,
                       bool ramp);
  /// The value that is always zero; it cannot be designed.
  ControlledValue zero();

 private:
  FormResidual& residual_;
  std::map<int, NumberRange>& admitted_;
  double start_, end_;
  Diagnostics& diagnostics_;
  int zero_ = -1;
  std::map<std::string, int> factors_;
};

}  // namespace invar
