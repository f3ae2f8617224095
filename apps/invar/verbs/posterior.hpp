#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/invar/problem/problem.hpp"
#include "apps/invar/report/console.hpp"
#include "apps/invar/verbs/prediction.hpp"
#include "libadjoint/inference/correlated_posterior.hpp"
#include "libadjoint/inference/goodness_of_fit.hpp"
#include "libadjoint/inference/posterior_field.hpp"
#include "libadjoint/inference/uncertainty.hpp"
#include "libfem/io/vtk_field.hpp"

namespace invar {

/// Posterior uncertainty of fields with a prior, and of numbers that are designed besides.
struct Posterior {
  struct Field {
    std::string name;  // path in the spec
    PosteriorField found;
  };
  LaplacePosterior distribution;  // with the noise that explains the misfit, and its correlation
  CorrelatedPosterior noise;
  GoodnessOfFit fit;
  int data = 0;
  double resolved_directions = 0, information_gain = 0, negative_log_evidence = 0, negative_log_model_evidence = 0, preferred_scale = 1;  // with the stated noise
  std::string doubt;              // of the evidence; empty: none
  std::vector<Field> fields;
  std::vector<ParameterEstimate> numbers;  // of the shared entries of θ, without a prior
  double seconds = 0;
  std::string failure;            // why it could not be computed; empty: success
};

/// At the optimum θ, whose states were solved last; nothing where no field has a prior. Without success, and why, with constraints or other
/// terms of the objective than data. Collective.
std::optional<Posterior> find_posterior(Problem& problem, const DesignVector& theta);
nlohmann::ordered_json posterior_json(const Posterior& posterior);
void say_posterior(const Posterior& posterior, Console& console);
/// Deviations and 95 % bands of the fields of a case, for its VTK file.
std::vector<VtkField> posterior_fields(const Problem& problem, const Posterior& posterior, int case_index);
/// Begins the names of the posterior fields of a block of the design.
std::string posterior_stem(const std::string& path);
/// Whether this is the name of a posterior field, which exists at the end of a run only.
bool is_posterior_field(const Problem& problem, const std::string& name);
/// Intervals of quantities, as for fitted numbers.
std::vector<Prediction> predict(Problem& problem, const std::vector<Quantity>& quantities, const DesignVector& theta,
                                const Posterior& posterior);

}  // namespace invar
