// Rigid bodies without cells, whose surface bounds a fluid: closed forms, derivatives, the same on several ranks, mistakes.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <sstream>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/refused.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

using std::numbers::pi;

constexpr double inner = 1, outer = 3;

/// A Gmsh mesh of the ring between two circles, of quadrilaterals of second order on circles whose radii grow alike.
std::string ring_mesh(int around, int along) {
  const int n = 2 * around, m = 2 * along;
  const auto node = [&](int i, int j) { return std::to_string(i * n + j % n + 1); };
  std::ostringstream nodes, elements;
  nodes.precision(17);
  int count = 0;
  const auto element = [&](int code, int group, std::initializer_list<std::string> of) {
    elements << ++count << ' ' << code << " 2 " << group << ' ' << group;
    for (const std::string& name : of) elements << ' ' << name;
    elements << '\n';
  };
  for (int i = 0; i <= m; ++i)
    for (int j = 0; j < n; ++j) {
      const double r = inner * std::pow(outer / inner, double(i) / m);
      nodes << node(i, j) << ' ' << r * std::cos(2 * pi * j / n) << ' ' << r * std::sin(2 * pi * j / n) << " 0\n";
    }
  for (int j = 0; j < n; j += 2) {
    for (int i = 0; i < m; i += 2)
      element(10, 3, {node(i, j), node(i + 2, j), node(i + 2, j + 2), node(i, j + 2), node(i + 1, j), node(i + 2, j + 1), node(i + 1, j + 2), node(i, j + 1), node(i + 1, j + 1)});
    element(8, 1, {node(0, j), node(0, j + 2), node(0, j + 1)});
    element(8, 2, {node(m, j), node(m, j + 2), node(m, j + 1)});
  }
  element(15, 4, {node(m, 0)});
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n0 4 \"pin\"\n1 1 \"disc\"\n1 2 \"wall\"\n2 3 \"water\"\n$EndPhysicalNames\n$Nodes\n" +
         std::to_string((m + 1) * n) + "\n" + nodes.str() + "$EndNodes\n$Elements\n" + std::to_string(count) + "\n" + elements.str() + "$EndElements\n";
}

std::string disc_spec(double density, double viscosity, const std::string& disc, const std::string& more = "") {
  return "title: a disc in oil within a wall\nmesh: {file: ring.msh}\nphysics: {type: fsi}\nmaterials:\n  oil: {model: newtonian, region: water, density: " +
         std::to_string(density) + ", viscosity: " + std::to_string(viscosity) + "}\nrigid: {disc: {region: disc, " + disc +
         "}}\nboundary: {wall: {no_slip: true}, pin: {p: 0}}\ntime: {scheme: backward_euler, end: 0.1, steps: 1}\n"
         "output:\n  fields: none\n  quantities: {x: {type: tie, tie: disc.x}, v: {type: tie, tie: disc.v_x}, spin: {type: tie, tie: disc.v_yx}}\n" + more;
}

nlohmann::json of_disc(const std::string& spec, int around = 16, int along = 6) {
  const Workplace here;
  here.write("ring.msh", ring_mesh(around, along));
  return results_when_solved(here, spec)["quantities"];
}

/// The velocity that a force gives a disc at rest within a step of backward Euler: ρ u/Δt + ∇p = μ Δu, of which
/// ψ = (A r + B/r + C I₁(αr) + D K₁(αr)) sin θ with α² = ρ/(μ Δt), and the fluid's force −π (ρ/Δt) (2 B − a² V).
double velocity_after_step(double force, double mass, double density, double viscosity, double step) {
  const double alpha = std::sqrt(density / (viscosity * step));
  Eigen::Matrix4d M;
  for (const int row : {0, 2}) {
    const double r = row == 0 ? inner : outer, x = alpha * r;
    M.row(row) << r, 1 / r, std::cyl_bessel_i(1, x), std::cyl_bessel_k(1, x);
    M.row(row + 1) << 1, -1 / (r * r), alpha * 0.5 * (std::cyl_bessel_i(0, x) + std::cyl_bessel_i(2, x)), -alpha * 0.5 * (std::cyl_bessel_k(0, x) + std::cyl_bessel_k(2, x));
  }
  const Eigen::Vector4d of_unit = M.fullPivLu().solve(Eigen::Vector4d(inner, 1, 0, 0));
  return force / (mass / step + pi * density / step * (2 * of_unit[1] - inner * inner));
}

