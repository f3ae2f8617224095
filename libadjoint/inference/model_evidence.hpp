#pragma once
#include <vector>

namespace invar {

/// −ln p(data | model) of a fit, but for what is the same for every model of the same data, by Schwarz's approximation: a prior that says
/// about as much as one datum, and many data. A parameter more must lower χ² by more than ln(data). chi_squared: ‖ρ‖² at the fit, in standard
/// deviations where the noise is known; else its common factor is a parameter too. parameters: directions that the data determine.
/// Schwarz, Ann. Statist. 6 (1978), 461–464.
double negative_log_evidence(double chi_squared, int data, int parameters, bool known_noise);

/// How likely each model is after the data, all having been as likely before, from −ln p(data | model).
std::vector<double> model_probabilities(const std::vector<double>& negative_log_evidence);

}  // namespace invar
