// Two blocks whose meshes do not match, pressed together by a uniform pressure: the stress is uniform, and the
// pressures at the nodes of both surfaces are that pressure. Bounds: section 1.3 of the study behind the method (nodal
// errors of sampled energies, measured with another program).
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "libadjoint/static_case.hpp"
#include "libfem/contact/barrier.hpp"
#include "libfem/contact/contact_facets.hpp"
#include "libfem/contact/contact_fields.hpp"
#include "libfem/contact/contact_forms.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "libfem/objective/region_share.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar::contact_test {
namespace {

constexpr double young = 1, poisson = 0.3, pressure = 0.01, d_hat = 1e-3, stiffness = 0.1, gap = 0.9 * d_hat;

double gap_under_pressure() {
  double low = 1e-3 * d_hat, high = d_hat;
  for (int k = 0; k < 60; ++k) (stiffness * barrier_pressure(0.5 * (low + high), d_hat) > pressure ? low : high) = 0.5 * (low + high);
  return low;
}

/// Rotation around an axis of length 1.
auto turn_by(double angle, std::array<double, 3> k) {
  return [c = std::cos(angle), s = std::sin(angle), k](const std::array<double, 3>& v) {
    const double along = k[0] * v[0] + k[1] * v[1] + k[2] * v[2];
    const std::array<double, 3> across{k[1] * v[2] - k[2] * v[1], k[2] * v[0] - k[0] * v[2], k[0] * v[1] - k[1] * v[0]};
    std::array<double, 3> w{};
    for (int i = 0; i < 3; ++i) w[i] = c * v[i] + s * across[i] + (1 - c) * along * k[i];
    return w;
  };
}
bool is_flat(CellType cell) { return cell.shape == Shape::triangle || cell.shape == Shape::quadrilateral; }

struct Pressed {
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<FormResidual> residual;
  std::shared_ptr<StaticCase> process;
  std::shared_ptr<PairFinder> finder;
  SolidKind kind{};
  int contact_form = -1;
  std::array<double, 3> normal{};  // of the lower surface

