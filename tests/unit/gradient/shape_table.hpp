#pragma once
#include <memory>
#include <string>
#include <vector>

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
#include "tests/unit/gradient/flow_functional.hpp"

namespace invar::gradient_test {

/// A way to move the body's boundary.
struct ShapeCase {
  std::string name;
  std::vector<std::string> covers;  // classes and factories of libfem/design
  bool spatial;                     // also in 3-D
  std::shared_ptr<BoundarySource> (*make)(std::shared_ptr<const Mesh>);
};

namespace shapes {

/// The body's nodes moved by a map of their points; numbers of 0.1 of their unit.
template <class Make>
std::shared_ptr<BoundarySource> mapped(std::shared_ptr<const Mesh> mesh, Make&& make_map) {
  const std::vector<int>& nodes = mesh->find_region("body")->nodes;
  auto map = make_map(points_of(*mesh, nodes));
  return std::make_shared<MappedBoundary>(std::move(mesh), nodes, std::move(map), 0.1, -0.4, 0.4);
}

inline std::unique_ptr<BoundaryMap> ffd_of(const std::vector<double>& points, int dim) {
  if (dim == 3) return make_ffd_map(points, 3, {0.4, -0.3, -0.2}, {1.9, 0.6, 1.2}, {2, 2, 2});
  FfdOptions options;
  options.frozen_layers[0] = {1, 0};
  return make_ffd_map(points, 2, {1.3, 0.3, 0}, {2.2, 1.0, 0}, {3, 2, 1}, options);
}

inline std::unique_ptr<BoundaryMap> bspline_of(const Mesh& mesh, bool along_normals) {
  const BoundaryCurve curve = arc_length_parameters(mesh, "body");
  BsplineBoundaryOptions options;
  options.control_points = 4;
  options.closed = true;
  options.along_normals = along_normals;
  std::vector<double> parameters;
  for (int at : curve.positions) {
    parameters.push_back(curve.parameters[at]);
    for (int i = 0; i < 2; ++i) options.normals.push_back(curve.normals[2 * at + i]);
  }
  return make_bspline_boundary_map(parameters, options);
}

inline RigidMotion motion() { return RigidMotion(2, {.centre = {1.6, 0.7, 0}}); }

inline AirfoilChord chord() { return {{1.4, 0.55}, {2.1, 0.8}}; }

}  // namespace shapes

inline const std::vector<ShapeCase>& all_shapes() {
  using M = std::shared_ptr<const Mesh>;
  using Points = std::vector<double>;
  static const std::vector<ShapeCase> cases{
      {"ffd", {"make_ffd_map", "MappedBoundary"}, true,
       [](M m) { return shapes::mapped(m, [&](const Points& x) { return shapes::ffd_of(x, m->dim); }); }},
      {"bspline", {"make_bspline_boundary_map", "LinearBoundaryMap"}, false,
       [](M m) { return shapes::mapped(m, [&](const Points&) { return shapes::bspline_of(*m, false); }); }},
      {"bspline_along_normals", {"make_bspline_boundary_map"}, false,
       [](M m) { return shapes::mapped(m, [&](const Points&) { return shapes::bspline_of(*m, true); }); }},
      {"rigid_motion", {"RigidMotionMap"}, false,
       [](M m) {
         return shapes::mapped(m,
                               [](const Points& x) { return std::make_unique<RigidMotionMap>(x, shapes::motion()); });
       }},
      {"shape_and_motion", {"ChainedMap"}, false,
       [](M m) {
         return shapes::mapped(m, [](const Points& x) {
           return std::make_unique<ChainedMap>(x, shapes::ffd_of(x, 2), shapes::motion());
         });
       }},
      {"cst", {"make_cst_map"}, false,
       [](M m) {
         return shapes::mapped(m, [](const Points& x) {
           return make_cst_map(x, 2, shapes::chord(), {.upper_coefficients = 2, .lower_coefficients = 2});
         });
       }},
      {"hicks_henne", {"make_hicks_henne_map"}, false,
       [](M m) {
         return shapes::mapped(m, [](const Points& x) {
           return make_hicks_henne_map(x, 2, shapes::chord(), {.upper_bumps = 2, .lower_bumps = 2});
         });
       }},
      {"free", {"FreeBoundary"}, true, [](M m) -> std::shared_ptr<BoundarySource> {
         const MPI_Comm comm = m->comm;
         const FreeBoundaryOptions options{.region = "body", .smoothing = 0.15, .largest = 0.2};
         return std::make_shared<FreeBoundary>(std::move(m), comm, options);
       }}};
  return cases;
}

/// The flow's mesh follows the body; in 3-D its back slides along itself.
inline std::shared_ptr<ShapeDesign> shape_design(const FlowGradientProblem& p, const ShapeCase& shape) {
  MeshMotionOptions options;
  options.moving = {"body"};
  // By inverse distance: turbulent flow, and two shapes.
  if (p.spec.turbulent || shape.name == "ffd" || shape.name == "rigid_motion") options.method = MeshMotionOptions::Method::inverse_distance;
  if (p.mesh->dim == 3) options.sliding.push_back({"back", 2});
  auto motion = make_mesh_motion(p.mesh, p.dofs->comm(), options);
  return std::make_shared<ShapeDesign>(shape.make(p.mesh), std::move(motion),
                                       std::vector<ShapeDesign::Target>{{0, p.residual->coordinates_control()}});
}

/// Some numbers of the flow, then the shape.
inline Design shape_and_numbers(const FlowGradientProblem& p, const ShapeCase& shape) {
  std::vector<int> some;
  for (int c : p.numbers) {
    constexpr const char* names[] = {"fluid.density", "inlet.0", "resistance", "outlet.traction.1", "force.1"};
    if (std::ranges::find(names, p.residual->controls()[c].name) != std::end(names)) some.push_back(c);
  }
  return {number_design(p, some), shape_design(p, shape)};
}

}  // namespace invar::gradient_test
