#include "libfem/design/field/helmholtz_filter.hpp"

#include <cmath>
#include <stdexcept>

#include "libfem/form/gradient_energy.hpp"
#include "libfem/form/value_energy.hpp"

namespace invar {

namespace {

constexpr double polynomial_error = 1e-8;  // far below the discretisation error
constexpr int most_terms = 200;

bool is_large(const LinearSolverOptions& options, const Mesh& mesh) { return options.method == "auto" && mesh.n_global_nodes >= options.multigrid_from; }

/// Mass matrix plus R²/12 times a Laplacian: with diagonal scaling the condition number is about 1 + (R/h)² for any size of the
/// mesh. An iterative solver is therefore cheaper for large 3-D meshes; otherwise a stored factorisation is.
LinearSolverOptions suitable(LinearSolverOptions options, const Mesh& mesh) {
  if (is_large(options, mesh) && mesh.dim == 3) {
    options.method = "cg_jacobi";
    options.max_iterations = 5000;
  }
  return options;
}

}  // namespace

HelmholtzFilter::HelmholtzFilter(std::shared_ptr<const Mesh> mesh, double radius, bool axisymmetric, Mass mass,
                                 LinearSolverOptions options)
    : CellFilter(mesh, axisymmetric), solver_(mesh->comm, suitable(options, *mesh)) {
  if (!(radius > 0) || !std::isfinite(radius))
    throw std::invalid_argument("the radius of a filter must be a positive length");
  load_ = dofs_->create_vector();
  phi_ = dofs_->create_vector();
  matrix_ = std::make_unique<AssembledMatrix>(dofs_);
  matrix_->constrain(std::vector<char>(dofs_->n_local(), 0));
  const std::unique_ptr<WeakForm> form = make_gradient_energy(mesh->dim, axisymmetric, cells());
  form->coefficients()[0] = Coefficient::constant(radius * radius / 12);
  matrix_->begin();
  {
    const LocalArray zero(phi_);
    form->jacobian({zero.data(), mesh->coordinates.data()}, *matrix_);
    if (mass == Mass::consistent) {
      const std::unique_ptr<WeakForm> value = make_value_energy(mesh->dim, axisymmetric, cells());
      value->coefficients()[0] = Coefficient::constant(1);
      value->jacobian({zero.data(), mesh->coordinates.data()}, *matrix_);
    }
  }
  matrix_->end();
  if (mass == Mass::lumped) {
    weights_->gather(std::vector<double>(owned().size(), 1.0), load_);
    check(MatDiagonalSet(matrix_->mat(), load_, ADD_VALUES));
    if (is_large(options, *mesh)) {
      polynomial_ = std::make_unique<PolynomialFilter>(*dofs_, own_cells(), *weights_, matrix_->mat(), load_, polynomial_error);
      if (polynomial_->terms() > most_terms) polynomial_.reset();
    }
  }
  if (polynomial_) matrix_.reset(), load_.reset(), phi_.reset();
  else solver_.set_operator(matrix_->mat(), true);
}

Evaluation HelmholtzFilter::apply(const std::vector<double>& rho, std::vector<double>& out) {
  const Evaluation e = smooth(rho, out);
  for (std::size_t c = 0; c < out.size(); ++c) out[c] /= volumes()[c];
  return e;
}

Evaluation HelmholtzFilter::vjp(const std::vector<double>& smooth_bar, std::vector<double>& rho_bar) {
  std::vector<double> mean_bar(smooth_bar);
  for (std::size_t c = 0; c < mean_bar.size(); ++c) mean_bar[c] /= volumes()[c];
  return smooth(mean_bar, rho_bar);
}

Evaluation HelmholtzFilter::smooth(const std::vector<double>& in, std::vector<double>& out) {
  if (polynomial_) {
    polynomial_->apply(in, out);
    return Evaluation::success(0);
  }
  weights_->gather(in, load_);
  const SolveReport report = solver_.solve(load_, phi_);
  weights_->spread(phi_, out);
  return report.converged ? Evaluation::success(0) : Evaluation::failure("Helmholtz filter: " + report.reason);
}

}  // namespace invar
