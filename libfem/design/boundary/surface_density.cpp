#include "libfem/design/boundary/surface_density.hpp"

#include <algorithm>
#include <numbers>

#include "libadjoint/solve/linear_solver.hpp"
#include "libfem/form/q_form.hpp"

namespace invar {
namespace {

/// ½ v², whose second derivative is the mass matrix.
template <int Dim, bool Axisymmetric>
struct SurfaceMass {
  static constexpr int dim = Dim, ref_dim = Dim - 1, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr auto slots = value_slots<1>();
  static constexpr bool symmetric = true, uses_position = Axisymmetric;
  int n_coefficients() const { return 0; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, 1>& v, const PointGeometry<Tg, Dim, Dim - 1>& g, const Tp*) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    const auto w = 0.5 * (v[0] * v[0]) * g.measure;
    if constexpr (Axisymmetric) return R(w * ((2 * std::numbers::pi) * g.x[0]));
    else return R(w);
  }
};

std::unique_ptr<WeakForm> make_surface_mass(int dim, bool axisymmetric, CellBatches facets) {
  if (dim == 3) return make_form(SurfaceMass<3, false>{}, std::move(facets));
  return axisymmetric ? make_form(SurfaceMass<2, true>{}, std::move(facets))
                      : make_form(SurfaceMass<2, false>{}, std::move(facets));
}

/// One component of a nodal field [node × dim] as a vector, owned entries.
VecHandle nodal_component(const DofMap& dofs, const std::vector<double>& nodal, int i) {
  const int dim = dofs.mesh().dim;
  VecHandle v = dofs.create_vector();
  double* a = nullptr;
  check(VecGetArray(v, &a));
  for (int n = 0; n < dofs.n_owned(); ++n) a[n] = nodal[std::size_t(n) * dim + i];
  check(VecRestoreArray(v, &a));
  return v;
}

}  // namespace

Evaluation surface_density(std::shared_ptr<const Mesh> mesh, const std::string& region,
                           const std::vector<double>& coordinates, const std::vector<double>& gradient,
                           bool axisymmetric, std::vector<double>& density) {
  int order = 1;
  for (const CellBlock& b : mesh->cells) order = std::max(order, b.type.order);
  const auto dofs = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"g", order}}, mesh->comm);
  const std::unique_ptr<WeakForm> mass =
      make_surface_mass(mesh->dim, axisymmetric, CellBatches::on_facets(dofs, region, 3 * order + 1));
  std::vector<char> off(mesh->node_total(), 1);
  for (int node : mesh->find_region(region)->nodes) off[node] = 0;
  density.assign(coordinates.size(), 0.0);
  for (int i = 0; i < mesh->dim; ++i) {
    const VecHandle load = nodal_component(*dofs, gradient, i), g = dofs->create_vector();
    std::vector<char> held = off;
    {
      const LocalArray at(load);
      for (std::size_t n = 0; n < held.size(); ++n) held[n] |= at.data()[n] == 0;
    }
    AssembledMatrix matrix(dofs);
    matrix.constrain(held);
    matrix.begin();
    {
      const LocalArray zero(g);
      mass->jacobian({zero.data(), coordinates.data()}, matrix);
    }
    matrix.end();
    double* a = nullptr;
    check(VecGetArray(load, &a));
    for (int n = 0; n < dofs->n_owned(); ++n)
      if (held[n]) a[n] = 0;  // no value outside the region
    check(VecRestoreArray(load, &a));
    LinearSolver solver(mesh->comm, {.rtol = 1e-12, .prefix = "invar_surface_"});
    solver.set_operator(matrix.mat(), true);
    const SolveReport report = solver.solve(load, g);
    if (!report.converged) return Evaluation::failure("density on the boundary: " + report.reason);
    const LocalArray values(g);
    for (std::size_t n = 0; n < held.size(); ++n) density[n * mesh->dim + i] = values.data()[n];
  }
  return Evaluation::success(0);
}

}  // namespace invar
