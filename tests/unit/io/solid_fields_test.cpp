#include "libfem/solid/solid_fields.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "libfem/io/vtk_writer.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/solid/material_library.hpp"

namespace invar {
namespace {

using Tensor9 = std::array<double, 9>;

constexpr double young = 2.0, poisson = 0.3;
constexpr double mu = young / (2 * (1 + poisson)),
                 lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));

/// Quadratic cells with a displacement u = H x, for which every average is the point value.
struct Affine {
  std::shared_ptr<const DofMap> dofs;
  std::vector<double> u;
};

Affine affine(Mesh serial, const Tensor9& H, bool mixed,
              const std::function<double(const double*)>& p = {}) {
  const auto mesh = std::make_shared<Mesh>(std::move(serial));
  std::vector<Component> components;
  for (int i = 0; i < mesh->dim; ++i) components.push_back({"u", 2});
  if (mixed) components.push_back({"p", 1});
  Affine a{std::make_shared<DofMap>(mesh, components, MPI_COMM_SELF), {}};
  a.u.resize(a.dofs->n_local());
  for (int n = 0; n < mesh->node_total(); ++n) {
    const double* x = &mesh->coordinates[n * mesh->dim];
    for (int i = 0; i < mesh->dim; ++i)
      for (int j = 0; j < mesh->dim; ++j) a.u[a.dofs->dof(n, i)] += H[3 * i + j] * x[j];
    if (const int dof = a.dofs->dof(n, mesh->dim); dof >= 0) a.u[dof] = p(x);
  }
  return a;
}

Mesh box(Shape shape) { return make_box({0, 0, 0}, {1, 2, 1}, {2, 1, 2}, shape, 2); }
Mesh rectangle(Shape shape) { return make_rectangle(1, 0, 3, 1, 3, 2, shape, 2); }

SolidFields::Body body_of(const Material& material, std::vector<double> parameters) {
  SolidFields::Body body{"body", &material, {}, nullptr};
  for (const double p : parameters) body.parameters.push_back(Coefficient::constant(p));
  return body;
}

/// Compares every cell with the exact state; the tolerance is a few hundred roundings.
void expect_state(const SolidFields& f, const Tensor9& stress, double energy, double J) {
  constexpr double tolerance = 1e-12;
  ASSERT_GT(f.volume.size(), 0u);
  const double mean = (stress[0] + stress[4] + stress[8]) / 3;
  double square = 0;
  for (int k = 0; k < 9; ++k) square += std::pow(stress[k] - (k % 4 == 0 ? mean : 0), 2);
  for (std::size_t c = 0; c < f.volume.size(); ++c) {
    for (int k = 0; k < 9; ++k)
      EXPECT_NEAR(f.stress[9 * c + k], stress[k], tolerance) << "component " << k;
    EXPECT_NEAR(f.von_mises[c], std::sqrt(1.5 * square), tolerance);
    EXPECT_NEAR(f.energy_density[c], energy, tolerance);
    EXPECT_NEAR(f.volume_ratio[c], J, tolerance);
  }
}

double sum(const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); }

double determinant(const Tensor9& F) {
  return F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) +
         F[2] * (F[3] * F[7] - F[4] * F[6]);
}

struct NeoHookeState {
  Tensor9 stress;
  double energy, J;
};

/// σ = μ/J (b − I) + λ ln J/J I, W = μ/2 (tr b − 3) − μ ln J + λ/2 ln² J (Bonet and Wood 2008,
/// eq. 6.29).
NeoHookeState neo_hooke(const Tensor9& F) {
  NeoHookeState s{{}, 0, determinant(F)};
  double trace = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double b = 0;
      for (int k = 0; k < 3; ++k) b += F[3 * i + k] * F[3 * j + k];
      s.stress[3 * i + j] = (mu * (b - (i == j)) + (i == j) * lambda * std::log(s.J)) / s.J;
      if (i == j) trace += b;
    }
  s.energy = mu / 2 * (trace - 3) - mu * std::log(s.J) + lambda / 2 * std::pow(std::log(s.J), 2);
  return s;
}

Tensor9 minus_identity(Tensor9 F) {
  for (const int k : {0, 4, 8}) F[k] -= 1;
  return F;
}

