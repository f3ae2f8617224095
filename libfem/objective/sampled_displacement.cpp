#include "libfem/objective/sampled_displacement.hpp"

#include <cmath>
#include <limits>

#include "libfem/form/cell_batches.hpp"
#include "libfem/form/point_kernel.hpp"
#include "libfem/mesh/point_locator.hpp"
#include "libfem/space/reference_element.hpp"

namespace invar {

std::unique_ptr<LinearObservable> make_point_samples(std::shared_ptr<const DofMap> dofs,
                                                     const std::vector<Sample>& samples,
                                                     std::vector<double>& distance, Level level) {
  const Mesh& mesh = dofs->mesh();
  std::vector<double> points;
  for (const Sample& s : samples) points.insert(points.end(), s.point.begin(), s.point.begin() + mesh.dim);
  const std::vector<MarkerOwner> owners = locate_markers(mesh, points);
  int rank = 0;
  MPI_Comm_rank(dofs->comm(), &rank);
  std::vector<LinearObservable::Entry> entries;
  distance.clear();
  std::vector<int> absent(samples.size(), 0);  // the component is not defined there
  for (std::size_t i = 0; i < samples.size(); ++i) {
    distance.push_back(owners[i].distance);
    if (owners[i].rank != rank) continue;
    const CellPosition& at = owners[i].here;
    const CellBlock& block = mesh.cells[at.block];
    const int order = dofs->orders()[dofs->basis_of(samples[i].component)];
    const CellType type{block.type.shape, order};
    std::vector<double> N(node_count(type));
    shape_values(type, at.xi.data(), N.data());
    for (std::size_t a = 0; a < N.size(); ++a) {
      const int node = block.nodes[std::size_t(at.cell) * node_count(block.type) + a];
      const int dof = dofs->dof(node, samples[i].component);
      if (dof >= 0) entries.push_back({static_cast<int>(i), dof, N[a]});
      else absent[i] = 1;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, absent.data(), static_cast<int>(absent.size()), MPI_INT, MPI_MAX, dofs->comm());
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (absent[i]) distance[i] = std::numeric_limits<double>::infinity();
  return std::make_unique<LinearObservable>(dofs, static_cast<int>(samples.size()), std::move(entries), level);
}

namespace {

/// Length, area or volume element at a point of a cell, and the point.
double measure_at(const BatchGroup& g, int q, const std::vector<const double*>& nodes, int dim, double* x) {
  const int ref = dimension_of(g.type.shape);
  double A[3][3] = {};
  for (int i = 0; i < dim; ++i) {
    x[i] = 0;
    for (int a = 0; a < g.n_nodes; ++a) {
      x[i] += g.geometry.N[q * g.n_nodes + a] * nodes[a][i];
      for (int m = 0; m < ref; ++m) A[i][m] += g.geometry.dN[(q * g.n_nodes + a) * ref + m] * nodes[a][i];
    }
  }
  const auto measure = [&]<int D, int R>() {
    Matrix<double, D, R> M;
    for (int i = 0; i < D; ++i)
      for (int m = 0; m < R; ++m) M(i, m) = A[i][m];
    return measure_of(M);
  };
  if (dim == 3) return ref == 3 ? measure.template operator()<3, 3>() : measure.template operator()<3, 2>();
  return ref == 2 ? measure.template operator()<2, 2>() : measure.template operator()<2, 1>();
}

/// Cells or facets of a region, or of the whole mesh.
CellBatches batches_of(const std::shared_ptr<const DofMap>& dofs, const std::string& region, int dim, int degree,
                       const std::vector<int>& components = {}) {
  return dim == dofs->mesh().dim ? CellBatches::on_cells(dofs, region, degree, components)
                                 : CellBatches::on_facets(dofs, region, degree, components);
}

/// visit(group, b, l, q, w, x) for every quadrature point q of this rank's own cells or facets, lane l of the group's
/// batch b: w is the weight times the measure, x the point.
template <class Visit>
void for_points(const CellBatches& domain, const Mesh& mesh, Visit&& visit) {
  for (const BatchGroup& g : domain.groups)
    for (int b = 0; b < g.n_batches; ++b)
      for (int l = 0; l < g.owned[b]; ++l) {
        const auto at = [&](int a) { return (std::size_t(b) * g.n_nodes + a) * simd_width + l; };
        std::vector<const double*> nodes(g.n_nodes);
        for (int a = 0; a < g.n_nodes; ++a) nodes[a] = &mesh.coordinates[std::size_t(g.node[at(a)]) * mesh.dim];
        for (int q = 0; q < g.n_points(); ++q) {
          double x[3] = {};
          const double w = g.weights[q] * measure_at(g, q, nodes, mesh.dim, x);
          visit(g, b, l, q, w, x);
        }
      }
}

}  // namespace

double region_measure(std::shared_ptr<const DofMap> dofs, const std::string& region, int dim, int degree) {
  double measure = 0;
  for_points(batches_of(dofs, region, dim, degree), dofs->mesh(),
             [&](const BatchGroup&, int, int, int, double w, const double*) { measure += w; });
  MPI_Allreduce(MPI_IN_PLACE, &measure, 1, MPI_DOUBLE, MPI_SUM, dofs->comm());
  return measure;
}

std::unique_ptr<LinearObservable> make_field_samples(std::shared_ptr<const DofMap> dofs, const std::string& region,
                                                     int dim, int degree, const std::vector<int>& components,
                                                     const std::function<double(int, const double*)>& target,
                                                     std::vector<double>& targets) {
  std::vector<LinearObservable::Entry> entries;
  std::vector<double> mine, weights;
  const CellBatches domain = batches_of(dofs, region, dim, degree, components);
  for_points(domain, dofs->mesh(),
             [&](const BatchGroup& g, int b, int l, int q, double w, const double* x) {
               for (int k = 0; k < static_cast<int>(components.size()); ++k) {
                 const Tabulation& t = g.basis[domain.basis_of(k)];
                 for (int a = 0; a < t.n_nodes; ++a)
                   entries.push_back({static_cast<int>(mine.size()), g.dofs(k, b).at(a, l), t.N[q * t.n_nodes + a] * std::sqrt(w)});
                 mine.push_back(std::sqrt(w) * target(components[k], x));
                 weights.push_back(w);
               }
             });
  // Normalise by the measure of the region and number the rows by rank.
  const MPI_Comm comm = dofs->comm();
  double measure = 0;
  for (double w : weights) measure += w / static_cast<double>(components.size());
  MPI_Allreduce(MPI_IN_PLACE, &measure, 1, MPI_DOUBLE, MPI_SUM, comm);
  int ranks = 1, rank = 0, count = static_cast<int>(mine.size());
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  std::vector<int> counts(ranks), starts(ranks, 0);
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  for (int r = 1; r < ranks; ++r) starts[r] = starts[r - 1] + counts[r - 1];
  const double scale = 1 / std::sqrt(measure);
  for (LinearObservable::Entry& e : entries) {
    e.row += starts[rank];
    e.factor *= scale;
  }
  for (double& v : mine) v *= scale;
  const int total = starts.back() + counts.back();
  targets.resize(total);
  MPI_Allgatherv(mine.data(), count, MPI_DOUBLE, targets.data(), counts.data(), starts.data(), MPI_DOUBLE, comm);
  return std::make_unique<LinearObservable>(dofs, total, std::move(entries));
}

}  // namespace invar
