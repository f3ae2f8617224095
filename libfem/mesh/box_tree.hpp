#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace invar {

/// Axis-parallel box; unused dimensions are [0, 0].
struct Box {
  std::array<double, 3> low{}, high{};

  double distance(const std::array<double, 3>& point) const {
    double square = 0;
    for (int d = 0; d < 3; ++d) {
      const double outside = std::max({low[d] - point[d], point[d] - high[d], 0.0});
      square += outside * outside;
    }
    return std::sqrt(square);
  }
  void cover(const Box& other) {
    for (int d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], other.low[d]);
      high[d] = std::max(high[d], other.high[d]);
    }
  }
};

/// Bounding-volume tree over boxes, to find what is near a point.
class BoxTree {
 public:
  BoxTree() = default;
  explicit BoxTree(std::vector<Box> boxes) : boxes_(std::move(boxes)), order_(boxes_.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    if (!order_.empty()) grow(0, static_cast<int>(order_.size()));
  }

  /// visit(box) → the distance within which more is wanted: of all boxes that are nearer than that, near ones first.
  template <class Visit>
  void visit_near(const std::array<double, 3>& point, Visit&& visit) const {
    double within = std::numeric_limits<double>::infinity();
    if (!branches_.empty()) descend(0, point, within, visit);
  }

 private:
  static constexpr int leaf_size = 4;
  struct Branch {
    Box box;
    int begin, end, left = -1, right = -1;
  };

  int grow(int begin, int end) {
    const int branch = static_cast<int>(branches_.size());
    Box box = boxes_[order_[begin]];
    for (int i = begin; i < end; ++i) box.cover(boxes_[order_[i]]);
    branches_.push_back({box, begin, end});
    if (end - begin <= leaf_size) return branch;
    int longest = 0;
    for (int d = 1; d < 3; ++d)
      if (box.high[d] - box.low[d] > box.high[longest] - box.low[longest]) longest = d;
    const auto centre = [&](int i) { return boxes_[i].low[longest] + boxes_[i].high[longest]; };
    const int middle = (begin + end) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](int a, int b) { return centre(a) < centre(b); });
    const int left = grow(begin, middle), right = grow(middle, end);
    branches_[branch].left = left, branches_[branch].right = right;
    return branch;
  }

  template <class Visit>
  void descend(int number, const std::array<double, 3>& point, double& within, Visit& visit) const {
    const Branch& branch = branches_[number];
    if (branch.left < 0) {
      for (int i = branch.begin; i < branch.end; ++i)
        if (boxes_[order_[i]].distance(point) <= within) within = visit(order_[i]);
      return;
    }
    int near = branch.left, far = branch.right;
    double to_near = branches_[near].box.distance(point), to_far = branches_[far].box.distance(point);
    if (to_far < to_near) std::swap(near, far), std::swap(to_near, to_far);
    if (to_near <= within) descend(near, point, within, visit);
    if (to_far <= within) descend(far, point, within, visit);
  }

  std::vector<Box> boxes_;
  std::vector<int> order_;
  std::vector<Branch> branches_;
};

}  // namespace invar
