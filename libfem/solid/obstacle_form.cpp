#include "libfem/solid/obstacle_form.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "libfem/contact/contact_parameters.hpp"
#include "libfem/contact/facet_lattice.hpp"
#include "libfem/form/mesh_at.hpp"
#include "libfem/mesh/point_locator.hpp"
#include "libfem/space/reference_element.hpp"

namespace invar {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Tabulation tabulate_lattice(CellType type, const std::vector<std::array<double, 2>>& points) {
  const int dim = dimension_of(type.shape), n = node_count(type);
  Tabulation t{n, std::vector<double>(points.size() * n), std::vector<double>(points.size() * n * dim)};
  for (std::size_t q = 0; q < points.size(); ++q) {
    shape_values(type, points[q].data(), &t.N[q * n]);
    shape_gradients(type, points[q].data(), &t.dN[q * n * dim]);
  }
  return t;
}

/// The first positive root of |a + s t| = r, a outside.
double ball_impact(int dim, const double* a, const double* s, double r) {
  double square = 0, along = 0, outside = -r * r;
  for (int i = 0; i < dim; ++i) square += s[i] * s[i], along += a[i] * s[i], outside += a[i] * a[i];
  const double determinant = along * along - square * outside;
  if (along >= 0 || determinant < 0) return infinity;
  return outside / (-along + std::sqrt(determinant));
}

double box_impact(int dim, const double* a, const double* s, const double* half) {
  double enters = 0, leaves = infinity;
  for (int i = 0; i < dim; ++i) {
    if (s[i] == 0) {
      if (std::abs(a[i]) >= half[i]) return infinity;
      continue;
    }
    const double first = (-std::copysign(half[i], s[i]) - a[i]) / s[i], last = (std::copysign(half[i], s[i]) - a[i]) / s[i];
    enters = std::max(enters, first), leaves = std::min(leaves, last);
  }
  return enters < leaves ? enters : infinity;
}

}  // namespace

CellBatches on_lattice(CellBatches facets) {
  int first_point = 0;
  for (BatchGroup& g : facets.groups) {
    const int n = default_contact_samples(2, facets.orders.front());  // in space, too: points of a formula form no pairs
    const std::vector<std::array<double, 2>> points = lattice_points(g.type.shape, n);
    g.weights = lattice_weights(g.type, n);
    g.geometry = tabulate_lattice(g.type, points);
    for (std::size_t i = 0; i < facets.orders.size(); ++i) g.basis[i] = tabulate_lattice({g.type.shape, facets.orders[i]}, points);
    g.first_point = first_point;
    first_point += g.n_batches * g.n_points();
  }
  return facets;
}

double time_of_impact(ObstacleShape shape, int dim, const double* away, const double* step, const double* direction, double radius) {
  if (shape == ObstacleShape::box) return box_impact(dim, away, step, direction);
  double unit[3], length = 0, height = 0, rise = 0, across[3], motion[3];
  for (int i = 0; i < dim; ++i) length = std::hypot(length, direction[i]);
  for (int i = 0; i < dim; ++i) unit[i] = length > 0 ? direction[i] / length : 0, height += unit[i] * away[i], rise += unit[i] * step[i];
  if (shape == ObstacleShape::plane) return rise < 0 ? -height / rise : infinity;
  const bool bar = shape == ObstacleShape::cylinder && dim == 3;
  for (int i = 0; i < dim; ++i) {
    across[i] = away[i] - (bar ? height * unit[i] : 0);
    motion[i] = step[i] - (bar ? rise * unit[i] : 0);
  }
  return ball_impact(dim, across, motion, radius);
}

std::vector<double> ObstacleForm::numbers() const {
  std::vector<double> p;
  for (const Coefficient& c : forwarded().coefficients()) {
    if (c.layout != Coefficient::Layout::constant) throw std::logic_error("an obstacle that varies in space");
    p.push_back(c.values[0]);
  }
  return p;
}

template <class Visit>
void ObstacleForm::visit_points(const FormState& at, const double* step, Visit&& visit) const {
  const int dim = facets_.dofs->mesh().dim;
  const std::vector<double> p = numbers();
  const double* displacement = at.unknown[Level::value];
  std::vector<double> relative, relative_step;
  if (carrier_) {
    relative = carrier_->of(displacement), relative_step = carrier_->of(step);
    displacement = relative.data();
    if (step) step = relative_step.data();
  }
  for (const BatchGroup& g : facets_.groups)
    for (int b = 0; b < g.n_batches; ++b)
      for (int lane = 0; lane < g.owned[b]; ++lane)  // own facets only: the carrier of other ranks' facets need not be on this rank
        for (int q = 0; q < g.n_points(); ++q) {
          double away[3]{}, motion[3]{};
          Vector<double, 3> tangents[2]{};
          if (dim == 2) tangents[1][2] = 1;
          for (int i = 0; i < dim; ++i) {
            const Tabulation& basis = g.basis[facets_.basis_of(i)];
            const BatchGroup::ComponentDofs dofs = g.dofs(i, b);
            away[i] = -p[RigidContact<2>::position + i];
            for (int a = 0; a < g.n_nodes; ++a) {
              const int node = g.node[(std::size_t(b) * g.n_nodes + a) * simd_width + lane];
              const double X = at.coordinates[std::size_t(node) * dim + i];
              away[i] += g.geometry.N[q * g.n_nodes + a] * X;
              for (int k = 0; k + 1 < dim; ++k) tangents[k][i] += g.geometry.dN[(q * g.n_nodes + a) * (dim - 1) + k] * X;
            }
            for (int a = 0; a < basis.n_nodes; ++a) {
              const double N = basis.N[q * basis.n_nodes + a];
              const double u = displacement[dofs.at(a, lane)];
              away[i] += N * u;
              for (int k = 0; k + 1 < dim; ++k) tangents[k][i] += basis.dN[(q * basis.n_nodes + a) * (dim - 1) + k] * u;
              if (step) motion[i] += N * step[dofs.at(a, lane)];
            }
          }
          visit(away, motion, tangents);
        }
}

