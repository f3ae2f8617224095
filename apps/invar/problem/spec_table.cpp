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
                     "grading: approximate ratio of the cell size in the middle to that at both ends, along each axis")
          .defaulted("shape", choice(flat), "quadrilateral", "shape of the cells");
  const Table patch =
      Table("patch", "A quadrilateral with straight sides; regions as for a rectangle.")
          .required("corners", list_of(list_of(number("m"), 2), 4),
                    "left bottom, right bottom, right top, left top")
          .required("cells", list_of(integer().at_least(1), 2), "cells from left to right and from bottom to top")
          .defaulted("grading", list_of(number().at_least(1), 2), "[1, 1]",
                     "grading: approximate ratio of the cell size in the middle to that at both ends, in each direction")
          .defaulted("shape", choice(flat), "quadrilateral", "shape of the cells");
  const Table box =
      Table("box", "A box. Facet regions: left, right (x), bottom, top (y), back, front (z); cells: body; corners: "
                   "left_bottom_back …; nodes of edges: left_bottom, left_back …")
          .defaulted("from", list_of(number("m"), 3), "[0, 0, 0]", "lowest corner")
          .required("to", list_of(number("m"), 3), "highest corner")
          .required("cells", list_of(integer().at_least(1), 3), "cells along x, y and z")
          .defaulted("grading", list_of(number().at_least(1), 3), "[1, 1, 1]",
                     "grading: approximate ratio of the cell size in the middle to that at both ends, along each axis")
          .defaulted("shape", choice({{"tetrahedron", "six per brick"}, {"hexahedron", "bricks"}}), "hexahedron",
                     "shape of the cells");
  const auto part = [](const char* name, const char* along, const char* side, const char* other) {
    return Table(name, "A part of a grid between two lines.")
        .required("to", number("m"), std::string("end coordinate along ") + along)
        .required("cells", integer().at_least(1), "number of cells")
        .optional("first", number("m").above(0), "length of the first cell; if only one of 'first' and 'last' is given, lengths are in geometric progression")
        .optional("last", number("m").above(0), "length of the last cell; with both the stretching of Vinokur (J. Comput. Phys. 50, 1983)")
        .optional(side, text(), std::string("name of an additional region: this part of '") + side + "'")
        .optional(other, text(), "likewise");
  };
  const Table grid =
      Table("grid", "A rectangle with prescribed grid lines, optionally deformed by formulas. Regions as for a rectangle, and those named by its parts.")
          .defaulted("from", list_of(number("m"), 2), "[0, 0]", "lower left corner")
          .required("columns", list_of(record(part("column", "x", "bottom", "top"))), "from left to right")
          .required("rows", list_of(record(part("row", "y", "left", "right"))), "from bottom to top")
          .optional("x", expression("m"), "image of the point (x, y) of the rectangle; default: the point itself")
          .optional("y", expression("m"), "likewise")
          .defaulted("shape", choice(flat), "quadrilateral", "shape of the cells");
  const Table hole = Table("hole", "A box without cells; its sides must lie on cell boundaries.")
                         .required("from", list_of(number("m")), "lowest corner")
                         .required("to", list_of(number("m")), "highest corner");
  const Table airfoil =
      Table("airfoil", "A structured mesh around an airfoil, its nose at the origin and its chord along x. Facet regions: airfoil, inlet, outlet, far (both); "
                       "cells: fluid; points: leading_edge, trailing_edge.")
          .optional("naca", text(), "the four digits of a NACA section, with a sharp trailing edge, e.g. \"0012\"")
          .optional("profile", path(), "file of coordinates as in the UIUC collection (Selig's or Lednicer's order); a blunt trailing edge is closed, the chord scaled and turned onto x")
          .defaulted("topology", choice({{"c", "C mesh: lines around the nose and along the wake, where the mesh is joined; the far boundary consists of two parabolas, the front one of which is the inlet"},
                                         {"o", "O mesh: closed lines; the far boundary is nearly a circle, its front half is the inlet"}}),
                     "c", "topology of the mesh")
          .defaulted("chord", number("m").above(0), "1", "chord length")
          .defaulted("radius", number().at_least(2), "500", "from the nose to the far boundary, in chords; below 100 the error in lift is of the order of percents")
          .defaulted("around", integer().at_least(8), "128", "cells on the airfoil, an even number")
          .defaulted("wake", integer().at_least(4), "48", "c: cells along the wake")
          .defaulted("normal", integer().at_least(4), "64", "cells from the wall to the far boundary, in geometric progression")
          .required("first", number("m").above(0), "height of the cells at the wall; y+ = 1 is about 5 chords/Re^0.9")
          .defaulted("leading", number().above(0), "2e-3", "length of the cells at the nose, in chords")
          .defaulted("trailing", number().above(0), "1e-3", "length of those at the trailing edge, in chords")
          .defaulted("shape", choice(flat), "quadrilateral", "shape of the cells")
          .exactly_one_of({"naca", "profile"});
  const Table surface =
      Table("surface", "The surface of an obstacle: facets without cells (in the plane: a curve), all of whose components are prescribed in `boundary`. It may be closed or open, with facets of any orientation. Regions: all facets have the body's name; groups of the file are NAME_GROUP.")
          .required("file", path(), "OBJ, STL (ASCII or binary) or Gmsh, plain or .gz")
          .defaulted("scale", number().above(0), "1", "factor of its lengths, e.g. 1e-3 for a drawing in millimetres")
          .optional("at", list_of(number("m")), "translation of its origin");
  const Table body = Table("body", "One of several bodies without common nodes.")
                         .optional("file", path(), "Gmsh file")
                         .optional("rectangle", record(rectangle), "built in")
                         .optional("patch", record(patch), "built in")
                         .optional("box", record(box), "built in")
                         .optional("grid", record(grid), "built in")
                         .optional("surface", record(surface), "surface of an obstacle")
                         .optional("point", list_of(number("m")), "a node without cells, all of whose components are prescribed in `boundary`: it moves an obstacle that is given by a formula (loads, `moves_with`). Its region has the body's name")
                         .optional("at", list_of(number("m")), "translation of the body: leaves the gap between bodies that touch as they are drawn")
                         .exactly_one_of({"file", "rectangle", "patch", "box", "grid", "surface", "point"});
  return Table("mesh", "The mesh.")
      .optional("file", path(), "Gmsh file, version 2.2 or 4.1, ASCII or binary, plain or .gz")
      .optional("rectangle", record(rectangle), "built in")
      .optional("patch", record(patch), "built in")
      .optional("box", record(box), "built in")
      .optional("grid", record(grid), "built in")
      .optional("holes", map_of(record(hole), "region"), "boxes whose cells are removed; the resulting surface is a region of the hole's name")
      .optional("airfoil", record(airfoil), "built in")
      .optional("bodies", map_of(record(body), "body"), "several bodies that may touch: the cells of a body are the region of its name, and its region r is NAME_r")
      .defaulted("refine", integer().at_least(0).at_most(6), "0",
                 "number of uniform refinements (each cell into 4 in the plane, 8 in space), which preserve curved cells and regions; new nodes of a grid or airfoil mesh lie on its grid lines")
      .optional("parts", map_of(expression(), "region"), "additional cell regions: cells at whose centre a formula is true (positive), e.g. rim: y > 18")
      .optional("regions", map_of(list_of(text()), "region"), "additional regions, each the union of others of the same dimension, e.g. walls: [bottom, top]")
      .exactly_one_of({"file", "rectangle", "patch", "box", "grid", "airfoil", "bodies"});
}

