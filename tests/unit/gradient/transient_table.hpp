#pragma once
#include "tests/unit/gradient/transient_flow.hpp"
#include "tests/unit/gradient/transient_solid.hpp"

namespace invar::gradient_test {

/// Every scheme with solids of every kind, with and without obstacles of every shape, flying and
/// held.
inline std::vector<TransientSolidSpec> all_transient_solids() {
  using Kind = TimeScheme::Kind;
  constexpr auto spatial = SolidKind::spatial, strain = SolidKind::plane_strain, stress = SolidKind::plane_stress,
                 axisymmetric = SolidKind::axisymmetric;
  constexpr auto compressible = Volume::compressible, exact = Volume::incompressible,
                 nearly = Volume::nearly_incompressible;
  constexpr CellType tri6{Shape::triangle, 2}, quad9{Shape::quadrilateral, 2}, tet10{Shape::tetrahedron, 2},
      hex8{Shape::hexahedron, 1}, quad4{Shape::quadrilateral, 1};
  const auto body = [](SolidKind kind, Volume volume, CellType cell) {
    ProblemSpec s;
    s.kind = kind, s.volume = volume, s.cell = cell;
    return s;
  };
  return {
      {.name = "euler_floor",
       .scheme = Kind::backward_euler,
       .body = body(strain, compressible, tri6),
       .obstacle = "plane",
       .held = false},
      {.name = "euler_spatial",
       .scheme = Kind::backward_euler,
       .body = body(spatial, compressible, hex8),
       .obstacle = "sphere",
       .initial_field = true},
      {.name = "euler_incompressible",
       .scheme = Kind::backward_euler,
       .body = body(strain, exact, tri6),
       .obstacle = "box"},
      {.name = "bdf2_sphere",
       .scheme = Kind::bdf2,
       .body = body(stress, compressible, quad9),
       .obstacle = "sphere",
       .held = false},
      {.name = "bdf2_axisymmetric",
       .scheme = Kind::bdf2,
       .body = body(axisymmetric, compressible, tri6),
       .initial_field = true},
      {.name = "bdf2_nearly_incompressible",
       .scheme = Kind::bdf2,
       .body = body(strain, nearly, quad9),
       .obstacle = "plane"},
      {.name = "midpoint_box",
       .scheme = Kind::midpoint,
       .body = body(strain, compressible, quad4),
       .obstacle = "box",
       .held = false,
       .coordinates = true},
      {.name = "midpoint_axisymmetric", .scheme = Kind::midpoint, .body = body(axisymmetric, nearly, tri6)},
      {.name = "midpoint_incompressible",
       .scheme = Kind::midpoint,
       .body = body(stress, exact, tri6),
       .obstacle = "sphere"},
      {.name = "newmark_cylinder",
       .scheme = Kind::newmark,
       .body = body(spatial, compressible, tet10),
       .obstacle = "cylinder",
       .held = false},
      {.name = "newmark_shape",
       .scheme = Kind::newmark,
       .body = body(strain, compressible, tri6),
       .obstacle = "plane",
       .coordinates = true},
      {.name = "alpha_floor",
       .scheme = Kind::generalised_alpha,
       .body = body(strain, compressible, tri6),
       .obstacle = "plane",
       .held = false,
       .initial_field = true},
      {.name = "alpha_spatial",
       .scheme = Kind::generalised_alpha,
       .rho = 0.9,
       .body = body(spatial, compressible, tet10),
       .obstacle = "box"},
      {.name = "alpha_axisymmetric",
       .scheme = Kind::generalised_alpha,
       .rho = 0,
       .body = body(axisymmetric, compressible, quad9),
       .coordinates = true},
      {.name = "sdirk2_cylinder",
       .scheme = Kind::sdirk2,
       .body = body(stress, compressible, tri6),
       .obstacle = "cylinder",
       .initial_field = true},
      {.name = "sdirk2_spatial_incompressible",
       .scheme = Kind::sdirk2,
       .body = body(spatial, exact, tet10),
       .obstacle = "plane"},
      {.name = "sdirk2_shape",
       .scheme = Kind::sdirk2,
       .body = body(strain, compressible, quad9),
       .obstacle = "sphere",
       .held = false,
       .coordinates = true},
  };
}

/// Every scheme with flows of every kind, implicit and linearised.
inline std::vector<TransientFlowSpec> all_transient_flows() {
  using Kind = TimeScheme::Kind;
  constexpr CellType tri6{Shape::triangle, 2}, quad9{Shape::quadrilateral, 2}, tet10{Shape::tetrahedron, 2};
  constexpr auto planar = FlowKind::planar, axisymmetric = FlowKind::axisymmetric, spatial = FlowKind::spatial;
  return {
      {.name = "euler", .scheme = Kind::backward_euler, .kind = planar, .cell = tri6, .shape = "bspline"},
      {.name = "euler_linearised",
       .scheme = Kind::backward_euler,
       .linearised = true,
       .kind = axisymmetric,
       .cell = quad9,
       .initial_field = true},
      {.name = "bdf2", .scheme = Kind::bdf2, .kind = axisymmetric, .cell = tri6, .initial_field = true},
      {.name = "bdf2_linearised",
       .scheme = Kind::bdf2,
       .linearised = true,
       .kind = planar,
       .cell = tri6,
       .initial_field = true,
       .shape = "free"},
      {.name = "bdf2_linearised_spatial",
       .scheme = Kind::bdf2,
       .linearised = true,
       .kind = spatial,
       .cell = tet10,
       .times = {0, 0.08, 0.18, 0.28}},
      {.name = "midpoint", .scheme = Kind::midpoint, .kind = planar, .cell = quad9},
      {.name = "midpoint_linearised",
       .scheme = Kind::midpoint,
       .linearised = true,
       .kind = axisymmetric,
       .cell = tri6,
       .shape = "rigid_motion"},
      {.name = "alpha", .scheme = Kind::generalised_alpha, .kind = axisymmetric, .cell = tri6, .shape = "ffd"},
      {.name = "alpha_linearised",
       .scheme = Kind::generalised_alpha,
       .linearised = true,
       .rho = 0.8,
       .kind = planar,
       .cell = tri6},
      {.name = "sdirk2_spatial",
       .scheme = Kind::sdirk2,
       .kind = spatial,
       .cell = tet10,
       .initial_field = true,
       .times = {0, 0.08, 0.18, 0.28}},
      {.name = "sdirk2_linearised",
       .scheme = Kind::sdirk2,
       .linearised = true,
       .kind = planar,
       .cell = tri6,
       .initial_field = true},
  };
}

}  // namespace invar::gradient_test
