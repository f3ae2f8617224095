#pragma once
#include <string>

namespace invar {

/// Whether a misfit is what the stated noise explains.
struct GoodnessOfFit {
  double chi_squared = 0;         // ‖ρ‖²
  double degrees_of_freedom = 0;  // data less what was fitted to them
  std::string finding = {};       // a sentence where it is too large or too small to be chance (1 in 1000); else empty
  bool too_large = false;

  double per_degree() const { return chi_squared / degrees_of_freedom; }
  /// What the noise's standard deviation has to be multiplied by to explain the misfit, where that is too large; else 1.
  double inflation() const;
};

/// data: their number; fitted: parameters, or of a field with a prior the resolved directions Σ λ/(1 + λ), by which the expected
/// misfit at the most probable field is smaller than the number of data.
GoodnessOfFit goodness_of_fit(double chi_squared, int data, double fitted);

}  // namespace invar
