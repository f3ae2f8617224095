#include "libfem/design/helmholtz_filter.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "libfem/form/q_form.hpp"

namespace invar {
namespace {

/// ½ c |∇φ|². Coefficient: c = r², m².
template <int Dim, bool Axisymmetric>
struct SmoothingDensity {
  static constexpr int dim = Dim, ref_dim = Dim, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr auto slots = gradient_slots<1, Dim>();
  static constexpr bool symmetric = true, uses_position = Axisymmetric;
  int n_coefficients() const { return 1; }

  template <class T>
  INVAR_HD static T measure(const PointGeometry<T, Dim, Dim>& g) {
    if constexpr (Axisymmetric) return (2 * std::numbers::pi) * g.x[0] * g.measure;
    else return g.measure;
  }
  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, Dim>& z, const PointGeometry<Tg, Dim, Dim>& g, const Tp* p) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    R w(0.0);
    for (int j = 0; j < Dim; ++j) w += 0.5 * (p[0] * (z[j] * z[j]));
    return R(w * measure(g));
  }
};

/// Exact for all products of first-order functions and the radius on affine cells.
constexpr int degree = 4;

}  // namespace

HelmholtzFilter::HelmholtzFilter(std::shared_ptr<const Mesh> mesh, double radius, bool axisymmetric,
                                 LinearSolverOptions options)
    : radius_(radius), solver_(mesh->comm, std::move(options)) {
  if (!(radius > 0) || !std::isfinite(radius))
    throw std::invalid_argument("the radius of a density filter must be a positive length");
  dofs_ = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"rho", 1}}, mesh->comm);
  for (const CellBlock& block : mesh->cells)
    for (int c = 0; c < block.count(); ++c) owned_.push_back(c < block.n_owned);
  const CellBatches cells = CellBatches::on_cells(dofs_, "", degree);
  if (mesh->dim == 3) build<SmoothingDensity<3, false>>(cells);
  else if (axisymmetric) build<SmoothingDensity<2, true>>(cells);
  else build<SmoothingDensity<2, false>>(cells);
}

template <class Q>
void HelmholtzFilter::build(const CellBatches& cells) {
  std::vector<std::vector<std::pair<int, double>>> rows(owned_.size());  // of W
  for (const BatchGroup& g : cells.groups)
    for (int b = 0; b < g.n_batches; ++b) {
      const int* nodes = &g.node[std::size_t(b) * g.n_nodes * simd_width];
      const int* dofs = &g.dof[std::size_t(b) * g.n_nodes * simd_width];
      Pack X[max_cell_nodes][Q::dim], w[max_cell_nodes];
      for (int a = 0; a < g.n_nodes; ++a) {
        w[a] = Pack(0.0);
        for (int i = 0; i < Q::dim; ++i)
          X[a][i] = invar::gather(mesh().coordinates.data(), nodes + a * simd_width, Q::dim, i);
      }
      const int n = g.basis[0].n_nodes;
      for (int q = 0; q < g.n_points(); ++q) {
        const PointShape shape = g.at(q, Q::dim);
        const Pack dV = g.weights[q] * Q::measure(geometry_of<Q, Pack>(shape, X));
        for (int a = 0; a < n; ++a) w[a] += shape.unknown[0].N[a] * dV;
      }
      for (int l = 0; l < g.active[b]; ++l)
        for (int a = 0; a < n; ++a) rows[g.cell[b * simd_width + l]].emplace_back(dofs[a * simd_width + l], w[a][l]);
    }
  for (const auto& row : rows) {
    start_.push_back(static_cast<int>(dof_.size()));
    double volume = 0;
    for (const auto& [dof, w] : row) {
      dof_.push_back(dof);
      weight_.push_back(w);
      volume += w;
    }
    volumes_.push_back(volume);
  }
  start_.push_back(static_cast<int>(dof_.size()));

  load_ = dofs_->create_vector();
  phi_ = dofs_->create_vector();
  matrix_ = std::make_unique<AssembledMatrix>(dofs_);
  matrix_->constrain(std::vector<char>(dofs_->n_local(), 0));
  QForm<Q> form(Q{}, cells);
  form.coefficients()[0] = Coefficient::constant(radius_ * radius_ / 12);
  matrix_->begin();
  {
    const LocalArray zero(phi_);
    form.jacobian({zero.data(), mesh().coordinates.data()}, *matrix_);
  }
  matrix_->end();
  gather(std::vector<double>(owned_.size(), 1.0), load_);
  check(MatDiagonalSet(matrix_->mat(), load_, ADD_VALUES));
  solver_.set_operator(matrix_->mat(), true);
}

Evaluation HelmholtzFilter::apply(const std::vector<double>& rho, std::vector<double>& out) {
  const Evaluation e = smooth(rho, out);
  for (std::size_t c = 0; c < out.size(); ++c) out[c] /= volumes_[c];
  return e;
}

Evaluation HelmholtzFilter::vjp(const std::vector<double>& smooth_bar, std::vector<double>& rho_bar) {
  std::vector<double> mean_bar(smooth_bar);
  for (std::size_t c = 0; c < mean_bar.size(); ++c) mean_bar[c] /= volumes_[c];
  return smooth(mean_bar, rho_bar);
}

Evaluation HelmholtzFilter::smooth(const std::vector<double>& in, std::vector<double>& out) {
  gather(in, load_);
  const SolveReport report = solver_.solve(load_, phi_);
  spread(phi_, out);
  return report.converged ? Evaluation::success(0) : Evaluation::failure("density filter: " + report.reason);
}

void HelmholtzFilter::gather(const std::vector<double>& cells, Vec nodes) const {
  check(VecSet(nodes, 0.0));
  Vec local = nullptr;
  double* a = nullptr;
  check(VecGhostGetLocalForm(nodes, &local));
  check(VecSet(local, 0.0));
  check(VecGetArray(local, &a));
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (int k = start_[c]; k < start_[c + 1] && owned_[c]; ++k) a[dof_[k]] += weight_[k] * cells[c];
  check(VecRestoreArray(local, &a));
  check(VecGhostRestoreLocalForm(nodes, &local));
  check(VecGhostUpdateBegin(nodes, ADD_VALUES, SCATTER_REVERSE));
  check(VecGhostUpdateEnd(nodes, ADD_VALUES, SCATTER_REVERSE));
}

void HelmholtzFilter::spread(Vec nodes, std::vector<double>& cells) const {
  const LocalArray local(nodes);
  cells.assign(owned_.size(), 0.0);
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (int k = start_[c]; k < start_[c + 1]; ++k) cells[c] += weight_[k] * local.data()[dof_[k]];
}

}  // namespace invar
