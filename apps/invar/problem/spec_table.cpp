#include "apps/invar/problem/spec_table.hpp"

#include "libadjoint/optimize/optimizer.hpp"
#include "libadjoint/solve/linear_method.hpp"
#include "libadjoint/solve/newton.hpp"
#include "libfem/solid/material_library.hpp"

namespace invar {
namespace {

using namespace spec;

Type value_or_formula(std::string unit) { return either({number(unit), expression(unit)}); }

/// Adds keys x, y, z.
Table& components(Table& table, const std::string& unit, const std::string& doc) {
  for (const char* axis : {"x", "y", "z"}) table.optional(axis, value_or_formula(unit), std::string(axis) + " component of " + doc);
  return table.at_least_one_of({"x", "y", "z"});
}

Table mesh_table() {
  const std::vector<Type::Choice> flat = {{"triangle", "three-sided cells"}, {"quadrilateral", "four-sided cells"}};
  const Table rectangle =
      Table("rectangle", "A rectangle. Facet regions: left, right, bottom, top; cells: body; corners: left_bottom …")
          .defaulted("from", list_of(number("m"), 2), "[0, 0]", "lower left corner")
          .required("to", list_of(number("m"), 2), "upper right corner")
          .required("cells", list_of(integer().at_least(1), 2), "cells along x and y")
          .defaulted("shape", choice(flat), "quadrilateral", "shape of the cells");
  const Table patch =
      Table("patch", "A four-sided figure with straight sides; regions as of a rectangle.")
          .required("corners", list_of(list_of(number("m"), 2), 4),
                    "left bottom, right bottom, right top, left top")
          .required("cells", list_of(integer().at_least(1), 2), "cells from left to right and from bottom to top")
          .defaulted("shape", choice(flat), "quadrilateral", "shape of the cells");
  const Table box =
      Table("box", "A box. Facet regions: left, right (x), bottom, top (y), back, front (z); cells: body; corners: "
                   "left_bottom_back …")
          .defaulted("from", list_of(number("m"), 3), "[0, 0, 0]", "lowest corner")
          .required("to", list_of(number("m"), 3), "highest corner")
          .required("cells", list_of(integer().at_least(1), 3), "cells along x, y and z")
          .defaulted("shape", choice({{"tetrahedron", "six to a brick"}, {"hexahedron", "bricks"}}), "hexahedron",
                     "shape of the cells");
  return Table("mesh", "Where the body is.")
      .optional("file", path(), "Gmsh file, version 2.2 or 4.1, ASCII or binary, plain or .gz")
      .optional("rectangle", record(rectangle), "built in")
      .optional("patch", record(patch), "built in")
      .optional("box", record(box), "built in")
      .exactly_one_of({"file", "rectangle", "patch", "box"});
}

Table physics_table() {
  const Table solid =
      Table("solid", "Static equilibrium of an elastic body.")
          .defaulted("kind", choice({{"spatial", "three-dimensional mesh"},
                                     {"plane_strain", "no strain across the plane; forces per unit thickness"},
                                     {"plane_stress", "no stress across the plane; forces per unit thickness"},
                                     {"axisymmetric", "x is the radius, y the axis; forces over the full circle"}}),
                     "spatial", "what the mesh stands for")
          .defaulted("formulation",
                     choice({{"displacement", "compressible materials"},
                             {"mixed", "displacement and pressure (Taylor-Hood): incompressible and nearly so"}}),
                     "displacement", "the unknowns")
          .defaulted("order", integer().at_least(1).at_most(2), "2", "polynomial order of the displacement");
  return Table("physics", "What is solved.").tagged("type", "the physics", {solid});
}

/// Every law: the constants of its compressible and of its incompressible form.
Table material_table() {
  std::vector<Table> laws;
  for (const std::string_view name : material_names()) {
    const int terms = max_material_terms(name);
    Table law(std::string(name), std::string(material_doc(name)));
    if (terms > 1)
      law.defaulted("terms", integer().at_least(1).at_most(terms), "1", "number of terms");
    const auto compressible = material_parameters({name, Formulation::compressible, false, terms});
    const auto isochoric = material_parameters({name, Formulation::isochoric, false, terms});
    const auto listed = [](std::span<const ParamSpec> specs, std::string_view key) {
      for (const ParamSpec& s : specs)
        if (s.key == key) return true;
      return false;
    };
    const Table all = parameters("", "", compressible), iso = parameters("", "", isochoric);
    for (const Table* t : {&all, &iso})
      for (const Table::Entry& e : t->entries()) {
        if (law.find(e.key)) continue;
        const bool in_both = listed(compressible, e.key) && listed(isochoric, e.key);
        std::string doc = e.doc;
        if (!in_both) doc += listed(compressible, e.key) ? " (compressible form)" : " (mixed formulation)";
        if (e.default_text) law.defaulted(e.key, e.type, *e.default_text, doc);
        else law.optional(e.key, e.type, doc);
      }
    if (!law.find("bulk"))
      law.optional("bulk", number("Pa").above(0).or_infinite(), "bulk modulus (mixed formulation)");
    laws.push_back(std::move(law));
  }
  return Table("material", "What a part of the body is made of.")
      .defaulted("region", text(), "all", "cell region, or 'all'")
      .defaulted("incompressible", boolean(), "false", "exactly incompressible; needs the mixed formulation")
      .tagged("model", "the law", std::move(laws));
}

Table support_table() {
  Table t("support", "Prescribed displacements of a region. A number is reached in proportion, from zero at the start "
                     "of the process to its value at the end; a formula in x, y, z, t is taken as it is.");
  for (const char* axis : {"x", "y", "z"})
    t.optional(std::string("u_") + axis, value_or_formula("m"), std::string("displacement along ") + axis);
  t.defaulted("factor", number(), "1", "multiplies the formulas; may be designed");
  return t.at_least_one_of({"u_x", "u_y", "u_z"});
}

Table load_table() {
  Table traction("traction", "Dead force per undeformed area.");
  components(traction, "Pa", "the traction").required("region", text(), "facet region");
  Table body("body_force", "Dead force per undeformed volume.");
  components(body, "N/m^3", "the force density").defaulted("region", text(), "all", "cell region, or 'all'");
  Table pressure("pressure", "Pressure on the deformed surface, following it.");
  pressure.required("region", text(), "facet region").required("p", value_or_formula("Pa"), "positive pushes inward");
  Table foundation("foundation", "Elastic (Winkler) bedding of a surface.");
  foundation.required("region", text(), "facet region");
  for (const char* axis : {"x", "y", "z"})
    foundation.defaulted(axis, number("N/m^3").at_least(0), "0", std::string("stiffness along ") + axis);
  return Table("load", "A number grows in proportion, from zero at the start of the process to its value at the end (a "
                       "foundation's does not grow); a formula in x, y, z, t is taken as it is.")
      .tagged("type", "kind of load", {traction, body, pressure, foundation})
      .defaulted("factor", number(), "1", "multiplies the formulas; may be designed");
}

Table time_table() {
  return Table("time", "The load parameter t. With data along t and nothing given here, the data's values are used.")
      .defaulted("start", number(), "0", "value at which the undeformed body is in equilibrium")
      .optional("steps", integer().at_least(1), "equal steps from start to end")
      .defaulted("end", number(), "1", "last value, with 'steps'")
      .optional("values", list_of(number()), "the values themselves, rising or falling")
      .at_most_one_of({"steps", "values"});
}

Table objective_table() {
  const auto common = [](Table t) {
    return t.optional("case", text(), "which case; may be left out when there is one")
        .defaulted("name", text(), "\"\"", "for reports; default: the type");
  };
  const auto squares = [&](Table t) {
    return common(std::move(t))
        .defaulted("weight", number().above(0), "1", "multiplies the residuals")
        .optional("noise", number().above(0), "standard deviation of the data; left out: unknown, estimated");
  };
  const Table reaction =
      squares(Table("reaction", "Force or moment on a region against a measured curve."))
          .required("region", text(), "facet region")
          .optional("direction", list_of(number()), "of the force; its length scales the result")
          .optional("axis", list_of(number(), 3), "of the moment (in the plane: [0, 0, 1])")
          .defaulted("point", list_of(number("m"), 3), "[0, 0, 0]", "on the axis of the moment")
          .exactly_one_of({"direction", "axis"})
          .required("file", path(), "CSV with a column of t and one of the force")
          .defaulted("t", text(), "t", "column of the load parameter")
          .defaulted("value", text(), "force", "column of the measured value");
  const Table markers =
      squares(Table("markers", "Displacements of points against measured ones."))
          .required("file", path(), "CSV with columns x, y, (z) and any of u_x, u_y, u_z")
          .optional("at", number(), "load parameter of the measurement; default: the last");
  const Table field =
      squares(Table("displacement_field", "∫ |u − û|² over a region against formulas (root-mean-square weighted).")
                  .required("region", text(), "cell or facet region")
                  .optional("u_x", value_or_formula("m"), "wanted displacement along x")
                  .optional("u_y", value_or_formula("m"), "wanted displacement along y")
                  .optional("u_z", value_or_formula("m"), "wanted displacement along z")
                  .at_least_one_of({"u_x", "u_y", "u_z"}))
          .optional("at", number(), "load parameter; default: the last");
  const Table energy = common(Table("stored_energy", "Elastic energy at the last step, minimised (quasi-Newton)."))
                           .defaulted("weight", number(), "1", "factor");
  const Table work = common(Table("compliance", "Work of the dead loads at the last step, minimised (quasi-Newton)."))
                         .defaulted("weight", number(), "1", "factor");
  return Table("term", "One term of the objective; they add up.")
      .tagged("type", "what is compared or minimised", {reaction, markers, field, energy, work});
}

Table design_table() {
  return Table("variable", "A number of this spec that the optimiser may change, by its path.")
      .required("variable", text(), "e.g. materials.rubber.c1, loads.tip.y, boundary.right.u_x; cases.NAME.… for one case")
      .optional("start", number(), "first value; default: the value in its place")
      .optional("lower", number().or_infinite(), "bound; default: the model's")
      .optional("upper", number().or_infinite(), "bound; default: the model's")
      .defaulted("scale", choice({{"linear", "any sign"}, {"log", "keeps its sign; for positive constants"}}), "linear",
                 "how the optimiser sees it")
      .optional("range", list_of(number(), 2), "where multi-start draws from; default: the bounds");
}

Table optimizer_table() {
  std::vector<Type::Choice> methods;
  for (const std::string& name : optimizer_names()) methods.push_back({name, "see the manual"});
  methods.push_back({"auto", "levenberg_marquardt for sums of squares, else quasi_newton"});
  return Table("optimizer", "How the best values are looked for.")
      .defaulted("method", choice(methods), "auto", "the algorithm")
      .defaulted("max_iterations", integer().at_least(1), "100", "accepted steps")
      .defaulted("gradient_tolerance", number().above(0), "1e-8", "relative, projected on the bounds")
      .defaulted("function_tolerance", number().at_least(0), "1e-12", "relative change of the objective")
      .defaulted("step_tolerance", number().at_least(0), "1e-12", "relative change of the variables")
      .defaulted("starts", integer().at_least(1), "1", "starting points, the given one included")
      .defaulted("seed", integer().at_least(0), "1", "of the other starting points");
}

Table solver_table() {
  std::vector<Type::Choice> methods = {{"auto", "by symmetry and size"}};
  for (const LinearMethod& m : linear_methods()) methods.push_back({std::string(m.name), std::string(m.doc)});
  return Table("solver", "How the equations are solved. PETSc options after `--` on the command line override.")
      .defaulted("linear", choice(methods), "auto", "linear solver")
      .defaulted("linear_rtol", number().above(0).below(1), "1e-10", "relative residual of linear solves")
      .defaulted("rtol", number().above(0).below(1), "1e-10", "relative residual of Newton's method")
      .defaulted("atol", number().at_least(0), "0", "absolute residual of Newton's method")
      .defaulted("max_iterations", integer().at_least(1), "50", "Newton steps of one load step")
      .defaulted("max_cuts", integer().at_least(0), "8", "how often a failing load step is halved");
}

Table output_table() {
  const Table probe = Table("probe", "A displacement component at a point, at the last step.")
                          .optional("case", text(), "which case; may be left out when there is one")
                          .required("point", list_of(number("m")), "undeformed position")
                          .required("component", choice({{"u_x", ""}, {"u_y", ""}, {"u_z", ""}}), "which");
  return Table("output", "What is written.")
      .defaulted("fields", choice({{"none", "no VTK files"}, {"last", "the last step"}, {"all", "every step"}, {"iterations", "the last step, and of every accepted iterate"}}), "last",
                 "VTK files of each case at the end")
      .optional("probes", map_of(record(probe)), "numbers for results.json and for `expect`");
}

Table verify_table() {
  return Table("verify", "Checks of the gradient, by `invar check` and at the end of every optimisation.")
      .defaulted("directions", integer().at_least(1), "2", "random directions besides the gradient itself")
      .defaulted("seed", integer().at_least(0), "1", "of the random directions")
      .defaulted("tolerance", number().above(0), "1e-8", "adjoint against tangent, relative");
}

Table expect_table() {
  return Table("expectation", "What a quantity of results.json must be.")
      .optional("value", number(), "expected value")
      .defaulted("rel", number().at_least(0), "0", "relative tolerance")
      .defaulted("abs", number().at_least(0), "0", "absolute tolerance")
      .optional("at_most", number(), "largest allowed")
      .optional("at_least", number(), "smallest allowed")
      .at_least_one_of({"value", "at_most", "at_least"});
}

/// The sections that say what one experiment is.
Table& experiment(Table& t) {
  return t.optional("mesh", record(mesh_table()), "where the body is")
      .optional("physics", record(physics_table()), "what is solved")
      .optional("materials", map_of(record(material_table())), "what the body is made of")
      .optional("boundary", map_of(record(support_table()), "region"), "prescribed displacements by region")
      .optional("loads", map_of(record(load_table())), "forces, by a name of your own")
      .optional("time", record(time_table()), "the load parameter");
}

}  // namespace

spec::Table spec_table() {
  Table one_case("case", "One experiment. A section given here stands in place of the one at the top.");
  experiment(one_case);
  Table spec("invar spec", "A problem: what is simulated, what may change and what is wanted. SI units, or any "
                           "consistent set.");
  spec.required("title", text(), "one line");
  experiment(spec)
      .optional("cases", map_of(record(one_case), "case"), "several experiments that share the design variables")
      .optional("design", list_of(record(design_table())), "what may change; left out: only simulate")
      .optional("objective", list_of(record(objective_table())), "what is wanted")
      .defaulted("optimizer", record(optimizer_table()), "{}", "how it is looked for")
      .defaulted("solver", record(solver_table()), "{}", "how equations are solved")
      .defaulted("output", record(output_table()), "{}", "what is written")
      .defaulted("verify", record(verify_table()), "{}", "how the gradient is checked")
      .optional("expect", map_of(record(expect_table()), "quantity"), "what must come out (`--expect`)");
  return spec;
}

}  // namespace invar
