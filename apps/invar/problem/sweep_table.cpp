#include "apps/invar/problem/sweep_table.hpp"

namespace invar {

using namespace spec;

namespace {

Table range_table() {
  return Table("range", "A range of numbers.")
      .required("from", number(), "first value")
      .required("to", number(), "last value, above `from`")
      .optional("n", integer().at_least(2), "number of values, for `grid` and `zip`")
      .defaulted("scale", choice({{"linear", "equal spacing, or uniform distribution"},
                                  {"log", "equal ratios, or uniform distribution of the logarithm; positive numbers"}}),
                 "linear", "spacing or distribution");
}

Table distribution_table() {
  return Table("distribution", "Distribution of an uncertain input. With `lower` or `upper` it is truncated there and renormalised.")
      .optional("normal", list_of(number(), 2), "mean and standard deviation")
      .optional("lognormal", list_of(number(), 2), "mean and standard deviation of the natural logarithm")
      .optional("uniform", list_of(number(), 2), "minimum and maximum")
      .optional("triangular", list_of(number(), 3), "minimum, mode and maximum")
      .optional("lower", number(), "minimum")
      .optional("upper", number(), "maximum")
      .exactly_one_of({"normal", "lognormal", "uniform", "triangular"});
}

}  // namespace

Table sweep_table() {
  const std::vector<Type::Choice> designs = {
      {"grid", "every combination of the values in `over`; the last key varies fastest"},
      {"zip", "the first values of all keys, the second values of all keys, and so on"},
      {"list", "the points of `points`"},
      {"random", "`samples` independent points; more samples extend the sequence"},
      {"latin_hypercube", "`samples` points, one in each of `samples` equally likely intervals of every input (Latin hypercube); another number of samples changes all points"},
      {"sobol", "the first `samples` points of Sobol's sequence, scrambled; more samples extend the sequence"},
      {"sobol_indices", "Saltelli's points for Sobol's first and total indices: (inputs + 2) runs for each of `samples`"},
      {"starts", "`samples` runs of the optimiser from random starts between the bounds of the design's numbers (`lower` and `upper`, or `range`)"}};
  return Table("sweep", "Many runs of this spec, by `invar sweep`. Keys of `over`, `points` and `uncertain` are paths as those of `--set`.")
      .defaulted("design", choice(designs), "grid", "which runs")
      .optional("over", map_of(either({list_of(anything()), record(range_table())}), "path"),
                "values of each key: a list, of `grid` and `zip`, or a range")
      .optional("uncertain", map_of(record(distribution_table()), "path"), "uncertain inputs with their distributions, for sampling designs")
      .optional("points", list_of(map_of(anything(), "path")), "values of each run, for `list`")
      .defaulted("samples", integer().at_least(1), "64", "number of samples; best a power of two for `sobol` and `sobol_indices`")
      .defaulted("seed", integer().at_least(0), "1", "seed of the random numbers")
      .defaulted("together", integer().at_least(1).at_most(4096), "1",
                 "number of runs that one process works on together, on the processor or a device: equilibria and adjoints of all of them are found at once, on as many copies of the mesh, and everything else is as in runs alone. For solids at rest with one case, without contact and ties, whose runs differ in numbers of `materials`, `boundary` and `loads` and in what does not enter the equations. Memory is that of all the runs; a run that fails does not take others along")
      .defaulted("report", list_of(text()), "[objective]", "numbers of results.json that `invar collect` gathers, by path as in `expect`; where there is no objective all `quantities` and `probes`")
      .optional("pareto", map_of(choice({{"least", ""}, {"greatest", ""}}), "number of results.json"),
                "objectives of a Pareto set: `invar collect` finds the runs that are not dominated")
      .defaulted("compare_models", boolean(), "false",
                 "the runs fit different models, e.g. laws, to the same data: `invar collect` compares their evidence and names the best model. Numbers without a prior count as parameters whose prior tells as much as one datum. Where the residuals of the closest fit are correlated, all fits are compared under that noise; fields are then not compared");
}

}  // namespace invar
