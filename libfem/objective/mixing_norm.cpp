#include "libfem/objective/mixing_norm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "libfem/form/q_form.hpp"

namespace invar {
namespace {

/// The functional G. Unknowns: φ, c; coefficient: m.
template <int Dim, bool Axisymmetric>
struct MixingEnergy {
  static constexpr int dim = Dim, ref_dim = Dim, n_components = 2;
  static constexpr std::array<int, 2> basis{};
  static constexpr auto slots = join(value_slots<2>(), gradient_slots<1, Dim>());
  static constexpr bool functional = true, symmetric = true, uses_position = Axisymmetric;
  double square;  // l², m²
  int n_coefficients() const { return 1; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, Dim + 2>& z, const PointGeometry<Tg, Dim, Dim>& g, const Tp* m) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    R w(2.0 * ((z[1] - m[0]) * z[0]) - z[0] * z[0]);
    for (int j = 0; j < Dim; ++j) w -= square * (z[2 + j] * z[2 + j]);
    if constexpr (Axisymmetric) return R(w * ((2 * std::numbers::pi) * g.x[0] * g.measure));
    else return R(w * g.measure);
  }
};

/// φ² + l² |∇φ|²: the part of −G that is quadratic in φ, the only unknown.
template <int Dim, bool Axisymmetric>
struct MixingOperator {
  static constexpr int dim = Dim, ref_dim = Dim, n_components = 1;
  static constexpr std::array<int, 1> basis{};
  static constexpr auto slots = join(value_slots<1>(), gradient_slots<1, Dim>());
  static constexpr bool symmetric = true, uses_position = Axisymmetric;
  double square;  // l², m²
  int n_coefficients() const { return 0; }

  template <class Tz, class Tg, class Tp>
  INVAR_HD auto density(const std::array<Tz, Dim + 1>& z, const PointGeometry<Tg, Dim, Dim>& g, const Tp*) const {
    using R = PromotedOf<Tz, Tg, Tp>;
    R w(z[0] * z[0]);
    for (int j = 0; j < Dim; ++j) w += square * (z[1 + j] * z[1 + j]);
    if constexpr (Axisymmetric) return R(w * ((2 * std::numbers::pi) * g.x[0] * g.measure));
    else return R(w * g.measure);
  }
};

template <template <int, bool> class Density>
std::unique_ptr<WeakForm> make_mixing_form(int dim, bool axisymmetric, double length, CellBatches cells) {
  const double square = length * length;
  if (dim == 3) return make_form(Density<3, false>{square}, std::move(cells));
  return axisymmetric ? make_form(Density<2, true>{square}, std::move(cells))
                      : make_form(Density<2, false>{square}, std::move(cells));
}

/// Quadrature degree, exact for products of first-order functions and the radius on affine cells, and accurate on curved ones. G
/// and A use the same points, so that A is the second derivative of G to rounding.
constexpr int mixing_degree = 6;

/// Σ weights · c over owned vertices, summed over ranks.
double weighted_sum_of_scalar(const std::vector<double>& weights, Vec pair, MPI_Comm comm) {
  PetscInt n = 0;
  const double* z = nullptr;
  double sum = 0;
  check(VecGetLocalSize(pair, &n));
  check(VecGetArrayRead(pair, &z));
  for (PetscInt i = 1; i < n; i += 2) sum += weights[i] * z[i];
  check(VecRestoreArrayRead(pair, &z));
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  return sum;
}

}  // namespace

