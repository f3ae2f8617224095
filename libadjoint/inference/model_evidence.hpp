#pragma once
#include <vector>

namespace invar {

/// −ln p(data | model) of a fit, up to a constant common to all models of the same data, by Schwarz's approximation (BIC): a prior with the
/// information of about one datum, and many data. An additional parameter must lower χ² by more than ln(data). chi_squared: ‖ρ‖² at the
/// fit, in standard deviations if the noise is known; else the noise level counts as a parameter. parameters: number of directions that the
/// data determine. Schwarz, Ann. Statist. 6 (1978), 461–464.
double negative_log_evidence(double chi_squared, int data, int parameters, bool known_noise);

/// Posterior probabilities of models with equal prior probabilities, from −ln p(data | model).
std::vector<double> model_probabilities(const std::vector<double>& negative_log_evidence);

}  // namespace invar
