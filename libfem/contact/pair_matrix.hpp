#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "libfem/contact/contact_surface.hpp"
#include "libfem/form/assembled_matrix.hpp"

namespace invar {

/// Assembles matrices of contact pairs into a nodal matrix.
class PairMatrix {
 public:
  PairMatrix(const ContactSurface& surface, AssembledMatrix& K) : surface_(surface), K_(K), known_(n_known) {}

  /// vertices: the base, then N others; D [N · Dim]²: ∂force/∂(positions relative to the base), weighted.
  template <int N, int Dim>
  void add(const int* vertices, const double* D) {
    count_ = 0;
    for (int k = 1; k <= N; ++k) collect<N, Dim>(vertices[k], k - 1, k, 1);
    collect<N, Dim>(vertices[0], 0, N, -1);
    const int n_owned = K_.dofs().mesh().n_owned_nodes;
    for (int a = 0; a < count_; ++a)
      if (nodes_[a].number < n_owned) find_places<Dim>(a);
    for (int a = 0; a < count_; ++a) {
      const Node& row = nodes_[a];
      if (row.number >= n_owned) continue;
      double force[Dim * N * Dim] = {};  // derivative of the node's force by the relative positions
      for (int k = row.first; k < row.last; ++k)
        for (int j = 0; j < Dim * N * Dim; ++j) force[j] += row.share[k] * D[k * Dim * N * Dim + j];
      for (int b = 0; b < count_; ++b) {
        const Node& column = nodes_[b];
        double block[Dim * Dim] = {};
        for (int l = column.first; l < column.last; ++l)
          for (int i = 0; i < Dim; ++i)
            for (int j = 0; j < Dim; ++j) block[i * Dim + j] += column.share[l] * force[(i * N + l) * Dim + j];
        add_block<Dim>(row, column, places_[a][b], block);
      }
    }
  }

 private:
  static constexpr int most_nodes = 36, most_others = 3;  // of four samples on facets of nine nodes
  static constexpr std::size_t n_known = 8192;

  /// Contribution of a node to the relative positions: `share` in those from `first` to `last` (excluded).
  struct Node {
    int number, first, last;
    double share[most_others];
    int dof[3], column[3];  // of the displacement: local numbers, relative to the node's first
    bool held[3], simple;   // simple: none is prescribed, and their numbers are consecutive
  };
  struct Place {
    std::int64_t key = -1;
    int offset = 0;
  };

  /// Adds the nodes of a sample with the factor `sign` for the relative positions from `first` to `last`.
  template <int N, int Dim>
  void collect(int sample, int first, int last, double sign) {
    for (int i = surface_.sample_begin[sample]; i < surface_.sample_begin[sample + 1]; ++i) {
      const int number = surface_.sample_node[i];
      int a = 0;
      while (a < count_ && nodes_[a].number != number) ++a;
      Node& node = nodes_[a];
      if (a == count_) {
        ++count_;
        node.number = number, node.first = first, node.last = last;
        std::fill(node.share, node.share + N, 0.0);
        find_dofs<Dim>(node);
      }
      node.first = std::min(node.first, first), node.last = std::max(node.last, last);
      for (int k = first; k < last; ++k) node.share[k] += sign * surface_.sample_value[i];
    }
  }

  template <int Dim>
  void find_dofs(Node& node) const {
    const DofMap& dofs = K_.dofs();
    for (int i = 0; i < Dim; ++i) {
      node.dof[i] = dofs.dof(node.number, i), node.column[i] = node.dof[i] - dofs.first_dof(node.number);
      node.held[i] = K_.constrained()[node.dof[i]] != 0;
    }
    node.simple = true;
    for (int i = 0; i < Dim; ++i) node.simple = node.simple && !node.held[i] && node.dof[i] == node.dof[0] + i;
  }

  /// Cached, as pairs of the same nodes occur close to each other.
  int offset(int a, int b) {
    const std::int64_t key = (static_cast<std::int64_t>(a) << 32) | static_cast<std::uint32_t>(b);
    Place& place = known_[(static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15u) >> 51];
    if (place.key != key) place = {key, K_.pattern()->offset(a, b)};
    return place.offset;
  }

  /// Offsets of node a's blocks; also prefetches their memory, because access latency dominates the cost.
  template <int Dim>
  void find_places(int a) {
    for (int b = 0; b < count_; ++b) {
      places_[a][b] = offset(nodes_[a].number, nodes_[b].number);
      for (int i = 0; i < Dim; ++i) __builtin_prefetch(K_.row(nodes_[a].dof[i], places_[a][b]), 1);
    }
  }

  template <int Dim>
  void add_block(const Node& a, const Node& b, int place, const double* block) {
    if (a.simple && b.simple) {
      for (int i = 0; i < Dim; ++i) {
        double* target = K_.row(a.dof[i], place) + b.column[0];
        for (int j = 0; j < Dim; ++j) target[j] += block[i * Dim + j];
      }
      return;
    }
    for (int i = 0; i < Dim; ++i) {
      if (a.held[i]) continue;
      double* target = K_.row(a.dof[i], place);
      for (int j = 0; j < Dim; ++j)
        if (!b.held[j]) target[b.column[j]] += block[i * Dim + j];
    }
  }

  const ContactSurface& surface_;
  AssembledMatrix& K_;
  int count_ = 0;
  std::array<Node, most_nodes> nodes_;
  std::array<std::array<int, most_nodes>, most_nodes> places_;
  std::vector<Place> known_;  // cache, indexed by a hash of both nodes
};

}  // namespace invar
