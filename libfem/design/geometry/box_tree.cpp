#include "libfem/design/geometry/box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace invar {

BoxTree::BoxTree(std::vector<Box> boxes) : boxes_(std::move(boxes)), order_(boxes_.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (!boxes_.empty()) grow(0, static_cast<int>(boxes_.size()));
}

int BoxTree::grow(int begin, int end) {
  constexpr int leaf = 8;
  Box box = boxes_[order_[begin]];
  for (int i = begin; i < end; ++i)
    for (int d = 0; d < 3; ++d) {
      box.low[d] = std::min(box.low[d], boxes_[order_[i]].low[d]);
      box.high[d] = std::max(box.high[d], boxes_[order_[i]].high[d]);
    }
  const int self = static_cast<int>(branches_.size());
  branches_.push_back({box, begin, end});
  if (end - begin <= leaf) return self;

  int axis = 0;
  for (int d = 1; d < 3; ++d)
    if (box.high[d] - box.low[d] > box.high[axis] - box.low[axis]) axis = d;
  const int middle = (begin + end) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int a, int b) {
    return boxes_[a].low[axis] + boxes_[a].high[axis] < boxes_[b].low[axis] + boxes_[b].high[axis];
  });
  const int left = grow(begin, middle), right = grow(middle, end);
  branches_[self].left = left;
  branches_[self].right = right;
  return self;
}

std::vector<int> BoxTree::overlapping(const Box& box) const {
  std::vector<int> found, open;
  if (!branches_.empty()) open.push_back(0);
  while (!open.empty()) {
    const Branch& branch = branches_[open.back()];
    open.pop_back();
    if (!branch.box.overlaps(box)) continue;
    if (branch.left >= 0) {
      open.insert(open.end(), {branch.left, branch.right});
      continue;
    }
    for (int i = branch.begin; i < branch.end; ++i)
      if (boxes_[order_[i]].overlaps(box)) found.push_back(order_[i]);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace invar
