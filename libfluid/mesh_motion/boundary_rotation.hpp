#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "libfem/math/dual.hpp"
#include "libfem/math/dual_functions.hpp"
#include "libfem/math/tensor.hpp"

namespace invar {

/// Rotations of the nodes of a moving boundary. Each facet rotates by the smallest rotation of its direction (2-D: of the segment, 3-D: of
/// the normal), as a Rodrigues vector tan(θ/2) a; a node by the mean of its facets, weighted by their sizes. Rodrigues vectors are rational
/// functions, so everything is smooth up to half a turn. T: double, or a Dual with a direction.
template <int Dim>
class BoundaryRotation {
 public:
  static constexpr int n_tilt = Dim == 2 ? 1 : 3, n_matrix = Dim * Dim;
  struct Facet {
    std::vector<int> nodes;      // of the boundary; its n_vertices vertices first
    int n_vertices;
  };

  BoundaryRotation() = default;
  /// places: [node × Dim], m
  BoundaryRotation(std::vector<Facet> facets, const std::vector<double>& places) : facets_(std::move(facets)), size_at_(places.size() / Dim, 0.0) {
    for (const Facet& f : facets_) {
      const Vector<double, Dim> d = direction(f, places);
      const double length = std::sqrt(dot(d, d));
      initial_.push_back((1 / length) * d);
      size_.push_back(Dim == 2 ? length : 0.5 * length);
      for (const int k : f.nodes) size_at_[k] += size_.back();
    }
  }

  /// R − I of every node, [node × Dim × Dim], for nodes at `places`.
  template <class T>
  std::vector<T> turns(const std::vector<T>& places) const {
    std::vector<T> tilt = tilts(places), out(size_at_.size() * n_matrix, T(0.0));
    for (std::size_t k = 0; k < size_at_.size(); ++k)
      if (size_at_[k] > 0) put(matrix(of_node(tilt, k)), &out[k * n_matrix]);
    return out;
  }

  /// places_bar += (∂turns/∂places)ᵀ turns_bar
  template <class T>
  void turns_vjp(const std::vector<T>& places, const std::vector<T>& turns_bar, std::vector<T>& places_bar) const {
    const std::vector<T> tilt = tilts(places);
    std::vector<T> tilt_bar(tilt.size(), T(0.0));
    for (std::size_t k = 0; k < size_at_.size(); ++k) {
      if (size_at_[k] == 0) continue;
      const auto m = matrix(seeded(of_node(tilt, k)));
      for (int c = 0; c < n_tilt; ++c)
        for (int e = 0; e < n_matrix; ++e) tilt_bar[k * n_tilt + c] += m.entries[e].grad[c] * turns_bar[k * n_matrix + e];
    }
    for (std::size_t i = 0; i < facets_.size(); ++i) {
      const Facet& f = facets_[i];
      const Vector<T, Dim> d = direction(f, places);
      const auto of_facet = tilt_of(initial_[i], seeded(d));
      Vector<T, Dim> d_bar{};
      for (const int k : f.nodes)
        for (int c = 0; c < n_tilt; ++c)
          for (int j = 0; j < Dim; ++j) d_bar[j] += of_facet[c].grad[j] * (size_[i] / size_at_[k]) * tilt_bar[k * n_tilt + c];
      add_direction_vjp(f, places, d_bar, places_bar);
    }
  }

