#include "libfem/design/boundary/shape_library.hpp"

#include <iterator>
#include <limits>

#include "libfem/design/boundary/bspline_boundary_map.hpp"
#include "libfem/design/boundary/chained_map.hpp"
#include "libfem/design/boundary/cst_map.hpp"
#include "libfem/design/boundary/ffd_map.hpp"
#include "libfem/design/boundary/free_boundary.hpp"
#include "libfem/design/boundary/hicks_henne_map.hpp"
#include "libfem/design/boundary/mapped_boundary.hpp"
#include "libfem/design/boundary/rigid_motion_map.hpp"
#include "libfem/design/geometry/boundary_curve.hpp"

namespace invar {
namespace {

using Points = std::vector<double>;
using Defaults = std::vector<double>;

// ---- free-form deformation --------------------------------------------------------------------------

ShapeEntry ffd() {
  using enum EntryParameter::Kind;
  const EntryParameter symmetry_plane{
      .key = "symmetry",
      .kind = group,
      .doc = "the design is symmetric about a plane across an axis: the middle of the box or one of its faces",
      .may_be_left_out = true,
      .inner = {{.key = "axis", .kind = axis, .doc = "across which"},
                {.key = "position", .unit = "m", .doc = "of the plane"}}};
  const auto make = [](const Mesh& mesh, const std::string&, const Points& points,
                       const EntryValues& v) -> std::unique_ptr<BoundaryMap> {
    FfdOptions options;
    options.degree = v.integer("degree");
    options.components = v.axes("moves");
    const std::vector<double>& frozen = v.numbers("frozen");
    for (std::size_t k = 0; k < frozen.size(); ++k) options.frozen_layers[k / 2][k % 2] = static_cast<int>(frozen[k]);
    if (v.has("symmetry"))
      options.symmetry = FfdOptions::SymmetryPlane{v.integer("symmetry.axis"), v.number("symmetry.position")};
    const std::array<double, 3> given = v.vector("points", 1);
    const std::array<int, 3> counts{static_cast<int>(given[0]), static_cast<int>(given[1]), static_cast<int>(given[2])};
    return make_ffd_map(points, mesh.dim, v.vector("from"), v.vector("to", mesh.dim == 2 ? 1.0 : 0.0), counts, options);
  };
  return {.name = "ffd",
          .doc = "Free-form deformation: a box of control points moves the part of the boundary inside it.",
          .parameters =
              {{.key = "from", .kind = numbers, .unit = "m", .doc = "lowest corner of the box", .least = 2, .most = 3},
               {.key = "to", .kind = numbers, .unit = "m", .doc = "highest corner of the box", .least = 2, .most = 3},
               {.key = "points", .kind = integers, .doc = "control points along each axis", .lower = 1, .most = 3},
               {.key = "degree",
                .kind = integer,
                .doc = "of the splines; 0: Bernstein polynomials over the whole box",
                .default_value = Defaults{0},
                .lower = 0},
               {.key = "moves",
                .kind = axes,
                .doc = "components of the control points that move",
                .default_value = Defaults{0, 1, 2}},
               {.key = "frozen",
                .kind = integers,
                .doc = "numbers of fixed outermost layers: below and above along x, y, z",
                .default_value = Defaults{0, 0, 0, 0, 0, 0},
                .lower = 0,
                .most = 6},
               symmetry_plane},
          .make_map = make};
}

// ---- splines and airfoils ---------------------------------------------------------------------------

ShapeEntry bspline() {
  using enum EntryParameter::Kind;
  const auto make = [](const Mesh& mesh, const std::string& region, const Points&,
                       const EntryValues& v) -> std::unique_ptr<BoundaryMap> {
    const BoundaryCurve curve = arc_length_parameters(mesh, region);
    BsplineBoundaryOptions options;
    options.degree = v.integer("degree");
    options.control_points = v.integer("control_points");
    options.closed = curve.closed;
    options.along_normals = v.flag("along_normals");
    const std::array<bool, 3> moves = v.axes("moves");
    options.components = {moves[0], moves[1]};
    for (std::size_t k = 0; k < 2; ++k) options.frozen[k] = static_cast<int>(v.numbers("frozen").at(k));
    std::vector<double> parameters;
    for (const int k : curve.positions) {
      parameters.push_back(curve.parameters[k]);
      options.normals.insert(options.normals.end(), {curve.normals[2 * k], curve.normals[2 * k + 1]});
    }
    return make_bspline_boundary_map(parameters, options);
  };
  return {.name = "bspline",
          .doc = "A spline displaces a planar boundary curve.",
          .parameters =
              {{.key = "control_points", .kind = integer, .doc = "how many", .lower = 2},
               {.key = "degree", .kind = integer, .doc = "of the spline", .default_value = Defaults{3}, .lower = 1},
               {.key = "moves", .kind = axes, .doc = "components that move", .default_value = Defaults{0, 1}},
               {.key = "along_normals",
                .kind = flag,
                .doc = "control points move along the undeformed normals instead",
                .default_value = Defaults{0}},
               {.key = "frozen",
                .kind = integers,
                .doc = "number of fixed control points at the two ends",
                .default_value = Defaults{0, 0},
                .lower = 0,
                .least = 2,
                .most = 2}},
          .make_map = make};
}

/// Parameters of an airfoil: the chord, then those of its functions.
std::vector<EntryParameter> of_airfoil(std::vector<EntryParameter> more) {
  using enum EntryParameter::Kind;
  more.insert(more.begin(),
              {{.key = "leading_edge", .kind = numbers, .unit = "m", .doc = "of the chord", .least = 2, .most = 2},
               {.key = "trailing_edge", .kind = numbers, .unit = "m", .doc = "of the chord", .least = 2, .most = 2}});
  return more;
}

AirfoilChord chord_of(const EntryValues& v) {
  const std::array<double, 3> a = v.vector("leading_edge"), b = v.vector("trailing_edge");
  return AirfoilChord({a[0], a[1]}, {b[0], b[1]});
}

ShapeEntry hicks_henne() {
  using enum EntryParameter::Kind;
  const auto make = [](const Mesh& mesh, const std::string&, const Points& points,
                       const EntryValues& v) -> std::unique_ptr<BoundaryMap> {
    HicksHenneOptions options;
    options.upper_bumps = options.lower_bumps = v.integer("bumps");
    options.width = v.number("width");
    return make_hicks_henne_map(points, mesh.dim, chord_of(v), options);
  };
  return {.name = "hicks_henne",
          .doc = "Bumps on both sides of an airfoil.",
          .parameters = of_airfoil(
              {{.key = "bumps", .kind = integer, .doc = "per side", .default_value = Defaults{8}, .lower = 1},
               {.key = "width",
                .doc = "width exponent; larger is narrower",
                .default_value = Defaults{3},
                .lower = 0,
                .lower_open = true}}),
          .make_map = make};
}

ShapeEntry cst() {
  using enum EntryParameter::Kind;
  const auto make = [](const Mesh& mesh, const std::string&, const Points& points,
                       const EntryValues& v) -> std::unique_ptr<BoundaryMap> {
    CstOptions options;
    options.upper_coefficients = options.lower_coefficients = v.integer("coefficients");
    options.trailing_edge =
        v.flag("trailing_edge_moves") ? CstOptions::TrailingEdge::moved : CstOptions::TrailingEdge::fixed;
    return make_cst_map(points, mesh.dim, chord_of(v), options);
  };
  return {.name = "cst",
          .doc = "Class and shape functions of both sides of an airfoil.",
          .parameters = of_airfoil(
              {{.key = "coefficients", .kind = integer, .doc = "per side", .default_value = Defaults{6}, .lower = 1},
               {.key = "trailing_edge_moves",
                .kind = flag,
                .doc = "the trailing edge moves vertically",
                .default_value = Defaults{0}}}),
          .make_map = make};
}

// ---- rigid motion, alone or after a change of shape ------------------------------------------------

std::vector<EntryParameter> of_motion() {
  using enum EntryParameter::Kind;
  return {{.key = "centre",
           .kind = numbers,
           .unit = "m",
           .doc = "of the rotation",
           .default_value = Defaults{0, 0},
           .least = 2,
           .most = 3},
          {.key = "axis",
           .kind = numbers,
           .doc = "of the rotation in space",
           .default_value = Defaults{0, 0, 1},
           .least = 3,
           .most = 3},
          {.key = "rotates", .kind = flag, .doc = "the angle is designed, rad", .default_value = Defaults{1}},
          {.key = "translates",
           .kind = axes,
           .doc = "designed directions of the translation",
           .default_value = Defaults{},
           .least = 0}};
}

RigidMotion motion_of(int dim, const EntryValues& v, const std::string& group) {
  RigidMotion::Options options;
  options.centre = v.vector(group + "centre");
  options.axis = v.vector(group + "axis");
  options.rotates = v.flag(group + "rotates");
  options.translates = v.axes(group + "translates");
  return RigidMotion(dim, options);
}

ShapeEntry rigid() {
  return {.name = "rigid",
          .doc = "The boundary rotates and translates rigidly.",
          .parameters = of_motion(),
          .may_move_as_one = false,
          .make_map = [](const Mesh& mesh, const std::string&, const Points& points,
                         const EntryValues& v) -> std::unique_ptr<BoundaryMap> {
            return std::make_unique<RigidMotionMap>(points, motion_of(mesh.dim, v, ""));
          }};
}

// ---- a field ----------------------------------------------------------------------------------------

ShapeEntry free_boundary() {
  return {.name = "free_boundary",
          .doc = "Every node of a boundary moves along its normal; the displacement is smoothed along the boundary.",
          .unit = "m",
          .parameters = {{.key = "smoothing",
                          .unit = "m",
                          .doc = "smoothing length",
                          .lower = 0,
                          .lower_open = true},
                         {.key = "ends_move",
                          .kind = EntryParameter::Kind::flag,
                          .doc = "nodes shared with boundaries along which the mesh slides move, too, e.g. ends at planes of symmetry",
                          .default_value = Defaults{0}}},
          .make_source = [](std::shared_ptr<const Mesh> mesh, MPI_Comm comm, const std::string& region,
                            const EntryValues& v) -> std::shared_ptr<BoundarySource> {
            const double largest = v.has("largest") ? v.number("largest") : 0.0;
            return std::make_shared<FreeBoundary>(std::move(mesh), comm,
                                                  FreeBoundaryOptions{region, v.number("smoothing"), largest, v.flag("ends_move")});
          }};
}

}  // namespace

std::span<const ShapeEntry> shape_library() {
  static const ShapeEntry entries[] = {ffd(), bspline(), hicks_henne(), cst(), rigid(), free_boundary()};
  return entries;
}

std::vector<EntryParameter> shape_parameters(const ShapeEntry& entry) {
  using enum EntryParameter::Kind;
  std::vector<EntryParameter> all{{.key = "largest",
                                   .unit = entry.unit,
                                   .doc = entry.by_numbers() ? "bound of every number on either side, in its unit"
                                                             : "bound of the design field on either side",
                                   .may_be_left_out = true,
                                   .lower = 0,
                                   .lower_open = true}};
  if (entry.by_numbers()) {
    all.push_back({.key = "scale",
                   .doc = "typical size of the numbers, in their unit, by which they are scaled for the optimiser",
                   .default_value = Defaults{1},
                   .lower = 0,
                   .lower_open = true});
    if (entry.may_move_as_one)
      all.push_back({.key = "rigid",
                     .kind = group,
                     .doc = "rigid rotation and translation of the boundary after its change of shape",
                     .may_be_left_out = true,
                     .inner = of_motion()});
  }
  all.insert(all.end(), entry.parameters.begin(), entry.parameters.end());
  return all;
}

std::shared_ptr<BoundarySource> make_boundary_source(const ShapeEntry& entry, std::shared_ptr<const Mesh> mesh,
                                                     MPI_Comm comm, const std::string& region,
                                                     const EntryValues& values) {
  if (!entry.by_numbers()) return entry.make_source(std::move(mesh), comm, region, values);
  const std::vector<int> nodes = mesh->find_region(region)->nodes;
  const Points points = points_of(*mesh, nodes);
  std::unique_ptr<BoundaryMap> map = entry.make_map(*mesh, region, points, values);
  if (values.has("rigid"))
    map = std::make_unique<ChainedMap>(points, std::move(map), motion_of(mesh->dim, values, "rigid."));
  const double bound = values.has("largest") ? values.number("largest") : std::numeric_limits<double>::infinity();
  return std::make_shared<MappedBoundary>(std::move(mesh), nodes, std::move(map), values.number("scale"), -bound,
                                          bound);
}

}  // namespace invar
