#pragma once
#include <memory>
#include <string>
#include <vector>

#include "libadjoint/maps/prior_field.hpp"
#include "libfem/design/field/bilaplacian_prior.hpp"
#include "libfem/design/field/cell_constant.hpp"

namespace invar {

/// A material constant as a cell field with a Gaussian prior: p = T(m + B θ), with one local entry of θ of variance 1 per owned node of a
/// region, a BilaplacianPrior B and a transform T. It sets a control with one entry per cell.
class GaussianField final : public Parameterization, public PriorField {
 public:
  /// mean: m in all local cells, ghosts included. region: that of the prior. Throws std::invalid_argument if it does not exist.
  GaussianField(std::shared_ptr<const Mesh> mesh, std::shared_ptr<BilaplacianPrior> prior, const std::string& region,
                const VariableTransform& transform, const FieldRange& range, std::vector<double> mean, std::vector<FieldTarget> targets);

  std::vector<DesignVariable> variables() const override { return {}; }
  DesignVector start() const override { return constant(0); }
  DesignVector lower() const override { return constant(-INFINITY); }
  DesignVector upper() const override { return constant(INFINITY); }
  LocalEntries local_entries() const override { return {ControlLayout::nodes, 1, prior_->nodes(), VariableTransform(), prior_->roots_of_mass()}; }
  void set_monitor(const std::shared_ptr<SolveMonitor>& monitor) override { prior_->set_monitor(monitor); }
  Evaluation apply(const DesignVector& theta, std::vector<Controls>& d) override;
  void want(std::vector<Controls>& d_bar) const override { constant_.want(d_bar); }
  Evaluation jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<Controls>& d_dot) override;
  Evaluation vjp(const DesignVector& theta, std::vector<Controls>& d_bar, DesignVector& theta_bar) override;
  Evaluation vjp_tangent(const DesignVector& theta, const DesignVector& theta_dot, const std::vector<Controls>& d_bar,
                         std::vector<Controls>& d_bar_dot, DesignVector& theta_bar_dot) override;

  void set_weight(double w) override { prior_->set_weight(w); }
  Evaluation spread(const std::vector<double>& theta, std::vector<double>& q) override { return prior_->apply(theta, q); }
  Evaluation prior_variance(std::vector<double>& variance) override { return prior_->variance(variance); }
  const VariableTransform& transform() const override { return constant_.transform(); }
  const std::vector<double>& coordinates() const override { return constant_.coordinates(); }
  const std::vector<char>& designed() const override { return own_; }
  const std::vector<double>& truth() const override { return truth_; }
  /// The true q, [cell], for synthetic data.
  void set_truth(std::vector<double> q) { truth_ = std::move(q); }

 private:
  DesignVector constant(double v) const { return {{}, std::vector<double>(prior_->nodes().size(), v)}; }
  Evaluation pull_back(const std::vector<double>& q_bar, DesignVector& theta_bar);

  std::shared_ptr<BilaplacianPrior> prior_;
  CellConstant constant_;
  std::vector<double> mean_, truth_;
  std::vector<char> own_;
};

}  // namespace invar
