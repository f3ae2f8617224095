#include "libfem/contact/surface_measure.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numbers>

#include "libfem/contact/facet_lattice.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {

SurfaceMeasure::SurfaceMeasure(const ContactSurface& surface, bool axisymmetric)
    : surface_(&surface), axisymmetric_(axisymmetric), piece_rule_{3, {1.0 / 6}, {1, 0, 0}, {-1, 1, 0, -1, 0, 1}} {
  std::map<std::array<int, 3>, int> known;
  for (int f = 0; f < surface.n_facets(); ++f) {
    const CellType type = surface.facet_type[f];
    const int n = surface.facet_divisions[f];
    const auto [found, is_new] =
        known.try_emplace({static_cast<int>(type.shape), type.order, n}, static_cast<int>(rules_.size()));
    rule_of_facet_.push_back(found->second);
    if (!is_new) continue;
    const auto points = lattice_points(type.shape, n);
    const int width = node_count(type), m = surface.dim - 1;
    Rule rule{width, lattice_weights(type, n), {}, {}};
    rule.value.resize(points.size() * width);
    rule.gradient.resize(points.size() * width * m);
    std::vector<double> gradient(static_cast<std::size_t>(width) * m);
    for (std::size_t k = 0; k < points.size(); ++k) {
      shape_values(type, points[k].data(), rule.value.data() + k * width);
      shape_gradients(type, points[k].data(), gradient.data());
      for (int a = 0; a < width; ++a)
        for (int j = 0; j < m; ++j) rule.gradient[(k * m + j) * width + a] = gradient[a * m + j];
    }
    rules_.push_back(std::move(rule));
  }
}

template <class T, int D>
T SurfaceMeasure::local_measure(const Vector<T, D*(D - 1) + 1>& at) const {
  T stretch;
  if constexpr (D == 2)
    stretch = norm(Vector<T, 2>{at[0], at[1]});
  else
    stretch = norm(cross(Vector<T, 3>{at[0], at[1], at[2]}, Vector<T, 3>{at[3], at[4], at[5]}));
  return axisymmetric_ ? T(stretch * at[D * (D - 1)] * (2 * std::numbers::pi)) : stretch;
}

template <int D>
SurfaceMeasure::Local<D> SurfaceMeasure::gather(const Rule& rule, int point, const int* nodes, const double* X) {
  Local<D> at{};
  for (int a = 0; a < rule.n_nodes; ++a) {
    const double* x = X + static_cast<std::ptrdiff_t>(nodes[a]) * D;
    for (int j = 0; j < D - 1; ++j)
      for (int d = 0; d < D; ++d) at[j * D + d] += rule.gradient[(point * (D - 1) + j) * rule.n_nodes + a] * x[d];
    at[D * (D - 1)] += rule.value[point * rule.n_nodes + a] * x[0];
  }
  return at;
}

template <int D>
void SurfaceMeasure::scatter(const Rule& rule, int point, const int* nodes, const Local<D>& bar, double* X_bar) {
  for (int a = 0; a < rule.n_nodes; ++a) {
    double* x = X_bar + static_cast<std::ptrdiff_t>(nodes[a]) * D;
    for (int j = 0; j < D - 1; ++j)
      for (int d = 0; d < D; ++d) x[d] += rule.gradient[(point * (D - 1) + j) * rule.n_nodes + a] * bar[j * D + d];
    x[0] += rule.value[point * rule.n_nodes + a] * bar[D * (D - 1)];
  }
}

template <class Visit>
void SurfaceMeasure::for_facets(Visit visit) const {
  for (int f = 0; f < surface_->n_facets(); ++f) {
    const Rule& rule = rules_[rule_of_facet_[f]];
    const int* nodes = surface_->facet_node.data() + surface_->facet_begin[f];
    const int* samples = surface_->facet_sample.data() + surface_->facet_sample_begin[f];
    for (int k = 0; k < static_cast<int>(rule.weight.size()); ++k)
      visit(rule, k, nodes, std::array{samples[k]},
            std::array{rule.weight[k] * surface_->sample_share[samples[k]]});
  }
}

template <class Visit>
void SurfaceMeasure::for_pieces(Visit visit) const {
  for (std::size_t p = 0; p < surface_->piece_edges.size(); ++p) {
    std::array<int, 3> targets = surface_->piece_edges[p];
    const double third = piece_rule_.weight[0];
    for (int& target : targets) target += surface_->n_samples;
    visit(piece_rule_, 0, surface_->pieces[p].data(), targets, std::array{third, third, third});
  }
}

template <int D>
void SurfaceMeasure::add_values(const double* X, double* w) const {
  const auto add = [&](const double* at_nodes) {
    return
        [this, at_nodes, w](const Rule& rule, int point, const int* nodes, const auto& targets, const auto& weights) {
          const double measure = local_measure<double, D>(gather<D>(rule, point, nodes, at_nodes));
          for (std::size_t k = 0; k < targets.size(); ++k) w[targets[k]] += weights[k] * measure;
        };
  };
  for_facets(add(X));
  if (D == 2) return;
  const SurfacePosition rest = surface_->position(X, nullptr);
  for_pieces(add(rest.X.data()));
}

