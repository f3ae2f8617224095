#include "libadjoint/optimize/gauss_newton.hpp"

#include <stdexcept>

namespace invar {
namespace {

class GaussNewtonRun final : public TruncatedNewtonRun {
 public:
  GaussNewtonRun(const OptimizerOptions& options, LeastSquaresFunctional& functional, const DesignVector& start, TruncatedNewtonState& state)
      : TruncatedNewtonRun(options, functional, start, state, 0.5), squares_(functional), prior_(layout().flat(functional.prior_precision())) {}

 private:
  Evaluation multiply(const Eigen::VectorXd& v, Eigen::VectorXd& product) override {
    Eigen::VectorXd rho_dot;
    DesignVector g;
    Evaluation e = squares_.residual_jvp(iterate(), layout().design(v), rho_dot);
    if (e.ok) e = squares_.residual_vjp(iterate(), rho_dot, g);
    if (e.ok) product = layout().flat(g) + prior_.cwiseProduct(v);
    return e;
  }
  std::vector<double> largest_steps() const override { return squares_.largest_steps(); }

  LeastSquaresFunctional& squares_;
  Eigen::VectorXd prior_;  // this rank's entries
};

}  // namespace

OptimizerResult GaussNewton::minimize(ReducedFunctional& functional, const DesignVector& start) {
  require_unconstrained(functional, "gauss_newton");
  auto* squares = dynamic_cast<LeastSquaresFunctional*>(&functional);
  if (!squares) throw std::invalid_argument("gauss_newton needs an objective that is a sum of squares; use 'quasi_newton'");
  return GaussNewtonRun(options_, *squares, start, begin()).solve();
}

}  // namespace invar
