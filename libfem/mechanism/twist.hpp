#pragma once
#include <array>
#include <string>
#include <vector>

namespace invar {

/// A small motion of a rigid body: velocity of its centre, and spin (in the plane the third entry).
struct Twist {
  std::array<double, 3> velocity{}, spin{};
  /// The largest magnitude.
  double largest() const;
};

/// What these motions of a body, and their combinations, consist of, as the end of "it can …": "turn about (1, 2)", "move in every
/// direction". Empty without motions. centre: the body's; dim: of space.
std::string motions_text(std::vector<Twist> motions, const std::array<double, 3>& centre, int dim);

}  // namespace invar
