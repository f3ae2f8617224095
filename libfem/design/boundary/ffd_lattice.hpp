#pragma once
#include <array>
#include <string>
#include <vector>

#include "libfem/design/boundary/ffd_map.hpp"

namespace invar {

/// Assignment of design numbers to the control points of a free-form deformation lattice.
class FfdLattice {
 public:
  FfdLattice(int dim, const std::array<double, 3>& lower, const std::array<double, 3>& upper,
             const std::array<int, 3>& counts, const FfdOptions& options);

  const std::vector<std::string>& names() const { return names_; }
  /// Index of a component of a control point among those of all.
  int place(const std::array<int, 3>& point, int component = 0) const {
    return ((point[0] * counts_[1] + point[1]) * counts_[2] + point[2]) * dim_ + component;
  }
  /// Displacements of all control points, [points × dim], and the transpose.
  std::vector<double> expand(const double* theta) const;
  void collect(const std::vector<double>& controls_bar, double* theta_bar) const;

 private:
  /// A component of a control point moves by sign · θ[number]; number −1: fixed.
  struct Control {
    int number = -1;
    double sign = 1;
  };
  enum class Plane { none, middle, lower_face, upper_face };
  Plane find_plane(const std::array<double, 3>& lower, const std::array<double, 3>& upper) const;
  void require_sense() const;
  double share(std::array<int, 3>& point, int component) const;
  bool frozen(const std::array<int, 3>& point) const;
  template <class F>
  void for_every_control(F f) const;

  int dim_;
  std::array<int, 3> counts_;
  FfdOptions options_;
  Plane plane_;
  std::vector<Control> controls_;  // by place
  std::vector<std::string> names_;
};

}  // namespace invar