MixingNorm::MixingNorm(std::shared_ptr<FormResidual> residual, int component, const std::string& region, double length,
                       bool axisymmetric, LinearSolverOptions options)
    : residual_(std::move(residual)), solver_(residual_->comm(), std::move(options)) {
  if (!(length >= 0) || !std::isfinite(length)) throw std::invalid_argument("the length of a mixing norm must be 0 or more");
  const DofMap& state = residual_->dofs();
  if (state.components()[component].order != 1) throw std::invalid_argument("a mixing norm is of a component of first order");
  const auto mesh = state.mesh_pointer();
  vertices_ = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"phi", 1}}, mesh->comm);
  pairs_ = std::make_shared<const DofMap>(mesh, std::vector<Component>{{"phi", 1}, {"c", 1}}, mesh->comm);
  energy_ = make_mixing_form<MixingEnergy>(mesh->dim, axisymmetric, length, CellBatches::on_cells(pairs_, region, mixing_degree));
  quadratic_ = make_mixing_form<MixingOperator>(mesh->dim, axisymmetric, length, CellBatches::on_cells(vertices_, region, mixing_degree));
  for (int node = 0; node < mesh->n_owned_nodes; ++node)
    if (vertices_->dof_count(node) > 0) scalar_dof_.push_back(state.dof(node, component));

  std::vector<char> outside(vertices_->n_local(), !region.empty());
  if (const Region* r = mesh->find_region(region); r && !region.empty())
    for (int node : r->nodes)
      if (const int dof = vertices_->dof(node, 0); dof >= 0) outside[dof] = 0;
  matrix_ = std::make_unique<AssembledMatrix>(vertices_);
  matrix_->constrain(std::move(outside));
}

void MixingNorm::prepare(const Setting& given) {
  const std::vector<double>& x = residual_->coordinates(given);
  int old = x != coordinates_;
  MPI_Allreduce(MPI_IN_PLACE, &old, 1, MPI_INT, MPI_MAX, residual_->comm());
  if (!old) return;
  coordinates_ = x;
  const std::vector<double> zero(vertices_->n_local(), 0.0);
  matrix_->begin();
  quadratic_->jacobian({zero.data(), x.data()}, *matrix_);
  matrix_->end();
  solver_.set_operator(matrix_->mat(), true);
}

VecHandle MixingNorm::pair_of(double phi, Vec u) const {
  VecHandle pair = pairs_->create_vector();
  double* z = nullptr;
  const double* a = nullptr;
  check(VecGetArray(pair, &z));
  if (u) check(VecGetArrayRead(u, &a));
  for (std::size_t k = 0; k < scalar_dof_.size(); ++k) {
    z[2 * k] = phi;
    z[2 * k + 1] = a ? a[scalar_dof_[k]] : 0.0;
  }
  if (u) check(VecRestoreArrayRead(u, &a));
  check(VecRestoreArray(pair, &z));
  return pair;
}

VecHandle MixingNorm::ones() const {
  VecHandle pair = pairs_->create_vector();
  check(VecSet(pair, 1.0));
  return pair;
}

void MixingNorm::add_scalar(const std::vector<double>& pair_bar, Vec u_bar) const {
  if (!u_bar) return;
  double* a = nullptr;
  check(VecGetArray(u_bar, &a));
  for (std::size_t k = 0; k < scalar_dof_.size(); ++k) a[scalar_dof_[k]] += pair_bar[2 * k + 1];
  check(VecRestoreArray(u_bar, &a));
}

void MixingNorm::solve(const std::vector<double>& pair_bar, Vec pair) {
  VecHandle b = vertices_->create_vector(), phi = vertices_->create_vector();
  double *to = nullptr, *z = nullptr;
  check(VecGetArray(b, &to));
  for (std::size_t k = 0; k < scalar_dof_.size(); ++k) to[k] = pair_bar[2 * k];
  check(VecRestoreArray(b, &to));
  const bool solved = solver_.solve(b, phi).converged;
  check(VecGetArray(phi, &to));
  check(VecGetArray(pair, &z));
  for (std::size_t k = 0; k < scalar_dof_.size(); ++k)
    z[2 * k] = solved ? to[k] : std::numeric_limits<double>::quiet_NaN();
  check(VecRestoreArray(pair, &z));
  check(VecRestoreArray(phi, &to));
}

std::vector<double> MixingNorm::slopes(const EvaluationPoint& u, const Fields& f, double seed, double* coordinates_bar) const {
  set_mean(f.mean);
  const LocalArray z(f.pair);
  std::vector<double> bar(pairs_->n_local(), 0.0);
  FormCotangent out;
  out.unknown = bar.data();
  out.coordinates = coordinates_bar;
  energy_->value_vjp({z.data(), residual_->coordinates(u.given).data()}, seed, out);
  return bar;
}

