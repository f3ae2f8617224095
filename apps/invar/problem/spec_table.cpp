#include "apps/invar/problem/spec_table.hpp"

#include <algorithm>
#include <iterator>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/build_shape.hpp"
#include "apps/invar/problem/design_entries.hpp"
#include "apps/invar/problem/device_choice.hpp"
#include "apps/invar/problem/entry_table.hpp"
#include "apps/invar/problem/spec_sections.hpp"
#include "apps/invar/problem/sweep_table.hpp"
#include "apps/invar/problem/trim_spec.hpp"
#include "libadjoint/maps/number_design.hpp"
#include "libadjoint/optimize/optimizer.hpp"
#include "libadjoint/optimize/optimizer_method.hpp"
#include "libadjoint/solve/linear_method.hpp"
#include "libadjoint/solve/newton.hpp"
#include "libadjoint/time/time_scheme.hpp"
#include "libadjoint/time/time_scheme_doc.hpp"
#include "libfem/space/formula_functions.hpp"

namespace invar {
namespace {

using namespace spec;

Table mesh_table() {
  const std::vector<Type::Choice> flat = {{"triangle", "three-sided cells"}, {"quadrilateral", "four-sided cells"}};
  const Table rectangle =
      Table("rectangle", "A rectangle. Facet regions: left, right, bottom, top; cells: body; corners: left_bottom …")
          .defaulted("from", list_of(number("m"), 2), "[0, 0]", "lower left corner")
          .required("to", list_of(number("m"), 2), "upper right corner")
          .required("cells", list_of(integer().at_least(1), 2), "cells along x and y")
          .defaulted("grading", list_of(number().at_least(1), 2), "[1, 1]",
                     "along each axis how many times longer the cells are in the middle than at both ends, about")
          .defaulted("shape", choice(flat), "quadrilateral", "shape of the cells");
  const Table patch =
      Table("patch", "A four-sided figure with straight sides; regions as of a rectangle.")
          .required("corners", list_of(list_of(number("m"), 2), 4),
                    "left bottom, right bottom, right top, left top")
          .required("cells", list_of(integer().at_least(1), 2), "cells from left to right and from bottom to top")
          .defaulted("grading", list_of(number().at_least(1), 2), "[1, 1]",
                     "in each direction how many times longer the cells are in the middle than at both ends, about")
          .defaulted("shape", choice(flat), "quadrilateral", "shape of the cells");
  const Table box =
      Table("box", "A box. Facet regions: left, right (x), bottom, top (y), back, front (z); cells: body; corners: "
                   "left_bottom_back …; nodes of edges: left_bottom, left_back …")
          .defaulted("from", list_of(number("m"), 3), "[0, 0, 0]", "lowest corner")
          .required("to", list_of(number("m"), 3), "highest corner")
          .required("cells", list_of(integer().at_least(1), 3), "cells along x, y and z")
          .defaulted("grading", list_of(number().at_least(1), 3), "[1, 1, 1]",
                     "along each axis how many times longer the cells are in the middle than at both ends, about")
          .defaulted("shape", choice({{"tetrahedron", "six to a brick"}, {"hexahedron", "bricks"}}), "hexahedron",
                     "shape of the cells");
  const auto part = [](const char* name, const char* along, const char* side, const char* other) {
    return Table(name, "Cells between two lines of a grid.")
        .required("to", number("m"), std::string("where it ends, along ") + along)
        .required("cells", integer().at_least(1), "how many")
        .optional("first", number("m").above(0), "length of the first cell; with it alone lengths are in geometric progression")
        .optional("last", number("m").above(0), "length of the last cell; with both the stretching of Vinokur (J. Comput. Phys. 50, 1983)")
        .optional(side, text(), std::string("name of a further region: this part of '") + side + "'")
        .optional(other, text(), "likewise");
  };
  const Table grid =
      Table("grid", "A rectangle with lines where one wants them, deformed by formulas. Regions as of a rectangle, and those that its parts name.")
          .defaulted("from", list_of(number("m"), 2), "[0, 0]", "lower left corner")
          .required("columns", list_of(record(part("column", "x", "bottom", "top"))), "from left to right")
          .required("rows", list_of(record(part("row", "y", "left", "right"))), "from bottom to top")
          .optional("x", expression("m"), "where the point (x, y) of the rectangle goes; default: it stays")
          .optional("y", expression("m"), "likewise")
          .defaulted("shape", choice(flat), "quadrilateral", "shape of the cells");
  const Table hole = Table("hole", "A box without cells; its sides must lie where cells meet.")
                         .required("from", list_of(number("m")), "lowest corner")
                         .required("to", list_of(number("m")), "highest corner");
  const Table airfoil =
      Table("airfoil", "A structured mesh around an airfoil, its nose at the origin and its chord along x. Facet regions: airfoil, inlet, outlet, far (both); "
                       "cells: fluid; points: leading_edge, trailing_edge.")
          .optional("naca", text(), "the four digits of a NACA section, with a sharp trailing edge, e.g. \"0012\"")
          .optional("profile", path(), "file of coordinates as in the UIUC collection (Selig's or Lednicer's order); a blunt trailing edge is closed, the chord scaled and turned onto x")
          .defaulted("topology", choice({{"c", "lines round the nose and along the wake, where the mesh is joined; the far boundary is two parabolas, of which the front one is the inlet"},
                                         {"o", "closed lines; the far boundary is nearly a circle, whose front half is the inlet"}}),
                     "c", "how cells go round it")
          .defaulted("chord", number("m").above(0), "1", "length of the airfoil")
          .defaulted("radius", number().at_least(2), "500", "from the nose to the far boundary, in chords; nearer than 100 a lifting flow feels it by percents")
          .defaulted("around", integer().at_least(8), "128", "cells on the airfoil, an even number")
          .defaulted("wake", integer().at_least(4), "48", "c: cells along the wake")
          .defaulted("normal", integer().at_least(4), "64", "cells from the wall to the far boundary, in geometric progression")
          .required("first", number("m").above(0), "height of the cells at the wall; y+ = 1 is about 5 chords/Re^0.9")
          .defaulted("leading", number().above(0), "2e-3", "length of the cells at the nose, in chords")
          .defaulted("trailing", number().above(0), "1e-3", "length of those at the trailing edge, in chords")
          .defaulted("shape", choice(flat), "quadrilateral", "shape of the cells")
          .exactly_one_of({"naca", "profile"});
  const Table surface =
      Table("surface", "The surface of an obstacle: facets without cells (in the plane: a curve), all of whose components are prescribed in `boundary`. It may be closed or "
                       "open, and nothing depends on which way its facets are turned. Regions: all facets are the one of the body's name; groups of the file are NAME_GROUP.")
          .required("file", path(), "OBJ, STL (ASCII or binary) or Gmsh, plain or .gz")
          .defaulted("scale", number().above(0), "1", "factor of its lengths, e.g. 1e-3 for a drawing in millimetres")
          .optional("at", list_of(number("m")), "where its origin is put");
  const Table body = Table("body", "A body of several that share no nodes.")
                         .optional("file", path(), "Gmsh file")
                         .optional("rectangle", record(rectangle), "built in")
                         .optional("patch", record(patch), "built in")
                         .optional("box", record(box), "built in")
                         .optional("grid", record(grid), "built in")
                         .optional("surface", record(surface), "of an obstacle")
                         .optional("point", list_of(number("m")), "a node without cells, all of whose components are prescribed in `boundary`: it moves an obstacle that is a "
                                                                  "formula (loads, `moves_with`). The region of its name")
                         .exactly_one_of({"file", "rectangle", "patch", "box", "grid", "surface", "point"});
  return Table("mesh", "Where the body is.")
      .optional("file", path(), "Gmsh file, version 2.2 or 4.1, ASCII or binary, plain or .gz")
      .optional("rectangle", record(rectangle), "built in")
      .optional("patch", record(patch), "built in")
      .optional("box", record(box), "built in")
      .optional("grid", record(grid), "built in")
      .optional("holes", map_of(record(hole), "region"), "boxes whose cells are taken away; the surface that each leaves is a region of its name")
      .optional("airfoil", record(airfoil), "built in")
      .optional("bodies", map_of(record(body), "body"), "several bodies that may touch: the cells of each are the region of its name, and its region r is NAME_r")
      .defaulted("refine", integer().at_least(0).at_most(6), "0",
                 "how often every cell is divided regularly (into 4 in the plane, 8 in space), straight or curved as it is; new nodes of a grid or around an airfoil lie on its "
                 "own lines between the old ones; regions are kept")
      .optional("parts", map_of(expression(), "region"), "further cell regions: the cells at whose middle a formula holds (is positive), e.g. rim: y > 18")
      .optional("regions", map_of(list_of(text()), "region"), "further regions, each the union of others of one dimension, e.g. walls: [bottom, top]")
      .exactly_one_of({"file", "rectangle", "patch", "box", "grid", "airfoil", "bodies"});
}

Table physics_table(SomePhysics some) {
  std::vector<Table> options;
  for (const Physics& p : some) options.push_back(p.options);
  return Table("physics", "What is solved.").tagged("type", "the physics", std::move(options));
}

Table time_table(SomePhysics some) {
  std::vector<Type::Choice> schemes{{"static", "no time: t is a load parameter"}};
  for (const std::string& name : TimeScheme::names()) schemes.push_back({name, std::string(time_scheme_doc(name))});
  return Table("time", "Time, where a scheme is given; else the load parameter t. With data along a load parameter and nothing "
                       "given here, the data's values are used.")
      .defaulted("scheme", choice(schemes), "static", "how time is stepped through")
      .defaulted("start", number(), "0", "where time begins; value at which the undeformed body is in equilibrium")
      .defaulted("control",
                 either({choice({{"load", "loads are given: t is their parameter"},
                                 {"arc_length", "loads have an unknown factor: t is the length of the path, the sum of the root-mean-square "
                                                "distances of the displacements at neighbouring points"}}),
                         record(path_control_table(some))}),
                 "load",
                 "statics of solids: what is prescribed at each point of the process. With a quantity, t is its value, and the factor of the "
                 "loads is an unknown of each point, which may fall: a measured curve of load over displacement or volume is then data of "
                 "the quantity 'load' along t. To pass a limit load, prescribe a displacement or an enclosed volume; where these turn back, too, arc_length")
      .optional("scaled", list_of(text()), "what the unknown factor multiplies, e.g. [loads.inner.p]; other loads act from the start as they are. "
                                           "Default: all numbers that grow when loads are given")
      .optional("steps", integer().at_least(1), "equal steps from start to end")
      .optional("step", number("s").above(0), "length of the steps in time")
      .defaulted("end", number(), "1", "last value")
      .optional("values", list_of(number()), "the values themselves: rising, load parameters also falling, those of a controlled quantity in any order")
      .optional("data_shift", number("s"), "in time: offset that is added to the t of data in files, whose clock may have started late; may be designed. The process "
                                            "is interpolated between its times, and must cover the shifted data")
      .defaulted("begin_with", choice({{"initial", "the values of `initial`, else zero"},
                                       {"equilibrium", "the static equilibrium with the loads and prescribed values of the start (or the steady flow); "
                                                       "`initial` gives rates alone. A load that ends then, e.g. the formula 't <= 0 ? 1 : 0', is released"}}),
                 "initial", "in time: the state at the start. Derivatives go through the equilibrium")
      .defaulted("inertia", boolean(), "true", "solids: false omits inertia, for slow processes; viscous and plastic behaviour stays")
      .defaulted("rho_infinity", number().at_least(0).at_most(1), "0.5", "generalised_alpha: spectral radius at infinite frequency; 1 damps nothing")
      .defaulted("tolerance", number().at_least(0), "0", "tolerated error of a step, relative to the state: a step with a larger error is divided; 0: no step is")
      .defaulted("convection", choice({{"implicit", "Newton's method in every step"},
                                       {"linearised", "by the velocity extrapolated from earlier times: one linear solve for each step"}}),
                 "implicit", "flow: how steps treat inertia; pressure_correction always linearises")
      .defaulted("factor_interval", either({choice({{"auto", "as many as counted operations and iterations recommend, up to 32; each step its own where "
                                                             "factors are cheap (small systems) or there are none (multigrid)"}}),
                                            integer().at_least(1)}),
                 "auto", "steps on the same factorisation, which preconditions those after the first")
      .optional("memory", number("MB").above(0), "memory per rank for the states that the reverse sweep needs; states that do not fit are recomputed. If all fit, the rest is for "
                "factors of the march, which the sweep then does not compute again. Without this key all states are kept, and no factors")
      .optional("disk", number("MB").above(0), "disk space for more of them, in the system's temporary folder")
      .defaulted("single_precision", boolean(), "false", "keep states in single precision: half the memory, and a less accurate gradient, whose error is reported")
      .defaulted("horizon", integer().at_least(0), "0", "steps that the reverse sweep goes back; 0: all")
      .at_most_one_of({"steps", "step", "values"});
}

Table design_table() {
  Table number("number", "A number of this spec, by its path.");
  add_parameters(number, number_design_parameters());
  std::vector<Table> kinds = shape_tables();
  kinds.insert(kinds.begin(), std::move(number));
  std::ranges::move(design_kind_tables(), std::back_inserter(kinds));
  return Table("variable", "What the optimiser may change.").tagged("kind", "a number, how a boundary moves, or a field", std::move(kinds), "number");
}

Table optimizer_table() {
  std::vector<Type::Choice> methods;
  for (const OptimizerMethod& m : optimizer_methods()) methods.push_back({std::string(m.name), std::string(m.doc)});
  methods.push_back({"auto", "levenberg_marquardt for sums of squares, gauss_newton where a gaussian_field is designed besides, quasi_newton else; with constraints sqp, or mma where "
                             "fields are designed"});
  return Table("optimizer", "How the best values are looked for.")
      .defaulted("method", choice(methods), "auto", "the algorithm")
      .defaulted("max_iterations", integer().at_least(0), "100", "accepted steps; 0: objective and gradient are evaluated at the start, once, and written to gradient.json")
      .defaulted("gradient_tolerance", number().above(0), "1e-8", "relative, projected on the bounds")
      .defaulted("function_tolerance", number().at_least(0), "1e-12", "relative change of the objective")
      .defaulted("step_tolerance", number().at_least(0), "1e-12", "relative change of the variables")
      .defaulted("constraint_tolerance", number().above(0), "1e-6", "violation of the constraints, in their scale")
      .defaulted("conservative", boolean(), "true",
                 "mma: only steps are taken whose approximations proved to lie above the functions (Svanberg 2002); false: every step, one evaluation each (Svanberg 1987), "
                 "which goes on where values no longer tell points apart and gradients do")
      .defaulted("max_move", number().above(0).at_most(1), "0.2",
                 "mma: most that a variable moves in one step, as a part of the distance of its bounds")
      .defaulted("starts", integer().at_least(1), "1", "starting points, the given one included")
      .defaulted("seed", integer().at_least(0), "1", "of the other starting points")
      .optional("start", record(Table("start", "In place of what 'design' says: each variable and field of the same name begins where an earlier run ended.")
                                    .required("from", path(), "folder of that run, with its design.json; fields need the same mesh")),
                "where the search begins");
}

Table solver_table() {
  std::vector<Type::Choice> methods = {
      {"auto", "by symmetry and size: multigrid for large bodies and, from " + std::to_string(saddle_multigrid_size) +
                   " unknowns on, for steady Taylor-Hood flow of one fluid in space without resistance, from " +
                   std::to_string(coupled_multigrid_size) +
                   " on for flow of equal order in space (coupled_amg); else a direct method. "
                   "A direct method also takes over where multigrid fails, or where its expected iterations cost more than a "
                   "factorisation that fits into memory. `-v` reports the choice and its reason"}};
  for (const LinearMethod& m : linear_methods()) {
    const LinearMethodUse* use = use_of(m.name);
    methods.push_back({std::string(m.name), std::string(m.doc) + (use ? "; for " + use->problems : "")});
  }
  return Table("solver", "How the equations are solved. PETSc options after `--` on the command line override.")
      .defaulted("linear", choice(methods), "auto", "linear solver")
      .defaulted("linear_rtol", either({number().above(0).below(1), choice({{"auto", "1e-12 by direct methods, else 1e-10"}})}), "auto",
                 "relative residual of linear solves")
      .defaulted("rtol", either({number().above(0).below(1), choice({{"auto", "1e-10; in steady flow, and where a shape is designed, 1e-13"}})}), "auto",
                 "relative residual of Newton's method")
      .defaulted("atol", number().at_least(0), "0", "absolute residual of Newton's method")
      .defaulted("max_iterations", integer().at_least(1), "50", "Newton steps of one load step")
      .defaulted("max_cuts", integer().at_least(0), "8", "how often a failing load step is halved")
      .defaulted("continuation", choice({{"auto", "pseudo_time, then viscosity or stiffness, as far as the equations allow"},
                                         {"pseudo_time", "flow: in pseudo-time with local steps, from the beginning instead of only after Newton's method has failed"},
                                         {"viscosity", "flow: through flows of larger viscosity"},
                                         {"stiffness", "fsi: from stiffer bodies"},
                                         {"none", "no further attempt: the solve has failed"}}),
                 "auto", "how a steady problem is solved that Newton's method does not solve from rest")
      .defaulted("start", choice({{"auto", "steady Navier-Stokes flow on Taylor-Hood elements, from 20 000 unknowns on: at the "
                                           "solution on linear elements; else as 'rest'"},
                                  {"rest", "nothing moves"}}),
                 "auto", "where the first solve of a steady problem begins")
      .defaulted("device", choice({{"none", "the processor"},
                                   {"auto", "cuda from " + std::to_string(worthwhile_on_device) + " unknowns on, where there is a device, one process and all "
                                            "terms of the equation have kernels; else none. `-v` reports the choice and its reason"},
                                   {"cuda", "the first CUDA device, of a program with CUDA code (INVAR_CUDA_PROGRAM); exit code 4 where there is none"},
                                   {"emulation", "the same kernels on the processor, in the same order, for tests; slow"}}),
                 "none", "what evaluates the terms of the equation, their products, matrices and gradients. For: solids of linear_elastic, neo_hookean, and in the "
                         "mixed formulation neo_hookean_isochoric, and in the plane and in space their loads, inertia and viscosity; flow on Taylor-Hood elements. Matrices are "
                         "solved with on the processor. One process");
}

Table verify_table() {
  const Type kind = choice({{"mesh", "every cell divided regularly; the body keeps its shape and the design its values"},
                            {"step", "steps of half the length; data and signals keep their times"},
                            {"order", "elements of second order in place of first"},
                            {"tolerance", "solver.rtol, solver.linear_rtol and time.tolerance divided by 100, where rounding allows"},
                            {"start", "the search is repeated from a random start between the bounds; it finds the same optimum, a better or a worse one"},
                            {"black_white", "every density becomes 0 or 1: cut at 1/2, or where a 'fluid_volume' or 'material_volume' is constrained so that it stays as it is; of a solid the least member size is measured"},
                           {"corners", "of a density in black and white: without the cells that others hold at a corner only, as in a checkerboard; no mesh makes such contacts real. "
                                       "Where there are any, 'mesh', 'order' and 'black_white' check this, too"},
                            {"convex", "a sheet of variable thickness (density without penalty): the duality gap, which bounds how much better any other design can be"}});
  return Table("verify", "Checks of the gradient, by `invar check` and in every optimisation, and of the optimum, which is solved again in other settings.")
      .defaulted("directions", integer().at_least(1), "2", "random directions besides the gradient itself")
      .defaulted("seed", integer().at_least(0), "1", "of the random directions, and of another start")
      .defaulted("tolerance", number().above(0), "1e-8", "adjoint against tangent, relative")
      .optional("refine", either({kind, list_of(kind)}), "in which settings the optimum is solved again, once it is found. Results are the object `verification` of results.json; fields are in verify/")
      .defaulted("survive", number(), "0.5", "least share of the gain, (J_start - J_optimum) in the other setting over the same in the run, that must be left; else the run ends with exit code 5, as when no check can tell, the optimum cannot be solved again, or a fitted parameter leaves its 95 % interval")
      .defaulted("levels", integer().at_least(1).at_most(2), "1", "of mesh and step, one finer than the other: with 2 the order of convergence is observed, and the grid convergence index has the safety factor 1.25, else 3");
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
Table& experiment(SomePhysics some, Table& t) {
  t.optional("mesh", record(mesh_table()), "where the body or the fluid is")
      .optional("physics", record(physics_table(some)), "what is solved")
      .optional("materials", map_of(record(material_table(some))), "what it is made of")
      .optional("boundary", map_of(record(support_table(some)), "region"), "prescribed displacements or velocities by region")
      .optional("ties", map_of(record(tie_table(some))), "constraints between unknowns: periodic sides, plates, means, meshes that do not match; by a name of your own")
      .optional("rigid", map_of(record(rigid_table())), "parts that are rigid, by a name of your own")
      .optional("joints", map_of(record(joint_table())), "joints between rigid parts, with springs, dampers and drives, by a name of your own")
      .optional("tendons", map_of(record(tendon_table())), "cables and springs through the body, by a name of your own")
      .optional("loads", map_of(record(load_table(some))), "forces and open boundaries, by a name of your own")
      .optional("initial", map_of(record(initial_table(some)), "region").besides(initial_run_table()), "where time begins, by region or 'all'")
      .optional("time", record(time_table(some)), "time, or the load parameter")
      .optional("trim", record(trim_table(some)), "a number that keeps a quantity where it should be");
  if (std::ranges::any_of(some, [](const Physics& p) { return !p.contact.empty(); }))
    t.optional("contact", map_of(record(contact_table(some))), "surfaces that may touch each other, by a name of your own");
  return t;
}

}  // namespace

spec::Table spec_table() { return spec_table(all_physics()); }

spec::Table spec_table(SomePhysics some) {
  Table one_case("case", "One experiment. A section given here stands in place of the one at the top, with its numbers: paths in `design` and `--set` name them cases.NAME.…");
  one_case.optional("base", text(), "another case, whose sections this one has, too, where it gives none of its own")
      .paths("A key with points, as in `mesh.rectangle.cells: [16, 16]`, sets one value in a copy of the section that the case "
             "would have without it: its own, its base's or the one at the top. That section is the case's own then.");
  experiment(some, one_case);
  Table spec("invar spec", "A problem: what is simulated, what may change and what is wanted. SI units, or any "
                           "consistent set. " + formula_doc());
  spec.required("title", text(), "one line");
  experiment(some, spec)
      .optional("cases", map_of(record(one_case), "case"), "several experiments that share the design variables")
      .optional("design", list_of(record(design_table())), "what may change; left out: only simulate")
      .optional("objective", list_of(record(objective_table(some))), "what is wanted")
      .defaulted("combine", choice({{"sum", "they add up"}, {"worst", "the largest of them counts, with its weight: methods that take constraints minimise a bound of all"}}), "sum",
                 "what the terms of the objective are together")
      .optional("constraints", list_of(record(constraint_table(some))), "quantities that must stay within limits")
      .optional("mesh_motion", record(mesh_motion_table()), "how the mesh follows a boundary that is designed")
      .defaulted("optimizer", record(optimizer_table()), "{}", "how it is looked for")
      .defaulted("solver", record(solver_table()), "{}", "how equations are solved")
      .defaulted("output", record(output_table(some)), "{}", "what is written")
      .defaulted("verify", record(verify_table()), "{}", "how the gradient is checked")
      .optional("sweep", record(sweep_table()), "many runs of this spec (`invar sweep`)")
      .optional("expect", map_of(record(expect_table()), "quantity"), "what must come out (`--expect`)");
  return spec;
}

}  // namespace invar
