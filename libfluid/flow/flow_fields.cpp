#include "libfluid/flow/flow_fields.hpp"

#include <stdexcept>

#include "libfem/form/lanes.hpp"
#include "libfem/form/point_kernel.hpp"
#include "libfem/form/q_form.hpp"
#include "libfluid/flow/flow_densities.hpp"
#include "libfluid/flow/with_flow_kind.hpp"

namespace invar {
namespace {

/// Sums over the quadrature points of a batch, weighted with the volume.
struct BatchSums {
  Pack vorticity[3] = {Pack(0.0), Pack(0.0), Pack(0.0)}, shear_rate{0.0}, viscosity{0.0}, volume{0.0};

  template <class K>
  void add(const FlowPoint<K, Pack>& at, const Pack& viscosity_at, const Pack& dv) {
    if constexpr (K::dim == 3) {
      for (int i = 0; i < 3; ++i) vorticity[i] += (at.L((i + 2) % 3, (i + 1) % 3) - at.L((i + 1) % 3, (i + 2) % 3)) * dv;
    } else {
      vorticity[0] += (at.L(1, 0) - at.L(0, 1)) * dv;
    }
    shear_rate += sqrt(at.shear_rate_squared()) * dv;
    viscosity += viscosity_at * dv;
    volume += dv;
  }
  void store(int lane, std::size_t cell, int n_vorticity, FlowFields& out) const {
    const double v = volume[lane];
    for (int i = 0; i < n_vorticity; ++i) out.vorticity[n_vorticity * cell + i] = vorticity[i][lane] / v;
    out.shear_rate[cell] = shear_rate[lane] / v;
    out.viscosity[cell] = viscosity[lane] / v;
    out.volume[cell] = v;
  }
};

/// Uses the slots of Dissipation, the velocity and its gradient.
template <class K>
void evaluate_fluid(const std::shared_ptr<const DofMap>& dofs, const double* u, const double* coordinates,
                    const FlowFields::Fluid& fluid, FlowFields& out) {
  using Q = Dissipation<K>;
  constexpr int dim = K::dim;
  const CellBatches domain = CellBatches::on_cells(dofs, fluid.region, 2 * dofs->orders().front());
  const std::vector<const double*> no_directions;
  BatchCoefficients<Pack> coefficients(fluid.parameters, no_directions);
  Pack X[max_cell_nodes][dim], U[max_cell_nodes][dim];
  for (const BatchGroup& g : domain.groups)
    for (int b = 0; b < g.n_batches; ++b) {
      for (int a = 0; a < g.n_nodes; ++a) {
        const std::size_t at = (std::size_t(b) * g.n_nodes + a) * simd_width;
        for (int i = 0; i < dim; ++i) X[a][i] = gather(coordinates, &g.node[at], dim, i);
        for (int c = 0; c < dim; ++c)
          if (const auto [dof, shift] = g.dofs(c, b); a < g.basis[0].n_nodes)
            U[a][c] = gather(u, dof + a * simd_width, 1, shift);
      }
      BatchSums sums;
      for (int q = 0; q < g.n_points(); ++q) {
        const PointShape shape = g.at(q, dim);
        const auto geometry = geometry_of<Q, Pack>(shape, X);
        const FlowPoint<K, Pack> at(slots_of<Q>(interpolate<Q, Pack>(shape, U), inverse_map(geometry.A)), geometry);
        const Pack* p = coefficients.at(g, b, q);
        sums.add(at, fluid.law.viscosity(at.shear_rate_squared(), p), g.weights[q] * K::measure(geometry));
      }
      for (int l = 0; l < g.active[b]; ++l) sums.store(l, g.cell[b * simd_width + l], dim == 3 ? 3 : 1, out);
    }
}

}  // namespace

FlowFields FlowFields::evaluate(std::shared_ptr<const DofMap> dofs, const double* u, const double* coordinates,
                                FlowKind kind, std::span<const Fluid> fluids) {
  std::size_t n = 0;
  for (const CellBlock& block : dofs->mesh().cells) n += block.count();
  FlowFields out;
  out.vorticity.assign((dofs->mesh().dim == 3 ? 3 : 1) * n, 0.0);
  for (auto* field : {&out.shear_rate, &out.viscosity, &out.volume}) field->assign(n, 0.0);
  for (const Fluid& fluid : fluids) {
    if (static_cast<int>(fluid.parameters.size()) != fluid.law.n_parameters())
      throw std::invalid_argument("fluid '" + fluid.region + "' needs a value for each parameter of its law");
    with_flow_kind(kind, [&]<class K>(K) { evaluate_fluid<K>(dofs, u, coordinates, fluid, out); });
  }
  return out;
}

FlowFields::Fluid fluid_at(FormResidual& residual, int form, const std::string& region, const ViscosityLaw& law, const Setting& given) {
  const std::vector<Coefficient>& c = residual.form_coefficients(form, given);
  return {region, law, {c.begin() + 1, c.begin() + 1 + law.n_parameters()}, c[0]};
}

}  // namespace invar
