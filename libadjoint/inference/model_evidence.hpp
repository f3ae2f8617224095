#pragma once
#include <span>
#include <vector>

namespace invar {

/// What a fit of numbers tells of its model.
struct ModelFit {
  double chi_squared = 0;  // ‖ρ‖² at the fit, in standard deviations if the noise is known
  int data = 0;
  int parameters = 0;      // directions that the data determine
  bool known_noise = true; // else its level counts as a parameter
  /// Of correlated errors: variance of the fitted directions by that for independent errors (CorrelatedFit), and the independent values that
  /// tell as much as the data.
  double variance_inflation = 1;
  double effective_data = data;
};

/// −ln p(data | model), up to a constant common to all models of the same data, by Schwarz's approximation (BIC): a prior with the
/// information of about one datum, and many data. For independent errors an additional parameter must lower χ² by more than ln(data). With
/// correlated errors a needless parameter lowers χ² by the variance inflation c on average: the log-likelihood is divided by c, and the number
/// of data is the effective one (quasi-likelihood). An inflation below 1 counts as 1. Schwarz, Ann. Statist. 6 (1978), 461–464; Burnham and
/// Anderson, Model Selection and Multimodel Inference (2002), section 2.5.
double negative_log_evidence(const ModelFit& fit);

/// The one of several models of the same data whose residuals are closest to the noise, the least χ². What is found of the noise there holds
/// for all: residuals of a model that is wrong are correlated by its error. models: not empty.
std::size_t noise_model(std::span<const ModelFit> models);

/// −ln p(data | model) of models of the same data, with variance inflation and effective data of the `noise_model`.
std::vector<double> negative_log_evidence(std::span<const ModelFit> models);

/// Posterior probabilities of models with equal prior probabilities, from −ln p(data | model).
std::vector<double> model_probabilities(const std::vector<double>& negative_log_evidence);

}  // namespace invar
