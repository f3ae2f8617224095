#pragma once
#include <array>
#include <vector>

namespace invar {

/// Pairs of features of a contact surface whose bounding boxes overlap after sweeping along the displacement increment, if there is
/// one, and inflation by the margin and a reach: sorted, without duplicates and excluded pairs. They contain all pairs nearer than the margin.
struct ContactCandidates {
  std::vector<std::array<int, 2>> sample_piece;  // {sample, piece}
  std::vector<std::array<int, 2>> edge_edge;     // {smaller, larger edge}; in 3-D only
  double margin = 0;                             // m
  bool operator==(const ContactCandidates&) const = default;
};

}  // namespace invar
