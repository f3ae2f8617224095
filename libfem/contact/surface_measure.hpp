#pragma once
#include <vector>

#include "libfem/contact/contact_surface.hpp"

namespace invar {

/// Weights (undeformed areas) of the samples and edges of a contact surface as functions of the nodes' coordinates: [n_samples +
/// n_edges] numbers (no edges in 2-D).
///   w_s = share_s Σ_facets ω_s √det(∂X/∂ξᵀ ∂X/∂ξ)(ξ_s), m² (m in 2-D; times 2π r, m², where axisymmetric: r is the first
///         coordinate). ω ≥ 0 integrates the facet's shape functions exactly (`lattice_weights`); the share is 1 but at
///         creases (`ContactSurface::sample_share`).
///   A_e, a third of the area of the pieces at the edge, m².
/// The energy of contact is Σ ½ w_s κ σ b(d(s, f); d̂) + Σ ¼ (A_e + A_e') κ m b(d(e, e'); ρ d̂), ρ of
/// `ContactSurface::edge_reach`, m of `edge_edge_factor`.
class SurfaceMeasure {
 public:
  /// The surface must outlive it.
  explicit SurfaceMeasure(const ContactSurface& surface, bool axisymmetric = false);

  int size() const { return surface_->n_samples + surface_->n_edges(); }

  // X, X_dot, X_bar [node × dim]; w, w_dot, w_bar [size()]. Transposed products add.
  void values(const double* X, double* w) const;
  void jvp(const double* X, const double* X_dot, double* w_dot) const;
  void vjp(const double* X, const double* w_bar, double* X_bar) const;
  /// The derivative of vjp's result along (X_dot, w_bar_dot).
  void vjp_tangent(const double* X, const double* X_dot, const double* w_bar, const double* w_bar_dot,
                   double* X_bar_dot) const;

 private:
  /// Weights and shape functions of a kind of facet at the points of its lattice.
  struct Rule {
    int n_nodes = 0;
    std::vector<double> weight;    // ω [point]
    std::vector<double> value;     // [point × node]
    std::vector<double> gradient;  // [point × direction × node]
  };
  /// Tangents ∂X/∂ξ by columns, then the radius.
  template <int D>
  using Local = Vector<double, D*(D - 1) + 1>;

  template <class T, int D>
  T local_measure(const Vector<T, D*(D - 1) + 1>& at) const;
  template <int D>
  static Local<D> gather(const Rule& rule, int point, const int* nodes, const double* X);
  template <int D>
  static void scatter(const Rule& rule, int point, const int* nodes, const Local<D>& bar, double* X_bar);
  /// visit(rule, point, nodes, ω, targets, n_targets) at all points of all facets; targets: positions in w.
  template <class Visit>
  void for_facets(Visit visit) const;
  /// The same for all pieces with edges, whose nodes are samples; visit(rule, 0, samples, 1, edges of the piece).
  template <class Visit>
  void for_pieces(Visit visit) const;
  template <int D>
  void add_values(const double* X, double* w) const;
  template <int D>
  void add_jvp(const double* X, const double* X_dot, double* w_dot) const;
  template <int D>
  void add_vjp(const double* X, const double* w_bar, double* X_bar) const;
  template <int D>
  void add_vjp_tangent(const double* X, const double* X_dot, const double* w_bar, const double* w_bar_dot,
                       double* X_bar_dot) const;

  const ContactSurface* surface_;
  bool axisymmetric_;
  std::vector<Rule> rules_;
  std::vector<int> rule_of_facet_;
  Rule piece_rule_;  // a third of the area
};

}  // namespace invar
