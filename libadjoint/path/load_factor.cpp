#include "libadjoint/path/load_factor.hpp"

#include <algorithm>
#include <stdexcept>

namespace invar {

LoadFactor::LoadFactor(std::shared_ptr<Residual> residual, std::vector<int> scaled)
    : residual_(std::move(residual)), scaled_(std::move(scaled)) {
  std::sort(scaled_.begin(), scaled_.end());
  if (std::adjacent_find(scaled_.begin(), scaled_.end()) != scaled_.end())
    throw std::invalid_argument("load factor: a control is named twice");
  for (const int k : scaled_)
    if (residual_->controls()[k].layout != ControlLayout::number)
      throw std::invalid_argument("load factor: control '" + residual_->controls()[k].name + "' is not a number");
  set_controls(std::make_shared<const Controls>(residual_->control_values()));
}

void LoadFactor::set_controls(std::shared_ptr<const Controls> d) {
  controls_ = std::move(d);
  magnitudes_.clear();
  for (const int k : scaled_) magnitudes_.push_back((*controls_)[k][0]);
  effective_.reset();
  set(lambda_);
}

std::shared_ptr<const Controls> LoadFactor::effective_at(double lambda) const {
  if (effective_ && lambda == lambda_) return effective_;
  auto d = std::make_shared<Controls>(*controls_);
  for (std::size_t i = 0; i < scaled_.size(); ++i) (*d)[scaled_[i]] = {lambda * magnitudes_[i]};
  return d;
}

void LoadFactor::set(double lambda) {
  effective_ = effective_at(lambda);
  lambda_ = lambda;
}

Controls LoadFactor::direction(const Controls* d_dot, double lambda_dot) const {
  Controls out = d_dot ? *d_dot : Controls(residual_->controls().size());
  for (std::size_t i = 0; i < scaled_.size(); ++i) {
    std::vector<double>& entry = out[scaled_[i]];
    entry = {lambda_ * (entry.empty() ? 0.0 : entry[0]) + lambda_dot * magnitudes_[i]};
  }
  return out;
}

Controls LoadFactor::wanted(const Controls* d_bar) const {
  Controls out(residual_->controls().size());
  if (d_bar)
    for (std::size_t k = 0; k < out.size(); ++k) out[k].assign((*d_bar)[k].size(), 0.0);
  for (const int k : scaled_) out[k].assign(1, 0.0);
  return out;
}

double LoadFactor::summed(double share) const {
  MPI_Allreduce(MPI_IN_PLACE, &share, 1, MPI_DOUBLE, MPI_SUM, residual_->comm());
  return share;
}

double LoadFactor::factor_bar(const Controls& effective_bar) const {
  double share = 0;
  for (std::size_t i = 0; i < scaled_.size(); ++i) share += magnitudes_[i] * effective_bar[scaled_[i]][0];
  return summed(share);
}

void LoadFactor::pull_back(const Controls& effective_bar, Controls& d_bar) const {
  for (std::size_t k = 0; k < d_bar.size(); ++k) {
    const double factor = std::binary_search(scaled_.begin(), scaled_.end(), static_cast<int>(k)) ? lambda_ : 1.0;
    for (std::size_t i = 0; i < d_bar[k].size(); ++i) d_bar[k][i] += factor * effective_bar[k][i];
  }
}

double LoadFactor::factor_bar_tangent(const Controls& effective_bar, const Controls& effective_bar_dot,
                                      const Controls& d_dot) const {
  double share = 0;
  for (std::size_t i = 0; i < scaled_.size(); ++i) {
    const int k = scaled_[i];
    share += magnitudes_[i] * effective_bar_dot[k][0];
    if (!d_dot[k].empty()) share += d_dot[k][0] * effective_bar[k][0];
  }
  return summed(share);
}

void LoadFactor::pull_back_tangent(const Controls& effective_bar, const Controls& effective_bar_dot, double lambda_dot,
                                   Controls& d_bar_dot) const {
  pull_back(effective_bar_dot, d_bar_dot);
  for (const int k : scaled_)
    if (!d_bar_dot[k].empty()) d_bar_dot[k][0] += lambda_dot * effective_bar[k][0];
}

}  // namespace invar
