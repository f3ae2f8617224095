#include "libfem/design/field/gaussian_field.hpp"

namespace invar {

GaussianField::GaussianField(std::shared_ptr<const Mesh> mesh, std::shared_ptr<BilaplacianPrior> prior, const std::string& region,
                             const VariableTransform& transform, const FieldRange& range, std::vector<double> mean,
                             std::vector<FieldTarget> targets)
    : prior_(std::move(prior)), constant_(*mesh, given_cells(*mesh, region, range.outside), transform, range, std::move(targets)), mean_(std::move(mean)), own_(constant_.designed()) {
  std::size_t first = 0;
  for (const CellBlock& block : mesh->cells) {
    for (int c = block.n_owned; c < block.count(); ++c) own_[first + c] = 0;
    first += block.count();
  }
}

Evaluation GaussianField::apply(const DesignVector& theta, std::vector<Controls>& d) {
  std::vector<double> q;
  if (const Evaluation e = prior_->apply(theta.local, q); !e.ok) return e;
  for (std::size_t c = 0; c < q.size(); ++c) q[c] += mean_[c];
  return constant_.apply(std::move(q), d);
}

// ---- forward, then reverse ----------------------------------------------------------------------

Evaluation GaussianField::jvp(const DesignVector&, const DesignVector& theta_dot, std::vector<Controls>& d_dot) {
  std::vector<double> q_dot;
  const Evaluation e = prior_->apply(theta_dot.local, q_dot);
  if (e.ok) constant_.jvp(q_dot, d_dot);
  return e;
}

Evaluation GaussianField::pull_back(const std::vector<double>& q_bar, DesignVector& theta_bar) {
  std::vector<double> xi_bar;
  const Evaluation e = prior_->vjp(q_bar, xi_bar);
  for (std::size_t i = 0; i < xi_bar.size() && e.ok; ++i) theta_bar.local[i] += xi_bar[i];
  return e;
}

Evaluation GaussianField::vjp(const DesignVector&, std::vector<Controls>& d_bar, DesignVector& theta_bar) {
  return pull_back(constant_.vjp(d_bar), theta_bar);
}

Evaluation GaussianField::vjp_tangent(const DesignVector&, const DesignVector& theta_dot, const std::vector<Controls>& d_bar,
                                      std::vector<Controls>& d_bar_dot, DesignVector& theta_bar_dot) {
  std::vector<double> q_dot;
  if (const Evaluation e = prior_->apply(theta_dot.local, q_dot); !e.ok) return e;
  return pull_back(constant_.vjp_tangent(q_dot, d_bar, d_bar_dot), theta_bar_dot);
}

}  // namespace invar
