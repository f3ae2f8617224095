#pragma once
#include <array>
#include <vector>

namespace invar {

/// Pairs of features of a contact surface whose boxes, swept along the displacement increment where there is one and
/// inflated by the margin, meet: sorted, each once, without excluded ones. All pairs nearer than the margin are among
/// them.
struct ContactCandidates {
  std::vector<std::array<int, 2>> sample_piece;  // {sample, piece}
  std::vector<std::array<int, 2>> edge_edge;     // {smaller, larger edge}; in 3-D only
  double margin = 0;                             // m
  bool operator==(const ContactCandidates&) const = default;
};

}  // namespace invar
