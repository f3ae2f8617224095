#include "libfem/objective/node_distance.hpp"

#include <cmath>

namespace invar {
namespace {

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace

NodeDistance::NodeDistance(std::shared_ptr<FormResidual> residual, const std::array<std::vector<double>, 2>& points,
                           std::array<double, 2>& offsets)
    : residual_(std::move(residual)) {
  const Mesh& mesh = residual_->dofs().mesh();
  int rank = 0;
  MPI_Comm_rank(residual_->comm(), &rank);
  for (int k = 0; k < 2; ++k) {
    struct { double distance; int rank; } here{INFINITY, rank}, nearest;
    int node = -1;
    for (int n = 0; n < mesh.n_owned_nodes; ++n) {
      double square = 0;
      for (int i = 0; i < mesh.dim; ++i) {
        const double d = mesh.coordinates[std::size_t(n) * mesh.dim + i] - points[k][i];
        square += d * d;
      }
      if (std::sqrt(square) < here.distance) here.distance = std::sqrt(square), node = n;
    }
    MPI_Allreduce(&here, &nearest, 1, MPI_DOUBLE_INT, MPI_MINLOC, residual_->comm());
    offsets[k] = nearest.distance;
    if (nearest.rank == rank) node_[k] = node;
  }
}

NodeDistance::Span NodeDistance::span(const double* nodal) const {
  const int dim = residual_->dofs().mesh().dim;
  Span s{};
  for (int k = 0; k < 2 && nodal; ++k)
    if (node_[k] >= 0)
      for (int i = 0; i < dim; ++i) s[i] += (k ? 1 : -1) * nodal[std::size_t(node_[k]) * dim + i];
  MPI_Allreduce(MPI_IN_PLACE, s.data(), 3, MPI_DOUBLE, MPI_SUM, residual_->comm());
  return s;
}

void NodeDistance::add(const Span& s, Controls* d_bar) const {
  const int control = residual_->coordinates_control(), dim = residual_->dofs().mesh().dim;
  if (control < 0 || !d_bar || (*d_bar)[control].empty()) return;
  for (int k = 0; k < 2; ++k)
    if (node_[k] >= 0)
      for (int i = 0; i < dim; ++i) (*d_bar)[control][std::size_t(node_[k]) * dim + i] += (k ? 1 : -1) * s[i];
}

const double* NodeDistance::direction(const Controls* d_dot) const {
  const int control = residual_->coordinates_control();
  return control < 0 || !d_dot || (*d_dot)[control].empty() ? nullptr : (*d_dot)[control].data();
}

void NodeDistance::evaluate(const EvaluationPoint& u, double* y) {
  const Span s = span(residual_->coordinates(u.given).data());
  *y = std::sqrt(dot(s, s));
}

// ---- forward, then reverse: with e = s/|s|, ẏ = e·ṡ and ė = (ṡ − e e·ṡ)/|s| -----------------------------

void NodeDistance::jvp(const EvaluationPoint& u, const State&, const Controls* d_dot, double* y_dot) {
  const Span s = span(residual_->coordinates(u.given).data()), s_dot = span(direction(d_dot));
  *y_dot = dot(s, s_dot) / std::sqrt(dot(s, s));
}

void NodeDistance::vjp(const EvaluationPoint& u, const double* y_bar, const State&, Controls* d_bar) {
  Span s = span(residual_->coordinates(u.given).data());
  const double length = std::sqrt(dot(s, s));
  for (double& v : s) v *= y_bar[0] / length;
  add(s, d_bar);
}

void NodeDistance::vjp_tangent(const EvaluationPoint& u, const double* y_bar, const double* y_bar_dot, const State&,
                               const Controls* d_dot, const State&,
                               Controls* d_bar_dot) {
  const Span s = span(residual_->coordinates(u.given).data()), s_dot = span(direction(d_dot));
  const double length = std::sqrt(dot(s, s)), stretch = dot(s, s_dot) / (length * length);
  Span out;
  for (int i = 0; i < 3; ++i)
    out[i] = y_bar[0] * (s_dot[i] - s[i] * stretch) / length + (y_bar_dot ? y_bar_dot[0] : 0.0) * s[i] / length;
  add(out, d_bar_dot);
}

}  // namespace invar
