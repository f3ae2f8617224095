#include "libfem/objective/extreme_position.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace invar {
namespace {

double reduced(double v, MPI_Op op, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &v, 1, MPI_DOUBLE, op, comm);
  return v;
}

}  // namespace

ExtremePosition::ExtremePosition(std::shared_ptr<FormResidual> residual, const std::string& name, int component,
                                 Kind kind, double sharpness)
    : residual_(std::move(residual)), component_(component) {
  const Mesh& mesh = residual_->dofs().mesh();
  const Region* region = mesh.find_region(name);
  if (!region) throw std::invalid_argument("the mesh has no region '" + name + "'");
  for (int node : region->nodes)
    if (node < mesh.n_owned_nodes) nodes_.push_back(node);
  double size = 0;
  for (int i = 0; i < mesh.dim; ++i) {
    double low = INFINITY, high = -INFINITY;
    for (int node : nodes_) {
      low = std::min(low, mesh.coordinates[std::size_t(node) * mesh.dim + i]);
      high = std::max(high, mesh.coordinates[std::size_t(node) * mesh.dim + i]);
    }
    size = std::max(size, reduced(high, MPI_MAX, mesh.comm) - reduced(low, MPI_MIN, mesh.comm));
  }
  if (!(size > 0)) throw std::invalid_argument("the region '" + name + "' is a point");
  k_ = (kind == Kind::greatest ? sharpness : -sharpness) / size;
}

/// The largest exponent is subtracted to avoid overflow.
std::vector<double> ExtremePosition::shares(const Setting& given, double* value) const {
  const std::vector<double>& x = residual_->coordinates(given);
  double largest = -INFINITY, sum = 0;
  for (int node : nodes_) largest = std::max(largest, k_ * x[place(node)]);
  largest = reduced(largest, MPI_MAX, residual_->comm());
  std::vector<double> s;
  for (int node : nodes_) {
    s.push_back(std::exp(k_ * x[place(node)] - largest));
    sum += s.back();
  }
  sum = reduced(sum, MPI_SUM, residual_->comm());
  for (double& v : s) v /= sum;
  if (value) *value = (largest + std::log(sum)) / k_;
  return s;
}

double ExtremePosition::mean(const std::vector<double>& shares, const double* x_dot) const {
  double sum = 0;
  for (std::size_t i = 0; i < nodes_.size() && x_dot; ++i) sum += shares[i] * x_dot[place(nodes_[i])];
  return reduced(sum, MPI_SUM, residual_->comm());
}

const double* ExtremePosition::direction(const Controls* d_dot) const {
  const int control = residual_->coordinates_control();
  return control < 0 || !d_dot || (*d_dot)[control].empty() ? nullptr : (*d_dot)[control].data();
}

void ExtremePosition::evaluate(const EvaluationPoint& u, double* y) { shares(u.given, y); }

// ---- forward, then reverse: with shares s_i, ẏ = Σ s_i ẋ_i and ṡ_i = k s_i (ẋ_i − ẏ) ------------------

void ExtremePosition::jvp(const EvaluationPoint& u, const State&, const Controls* d_dot, double* y_dot) {
  *y_dot = mean(shares(u.given), direction(d_dot));
}

void ExtremePosition::vjp(const EvaluationPoint& u, const double* y_bar, const State&, Controls* d_bar) {
  const std::vector<double> s = shares(u.given);
  const int control = residual_->coordinates_control();
  if (control < 0 || !d_bar || (*d_bar)[control].empty()) return;
  for (std::size_t i = 0; i < nodes_.size(); ++i) (*d_bar)[control][place(nodes_[i])] += y_bar[0] * s[i];
}

void ExtremePosition::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State&,
                                 const Controls* d_dot, const State&, Controls* d_bar_dot) {
  const std::vector<double> s = shares(u.given);
  const double* x_dot = direction(d_dot);
  const double y_dot = mean(s, x_dot), moved = y_bar_dot ? y_bar_dot[0] : 0.0;
  const int control = residual_->coordinates_control();
  if (control < 0 || !d_bar_dot || (*d_bar_dot)[control].empty()) return;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const double bend = x_dot ? k_ * s[i] * (x_dot[place(nodes_[i])] - y_dot) : 0.0;
    (*d_bar_dot)[control][place(nodes_[i])] += y_bar[0] * bend + moved * s[i];
  }
}

}  // namespace invar
