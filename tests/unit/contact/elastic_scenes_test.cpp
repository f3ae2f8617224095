// Scenes of Erleben (2018), "Methodology for assessing mesh-based contact point methods", with elastic bodies: spikes, pits, wedges and cracks, into which soft
// bodies are pushed by a prescribed motion. In `step_limit_test.cpp` the same surfaces move rigidly. No equilibrium on the way has surfaces that intersect.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "libadjoint/static_case.hpp"
#include "libfem/contact/contact_forms.hpp"
#include "libfem/contact/surface_fields.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/form/local_access.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar::contact_test::elastic_scenes {
namespace {

/// Displacement at the end, proportional to the load parameter.
struct Moved {
  std::string region;
  std::array<double, 3> way{};
};

struct Scene {
  std::vector<std::pair<std::string, Mesh>> bodies;
  std::vector<std::string> first, second;  // sides of the contact; `second` empty: the first one touches itself
  std::vector<Moved> moved;
  int samples = 2, steps = 5;
  double d_hat = 4e-3;
};

/// Replaces each node's position x.
template <class Place>
void place_nodes(Mesh& mesh, Place place) {
  for (int n = 0; n < mesh.node_total(); ++n) place(&mesh.coordinates[std::size_t(n) * mesh.dim]);
}

struct Outcome {
  double closest = INFINITY;  // smallest gap of all equilibria, m
  long most_pairs = 0;
};

Outcome push(const Scene& scene) {
  const auto mesh = std::make_shared<const Mesh>(distribute(join_bodies(scene.bodies), PETSC_COMM_SELF));
  std::vector<Component> components{{"u_x", 1}, {"u_y", 1}};
  if (mesh->dim == 3) components.push_back({"u_z", 1});
  const auto dofs = std::make_shared<const DofMap>(mesh, components, PETSC_COMM_SELF);
  const auto residual = std::make_shared<FormResidual>(dofs);
  const auto number = [&](double v) { return ControlledValue{residual->add_control({"", ""}, {v}), {}}; };
  residual->add_form(make_displacement_form(mesh->dim == 2 ? SolidKind::plane_strain : SolidKind::spatial, make_material({.name = "neo_hookean"}), CellBatches::on_cells(dofs, "", 2)),
                     {number(1), number(0.3)});
  const auto finder = PairFinder::on_regions(*mesh, scene.first, scene.second, scene.samples, false);
  residual->add_form(make_contact(finder, dofs), {number(0.1), number(scene.d_hat)});
  for (const Moved& m : scene.moved)
    for (int i = 0; i < mesh->dim; ++i) {
      ControlledValue value = number(m.way[i]);
      value.shape = [](const double*, double t) { return t; };
      value.varies_in_time = true;
      residual->add_dirichlet({.region = m.region, .component = i, .value = value});
    }
  residual->finish();
  std::vector<double> times;
  for (int k = 1; k <= scene.steps; ++k) times.push_back(double(k) / scene.steps);
  StaticCase process("scene", residual, std::make_shared<LinearSolver>(PETSC_COMM_SELF), times, 0.0, LoadSteppingOptions{});
  const ProcessReport report = process.run(residual->control_values());
  EXPECT_TRUE(report.ok) << report.reason;
  Outcome out;
  if (!report.ok) return out;
  const SurfaceTransfer transfer(finder->surface(), finder->nodes(), dofs);
  process.visit_states([&](int step, const EvaluationPoint& at) {
    const LocalArray u(at);
    const SurfacePosition surfaces{mesh->dim, transfer.of_coordinates(mesh->coordinates.data()), transfer.of_unknown(u.data())};
    EXPECT_TRUE(finder->overlaps(surfaces, 0).empty()) << "step " << step;
    out.closest = std::min(out.closest, finder->smallest_gap(surfaces));
    out.most_pairs = std::max(out.most_pairs, finder->pair_count(surfaces, scene.d_hat));
  });
  if (std::getenv("INVAR_PRINT")) std::printf("%lld unknowns, %d Newton iterations, %d cuts, closest %.2g d, %ld pairs\n", dofs->n_global(), report.newton_iterations, report.cuts, out.closest / scene.d_hat, out.most_pairs);
  return out;
}

void expect_pressed(const Scene& scene) {
  const Outcome out = push(scene);
  EXPECT_GT(out.closest, 0);
  EXPECT_LT(out.closest, 0.5 * scene.d_hat);
  EXPECT_GT(out.most_pairs, 10);
}

/// Between 0 in the middle and 1 at the border of a square of side 1 around the origin, on the faces of a pyramid.
double from_axis(double x, double z) { return 2 * std::max(std::abs(x), std::abs(z)); }

// A block is pressed on nine spikes, by almost the height of them.
TEST(ElasticScenes, ABlockIsPressedOnSpikes) {
  for (const Shape shape : {Shape::hexahedron, Shape::tetrahedron}) {
    Mesh bed = make_box({0, -0.3, 0}, {1, 0, 1}, {6, 1, 6}, shape);
    place_nodes(bed, [](double* x) {
      const auto odd = [](double v) { return std::lround(6 * v) % 2 == 1; };
      if (x[1] > -0.01 && odd(x[0]) && odd(x[2])) x[1] += 0.2;
    });
    expect_pressed({.bodies = {{"bed", std::move(bed)}, {"block", make_box({0.02, 0.21, 0.02}, {0.98, 0.7, 0.98}, {5, 3, 5}, shape)}},
                    .first = {"bed_top"},
                    .second = {"block_bottom"},
                    .moved = {{"bed", {}}, {"block_top", {0, -0.15, 0}}}});
  }
}

// A soft spike is pressed into a pit that is narrower than it, and its tip on the pit's floor.
TEST(ElasticScenes, ASoftSpikeEntersAPit) {
  Mesh pit = make_box({-0.5, -1, -0.5}, {0.5, 0, 0.5}, {6, 1, 6}, Shape::hexahedron), spike = make_box({-0.4, 0, -0.4}, {0.4, 0.8, 0.4}, {6, 4, 6}, Shape::hexahedron);
  place_nodes(pit, [](double* x) {
    if (x[1] > -0.01) x[1] = -0.6 * (1 - from_axis(x[0], x[2]));
  });
  place_nodes(spike, [](double* x) { x[1] += 0.02 - 0.5 * (1 - from_axis(x[0] / 0.8, x[2] / 0.8)) * (1 - x[1] / 0.8); });
  expect_pressed({.bodies = {{"pit", std::move(pit)}, {"spike", std::move(spike)}},
                  .first = {"pit_top"},
                  .second = {"spike_bottom"},
                  .moved = {{"pit", {}}, {"spike_top", {0, -0.25, 0}}}});
}

/// A block below y = 0 with a crack of that depth, 2 `half` wide at its mouth.
Mesh cracked_block(double half, double depth) {
  Mesh block = make_rectangle(0, -1, 20, 0, 20, 8, Shape::quadrilateral);
  place_nodes(block, [&](double* x) {
    const double column = x[0] - 10, size = std::abs(column), across = size <= 4 ? half * size / 4 : half + (1 - half) * (size - 4) / 6;
    const double surface = size < 4 ? -depth * (1 - size / 4) : 0;
    x[0] = std::copysign(across, column);
    x[1] = -1 + (x[1] + 1) * (1 + surface);
  });
  return block;
}

// A wedge with a wider angle than the crack is driven into it, and opens it.
TEST(ElasticScenes, AWedgeOpensACrack) {
  Mesh wedge = make_rectangle(-1, 0, 1, 1, 8, 2, Shape::quadrilateral);
  place_nodes(wedge, [](double* x) {
    const double side = std::abs(x[0]);
    x[1] = 0.01 + 0.9 * side + (1 - side) * x[1] * 0.9 + 0.1 * x[1];
    x[0] *= 0.12;
  });
  expect_pressed({.bodies = {{"block", cracked_block(0.05, 0.6)}, {"wedge", std::move(wedge)}},
                  .first = {"block_top"},
                  .second = {"wedge_bottom"},
                  .moved = {{"block_bottom", {}}, {"wedge", {0, -0.5, 0}}},
                  .samples = 4,
                  .steps = 10});
}

// The lips of a crack are pressed together.
TEST(ElasticScenes, ACrackCloses) {
  expect_pressed({.bodies = {{"block", cracked_block(0.03, 0.6)}},
                  .first = {"block_top"},
                  .second = {},
                  .moved = {{"block_left", {0.12, 0, 0}}, {"block_right", {-0.12, 0, 0}}},
                  .samples = 4,
                  .steps = 8});
}

}  // namespace
}  // namespace invar::contact_test::elastic_scenes
