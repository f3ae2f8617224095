#include "libfem/mesh/node_order.hpp"

#include <algorithm>
#include <utility>

namespace invar {
namespace {

class NodeOrder {
 public:
  NodeOrder(const NodeCells& incidence, const std::vector<int>& owner, int rank)
      : incidence_(incidence), owner_(owner), rank_(rank), node_seen_(owner.size(), 0),
        cell_seen_(incidence.cell_total(), 0) {
    for (size_t node = 0; node < owner.size(); ++node)
      if (owner[node] == rank && !node_seen_[node]) number_component(static_cast<int>(node));
    std::ranges::reverse(order_);
  }
  std::vector<int> take() { return std::move(order_); }

 private:
  bool has_lower_degree(int a, int b) const {
    return incidence_.cells_of(a).size() < incidence_.cells_of(b).size();
  }

  void number_component(int start) {
    const size_t first = order_.size();
    for (int levels = sweep(start);;) {
      const int far = *std::min_element(order_.begin() + last_level_, order_.end(),
                                        [&](int a, int b) { return has_lower_degree(a, b); });
      forget(first);
      const int found = sweep(far);
      if (found <= levels) return;
      levels = found;
    }
  }

  /// Appends all nodes that can be reached, breadth first; returns the number of levels.
  int sweep(int start) {
    size_t i = order_.size();
    int levels = 0;
    order_.push_back(start);
    node_seen_[start] = 1;
    for (; i < order_.size(); ++levels) {
      last_level_ = i;
      for (const size_t end = order_.size(); i < end; ++i) append_neighbours(order_[i]);
    }
    return levels;
  }

  void append_neighbours(int node) {
    const size_t first = order_.size();
    for (int cell : incidence_.cells_of(node)) {
      if (std::exchange(cell_seen_[cell], 1)) continue;
      for (int other : incidence_.nodes_of(cell))
        if (owner_[other] == rank_ && !std::exchange(node_seen_[other], 1)) order_.push_back(other);
    }
    std::stable_sort(order_.begin() + first, order_.end(),
                     [&](int a, int b) { return has_lower_degree(a, b); });
  }

  void forget(size_t first) {
    for (size_t i = first; i < order_.size(); ++i) {
      node_seen_[order_[i]] = 0;
      for (int cell : incidence_.cells_of(order_[i])) cell_seen_[cell] = 0;
    }
    order_.resize(first);
  }

  const NodeCells& incidence_;
  const std::vector<int>& owner_;
  int rank_;
  std::vector<char> node_seen_, cell_seen_;
  std::vector<int> order_;
  size_t last_level_ = 0;  // where it begins in order_
};

}  // namespace

std::vector<int> order_nodes(const NodeCells& incidence, const std::vector<int>& owner, int rank) {
  return NodeOrder(incidence, owner, rank).take();
}

}  // namespace invar
