#pragma once
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
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

/// What a run has found of its model of measured data. NaN: it is not known.
struct FittedModel {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::string name = {};
  bool known_noise = true;
  bool of_field = false;            // fields with a prior were fitted; the numbers below are of that fit, else of the fit of numbers
  double negative_log_evidence = unknown;  // as it was assessed: of a field by Laplace's method; of numbers any number, they are assessed together
  double chi_squared = unknown, degrees_of_freedom = unknown;
  double data = unknown, effective_data = unknown;
  double excess_variance = unknown; // of the residuals, relative to the noise; above 1: larger than noise and its uncertainty allow
  ModelFit numbers = {};            // not for fields

  bool was_fitted() const { return std::isfinite(negative_log_evidence); }
  /// χ² per degree of freedom; NaN if the noise is not known.
  double misfit() const { return known_noise ? chi_squared / degrees_of_freedom : unknown; }
  /// False where the misfit is larger than the noise allows.
  bool describes_the_data() const { return std::isnan(misfit()) || !(excess_variance > 1); }
};

/// Models of the same data by their evidence.
struct ModelComparison {
  std::string reason = {};                   // why they are not compared; empty: they are
  std::vector<std::size_t> order = {};       // positions of the models, the most probable first
  std::vector<double> negative_log_evidence = {}, probability = {};  // by model
  std::optional<std::size_t> noise_of = {};  // the model whose residuals tell the correlation of the errors, where they are correlated
};

/// If a field is among the models, by the evidence of each, which for fields counts every value as independent: they are then not compared where errors
/// seem correlated. Else by `negative_log_evidence`. Models that were not fitted must have been left out.
ModelComparison compare_models(std::span<const FittedModel> models);

}  // namespace invar