Table physics_table(SomePhysics some) {
  std::vector<Table> options;
  for (const Physics& p : some) options.push_back(p.options);
  return Table("physics", "The physics.").tagged("type", "the physics", std::move(options));
}

Table time_table(SomePhysics some) {
  std::vector<Type::Choice> schemes{{"static", "no time: t is a load parameter"}};
  for (const std::string& name : TimeScheme::names()) schemes.push_back({name, std::string(time_scheme_doc(name))});
  return Table("time", "Time, where a scheme is given; else the load parameter t. With data along a load parameter and nothing "
                       "given here, the data's values are used.")
      .defaulted("scheme", choice(schemes), "static", "time integration scheme")
      .defaulted("start", number(), "0", "start time; in statics the value at which the undeformed body is in equilibrium")
      .defaulted("control",
                 either({choice({{"load", "loads are given: t is their parameter"},
                                 {"arc_length", "loads have an unknown factor: t is the length of the path, the sum of the root-mean-square "
                                                "distances of the displacements at neighbouring points"}}),
                         record(path_control_table(some))}),
                 "load",
                 "statics of solids: the prescribed path variable. With a quantity, t is its value, and the load factor is an unknown of each point, which may decrease: a measured curve of load over displacement or volume is then data of the quantity 'load' along t. To pass a limit load, prescribe a displacement or an enclosed volume; if these turn back, too (snap-back), use arc_length")
      .optional("scaled", list_of(text()), "loads with the unknown factor, e.g. [loads.inner.p]; other loads are constant. Default: all numbers that would grow in proportion with given loads")
      .optional("steps", integer().at_least(1), "equal steps from start to end")
      .optional("step", number("s").above(0), "length of the steps in time")
      .defaulted("end", number(), "1", "last value")
      .optional("values", list_of(number()), "list of values: ascending; load parameters also descending; those of a controlled quantity in any order")
      .optional("data_shift", number("s"), "in time: offset added to the times of data in files, e.g. for an unknown start of the clock; may be designed. The process is interpolated between its times, and must cover the shifted data")
      .defaulted("begin_with", choice({{"initial", "the values of `initial`, else zero"},
                                       {"equilibrium", "the static equilibrium (or steady flow) with the loads and prescribed values at the start; `initial` gives rates only. A load that ends at the start, e.g. by the formula 't <= 0 ? 1 : 0', is released"}}),
                 "initial", "in time: the initial state. Derivatives include the equilibrium")
      .defaulted("inertia", boolean(), "true", "solids: false omits inertia, for slow processes with viscous or plastic behaviour")
      .defaulted("mass", choice({{"consistent", "the mass matrix of the elements"},
                                 {"lumped", "diagonal: integrated at the nodes, with the weights of Hinton, Rock and Zienkiewicz. Steps of central_differences are then "
                                            "divisions, without a linear system, unless forces depend on velocities of several nodes (viscosity). Second-order accurate "
                                            "with elements of both orders; not in axisymmetric models, whose axis would have no mass"}}),
                 "consistent", "solids: the mass, also of loads and damping in proportion to it")
      .defaulted("rho_infinity", number().at_least(0).at_most(1), "0.5", "generalised_alpha: spectral radius at infinite frequency; 1: no damping")
      .defaulted("tolerance", number().at_least(0), "0", "tolerance of the error of a step, relative to the state: steps with a larger error are divided; 0: never")
      .defaulted("convection", choice({{"implicit", "Newton's method in every step"},
                                       {"linearised", "convection by the velocity extrapolated from earlier times: one linear solve per step"}}),
                 "implicit", "flow: treatment of convection in a step; pressure_correction always linearises")
      .defaulted("factor_interval", either({choice({{"auto", "chosen by operation counts of factorisations and iterations, up to 32; 1 if factors are cheap (fewer than a hundred unknowns) or not used (multigrid)"}}),
                                            integer().at_least(1)}),
                 "auto", "number of steps that use the same factorisation as a preconditioner. `auto` is the least work for a march with one gradient; 1 with `memory` for all factorisations makes a reverse sweep several times cheaper where bodies touch, e.g. with many constraints or fitted parameters")
      .optional("memory", number("MB").above(0), "memory per rank for the states that the reverse sweep needs; states that do not fit are recomputed. If all fit, the remaining memory stores factorisations of the forward solves for the reverse sweep. Default: all states are stored, but no factorisations")
      .optional("device_memory", number("MB").above(0), "with `solver.device`: memory of the device for these states, used first. Default: all cases share half of what is free before the first solve, which is the largest value, too. Without effect, said by a warning, where `device: auto` finds none")
      .optional("disk", number("MB").above(0), "disk space for more of them, in the system's temporary folder")
      .defaulted("single_precision", boolean(), "false", "store states in single precision (not those kept on a device): half the memory, but a less accurate gradient, whose error is reported")
      .defaulted("horizon", integer().at_least(0), "0", "number of steps of a truncated reverse sweep; 0: all")
      .at_most_one_of({"steps", "step", "values"});
}

