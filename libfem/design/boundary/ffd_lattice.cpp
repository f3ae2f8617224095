#include "libfem/design/boundary/ffd_lattice.hpp"

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace invar {
namespace {

constexpr const char* axis_name[] = {"x", "y", "z"};

std::string name_of(const std::array<int, 3>& point, int component, int dim) {
  std::ostringstream name;
  name << "ffd";
  for (int d = 0; d < dim; ++d) name << '_' << point[d];
  name << '_' << axis_name[component];
  return name.str();
}

}  // namespace

FfdLattice::FfdLattice(int dim, const std::array<double, 3>& lower, const std::array<double, 3>& upper,
                       const std::array<int, 3>& counts, const FfdOptions& options)
    : dim_(dim), counts_(counts), options_(options) {
  if (dim == 2) counts_[2] = 1, options_.frozen_layers[2] = {};
  require_sense();
  plane_ = find_plane(lower, upper);

  // A frozen point freezes all points with the same number.
  std::vector<char> fixed(std::size_t(counts_[0]) * counts_[1] * counts_[2] * dim_, false);
  for_every_control([&](const std::array<int, 3>& point, int component) {
    std::array<int, 3> first = point;
    if (share(first, component) == 0 || !options_.components[component] || frozen(point))
      fixed[place(first, component)] = true;
  });
  controls_.resize(fixed.size());
  for_every_control([&](const std::array<int, 3>& point, int component) {
    std::array<int, 3> first = point;
    share(first, component);
    if (first != point || fixed[place(point, component)]) return;
    controls_[place(point, component)].number = static_cast<int>(names_.size());
    names_.push_back(name_of(point, component, dim_));
  });
  for_every_control([&](const std::array<int, 3>& point, int component) {
    std::array<int, 3> first = point;
    const double sign = share(first, component);
    controls_[place(point, component)] = {controls_[place(first, component)].number, sign};
  });
  if (names_.empty())
    throw std::invalid_argument(
        "the free-form lattice has no free control point; free a component, freeze fewer layers or use more control points");
}

void FfdLattice::require_sense() const {
  for (int d = 0; d < dim_; ++d) {
    const std::string axis = axis_name[d];
    if (counts_[d] < 1)
      throw std::invalid_argument("the free-form lattice needs at least one control point along " + axis + ", not " +
                                  std::to_string(counts_[d]));
    for (int layers : options_.frozen_layers[d])
      if (layers < 0 || layers > counts_[d])
        throw std::invalid_argument("the free-form lattice has " + std::to_string(counts_[d]) + " layers along " +
                                    axis + ", so that " + std::to_string(layers) + " cannot be frozen");
  }
  if (options_.degree < 0)
    throw std::invalid_argument("the degree of a free-form lattice is positive, or 0 for Bernstein polynomials");
}

FfdLattice::Plane FfdLattice::find_plane(const std::array<double, 3>& lower, const std::array<double, 3>& upper) const {
  if (!options_.symmetry) return Plane::none;
  const auto [axis, position] = *options_.symmetry;
  if (axis < 0 || axis >= dim_) throw std::invalid_argument("the symmetry plane is across x, y or (in 3-D) z");
  const double tolerance = 1e-9 * (upper[axis] - lower[axis]);
  const auto at = [&](double x) { return std::abs(position - x) <= tolerance; };
  if (at(0.5 * (lower[axis] + upper[axis]))) return Plane::middle;
  if (at(lower[axis])) return Plane::lower_face;
  if (at(upper[axis])) return Plane::upper_face;
  throw std::invalid_argument("the symmetry plane " + std::string(axis_name[axis]) + " = " + std::to_string(position) +
                              " must lie in the middle or on a face of the free-form box, which reaches from " +
                              std::to_string(lower[axis]) + " to " + std::to_string(upper[axis]));
}

/// Replaces `point` by its representative; returns the ratio of the two displacements, 0 if this component is fixed.
double FfdLattice::share(std::array<int, 3>& point, int component) const {
  if (plane_ == Plane::none) return 1;
  const int axis = options_.symmetry->axis, last = counts_[axis] - 1;
  const bool normal = component == axis;
  int& i = point[axis];
  if (plane_ == Plane::middle) {
    const bool mirrored = i > last - i, on_plane = i == last - i;
    if (mirrored) i = last - i;
    return !normal ? 1 : on_plane ? 0 : mirrored ? -1 : 1;
  }
  // The two layers next to the plane have equal tangential displacements: zero slope across it.
  const int face = plane_ == Plane::lower_face ? 0 : last;
  if (normal) return i == face ? 0 : 1;
  if (std::abs(i - face) == 1) i = face;
  return 1;
}

bool FfdLattice::frozen(const std::array<int, 3>& point) const {
  for (int d = 0; d < dim_; ++d) {
    const auto& [lower, upper] = options_.frozen_layers[d];
    if (point[d] < lower || point[d] >= counts_[d] - upper) return true;
  }
  return false;
}

template <class F>
void FfdLattice::for_every_control(F f) const {
  for (int i = 0; i < counts_[0]; ++i)
    for (int j = 0; j < counts_[1]; ++j)
      for (int k = 0; k < counts_[2]; ++k)
        for (int component = 0; component < dim_; ++component) f(std::array{i, j, k}, component);
}

std::vector<double> FfdLattice::expand(const double* theta) const {
  std::vector<double> controls(controls_.size(), 0.0);
  for (std::size_t i = 0; i < controls.size(); ++i)
    if (controls_[i].number >= 0) controls[i] = controls_[i].sign * theta[controls_[i].number];
  return controls;
}

void FfdLattice::collect(const std::vector<double>& controls_bar, double* theta_bar) const {
  for (std::size_t i = 0; i < controls_bar.size(); ++i)
    if (controls_[i].number >= 0) theta_bar[controls_[i].number] += controls_[i].sign * controls_bar[i];
}

}  // namespace invar