// Added mass and drag of the first moment, at equal parts of both.
TEST(RigidSurface, AForceMovesADiscAndTheFluidAroundIt) {
  const double exact = velocity_after_step(1e-4, 2, 1, 0.5, 0.1);
  double error = 0;
  for (const int refined : {1, 2}) {
    const double v = of_disc(disc_spec(1, 0.5, "mass: 2, inertia: 1, force_x: 1e-4"), 16 * refined, 6 * refined)["v"].get<double>();
    const double before = std::exchange(error, std::abs(v / exact - 1));
    if (refined == 2) { EXPECT_GT(before / error, 8); }
  }
  EXPECT_LT(error, 1e-4);
  // A tenth as dense as the fluid, which is most of what is moved.
  const double light = 0.1 * pi * inner * inner, v = of_disc(disc_spec(1, 0.5, "mass: " + std::to_string(light) + ", inertia: 0.1, force_x: 1e-4"), 32, 12)["v"].get<double>();
  EXPECT_NEAR(v, velocity_after_step(1e-4, light, 1, 0.5, 0.1), 2e-4 * v);
}

// Without inertia: Stokes' drag 4πμ/(ln(b/a) − (b² − a²)/(b² + a²)) in a tube, and Couette's torque 4πμ a²b²/(b² − a²).
TEST(RigidSurface, ViscosityHoldsADiscBack) {
  const double a2 = inner * inner, b2 = outer * outer;
  const double drag = 4 * pi / (std::log(outer / inner) - (b2 - a2) / (b2 + a2)), torque = 4 * pi * a2 * b2 / (b2 - a2);
  const nlohmann::json pulled = of_disc(disc_spec(1e-6, 1, "force_x: 1e-3"));
  EXPECT_NEAR(pulled["v"].get<double>() * drag, 1e-3, 3e-4 * 1e-3);
  const nlohmann::json turned = of_disc(disc_spec(1e-6, 1, "mass: 1e-6", "joints: {pivot: {type: hinge, between: [disc, ground], at: [0, 0], torque: 1e-3}}\n"));
  EXPECT_NEAR(turned["spin"].get<double>() * torque, 1e-3, 1e-4 * 1e-3);
  // A damper beside the fluid, and springs alone at rest.
  const nlohmann::json damped = of_disc(disc_spec(1e-6, 1, "force_x: 1e-3, damping: 20"));
  EXPECT_NEAR(damped["v"].get<double>() * (drag + 20), 1e-3, 3e-4 * 1e-3);
  std::string at_rest = disc_spec(1, 1, "force_x: 1e-3, stiffness: 4", "joints: {rail: {type: slider, between: [disc, ground], at: [0, 0], axis: [1, 0]}}\n");
  const std::size_t time = at_rest.find("time:");
  at_rest.erase(time, at_rest.find('\n', time) - time + 1);
  EXPECT_NEAR(of_disc(at_rest)["x"].get<double>(), 1e-3 / 4, 1e-12);
}

/// A block on springs that carries a flag.
std::string block_spec(const std::string& more, const std::string& block = "mass: 0.2") {
  const std::string flag = "x > 0.6 && x < 1 && y > 0.4 && y < 0.6";
  return "title: a block on springs that carries a flag, in a channel\nmesh:\n  grid:\n"
         "    columns: [{to: 0.4, cells: 2}, {to: 0.6, cells: 1}, {to: 1, cells: 2}, {to: 2, cells: 3}]\n"
         "    rows: [{to: 0.4, cells: 2}, {to: 0.6, cells: 1}, {to: 1, cells: 2}]\n    shape: triangle\n"
         "  holes: {block: {from: [0.4, 0.4], to: [0.6, 0.6]}}\n  parts: {flag: \"" + flag + " ? 1 : -1\", water: \"" + flag + " ? -1 : 1\"}\n"
         "physics: {type: fsi}\nmaterials:\n  oil: {model: newtonian, region: water, density: 1, viscosity: 0.1}\n"
         "  gel: {model: neo_hookean, region: flag, young: 200, poisson: 0.4, density: 2}\n"
         "rigid: {block: {region: block, " + block + "}}\n"
         "boundary:\n  left: {v_x: \"4*y*(1 - y)\", v_y: 0}\n  top: {no_slip: true}\n  bottom: {no_slip: true}\n"
         "loads: {out: {type: pressure, region: right, p: 0}}\n" + more;
}

/// With a pendulum on the block, which the fluid does not touch.
const char* const swinging_block = "mass: 0.2, inertia: 0.01, stiffness: 5, damping: 0.3, force_y: -0.2, spin_z: 0.2, velocity_y: 0.1}, "
                                   "weight: {place: [0.5, 0.3], mass: 0.1, inertia: 0.002";