 private:
  template <class T>
  static Vector<T, Dim> at(const std::vector<T>& places, int node) {
    Vector<T, Dim> x;
    for (int j = 0; j < Dim; ++j) x[j] = places[std::size_t(node) * Dim + j];
    return x;
  }
  template <class T>
  static void add_at(std::vector<T>& bar, int node, const Vector<T, Dim>& v) {
    for (int j = 0; j < Dim; ++j) bar[std::size_t(node) * Dim + j] += v[j];
  }
  /// End points of the two edges whose cross product is the normal.
  static std::array<int, 4> edges(const Facet& f) {
    return f.n_vertices == 4 ? std::array{f.nodes[0], f.nodes[2], f.nodes[1], f.nodes[3]} : std::array{f.nodes[0], f.nodes[1], f.nodes[0], f.nodes[2]};
  }
  template <class T>
  static Vector<T, Dim> direction(const Facet& f, const std::vector<T>& places) {
    if constexpr (Dim == 2) {
      return at(places, f.nodes[1]) - at(places, f.nodes[0]);
    } else {
      const auto e = edges(f);
      return cross(at(places, e[1]) - at(places, e[0]), at(places, e[3]) - at(places, e[2]));
    }
  }
  template <class T>
  static void add_direction_vjp(const Facet& f, const std::vector<T>& places, const Vector<T, Dim>& bar, std::vector<T>& places_bar) {
    if constexpr (Dim == 2) {
      add_at(places_bar, f.nodes[1], bar);
      add_at(places_bar, f.nodes[0], Vector<T, 2>(-1.0 * bar));
    } else {
      const auto e = edges(f);
      const Vector<T, 3> a = at(places, e[1]) - at(places, e[0]), b = at(places, e[3]) - at(places, e[2]);
      const Vector<T, 3> a_bar = cross(b, bar), b_bar = cross(bar, a);
      add_at(places_bar, e[1], a_bar), add_at(places_bar, e[0], Vector<T, 3>(-1.0 * a_bar));
      add_at(places_bar, e[3], b_bar), add_at(places_bar, e[2], Vector<T, 3>(-1.0 * b_bar));
    }
  }
  template <class T, int N>
  static Vector<Dual<T, N>, N> seeded(const Vector<T, N>& v) {
    Vector<Dual<T, N>, N> out;
    for (int j = 0; j < N; ++j) out[j] = Dual<T, N>::variable(v[j], j);
    return out;
  }
  /// Rodrigues vector of the smallest rotation from the unit vector `from` to the direction of `to`.
  template <class T>
  static Vector<T, n_tilt> tilt_of(const Vector<double, Dim>& from, const Vector<T, Dim>& to) {
    const T length = sqrt(dot(to, to)), scale = 1.0 / (length + dot(from, to));
    if constexpr (Dim == 2) return {scale * (from[0] * to[1] - from[1] * to[0])};
    else return scale * cross(from, to);
  }
  template <class T>
  std::vector<T> tilts(const std::vector<T>& places) const {
    std::vector<T> tilt(size_at_.size() * n_tilt, T(0.0));
    for (std::size_t i = 0; i < facets_.size(); ++i) {
      const Vector<T, n_tilt> mine = tilt_of(initial_[i], direction(facets_[i], places));
      for (const int k : facets_[i].nodes)
        for (int c = 0; c < n_tilt; ++c) tilt[std::size_t(k) * n_tilt + c] += (size_[i] / size_at_[k]) * mine[c];
    }
    return tilt;
  }
  template <class T>
  static Vector<T, n_tilt> of_node(const std::vector<T>& tilt, std::size_t k) {
    Vector<T, n_tilt> t;
    for (int c = 0; c < n_tilt; ++c) t[c] = tilt[k * n_tilt + c];
    return t;
  }
  /// R − I = 2 ([t] + [t]²)/(1 + |t|²)
  template <class T>
  static Matrix<T, Dim, Dim> matrix(const Vector<T, n_tilt>& t) {
    const T scale = 2.0 / (1.0 + dot(t, t));
    if constexpr (Dim == 2) {
      const T diagonal = -scale * t[0] * t[0], other = scale * t[0];
      return {diagonal, -1.0 * other, other, diagonal};
    } else {
      Matrix<T, 3, 3> m;
      const T square = dot(t, t);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m(i, j) = scale * (t[i] * t[j] - (i == j ? square : T(0.0)));
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        m(j, i) += scale * t[k], m(i, j) -= scale * t[k];
      }
      return m;
    }
  }
  template <class T>
  static void put(const Matrix<T, Dim, Dim>& m, T* out) {
    for (int e = 0; e < n_matrix; ++e) out[e] = m.entries[e];
  }

  std::vector<Facet> facets_;
  std::vector<Vector<double, Dim>> initial_;  // unit directions
  std::vector<double> size_, size_at_;        // of facets; sums at nodes
};

}  // namespace invar
