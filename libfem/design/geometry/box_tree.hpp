#pragma once
#include <array>
#include <vector>

namespace invar {

/// Axis-aligned boxes in a tree of halves; finds those that overlap another one.
class BoxTree {
 public:
  struct Box {
    std::array<double, 3> low, high;  // in 2-D the third is zero
    bool overlaps(const Box& other) const {
      for (int d = 0; d < 3; ++d)
        if (low[d] > other.high[d] || other.low[d] > high[d]) return false;
      return true;
    }
  };
  /// The boxes' coordinates are finite.
  explicit BoxTree(std::vector<Box> boxes);

  /// Positions of the boxes that overlap or touch this one, ascending.
  std::vector<int> overlapping(const Box& box) const;

 private:
  /// Entries [begin, end) of order_, and the two halves of them where they are more than a leaf holds.
  struct Branch {
    Box box;
    int begin, end, left = -1, right = -1;
  };
  int grow(int begin, int end);

  std::vector<Box> boxes_;
  std::vector<int> order_;
  std::vector<Branch> branches_;
};

}  // namespace invar