Table design_table() {
  Table number("number", "A number of this spec, by its path.");
  add_parameters(number, number_design_parameters());
  std::vector<Table> kinds = shape_tables();
  kinds.insert(kinds.begin(), std::move(number));
  std::ranges::move(design_kind_tables(), std::back_inserter(kinds));
  return Table("variable", "An entry of the design.").tagged("kind", "a number, how a boundary moves, or a field", std::move(kinds), "number");
}

Table optimizer_table() {
  std::vector<Type::Choice> methods;
  for (const OptimizerMethod& m : optimizer_methods()) methods.push_back({std::string(m.name), std::string(m.doc)});
  methods.push_back({"auto", "levenberg_marquardt for sums of squares, gauss_newton where a gaussian_field is designed besides, quasi_newton else; with constraints sqp, or mma where "
                             "fields are designed"});
  return Table("optimizer", "The optimisation method.")
      .defaulted("method", choice(methods), "auto", "the algorithm")
      .defaulted("max_iterations", integer().at_least(0), "100", "accepted steps; 0: objective and gradient are evaluated at the start, once, and written to gradient.json")
      .defaulted("gradient_tolerance", number().above(0), "1e-8", "relative, projected on the bounds")
      .defaulted("function_tolerance", number().at_least(0), "1e-12", "relative change of the objective")
      .defaulted("step_tolerance", number().at_least(0), "1e-12", "relative change of the variables")
      .defaulted("constraint_tolerance", number().above(0), "1e-6", "violation of the constraints, in their scale")
      .defaulted("conservative", boolean(), "true",
                 "mma: accept a step only if its approximations bound the functions from above (Svanberg 2002); false: accept every step, with one evaluation each (Svanberg 1987), which can continue when differences of values are below rounding but gradients are not")
      .defaulted("max_move", number().above(0).at_most(1), "0.2",
                 "mma: largest change of a variable in one step, relative to the distance of its bounds; sqp, interior_point: length of the first step, relative to the typical ranges of the variables")
      .optional("rounds", integer().at_least(2).at_most(10000), "runs of the search, each of at most max_iterations from the result of the previous one; in between, multipliers of limits and scales of norms (stress_limit, a scaled stress_norm or stress_ks) are updated. With a density they are given by its 'stages'")
      .defaulted("starts", integer().at_least(1), "1", "number of starting points, including the given one")
      .defaulted("seed", integer().at_least(0), "1", "seed of the other starting points")
      .optional("start", record(Table("start", "Replaces the start values in 'design': each variable and field of the same name starts from the result of an earlier run.")
                                    .required("from", path(), "folder of that run, with its design.json; fields need the same mesh")),
                "start of the search");
}