  /// below, above: cells along each edge of the interface; angle: rotation of the set-up in degrees, in 2-D about z, in 3-D about
  /// an oblique axis. uneven: samples of both surfaces are not opposite to each other.
  Pressed(CellType cell, int below, int above, int samples, double angle, double uneven) {
    const int dim = is_flat(cell) ? 2 : 3;
    const auto block = [&](double low, double high, int n) {
      const int up = std::max(1, n / 2);
      return dim == 2 ? make_rectangle(0, low, 1, high, n, up, cell.shape, cell.order) : make_box({0, low, 0}, {1, high, 1}, {n, up, n}, cell.shape, cell.order);
    };
    Mesh serial = join_bodies({{"lower", block(0, 0.5, below)}, {"upper", block(0.5 + gap, 1, above)}});
    const auto turned = turn_by(angle * std::numbers::pi / 180, dim == 2 ? std::array{0.0, 0.0, 1.0} : std::array{0.6, 0.0, 0.8});
    normal = turned({0, 1, 0});
    for (int n = 0; n < serial.node_total(); ++n) {
      double* x = &serial.coordinates[std::size_t(dim) * n];
      std::array<double, 3> X{};
      std::copy_n(x, dim, X.begin());
      for (int i = 0; i < dim && x[1] > 0.5; i += 2) X[i] += uneven * std::sin(2 * std::numbers::pi * x[i]);
      const std::array<double, 3> at = turned(X);
      std::copy_n(at.begin(), dim, x);
    }
    mesh = std::make_shared<const Mesh>(distribute(serial, PETSC_COMM_SELF));
    std::vector<Component> components;
    for (int i = 0; i < dim; ++i) components.push_back({std::string("u_") + "xyz"[i], cell.order});
    dofs = std::make_shared<const DofMap>(mesh, components, PETSC_COMM_SELF);
    residual = std::make_shared<FormResidual>(dofs);
    kind = dim == 2 ? SolidKind::plane_strain : SolidKind::spatial;
    const int degree = cell.order == 1 ? 2 : 4;
    const auto number = [&](double v) { return ControlledValue{residual->add_control({"", ""}, {v}), {}}; };
    residual->add_form(make_displacement_form(kind, make_material({.name = "linear_elastic"}), CellBatches::on_cells(dofs, "", degree)),
                       {number(young), number(poisson)});
    std::vector<ControlledValue> pull;
    for (int i = 0; i < dim; ++i) pull.push_back(number(-pressure * normal[i]));
    residual->add_form(make_traction(kind, CellBatches::on_facets(dofs, "upper_top", degree)), pull);
    finder = PairFinder::on_regions(*mesh, {"lower_top"}, {"upper_bottom"}, samples, false);
    contact_form = residual->add_form(make_contact(finder, dofs), {number(stiffness), number(d_hat)});
    // The sides are prescribed to move as in uniform strain: with free sides opposite corners would slip off each other.
    const double strain = -pressure * (1 + poisson) * (1 - 2 * poisson) / (1 - poisson) / young, opening = gap_under_pressure() - gap;
    std::vector<std::string> sides{"left", "right"};
    if (dim == 3) sides.insert(sides.end(), {"front", "back"});
    for (const std::string body : {"lower_", "upper_"})
      for (const std::string& side : sides)
        for (int i = 0; i < dim; ++i) {
          ControlledValue value = number(1);
          value.shape = [=, n = normal, upper = body[0] == 'u'](const double* x, double) {
            double height = 0;
            for (int k = 0; k < dim; ++k) height += n[k] * x[k];
            return n[i] * (upper ? strain * (height - gap) + opening : strain * height);
          };
          value.varies_in_space = true;
          residual->add_dirichlet({.region = body + side, .component = i, .value = value});
        }
    for (int i = 0; i < dim; ++i) residual->add_dirichlet({.region = "lower_bottom", .component = i, .value = number(0)});
    residual->finish();
    LoadSteppingOptions stepping;
    stepping.newton.rtol = 1e-11;
    process = std::make_shared<StaticCase>("pressed", residual, std::make_shared<LinearSolver>(PETSC_COMM_SELF), std::vector<double>{1.0}, 0.0, stepping);
  }

  /// ∫ |N| at the corners of triangles of second order, where ∫ N is zero or nearly so: an eighth of the adjacent area. Zero elsewhere.
  std::vector<double> corner_shares(const std::string& region) const {
    std::vector<double> share(mesh->node_total(), 0.0);
    const ContactFacets facets = facets_of_regions(*mesh, {region}, {});
    for (const CellBlock& block : facets.sides[0])
      for (int f = 0; f < block.count() && block.type == CellType{Shape::triangle, 2}; ++f) {
        const int* nodes = &block.nodes[std::size_t(6) * f];
        Vector<double, 3> a{}, b{};
        for (int i = 0; i < 3; ++i) {
          const auto x = [&](int k) { return mesh->coordinates[std::size_t(nodes[k]) * 3 + i]; };
          a[i] = x(1) - x(0), b[i] = x(2) - x(0);
        }
        for (int k = 0; k < 3; ++k) share[nodes[k]] += norm(cross(a, b)) / 16;
      }
    return share;
  }

  /// The largest relative error of the pressures at the nodes of a surface: nodal forces less those of that pressure, over its
  /// ∫ N, or at corners of triangles of second order over ∫ |N|.
  double worst_pressure(const std::string& region) {
    const int dim = mesh->dim;
    VecHandle r = residual->create_vector(), share = residual->create_vector();
    residual->form_residual(contact_form, {process->state(0), residual->given(1)}, r);
    const auto unit = make_traction(kind, CellBatches::on_facets(dofs, region, 6));
    for (int i = 0; i < dim; ++i) unit->coefficients()[i] = Coefficient::constant(i == 0 ? 1 : 0);
    FormState at;
    at.coordinates = mesh->coordinates.data();
    std::vector<double> integral(dofs->n_local(), 0.0);
    const std::vector<double> rest(dofs->n_local(), 0.0);
    at.unknown[Level::value] = rest.data();
    unit->residual(at, integral.data());
    const LocalArray force(r);
    const std::vector<double> corner = corner_shares(region);
    double worst = 0;
    for (const int node : mesh->find_region(region)->nodes) {
      double p = 0;
      for (int i = 0; i < dim; ++i) p += force.data()[dofs->dof(node, i)] * normal[i] / pressure;
      const double share = -integral[dofs->dof(node, 0)], sign = region == "lower_top" ? 1 : -1;  // the residual of a load is negative
      worst = std::max(worst, std::abs(sign * p - share) / std::max(std::abs(share), corner[node]));
    }
    return worst;
  }