TEST(SolidFields, SpatialFiniteStrain) {
  const Tensor9 F{1.2, 0.1, -0.05, 0.2, 0.9, 0.1, 0.0, -0.15, 1.1};
  const NeoHookeState exact = neo_hooke(F);
  const auto material = make_material({"neo_hookean"});
  const auto body = body_of(*material, {young, poisson});
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    const Affine a = affine(box(shape), minus_identity(F), false);
    const auto f = SolidFields::evaluate(a.dofs, a.u.data(), a.dofs->mesh().coordinates.data(), SolidKind::spatial, false, {&body, 1});
    expect_state(f, exact.stress, exact.energy, exact.J);
    EXPECT_NEAR(sum(f.volume), 2.0, 1e-12);
  }
}

TEST(SolidFields, PlaneStrainHasStressAcrossThePlane) {
  const Tensor9 F{1.2, 0.1, 0, 0.2, 0.9, 0, 0, 0, 1};
  const NeoHookeState exact = neo_hooke(F);
  const auto material = make_material({"neo_hookean"});
  const auto body = body_of(*material, {young, poisson});
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    const Affine a = affine(rectangle(shape), minus_identity(F), false);
    expect_state(
        SolidFields::evaluate(a.dofs, a.u.data(), a.dofs->mesh().coordinates.data(), SolidKind::plane_strain, false, {&body, 1}),
        exact.stress, exact.energy, exact.J);
  }
}

// F33 is chosen and F22 follows from σ33 = 0: μ (F33² − 1) + λ ln J = 0.
TEST(SolidFields, PlaneStressFindsTheThickness) {
  const double F33 = 0.9, J = std::exp(-mu * (F33 * F33 - 1) / lambda), F11 = 1.3;
  const Tensor9 F{F11, 0, 0, 0, J / F33 / F11, 0, 0, 0, F33};
  const NeoHookeState exact = neo_hooke(F);
  ASSERT_NEAR(exact.stress[8], 0, 1e-14);
  Tensor9 H = minus_identity(F);
  const auto material = make_material({"neo_hookean", Formulation::compressible, true});
  const auto solid = make_material({"neo_hookean"});
  auto body = body_of(*material, {young, poisson});
  const Affine a = affine(rectangle(Shape::quadrilateral), H, false);
  EXPECT_THROW(
      SolidFields::evaluate(a.dofs, a.u.data(), a.dofs->mesh().coordinates.data(), SolidKind::plane_stress, false, {&body, 1}),
      std::invalid_argument);
  body.solid = solid.get();
  expect_state(
      SolidFields::evaluate(a.dofs, a.u.data(), a.dofs->mesh().coordinates.data(), SolidKind::plane_stress, false, {&body, 1}),
      exact.stress, exact.energy, exact.J);
}

// σ_α = μ (λ_α² − λ₃²), λ₃ = 1/(λ₁ λ₂); μ = E/3.
TEST(SolidFields, IncompressiblePlaneStressKeepsTheVolume) {
  const double a1 = 1.3, a2 = 1.1, a3 = 1 / (a1 * a2), shear = young / 3;
  const auto material = make_material({"neo_hookean", Formulation::isochoric, true});
  const auto body = body_of(*material, {young});
  const Affine a = affine(rectangle(Shape::triangle), {a1 - 1, 0, 0, 0, a2 - 1, 0, 0, 0, 0}, false);
  expect_state(
      SolidFields::evaluate(a.dofs, a.u.data(), a.dofs->mesh().coordinates.data(), SolidKind::plane_stress, false, {&body, 1}),
      {shear * (a1 * a1 - a3 * a3), 0, 0, 0, shear * (a2 * a2 - a3 * a3), 0, 0, 0, 0},
      shear / 2 * (a1 * a1 + a2 * a2 + a3 * a3 - 3), 1.0);
}

