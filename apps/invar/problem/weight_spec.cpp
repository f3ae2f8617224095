#include "apps/invar/problem/weight_spec.hpp"

#include <algorithm>
#include <array>

#include "apps/invar/spec/table.hpp"
#include "libadjoint/inference/fitted_parameters.hpp"

namespace invar {
namespace {

using spec::Value;

std::vector<spec::Type::Choice> found_weights() {
  return {{"evidence", "of a gaussian_field: the weight for which the data are most probable (Laplace's approximation); the noise must be known"},
          {"discrepancy", "the weight for which χ² equals the number of data (Morozov); the noise must be known"}};
}

const Value* weight_of(const Value& entry) { return entry.find("weight"); }
bool is_found(const Value* weight) { return weight && !weight->is_number() && weight->kind != Value::Kind::invalid; }

WeightRule rule_of(const Value& weight) {
  const std::string word = weight.is_map() ? weight["by"].text() : weight.text();
  return word == "evidence" ? WeightRule::evidence : word == "discrepancy" ? WeightRule::discrepancy : WeightRule::given;
}

/// Measured values of the fit.
double data_in(const Problem& problem) {
  const UncertaintyOptions rows = uncertainty_options(*problem.functional, true, problem.mean_squares);
  return (rows.weights.array() != 0).select(rows.counts.array(), 0.0).sum();
}

/// Whether a field without a prior is designed. Collective.
bool designs_plain_field(const Problem& problem) {
  int any = 0;
  for (const auto& block : problem.functional->design())
    any |= !dynamic_cast<const PriorField*>(block.get()) && !block->local_entries().positions.empty();
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, problem.functional->comm());
  return any != 0;
}

/// Why no weight can be found in such a search, or none by that rule; empty: it can. And what would help.
std::array<std::string, 2> obstacle(const Problem& problem, WeightRule rule, bool is_prior, const std::string& of) {
  if (problem.spec["combine"].text() == "worst") return {"a weight belongs to a sum of terms, and 'combine' is worst", "give a number"};
  if (!problem.constraints.empty()) return {"weights are found in searches without constraints, and there is '" + problem.constraints.front().info.name + "'", "give a number"};
  if (problem.staged) return {"the search for a weight needs one objective, and stages or rounds change it", "give a number"};
  if (problem.spec["optimizer"]["starts"].integer() > 1) return {"the search for a weight has one start, and 'optimizer.starts' is larger", "set 'starts' to 1, or give a number"};
  if (problem.functional->residual_count() == 0) return {"a weight is found from the misfit of measured data, and the objective has none", "give a number"};
  if (rule == WeightRule::given) return {};
  if (!problem.noise_known) return {"'evidence' and 'discrepancy' need the noise of all data, and a term has none", "give the standard deviation of each as 'noise'"};
  if (rule == WeightRule::discrepancy) return {};
  if (!is_prior) return {"'evidence' needs a proper Gaussian prior; '" + of + "' is improper (it leaves the mean undetermined) or not Gaussian",
                         "use 'discrepancy', or 'kind: gaussian_field' in place of field and term"};
  for (const CaseModel& model : problem.cases)
    if (!model.process->terms().empty())
      return {"the term '" + model.process->terms().front().name + "' is neither a measurement nor the prior, so the objective is not the negative logarithm of a probability", "remove it, or use 'discrepancy'"};
  if (designs_plain_field(problem)) return {"the evidence is not defined for a designed field without a prior", "make it a gaussian_field, or use 'discrepancy'"};
  return {};
}

WeightSearchOptions options_of(const Value& weight, Diagnostics& diagnostics) {
  WeightSearchOptions o{.rule = rule_of(weight)};
  if (!weight.is_map()) return o;
  o.start = weight["start"].number();
  const std::vector<double> range = weight["range"].numbers();
  if (!(range[0] <= 1 && range[1] >= 1))
    diagnostics.error(weight["range"].position, weight["range"].yaml_path, "the range does not contain the start: its ends are factors of 'start'", "e.g. [1e-6, 1e6]");
  else o.lower = range[0] * o.start, o.upper = range[1] * o.start;
  o.tolerance = weight["tolerance"].number();
  o.curve = static_cast<int>(weight["curve"].integer());
  return o;
}

}  // namespace

bool regularises(std::string_view quantity) { return quantity == "roughness" || quantity == "total_variation" || quantity == "field_size"; }

spec::Type weight_type(spec::Type plain) {
  using namespace spec;
  std::vector<Type::Choice> rules = found_weights();
  rules.insert(rules.begin(), {"given", "it is 'start'"});
  const Table found = Table("weight", "A weight that is found: the search is repeated for several weights, each from the result of the nearest one.")
                          .defaulted("by", choice(rules), "given", "rule by which it is chosen")
                          .defaulted("start", number().above(0), "1", "first weight; also that of verbs and options that do not search")
                          .defaulted("range", list_of(number().above(0), 2), "[1e-6, 1e6]", "smallest and largest weight to try, as factors of `start`")
                          .defaulted("tolerance", number().above(0), "0.02", "tolerance of the logarithm of the weight")
                          .defaulted("curve", integer().at_least(0).at_most(100), "0",
                                     "number of further weights, from a hundredth to a hundred times the chosen one, for the L-curve (misfit and penalty, l_curve.svg); from five tried weights on its corner is found");
  return either({std::move(plain), choice(found_weights()), record(found)});
}

double weight_at_start(const Value& entry) {
  const Value* weight = weight_of(entry);
  return !weight ? 1 : weight->is_number() ? weight->number() : weight->is_map() ? (*weight)["start"].number() : WeightSearchOptions{}.start;
}

bool seeks_weight(const Value& spec) {
  for (const char* section : {"design", "objective"})
    if (const Value* entries = spec.find(section))
      if (std::ranges::any_of(*entries, [](const Value& entry) { return is_found(weight_of(entry)); })) return true;
  return false;
}

void build_weights(Problem& problem, Diagnostics& diagnostics) {
  CaseFunctional& functional = *problem.functional;
  const auto add = [&](const Value& weight, const std::string& of, double deviation, RegularisationWeight regularisation) {
    const auto refuse = [&](const std::string& why, const std::string& remedy) { diagnostics.error(weight.position, weight.yaml_path, why, remedy); };
    if (problem.weight) return refuse("one weight can be found, and that is 'weight' of '" + problem.weight->of + "'", "give a number here");
    WeightSearchOptions options = options_of(weight, diagnostics);
    if (const auto [why, remedy] = obstacle(problem, options.rule, regularisation.is_prior(), of); !why.empty()) return refuse(why, remedy);
    options.data = problem.noise_known ? data_in(problem) : 0;
    problem.weight = std::make_shared<SoughtWeight>(SoughtWeight{&weight, of, deviation, std::move(regularisation), WeightSearch(options)});
  };
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const Value* entry = problem.blocks[b].entry;
    if (!entry || !dynamic_cast<const PriorField*>(functional.design()[b].get())) continue;
    RegularisationWeight of_prior = RegularisationWeight::of_prior(functional, b);
    of_prior.set(weight_at_start(*entry));
    if (const Value* weight = weight_of(*entry); is_found(weight)) add(*weight, problem.blocks[b].name, (*entry)["deviation"].number(), std::move(of_prior));
  }
  for (const FoundWeightOfTerm& t : problem.found_weights)
    add(*weight_of(*t.entry), t.name, 0, RegularisationWeight::of_term(functional, static_cast<std::size_t>(t.case_index), t.term));
}

}  // namespace invar
