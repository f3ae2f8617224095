#include "apps/invar/verbs/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "apps/invar/problem/posterior_spec.hpp"
#include "apps/invar/problem/weight_spec.hpp"
#include "apps/invar/verbs/noise.hpp"
#include "apps/invar/verbs/search.hpp"
#include "libadjoint/inference/correlated_fit.hpp"
#include "libadjoint/inference/fitted_parameters.hpp"
#include "libadjoint/solve/scientific.hpp"

namespace invar {
namespace {

/// Of the designed numbers, without intervals for those at a bound.
std::vector<ParameterEstimate> estimates_of(const CaseFunctional& functional, const DesignVector& theta, const Eigen::MatrixXd& covariance) {
  std::vector<ParameterEstimate> all;
  for (const FittedParameter& p : fitted_parameters(functional, theta)) {
    const auto k = static_cast<Eigen::Index>(all.size());
    all.push_back(estimate_parameter(p, std::sqrt(covariance(k, k)), normal_quantile_95));
  }
  return all;
}

/// Why data and priors alone do not determine the optimum, so that there is no posterior about it; empty: they do.
std::string what_disturbs(const Problem& problem) {
  if (problem.spec["combine"].text() == "worst") return "'combine: worst' minimises the largest of several terms, and a posterior follows from their sum";
  for (const CaseModel& model : problem.cases)
    if (!model.process->terms().empty())
      return "the term '" + model.process->terms().front().name + "' is neither a measurement nor the prior, and would count as knowledge of the field; remove it for a posterior";
  if (!problem.constraints.empty())
    return "the optimum is that under constraints ('" + problem.constraints.front().info.name + "'), about which the posterior is no normal distribution; remove them for a posterior";
  return {};
}

}  // namespace

std::optional<Posterior> find_posterior(Problem& problem, const DesignVector& theta) {
  CaseFunctional& functional = *problem.functional;
  if (!has_prior(problem)) return std::nullopt;
  Posterior p;
  p.distribution = LaplacePosterior(posterior_options(problem));
  p.failure = what_disturbs(problem);
  if (!p.failure.empty()) return p;
  const double begin = MPI_Wtime();
  Eigen::VectorXd rho;
  const auto gave_up = [&](const Evaluation& e) {
    if (!e.ok) p.failure = e.reason;
    return !e.ok;
  };
  if (gave_up(functional.residuals(theta, rho)) || gave_up(p.distribution.find(functional, theta))) return p;
  const UncertaintyOptions rows = uncertainty_options(functional, true, problem.mean_squares);
  p.data = static_cast<int>(std::lround((rows.weights.array() != 0).select(rows.counts.array(), 0.0).sum()));
  p.resolved_directions = p.distribution.resolved_directions();
  p.information_gain = p.distribution.information_gain();
  const double value = functional.value(theta).value;
  p.negative_log_evidence = p.distribution.negative_log_evidence(value);
  p.negative_log_model_evidence = p.distribution.negative_log_model_evidence(value, p.data);
  p.preferred_scale = p.distribution.preferred_scale();
  const std::vector<MeasuredPlaces> places = measured_places(problem);
  if (gave_up(correlate_posterior(functional, theta, p.distribution, places, p.data, p.noise))) return p;
  if (p.noise.is_found()) {  // correlated noise moves directions, too, of which independent noise tells little
    PosteriorOptions finer = posterior_options(problem);
    finer.smallest /= p.noise.strength;
    p.distribution = LaplacePosterior(finer);
    if (gave_up(p.distribution.find(functional, theta)) || gave_up(correlate_posterior(functional, theta, p.distribution, places, p.data, p.noise))) return p;
  }
  p.fit = p.noise.is_found() ? goodness_of_fit(rho.squaredNorm(), p.noise.expected, p.noise.degrees)
                             : goodness_of_fit(rho.squaredNorm(), p.data, p.resolved_directions + p.distribution.free_numbers());
  if (p.noise.is_found()) {
    p.preferred_scale = std::numeric_limits<double>::quiet_NaN();
    p.doubt = "the evidence counts every value as independent, although errors are correlated: it favours fields that follow the noise";
    if (problem.weight && problem.weight->search.options().rule == WeightRule::evidence)
      p.doubt += ", and the weight that it chose may be too small; 'weight: discrepancy' does not depend on the correlation";
  }
  if (p.distribution.is_truncated()) {  // more directions are resolved than counted
    p.preferred_scale = std::numeric_limits<double>::quiet_NaN();
    if (!p.fit.too_large) p.fit.finding.clear();
  }
  if (p.fit.too_large) p.distribution.inflate(p.fit.inflation());
  if (p.noise.is_found()) p.distribution.widen(p.noise.K / (p.fit.inflation() * p.fit.inflation()));
  p.numbers = estimates_of(functional, theta, p.distribution.shared_covariance());
  for (std::size_t b = 0; b < problem.blocks.size(); ++b)
    if (auto* field = dynamic_cast<PriorField*>(functional.design()[b].get())) {
      p.fields.push_back({problem.blocks[b].name, {}});
      if (gave_up(find_posterior_field(p.distribution, functional, b, *field, p.fields.back().found))) return p;
    }
  p.seconds = MPI_Wtime() - begin;
  return p;
}

nlohmann::ordered_json posterior_json(const Posterior& p) {
  if (!p.failure.empty()) return {{"failure", p.failure}};
  nlohmann::ordered_json j = {{"resolved_directions", p.resolved_directions},
                              {"information_gain", p.information_gain},
                              {"negative_log_evidence", p.negative_log_evidence},
                              {"negative_log_model_evidence", p.negative_log_model_evidence},
                              {"deviation_factor_by_evidence", p.preferred_scale},
                              {"chi_squared", p.fit.chi_squared},
                              {"data", p.data},
                              {"degrees_of_freedom", p.fit.degrees_of_freedom},
                              {"expected_chi_squared", p.fit.expected},
                              {"effective_data", p.noise.effective_data},
                              {"noise_correlation", noise_json(p.noise.terms)},
                              {"chi_squared_per_degree", p.fit.per_degree()},
                              {"noise_inflation", p.fit.inflation()},
                              {"rank", p.distribution.rank()},
                              {"truncated", p.distribution.is_truncated()},
                              {"products", p.distribution.products()},
                              {"seconds", p.seconds}};
  const double stated = p.fit.inflation() * p.fit.inflation();  // eigenvalues are those of the stated noise
  nlohmann::ordered_json values = nlohmann::ordered_json::array();
  for (const double lambda : p.distribution.eigenvalues()) values.push_back(lambda * stated);
  j["eigenvalues"] = values;
  if (!p.fit.finding.empty()) j["finding"] = p.fit.finding;
  if (!p.doubt.empty()) j["evidence_doubt"] = p.doubt;
  for (const Posterior::Field& f : p.fields) {
    nlohmann::ordered_json& of = j["fields"][f.name];
    of = {{"mean_prior_deviation", f.found.mean_prior_deviation}, {"mean_deviation", f.found.mean_deviation}, {"least_deviation", f.found.least_deviation}};
    if (f.found.counted > 0) of["share_covered"] = f.found.share_covered();
  }
  return j;
}

void say_posterior(const Posterior& p, Console& console) {
  if (!p.failure.empty()) return console.warning("the posterior cannot be computed: " + p.failure);
  char text[240];
  std::snprintf(text, sizeof text, "  the data resolve %.1f directions of the fields; information gain %.1f nats (%d products, %.2g s)", p.resolved_directions,
                p.information_gain, p.distribution.products(), p.seconds);
  console.line(text);
  std::snprintf(text, sizeof text, "  misfit: χ² = %.5g for %.5g %s, ratio %.3g; -ln evidence %.6g", p.fit.chi_squared,
                p.fit.expected, p.noise.is_found() ? "expected of correlated noise" : "degrees of freedom", p.fit.per_degree(), p.negative_log_evidence);
  console.line(text);
  if (std::isfinite(p.preferred_scale)) {
    std::snprintf(text, sizeof text, "  the evidence is largest for about %.3g times the stated standard deviation of the prior", p.preferred_scale);
    console.line(text);
  }
  for (const ParameterEstimate& e : p.numbers) {
    if (e.at_bound) std::snprintf(text, sizeof text, "  %-28s at its bound", e.name.c_str());
    else std::snprintf(text, sizeof text, "  %-28s %14.7g ± %.2g   95 %% in [%.5g, %.5g]", e.name.c_str(), e.value, e.standard_error, e.lower, e.upper);
    console.line(text);
  }
  for (const Posterior::Field& f : p.fields) {
    std::snprintf(text, sizeof text, "  %-28s standard deviation: prior %.3g, posterior %.3g on average, %.3g at least", f.name.c_str(),
                  f.found.mean_prior_deviation, f.found.mean_deviation, f.found.least_deviation);
    std::string line = text;
    if (f.found.counted > 0) {
      std::snprintf(text, sizeof text, "; %.1f %% of the 95 %% bands contain the truth", 100 * f.found.share_covered());
      line += text;
    }
    console.line(line);
  }
  if (p.distribution.is_truncated())
    console.warning("the posterior has more than " + std::to_string(p.distribution.rank()) + " directions with eigenvalues above 'output.posterior.smallest': along the others the prior counts as unchanged, so that resolved directions and information are too small and standard deviations too large; raise 'output.posterior.rank'");
  for (const std::string& finding : findings_of(p.noise.terms)) console.warning(finding);
  if (!p.fit.finding.empty()) console.warning(p.fit.finding);
  if (!p.doubt.empty()) console.warning(p.doubt);
}

namespace {

constexpr const char* endings[] = {"_deviation", "_prior_deviation", "_lower_95", "_upper_95"};

}  // namespace

std::string posterior_stem(const std::string& path) { return path.substr(path.find("materials.") + std::string("materials.").size()); }

bool is_posterior_field(const Problem& problem, const std::string& name) {
  for (const DesignBlock& block : problem.blocks)
    for (const char* ending : endings)
      if (block.name.find("materials.") != std::string::npos && name == posterior_stem(block.name) + ending) return true;
  return false;
}

std::vector<VtkField> posterior_fields(const Problem& problem, const Posterior& p, int case_index) {
  std::vector<VtkField> fields;
  for (const Posterior::Field& f : p.fields)
    for (const DesignedField& designed : problem.cases[case_index].fields) {
      if (designed.path != f.name || !p.failure.empty()) continue;
      const std::vector<double>* values[] = {&f.found.deviation, &f.found.prior_deviation, &f.found.lower, &f.found.upper};
      for (int i = 0; i < 4; ++i) fields.push_back({posterior_stem(f.name) + endings[i], 1, VtkField::On::cells, *values[i]});
    }
  return fields;
}

}  // namespace invar