// Hooke's law in plane stress: σ₁₁ = E/(1−ν²) (ε₁₁ + ν ε₂₂), σ₁₂ = 2μ ε₁₂, ε₃₃ = −ν/(1−ν) (ε₁₁ +
// ε₂₂).
TEST(SolidFields, PlaneStressOfSmallStrains) {
  const double e1 = 0.02, e2 = -0.01, e12 = 0.015, c = young / (1 - poisson * poisson);
  const Tensor9 stress{
      c * (e1 + poisson * e2), 2 * mu * e12, 0, 2 * mu * e12, c * (e2 + poisson * e1), 0, 0, 0, 0};
  const auto material = make_material({"linear_elastic", Formulation::compressible, true});
  const auto solid = make_material({"linear_elastic"});
  auto body = body_of(*material, {young, poisson});
  body.solid = solid.get();
  const Affine a =
      affine(rectangle(Shape::quadrilateral), {e1, 2 * e12, 0, 0, e2, 0, 0, 0, 0}, false);
  expect_state(
      SolidFields::evaluate(a.dofs, a.u.data(), a.dofs->mesh().coordinates.data(), SolidKind::plane_stress, false, {&body, 1}), stress,
      (stress[0] * e1 + stress[4] * e2 + 2 * stress[1] * e12) / 2,
      1 + (e1 + e2) * (1 - poisson / (1 - poisson)));
}

// u_r = a r gives the hoop strain a; the volume is that of the tube.
TEST(SolidFields, AxisymmetricHasHoopStress) {
  const double a = 0.03, b = -0.02, trace = 2 * a + b;
  const auto material = make_material({"linear_elastic"});
  const auto body = body_of(*material, {young, poisson});
  const Affine state = affine(rectangle(Shape::triangle), {a, 0, 0, 0, b, 0, 0, 0, 0}, false);
  const auto f =
      SolidFields::evaluate(state.dofs, state.u.data(), state.dofs->mesh().coordinates.data(), SolidKind::axisymmetric, false, {&body, 1});
  const double radial = lambda * trace + 2 * mu * a, axial = lambda * trace + 2 * mu * b;
  expect_state(f, {radial, 0, 0, 0, axial, 0, 0, 0, radial}, (2 * radial * a + axial * b) / 2,
               1 + trace);
  EXPECT_NEAR(sum(f.volume), std::numbers::pi * (9 - 1), 1e-11);
}

// σ = μ J^(−5/3) dev b − p I, W = μ/2 (J^(−2/3) tr b − 3) + p²/(2κ).
TEST(SolidFields, MixedAddsThePressure) {
  const Tensor9 F{1.2, 0, 0, 0.3, 0.9, 0, 0, 0, 1};
  const double J = determinant(F), pressure = 0.7, kappa = 50, shear = young / 3;
  const double b11 = F[0] * F[0], b12 = F[0] * F[3], b22 = F[3] * F[3] + F[4] * F[4], b33 = 1;
  const double mean = (b11 + b22 + b33) / 3, s = shear * std::pow(J, -5.0 / 3);
  const Tensor9 stress{s * (b11 - mean) - pressure, s * b12, 0, s * b12,
                       s * (b22 - mean) - pressure, 0,       0, 0,
                       s * (b33 - mean) - pressure};
  const double shape_energy = shear / 2 * (std::pow(J, -2.0 / 3) * 3 * mean - 3);
  const auto material = make_material({"neo_hookean", Formulation::isochoric});
  const auto constant = [&](const double*) { return pressure; };
  const auto evaluate = [&](const Affine& a, SolidKind kind, double bulk) {
    const auto body = body_of(*material, {young, bulk});
    return SolidFields::evaluate(a.dofs, a.u.data(), a.dofs->mesh().coordinates.data(), kind, true, {&body, 1});
  };
  const Affine plane = affine(rectangle(Shape::triangle), minus_identity(F), true, constant);
  expect_state(evaluate(plane, SolidKind::plane_strain, kappa), stress,
               shape_energy + pressure * pressure / (2 * kappa), J);
  const Affine solid = affine(box(Shape::hexahedron), minus_identity(F), true, constant);
  expect_state(evaluate(solid, SolidKind::spatial, std::numeric_limits<double>::infinity()), stress,
               shape_energy, J);
}

