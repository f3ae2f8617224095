// Mechanical properties of the unsteady forms: totals of mass, objectivity, pressure and
// friction by their formulas, distances by another way to compute them.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numbers>
#include <random>

#include "libfem/solid/dynamic_forms.hpp"
#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/solid_problem.hpp"

namespace invar::gradient_test {
namespace {

using Array = std::vector<double>;
using Field = std::function<std::array<double, 3>(const double* x)>;

/// A body on a mesh that is known in closed form, and one form at a time on it.
class Body {
 public:
  Body(SolidKind kind, Mesh mesh, int order) : kind_(kind), mesh_(std::make_shared<const Mesh>(std::move(mesh))) {
    dofs_ = std::make_shared<const DofMap>(mesh_, std::vector<Component>(mesh_->dim, {"u", order}), PETSC_COMM_SELF);
  }
  SolidKind kind() const { return kind_; }
  int dim() const { return mesh_->dim; }
  CellBatches cells() const { return CellBatches::on_cells(dofs_, "", 6); }
  CellBatches facets(const char* region) const { return CellBatches::on_facets(dofs_, region, 6); }

  Array at_nodes(const Field& f) const {
    Array u(dofs_->n_local());
    for (int n = 0; n < mesh_->node_total(); ++n) {
      const auto v = f(&mesh_->coordinates[std::size_t(n) * dim()]);
      for (int i = 0; i < dim(); ++i) u[dofs_->dof(n, i)] = v[i];
    }
    return u;
  }
  Array residual(WeakForm& form, const Array& coefficients, const PerLevel<const Array*>& u) const {
    Array r(dofs_->n_local(), 0.0);
    EXPECT_TRUE(form.residual(state(form, coefficients, u), r.data()));
    return r;
  }
  double value(WeakForm& form, const Array& coefficients, const PerLevel<const Array*>& u) const {
    return form.value(state(form, coefficients, u));
  }
  /// Sum of the nodal forces.
  std::array<double, 3> total(const Array& r) const {
    std::array<double, 3> sum{};
    for (int n = 0; n < mesh_->node_total(); ++n)
      for (int i = 0; i < dim(); ++i) sum[i] += r[dofs_->dof(n, i)];
    return sum;
  }

 private:
  FormState state(WeakForm& form, const Array& coefficients, const PerLevel<const Array*>& u) const {
    for (std::size_t k = 0; k < coefficients.size(); ++k)
      form.coefficients()[k] = Coefficient::constant(coefficients[k]);
    FormState s{{}, mesh_->coordinates.data()};
    for (Level l : all_levels) s.unknown[l] = u[l] ? u[l]->data() : nullptr;
    return s;
  }