Table solver_table() {
  std::vector<Type::Choice> methods = {
      {"auto", "by symmetry and size: multigrid for large bodies and, from " + std::to_string(saddle_multigrid_size) +
                   " unknowns on, for steady Taylor-Hood flow of one fluid in space without resistance, from " +
                   std::to_string(coupled_multigrid_size) +
                   " on for flow of equal order in space (coupled_amg), from " + std::to_string(gauss_seidel_size) +
                   " on for fluid-structure interaction in space and time on Taylor-Hood elements without a scalar (block_gauss_seidel); else a direct method. "
                   "A direct method also takes over where multigrid fails, or where its expected iterations cost more than a "
                   "factorisation that fits into memory. Where a device evaluates the equation (`device`) it also solves: on congruent cells by cg_lattice; from " +
                   std::to_string(worthwhile_on_device) + " unknowns on, bodies in space on elements of second order with a symmetric matrix by cg_p_multigrid; else "
                   "by cudss or cudss_ldlt, if cuDSS can be loaded; ties, unknown loads and trims stay on the processor. `-v` reports the choice and its reason, run.json that on a device"}};
  for (const LinearMethod& m : linear_methods()) {
    const LinearMethodUse* use = use_of(m.name);
    methods.push_back({std::string(m.name), std::string(m.doc) + (use ? "; for " + use->problems : "")});
  }
  return Table("solver", "How the equations are solved. PETSc options after `--` on the command line take precedence.")
      .defaulted("linear", choice(methods), "auto", "linear solver")
      .defaulted("linear_rtol", either({number().above(0).below(1), choice({{"auto", "1e-12 by direct methods, else 1e-10"}})}), "auto",
                 "relative residual of linear solves")
      .defaulted("reproducible", boolean(), "true", "cuDSS (cudss…, and cg_p_multigrid and auto on a device) adds up in a fixed order: the same run on the same device gives the same bits. "
                 "false: its solves take a quarter to a half of the time, and runs agree up to rounding errors")
      .defaulted("rtol", either({number().above(0).below(1), choice({{"auto", "1e-10; in steady flow, and where a shape is designed, 1e-13"}})}), "auto",
                 "relative residual of Newton's method")
      .defaulted("atol", number().at_least(0), "0", "absolute residual of Newton's method")
      .defaulted("max_iterations", integer().at_least(1), "50", "largest number of Newton steps in one load step")
      .defaulted("max_cuts", integer().at_least(0), "8", "how often in a row a failed load or time step may be halved; a divided time step grows again after two halves")
      .defaulted("continuation", choice({{"auto", "pseudo_time, then viscosity or stiffness, if the equations allow it"},
                                         {"pseudo_time", "flow: pseudo-time steps with local step lengths from the beginning, not only after Newton's method has failed"},
                                         {"viscosity", "laminar flow: continuation from larger viscosities"},
                                         {"stiffness", "fsi with laminar flow: continuation from stiffer bodies"},
                                         {"none", "no further attempt: the solve has failed"}}),
                 "auto", "method for steady problems for which Newton's method fails from rest")
      .defaulted("start", choice({{"auto", "steady Navier-Stokes flow on Taylor-Hood elements, from 20 000 unknowns on: the solution on linear elements; else as 'rest'"},
                                  {"rest", "zero"}}),
                 "auto", "initial guess of the first solve of a steady problem")
      .defaulted("device", choice({{"none", "the processor"},
                                   {"auto", "cuda from " + std::to_string(worthwhile_on_device) + " unknowns on, where there is a device, one process and all "
                                            "terms of the equation have kernels; else none. `-v` reports the choice and its reason"},
                                   {"cuda", "the first CUDA device, of a program with CUDA code (INVAR_CUDA_PROGRAM); exit code 4 where there is none"},
                                   {"emulation", "the same kernels on the processor, in the same order, for tests; slow"}}),
                 "none", "device that evaluates the terms of the equation, their products, matrices and gradients. Available for solids of linear_elastic, neo_hookean, and in the "
                         "mixed formulation neo_hookean_isochoric, and in the plane and in space their loads, inertia and viscosity; flow on Taylor-Hood elements. Linear systems are solved there by auto, cudss…, cg_p_multigrid and cg_lattice, by other methods on the processor. One process");
}