// Two bodies side by side with different moduli; a third part of the mesh has no body.
TEST(SolidFields, EachBodyHasItsOwnLaw) {
  Mesh mesh = rectangle(Shape::quadrilateral);  // 3 × 2 cells
  mesh.regions[0].members[0] = {0, 3};
  mesh.regions.push_back({"other", 2, {{1, 4}}, {}});
  const Affine a = affine(mesh, {0.01, 0, 0, 0, 0, 0, 0, 0, 0}, false);
  const auto material = make_material({"linear_elastic"});
  std::array bodies{body_of(*material, {young, 0.0}), body_of(*material, {0.0, 0.0})};
  bodies[1].region = "other";
  bodies[1].parameters[0] = {Coefficient::Layout::per_cell, {0, 3, 0, 0, 5, 0}};
  const auto f = SolidFields::evaluate(a.dofs, a.u.data(), a.dofs->mesh().coordinates.data(), SolidKind::plane_strain, false, bodies);
  const std::array modulus{young, 3.0, 0.0, young, 5.0, 0.0};
  for (int c = 0; c < 6; ++c)
    EXPECT_NEAR(f.stress[9 * c], 0.01 * modulus[c], 1e-14) << "cell " << c;
  EXPECT_EQ(f.volume[2], 0.0);
}

// σ = F S Fᵀ/J is added: of a Kelvin–Voigt element S = 2 η Ė + (ζ − ⅔ η) tr Ė I, Ė = sym(Fᵀ Ḟ), everywhere; of a muscle S = T e₂ ⊗ e₂ in one
// cell of three, and nothing outside, where its direction is zero and its tension is not defined.
TEST(SolidFields, AddedStressesOfViscosityAndMuscles) {
  const double a = 1.2, b = 0.9, a_dot = 0.5, b_dot = -0.3, eta = 3, zeta = 4, tension = 7, nan = std::numeric_limits<double>::quiet_NaN();
  Mesh mesh = make_rectangle(1, 0, 4, 1, 3, 1, Shape::quadrilateral, 2);
  mesh.regions.push_back({"half", 2, {{2}}, {}});
  const Affine state = affine(mesh, {a - 1, 0, 0, 0, b - 1, 0, 0, 0, 0}, false), rate = affine(mesh, {a_dot, 0, 0, 0, b_dot, 0, 0, 0, 0}, false);
  const auto material = make_material({"neo_hookean"});
  SolidFields::Body body = body_of(*material, {young, poisson});
  body.rate = rate.u.data();
  body.added = {{true, {Coefficient::constant(eta), Coefficient::constant(zeta)}, nullptr}, {false, {}, &state.dofs->mesh().regions.back()}};
  const auto in_region = [&](double inside, double outside) {
    Coefficient c{Coefficient::Layout::per_node, {}};
    for (int n = 0; n < mesh.node_total(); ++n) c.values.push_back(mesh.coordinates[2 * n] > 3 - 1e-9 ? inside : outside);
    return c;
  };
  body.added[1].coefficients = {in_region(tension, nan), Coefficient::constant(0), in_region(5, 0)};
  const auto f = SolidFields::evaluate(state.dofs, state.u.data(), state.dofs->mesh().coordinates.data(), SolidKind::plane_strain, false, {&body, 1});
  const NeoHookeState law = neo_hooke({a, 0, 0, 0, b, 0, 0, 0, 1});
  const double J = a * b, volumetric = (zeta - 2 * eta / 3) * (a * a_dot + b * b_dot);
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(f.stress[9 * c], law.stress[0] + a * a * (2 * eta * a * a_dot + volumetric) / J, 1e-12) << c;
    EXPECT_NEAR(f.stress[9 * c + 4], law.stress[4] + b * b * (2 * eta * b * b_dot + volumetric + (c == 2 ? tension : 0)) / J, 1e-12) << c;
    EXPECT_NEAR(f.stress[9 * c + 8], law.stress[8] + volumetric / J, 1e-12) << c;
  }
}

TEST(SolidFields, RefusesABodyThatDoesNotFit) {
  const auto material = make_material({"linear_elastic"});
  const Affine a = affine(rectangle(Shape::triangle), {}, false);
  const auto evaluate = [&](SolidFields::Body body) {
    return SolidFields::evaluate(a.dofs, a.u.data(), a.dofs->mesh().coordinates.data(), SolidKind::plane_strain, false, {&body, 1});
  };
  EXPECT_THROW(evaluate(body_of(*material, {young})), std::invalid_argument);
  auto elsewhere = body_of(*material, {young, poisson});
  elsewhere.region = "nowhere";
  EXPECT_THROW(evaluate(elsewhere), std::invalid_argument);
}

