#include "libfem/contact/contact_fields.hpp"

#include <algorithm>

#include "libfem/contact/barrier.hpp"
#include "libfem/contact/surface_fields.hpp"
#include "libfem/space/ghost_values.hpp"

namespace invar {

namespace {

constexpr PairKind of_samples[] = {PairKind::point_point, PairKind::point_line, PairKind::point_plane};

/// Pa
std::vector<double> sample_pressures(PairFinder& finder, const SurfacePosition& at, double stiffness, double d_hat) {
  std::vector<double> pressure(finder.surface().n_samples, 0.0);
  const ActivePairs& active = finder.active(at, d_hat);
  for (const PairKind kind : of_samples)
    for (const ActivePair& pair : active[kind])
      pressure[pair.v[0]] += pair.sign * stiffness * barrier_pressure(distance_of(finder.surface(), kind, pair, at), d_hat);
  return pressure;
}

}  // namespace

void add_contact_fields(PairFinder& finder, std::shared_ptr<const DofMap> dofs, const double* unknown, const double* coordinates,
                        double stiffness, double d_hat, ContactFields& fields) {
  const ContactSurface& surface = finder.surface();
  const SurfaceTransfer transfer(surface, finder.nodes(), dofs);
  SurfacePosition at;
  at.dim = surface.dim;
  at.X = transfer.of_coordinates(coordinates);
  at.u = transfer.of_unknown(unknown);
  const std::vector<double> pressure = sample_pressures(finder, at, stiffness, d_hat);
  std::vector<double> gap(surface.n_samples, d_hat), weight(finder.measure().size());
  finder.measure().values(coordinates, weight.data());
  const ActivePairs& active = finder.active(at, d_hat);
  for (const PairKind kind : of_samples)
    for (const ActivePair& pair : active[kind]) gap[pair.v[0]] = std::min(gap[pair.v[0]], distance_of(surface, kind, pair, at));
  std::vector<double> sum(fields.pressure.size(), 0.0), total = sum;
  for (int s = 0; s < surface.n_samples; ++s)
    for (int i = surface.sample_begin[s]; i < surface.sample_begin[s + 1]; ++i) {
      const int node = surface.sample_node[i];
      const double share = weight[s] * std::max(0.0, surface.sample_value[i]);
      sum[node] += share * pressure[s];
      total[node] += share;
      if (surface.sample_value[i] > 0.5) fields.gap[node] = std::min(fields.gap[node], gap[s]);
    }
  for (std::size_t node = 0; node < sum.size(); ++node)
    if (total[node] > 0) fields.pressure[node] += sum[node] / total[node];
  update_ghost_values(*dofs, fields.pressure);
  update_ghost_values(*dofs, fields.gap);
}

}  // namespace invar
