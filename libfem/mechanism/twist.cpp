#include "libfem/mechanism/twist.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace invar {
namespace {

using SmallVector = std::array<double, 3>;

/// The k-th of all six numbers: the spin, then the velocity.
double& twist_entry(Twist& t, int k) { return k < 3 ? t.spin[k] : t.velocity[k - 3]; }

/// Independent combinations in echelon form, so that the last ones are shifts without spin.
std::vector<Twist> echelon(std::vector<Twist> all) {
  double size = 0;
  for (Twist& t : all) size = std::max(size, t.largest());
  std::size_t done = 0;
  for (int k = 0; k < 6 && done < all.size(); ++k) {
    const auto pivot = std::max_element(all.begin() + done, all.end(), [&](Twist& a, Twist& b) { return std::abs(twist_entry(a, k)) < std::abs(twist_entry(b, k)); });
    const bool found = std::abs(twist_entry(*pivot, k)) > 1e-9 * size;
    if (found) std::iter_swap(all.begin() + done, pivot);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (found ? i == done : i < done) continue;
      const double factor = found ? twist_entry(all[i], k) / twist_entry(all[done], k) : 0;
      for (int j = 0; j < 6 && found; ++j) twist_entry(all[i], j) -= factor * twist_entry(all[done], j);
      twist_entry(all[i], k) = 0;
    }
    done += found;
  }
  all.resize(done);
  return all;
}

/// "(1, 0)"; six digits, and no more than round-off of the largest.
std::string text_of(const SmallVector& v, int dim, double size) {
  std::string text;
  char digits[32];
  for (int i = 0; i < dim; ++i) {
    std::snprintf(digits, sizeof digits, "%.6g", std::abs(v[i]) > 1e-9 * size ? v[i] : 0.0);
    text += (i == 0 ? "(" : ", ") + std::string(digits);
  }
  return text + ")";
}

/// Of length 1; of both ways along a line that whose first entry is positive.
std::string direction_text(SmallVector v, int dim) {
  const double size = std::hypot(v[0], v[1], v[2]);
  const double first = *std::ranges::find_if(v, [size](double x) { return std::abs(x) > 1e-9 * size; });
  for (double& x : v) x /= std::copysign(size, first);
  return text_of(v, dim, 1);
}

/// About the points that stay where they are, or in space move along the axis.
std::string turn_text(const Twist& t, const SmallVector& centre, int dim) {
  const SmallVector &w = t.spin, &v = t.velocity;
  const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], advance = (w[0] * v[0] + w[1] * v[1] + w[2] * v[2]) / square;
  SmallVector place = centre;
  double size = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    place[i] += (w[j] * v[k] - w[k] * v[j]) / square;
    size = std::max({size, std::abs(place[i]), std::abs(centre[i])});
  }
  if (dim == 2) return "turn about " + text_of(place, dim, size);
  const bool screws = std::abs(advance) > 1e-9 * (size > 0 ? size : 1);
  return "turn about the axis through " + text_of(place, dim, size) + " along " + direction_text(w, dim) + (screws ? " while it moves along it" : "");
}

}  // namespace

double Twist::largest() const {
  double size = 0;
  for (int i = 0; i < 3; ++i) size = std::max({size, std::abs(spin[i]), std::abs(velocity[i])});
  return size;
}

std::string motions_text(std::vector<Twist> all, const std::array<double, 3>& centre, int dim) {
  all = echelon(std::move(all));
  const auto shifts = std::ranges::find_if(all, [](const Twist& t) { return t.spin == SmallVector{}; });
  const auto turns = shifts - all.begin(), moves = all.end() - shifts;
  std::string text;
  if (turns == 1 && moves == 0) return turn_text(all[0], centre, dim);
  if (turns > 0) text = turns == 3 ? "turn about every axis" : turns == 2 ? "turn about two axes" : dim == 2 ? "turn" : "turn about " + direction_text(all[0].spin, dim);
  if (turns > 0 && moves > 0) text += " and ";
  if (moves == dim) text += "move in every direction";
  else
    for (auto t = shifts; t != all.end(); ++t) text += (t == shifts ? "move along " : " and ") + direction_text(t->velocity, dim);
  return text;
}

}  // namespace invar