TEST(NodalFields, DisplacementAndPressureAreReadFromTheUnknown) {
  const auto p = [](const double* x) { return 1 + 2 * x[0] - x[1]; };
  const Affine a = affine(rectangle(Shape::triangle), {0.1, 0.2, 0, 0.3, 0.4, 0, 0, 0, 0}, true, p);
  const Mesh& mesh = a.dofs->mesh();
  const auto u = nodal_displacement(*a.dofs, a.u.data());
  const auto pressure = interpolate_vertices_to_nodes(mesh, vertex_pressure(*a.dofs, a.u.data()));
  for (int n = 0; n < mesh.node_total(); ++n) {
    const double* x = &mesh.coordinates[n * 2];
    EXPECT_NEAR(u[2 * n], 0.1 * x[0] + 0.2 * x[1], 1e-15);
    EXPECT_NEAR(u[2 * n + 1], 0.3 * x[0] + 0.4 * x[1], 1e-15);
    EXPECT_NEAR(pressure[n], p(x), 1e-14);
  }
}

// Serial and distributed meshes are compared through the nodes' numbers in the serial mesh.
TEST(SmoothAtNodes, AveragesTheCellsOfANodeOnAnyNumberOfRanks) {
  const Mesh serial = make_rectangle(0, 0, 4, 3, 4, 3, Shape::quadrilateral, 2);
  const auto mesh = std::make_shared<Mesh>(distribute(serial, PETSC_COMM_WORLD));
  const DofMap dofs(mesh, {{"u", 2}}, PETSC_COMM_WORLD);
  std::vector<double> values, weights;  // cell (i, j): value 10 i + j, weight 1 + i
  for (const CellBlock& block : mesh->cells)
    for (int c = 0; c < block.count(); ++c) {
      const double* low = &mesh->coordinates[2 * block.nodes[9 * c]];
      values.push_back(10 * low[0] + low[1]);
      weights.push_back(1 + low[0]);
    }
  const auto smooth = smooth_at_nodes(dofs, values, weights);
  for (int n = 0; n < mesh->node_total(); ++n) {  // ghosts too
    const double x = mesh->coordinates[2 * n], y = mesh->coordinates[2 * n + 1];
    double sum = 0, weight = 0;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 3; ++j)
        if (i <= x && x <= i + 1 && j <= y && y <= j + 1) {
          sum += (1 + i) * (10 * i + j);
          weight += 1 + i;
        }
    EXPECT_NEAR(smooth[n], sum / weight, 1e-13) << "at " << x << ", " << y;
  }
}

// A bar that has flowed by α along its axis, turned and stretched: Kirchhoff's stress is that of the elastic strains ε along and −ν ε across.
TEST(SolidFields, OfPlasticFlowAtFiniteStrain) {
  constexpr double strain = 0.01, alpha = 0.4, c = 0.8, s = 0.6;
  const double along = std::exp(strain + alpha), across = std::exp(-poisson * strain - alpha / 2);
  const Tensor9 F{c * along, -s * across, 0, s * along, c * across, 0, 0, 0, across};
  Tensor9 H = F;
  for (int k = 0; k < 9; k += 4) H[k] -= 1;
  const Affine a = affine(box(Shape::hexahedron), H, false);
  const auto material = make_material({.name = "hencky"});
  SolidFields::Body body = body_of(*material, {young, poisson});
  const std::array<double, 7> history{std::exp(-2 * alpha) - 1, std::exp(alpha) - 1, std::exp(alpha) - 1, 0, 0, 0, alpha};
  std::vector<double> stored;
  for (int point = 0; point < 2 * 27; ++point)  // more than there are: two packs of 27 points
    for (const double h : history) stored.insert(stored.end(), simd_width, h);
  body.plastic = stored.data();
  const SolidFields f = SolidFields::evaluate(a.dofs, a.u.data(), a.dofs->mesh().coordinates.data(), SolidKind::spatial, false, std::array{body});
  const double J = along * across * across, tau = young * strain, sigma = tau / J;
  expect_state(f, {c * c * sigma, c * s * sigma, 0, c * s * sigma, s * s * sigma, 0, 0, 0, 0}, 0.5 * tau * strain, J);
  for (const double plastic : f.plastic_strain) EXPECT_NEAR(plastic, alpha, 1e-14);
}

}  // namespace
}  // namespace invar