Table verify_table() {
  const Type kind = choice({{"mesh", "uniform refinement of the mesh, with the same shape and design"},
                            {"step", "time steps of half the length; data and signals are unchanged"},
                            {"order", "second-order elements instead of first-order ones"},
                            {"tolerance", "solver.rtol, solver.linear_rtol and time.tolerance divided by 100, as far as rounding allows"},
                            {"start", "the search is repeated from a random start between the bounds, and the optima are compared"},
                            {"fitted", "a solid's density as a body of material alone, on a mesh of triangles or tetrahedra of second order that fits the contour of the density: at the threshold that preserves the volume if a 'material_volume' is constrained, else at 1/2. Parts without supports are left out. Curved cells count as straight. Every optimum by density is solved so without being asked: see 'body'"},
                            {"black_white", "densities are rounded to 0 or 1 with the threshold 1/2, or, if a 'fluid_volume' or 'material_volume' is constrained, with the threshold that preserves it; for solids the least member size is measured"},
                           {"corners", "the rounded density without cells that are connected at a corner only, as in a checkerboard: such connections vanish under refinement. If there are any, 'mesh', 'order' and 'black_white' include this check"},
                            {"convex", "a sheet of variable thickness (density without penalty): the duality gap, which bounds how much better any other design can be"}});
  return Table("verify", "Checks of the gradient, by `invar check` and in every optimisation, and verification of the optimum, or of a simulation, by solving it again with other settings.")
      .defaulted("directions", integer().at_least(1), "2", "number of random directions in addition to the gradient")
      .defaulted("seed", integer().at_least(0), "1", "seed of the random directions and of 'start'")
      .defaulted("tolerance", number().above(0), "1e-8", "relative tolerance of adjoint against tangent")
      .optional("refine", either({kind, list_of(kind)}), "settings with which the optimum is solved again; one that cannot be conclusive for this problem is refused. Results are in the object `verification` of results.json; fields in verify/. Without a design the problem itself is solved again with mesh, step, order or tolerance, and objective, quantities and probes are compared: change, observed order, extrapolated value and grid convergence index, in the object `convergence`; a setting that cannot be solved gives exit code 5")
      .defaulted("survive", number(), "0.5", "least share of the gain, (J_start - J_optimum) in the other setting over the same in the run, that is required; otherwise the run ends with exit code 5, as it does if no check is conclusive, the optimum cannot be solved again, or a fitted parameter leaves its 95 % interval")
      .defaulted("violation", number().at_least(0), "0.1", "largest violation of a constraint in another setting, relative to its bound, that is accepted; otherwise the run ends with exit code 5, too")
      .defaulted("body", boolean(), "true", "for a solid's density with a penalty: whether the optimum is also solved as a body, as by 'fitted', or, where that is not possible, by 'black_white', and reported with its objective, constraints, volume and least member size, without effect on the exit code")
      .defaulted("levels", integer().at_least(1).at_most(2), "1", "number of refinement levels of mesh and step: with 2 the order of convergence is observed, and the grid convergence index has the safety factor 1.25, else 3");
}