  /// The largest relative error of the pressures for files and pictures at the nodes of a surface.
  double worst_field(const std::string& region) {
    ContactFields fields(*mesh, d_hat);
    const LocalArray u(process->state(0));
    add_contact_fields(*finder, dofs, u.data(), nullptr, mesh->coordinates.data(), stiffness, d_hat, fields);
    double worst = 0;
    for (const int node : mesh->find_region(region)->nodes) worst = std::max(worst, std::abs(fields.pressure[node] / pressure - 1));
    return worst;
  }
};

struct Patch {
  CellType cell;
  int below, above, samples;
  double uneven, bound;
  double field_bound = 1;
};

void expect_uniform(const Patch& patch, double angle) {
  SCOPED_TRACE("order " + std::to_string(patch.cell.order) + ", " + std::to_string(patch.below) + " on " + std::to_string(patch.above) + ", turned by " +
               std::to_string(angle));
  Pressed blocks(patch.cell, patch.below, patch.above, patch.samples, angle, patch.uneven);
  const ProcessReport report = blocks.process->run(blocks.residual->control_values());
  ASSERT_TRUE(report.ok) << report.reason;
  for (const char* region : {"lower_top", "upper_bottom"}) {
    const double error = blocks.worst_pressure(region);
    EXPECT_LE(error, patch.bound) << region;
    const double field = blocks.worst_field(region);
    EXPECT_LE(field, patch.field_bound) << region;
    if (std::getenv("INVAR_PRINT")) std::printf("%d on %d, order %d, %d samples, %g°: %s %.3g, field %.3g (%d Newton)\n", patch.below, patch.above, patch.cell.order, patch.samples, angle, region, error, field, report.newton_iterations);
  }
}

TEST(ContactPatch, PressureIsUniform) {
  for (const double angle : {0.0, 30.0}) {
    expect_uniform({{Shape::quadrilateral, 1}, 8, 13, 8, 0, 1e-11}, angle);  // with opposite samples: to rounding
    expect_uniform({{Shape::quadrilateral, 1}, 8, 13, 8, 0.04, 1.5e-3}, angle);
    expect_uniform({{Shape::triangle, 1}, 16, 26, 8, 0.04, 1.5e-3}, angle);
    expect_uniform({{Shape::quadrilateral, 1}, 8, 31, 8, 0.04, 5e-3}, angle);
    expect_uniform({{Shape::quadrilateral, 2}, 8, 13, 16, 0.04, 1.2e-2}, angle);
  }
}

TEST(ContactPatch, PressureIsUniformInSpace) {
  for (const double angle : {0.0, 30.0}) {
    expect_uniform({{Shape::hexahedron, 1}, 3, 4, 8, 0, 1e-2}, angle);
    expect_uniform({{Shape::hexahedron, 1}, 3, 4, 8, 0.03, 1e-2}, angle);
    expect_uniform({{Shape::tetrahedron, 1}, 3, 4, 8, 0.03, 1e-2}, angle);
  }
}

// Errors fall with the square of the samples' spacing; bounds: those of the study's table for second order in the plane, for 16 samples.
TEST(ContactPatch, PressureIsUniformInSpaceAtSecondOrder) {
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron})
    for (const auto& [samples, bound] : {std::pair(8, 6e-2), std::pair(16, 1.5e-2)}) expect_uniform({{shape, 2}, 2, 3, samples, 0.03, bound, bound}, 30);
}

}  // namespace
}  // namespace invar::contact_test
