#pragma once
#include <span>
#include <string>

namespace invar {

/// χ² test: whether the stated noise explains the misfit.
struct GoodnessOfFit {
  double chi_squared = 0;         // ‖ρ‖²
  double degrees_of_freedom = 0;  // χ² scatters like that of as many independent values: number of data minus number of fitted parameters
  double expected = 0;            // mean of χ² for the stated noise; the same number where errors are independent
  std::string finding = {};       // a sentence if χ² is improbably large or small (1 in 1000); else empty
  bool too_large = false;

  double per_degree() const { return chi_squared / expected; }
  /// Factor on the standard deviation of the noise that would explain the misfit, if this is too large; else 1.
  double inflation() const;
};

/// data: number of data. fitted: number of parameters; for a field with a prior the number of resolved directions Σ λ/(1 + λ),
/// by which the expected misfit at the most probable field is smaller than the number of data.
GoodnessOfFit goodness_of_fit(double chi_squared, int data, double fitted);

/// For correlated errors: χ² is taken as distributed like χ²_ν · expected/ν, with ν = degrees (Satterthwaite 1946): of errors with covariance
/// R and residuals P e, expected = tr(P R Pᵀ) and ν = expected²/tr((P R Pᵀ)²).
GoodnessOfFit goodness_of_fit(double chi_squared, double expected, double degrees);

/// A sentence where a fitted curve is far from its data, but a multiple of it is close to them: then the sign of the data, their unit or
/// a coefficient is wrong, which no parameter may be able to mend. Else empty. model, measured: [n]. The multiple s is that of the least
/// squares, s = Σ model · measured / Σ model².
std::string curve_doubt(const std::string& name, std::span<const double> model, std::span<const double> measured);

}  // namespace invar
