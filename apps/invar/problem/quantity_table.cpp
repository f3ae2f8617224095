#include <vector>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/problem/entry_table.hpp"
#include "apps/invar/problem/quantity_entries.hpp"
#include "apps/invar/problem/posterior_spec.hpp"
#include "apps/invar/problem/spec_sections.hpp"
#include "apps/invar/problem/weight_spec.hpp"
#include "libfem/design/entry/quantity_library.hpp"

namespace invar {
namespace {

using namespace spec;

Type point() { return list_of(number("m")); }

/// Scalar quantities of a state: for objectives, data, constraints and reports. Those of each physics, then the common ones.
std::vector<Table> scalar_tables(SomePhysics some) {
  std::vector<Table> all = tables_of(some, &Physics::scalars);
  for (Table& t : quantity_tables(common_quantities(), components_of(some))) all.push_back(std::move(t));
  all.push_back(tie_quantity_table());
  return all;
}

/// Adds the keys of statistics over a process in time.
Table& over_time(Table& t, std::vector<Type::Choice> of) {
  return t.defaulted("statistic", choice(std::move(of)), "value", "in time: statistic of the quantity between `begin` and `end`")
      .optional("begin", number("s"), "default: the start of time. If prescribed values jump there, away from rest, its state is no solution, since only what is prescribed has moved; it does not count, and the value at the end of the first step is that of the whole step")
      .optional("end", number("s"), "default: the end of time")
      .defaulted("window", choice({{"square", "constant weight"}, {"hann", "1 − cos (Hann)"}, {"hann_squared", "its square"}, {"bump", "infinitely differentiable"}}),
                 "square", "weight function of a mean or r.m.s. over time");
}

/// The statistics; `smooth` adds the two differentiable extrema for objectives.
std::vector<Type::Choice> statistics(bool smooth) {
  std::vector<Type::Choice> all{
      {"value", "the value at `at`"}, {"mean", "average over time"},
      {"rms", "root mean square of the deviation from the mean"},
      {"min", "the minimum, by a parabola between the times"}, {"max", "the maximum, likewise"},
      {"range", "maximum minus minimum"},
      {"frequency", "frequency of upward crossings of the mean, in 1/s"},
      {"decay", "logarithmic decrement of the extrema over 2π: the damping ratio of a lightly damped oscillation"}};
  if (smooth) {
    all.push_back({"largest", "smooth maximum; see `sharpness`"});
    all.push_back({"smallest", "smooth minimum, likewise"});
  }
  return all;
}

/// Adds the sharpness of a maximum in time; a quantity with a smoothed maximum in space already has one, which is then used for both.
Table& with_sharpness(Table& t) {
  if (t.find("sharpness")) return t;
  return t.defaulted("sharpness", number().above(0), "100", "κ of the smooth maximum ln(mean exp(κ y))/κ, in 1/(unit of y); the smooth minimum uses −κ");
}

/// A scalar as a term of the objective: minimised, or compared with data, in the column `value` of `file`.
Table as_term(Table t, const char* value) {
  with_sharpness(over_time(t, statistics(true)))
      .optional("file", path(), "CSV of measured values over t, in place of `target`: rows in any order, also at the start of t, and in statics on both sides of it (tension and compression); rows without a value (an empty cell or nan) are left out")
      .defaulted("t", text(), "t", "column of t in `file`")
      .defaulted("value", text(), value, "column of the measured value in `file`")
      .at_most_one_of({"file", "target"})
      .at_most_one_of({"file", "at"});
  return add_case_and_name(t)
      .defaulted("weight", regularises(t.name()) ? weight_type(number()) : number(), "1", "factor of the quantity, or of its difference from `target`; 0: it is computed and is no part of the fit; of measured values the result then tells how well the fit predicts them (held_out). Confidence intervals are those of the weighted fit to data with the stated `noise`; where the noise is unknown, or a gaussian_field is designed, it is taken as inversely proportional to the weights")
      .optional("target", number(), "required or measured value of the quantity or its `statistic`; the term is then ½ (weight · difference / noise)²")
      .optional("noise", number().above(0), "standard deviation of the measured `target` or values of `file`. Default for a file: unknown, estimated from the misfit. Where errors of neighbouring values depend on each other, as residuals show, intervals are corrected for it. A `target` without it is a design goal, not a measurement, and gives no confidence interval")
      .optional("at", number(), "load parameter; default: the last");
}

/// Data that are more than one number.
std::vector<Table> data_tables(SomePhysics some) {
  std::vector<Table> all = quantity_tables(common_data(), components_of(some));
  for (const Physics& p : some)
    for (Table& t : quantity_tables(p.data, p.components)) all.push_back(std::move(t));
  for (Table& t : all) squares_table(t).optional("at", number(), "load parameter or time of the measurement; default: the last");
  return all;
}

Table quantity_table(SomePhysics some) {
  std::vector<Table> tables = scalar_tables(some);
  for (Table& t : quantity_tables(common_reports(), components_of(some))) tables.push_back(std::move(t));
  for (Table& t : tables_of(some, &Physics::quantities)) tables.push_back(std::move(t));
  for (Table& t : tables)
    over_time(t, statistics(false))
        .optional("case", text(), "name of the case; optional if there is only one")
        .optional("at", number(), "load parameter or time; default: the last");
  return Table("quantity", "A number for results.json and for `expect`.").tagged("type", "type of quantity", std::move(tables));
}

Table errors_table(SomePhysics some) {
  Table t("errors", "Errors against a known solution in the L2 norm over the mesh (axisymmetric: over the meridian plane, without 2πr), for every case; the mean pressure of a flow is subtracted.");
  const std::vector<std::string> keys = add_components(t, "true", components_of(some));
  return t.defaulted("orders", boolean(), "false", "the cases are one problem on successively finer meshes: report observed orders, too")
      .at_least_one_of(keys);
}

Table picture_table() {
  return Table("picture", "A PNG of the last step's fields; of an optimisation also of the start.")
      .optional("case", text(), "name of the case; optional if there is only one")
      .defaulted("field", text(), "\"\"", "name of a field of the VTK files shown in colour, e.g. von_mises, whose values are means over cells; of vectors the magnitude; default: displacement or velocity")
      .defaulted("streamlines", boolean(), "false", "streamlines of `field`, which must be a velocity")
      .defaulted("arrows", text(), "\"\"", "vector field shown as arrows on the boundary")
      .defaulted("warp", text(), "\"\"", "vector field added to the coordinates, e.g. displacement")
      .defaulted("title", text(), "\"\"", "title; default: the name");
}

}  // namespace

std::vector<Table> scalar_quantity_tables(SomePhysics some) { return scalar_tables(some); }

Table path_control_table(SomePhysics some) {
  std::vector<Table> tables;
  for (Table& t : scalar_tables(some))
    for (const char* name : {"point", "mean_displacement", "enclosed_volume", "reaction", "centroid", "stored_energy"})
      if (t.name() == name) tables.push_back(std::move(t));
  return Table("path control", "The quantity whose values are the points of an equilibrium path.").tagged("type", "type of quantity", std::move(tables));
}

Table objective_table(SomePhysics some) {
  std::vector<Table> tables = data_tables(some);
  for (const Table& t : scalar_tables(some)) tables.push_back(as_term(t, t.name() == "reaction" ? "force" : "value"));
  return Table("term", "One term of the objective, a sum of terms.").tagged("type", "type of quantity", std::move(tables));
}

Table constraint_table(SomePhysics some) {
  std::vector<Table> tables = scalar_tables(some);
  for (Table& t : tables)
    with_sharpness(over_time(add_case_and_name(t), statistics(true)))
        .optional("lower", number(), "least value allowed")
        .optional("upper", number(), "greatest value allowed; the same as `lower`: an equation")
        .optional("scale", number().above(0), "unit in which violations are measured; default: the larger limit, or 1")
        .defaulted("relative", boolean(), "false", "`lower`, `upper` and `scale` are limits of the ratio of a quantity that depends on the mesh only (thickness, volume, …) to its value in the undesigned mesh")
        .optional("at", number(), "load parameter; default: the last")
        .at_least_one_of({"lower", "upper"});
  return Table("constraint", "A quantity that must stay within limits.").tagged("type", "type of quantity", std::move(tables));
}

Table output_table(SomePhysics some) {
  const Table probe = Table("probe", "A component of the unknown at a point, at the last step.")
                          .optional("case", text(), "name of the case; optional if there is only one")
                          .required("point", point(), "undeformed position")
                          .required("component", choice(choices_of(components_of(some))), "which");
  return Table("output", "What is written.")
      .defaulted("fields", choice({{"none", "no VTK files"}, {"last", "the last step"}, {"all", "every step"}, {"iterations", "the last step, and of every accepted iterate"}}), "last",
                 "VTK files of each case at the end")
      .defaulted("states", choice({{"auto", "for processes in time"}, {"all", "for every case"}, {"none", "no files"}}), "auto",
                 "final state of each case, in states/, from which another run may begin (`initial.from`)")
      .optional("probes", map_of(record(probe)), "numbers for results.json and for `expect`")
      .optional("quantities", map_of(record(quantity_table(some))), "forces, energies, … for results.json and for `expect`")
      .optional("errors", record(errors_table(some)), "differences from a known solution")
      .defaulted("posterior", record(posterior_table()), "{}", "posterior of fields with a prior (gaussian_field)")
      .defaulted("report", boolean(), "false", "write report.html, one page on the run, at its end, with pictures of the main fields if `pictures` lists none; 'invar report' does it later")
      .optional("pictures", map_of(record(picture_table())), "PNG files, by names of your choice");
}

}  // namespace invar
