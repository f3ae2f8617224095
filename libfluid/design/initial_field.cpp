#include "libfluid/design/initial_field.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace invar {

InitialField::InitialField(std::vector<Target> targets, const std::string& region, std::vector<double> start,
                           double largest)
    : targets_(std::move(targets)), start_(std::move(start)), largest_(largest) {
  const Region* where = mesh().find_region(region);
  if (!region.empty() && (!where || where->dim != mesh().dim))
    throw std::invalid_argument("the mesh has no cell region '" + region + "'");
  if (region.empty()) {
    nodes_.resize(mesh().n_owned_nodes);
    std::iota(nodes_.begin(), nodes_.end(), 0);
  } else {
    std::copy_if(where->nodes.begin(), where->nodes.end(), std::back_inserter(nodes_),
                 [&](int node) { return node < mesh().n_owned_nodes; });
  }
  const std::vector<double> weights = targets_.front().projection->node_weights();
  double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, mesh().comm);
  for (int node : nodes_) scale_.push_back(std::sqrt(weights[node] / sum * static_cast<double>(mesh().n_global_nodes)));
}

DesignVector InitialField::start() const {
  const int dim = mesh().dim;
  DesignVector x;
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    for (int i = 0; i < dim; ++i) x.local.push_back(scale_[k] * start_[std::size_t(nodes_[k]) * dim + i]);
  return x;
}

DesignVector InitialField::upper() const {
  DesignVector x;
  for (double s : scale_) x.local.insert(x.local.end(), mesh().dim, s * largest_);
  return x;
}

DesignVector InitialField::lower() const {
  DesignVector x = upper();
  x.scale(-1.0);
  return x;
}

std::vector<double> InitialField::filled(const DesignVector& theta, std::vector<double> w) const {
  const int dim = mesh().dim;
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    for (int i = 0; i < dim; ++i) w[std::size_t(nodes_[k]) * dim + i] = theta.local[k * dim + i] / scale_[k];
  return w;
}

void InitialField::want(std::vector<Controls>& d_bar) const {
  for (const Target& t : targets_)
    for (int control : {t.control, t.source})
      if (control >= 0) d_bar[t.case_index][control].assign(start_.size(), 0.0);
}

// ---- forward, then reverse ----------------------------------------------------------------------

Evaluation InitialField::apply(const DesignVector& theta, std::vector<Controls>& d) {
  const std::vector<double> w = filled(theta, start_);
  for (const Target& t : targets_) {
    Controls& of_case = d[t.case_index];
    if (t.source >= 0) of_case[t.source] = t.projection->completed(w);
    if (const Evaluation e = t.projection->apply(w, of_case, of_case[t.control]); !e.ok) return e;
  }
  return Evaluation::success(0);
}

Evaluation InitialField::jvp(const DesignVector&, const DesignVector& theta_dot, std::vector<Controls>& d_dot) {
  const std::vector<double> w_dot = filled(theta_dot, std::vector<double>(start_.size(), 0.0));
  for (const Target& t : targets_) {
    Controls& of_case = d_dot[t.case_index];
    if (t.source >= 0) of_case[t.source] = t.projection->completed(w_dot);
    if (const Evaluation e = t.projection->jvp(w_dot, of_case, of_case[t.control]); !e.ok) return e;
  }
  return Evaluation::success(0);
}

Evaluation InitialField::vjp(const DesignVector&, std::vector<Controls>& d_bar, DesignVector& theta_bar) {
  const int dim = mesh().dim;
  for (const Target& t : targets_) {
    std::vector<double> w_bar;
    Controls& of_case = d_bar[t.case_index];
    if (const Evaluation e = t.projection->vjp(of_case[t.control], w_bar, of_case); !e.ok) return e;
    if (t.source >= 0)
      for (std::size_t i = 0; i < w_bar.size(); ++i) w_bar[i] += of_case[t.source][i];
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      for (int i = 0; i < dim; ++i) theta_bar.local[k * dim + i] += w_bar[std::size_t(nodes_[k]) * dim + i] / scale_[k];
  }
  return Evaluation::success(0);
}

Evaluation InitialField::vjp_tangent(const DesignVector& theta, const DesignVector&, const std::vector<Controls>&, std::vector<Controls>& d_bar_dot,
                                     DesignVector& theta_bar_dot) {
  for (const Target& t : targets_)
    if (t.projection->wants_shape(d_bar_dot[t.case_index]))
      return Evaluation::failure("an initial field that is designed together with a shape has no second derivatives");
  return vjp(theta, d_bar_dot, theta_bar_dot);
}

}  // namespace invar
