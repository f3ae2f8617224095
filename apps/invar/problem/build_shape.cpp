#include "apps/invar/problem/build_shape.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/problem/spec_sections.hpp"
#include "libfem/design/geometry/boundary_curve.hpp"
#include "libfem/design/boundary/bspline_boundary_map.hpp"
#include "libfem/design/boundary/chained_map.hpp"
#include "libfem/design/boundary/cst_map.hpp"
#include "libfem/design/boundary/ffd_map.hpp"
#include "libfem/design/boundary/free_boundary.hpp"
#include "libfem/design/boundary/hicks_henne_map.hpp"
#include "libfem/design/boundary/mapped_boundary.hpp"
#include "libfem/design/boundary/rigid_motion_map.hpp"
#include "libfluid/mesh_motion/shape_design.hpp"

namespace invar {
namespace {

using namespace spec;

/// What every map has besides its own keys.
Table mapped(Table t) {
  const Table rigid = Table("rigid", "Turns and shifts the boundary as one, after its change of shape.")
                          .defaulted("centre", list_of(number("m")), "[0, 0]", "of the rotation")
                          .defaulted("axis", list_of(number(), 3), "[0, 0, 1]", "of the rotation in space")
                          .defaulted("rotates", boolean(), "true", "the angle is designed, rad")
                          .defaulted("translates", list_of(choice({{"x", ""}, {"y", ""}, {"z", ""}})).sized(0), "[]",
                                     "directions of the shift that are designed");
  return t.required("region", text(), "facet region that moves; the rest of the boundary stays")
      .optional("largest", number("m").above(0), "bound of every number on either side")
      .defaulted("scale", number("m").above(0), "1", "typical size of the numbers: how the optimiser sees them")
      .optional("rigid", record(rigid), "moves the whole boundary besides")
      .optional("start", list_of(number()), "the numbers at the start, in the order of history.csv; default: zero, the shape as it is");
}

Type directions() { return list_of(choice({{"x", ""}, {"y", ""}, {"z", ""}})); }

std::array<double, 3> padded(const std::vector<double>& v, double fill = 0) {
  std::array<double, 3> a{fill, fill, fill};
  std::copy_n(v.begin(), std::min<std::size_t>(3, v.size()), a.begin());
  return a;
}

std::array<bool, 3> flags(const Value& list) {
  std::array<bool, 3> on{};
  for (const Value& axis : list) on[axis.text()[0] - 'x'] = true;
  return on;
}

std::unique_ptr<BoundaryMap> make_ffd(const Value& e, const std::vector<double>& points, int dim) {
  FfdOptions options;
  options.degree = static_cast<int>(e["degree"].integer());
  options.components = flags(e["moves"]);
  const std::vector<double> frozen = e["frozen"].numbers();
  for (std::size_t k = 0; k < frozen.size() && k < 6; ++k) options.frozen_layers[k / 2][k % 2] = static_cast<int>(frozen[k]);
  if (const Value* s = e.find("symmetry"))
    options.symmetry = FfdOptions::SymmetryPlane{(*s)["axis"].text()[0] - 'x', (*s)["position"].number()};
  std::array<int, 3> counts{1, 1, 1};
  const std::vector<double> given = e["points"].numbers();
  for (std::size_t k = 0; k < given.size() && k < 3; ++k) counts[k] = static_cast<int>(given[k]);
  return make_ffd_map(points, dim, padded(e["from"].numbers()), padded(e["to"].numbers(), dim == 2 ? 1.0 : 0.0), counts, options);
}

std::unique_ptr<BoundaryMap> make_bspline(const Value& e, const Mesh& mesh) {
  const BoundaryCurve curve = arc_length_parameters(mesh, e["region"].text());
  BsplineBoundaryOptions options;
  options.degree = static_cast<int>(e["degree"].integer());
  options.control_points = static_cast<int>(e["control_points"].integer());
  options.closed = curve.closed;
  options.along_normals = e["along_normals"].boolean();
  const std::array<bool, 3> moves = flags(e["moves"]);
  options.components = {moves[0], moves[1]};
  const std::vector<double> frozen = e["frozen"].numbers();
  for (std::size_t k = 0; k < 2 && k < frozen.size(); ++k) options.frozen[k] = static_cast<int>(frozen[k]);
  std::vector<double> parameters;
  for (int k : curve.positions) {
    parameters.push_back(curve.parameters[k]);
    options.normals.insert(options.normals.end(), {curve.normals[2 * k], curve.normals[2 * k + 1]});
  }
  return make_bspline_boundary_map(parameters, options);
}

AirfoilChord chord_of(const Value& e) {
  const std::vector<double> a = e["leading_edge"].numbers(), b = e["trailing_edge"].numbers();
  return AirfoilChord({a[0], a[1]}, {b[0], b[1]});
}

std::unique_ptr<BoundaryMap> make_map(const Value& e, const Mesh& mesh, const std::vector<double>& points) {
  const std::string kind = e["kind"].text();
  if (kind == "ffd") return make_ffd(e, points, mesh.dim);
  if (kind == "bspline") return make_bspline(e, mesh);
  if (kind == "hicks_henne") {
    HicksHenneOptions options;
    options.upper_bumps = options.lower_bumps = static_cast<int>(e["bumps"].integer());
    options.width = e["width"].number();
    return make_hicks_henne_map(points, mesh.dim, chord_of(e), options);
  }
  if (kind == "cst") {
    CstOptions options;
    options.upper_coefficients = options.lower_coefficients = static_cast<int>(e["coefficients"].integer());
    options.trailing_edge = e["trailing_edge_moves"].boolean() ? CstOptions::TrailingEdge::moved : CstOptions::TrailingEdge::fixed;
    return make_cst_map(points, mesh.dim, chord_of(e), options);
  }
  return nullptr;  // rigid: no change of shape
}

std::unique_ptr<BoundaryMap> with_motion(const Value* rigid, const std::vector<double>& points, int dim,
                                         std::unique_ptr<BoundaryMap> shape) {
  if (!rigid) return shape;
  RigidMotion::Options options;
  options.centre = padded((*rigid)["centre"].numbers());
  options.axis = padded((*rigid)["axis"].numbers());
  options.rotates = (*rigid)["rotates"].boolean();
  options.translates = flags((*rigid)["translates"]);
  RigidMotion motion(dim, options);
  if (!shape) return std::make_unique<RigidMotionMap>(points, std::move(motion));
  return std::make_unique<ChainedMap>(points, std::move(shape), std::move(motion));
}

std::shared_ptr<BoundarySource> make_source(const Value& e, std::shared_ptr<const Mesh> mesh, MPI_Comm comm) {
  const double largest = e.has("largest") ? e["largest"].number() : 0.0;
  if (e["kind"].text() == "free_boundary")
    return std::make_shared<FreeBoundary>(mesh, comm, FreeBoundaryOptions{e["region"].text(), e["smoothing"].number(), largest});
  const std::vector<int> nodes = mesh->find_region(e["region"].text())->nodes;
  const std::vector<double> points = points_of(*mesh, nodes);
  const double bound = largest > 0 ? largest : std::numeric_limits<double>::infinity();
  const Value* rigid = e["kind"].text() == "rigid" ? &e : e.find("rigid");
  return std::make_shared<MappedBoundary>(mesh, nodes, with_motion(rigid, points, mesh->dim, make_map(e, *mesh, points)),
                                          e["scale"].number(), -bound, bound);
}

MeshMotionOptions motion_options(const Value& spec, const std::string& region) {
  MeshMotionOptions options;
  options.moving = {region};
  if (const Value* m = spec.find("mesh_motion")) {
    options.stiffening = (*m)["stiffening"].number();
    options.least_quality = (*m)["least_quality"].number();
    if (const Value* list = m->find("sliding"))
      for (const Value& s : *list) options.sliding.push_back({s["region"].text(), s["keeps"].text()[0] - 'x'});
  }
  return options;
}

}  // namespace

std::vector<Table> shape_tables() {
  Table ffd = mapped(Table("ffd", "Free-form deformation: a box of control points moves what lies in it."));
  ffd.required("from", list_of(number("m")), "lowest corner of the box")
      .required("to", list_of(number("m")), "highest corner of the box")
      .required("points", list_of(integer().at_least(1)), "control points along each axis")
      .defaulted("degree", integer().at_least(0), "0", "of the splines; 0: Bernstein polynomials over the whole box")
      .defaulted("moves", directions(), "[x, y, z]", "components of the control points that move")
      .defaulted("frozen", list_of(integer().at_least(0)), "[0, 0, 0, 0, 0, 0]",
                 "outermost layers that stay: below and above along x, y, z")
      .optional("symmetry",
                record(Table("symmetry", "A plane across an axis: the middle of the box or one of its faces.")
                           .required("axis", choice({{"x", ""}, {"y", ""}, {"z", ""}}), "across which")
                           .required("position", number("m"), "of the plane")),
                "the design is symmetric");
  Table bspline = mapped(Table("bspline", "A spline along a boundary curve in the plane."));
  bspline.required("control_points", integer().at_least(2), "how many")
      .defaulted("degree", integer().at_least(1), "3", "of the spline")
      .defaulted("moves", directions(), "[x, y]", "components that move")
      .defaulted("along_normals", boolean(), "false", "control points move along the undeformed normals instead")
      .defaulted("frozen", list_of(integer().at_least(0), 2), "[0, 0]", "control points that stay at the two ends");
  const auto airfoil = [](Table t) {
    return t.required("leading_edge", list_of(number("m"), 2), "of the chord")
        .required("trailing_edge", list_of(number("m"), 2), "of the chord");
  };
  Table bumps = airfoil(mapped(Table("hicks_henne", "Bumps on both sides of an airfoil.")));
  bumps.defaulted("bumps", integer().at_least(1), "8", "per side").defaulted("width", number().above(0), "3", "exponent; larger is narrower");
  Table cst = airfoil(mapped(Table("cst", "Class and shape functions of both sides of an airfoil.")));
  cst.defaulted("coefficients", integer().at_least(1), "6", "per side")
      .defaulted("trailing_edge_moves", boolean(), "false", "the trailing edge goes up and down");
  Table rigid("rigid", "The boundary turns and shifts as one.");
  rigid.required("region", text(), "facet region that moves")
      .optional("largest", number().above(0), "bound of every number on either side")
      .defaulted("scale", number().above(0), "1", "typical size of the numbers")
      .defaulted("centre", list_of(number("m")), "[0, 0]", "of the rotation")
      .defaulted("axis", list_of(number(), 3), "[0, 0, 1]", "of the rotation in space")
      .defaulted("rotates", boolean(), "true", "the angle is designed, rad")
      .defaulted("translates", list_of(choice({{"x", ""}, {"y", ""}, {"z", ""}})).sized(0), "[]", "directions that are designed")
      .optional("start", list_of(number()), "the numbers at the start, in the order of history.csv; default: zero");
  Table free("free_boundary", "Every node of a boundary moves along its normal, smoothed along the boundary.");
  free.required("region", text(), "facet region that moves")
      .required("smoothing", number("m").above(0), "length below which wiggles are smoothed away")
      .optional("largest", number("m").above(0), "bound of the design field on either side")
      .optional("start", value_or_formula("m"), "the design field at the start, before it is smoothed: a number, or a formula in x, y, z; default: zero");
  return {std::move(ffd), std::move(bspline), std::move(bumps), std::move(cst), std::move(rigid), std::move(free)};
}

Table mesh_motion_table() {
  const Table sliding = Table("sliding", "A boundary along which nodes may move.")
                            .required("region", text(), "facet region")
                            .required("keeps", choice({{"x", ""}, {"y", ""}, {"z", ""}}), "the coordinate that stays");
  return Table("mesh_motion", "How the mesh follows a boundary that is designed.")
      .defaulted("stiffening", number().at_least(0), "1", "stiffness of a cell: its volume to minus this power")
      .defaulted("least_quality", number().above(0).below(1), "0.05", "scaled Jacobian below which a trial shape is refused")
      .optional("sliding", list_of(record(sliding)), "planes of symmetry and the like");
}

bool is_shape(const std::string& kind) {
  const std::vector<Table> tables = shape_tables();
  return std::any_of(tables.begin(), tables.end(), [&](const Table& t) { return t.name() == kind; });
}

bool designs_shape(const Value& spec) {
  const Value* design = spec.find("design");
  return design && std::any_of(design->begin(), design->end(), [](const Value& e) { return is_shape(e["kind"].text()); });
}

std::shared_ptr<Parameterization> build_shape(const Value& entry, Problem& problem, Diagnostics& diagnostics) {
  const std::shared_ptr<const Mesh> mesh = problem.cases.front().mesh;
  std::vector<ShapeDesign::Target> targets;
  for (std::size_t c = 0; c < problem.cases.size(); ++c) {
    const CaseModel& model = problem.cases[c];
    if (!model.residual) return nullptr;
    if (model.mesh != mesh) {
      diagnostics.error(entry.position, entry.yaml_path, "a shape is designed for all cases together, and they have different meshes",
                        "give the mesh once, at the top of the spec");
      return nullptr;
    }
    targets.push_back({static_cast<int>(c), model.residual->coordinates_control()});
  }
  const MeshMotionOptions options = motion_options(problem.spec, entry["region"].text());
  bool known = check_region(*mesh, entry["region"].text(), mesh->dim - 1, entry["region"], diagnostics);
  if (const Value* m = problem.spec.find("mesh_motion"))
    if (const Value* list = m->find("sliding"))
      for (const Value& s : *list) known &= check_region(*mesh, s["region"].text(), mesh->dim - 1, s["region"], diagnostics);
  if (!known) return nullptr;
  try {
    const MPI_Comm comm = problem.cases.front().dofs->comm();
    problem.shape = std::make_shared<ShapeDesign>(make_source(entry, mesh, comm),
                                                  std::make_shared<MeshMotion>(mesh, comm, options), std::move(targets));
    return problem.shape;
  } catch (const std::invalid_argument& e) {
    diagnostics.error(entry.position, entry.yaml_path, e.what());
    return nullptr;
  }
}

}  // namespace invar
