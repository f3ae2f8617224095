#include "libfem/design/field/bilaplacian_prior.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

#include "libadjoint/normal_number.hpp"
#include "libfem/design/field/region_cells.hpp"
#include "libfem/form/gradient_energy.hpp"
#include "libfem/form/value_energy.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

/// Facets with exactly one adjacent cell in the region, given by their vertices. Complete at the rank's own nodes.
std::vector<std::vector<int>> walls_of(const Mesh& mesh, const std::vector<char>& inside) {
  std::map<std::array<int, 4>, std::pair<int, std::vector<int>>> count;
  std::size_t first = 0;
  for (const CellBlock& block : mesh.cells) {
    const int n = node_count(block.type);
    for (int c = 0; c < block.count(); ++c) {
      if (!inside[first + c]) continue;
      for (const ReferenceFacet& f : facets_of(block.type.shape)) {
        std::vector<int> vertices;
        for (int i = 0; i < vertex_count(f.shape); ++i) vertices.push_back(block.nodes[std::size_t(c) * n + f.vertices[i]]);
        std::array<int, 4> key{-1, -1, -1, -1};
        std::ranges::copy(vertices, key.begin());
        std::ranges::sort(key);
        auto& [times, kept] = count[key];
        ++times;
        kept = std::move(vertices);
      }
    }
    first += block.count();
  }
  std::vector<std::vector<int>> walls;
  for (auto& [key, facet] : count)
    if (facet.first == 1) walls.push_back(std::move(facet.second));
  return walls;
}

double triangle_area(const double* a, const double* b, const double* c) {
  std::array<double, 3> n{};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    n[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
  }
  return 0.5 * std::hypot(n[0], n[1], n[2]);
}

/// Length or area of a facet.
double measure_of(const Mesh& mesh, const std::vector<int>& v) {
  const auto at = [&](int i) { return &mesh.coordinates[std::size_t(v[i]) * mesh.dim]; };
  if (v.size() == 2) return std::hypot(at(1)[0] - at(0)[0], at(1)[1] - at(0)[1]);
  const double first = triangle_area(at(0), at(1), at(2));
  return v.size() == 3 ? first : first + triangle_area(at(0), at(2), at(3));
}

}  // namespace

BilaplacianPrior::BilaplacianPrior(std::shared_ptr<const Mesh> mesh, const std::string& region, double deviation, double correlation,
                                   LinearSolverOptions options)
    : deviation_(deviation), solver_(mesh->comm, std::move(options)) {
  if (!(deviation > 0) || !std::isfinite(deviation)) throw std::invalid_argument("the deviation of a prior must be positive");
  if (!(correlation > 0) || !std::isfinite(correlation)) throw std::invalid_argument("the correlation length of a prior must be positive");
  const MPI_Comm comm = mesh->comm;
  const std::vector<char> inside = cells_in_region(*mesh, region);
  int any = std::ranges::find(inside, 1) != inside.end();
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm);
  if (!any) throw std::invalid_argument("the region '" + region + "' has no cell that could be designed");
  dofs_ = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"q", 1, region, true}}, comm);
  const CellBatches cells = CellBatches::on_cells(dofs_, region, 4);
  weights_ = std::make_unique<CellWeights>(cells, false);
  for (int node = 0; node < mesh->n_owned_nodes; ++node)
    if (dofs_->dof(node, 0) >= 0) nodes_.push_back(node);
  load_ = dofs_->create_vector();
  field_ = dofs_->create_vector();
  root_mass_ = dofs_->create_vector();
  assemble(cells, region, correlation);
}

void BilaplacianPrior::assemble(const CellBatches& cells, const std::string& region, double correlation) {
  const Mesh& mesh = dofs_->mesh();
  const double nu = 2 - 0.5 * mesh.dim, kappa = std::sqrt(8 * nu) / correlation;
  const double s = deviation_ * (mesh.dim == 2 ? kappa * std::sqrt(4 * std::numbers::pi) : std::sqrt(8 * std::numbers::pi * kappa));
  const double gamma = 1 / s, delta = kappa * kappa / s;
  matrix_ = std::make_unique<AssembledMatrix>(dofs_);
  matrix_->constrain(std::vector<char>(dofs_->n_local(), 0));
  const std::unique_ptr<WeakForm> form = make_gradient_energy(mesh.dim, false, cells);
  form->coefficients()[0] = Coefficient::constant(gamma);
  const std::unique_ptr<WeakForm> mass = make_value_energy(mesh.dim, false, cells);
  mass->coefficients()[0] = Coefficient::constant(delta);
  matrix_->begin();
  {
    const LocalArray zero(field_);
    form->jacobian({zero.data(), mesh.coordinates.data()}, *matrix_);
    mass->jacobian({zero.data(), mesh.coordinates.data()}, *matrix_);
  }
  matrix_->end();
  weights_->gather(std::vector<double>(cell_count(), 1.0), root_mass_);
  check(VecSet(load_, 0.0));
  add_wall(region, std::sqrt(gamma * delta) / 1.42, load_);
  check(MatDiagonalSet(matrix_->mat(), load_, ADD_VALUES));
  check(VecSqrtAbs(root_mass_));
  solver_.set_operator(matrix_->mat(), true);
}