template <int D>
void SurfaceMeasure::add_jvp(const double* X, const double* X_dot, double* w_dot) const {
  using T = Dual<double, 1>;
  const auto add = [&](const double* at_nodes, const double* rates) {
    return [=, this](const Rule& rule, int point, const int* nodes, const auto& targets, const auto& weights) {
      const Local<D> at = gather<D>(rule, point, nodes, at_nodes), rate = gather<D>(rule, point, nodes, rates);
      Vector<T, D*(D - 1) + 1> moving;
      for (int q = 0; q < D * (D - 1) + 1; ++q) moving[q].value = at[q], moving[q].grad[0] = rate[q];
      const T measure = local_measure<T, D>(moving);
      for (std::size_t k = 0; k < targets.size(); ++k) w_dot[targets[k]] += weights[k] * measure.grad[0];
    };
  };
  for_facets(add(X, X_dot));
  if (D == 2) return;
  const SurfacePosition rest = surface_->position(X, X_dot);
  for_pieces(add(rest.X.data(), rest.u.data()));
}

template <int D>
void SurfaceMeasure::add_vjp(const double* X, const double* w_bar, double* X_bar) const {
  constexpr int size = D * (D - 1) + 1;
  using T = Dual<double, size>;
  const auto add = [&](const double* at_nodes, double* bars) {
    return [=, this](const Rule& rule, int point, const int* nodes, const auto& targets, const auto& weights) {
      double weight = 0;
      for (std::size_t k = 0; k < targets.size(); ++k) weight += weights[k] * w_bar[targets[k]];
      const Local<D> at = gather<D>(rule, point, nodes, at_nodes);
      Vector<T, size> moving;
      for (int q = 0; q < size; ++q) moving[q] = T::variable(at[q], q);
      const T measure = local_measure<T, D>(moving);
      Local<D> bar;
      for (int q = 0; q < size; ++q) bar[q] = weight * measure.grad[q];
      scatter<D>(rule, point, nodes, bar, bars);
    };
  };
  for_facets(add(X, X_bar));
  if (D == 2) return;
  const SurfacePosition rest = surface_->position(X, nullptr);
  std::vector<double> bars(rest.X.size(), 0);
  for_pieces(add(rest.X.data(), bars.data()));
  surface_->scatter(bars.data(), D, X_bar);
}

template <int D>
void SurfaceMeasure::add_vjp_tangent(const double* X, const double* X_dot, const double* w_bar, const double* w_bar_dot,
                                     double* X_bar_dot) const {
  constexpr int size = D * (D - 1) + 1;
  using S = Dual<double, 1>;
  using T = Dual<S, size>;
  const auto add = [&](const double* at_nodes, const double* rates, double* bars) {
    return [=, this](const Rule& rule, int point, const int* nodes, const auto& targets, const auto& weights) {
      S weight(0.0);
      for (std::size_t k = 0; k < targets.size(); ++k) {
        weight.value += weights[k] * w_bar[targets[k]];
        weight.grad[0] += weights[k] * w_bar_dot[targets[k]];
      }
      const Local<D> at = gather<D>(rule, point, nodes, at_nodes), rate = gather<D>(rule, point, nodes, rates);
      Vector<T, size> moving;
      for (int q = 0; q < size; ++q) {
        S x(at[q]);
        x.grad[0] = rate[q];
        moving[q] = T::variable(x, q);
      }
      const T measure = local_measure<T, D>(moving);
      Local<D> bar;
      for (int q = 0; q < size; ++q) bar[q] = (weight * measure.grad[q]).grad[0];
      scatter<D>(rule, point, nodes, bar, bars);
    };
  };
  for_facets(add(X, X_dot, X_bar_dot));
  if (D == 2) return;
  const SurfacePosition rest = surface_->position(X, X_dot);
  std::vector<double> bars(rest.X.size(), 0);
  for_pieces(add(rest.X.data(), rest.u.data(), bars.data()));
  surface_->scatter(bars.data(), D, X_bar_dot);
}

void SurfaceMeasure::values(const double* X, double* w) const {
  std::fill(w, w + size(), 0.0);
  surface_->dim == 2 ? add_values<2>(X, w) : add_values<3>(X, w);
}

void SurfaceMeasure::jvp(const double* X, const double* X_dot, double* w_dot) const {
  std::fill(w_dot, w_dot + size(), 0.0);
  surface_->dim == 2 ? add_jvp<2>(X, X_dot, w_dot) : add_jvp<3>(X, X_dot, w_dot);
}

void SurfaceMeasure::vjp(const double* X, const double* w_bar, double* X_bar) const {
  surface_->dim == 2 ? add_vjp<2>(X, w_bar, X_bar) : add_vjp<3>(X, w_bar, X_bar);
}

void SurfaceMeasure::vjp_tangent(const double* X, const double* X_dot, const double* w_bar, const double* w_bar_dot,
                                 double* X_bar_dot) const {
  surface_->dim == 2 ? add_vjp_tangent<2>(X, X_dot, w_bar, w_bar_dot, X_bar_dot)
                     : add_vjp_tangent<3>(X, X_dot, w_bar, w_bar_dot, X_bar_dot);
}

}  // namespace invar
