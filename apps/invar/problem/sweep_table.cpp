#include "apps/invar/problem/sweep_table.hpp"

namespace invar {

using namespace spec;

namespace {

Table range_table() {
  return Table("range", "Numbers from one to another.")
      .required("from", number(), "the first")
      .required("to", number(), "the last; above `from`")
      .optional("n", integer().at_least(2), "how many: of `grid` and `zip`")
      .defaulted("scale", choice({{"linear", "equal distances, or all numbers equally likely"},
                                  {"log", "equal ratios, or all logarithms equally likely; positive numbers"}}),
                 "linear", "how they are spread");
}

Table distribution_table() {
  return Table("distribution", "How likely each value of an uncertain input is. With `lower` or `upper` it is cut off there and what is left counts as all.")
      .optional("normal", list_of(number(), 2), "mean and standard deviation")
      .optional("lognormal", list_of(number(), 2), "mean and standard deviation of the natural logarithm")
      .optional("uniform", list_of(number(), 2), "least and greatest")
      .optional("triangular", list_of(number(), 3), "least, most likely and greatest")
      .optional("lower", number(), "least value")
      .optional("upper", number(), "greatest value")
      .exactly_one_of({"normal", "lognormal", "uniform", "triangular"});
}

}  // namespace

Table sweep_table() {
  const std::vector<Type::Choice> designs = {
      {"grid", "every combination of the values in `over`, the last key changing first"},
      {"zip", "the first values of all keys, the second values of all keys, and so on"},
      {"list", "the points of `points`"},
      {"random", "`samples` independent points; more samples keep those before"},
      {"latin_hypercube", "`samples` points, one in each of as many slices of every input; another number of samples moves them all"},
      {"sobol", "the first `samples` points of Sobol's sequence, scrambled; more samples keep those before"},
      {"sobol_indices", "Saltelli's points for Sobol's first and total indices: (inputs + 2) runs for each of `samples`"},
      {"starts", "`samples` runs of the optimiser, each from a point of its own between the bounds of the design's numbers (`lower` and `upper`, or `range`)"}};
  return Table("sweep", "Many runs of this spec, by `invar sweep`. Keys of `over`, `points` and `uncertain` are paths as those of `--set`.")
      .defaulted("design", choice(designs), "grid", "which runs")
      .optional("over", map_of(either({list_of(anything()), record(range_table())}), "path"),
                "values of each key: a list, of `grid` and `zip`, or a range")
      .optional("uncertain", map_of(record(distribution_table()), "path"), "inputs that are known but for a distribution: of designs that draw samples")
      .optional("points", list_of(map_of(anything(), "path")), "each run's values: of `list`")
      .defaulted("samples", integer().at_least(1), "64", "how many are drawn; a power of two suits `sobol` and `sobol_indices` best")
      .defaulted("seed", integer().at_least(0), "1", "of what is drawn")
      .defaulted("report", list_of(text()), "[objective]", "numbers of results.json that `invar collect` gathers, by path as in `expect`; where there is no objective all `quantities` and `probes`")
      .optional("pareto", map_of(choice({{"least", ""}, {"greatest", ""}}), "number of results.json"),
                "what is wanted of several numbers at once: `invar collect` finds the runs that no other one beats in all of them")
      .defaulted("compare_models", boolean(), "false",
                 "the runs fit models, such as laws, to the same data: `invar collect` weighs them by their evidence and names the winner");
}

}  // namespace invar
