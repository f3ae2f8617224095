#include "libfem/contact/contact_fields.hpp"

#include <algorithm>

#include "libfem/contact/contact_law.hpp"
#include "libfem/contact/surface_fields.hpp"
#include "libfem/space/ghost_values.hpp"

namespace invar {

namespace {

/// Fields at samples: pressure [Pa], gap [m], pressure times tangential velocity [n_samples × dim].
struct SampleFields {
  std::vector<double> pressure, gap, drift;
};

/// Tangential velocity of a pair's sample relative to the opposite feature.
template <PairKind Kind, int Dim>
Vector<double, Dim> slip_of(const ActivePair& pair, const SurfacePosition& at, const std::vector<double>& rate) {
  constexpr int others = vertex_count(Kind) - 1;
  constexpr int order[] = {0, 2, 3};  // the base is v[1]
  double z[others * Dim], proportions[others];
  for (int k = 0; k < others; ++k) {
    const Vector<double, Dim> way = at.difference<Dim>(pair.v[order[k]], pair.v[1]);
    for (int i = 0; i < Dim; ++i) z[k * Dim + i] = way[i];
  }
  ContactPoint<double, Dim> c;
  closest_points<Kind>(z, c.distance, c.normal, proportions);
  for (int i = 0; i < Dim; ++i) {
    c.velocity[i] = 0;
    for (int k = 0; k < others; ++k) c.velocity[i] += proportions[k] * (rate[pair.v[order[k]] * Dim + i] - rate[pair.v[1] * Dim + i]);
  }
  Vector<double, Dim> v;
  tangential_velocity(c, v);
  return v;
}

template <PairKind Kind, int Dim>
void add_samples(const ContactSurface& surface, const ActivePairs& active, const SurfacePosition& at, const std::vector<double>& rate,
                 double stiffness, double d_hat, SampleFields& f) {
  for (const ActivePair& pair : active[Kind]) {
    const int sample = pair.v[0];
    const double distance = distance_of(surface, Kind, pair, at), pressure = pair.sign * stiffness * barrier_pressure(distance, d_hat);
    f.pressure[sample] += pressure;
    f.gap[sample] = std::min(f.gap[sample], distance);
    if (rate.empty()) continue;
    const Vector<double, Dim> v = slip_of<Kind, Dim>(pair, at, rate);
    for (int i = 0; i < Dim; ++i) f.drift[std::size_t(sample) * Dim + i] += pressure * v[i];
  }
}

SampleFields sample_fields(PairFinder& finder, const SurfacePosition& at, const std::vector<double>& rate, double stiffness, double d_hat) {
  const ContactSurface& s = finder.surface();
  const std::size_t n = s.n_samples;
  SampleFields f{std::vector<double>(n, 0.0), std::vector<double>(n, d_hat), std::vector<double>(n * s.dim, 0.0)};
  const ActivePairs& active = finder.active(at, d_hat);
  using enum PairKind;
  if (s.dim == 2) {
    add_samples<point_point, 2>(s, active, at, rate, stiffness, d_hat, f);
    add_samples<point_line, 2>(s, active, at, rate, stiffness, d_hat, f);
  } else {
    add_samples<point_point, 3>(s, active, at, rate, stiffness, d_hat, f);
    add_samples<point_line, 3>(s, active, at, rate, stiffness, d_hat, f);
    add_samples<point_plane, 3>(s, active, at, rate, stiffness, d_hat, f);
  }
  return f;
}

}  // namespace

void add_contact_fields(PairFinder& finder, std::shared_ptr<const DofMap> dofs, const double* unknown, const double* rate,
                        const double* coordinates, double stiffness, double d_hat, ContactFields& fields) {
  const ContactSurface& surface = finder.surface();
  const int dim = dofs->mesh().dim;
  const SurfaceTransfer transfer(surface, finder.nodes(), dofs);
  SurfacePosition at;
  at.dim = dim;
  at.X = transfer.of_coordinates(coordinates);
  at.u = transfer.of_unknown(unknown);
  const SampleFields of_samples = sample_fields(finder, at, transfer.of_unknown(rate), stiffness, d_hat);
  std::vector<double> weight(finder.measure().size());
  finder.measure().values(coordinates, weight.data());
  std::vector<double> sum(fields.pressure.size(), 0.0), total = sum, drift(fields.slip.size(), 0.0);
  for (int s = 0; s < surface.n_samples; ++s)
    for (int i = surface.sample_begin[s]; i < surface.sample_begin[s + 1]; ++i) {
      const int node = surface.sample_node[i];
      const double share = weight[s] * std::max(0.0, surface.sample_value[i]);
      sum[node] += share * of_samples.pressure[s];
      total[node] += share;
      for (int d = 0; d < dim; ++d) drift[std::size_t(node) * dim + d] += share * of_samples.drift[std::size_t(s) * dim + d];
      if (surface.sample_value[i] > 0.5) fields.gap[node] = std::min(fields.gap[node], of_samples.gap[s]);
    }
  for (std::size_t node = 0; node < sum.size(); ++node) {
    if (!(sum[node] > 0)) continue;
    const double before = fields.pressure[node], added = sum[node] / total[node];
    fields.pressure[node] += added;
    for (int d = 0; d < dim; ++d) {
      double& slip = fields.slip[node * dim + d];
      slip = (before * slip + drift[node * dim + d] / total[node]) / (before + added);
    }
  }
  update_ghost_values(*dofs, fields.pressure);
  update_ghost_values(*dofs, fields.gap);
  std::vector<double> component(sum.size());
  for (int d = 0; d < dim; ++d) {
    for (std::size_t node = 0; node < sum.size(); ++node) component[node] = fields.slip[node * dim + d];
    update_ghost_values(*dofs, component);
    for (std::size_t node = 0; node < sum.size(); ++node) fields.slip[node * dim + d] = component[node];
  }
}

}  // namespace invar
