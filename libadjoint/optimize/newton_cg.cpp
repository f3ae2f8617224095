#include "libadjoint/optimize/newton_cg.hpp"

namespace invar {
namespace {

/// A Hessian product costs two solves with existing factors, an iterate a nonlinear solve. Tight inner solves therefore pay.
constexpr double loosest = 0.05;

class NewtonCgRun final : public TruncatedNewtonRun {
 public:
  NewtonCgRun(const OptimizerOptions& options, ReducedFunctional& functional, const DesignVector& start, TruncatedNewtonState& state)
      : TruncatedNewtonRun(options, functional, start, state, loosest), functional_(functional) {}

 private:
  Evaluation multiply(const Eigen::VectorXd& v, Eigen::VectorXd& product) override {
    DesignVector out;
    const Evaluation e = functional_.hessian_action(iterate(), layout().design(v), out);
    if (e.ok) product = layout().flat(out);
    return e;
  }

  ReducedFunctional& functional_;
};

}  // namespace

OptimizerResult NewtonCg::minimize(ReducedFunctional& functional, const DesignVector& start) {
  require_unconstrained(functional, "newton_cg");
  return NewtonCgRun(options_, functional, start, begin()).solve();
}

}  // namespace invar