Table expect_table() {
  return Table("expectation", "Expected value of a number of results.json.")
      .optional("value", number(), "expected value")
      .defaulted("rel", number().at_least(0), "0", "relative tolerance")
      .defaulted("abs", number().at_least(0), "0", "absolute tolerance")
      .optional("at_most", number(), "largest allowed value")
      .optional("at_least", number(), "smallest allowed value")
      .at_least_one_of({"value", "at_most", "at_least"});
}

/// The sections that say what one experiment is.
Table& experiment(SomePhysics some, Table& t) {
  t.optional("mesh", record(mesh_table()), "mesh of the body or the fluid")
      .optional("physics", record(physics_table(some)), "physics")
      .optional("materials", map_of(record(material_table(some))), "materials")
      .optional("boundary", map_of(record(support_table(some)), "region"), "prescribed displacements or velocities by region")
      .optional("ties", map_of(record(tie_table(some))), "constraints between unknowns: periodic sides, plates, means, meshes that do not match; by a name of your own")
      .optional("rigid", map_of(record(rigid_table())), "rigid parts, by names of your choice")
      .optional("joints", map_of(record(joint_table())), "joints between rigid parts, with springs, dampers and drives, by a name of your own")
      .optional("tendons", map_of(record(tendon_table())), "cables and springs through the body, by a name of your own")
      .optional("loads", map_of(record(load_table(some))), "forces and open boundaries, by a name of your own")
      .optional("initial", map_of(record(initial_table(some)), "region").besides(initial_run_table()), "initial state, by region or 'all'")
      .optional("time", record(time_table(some)), "time, or the load parameter")
      .optional("trim", record(trim_table(some)), "unknown number that keeps a quantity at a given value");
  if (std::ranges::any_of(some, [](const Physics& p) { return !p.contact.empty(); }))
    t.optional("contact", map_of(record(contact_table(some))), "contact pairs, by names of your choice");
  return t;
}

}  // namespace

spec::Table spec_table() { return spec_table(all_physics()); }

spec::Table spec_table(SomePhysics some) {
  Table one_case("case", "One experiment. A section given here replaces the one at the top; paths in `design` and `--set` to its numbers begin with cases.NAME.");
  one_case.optional("base", text(), "another case, from which this one inherits sections that it does not give")
      .paths("A key with points, as in `mesh.rectangle.cells: [16, 16]`, changes one value in a copy of the section that the case would otherwise use: its own, its base's or the one at the top. The copy belongs to the case.");
  experiment(some, one_case);
  Table spec("invar spec", "A problem: simulation, design and objective. SI units, or any consistent set. " + formula_doc());
  spec.required("title", text(), "title, one line");
  experiment(some, spec)
      .optional("cases", map_of(record(one_case), "case"), "several experiments that share the design variables")
      .optional("design", list_of(record(design_table())), "design variables; default: none, a simulation")
      .optional("objective", list_of(record(objective_table(some))), "objective")
      .defaulted("combine", choice({{"sum", "they add up"}, {"worst", "the largest of the weighted terms: methods with constraints minimise a common upper bound"}}), "sum",
                 "combination of the terms of the objective")
      .optional("constraints", list_of(record(constraint_table(some))), "quantities that must stay within limits")
      .optional("mesh_motion", record(mesh_motion_table()), "how the mesh follows a designed boundary")
      .defaulted("optimizer", record(optimizer_table()), "{}", "optimiser")
      .defaulted("solver", record(solver_table()), "{}", "solver")
      .defaulted("output", record(output_table(some)), "{}", "output")
      .defaulted("verify", record(verify_table()), "{}", "checks of gradient and optimum")
      .optional("sweep", record(sweep_table()), "many runs of this spec (`invar sweep`)")
      .optional("expect", map_of(record(expect_table()), "quantity"), "expected results (`--expect`)");
  return spec;
}

}  // namespace invar
