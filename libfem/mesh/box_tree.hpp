#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace invar {

/// Axis-parallel box; unused dimensions are [0, 0].
struct BoundingBox {
  std::array<double, 3> low{}, high{};

  double distance(const std::array<double, 3>& point) const {
    double square = 0;
    for (int d = 0; d < 3; ++d) {
      const double outside = std::max({low[d] - point[d], point[d] - high[d], 0.0});
      square += outside * outside;
    }
    return std::sqrt(square);
  }
  bool meets(const BoundingBox& other) const {
    return (low[0] <= other.high[0]) & (other.low[0] <= high[0]) & (low[1] <= other.high[1]) & (other.low[1] <= high[1]) &
           (low[2] <= other.high[2]) & (other.low[2] <= high[2]);
  }
  void cover(const BoundingBox& other) {
    for (int d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], other.low[d]);
      high[d] = std::max(high[d], other.high[d]);
    }
  }
};

/// Bounding-volume tree over boxes, for queries near a point or overlapping a box.
class BoxTree {
 public:
  BoxTree() = default;
  explicit BoxTree(const std::vector<BoundingBox>& boxes) : boxes_(boxes.size()), order_(boxes.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    if (!order_.empty()) grow(boxes, 0, static_cast<int>(order_.size()));
    put_in_order(boxes);
  }

  /// Replaces the boxes by new ones of the same objects. Results do not depend on the boxes from which the tree was
  /// built; the speed does.
  void refit(std::span<const BoundingBox> boxes) {
    put_in_order(boxes);
    for (int b = static_cast<int>(branches_.size()) - 1; b >= 0; --b) {  // children come after their parents
      Branch& branch = branches_[b];
      if (branch.right < 0) {
        branch.box = boxes_[branch.begin];
        for (int i = branch.begin + 1; i < branch.end; ++i) branch.box.cover(boxes_[i]);
      } else {
        branch.box = branches_[b + 1].box;
        branch.box.cover(branches_[branch.right].box);
      }
    }
  }

  /// Calls visit(number) for all boxes with number ≥ `first` that overlap this one, in any order.
  template <class Visit>
  void visit_meeting(const BoundingBox& box, int first, Visit&& visit) const {
    int stack[64], height = 0;  // the tree is balanced
    const auto push = [&](int number) {
      if (branches_[number].last >= first && branches_[number].box.meets(box)) stack[height++] = number;
    };
    if (!branches_.empty()) push(0);
    while (height > 0) {
      const int number = stack[--height];
      const Branch& branch = branches_[number];
      if (branch.right >= 0) {
        push(branch.right), push(number + 1);
        continue;
      }
      for (int i = branch.begin; i < branch.end; ++i)
        if (order_[i] >= first && boxes_[i].meets(box)) visit(order_[i]);
    }
  }

  /// Calls visit(number) for boxes near a point, near ones first. visit returns the distance within which further boxes
  /// are wanted.
  template <class Visit>
  void visit_near(const std::array<double, 3>& point, Visit&& visit) const {
    double within = std::numeric_limits<double>::infinity();
    if (!branches_.empty()) descend(0, point, within, visit);
  }

 private:
  static constexpr int leaf_size = 4;
  struct Branch {
    BoundingBox box;
    int begin, end;
    int right = -1;  // child, −1: a leaf; the left one follows its parent
    int last;        // largest number of its boxes
  };

  void put_in_order(std::span<const BoundingBox> boxes) {
    for (std::size_t i = 0; i < order_.size(); ++i) boxes_[i] = boxes[order_[i]];
  }

  int grow(const std::vector<BoundingBox>& boxes, int begin, int end) {
    const int branch = static_cast<int>(branches_.size());
    BoundingBox box = boxes[order_[begin]];
    for (int i = begin; i < end; ++i) box.cover(boxes[order_[i]]);
    branches_.push_back({box, begin, end, -1, *std::max_element(order_.begin() + begin, order_.begin() + end)});
    if (end - begin <= leaf_size) return branch;
    int longest = 0;
    for (int d = 1; d < 3; ++d)
      if (box.high[d] - box.low[d] > box.high[longest] - box.low[longest]) longest = d;
    const auto centre = [&](int i) { return boxes[i].low[longest] + boxes[i].high[longest]; };
    const int middle = (begin + end) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](int a, int b) { return centre(a) < centre(b); });
    grow(boxes, begin, middle);
    const int right = grow(boxes, middle, end);
    branches_[branch].right = right;
    return branch;
  }

  template <class Visit>
  void descend(int number, const std::array<double, 3>& point, double& within, Visit& visit) const {
    const Branch& branch = branches_[number];
    if (branch.right < 0) {
      for (int i = branch.begin; i < branch.end; ++i)
        if (boxes_[i].distance(point) <= within) within = visit(order_[i]);
      return;
    }
    int near = number + 1, far = branch.right;
    double to_near = branches_[near].box.distance(point), to_far = branches_[far].box.distance(point);
    if (to_far < to_near) std::swap(near, far), std::swap(to_near, to_far);
    if (to_near <= within) descend(near, point, within, visit);
    if (to_far <= within) descend(far, point, within, visit);
  }

  std::vector<BoundingBox> boxes_;  // in the order of the leaves, as they are visited
  std::vector<int> order_;          // their numbers
  std::vector<Branch> branches_;
};

}  // namespace invar
