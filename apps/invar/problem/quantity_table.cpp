#include <vector>

#include "apps/invar/problem/spec_sections.hpp"

namespace invar {
namespace {

using namespace spec;

/// The case and the name of a term.
Table& common(Table& t) {
  return t.optional("case", text(), "which case; may be left out when there is one")
      .defaulted("name", text(), "\"\"", "for reports; default: the type");
}

Type point() { return list_of(number("m")); }

/// Numbers that a state has: to be minimised, to be compared with data, to be kept within limits, or to be
/// reported.
std::vector<Table> scalar_tables() {
  const Type axes = choice({{"x", ""}, {"y", ""}, {"z", ""}});
  const char* enclosed = "cell region, 'all', or the facet region around a hole: then of the hole";
  const Table force = Table("force", "Flow: force of the fluid on a wall, or through an inlet or outlet, by the consistent residual. Where "
                               "regions meet each has its own traction, so that forces of parts add up to that of the whole.")
                          .required("region", text(), "facet region")
                          .required("direction", list_of(number()), "of the force; its length scales the result")
                          .defaulted("coefficient", number(), "1", "multiplies the force, e.g. 2/(ρ U² A)");
  const Table moment = Table("moment", "Flow: moment of the fluid's force on a wall.")
                           .required("region", text(), "facet region")
                           .defaulted("axis", list_of(number(), 3), "[0, 0, 1]", "of the moment; in the plane always [0, 0, 1]")
                           .defaulted("point", list_of(number("m"), 3), "[0, 0, 0]", "on the axis")
                           .defaulted("coefficient", number(), "1", "multiplies the moment");
  const Table reaction = Table("reaction", "Solid: force or moment that the supports of a region exert on the body. Where regions of facets "
                                           "meet each has its own traction, so that reactions of parts add up to that of the whole; "
                                           "regions of cells, curves or points have what acts at their nodes.")
                             .required("region", text(), "where the body is held")
                             .optional("direction", list_of(number()), "of the force; its length scales the result")
                             .optional("axis", list_of(number(), 3), "of the moment (in the plane: [0, 0, 1])")
                             .defaulted("point", list_of(number("m"), 3), "[0, 0, 0]", "on the axis of the moment")
                             .defaulted("of",
                                        choice({{"supports", "what holds the body there, without the loads"},
                                                {"surface", "all that acts there: loads, bedding and contact, too"}}),
                                        "supports", "of what; regions of facets alone have a surface")
                             .defaulted("coefficient", number(), "1", "multiplies the reaction, e.g. 1/A for a nominal stress")
                             .exactly_one_of({"direction", "axis"});
  const Table pressures = Table("pressure_field", "Flow: ½ ∫ (p − p̂)² over facets.")
                              .required("region", text(), "facet region")
                              .required("p", value_or_formula("Pa"), "wanted pressure p̂");
  const Table drop = Table("pressure_drop", "Flow: difference of the pressure at two points.")
                         .required("from", point(), "where the pressure counts positive")
                         .required("to", point(), "where it is subtracted");
  const Table mean = Table("mean_pressure", "Flow: pressure averaged over facets.").required("region", text(), "facet region");
  const Table dissipation =
      Table("dissipation", "Flow: power that becomes heat in the fluid and in porous bodies.");
  const Table kinetic = Table("kinetic_energy", "∫ ρ/2 |v|², v the velocity; of solids in time.");
  const Table rate = Table("flow_rate", "Flow: volume that leaves through facets per second; entering counts negative.")
                         .required("region", text(), "facet region");
  const Table volume = Table("volume", "Volume of the mesh, of a part of it, or of what a boundary encloses; per unit depth in the plane.")
                           .defaulted("region", text(), "all", enclosed);
  const Table centroid =
      Table("centroid", "A coordinate of the centre of volume of the mesh, or of the centre of mass of a solid as it deforms.")
          .required("component", axes, "which")
          .defaulted("region", text(), "all", std::string(enclosed) + "; of the body also facets, by their area")
          .defaulted("of",
                     choice({{"mesh", "the centre of volume, undeformed"},
                             {"body", "solid: the centre of mass, deformed; by the density, without inertia by the undeformed volume"}}),
                     "mesh", "of what");
  const Table position = Table("position", "The greatest or least coordinate of a region's nodes, smoothed so that it can be designed: "
                                           "it lies outside the true one, by at most size · ln(nodes) / sharpness, where size is the region's greatest extent.")
                             .required("region", text(), "facet or cell region")
                             .required("component", axes, "which coordinate")
                             .required("kind", choice({{"min", "the least"}, {"max", "the greatest"}}), "which end")
                             .defaulted("sharpness", number().above(0), "1000", "how little it is smoothed");
  const Table roughness = Table("roughness", "½ ∫ |∇q|² of a material's constant that is designed as a field, q its logarithm, or with "
                                             "a linear scale its ratio to the start; of an initial field ½ ∫ |∇u|²: keeps ill-posed fields smooth.")
                              .required("variable", text(), "as in 'design'; initial.velocity where the kind is initial_field");
  const Table size = Table("field_size", "½ ∫ |w|² of what a designed initial velocity u is made of, (1 − l² Δ) u + ∇p = w: keeps it smooth, as a "
                                         "prior in which w is white noise.")
                         .defaulted("variable", choice({{"initial.source", "w"}, {"initial.velocity", "u itself"}}), "initial.source", "of which");
  const Table fluid_volume("fluid_volume", "Volume of the fluid where a density is designed; per unit depth in the plane.");
  const Table distance = Table("distance", "Between the two nodes that are nearest to two points of the undeformed mesh: a thickness.")
                             .required("from", list_of(number("m")), "the one")
                             .required("to", list_of(number("m")), "the other");
  const Table at_point = Table("point", "Displacement or velocity (flow), pressure or scalar at a point; in time also its rate.")
                             .required("point", point(), "undeformed position")
                             .required("component", choice({{"u_x", ""}, {"u_y", ""}, {"u_z", ""}, {"p", "pressure"}, {"c", "scalar"}}), "which")
                             .defaulted("of", choice({{"value", ""}, {"rate", "its first derivative in time"}}), "value", "what of it");
  const Table mean_scalar = Table("mean_scalar", "Flow that carries a scalar: its average over cells.")
                                .defaulted("region", text(), "all", "cell region, or 'all'");
  const Table scalar_flow = Table("scalar_flow", "Flow that carries a scalar: what of it leaves with the flow through facets per second, ∫ c u·n.")
                                .required("region", text(), "facet region");
  const Table actuation = Table("actuation", "Square of a number of this spec, at the time: what a control costs.")
                              .required("variable", text(), "its path, as in 'design'");
  const Table energy("stored_energy", "Solid: elastic energy.");
  const Table work("compliance", "Solid: work of the dead loads.");
  const Table load = Table("load", "Solid along a path whose load is unknown (`time.control`): the value that was found of a number of this spec.")
                         .required("variable", text(), "its path, e.g. loads.inner.p");
  const Table enclosed_volume =
      Table("enclosed_volume", "Solid: volume that facets around a cavity enclose, deformed; per unit depth in the plane. Where the cavity is "
                               "open, the opening must lie in a coordinate plane through the origin: half a cavity at a plane of symmetry.")
          .required("region", text(), "facet region");
  const Table mean_displacement = Table("mean_displacement", "Solid: a component of the displacement averaged over a region as it was undeformed.")
                                      .required("region", text(), "facet or cell region, or 'all'")
                                      .required("component", axes, "which");
  return {load,     enclosed_volume, mean_displacement, reaction, force,     moment, drop,     mean,      pressures, dissipation, kinetic, rate,        volume,     fluid_volume,
          distance, centroid,  position, roughness, size,   at_point,  actuation,   energy,  work,        mean_scalar, scalar_flow};
}

/// What is made of a quantity along a process in time.
Table& over_time(Table& t, std::vector<Type::Choice> of) {
  return t.defaulted("statistic", choice(std::move(of)), "value", "in time: what is made of the quantity between `begin` and `end`")
      .optional("begin", number("s"), "default: the start of time")
      .optional("end", number("s"), "default: the end of time")
      .defaulted("window", choice({{"square", "all times count alike"}, {"hann", "1 − cos"}, {"hann_squared", "its square"}, {"bump", "smooth to all orders"}}),
                 "square", "how a mean or r.m.s. weighs times");
}

/// Those that are reported; `smooth` adds the two that are for searches.
std::vector<Type::Choice> statistics(bool smooth) {
  std::vector<Type::Choice> all{
      {"value", "none: the value at `at`"}, {"mean", "average over time"},
      {"rms", "root of the mean square of the difference from the mean"},
      {"min", "the least, between the times by a parabola"}, {"max", "the greatest, likewise"},
      {"range", "the greatest less the least"},
      {"frequency", "of the crossings of the mean, upwards, in 1/s"},
      {"decay", "logarithmic decrement of the extrema over 2π: the damping ratio of a lightly damped swing"}};
  if (smooth) {
    all.push_back({"largest", "smooth maximum; see `sharpness`"});
    all.push_back({"smallest", "smooth minimum, likewise"});
  }
  return all;
}

/// A scalar as a term of the objective: minimised as it is, or data, in `file` under the column `value`.
Table as_term(Table t, const char* value) {
  over_time(t, statistics(true))
      .defaulted("sharpness", number().above(0), "100", "of `largest`: κ of ln(mean exp(κ y))/κ, in 1/(unit of y); of `smallest`: −κ")
      .optional("file", path(), "CSV of the quantity along t, in place of `target`: rows in any order, also at the start of t, and in statics on both sides of it (tension and compression)")
      .defaulted("t", text(), "t", "column of t in `file`")
      .defaulted("value", text(), value, "column of the measured value in `file`")
      .at_most_one_of({"file", "target"})
      .at_most_one_of({"file", "at"});
  return common(t)
      .defaulted("weight", number(), "1", "factor of what is minimised; of a difference from `target`")
      .optional("target", number(), "wanted or measured value, of `statistic` where one is named; the term is then ½ (weight · difference / noise)²")
      .optional("noise", number().above(0), "standard deviation of `target`; left out: unknown, estimated")
      .optional("at", number(), "load parameter; default: the last");
}

Table squares(Table t) {
  return common(t)
      .defaulted("weight", number().above(0), "1", "multiplies the residuals")
      .optional("noise", number().above(0), "standard deviation of the data; left out: unknown, estimated");
}

Table field_misfit_table(const char* name, const char* doc, const char* unit, const char* what) {
  Table t(name, doc);
  t.required("region", text(), "cell or facet region");
  for (const char* axis : {"x", "y", "z"})
    t.optional(std::string("u_") + axis, value_or_formula(unit), std::string("wanted ") + what + " along " + axis);
  return squares(t.at_least_one_of({"u_x", "u_y", "u_z"})).optional("at", number(), "load parameter; default: the last");
}

/// Data that are more than one number.
std::vector<Table> data_tables() {
  const Table markers =
      squares(Table("markers", "Displacements of points, or velocities and pressures at points, against measured ones."))
          .required("file", path(), "CSV with columns x, y, (z) and any of u_x, u_y, u_z, p; with a column t each row at its own load parameter or time, in any order")
          .optional("at", number(), "load parameter of the measurement; default: the last");
  return {markers,
          field_misfit_table("displacement_field", "Solid: ∫ |u − û|² over a region against formulas (root-mean-square weighted).",
                      "m", "displacement"),
          field_misfit_table("velocity_field", "Flow: ∫ |u − û|² over a region against formulas (root-mean-square weighted).",
                      "m/s", "velocity")};
}

Table quantity_table() {
  std::vector<Table> tables = scalar_tables();
  tables.push_back(Table("extremum", "Least or greatest value of a component along a line or among the nodes of a region, or where it is.")
                       .required("component", text(), "u_x, u_y, u_z, p or c")
                       .optional("from", point(), "one end of the line")
                       .optional("to", point(), "the other end")
                       .optional("region", text(), "in place of a line; 'all': everywhere")
                       .required("kind", choice({{"min", "the least value"}, {"max", "the greatest value"}}), "which")
                       .defaulted("give", choice({{"value", ""}, {"x", "coordinate of where it is"}, {"y", "likewise"}, {"z", "likewise"}}), "value",
                                  "what of it")
                       .defaulted("samples", integer().at_least(3), "1000", "equally spaced points of the line, refined by a parabola")
                       .exactly_one_of({"from", "region"}));
  tables.push_back(Table("wall_shear", "Flow: viscous force on a wall per area, along the wall; its extremes, its zeros, and where they are. In the plane "
                                       "it counts along the wall from the end where x is least (of closed walls from there, with the fluid on the left), "
                                       "in space it is the magnitude. All of the wall is written to walls/NAME.csv.")
                       .required("region", text(), "facet region")
                       .required("kind",
                                 choice({{"min", "the least"}, {"max", "the greatest"},
                                         {"zero", "in the plane: where it changes its sign, points of separation and reattachment"}}),
                                 "which point")
                       .defaulted("number", integer().at_least(1), "1", "of zeros, counted along the wall; where there are fewer the quantity is not a number")
                       .defaulted("give",
                                  choice({{"value", "the shear in Pa; of zeros its sign behind them"}, {"x", "coordinate of the point"}, {"y", "likewise"},
                                          {"z", "likewise"}, {"distance", "in the plane: along the wall from where it begins"}}),
                                  "value", "what of it"));
  tables.push_back(Table("field_value", "A material's constant that is designed as a field, in the cell that contains a point.")
                       .required("variable", text(), "as in 'design'")
                       .required("point", point(), "undeformed position"));
  Table error("field_error", "Mean-square (L2) norm over the mesh of the difference from a known displacement, velocity or scalar: √∫ |u − û|².");
  for (const char* axis : {"x", "y", "z"})
    error.optional(std::string("u_") + axis, value_or_formula("m or m/s"), std::string("known component along ") + axis);
  error.optional("c", value_or_formula("1"), "known scalar");
  tables.push_back(error.at_least_one_of({"u_x", "u_y", "u_z", "c"}));
  tables.push_back(Table("vorticity_deviation", "Flow: standard deviation over mean of the vorticity's magnitude along a wall. On a body of "
                                                "given volume that has least drag in creeping flow it is zero.")
                       .required("region", text(), "facet region")
                       .defaulted("margin", number().at_least(0).below(0.5), "0.05",
                                  "part of the body's length at its front and at its rear that is left out: tips of discrete shapes are rounded")
                       .defaulted("axis", choice({{"x", ""}, {"y", ""}, {"z", ""}}), "x", "from the front to the rear"));
  tables.push_back(Table("corner_angle", "Angle, in degrees, between the two sides of a boundary in the plane at its front or rear.")
                       .required("region", text(), "facet region")
                       .defaulted("axis", choice({{"x", ""}, {"y", "in axisymmetric cases always this"}}), "x", "from the front to the rear")
                       .required("tip", choice({{"front", "least coordinate along the axis"}, {"rear", "greatest"}}), "which corner")
                       .defaulted("range", list_of(number("m"), 2), "[0.02, 0.2]",
                                  "distances from the corner, along the axis, between which parabolas are fitted to the sides; their "
                                  "tangents are taken at the corner"));
  for (Table& t : tables)
    over_time(t, statistics(false))
        .optional("case", text(), "which case; may be left out when there is one")
        .optional("at", number(), "load parameter or time; default: the last");
  return Table("quantity", "A number for results.json and for `expect`.").tagged("type", "what it is", std::move(tables));
}

Table errors_table() {
  Table t("errors", "Differences from a known solution, in the mean-square (L2) norm over the mesh, for every case.");
  for (const char* axis : {"x", "y", "z"})
    t.optional(std::string("u_") + axis, value_or_formula("m or m/s"), std::string("true component along ") + axis);
  return t.optional("p", value_or_formula("Pa"), "true pressure, up to a constant")
      .defaulted("orders", boolean(), "false", "the cases are one problem on finer and finer meshes: observed orders too")
      .optional("c", value_or_formula("1"), "true scalar")
      .at_least_one_of({"u_x", "u_y", "u_z", "p", "c"});
}

Table picture_table() {
  return Table("picture", "A PNG of the last step's fields; of an optimisation also of the start.")
      .optional("case", text(), "which case; may be left out when there is one")
      .defaulted("field", text(), "\"\"", "name of a field of the VTK files shown in colour; of vectors the magnitude")
      .defaulted("streamlines", boolean(), "false", "of `field`, which must be a velocity")
      .defaulted("arrows", text(), "\"\"", "vector field shown as arrows on the boundary")
      .defaulted("warp", text(), "\"\"", "vector field added to the coordinates, e.g. displacement")
      .defaulted("title", text(), "\"\"", "written above; default: the name");
}

}  // namespace

Table path_control_table() {
  std::vector<Table> tables;
  for (Table& t : scalar_tables())
    for (const char* name : {"point", "mean_displacement", "enclosed_volume", "reaction", "centroid", "stored_energy"})
      if (t.name() == name) tables.push_back(std::move(t));
  return Table("path control", "The quantity whose values are the points of an equilibrium path.").tagged("type", "what it is", std::move(tables));
}

Table objective_table() {
  std::vector<Table> tables = data_tables();
  for (const Table& t : scalar_tables()) tables.push_back(as_term(t, t.name() == "reaction" ? "force" : "value"));
  return Table("term", "One term of the objective; they add up.").tagged("type", "what is compared or minimised", std::move(tables));
}

Table constraint_table() {
  std::vector<Table> tables = scalar_tables();
  for (Table& t : tables)
    over_time(common(t), statistics(true))
        .defaulted("sharpness", number().above(0), "100", "of `largest`: κ of ln(mean exp(κ y))/κ, in 1/(unit of y); of `smallest`: −κ")
        .optional("lower", number(), "least value allowed")
        .optional("upper", number(), "greatest value allowed; the same as `lower`: an equation")
        .optional("scale", number().above(0), "typical size: violations are measured in it; default: the larger limit, or 1")
        .optional("at", number(), "load parameter; default: the last")
        .at_least_one_of({"lower", "upper"});
  return Table("constraint", "A quantity that must stay within limits.").tagged("type", "the quantity", std::move(tables));
}

Table output_table() {
  const Table probe = Table("probe", "A component of the unknown at a point, at the last step.")
                          .optional("case", text(), "which case; may be left out when there is one")
                          .required("point", point(), "undeformed position")
                          .required("component", choice({{"u_x", ""}, {"u_y", ""}, {"u_z", ""}, {"p", "pressure"}, {"c", "scalar"}}), "which");
  return Table("output", "What is written.")
      .defaulted("fields", choice({{"none", "no VTK files"}, {"last", "the last step"}, {"all", "every step"}, {"iterations", "the last step, and of every accepted iterate"}}), "last",
                 "VTK files of each case at the end")
      .optional("probes", map_of(record(probe)), "numbers for results.json and for `expect`")
      .optional("quantities", map_of(record(quantity_table())), "forces, energies, … for results.json and for `expect`")
      .optional("errors", record(errors_table()), "differences from a known solution")
      .optional("pictures", map_of(record(picture_table())), "PNG files, by a name of your own");
}

}  // namespace invar