const char* const designed_block =
    "joints: {arm: {type: hinge, between: [weight, block], at: [0.5, 0.5], stiffness: 1}}\n"
    "time: {scheme: bdf2, end: 0.3, steps: 3}\n"
    "design:\n"
    "  - {variable: rigid.block.mass}\n"
    "  - {variable: rigid.block.inertia}\n"
    "  - {variable: rigid.block.stiffness}\n"
    "  - {variable: rigid.block.damping}\n"
    "  - {variable: rigid.block.spin_z}\n"
    "  - {variable: rigid.weight.mass}\n"
    "  - {variable: rigid.weight.place.0}\n"
    "  - {variable: joints.arm.at.1}\n"
    "  - {variable: materials.gel.young, scale: log}\n"
    "  - {variable: materials.oil.viscosity, scale: log}\n"
    "objective: [{type: tie, tie: block.x, target: 1}, {type: point, point: [1, 0.5], component: d_y, target: 0.1}]\n";

TEST(RigidSurface, DerivativesOfABlockWithAFlagAreExact) {
  const Workplace here;
  here.write("spec.yaml", block_spec(designed_block, swinging_block));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

TEST(RigidSurface, RanksAgree) {
  if (!has_mpirun()) GTEST_SKIP() << "no mpirun";
  const Workplace here;
  here.write("spec.yaml", block_spec(designed_block, swinging_block));
  expect_same_gradient(here, gradient_in(here, 1), 2);
}

/// The block and its flag in turbulent flow, to which their surfaces are walls.
std::string block_in_turbulent_flow() {
  std::string spec = block_spec(designed_block, swinging_block);
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"{type: fsi}", "{type: fsi, elements: equal_order, turbulence: spalart_allmaras}"},
                                 {"viscosity: 0.1}", "viscosity: 2e-3}"},
                                 {"v_y: 0}", "v_y: 0, chi: 5}"},
                                 {"time: {", "initial: {all: {chi: 3}}\ntime: {"}})
    spec.replace(spec.find(from), from.size(), to);
  return spec;
}
TEST(RigidSurface, DerivativesInTurbulentFlowAreExact) { expect_certified(block_in_turbulent_flow()); }
TEST(RigidSurface, RanksAgreeInTurbulentFlow) { expect_ranks_agree(block_in_turbulent_flow(), {2, 3}); }

// With second derivatives.
TEST(RigidSurface, DerivativesOfABlockAtRestAreExact) {
  const Workplace here;
  here.write("spec.yaml", block_spec("joints: {post: {type: hinge, between: [block, ground], at: [0.3, 0.5], stiffness: 3}}\n"
                                     "design:\n  - {variable: joints.post.stiffness}\n  - {variable: materials.oil.viscosity, scale: log}\n"
                                     "objective: [{type: tie, tie: block.y, target: 0.1}]\n", "force_y: 0.3"));
  const Ended end = here.invar({"check", "spec.yaml"});
  EXPECT_EQ(end.code, 0) << end.said();
}

std::string piston_spec() {
  return "title: a piston\nmesh: {rectangle: {to: [2, 1], cells: [4, 2]}, parts: {water: \"1\"}}\nphysics: {type: fsi}\n"
      "materials: {oil: {model: newtonian, region: water, density: 1, viscosity: 1}}\n"
      "rigid: {piston: {region: right, mass: 1, force_x: -3}}\n"
      "boundary: {left: {no_slip: true}, top: {v_y: 0}, bottom: {v_y: 0}}\ntime: {scheme: backward_euler, end: 0.1, steps: 1}\n"
      "output: {fields: none, quantities: {x: {type: tie, tie: piston.x}, p: {type: point, point: [0, 0.5], component: p}}}\n";
}

// The pressure of what is enclosed moves a piston, so that its level follows; the fluid does not let it move.
TEST(RigidSurface, APistonDeterminesThePressure) {
  const Workplace here;
  const nlohmann::json q = results_when_solved(here, piston_spec())["quantities"];
  EXPECT_NEAR(q["p"].get<double>(), 3, 1e-8);  // force over its area
  EXPECT_NEAR(q["x"].get<double>(), 0, 1e-9);
}