  SolidKind kind_;
  std::shared_ptr<const Mesh> mesh_;
  std::shared_ptr<const DofMap> dofs_;
};

double power(const Array& r, const Array& v) {
  double sum = 0;
  for (std::size_t i = 0; i < r.size(); ++i) sum += r[i] * v[i];
  return sum;
}

PerLevel<const Array*> levels(const Array* value, const Array* rate, const Array* acceleration = nullptr) {
  PerLevel<const Array*> u;
  u[Level::value] = value, u[Level::rate] = rate, u[Level::acceleration] = acceleration;
  return u;
}

/// The box sheared: volume as before, 1.2 × 0.8 (× 0.5).
Body sheared(SolidKind kind, Shape shape) {
  const int dim = kind == SolidKind::spatial ? 3 : 2;
  Mesh m = dim == 3 ? make_box({0, 0, 0}, {1.2, 0.8, 0.5}, {2, 1, 1}, shape, 2)
                    : make_rectangle(0, 0, 1.2, 0.8, 2, 1, shape, 2);
  for (int n = 0; n < m.node_total(); ++n)
    m.coordinates[std::size_t(n) * dim] += 0.4 * m.coordinates[std::size_t(n) * dim + 1];
  return Body(kind, std::move(m), 2);
}

/// A ring of radii 0.5 and 1.7 and height 0.8.
Body ring() {
  return Body(SolidKind::axisymmetric, make_rectangle(0.5, 0, 1.7, 0.8, 2, 2, Shape::quadrilateral, 2), 2);
}
constexpr double ring_area = std::numbers::pi * (1.7 * 1.7 - 0.5 * 0.5);

/// v = Ω x + v₀ and its rotation by `angle` about the third axis.
std::array<double, 3> rotated(const double* x, int dim, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * x[0] - s * x[1], s * x[0] + c * x[1], dim == 3 ? x[2] : 0.0};
}

TEST(InertiaForms, GiveTheMassInTotal) {
  if (rank_count() > 1) GTEST_SKIP();
  const auto expect_mass = [](const Body& b, WeakForm& form, const Array& coefficients, Level level, double mass) {
    for (int i = 0; i < b.dim(); ++i) {
      const Array e = b.at_nodes([i](const double*) {
        return std::array{i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
      });
      PerLevel<const Array*> u;
      u[level] = &e;
      const auto sum = b.total(b.residual(form, coefficients, u));
      for (int j = 0; j < b.dim(); ++j) EXPECT_NEAR(sum[j], i == j ? mass : 0.0, 1e-13 * mass);
    }
  };
  for (const auto& [kind, shape] :
       std::vector<std::pair<SolidKind, Shape>>{{SolidKind::plane_strain, Shape::triangle},
                                                {SolidKind::plane_stress, Shape::quadrilateral},
                                                {SolidKind::spatial, Shape::tetrahedron},
                                                {SolidKind::spatial, Shape::hexahedron}}) {
    const Body b = sheared(kind, shape);
    const double volume = b.dim() == 3 ? 1.2 * 0.8 * 0.5 : 1.2 * 0.8, top = b.dim() == 3 ? 1.2 * 0.5 : 1.2;
    expect_mass(b, *make_inertia(kind, b.cells()), {3}, Level::acceleration, 3 * volume);
    expect_mass(b, *make_coat_inertia(kind, b.facets("top")), {0.7}, Level::acceleration, 0.7 * top);
    expect_mass(b, *make_mass_damping(kind, b.cells()), {3, 0.4}, Level::rate, 3 * 0.4 * volume);
  }
  const Body b = ring();
  expect_mass(b, *make_inertia(SolidKind::axisymmetric, b.cells()), {3}, Level::acceleration, 3 * 0.8 * ring_area);
  expect_mass(b, *make_coat_inertia(SolidKind::axisymmetric, b.facets("top")), {0.7}, Level::acceleration,
              0.7 * ring_area);
  expect_mass(b, *make_coat_inertia(SolidKind::axisymmetric, b.facets("right")), {0.7}, Level::acceleration,
              0.7 * 2 * std::numbers::pi * 1.7 * 0.8);
}

// ½ m v² and ½ I ω² about the middle of the box, I = m (a² + b²)/12.
TEST(KineticEnergyForm, IsThatOfRigidMotion) {
  if (rank_count() > 1) GTEST_SKIP();
  for (const SolidKind kind : {SolidKind::plane_strain, SolidKind::spatial}) {
    const int dim = kind == SolidKind::spatial ? 3 : 2;
    const Body b(kind,
                 dim == 3 ? make_box({0, 0, 0}, {1.2, 0.8, 0.5}, {1, 1, 1}, Shape::hexahedron, 2)
                          : make_rectangle(0, 0, 1.2, 0.8, 1, 1, Shape::triangle, 2),
                 2);
    const auto form = make_kinetic_energy(kind, b.cells());
    const double mass = 3 * 1.2 * 0.8 * (dim == 3 ? 0.5 : 1.0), omega = 2.5;
    const Array moving = b.at_nodes([](const double*) { return std::array{0.6, -0.3, 0.2}; });
    EXPECT_NEAR(b.value(*form, {3}, levels(nullptr, &moving)), 0.5 * mass * (0.45 + (dim == 3 ? 0.04 : 0.0)), 1e-13);
    const Array turning = b.at_nodes([&](const double* x) {
      return std::array{-omega * (x[1] - 0.4), omega * (x[0] - 0.6), 0.0};
    });
    EXPECT_NEAR(b.value(*form, {3}, levels(nullptr, &turning)), 0.5 * mass * (1.44 + 0.64) / 12 * omega * omega, 1e-12);
  }
  const Body b = ring();
  const Array rising = b.at_nodes([](const double*) { return std::array{0.0, 0.7, 0.0}; });
  EXPECT_NEAR(b.value(*make_kinetic_energy(SolidKind::axisymmetric, b.cells()), {3}, levels(nullptr, &rising)),
              0.5 * 3 * 0.8 * ring_area * 0.49, 1e-12);
}

TEST(KelvinVoigtForm, IsObjective) {
  if (rank_count() > 1) GTEST_SKIP();
  const Array viscosities{0.8, 0.5};
  for (const SolidKind kind : {SolidKind::plane_strain, SolidKind::spatial}) {
    const Body b = sheared(kind, kind == SolidKind::spatial ? Shape::tetrahedron : Shape::quadrilateral);
    const int dim = b.dim();
    const auto form = make_kelvin_voigt(kind, b.cells());
    const double angle = 1.1, spin = 3;
    const auto deformed = [&](const double* x) {
      return std::array{1.2 * x[0] + 0.1 * x[1] * x[1], 0.9 * x[1] - 0.2 * x[0], dim == 3 ? 1.1 * x[2] : 0.0};
    };
    const auto flowing = [&](const double* x) {
      return std::array{0.4 * x[1] * x[0], -0.3 * x[0] + 0.2 * x[1], dim == 3 ? 0.1 * x[2] * x[0] : 0.0};
    };
    const auto displacement = [&](auto place) {
      return b.at_nodes([&](const double* x) {
        const auto y = place(x);
        return std::array{y[0] - x[0], y[1] - x[1], dim == 3 ? y[2] - x[2] : 0.0};
      });
    };
    // Rotation with spin of the body as it is: no stress. Of the scale of what follows.
    const Array turned = displacement([&](const double* x) { return rotated(x, dim, angle); });
    const Array turning = b.at_nodes([&](const double* x) {
      const auto y = rotated(x, dim, angle);
      return std::array{-spin * y[1], spin * y[0], 0.0};
    });
    for (double r : b.residual(*form, viscosities, levels(&turned, &turning))) EXPECT_NEAR(r, 0, 1e-13);
    // Rotation with spin on top of a deformation that goes on: the same forces, turned.
    const Array u = displacement(deformed), v = b.at_nodes(flowing);
    const Array u_turned = displacement([&](const double* x) { return rotated(deformed(x).data(), dim, angle); });
    const Array v_turned = b.at_nodes([&](const double* x) {
      const auto y = rotated(deformed(x).data(), dim, angle), w = rotated(flowing(x).data(), dim, angle);
      return std::array{w[0] - spin * y[1], w[1] + spin * y[0], w[2]};
    });
    const Array r = b.residual(*form, viscosities, levels(&u, &v));
    const Array r_turned = b.residual(*form, viscosities, levels(&u_turned, &v_turned));
    for (std::size_t node = 0; node < r.size(); node += dim) {
      const auto expected = rotated(&r[node], dim, angle);
      for (int i = 0; i < dim; ++i) EXPECT_NEAR(r_turned[node + i], expected[i], 1e-13);
    }
    EXPECT_GT(power(r, v), 0.1);  // and it dissipates
  }
}

// At rest, σ = 2 η ε̇ + (ζ − ⅔ η) tr ε̇ I; its power is σ : ε̇ times the volume.
TEST(KelvinVoigtForm, IsADashpotAtSmallStrain) {
  if (rank_count() > 1) GTEST_SKIP();
  const double eta = 0.8, zeta = 0.5;
  const auto power_density = [&](const std::array<double, 9>& e) {
    double square = 0;
    for (double v : e) square += v * v;
    const double volumetric = e[0] + e[4] + e[8];
    return 2 * eta * square + (zeta - 2.0 / 3.0 * eta) * volumetric * volumetric;
  };
  for (const SolidKind kind : {SolidKind::plane_strain, SolidKind::spatial}) {
    const Body b = sheared(kind, kind == SolidKind::spatial ? Shape::hexahedron : Shape::triangle);
    const bool spatial = b.dim() == 3;
    const Array rest(b.at_nodes([](const double*) { return std::array{0.0, 0.0, 0.0}; }));
    const Array v = b.at_nodes([&](const double* x) {
      return std::array{0.3 * x[0] + 0.5 * x[1], -0.1 * x[0] - 0.2 * x[1] + (spatial ? 0.4 * x[2] : 0.0),
                        spatial ? 0.6 * x[2] + 0.2 * x[0] : 0.0};
    });
    const double xz = spatial ? 0.1 : 0.0, yz = spatial ? 0.2 : 0.0, zz = spatial ? 0.6 : 0.0;
    const double expected =
        power_density({0.3, 0.2, xz, 0.2, -0.2, yz, xz, yz, zz}) * 1.2 * 0.8 * (spatial ? 0.5 : 1.0);
    const auto form = make_kelvin_voigt(kind, b.cells());
    EXPECT_NEAR(power(b.residual(*form, {eta, zeta}, levels(&rest, &v)), v), expected, 1e-12);
  }
  // A ring that grows and rises, with hoop strain u_r/r.
  const Body b = ring();
  const Array v = b.at_nodes([](const double* x) { return std::array{0.3 * x[0], -0.2 * x[1], 0.0}; });
  const Array rest(v.size(), 0.0);
  const auto form = make_kelvin_voigt(SolidKind::axisymmetric, b.cells());
  EXPECT_NEAR(power(b.residual(*form, {eta, zeta}, levels(&rest, &v)), v),
              power_density({0.3, 0, 0, 0, -0.2, 0, 0, 0, 0.3}) * 0.8 * ring_area, 1e-12);
}

// ---- contact
// ----------------------------------------------------------------------------------------

/// The top of a box at height 1, moved as a whole against a ceiling of height 1 − depth.
struct Ceiling {
  static constexpr double stiffness = 50, width = 0.1, friction = 0.6, slip = 0.2;
  Body body{SolidKind::spatial, make_box({0, 0, 0}, {1.2, 1, 0.5}, {2, 1, 1}, Shape::tetrahedron, 2), 2};
  double area = 1.2 * 0.5;

  std::array<double, 3> force(double depth, std::array<double, 3> rate, double mu = friction) const {
    const auto form = make_rigid_contact(SolidKind::spatial, ObstacleShape::plane, body.facets("top"));
    const Array u = body.at_nodes([](const double*) { return std::array{0.0, 0.2, 0.0}; });
    const Array v = body.at_nodes([&](const double*) { return rate; });
    auto f =
        body.total(body.residual(*form, {stiffness, width, mu, slip, 5, 1.2 - depth, -3, 0, -2, 0, 1}, levels(&u, &v)));
    for (double& component : f) component *= -1;  // on the body
    return f;
  }
};

TEST(RigidContactForm, PressureFollowsItsFormula) {
  if (rank_count() > 1) GTEST_SKIP();
  const Ceiling c;
  const double k = Ceiling::stiffness, width = Ceiling::width;
  for (const double depth : {-0.3, -0.101, -0.07, 0.0, 0.05, 0.0999, 0.2, 0.4}) {
    const double d = -depth;
    const double p = d >= width ? 0 : d <= -width ? -k * d : k * (width - d) * (width - d) / (4 * width);
    const auto f = c.force(depth, {0, 0, 0});
    EXPECT_NEAR(f[1], -p * c.area, 1e-12) << depth;
    EXPECT_NEAR(f[0], 0, 1e-12);
    EXPECT_NEAR(f[2], 0, 1e-12);
  }
  // Once continuously differentiable where its pieces meet.
  for (const double at : {-width, width})
    for (const double step : {1e-6}) {
      const double below = c.force(at - step, {})[1], here = c.force(at, {})[1], above = c.force(at + step, {})[1];
      EXPECT_NEAR((above - here) / step, (here - below) / step, 2 * k * step / width * c.area + 1e-6);
    }
}

TEST(RigidContactForm, FrictionOpposesSlipAndIsBounded) {
  if (rank_count() > 1) GTEST_SKIP();
  const Ceiling c;
  for (const std::array<double, 3> rate : {std::array{0.3, 0.0, -0.2}, std::array{-2.0, 0.7, 1.0},
                                           std::array{40.0, -3.0, 30.0}, std::array{0.0, 2.0, 0.0}}) {
    const auto f = c.force(0.2, rate);
    const double pressure = std::abs(f[1]), speed = std::hypot(rate[0], rate[2]);
    EXPECT_NEAR(f[1], c.force(0.2, {0, 0, 0})[1],
                1e-12);  // normal motion brings no force of its own
    const double size = Ceiling::friction * pressure * speed / std::hypot(speed, Ceiling::slip);
    EXPECT_NEAR(std::hypot(f[0], f[2]), size, 1e-11);
    EXPECT_LE(std::hypot(f[0], f[2]), Ceiling::friction * pressure);
    EXPECT_LE(f[0] * rate[0] + f[2] * rate[2], 0);
    EXPECT_NEAR(f[0] * rate[2], f[2] * rate[0], 1e-10);  // along the slip
    EXPECT_NEAR(std::hypot(c.force(0.2, rate, 0)[0], c.force(0.2, rate, 0)[2]), 0, 1e-12);
  }
}

/// Distance from a box to outside points by its nearest point, to inside points by the nearest
/// face.
double distance_to_box(const std::array<double, 3>& x, const std::array<double, 3>& half) {
  double square = 0, inside = 1e300;
  for (int i = 0; i < 3; ++i) {
    const double nearest = std::clamp(x[i], -half[i], half[i]);
    square += (x[i] - nearest) * (x[i] - nearest);
    inside = std::min({inside, half[i] - x[i], half[i] + x[i]});
  }
  return square > 0 ? std::sqrt(square) : -inside;
}

TEST(RigidContactForm, DistancesAreThoseToTheNearestPoint) {
  std::mt19937_64 random(3);
  const auto uniform = [&](double size) { return size * (2 * std::generate_canonical<double, 53>(random) - 1); };
  const std::array<double, 3> half{0.5, 0.3, 0.8}, axis{0.3, -0.7, 0.5};
  const double axis_length = std::hypot(axis[0], axis[1], axis[2]), radius = 0.6;
  for (const ObstacleShape shape :
       {ObstacleShape::plane, ObstacleShape::sphere, ObstacleShape::cylinder, ObstacleShape::box}) {
    const std::array<double, 3>& direction = shape == ObstacleShape::box ? half : axis;
    const double p[] = {1, 1, 0, 1, 0, 0, 0, direction[0], direction[1], direction[2], radius};
    const RigidContact<3> contact{shape};
    const auto expected = [&](const std::array<double, 3>& x) {
      const double along = (x[0] * axis[0] + x[1] * axis[1] + x[2] * axis[2]) / axis_length,
                   square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
      switch (shape) {
        case ObstacleShape::plane: return along;
        case ObstacleShape::sphere: return std::sqrt(square) - radius;
        case ObstacleShape::cylinder: return std::sqrt(square - along * along) - radius;
        default: return distance_to_box(x, half);
      }
    };
    for (int trial = 0; trial < 200; ++trial) {
      const std::array<double, 3> x{uniform(1.1), uniform(1.1), uniform(1.1)};
      Vector<double, 3> away, n;
      for (int i = 0; i < 3; ++i) away[i] = x[i];
      EXPECT_NEAR((contact.distance_to<double, double>(away, p, n)), expected(x), 1e-14);
      double length = 0;
      for (int i = 0; i < 3; ++i) {  // the normal is the gradient of the distance
        auto forward = x, backward = x;
        forward[i] += 1e-6, backward[i] -= 1e-6;
        EXPECT_NEAR(n[i], (expected(forward) - expected(backward)) / 2e-6, 1e-7);
        length += n[i] * n[i];
      }
      EXPECT_NEAR(length, 1, 1e-13);
    }
  }
}

// ---- muscle
// -----------------------------------------------------------------------------------------

/// The bar [0, 2] × [0, 0.5] (× [0, 0.4]) of a Saint Venant–Kirchhoff solid, held against rigid
/// motion alone.
double tip_of_active_bar(SolidKind kind, double young, double poisson, double tension, const Array& fibres,
                         int component) {
  const bool spatial = kind == SolidKind::spatial;
  auto mesh = std::make_shared<const Mesh>(spatial ? make_box({0, 0, 0}, {2, 0.5, 0.4}, {2, 1, 1}, Shape::hexahedron, 1)
                                                   : make_rectangle(0, 0, 2, 0.5, 2, 1, Shape::quadrilateral, 1));
  auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>(mesh->dim, {"u", 1}), PETSC_COMM_SELF);
  auto r = std::make_shared<FormResidual>(dofs);
  const auto number = [&](double v) { return ControlledValue{r->add_control({"", ""}, {v}), {}}; };
  const std::shared_ptr<const Material> material =
      make_material({.name = "saint_venant_kirchhoff", .plane_stress = kind == SolidKind::plane_stress});
  const auto cells = [&] { return CellBatches::on_cells(dofs, "", 4); };
  r->add_form(make_displacement_form(kind, material, cells()), {number(young), number(poisson)});
  std::vector<ControlledValue> active{number(tension)};
  for (int i = 0; i < mesh->dim; ++i) active.push_back(number(fibres[i]));
  r->add_form(make_active_stress(kind, cells()), active);
  constexpr const char* held[] = {"left", "bottom", "back"};
  for (int i = 0; i < mesh->dim; ++i) r->add_dirichlet({held[i], i, number(0)});
  r->finish();
  StaticCase c("bar", r, std::make_shared<LinearSolver>(PETSC_COMM_SELF), {1.0}, 0.0, {});
  EXPECT_TRUE(c.run(r->control_values()).ok);
  double tip = 0;
  c.with_state(0, [&](const State& u) {
    const LocalArray a(static_cast<Vec>(u));
    for (int n = 0; n < mesh->node_total(); ++n)
      if (std::abs(mesh->coordinates[std::size_t(n) * mesh->dim + component] - (component == 0 ? 2.0 : 0.5)) < 1e-12)
        tip = a.data()[dofs->dof(n, component)];
  });
  return tip;
}

// Free ends: the elastic S is −T f ⊗ f, so that along the fibres E = −T/Y (plane strain: −T (1 −
// ν²)/Y) and across ν T/Y (plane strain: ν (1 + ν) T/Y), with stretches √(1 + 2E).
TEST(ActiveStressForm, ShortensABarAsByHand) {
  if (rank_count() > 1) GTEST_SKIP();
  const double Y = 10, nu = 0.3, T = 1.5;
  for (const SolidKind kind : {SolidKind::spatial, SolidKind::plane_stress, SolidKind::plane_strain}) {
    const bool strain = kind == SolidKind::plane_strain;
    const double along = -T / Y * (strain ? 1 - nu * nu : 1.0), across = nu * T / Y * (strain ? 1 + nu : 1.0);
    const double shorter = std::sqrt(1 + 2 * along) - 1, thicker = std::sqrt(1 + 2 * across) - 1;
    EXPECT_NEAR(tip_of_active_bar(kind, Y, nu, T, {0.7, 0, 0}, 0), 2 * shorter, 1e-9) << word(kind);
    EXPECT_NEAR(tip_of_active_bar(kind, Y, nu, T, {0.7, 0, 0}, 1), 0.5 * thicker, 1e-9) << word(kind);
    EXPECT_NEAR(tip_of_active_bar(kind, Y, nu, T, {0, -2, 0}, 1), 0.5 * shorter, 1e-9) << word(kind);
    EXPECT_NEAR(tip_of_active_bar(kind, Y, nu, T, {0, -2, 0}, 0), 2 * thicker, 1e-9) << word(kind);
  }
}

}  // namespace
}  // namespace invar::gradient_test
