#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "libadjoint/parameterization.hpp"
#include "libfem/form/form_residual.hpp"

namespace invar::gradient_test {

/// A control that is a field, designed entry by entry: d = v (1 + θ/2), θ one number per owned entry.
class FieldDesign final : public Parameterization {
 public:
  FieldDesign(std::shared_ptr<FormResidual> residual, int control)
      : residual_(std::move(residual)), control_(control), start_(residual_->control_values()[control]) {
    const ControlInfo& info = residual_->controls()[control];
    const Mesh& mesh = residual_->dofs().mesh();
    if (mesh.cells.size() != 1) throw std::logic_error("fields are designed on meshes of one block of cells");
    const bool nodes = info.layout == ControlLayout::nodes;
    components_ = info.components;
    original_ = nodes ? mesh.original_node : mesh.original_cell[0];
    owned_ = nodes ? mesh.n_owned_nodes : mesh.cells[0].n_owned;
  }

  std::vector<DesignVariable> variables() const override { return {}; }
  DesignVector start() const override { return constant(0); }
  DesignVector lower() const override { return constant(-1); }
  DesignVector upper() const override { return constant(1); }

  Evaluation apply(const DesignVector& theta, std::vector<Controls>& d) override {
    d[0][control_] = spread(theta.local);
    for (std::size_t i = 0; i < start_.size(); ++i) d[0][control_][i] += start_[i];
    return Evaluation::success(0);
  }
  void want(std::vector<Controls>& d_bar) const override { d_bar[0][control_].assign(start_.size(), 0.0); }
  Evaluation jvp(const DesignVector&, const DesignVector& theta_dot, std::vector<Controls>& d_dot) override {
    d_dot[0][control_] = spread(theta_dot.local);
    return Evaluation::success(0);
  }
  Evaluation vjp(const DesignVector&, std::vector<Controls>& d_bar, DesignVector& theta_bar) override {
    for (std::size_t i = 0; i < theta_bar.local.size(); ++i)
      theta_bar.local[i] += 0.5 * start_[i] * d_bar[0][control_][i];
    return Evaluation::success(0);
  }
  Evaluation vjp_tangent(const DesignVector& theta, const DesignVector&, const std::vector<Controls>&,
                         std::vector<Controls>& d_bar_dot, DesignVector& theta_bar_dot) override {
    return vjp(theta, d_bar_dot, theta_bar_dot);
  }

  /// What each local entry is in the serial mesh: the same on any number of ranks.
  std::vector<long long> keys() const {
    std::vector<long long> k;
    for (int i = 0; i < owned_ * components_; ++i) k.push_back(place(i));
    return k;
  }

 private:
  /// Of an entry in the field on the serial mesh.
  long long place(std::size_t i) const { return original_[i / components_] * components_ + i % components_; }
  /// The entries of all ranks by their place in the serial mesh (collective).
  std::vector<double> gathered(const std::vector<double>& local) const {
    long long n = owned_;
    MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_LONG_LONG, MPI_SUM, residual_->comm());
    std::vector<double> all(n * components_, 0.0);
    for (std::size_t i = 0; i < local.size(); ++i) all[place(i)] = local[i];
    MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, residual_->comm());
    return all;
  }
  DesignVector constant(double v) const { return {{}, std::vector<double>(std::size_t(owned_) * components_, v)}; }
  /// v θ/2 at all entries, ghosts included.
  std::vector<double> spread(const std::vector<double>& theta) const {
    const std::vector<double> all = gathered(theta);
    std::vector<double> d(start_.size());
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = 0.5 * start_[i] * all[place(i)];
    return d;
  }

  std::shared_ptr<FormResidual> residual_;
  int control_;
  std::vector<double> start_;         // v, ghosts included
  int components_ = 1, owned_ = 0;    // owned: nodes or cells
  std::vector<long long> original_;   // node or cell in the serial mesh
};

}  // namespace invar::gradient_test