double ObstacleForm::longest_step(const FormState& at, const double* step) const {
  constexpr double part_of_way = 0.9;
  const int dim = facets_.dofs->mesh().dim;
  const std::vector<double> p = numbers();
  const double *direction = &p[RigidContact<2>::position + dim], radius = direction[dim];
  double least = 1;
  visit_points(at, step, [&](const double* away, const double* motion, auto&) {
    const double impact = time_of_impact(shape_, dim, away, motion, direction, radius);
    least = std::min(least, part_of_way * std::max(0.0, impact));  // an impact shortly after the step limits it, too
  });
  return least;
}

namespace {

template <int Dim>
double distance_to_obstacle(ObstacleShape shape, const double* away, const double* p) {
  Vector<double, Dim> from, n;
  for (int i = 0; i < Dim; ++i) from[i] = away[i];
  return RigidContact<Dim>{shape}.template distance_to<double, double>(from, p, n);
}

}  // namespace

ClosestApproach ObstacleForm::nearest(const FormState& at) const {
  const int dim = facets_.dofs->mesh().dim;
  const std::vector<double> p = numbers();
  ClosestApproach least{.reach = p[RigidContact<2>::width]};
  double square = infinity;  // of the distance from the centre
  bool behind = false;
  visit_points(at, nullptr, [&](const double* away, const double*, const Vector<double, 3> (&t)[2]) {
    if (const double s = away[0] * away[0] + away[1] * away[1] + away[2] * away[2]; s < square) {
      square = s;
      const Vector<double, 3> normal = cross(t[0], t[1]);
      behind = away[0] * normal[0] + away[1] * normal[1] + away[2] * normal[2] > 0;
    }
    const double gap = dim == 2 ? distance_to_obstacle<2>(shape_, away, p.data()) : distance_to_obstacle<3>(shape_, away, p.data());
    if (!(gap < std::min(least.gap, p[RigidContact<2>::width]))) return;
    least.gap = gap;
    for (int i = 0; i < dim; ++i) least.place[i] = p[RigidContact<2>::position + i] + away[i];
  });
  std::vector<double> centre(&p[RigidContact<2>::position], &p[RigidContact<2>::position] + dim);
  if (carrier_ && square < infinity) {
    const std::vector<double> shift = carrier_->mean(at.unknown[Level::value]);
    for (int i = 0; i < dim; ++i) centre[i] += shift[i], least.place[i] += shift[i];
  }
  if (is_enclosed(at, square, behind, centre)) {
    least.gap = -infinity;
    std::ranges::copy(centre, least.place.begin());
  }
  return least;
}

/// Whether the obstacle is inside the body, whose surface need not touch it: its centre is in a cell, and behind the nearest point of the
/// facets. In front of it a cell may be there, of a body that carries the obstacle. centre: m; that of the rank with the least square is taken.
bool ObstacleForm::is_enclosed(const FormState& at, double square, bool behind, std::vector<double>& centre) const {
  const DofMap& dofs = *facets_.dofs;
  const int dim = dofs.mesh().dim;
  if (shape_ == ObstacleShape::plane || (shape_ == ObstacleShape::cylinder && dim == 3)) return false;  // they extend to infinity
  struct {
    double square;
    int rank;
  } nearest{square, 0};
  MPI_Comm_rank(dofs.comm(), &nearest.rank);
  MPI_Allreduce(MPI_IN_PLACE, &nearest, 1, MPI_DOUBLE_INT, MPI_MINLOC, dofs.comm());
  int enclosed = behind;
  MPI_Bcast(&enclosed, 1, MPI_INT, nearest.rank, dofs.comm());
  if (!enclosed) return false;
  MPI_Bcast(centre.data(), dim, MPI_DOUBLE, nearest.rank, dofs.comm());
  const Mesh mesh = mesh_at(dofs, at);
  enclosed = PointLocator(mesh).count(centre.data());
  MPI_Allreduce(MPI_IN_PLACE, &enclosed, 1, MPI_INT, MPI_MAX, dofs.comm());
  return enclosed > 0;
}

}  // namespace invar