void BilaplacianPrior::add_wall(const std::string& region, double beta, Vec diagonal) const {
  const Mesh& mesh = dofs_->mesh();
  double* d = nullptr;
  check(VecGetArray(diagonal, &d));
  for (const std::vector<int>& wall : walls_of(mesh, cells_in_region(mesh, region))) {
    const double share = beta * measure_of(mesh, wall) / static_cast<double>(wall.size());
    for (const int node : wall)
      if (node < mesh.n_owned_nodes) d[dofs_->dof(node, 0)] += share;
  }
  check(VecRestoreArray(diagonal, &d));
}

std::vector<double> BilaplacianPrior::roots_of_mass() const {
  const double* a = nullptr;
  check(VecGetArrayRead(root_mass_, &a));
  std::vector<double> roots;
  for (const int node : nodes_) roots.push_back(a[dofs_->dof(node, 0)]);
  check(VecRestoreArrayRead(root_mass_, &a));
  return roots;
}

Evaluation BilaplacianPrior::apply(const std::vector<double>& xi, std::vector<double>& q) {
  double* a = nullptr;
  check(VecGetArray(load_, &a));
  for (std::size_t i = 0; i < nodes_.size(); ++i) a[dofs_->dof(nodes_[i], 0)] = xi[i];
  check(VecRestoreArray(load_, &a));
  check(VecPointwiseMult(load_, load_, root_mass_));
  const SolveReport report = solver_.solve(load_, field_);
  weights_->spread(field_, q);
  for (std::size_t c = 0; c < q.size(); ++c) q[c] = weights_->volumes()[c] > 0 ? scale_ * q[c] / weights_->volumes()[c] : 0.0;
  return Evaluation::of_solve("prior", report);
}

Evaluation BilaplacianPrior::vjp(const std::vector<double>& q_bar, std::vector<double>& xi_bar) {
  std::vector<double> mean_bar(q_bar);
  for (std::size_t c = 0; c < mean_bar.size(); ++c) mean_bar[c] = weights_->volumes()[c] > 0 ? scale_ * q_bar[c] / weights_->volumes()[c] : 0.0;
  weights_->gather(mean_bar, load_);
  const SolveReport report = solver_.solve(load_, field_);
  check(VecPointwiseMult(field_, field_, root_mass_));
  const double* a = nullptr;
  check(VecGetArrayRead(field_, &a));
  xi_bar.resize(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) xi_bar[i] = a[dofs_->dof(nodes_[i], 0)];
  check(VecRestoreArrayRead(field_, &a));
  return Evaluation::of_solve("prior", report);
}

Evaluation BilaplacianPrior::variance(std::vector<double>& of_cell, int most) {
  const MPI_Comm comm = dofs_->comm();
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::vector<int> own;  // cells of the region
  for (int c = 0; c < cell_count(); ++c)
    if (weights_->owned()[c] && weights_->volumes()[c] > 0) own.push_back(c);
  std::vector<int> counts(ranks);
  const int mine = static_cast<int>(own.size());
  MPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  long long all = 0;
  for (const int n : counts) all += n;
  of_cell.assign(cell_count(), 0.0);
  std::vector<double> q, xi(nodes_.size());
  if (all > most) {
    std::mt19937_64 random(20261124 + static_cast<unsigned>(rank));
    for (int k = 0; k < most; ++k) {
      for (double& x : xi) x = normal_number(random);
      if (const Evaluation e = apply(xi, q); !e.ok) return e;
      for (std::size_t c = 0; c < q.size(); ++c) of_cell[c] += q[c] * q[c] / most;
    }
    return Evaluation::success(0);
  }
  for (int r = 0; r < ranks; ++r)
    for (int k = 0; k < counts[r]; ++k) {
      q.assign(cell_count(), 0.0);
      if (r == rank) q[own[k]] = 1;
      if (const Evaluation e = vjp(q, xi); !e.ok) return e;
      double sum = 0;
      for (const double x : xi) sum += x * x;
      MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
      if (r == rank) of_cell[own[k]] = sum;
    }
  return Evaluation::success(0);
}

}  // namespace invar
