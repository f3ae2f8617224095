#include "libfem/design/boundary/mapped_boundary.hpp"

#include <stdexcept>

namespace invar {

std::vector<double> points_of(const Mesh& mesh, const std::vector<int>& nodes) {
  std::vector<double> x;
  for (int node : nodes)
    for (int i = 0; i < mesh.dim; ++i) x.push_back(mesh.coordinates[std::size_t(node) * mesh.dim + i]);
  return x;
}

MappedBoundary::MappedBoundary(std::shared_ptr<const Mesh> mesh, std::vector<int> nodes,
                               std::unique_ptr<BoundaryMap> map, double scale, double lower, double upper)
    : mesh_(std::move(mesh)), nodes_(std::move(nodes)), map_(std::move(map)), scale_(scale), lower_(lower),
      upper_(upper) {
  if (map_->point_count() != static_cast<int>(nodes_.size()))
    throw std::invalid_argument("the number of points of the boundary map differs from the number of nodes");
  if (!(scale_ > 0)) throw std::invalid_argument("the scale of a shape's numbers must be positive");
}

std::vector<DesignVariable> MappedBoundary::variables() const {
  std::vector<DesignVariable> all;
  for (std::string& name : map_->names())
    all.push_back({std::move(name), VariableTransform(VariableTransform::Kind::linear, scale_), 0.0, lower_, upper_});
  return all;
}

std::vector<double> MappedBoundary::physical(const DesignVector& theta) const {
  std::vector<double> p = theta.shared;
  for (double& v : p) v *= scale_;
  return p;
}

void MappedBoundary::spread(const std::vector<double>& w, std::vector<double>& b) const {
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    for (int i = 0; i < mesh_->dim; ++i) b[std::size_t(nodes_[k]) * mesh_->dim + i] = w[k * mesh_->dim + i];
}

std::vector<double> MappedBoundary::collect(const std::vector<double>& b_bar) const {
  std::vector<double> w_bar(nodes_.size() * mesh_->dim, 0.0);
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    if (nodes_[k] < mesh_->n_owned_nodes)
      for (int i = 0; i < mesh_->dim; ++i) w_bar[k * mesh_->dim + i] = b_bar[std::size_t(nodes_[k]) * mesh_->dim + i];
  return w_bar;
}

// ---- forward, then reverse ----------------------------------------------------------------------

Evaluation MappedBoundary::displace(const DesignVector& theta, std::vector<double>& b) {
  std::vector<double> w(nodes_.size() * mesh_->dim, 0.0);
  map_->displace(physical(theta).data(), w.data());
  spread(w, b);
  return Evaluation::success(0);
}

Evaluation MappedBoundary::jvp(const DesignVector& theta, const DesignVector& theta_dot, std::vector<double>& b_dot) {
  std::vector<double> w_dot(nodes_.size() * mesh_->dim, 0.0);
  map_->jvp(physical(theta).data(), physical(theta_dot).data(), w_dot.data());
  spread(w_dot, b_dot);
  return Evaluation::success(0);
}

Evaluation MappedBoundary::vjp(const DesignVector& theta, const std::vector<double>& b_bar, DesignVector& theta_bar) {
  std::vector<double> p_bar(theta.shared.size(), 0.0);
  map_->vjp(physical(theta).data(), collect(b_bar).data(), p_bar.data());
  for (std::size_t k = 0; k < p_bar.size(); ++k) theta_bar.shared[k] += scale_ * p_bar[k];
  return Evaluation::success(0);
}

Evaluation MappedBoundary::vjp_curvature(const DesignVector& theta, const DesignVector& theta_dot,
                                         const std::vector<double>& b_bar, DesignVector& theta_bar_dot) {
  std::vector<double> p_bar_dot(theta.shared.size(), 0.0);
  map_->vjp_tangent(physical(theta).data(), physical(theta_dot).data(), collect(b_bar).data(), p_bar_dot.data());
  for (std::size_t k = 0; k < p_bar_dot.size(); ++k) theta_bar_dot.shared[k] += scale_ * p_bar_dot[k];
  return Evaluation::success(0);
}

}  // namespace invar