std::vector<double> MixingNorm::slopes_jvp(const EvaluationPoint& u, const Fields& f, const Fields& f_dot,
                                           const Controls* d_dot, double seed, double* coordinates_bar) const {
  set_mean(f.mean);
  const LocalArray z(f.pair), z_dot(f_dot.pair);
  std::vector<double> bar(pairs_->n_local(), 0.0);
  FormTangent direction;
  direction.unknown = z_dot.data();
  direction.coordinates = residual_->coordinate_direction(d_dot);
  direction.coefficients = {&f_dot.mean};
  FormCotangent out;
  out.unknown = bar.data();
  out.coordinates = coordinates_bar;
  energy_->value_vjp_tangent({z.data(), residual_->coordinates(u.given).data()}, seed, direction, out);
  return bar;
}

// Where φ = 1, ∂G/∂c is twice the weights w of the mean m = w·c / w·1. Then A φ = ∂G/∂φ at φ = 0.
MixingNorm::Fields MixingNorm::at(const EvaluationPoint& u) {
  prepare(u.given);
  const MPI_Comm comm = residual_->comm();
  Fields one{pair_of(1, u), 0};
  const std::vector<double> w = slopes(u, one);
  const double volume = weighted_sum_of_scalar(w, ones(), comm);
  Fields f{pair_of(0, u), weighted_sum_of_scalar(w, one.pair, comm) / volume};
  solve(slopes(u, f), f.pair);
  return f;
}

// ṁ = (w·ċ + ẇ·(c − m)) / w·1 and A φ̇ = the derivative of ∂G/∂φ where φ stays.
MixingNorm::Fields MixingNorm::at_jvp(const EvaluationPoint& u, const Fields& f, const State& u_dot, const Controls* d_dot) {
  const MPI_Comm comm = residual_->comm();
  const Fields one{pair_of(1, u), 0}, fixed{pairs_->create_vector(), 0};
  const VecHandle unit = ones();
  const std::vector<double> w = slopes(u, one), w_dot = slopes_jvp(u, one, fixed, d_dot);
  Fields f_dot{pair_of(0, u_dot), 0};
  f_dot.mean = (weighted_sum_of_scalar(w, f_dot.pair, comm) + weighted_sum_of_scalar(w_dot, one.pair, comm) -
                f.mean * weighted_sum_of_scalar(w_dot, unit, comm)) /
               weighted_sum_of_scalar(w, unit, comm);
  solve(slopes_jvp(u, f, f_dot, d_dot), f_dot.pair);
  return f_dot;
}

void MixingNorm::evaluate(const EvaluationPoint& u, double* y) {
  const Fields f = at(u);
  set_mean(f.mean);
  const LocalArray z(f.pair);
  *y = energy_->value({z.data(), residual_->coordinates(u.given).data()});
  MPI_Allreduce(MPI_IN_PLACE, y, 1, MPI_DOUBLE, MPI_SUM, residual_->comm());
}

// ---- forward, then reverse ----------------------------------------------------------------------

void MixingNorm::jvp(const EvaluationPoint& u, const State& u_dot, const Controls* d_dot, double* y_dot) {
  const Fields f = at(u);
  set_mean(f.mean);
  const VecHandle pair_dot = pair_of(0, u_dot);
  const LocalArray z(f.pair), z_dot(pair_dot);
  FormTangent direction;
  direction.unknown = z_dot.data();
  direction.coordinates = residual_->coordinate_direction(d_dot);
  *y_dot = energy_->value_jvp({z.data(), residual_->coordinates(u.given).data()}, direction);
  MPI_Allreduce(MPI_IN_PLACE, y_dot, 1, MPI_DOUBLE, MPI_SUM, residual_->comm());
}

void MixingNorm::vjp(const EvaluationPoint& u, const double* y_bar, const State& u_bar, Controls* d_bar) {
  add_scalar(slopes(u, at(u), y_bar[0], residual_->coordinate_target(d_bar)), u_bar);
}

void MixingNorm::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State& u_dot,
                             const Controls* d_dot, const State& u_bar_dot, Controls* d_bar_dot) {
  const Fields f = at(u), f_dot = at_jvp(u, f, u_dot, d_dot);
  add_scalar(slopes_jvp(u, f, f_dot, d_dot, y_bar[0], residual_->coordinate_target(d_bar_dot)), u_bar_dot);
  if (y_bar_dot && y_bar_dot[0] != 0)
    add_scalar(slopes(u, f, y_bar_dot[0], residual_->coordinate_target(d_bar_dot)), u_bar_dot);
}

}  // namespace invar
