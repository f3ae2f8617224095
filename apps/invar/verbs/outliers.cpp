#include "apps/invar/verbs/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "libadjoint/inference/deleted_residuals.hpp"
#include "libadjoint/solve/scientific.hpp"

namespace invar {
namespace {

constexpr std::size_t most_listed = 20, most_said = 5;

struct Outlier {
  int row;
  double deviations;
};

/// The part of a vector of all residuals that belongs to a set.
std::vector<double> part_of(const Eigen::VectorXd& residuals, const Problem& problem, const MeasuredSamples& samples) {
  Eigen::Index first = 0;
  for (int c = 0; c <= samples.case_index; ++c) {
    const std::vector<DataSet>& data = problem.cases[c].process->data();
    for (int s = 0; s < (c < samples.case_index ? static_cast<int>(data.size()) : samples.data_set); ++s) first += static_cast<Eigen::Index>(data[s].target.size());
  }
  const auto n = static_cast<Eigen::Index>(problem.cases[samples.case_index].process->data()[samples.data_set].target.size());
  return {residuals.data() + first, residuals.data() + first + n};
}

/// Differences of a set's values from the fit, in standard deviations. deleted: residuals where the noise is not known.
std::vector<double> off_by(const Problem& problem, const MeasuredSamples& samples, const Eigen::VectorXd* deleted) {
  if (deleted) return part_of(*deleted, problem, samples);
  Case& process = *problem.cases[samples.case_index].process;
  const DataSet& set = process.data()[samples.data_set];
  std::vector<double> off = process.observed(set);
  for (std::size_t i = 0; i < off.size(); ++i) off[i] = (off[i] - set.target[i]) / set.noise[i];
  return samples.at_samples ? samples.at_samples(off) : off;
}

}  // namespace

nlohmann::ordered_json outliers_json(const Problem& problem, const Uncertainty* uncertainty) {
  nlohmann::ordered_json all;
  const Eigen::VectorXd* deleted = problem.noise_known || !uncertainty ? nullptr : &uncertainty->deleted_residuals;
  if (!problem.noise_known && (!deleted || deleted->size() == 0)) return all;
  const double limit = deleted ? outlier_limit(uncertainty->data, uncertainty->degrees_of_freedom) : outlier_limit_of_known_noise;
  std::map<std::string, std::vector<Outlier>> found;
  std::map<std::string, std::size_t> counts;
  for (const MeasuredSamples& samples : problem.samples) {
    if (deleted && samples.at_samples) continue;  // measured values that are mixed in the residuals
    const std::vector<double> off = off_by(problem, samples, deleted);
    counts[samples.name] += off.size();
    for (std::size_t i = 0; i < off.size(); ++i)
      if (std::abs(off[i]) > limit) found[samples.name].push_back({samples.rows[i] + 1, off[i]});
  }
  for (auto& [name, outliers] : found) {
    std::ranges::stable_sort(outliers, std::greater<>(), [](const Outlier& o) { return std::abs(o.deviations); });
    nlohmann::ordered_json& of_term = all[name];
    of_term = {{"count", outliers.size()}, {"of", counts[name]}, {"limit", limit}, {"deviation", deleted ? "estimated" : "known"}};
    for (std::size_t k = 0; k < std::min(outliers.size(), most_listed); ++k)
      of_term["farthest"].push_back({{"row", outliers[k].row}, {"deviations", outliers[k].deviations}});
  }
  return all;
}

void say_outliers(const nlohmann::ordered_json& outliers, Console& console) {
  for (const auto& [name, of] : outliers.items()) {
    std::string rows;
    for (std::size_t k = 0; k < std::min(of["farthest"].size(), most_said); ++k)
      rows += (k ? ", " : "") + std::string("row ") + std::to_string(of["farthest"][k]["row"].get<int>()) + " by " + short_number(of["farthest"][k]["deviations"].get<double>());
    console.warning(name + ": " + std::to_string(of["count"].get<int>()) + " of " + std::to_string(of["of"].get<int>()) +
                    " values deviate by more than " +
                    (of["deviation"] == "known" ? "four standard deviations: " : short_number(of["limit"].get<double>(), 2) + " standard deviations (estimated from the other values): ") + rows + (of["count"].get<std::size_t>() > most_said ? ", …" : ""));
  }
}

}  // namespace invar
