#include "apps/invar/problem/posterior_spec.hpp"

#include <algorithm>

#include "libadjoint/maps/prior_field.hpp"

namespace invar {

using spec::Value;

spec::Table posterior_table() {
  using namespace spec;
  const PosteriorOptions standard;
  return Table("posterior", "Normal approximation of the posterior of fields with a prior (gaussian_field): a prior that the data changed along the leading eigenvectors of their information, relative to the prior.")
      .defaulted("rank", integer().at_least(1), std::to_string(standard.rank), "largest number of eigenvectors; along others the prior counts as unchanged, so that standard deviations are too large. A warning says so where it takes effect. The search for a weight by `evidence` takes all")
      .defaulted("smallest", number().above(0), "0.1", "smallest eigenvalue that is computed: a direction with the eigenvalue λ has the variance 1/(1 + λ) of that of the prior")
      .defaulted("samples", integer().at_least(0).at_most(100000), "0", "number of random fields drawn from the posterior, written as the series CASE_samples.pvd; the numbers that are designed besides are in results.json")
      .defaulted("seed", integer().at_least(0), "1", "seed of the samples, which are the same on any number of processes")
      .defaulted("modes", integer().at_least(0), "0", "number of leading eigenvectors, the changes of the fields about which the data say most, written as the series CASE_modes.pvd, numbered from 1: in standard deviations of the prior, as changes of the logarithm or, for a linear scale, in units of the constant");
}

PosteriorOptions posterior_options(const Problem& problem) {
  const Value& p = problem.spec["output"]["posterior"];
  PosteriorOptions options;
  options.rank = static_cast<int>(p["rank"].integer());
  options.smallest = p["smallest"].number();
  return options;
}

void check_posterior(const Problem& problem, Diagnostics& diagnostics) {
  const Value& output = problem.spec["output"];
  const Value& p = output["posterior"];
  if (p.defaulted) return;
  if (std::ranges::none_of(problem.functional->design(), [](const auto& block) { return dynamic_cast<const PriorField*>(block.get()) != nullptr; })) {
    diagnostics.error(p.key_position, p.yaml_path, "there is no posterior: no field with a prior is designed", "design one by 'kind: gaussian_field', or leave 'posterior' out");
    return;
  }
  if (output["fields"].text() != "none") return;
  for (const char* key : {"samples", "modes"})
    if (p[key].integer() > 0)
      diagnostics.error(p[key].position, p[key].yaml_path, std::string("'") + key + "' are fields, and 'output.fields' is none", "set 'fields: last'");
}

}  // namespace invar