/// A block in a closed box, whole, or half of it on a plane of symmetry.
std::string boxed_block(bool whole, const std::string& pin) {
  const std::string mass = whole ? "2" : "1";
  return "title: a block in a box\nmesh:\n  grid:\n    columns: [{to: 0.8, cells: 3}, {to: 1.2, cells: 2}, {to: 2, cells: 3}]\n    rows: [" +
         std::string(whole ? "{to: 0.7, cells: 3}, {to: 1.3, cells: 4}, {to: 2, cells: 3}]\n  holes: {block: {from: [0.8, 0.7], to: [1.2, 1.3]}}"
                           : "{to: 0.3, cells: 2}, {to: 1, cells: 3}]\n  holes: {block: {from: [0.8, 0], to: [1.2, 0.3]}}") +
         "\n  parts: {water: \"1\"}\nphysics: {type: fsi}\nmaterials: {oil: {model: newtonian, region: water, density: 1, viscosity: 1}}\n"
         "rigid: {block: {region: block, mass: " + mass + ", force_x: " + mass + "}}\n"
         "boundary: {left: {no_slip: true}, right: {no_slip: true}, top: {no_slip: true}, bottom: {" + (whole ? "no_slip: true" : "v_y: 0, d_y: 0") + "}" + pin + "}\n"
         "time: {scheme: backward_euler, end: 0.1, steps: 1}\n"
         "output: {fields: none, quantities: {x: {type: tie, tie: block.x}, y: {type: tie, tie: block.y}}}\n";
}

// The support of half a block at the plane of symmetry balances the pressure, so that the level is undetermined. The half block
// moves like the whole one.
TEST(RigidSurface, HalfABlockOnAPlaneOfSymmetryNeedsAPressureLevel) {
  expect_named({"force_x: 1", "force_x: 2", "and rigid parts leave the level of the pressure undetermined"}, boxed_block(false, ""));
  const auto moved = [](bool whole) {
    const Workplace here;
    const nlohmann::json q = results_when_solved(here, boxed_block(whole, ", left_top: {p: 0.25}"))["quantities"];
    EXPECT_NEAR(q["y"].get<double>(), 0, 1e-9);
    return q["x"].get<double>();
  };
  const double half = moved(false);
  EXPECT_GT(half, 1e-5);
  EXPECT_NEAR(half, moved(true), 1e-7 * half);
}

TEST(RigidSurface, WhatDoesNotFitIsNamed) {
  expect_named({"pin: {p: 0}", "pin: {v_x: 0}", "and rigid parts leave the level of the pressure undetermined"}, disc_spec(1, 1, "mass: 1"), {{"ring.msh", ring_mesh(6, 2)}});
  expect_named({"rigid: {disc: {region: disc, mass: 1}}\n", "", "or a part in 'rigid' whose region is its surface"}, disc_spec(1, 1, "mass: 1"), {{"ring.msh", ring_mesh(6, 2)}});
  expect_named({"wall: {", "disc: {no_slip: true}, wall: {", "the rigid surface 'disc' meets the wall 'disc', which would fix it"}, disc_spec(1, 1, "mass: 1"), {{"ring.msh", ring_mesh(6, 2)}});
  expect_named({"time: {scheme: backward_euler, end: 0.1, steps: 1}\n", "", "dampers are for processes in time"}, disc_spec(1, 1, "stiffness: 1, damping: 2"), {{"ring.msh", ring_mesh(6, 2)}});
  expect_named({"physics: {type: fsi}", "physics: {type: fsi, kind: axisymmetric}", "rigid parts are not available in axisymmetric problems"},
               "title: a piston\nmesh: {rectangle: {to: [2, 1], cells: [4, 2]}, parts: {water: \"1\"}}\nphysics: {type: fsi}\n"
               "materials: {oil: {model: newtonian, region: water, density: 1, viscosity: 1}}\nrigid: {piston: {region: right, mass: 1}}\n"
               "boundary: {top: {v_y: 0}}\ntime: {scheme: backward_euler, end: 0.1, steps: 1}\n");
  // Walls hold a piston at the nodes that they have in common with it, unless it slides along them.
  expect_named({"top: {v_y: 0}", "top: {no_slip: true}", "the rigid surface 'right' meets the wall 'top', which would fix it"}, piston_spec());
  // So do values that are given for it.
  expect_named({"bottom: {no_slip: true}\n", "bottom: {no_slip: true}\n  block: {v_x: 0}\n", "the rigid surface 'block' has nodes in 'block', whose values would hold it there"}, block_spec(""));
  expect_named({"top: {v_y: 0}", "top: {v_x: 0, v_y: 0}", "the rigid surface 'right' has nodes in 'top', whose values would hold it there"}, piston_spec());
  expect_named({"region: block, ", "region: water, ", "the rigid part 'water' reaches into the fluid"}, block_spec(""));
}

}  // namespace
}  // namespace invar::test
